//! Announcements of accesses to memory.
//!
//! Several observers need to know of an access: the footprint, races, the report of the step, the sharing of
//! objects and the recorder. The read set needs no call, since it sees every access where its page is read
//! (`memory.rs`).
//!
//! | access | before | after |
//! |---|---|---|
//! | any, where its target is found | [`Machine::announce_use`], or [`Machine::announce_use_of_gone`] | |
//! | instruction that loads | [`Machine::announce_load_instruction`] | [`Machine::load_instruction_made`] |
//! | load | [`Machine::announce_load`] | [`Machine::loaded`], [`Machine::loaded_guarded`] |
//! | load of a read-modify-write | [`Machine::announce_atomic_load`] | [`Machine::atomically_loaded`] |
//! | its write, or none | [`Machine::announce_combining_update`], [`Machine::announce_update`] | |
//! | store | [`Machine::announce_store`], [`Machine::announce_store_at_once`] | [`Machine::stored`] |
//! | write at once, atomic | [`Machine::announce_write`], [`Machine::announce_commuting_write`] | |
//! | read by a modelled function | [`Machine::announce_library_read`] | |
//! | write by a modelled function | [`Machine::announce_library_store`] | [`Machine::counted`] |

use rmc_runtime::{Access, Bytes, Loaded, MemoryOrder, StoreTag};

use super::commuting::Commuting;
use crate::ir::address::ObjectId;
use crate::ir::instr::RmwOp;
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::step::StepEnd;
use crate::system::step::access::Target;

/// The paths by which a store reaches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum StorePath {
    /// It is in memory at once.
    Immediate,
    /// It goes through the buffer.
    Buffered,
    /// It goes through the buffer, as one of a group whose stores always count as noticed.
    Grouped,
    /// It is in memory at once, and no other thread can observe it.
    Unobservable,
}

/// A store that was announced and must be made. [`Machine::stored`] is called when it was made.
#[derive(Debug)]
#[must_use = "a store that was announced is made"]
pub(in crate::system) struct AnnouncedStore {
    /// The name of the store.
    pub tag: StoreTag,
}

/// An instruction that was announced and loads. [`Machine::load_instruction_made`] is called when it did.
#[derive(Debug)]
pub(in crate::system) struct LoadInstruction {
    /// True if it may combine delayed stores with each other or with memory.
    combines: bool,
}

/// A read-modify-write that combines its operand with the old value to the new one.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct CombiningUpdate {
    pub op: RmwOp,
    pub operand: Bytes,
    pub old: Bytes,
    pub new: Bytes,
}

