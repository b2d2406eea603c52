//! Announcements of memory that comes into being, dies, is allocated and freed.

use rmc_runtime::StoreTag;

use crate::ir::address::ObjectId;
use crate::ir::ids::SiteId;
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::state::object_table::{Object, ObjectKind};
use crate::system::step::StepEnd;

impl Machine<'_> {
    /// Announces that an object has come into being.
    #[inline]
    pub(in crate::system) fn object_born(&mut self, id: ObjectId, kind: ObjectKind, size: u32) {
        // A name that the thread kept was taken before.
        if kind == ObjectKind::Heap && !self.is_of_another(id) {
            self.touch_heap_name(id, true);
        }
        self.touch_birth(id.0, size);
        self.note_birth(id, kind, size);
    }

    /// Announces that a new object is a local variable.
    #[inline]
    pub(in crate::system) fn variable_born(&mut self, address: u64, site: SiteId) {
        self.observe_variable(address, site);
    }

    /// Announces that a new object holds an argument of a call, or its variable arguments.
    #[inline]
    pub(in crate::system) fn argument_born(&mut self, address: u64, variadic: bool) {
        self.observe_argument(address, variadic);
    }

    /// Announces that a local variable that exists already comes into scope, with no content.
    #[inline]
    pub(in crate::system) fn announce_revival(&mut self, region: &Region) {
        self.check_guard_of_dying(region);
        self.note_revival(region.id);
    }

    /// Announces the end of an object, if others may notice it.
    #[inline]
    pub(in crate::system) fn announce_death(&mut self, id: ObjectId) {
        if let Some(region) = self.memory.region(id).filter(|region| region.shared) {
            self.check_guard_of_dying(&region);
            self.touch_object(id.0, self.memory.object(id).map_or(region.size, Object::most_bytes));
            self.log_foreign_stores_read();
        }
    }

    /// Announces that the stores to an object that dies were dropped.
    #[inline]
    pub(in crate::system) fn stores_dropped(&mut self) {
        self.observe_evict();
    }

    /// Announces that an object has died.
    #[inline]
    pub(in crate::system) fn object_died(&mut self, id: ObjectId) {
        if ObjectKind::is_heap_name(id) && !self.memory.table.kept.has(id) {
            self.name_comes_free(id);
        }
        self.race_object_ends(id);
        self.note_death(id);
    }

    /// Announces that the running thread was asked whether it keeps a name. Where steps with several answers
    /// are one event, both answers touch what either does: the name, and the one that the thread kept before.
    #[inline]
    pub(in crate::system) fn announce_keeping(&mut self, id: ObjectId, keeps: bool) {
        if self.config.reads_from {
            return;
        }
        let kept = self.memory.table.kept.of(self.running.thread);
        let untouched = if keeps { Some(id) } else { kept };
        untouched.into_iter().for_each(|id| self.name_comes_free(id));
    }

    /// Announces that the name of an object on the heap comes free for the thread that has made it.
    #[inline]
    pub(in crate::system) fn name_comes_free(&mut self, id: ObjectId) {
        self.touch_heap_name(id, false);
    }

    /// Announces that memory ends while this store of another thread to it is delayed.
    #[inline]
    pub(in crate::system) fn announce_late_store(&mut self, tag: StoreTag) {
        self.note_late_store(tag);
    }

    /// Announces that a call has allocated an object. `what` is its event, if it has one.
    #[inline]
    pub(in crate::system) fn object_allocated(&mut self, what: Option<&str>, address: u64) {
        self.observe_allocation(address);
        what.into_iter().for_each(|what| self.observe_object(what, address));
    }

    /// Announces that a call frees an object. `what` is its event, if it has one.
    ///
    /// # Errors
    /// An access to the object races with that.
    #[inline]
    pub(in crate::system) fn announce_free(&mut self, what: Option<&str>, object: &Object) -> Result<(), StepEnd> {
        self.race_free(object.id, object.size)?;
        what.into_iter().for_each(|what| self.observe_object(what, object.id.address(0)));
        Ok(())
    }
}
