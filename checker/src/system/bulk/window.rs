//! Unordered copies with delayed flushing.
//!
//! The loads of a copy happen in any order between its beginning and its end, its *window*, and each store at
//! any time after its load. The moment of a load matters only if another thread changes the source within the
//! window. So:
//!
//! 1. One step begins the copy: it loads every piece and pushes every store, as one group. If no other thread
//!    may change a source meanwhile, the window is closed at once.
//! 2. A step within the window loads the pieces again. If a piece has another value now, and its store is
//!    still delayed, the load may have happened now instead of before: this is a question. If any load did,
//!    another question is whether the window stays open. Otherwise it is closed.
//!
//! *Every execution is explored.* Let a piece be loaded at moment t of the window and stored at moment s. If
//! no other thread changed the source between the beginning and t, step 1 loaded the value, and its store can
//! be delayed until s. Otherwise a step 2 at t finds the value and takes it if it differs from the value
//! loaded last; any value in between may be left untaken. The store has not been seen before t, as a store
//! that was seen is not delayed any more. So it can happen now instead of before
//! (`rmc_runtime::Buffers::replace`). The window stays open for loads after t. A step 2 that takes nothing
//! only closes the window, and other threads could have run before it as well. *Nothing else is explored*:
//! each value is one that its place had in the window, and its store comes after that.
//!
//! So a copy of any size from memory that no other thread changes meanwhile takes two steps, and one if the
//! source is private. These are the states under SC and TSO (`tests/programs/copies/`), first with pieces in
//! ascending order, each a step, and then with windows. A ring of 64-byte messages: 253 and 119, now 44 and
//! 47. A sequence lock of two words, whose copies are contested: 70 and 49, now 99 and 76. Three words
//! written one by one while they are copied: 34 and 35, now 31 and 49.

use rmc_runtime::{Bytes, MemoryOrder, Model};

use super::{Copy, Piece, WINDOW_OPEN};
use crate::system::machine::Machine;
use crate::system::observe::StorePath;
use crate::system::state::memory::Content;
use crate::system::step::access::Target;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Begins a copy.
    pub(super) fn open_window(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let may_change = self.may_change_any(copy)?;
        if may_change && !self.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        let (mut group, grouped) = (Vec::new(), self.is_group(copy)?);
        for piece in copy.pieces() {
            let value = self.load_now(copy, piece)?;
            let to = self.target(piece.to, piece.size.into(), true)?;
            if grouped {
                group.push((to, value));
            } else {
                self.write_privately(&to, value);
            }
        }
        self.push_group(&group)?;
        if may_change {
            self.set_progress(turn, copy.progress, WINDOW_OPEN);
            return Ok(Next::Wait);
        }
        if grouped { self.close_group(turn, copy.progress) } else { Ok(Next::Advance) }
    }

    /// Loads the pieces of a copy again, and ends the copy unless its window stays open.
    pub(super) fn reload(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        if !self.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        let (mut taken, grouped) = (false, self.is_group(copy)?);
        for piece in copy.pieces() {
            if !self.may_change(copy, piece)? {
                continue;
            }
            let to = self.target(piece.to, piece.size.into(), true)?;
            let Some(old) = self.loaded_value(&to, grouped) else { continue };
            let value = self.load_now(copy, piece)?;
            let takes = self.are_different(value != old) && self.choices.ask(ChoiceKind::Schedule, 2) == 1;
            let from = self.target(piece.from, piece.size.into(), false)?;
            self.piece_reloaded(&from, takes);
            if takes {
                taken = true;
                self.replace_load(&to, value, grouped);
            }
        }
        if taken && self.choices.ask(ChoiceKind::Schedule, 2) == 1 {
            turn.moved();
            return Ok(Next::Wait);
        }
        if self.config.model() == Model::Sc && self.buffers.has_pending(self.running.thread) {
            self.drain()?;
        }
        Ok(Next::Advance)
    }

    /// The last loaded value of a piece, unless its store happened.
    fn loaded_value(&mut self, to: &Target, grouped: bool) -> Option<Bytes> {
        if grouped {
            return self.buffers.delayed_value(self.running.thread, to.at);
        }
        Some(self.memory.read(&to.region, to.at.offset, to.at.len))
    }

    /// Replaces the load of a piece by a load at this moment.
    fn replace_load(&mut self, to: &Target, value: Bytes, grouped: bool) {
        if !grouped {
            return self.write_privately(to, value);
        }
        let tag = self.announce_replacement(to, value);
        self.buffers.replace(self.running.thread, to.at, value, tag);
    }

    /// Loads a piece of a copy, as part of a step that may look.
    pub(super) fn load_now(&mut self, copy: &Copy, piece: Piece) -> Result<Bytes, StepEnd> {
        let target = self.target(piece.from, piece.size.into(), false)?;
        if copy.from_local {
            return Ok(self.memory.read(&target.region, target.at.offset, piece.size));
        }
        let value = self.load(&mut VisibleSlot::open(), &target, MemoryOrder::Plain)?;
        Ok(value.expect("an open turn lets a load proceed"))
    }

    /// True if the load of a piece is part of the footprint of its step.
    pub(super) fn is_in_footprint(&self, copy: &Copy, piece: Piece) -> bool {
        let source = self.target(piece.from, piece.size.into(), false);
        !copy.from_local && source.is_ok_and(|source| !matches!(source.region.content, Content::Constant(_)))
    }

    /// Writes memory that no other thread can know.
    pub(super) fn write_privately(&mut self, to: &Target, value: Bytes) {
        self.write_unseen(to, to.at.len, value);
    }

    /// Pushes the stores of a group, without any order among themselves.
    pub(super) fn push_group(&mut self, stores: &[(Target, Bytes)]) -> Result<(), StepEnd> {
        let bound = if self.config.model() == Model::Sc { 0 } else { self.config.buffer_bound };
        let overflows = bound > 0 && self.buffers.delayed(self.running.thread) + stores.len() > bound;
        let mut group = Vec::with_capacity(stores.len());
        for (to, value) in stores {
            let store = self.announce_store(to, *value, MemoryOrder::Plain, StorePath::Grouped)?;
            group.push((to.at, *value, store.tag));
        }
        self.buffers.store_group(self.running.thread, &group);
        self.group_stored(group.iter().map(|(_, _, tag)| *tag));
        if overflows && !self.config.updates {
            self.commit_down_to(bound);
        } else if overflows {
            self.announce_full_buffer();
        }
        Ok(())
    }
}
