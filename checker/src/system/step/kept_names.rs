//! Threads that keep the names of objects of others which they free (`state/kept_names.rs`).
//!
//! Only the thread itself notices that it keeps a name: for the others, the object is gone, and its name is
//! taken. They notice that it gives the name up.

use crate::ir::address::ObjectId;
use crate::system::machine::Machine;
use crate::system::state::kept_names::KeptName;
use crate::system::state::object_table::{Object, ObjectKind};
use crate::system::step::StepEnd;

impl Machine<'_> {
    /// True if a name is another thread's.
    pub(in crate::system) fn is_of_another(&self, id: ObjectId) -> bool {
        id.owner() as usize != self.running.thread + 1
    }

    /// The name of the running thread's next object, which is so large, or of a size that is not known:
    /// the one that it keeps for that, or the lowest of its own. `None`: all are taken.
    pub(super) fn next_name(&mut self, thread: usize, kind: ObjectKind, size: Option<u32>) -> Option<ObjectId> {
        let table = &mut self.memory.table;
        if kind == ObjectKind::Heap
            && let Some(id) = size.and_then(|size| table.kept.name_for(thread, size))
        {
            table.kept.remove_of(thread);
            return Some(id);
        }
        table.free_name(u32::try_from(thread).expect("few threads") + 1, kind)
    }

    /// Has the running thread keep the name of an object of another thread, which it is about to end.
    pub(in crate::system) fn keep_name(&mut self, object: &Object) {
        let kept = KeptName { thread: self.running.thread, id: object.id, size: object.size };
        if let Some(before) = self.memory.table.kept.keep(kept) {
            self.name_comes_free(before);
        }
    }

    /// Ends an object that the running thread has just allocated, as if it had not.
    pub(in crate::system) fn forget_allocation(&mut self, id: ObjectId) -> Result<(), StepEnd> {
        let object = self.memory.object(id).copied().filter(|object| self.is_of_another(object.id));
        if let Some(object) = object {
            self.keep_name(&object);
        }
        self.remove_object(id)
    }

    /// Has the running thread give up the name that it keeps.
    pub(super) fn give_up_kept_name(&mut self) {
        if let Some(id) = self.memory.table.kept.remove_of(self.running.thread) {
            self.name_comes_free(id);
        }
    }
}
