//! Accesses to memory, announced once for everybody who looks on.
//!
//! Of an access the footprint (`footprint.rs`), races (`races/`), the report of the step, what threads know
//! (`lifetime.rs`) and the recorder (`recorder.rs`) each want to know something. Whoever makes an access
//! calls one function here before it and one after it, and the functions here hand it on. Guards and the read
//! set need no call: they see every access where its target is found (`access.rs`) and where its page is read
//! (`memory.rs`).
//!
//! | access | before | after |
//! |---|---|---|
//! | load | [`Machine::announce_load`] | [`Machine::loaded`] |
//! | load of a read-modify-write | [`Machine::announce_atomic_load`] | [`Machine::atomically_loaded`] |
//! | its write, or none | [`Machine::announce_update`] | |
//! | store | [`Machine::announce_store`] | [`Machine::stored`] |
//! | write at once, atomic | [`Machine::announce_write`] | |
//! | read or write by a modelled function | [`Machine::announce_library_read`], [`Machine::announce_library_store`] | |

use rmc_runtime::{Bytes, Loaded, MemoryOrder, StoreTag};

use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::access::Target;

/// How a store gets to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum Way {
    /// Others see it at once.
    AtOnce,
    /// Through the buffer.
    Buffered,
    /// Through the buffer, as one of a group whose stores are always noticed.
    Grouped,
    /// At once, and nobody else can look.
    Unseen,
}

/// A store that was announced and has to be made: [`Machine::stored`] says what became of it.
#[derive(Debug)]
#[must_use = "a store that was announced is made"]
pub(in crate::system) struct AnnouncedStore {
    /// Its name.
    pub tag: StoreTag,
}

impl Machine<'_> {
    /// A load comes next. `shared`: others may know the memory.
    ///
    /// # Errors
    /// The load races.
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

    /// A load has seen this.
    pub(in crate::system) fn loaded(&mut self, target: &Target, loaded: &Loaded, order: MemoryOrder) {
        self.race_load(target.at, loaded.source, order);
        self.observe_load(target, loaded.value, loaded.source);
    }

    /// The load of a read-modify-write comes next, unless the thread has to wait before it.
    pub(in crate::system) fn announce_atomic_load(&mut self, target: &Target, shared: bool) {
        self.report.looked |= shared;
        if self.config.updates && shared {
            self.touch_bytes(target.at, false);
        }
    }

    /// The load of a read-modify-write has seen this.
    pub(in crate::system) fn atomically_loaded(&mut self, target: &Target, loaded: &Loaded) {
        self.race_read(target.at, loaded.source);
    }

    /// A read-modify-write that has loaded `old` writes `new`, or nothing. Gives the name of the write.
    ///
    /// # Errors
    /// It races.
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

    /// A store comes next.
    ///
    /// # Errors
    /// The store races.
    pub(in crate::system) fn announce_store(
        &mut self,
        target: &Target,
        value: Bytes,
        order: MemoryOrder,
        way: Way,
    ) -> Result<AnnouncedStore, StepEnd> {
        if way == Way::AtOnce {
            self.touch_bytes(target.at, true);
        }
        self.race_access(target, true, order)?;
        if target.region.shared {
            self.report.acted = self.report.acted || self.may_be_noticed(target, value, way);
            self.publish_bytes(value);
        }
        self.observe_before();
        let tag = self.observe_store(target, value, order);
        self.race_release(tag, order, false);
        if matches!(way, Way::Buffered | Way::Grouped) {
            self.touch_life(target.at.object);
        }
        Ok(AnnouncedStore { tag })
    }

    /// Whether others may notice a store. Where nothing else is pending, the buffered store of what memory
    /// has changes nothing whenever it gets there.
    fn may_be_noticed(&self, target: &Target, value: Bytes, way: Way) -> bool {
        let is_open = || self.config.updates || self.buffers.overlaps(target.at);
        way == Way::Grouped || self.changes(target, value) || way == Way::Buffered && is_open()
    }

    /// An announced store was made.
    pub(in crate::system) fn stored(&mut self, AnnouncedStore { tag }: AnnouncedStore) {
        self.observe_stored(tag);
    }

    /// The store of a piece of a copy that waits happens now, with another value.
    pub(in crate::system) fn announce_replacement(&mut self, target: &Target, value: Bytes) -> StoreTag {
        if target.region.shared {
            self.report.acted = true;
            self.publish_bytes(value);
        }
        self.observe_replaced(target, value)
    }

    /// An atomic write to memory at once comes next.
    pub(in crate::system) fn announce_write(&mut self, target: &Target, value: Bytes) {
        if target.region.shared {
            self.report.acted |= self.changes(target, value);
            self.touch_bytes(target.at, true);
        }
    }

    /// A modelled function reads memory. Whether others may be writing it.
    ///
    /// # Errors
    /// The read races, or the memory was taken for private.
    pub(in crate::system) fn announce_library_read(&mut self, target: &Target) -> Result<bool, StepEnd> {
        self.race_library_read(target)?;
        let is_visible = self.is_visible(target)?;
        if is_visible {
            self.touch_load(target);
        }
        Ok(is_visible)
    }

    /// A modelled function, which has an event of its own, writes. Gives the name of the write.
    pub(in crate::system) fn announce_library_store(&mut self, target: &Target, value: Bytes) -> StoreTag {
        let tag = self.observe_hidden_store(target, value);
        self.race_library_store(target, tag);
        tag
    }
}
