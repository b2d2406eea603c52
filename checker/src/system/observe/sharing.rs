//! The sharing of objects: an object is known to other threads as soon as a word that points to it is.
//!
//! The pointers that an operation publishes are those in the values that it stores to memory that others
//! know, gives to a new thread, or returns from its own. Everything that can be reached from there is shared.

use rmc_runtime::Bytes;

use crate::ir::address::{self, ObjectId};
use crate::ir::value::Value;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::memory::{Content, Region};
use crate::system::step::access::words;

impl Machine<'_> {
    /// Publishes the object to which a word points, if it is a pointer, because other threads may now know
    /// the word.
    pub(super) fn publish(&mut self, value: Value) {
        if !self.config.reduces(Reduction::Private) {
            return;
        }
        if let Some(id) = address::pointee(value.bits).filter(|id| id.owner() != 0) {
            self.share(id);
        }
    }

    pub(super) fn publish_bytes(&mut self, value: Bytes) {
        if self.config.reduces(Reduction::Private) {
            words(value).into_iter().for_each(|word| self.publish(word));
        }
    }

    /// Marks an object, and all objects reachable from it, as known to other threads.
    fn share(&mut self, id: ObjectId) {
        let mut reached = vec![id];
        while let Some(id) = reached.pop() {
            if self.memory.object(id).is_none_or(|object| object.shared) {
                continue;
            }
            self.memory.object_mut(id).expect("the object exists").shared = true;
            let region = self.memory.region(id).expect("the object exists");
            reached.extend(self.pointers_in(&region));
        }
    }

    /// The objects to which aligned words of memory point, including pending stores to that memory.
    fn pointers_in(&self, region: &Region) -> Vec<ObjectId> {
        if matches!(region.content, Content::Constant(_)) {
            return Vec::new();
        }
        let whole_words = (0..region.size / 8).map(|word| self.memory.read(region, word * 8, 8).bits as u64);
        let pending = self.buffers.pending().filter(|store| store.at.object == region.id.0);
        let pending = pending.map(|store| store.value.bits as u64);
        whole_words.chain(pending).filter_map(address::pointee).filter(|id| id.owner() != 0).collect()
    }
}
