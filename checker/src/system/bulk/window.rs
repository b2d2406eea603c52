//! Unordered copies with delayed flushing.
//!
//! The loads of a copy happen in any order between its beginning and its end, its *window*, and each store
//! any time after its load. Which moment a load had matters only if somebody changes the source within the
//! window. So:
//!
//! 1. One step begins the copy: it loads every piece and pushes every store, as one group. If no source may
//!    change meanwhile the window is closed at once.
//! 2. A step within the window loads the pieces again. Where a piece has another value now, and its store is
//!    still delayed, the load may have happened now instead of before: a question. If any did, another
//!    question is whether the window stays open. Else it is closed.
//!
//! *Every execution is explored.* Let a piece be loaded at moment t of the window and stored at moment s. If
//! nobody changed the source between the beginning and t, step 1 loaded the value, and its store can be
//! delayed until s. Otherwise a step 2 at t finds the value: it takes it if it is another one than was
//! sampled last, and any value in between may be left untaken. The store has not been seen before t, as a
//! store that was seen is not delayed any more; so it can happen now instead of before
//! (`rmc_runtime::Buffers::replace`). The window stays open for loads after t. A step 2 at which nothing is
//! taken changes nothing but that it closes the window, and others could have run before it as well. *Nothing
//! else is explored*: each value is one that its place had in the window, and its store comes after that.
//!
//! So a copy of any size from memory that nobody changes meanwhile takes two steps, and one if the source is
//! private. States under sc and tso (`tests/programs/copies/`), with pieces in ascending order, each a step,
//! and now: a ring of 64-byte messages 253 and 119, now 44 and 47; a sequence lock of two words, whose
//! copies are contested, 70 and 49, now 99 and 76; three words written one by one while they are copied 34
//! and 35, now 31 and 49.

use rmc_runtime::{Bytes, MemoryOrder, Model};

use super::{Copy, Piece, SAMPLED};
use crate::system::machine::Machine;
use crate::system::observe::accesses::Way;
use crate::system::step::access::Target;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Begins a copy.
    pub(super) fn sample(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let looks = self.looks(copy)?;
        if looks && !self.may_proceed(turn) {
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
        if looks {
            self.set_progress(turn, copy.progress, SAMPLED);
            return Ok(Next::Wait);
        }
        if grouped { self.close_group(turn, copy.progress) } else { Ok(Next::Advance) }
    }

    /// Loads the pieces of a copy again, and ends it unless it goes on.
    pub(super) fn sample_again(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        if !self.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        let (mut taken, grouped) = (false, self.is_group(copy)?);
        for piece in copy.pieces() {
            if !self.may_change(copy, piece)? {
                continue;
            }
            let to = self.target(piece.to, piece.size.into(), true)?;
            let Some(sampled) = self.sampled(&to, grouped) else { continue };
            let value = self.load_now(copy, piece)?;
            let takes = value != sampled && self.script.ask(ChoiceKind::Schedule, 2) == 1;
            let from = self.target(piece.from, piece.size.into(), false)?;
            self.observe_sample(from.at, takes);
            if takes {
                taken = true;
                self.take_sample(&to, value, grouped);
            }
        }
        if taken && self.script.ask(ChoiceKind::Schedule, 2) == 1 {
            turn.moved();
            return Ok(Next::Wait);
        }
        if self.config.model() == Model::Sc && self.buffers.has_pending(self.running.thread) {
            self.drain()?;
        }
        Ok(Next::Advance)
    }

    /// What was sampled of a piece last, unless its store happened.
    fn sampled(&mut self, to: &Target, grouped: bool) -> Option<Bytes> {
        if grouped {
            return self.buffers.delayed_value(self.running.thread, to.at);
        }
        Some(self.memory.read(&to.region, to.at.offset, to.at.len))
    }

    /// A piece is loaded now instead of before.
    fn take_sample(&mut self, to: &Target, value: Bytes, grouped: bool) {
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

    /// Writes memory that nobody else can know.
    pub(super) fn write_privately(&mut self, to: &Target, value: Bytes) {
        self.write_unseen(to, to.at.len, value);
    }

    /// Pushes the stores of a group, in no order among themselves.
    pub(super) fn push_group(&mut self, stores: &[(Target, Bytes)]) -> Result<(), StepEnd> {
        let bound = if self.config.model() == Model::Sc { 0 } else { self.config.buffer_bound };
        let overflows = bound > 0 && self.buffers.delayed(self.running.thread) + stores.len() > bound;
        let mut group = Vec::with_capacity(stores.len());
        for (to, value) in stores {
            let store = self.announce_store(to, *value, MemoryOrder::Plain, Way::Grouped)?;
            group.push((to.at, *value, store.tag));
        }
        self.buffers.store_group(self.running.thread, &group);
        for (_, _, tag) in &group {
            self.observe_buffered(*tag);
        }
        if overflows && !self.config.updates {
            self.commit_down_to(bound);
        } else if overflows {
            self.note_bound();
        }
        Ok(())
    }
}
