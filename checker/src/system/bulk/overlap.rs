//! Copies between ranges that overlap: `memmove`, and structures that are assigned to themselves.
//!
//! The pieces go in any order in which no byte is overwritten before it was loaded. If no other thread
//! changes the source meanwhile, the moments of the loads do not matter: all are in one step, and their
//! stores are a group, so that every order of the stores is explored. Other users of the memory under a mutex
//! change nothing meanwhile.
//!
//! If another thread does change the source, there are executions in which a piece is loaded after others
//! were stored, and not all of them are explored. So with delayed flushing a second step checks whether a
//! piece was changed that could still be loaded again, since no store over it has happened. If so, the
//! verdict is no longer `holds`. A change that comes later than the last load in some execution comes right
//! before this step in another one. With update events the second step touches the source as if it loaded it
//! again. A change that comes after the beginning of the copy and before its end in some order is in a race
//! with that step or with the first one. If there is such a race ([`crate::system::Config::contested`]),
//! `holds` is not claimed. Where loads are given sources, those of the first step decide.

use rmc_runtime::{Access, Model, PendingStore};

use super::{Copy, Piece, PieceLoad, WINDOW_OPEN};
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Loads all pieces, and buffers their stores.
    pub(super) fn begin_move(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let may_change = self.may_change_any(copy)?;
        if may_change && !self.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        self.report.copies_unordered |= may_change;
        let (mut group, place) = (Vec::new(), self.pushed(self.running.thread));
        let load = |index| PieceLoad { index, begins: index == 0, place, store: Some(place + index) };
        for (index, piece) in (0..).zip(copy.pieces()) {
            let touched = self.report.footprint.len();
            let value = self.load_now(copy, piece)?;
            self.announce_piece(touched, load(index));
            group.push((self.target(piece.to, piece.size.into(), true)?, value));
        }
        if self.config.updates {
            self.buffers.begin_copy(self.running.thread);
        }
        let touched = self.report.footprint.len();
        self.push_group(&group)?;
        self.announce_piece(touched, load(0));
        if may_change {
            if self.config.reads_from {
                self.may_be_contested();
            }
            self.set_progress(turn, copy.progress, WINDOW_OPEN);
            return Ok(Next::Wait);
        }
        self.close_group(turn, copy.progress)
    }

    /// Checks whether the source was changed since it was loaded, and ends the copy.
    pub(super) fn end_move(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let is_sc = self.config.model() == Model::Sc;
        // Under SC all stores of the copy are in memory at its end.
        let may_end = if self.config.updates && is_sc { self.full_fence(turn) } else { self.may_proceed(turn) };
        if !may_end {
            return Ok(Next::Wait);
        }
        for piece in copy.pieces() {
            if !self.may_change(copy, piece)? {
                continue;
            }
            if self.config.updates {
                let from = self.target(piece.from, piece.size.into(), false)?;
                self.announce_possible_load(&from);
            } else if self.was_changed(copy, piece)? {
                self.note_left_out(Unknown::CopyOrder);
            }
        }
        if self.config.updates {
            if !self.may_be_contested() {
                self.note_left_out(Unknown::CopyOrder);
            }
            return Ok(Next::Advance);
        }
        if is_sc && self.buffers.has_pending(self.running.thread) {
            self.drain()?;
        }
        Ok(Next::Advance)
    }

    /// Reports that the copy is contested if the loads of this step are. False if it is known to be.
    fn may_be_contested(&mut self) -> bool {
        let place = self.here();
        let is_known = self.config.contested.is_some_and(|places| places.contains(&place));
        if self.config.contested.is_some() && !is_known {
            self.report.loaded_piece_of = Some(place);
        }
        !is_known
    }

    /// True if a piece may have another value now than when it was loaded, and could be loaded now instead.
    fn was_changed(&mut self, copy: &Copy, piece: Piece) -> Result<bool, StepEnd> {
        let to = self.target(piece.to, piece.size.into(), true)?;
        let Some(loaded) = self.buffers.delayed_value(self.running.thread, to.at) else { return Ok(false) };
        let from = self.target(piece.from, piece.size.into(), false)?;
        if self.was_stored_over(copy, piece)? {
            return Ok(false);
        }
        let now = self.memory.read(&from.region, from.at.offset, piece.size);
        for byte in 0..u32::from(piece.size) {
            let at = Access { offset: from.at.offset + byte, len: 1, ..from.at };
            let of = |word: u128| (word >> (8 * byte)) as u8;
            let is_same = of(now.bits) == of(loaded.bits) && of(now.undef) == of(loaded.undef);
            let is_stored_to = |store: PendingStore| store.thread != self.running.thread && store.at.overlaps(at);
            let may_differ = !is_same || self.buffers.pending().any(is_stored_to);
            if may_differ && !self.is_own_before(copy, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if a delayed store that the thread made before the copy hides a byte: then nobody else changes
    /// what it reads there. The stores of the copy to that byte are delayed, too. One that is committed has
    /// happened, and hides nothing from a later load.
    fn is_own_before(&self, copy: &Copy, at: Access) -> Result<bool, StepEnd> {
        let is_own = |store: &PendingStore| store.thread == self.running.thread && !store.committed;
        let own = self.buffers.pending().filter(|store| is_own(store) && store.at.overlaps(at)).count();
        let mut of_copy = 0;
        for piece in copy.pieces() {
            let to = self.target(piece.to, piece.size.into(), true)?;
            of_copy += usize::from(to.at.overlaps(at));
        }
        Ok(own > of_copy)
    }

    /// True if a store of the copy over the source of this piece has happened.
    fn was_stored_over(&self, copy: &Copy, loaded: Piece) -> Result<bool, StepEnd> {
        let end = |begin: u64, piece: &Piece| begin + u64::from(piece.size);
        let meets = |stored: &Piece| stored.to < end(loaded.from, &loaded) && loaded.from < end(stored.to, stored);
        for piece in copy.pieces().filter(meets) {
            let to = self.target(piece.to, piece.size.into(), true)?;
            if self.buffers.delayed_value(self.running.thread, to.at).is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