impl Machine<'_> {
    /// Announces that an operation of the running thread uses `len` bytes of an object, now or in a later
    /// step.
    #[inline]
    pub(in crate::system) fn announce_use(&self, region: &Region, offset: u32, len: u64, writes: bool) {
        self.check_guard(region, offset, len, writes);
    }

    /// Announces that an operation is about to access bytes of memory that is gone, which is a violation.
    pub(in crate::system) fn announce_use_of_gone(&self, object: ObjectId, offset: u32, len: u64, writes: bool) {
        let len = u8::try_from(len).unwrap_or(16).clamp(1, 16);
        self.observers.missed_load.set((!writes).then_some(Access { object: object.0, offset, len }));
    }

    /// Announces an instruction that loads, and may have to wait before that.
    #[inline]
    pub(in crate::system) fn announce_load_instruction(&self, target: &Target) -> LoadInstruction {
        LoadInstruction { combines: self.watches_mixed(target) }
    }

    /// Reports that an instruction has loaded a value, all of which is initialised or not.
    #[inline]
    pub(in crate::system) fn load_instruction_made(
        &mut self,
        LoadInstruction { combines }: LoadInstruction,
        target: &Target,
        is_initialised: bool,
    ) {
        self.running.stack.asymmetric |= combines;
        if !is_initialised {
            self.note_unwritten(target.region.id);
        }
    }

    /// Reports that an instruction has loaded a value, all of which is initialised or not, from memory of the
    /// running thread that no other thread can reach.
    #[inline]
    pub(in crate::system) fn loaded_privately(&mut self, target: &Target, is_initialised: bool) {
        if !is_initialised {
            self.note_unwritten(target.region.id);
        }
    }

    /// Announces a load. `shared` is true if other threads may know the memory.
    ///
    /// # Errors
    /// The load races.
    #[inline]
    pub(in crate::system) fn announce_load(
        &mut self,
        target: &Target,
        shared: bool,
        order: MemoryOrder,
    ) -> Result<(), StepEnd> {
        if shared {
            self.report.looked = true;
            self.touch_load(target);
        }
        self.race_access(target, false, order)?;
        self.settle_races();
        Ok(())
    }

    /// Reports the value that a load has read.
    #[inline]
    pub(in crate::system) fn loaded(&mut self, target: &Target, loaded: &Loaded, order: MemoryOrder) {
        self.race_load(target.at, loaded.source, order);
        self.observe_load(target, loaded.value, loaded.source);
    }

    /// Reports the value that a load has read that needs no scheduling point.
    #[inline]
    pub(in crate::system) fn loaded_guarded(&mut self, target: &Target, value: Bytes) {
        self.observe_guarded_load(target, value);
    }

    /// Announces the load of a read-modify-write, unless the thread has to wait before it.
    #[inline]
    pub(in crate::system) fn announce_atomic_load(&mut self, target: &Target, shared: bool) {
        self.report.looked |= shared;
        if self.config.updates && shared {
            self.touch_bytes(target.at, false);
        }
    }

    /// Reports the value that the load of a read-modify-write has read.
    #[inline]
    pub(in crate::system) fn atomically_loaded(&mut self, target: &Target, loaded: &Loaded) {
        self.race_read(target.at, loaded.source);
    }

    /// Announces the write of a read-modify-write that has loaded `old`: `new`, or nothing. Returns the
    /// write's name.
    ///
    /// # Errors
    /// The write races.
    #[inline]
    pub(in crate::system) fn announce_update(
        &mut self,
        target: &Target,
        old: Bytes,
        new: Option<Bytes>,
        order: MemoryOrder,
    ) -> Result<StoreTag, StepEnd> {
        self.race_access(target, new.is_some(), MemoryOrder::Relaxed)?;
        self.race_acquire(order);
        let tag = self.observe_exchange(target, old, new);
        if new.is_some() {
            self.race_release(tag, order, true);
        }
        Ok(tag)
    }

    /// Announces the write of a read-modify-write. Returns the write's name.
    ///
    /// # Errors
    /// The write races.
    #[inline]
    pub(in crate::system) fn announce_combining_update(
        &mut self,
        target: &Target,
        CombiningUpdate { op, operand, old, new }: CombiningUpdate,
        order: MemoryOrder,
    ) -> Result<StoreTag, StepEnd> {
        self.watch_update(op, [old, operand, new]);
        if !target.region.shared {
            // The new value may have a pointer in disguise.
            self.publish_bytes(old);
        }
        self.announce_update(target, old, Some(new), order)
    }

    /// Announces a store that is followed by a full fence and is in memory at once.
    #[inline]
    pub(in crate::system) fn announce_store_at_once(
        &mut self,
        target: &Target,
        value: Bytes,
        order: MemoryOrder,
    ) -> AnnouncedStore {
        self.report.stored |= target.region.shared;
        self.observe_before();
        AnnouncedStore { tag: self.observe_store(target, value, order) }
    }

    /// Announces a store that is left out, since it repeats the newest pending one.
    #[inline]
    pub(in crate::system) fn announce_repeated_store(&mut self, target: &Target, value: Bytes) {
        self.observe_repeated(target, value);
    }

    /// Announces a store.
    ///
    /// # Errors
    /// The store races.
    #[inline]
    pub(in crate::system) fn announce_store(
        &mut self,
        target: &Target,
        value: Bytes,
        order: MemoryOrder,
        path: StorePath,
    ) -> Result<AnnouncedStore, StepEnd> {
        if path == StorePath::Immediate {
            self.touch_bytes(target.at, true);
        }
        self.race_access(target, true, order)?;
        if target.region.shared {
            self.note_store(target, value, path);
            self.publish_bytes(value);
        }
        self.observe_before();
        let tag = self.observe_store(target, value, order);
        self.race_release(tag, order, false);
        if matches!(path, StorePath::Buffered | StorePath::Grouped) {
            self.touch_life(target.at.object);
        }
        Ok(AnnouncedStore { tag })
    }

    /// Notes whether other threads may notice a store. If no other store is pending there, a buffered store
    /// of the value that memory already has changes nothing, whenever it reaches memory.
    fn note_store(&mut self, target: &Target, value: Bytes, path: StorePath) {
        let is_open = || self.config.updates || self.buffers.overlaps(target.at);
        let is_noticed = path == StorePath::Grouped || path == StorePath::Buffered && is_open();
        self.report.stored = true;
        self.report.acted |= is_noticed;
        if !self.report.acted {
            self.note_write(target, value);
        }
    }

    /// Reports that an announced store was made.
    #[inline]
    pub(in crate::system) fn stored(&mut self, AnnouncedStore { tag }: AnnouncedStore) {
        self.observe_stored(tag);
    }

    /// Announces an atomic write that is in memory at once.
    #[inline]
    pub(in crate::system) fn announce_write(&mut self, target: &Target, value: Bytes) {
        if target.region.shared {
            self.publish_bytes(value);
        }
        self.write_to_memory(target, value);
    }

    /// Announces a write of this kind that is in memory at once. Its operand was published: see `commuting.rs`.
    #[inline]
    pub(in crate::system) fn announce_commuting_write(&mut self, target: &Target, value: Bytes, kind: Commuting) {
        self.write_to_memory(target, value);
        self.combine_with(target.at, kind);
    }

    fn write_to_memory(&mut self, target: &Target, value: Bytes) {
        if target.region.shared {
            self.note_write(target, value);
            self.touch_bytes(target.at, true);
        }
    }

    /// Announces a write that depends on an answer, so that the conflicts of the step do not.
    pub(in crate::system) fn announce_possible_write(&mut self, target: &Target) {
        if target.region.shared {
            self.touch_bytes(target.at, true);
        }
    }

    /// Notes whether a write of a value acts: memory has another one.
    fn note_write(&mut self, target: &Target, value: Bytes) {
        let old = self.memory.read(&target.region, target.at.offset, target.at.len);
        match self.may_equal(old, value, target.at.len) {
            None => self.report.may_have_acted = true,
            Some(is_equal) => self.report.acted |= !is_equal,
        }
    }

    /// Announces a write for the library to memory that only the running thread uses.
    #[inline]
    pub(in crate::system) fn announce_unshared_write(&mut self, target: &Target, value: Bytes) {
        if target.region.shared {
            self.note_write(target, value);
        }
    }

    /// Announces a read of memory by a modelled function. The result is true if others may be writing that
    /// memory.
    ///
    /// # Errors
    /// The read races, or memory that was taken for private is shared.
    #[inline]
    pub(in crate::system) fn announce_library_read(&mut self, target: &Target) -> Result<bool, StepEnd> {
        self.race_library_read(target)?;
        let is_visible = self.is_visible(target)?;
        if is_visible {
            self.touch_load(target);
        }
        Ok(is_visible)
    }

    /// Announces a write by a modelled function that has an event of its own. Returns the name of the write.
    #[inline]
    pub(in crate::system) fn announce_library_store(&mut self, target: &Target, value: Bytes) -> StoreTag {
        let tag = self.observe_hidden_store(target, value);
        self.race_library_store(target, tag);
        tag
    }

    /// Reports that the last write of a modelled function counted up or down.
    #[inline]
    pub(in crate::system) fn counted(&mut self, target: &Target) {
        self.combine_with(target.at, Commuting::Count);
    }
}
