//! The sharing of objects: an object is known to other threads as soon as a word that points to it is.
//!
//! The pointers that an operation publishes are those in the values that it stores to memory that others
//! know, gives to a new thread, or returns from its own; and those that it disguises, by computing other
//! numbers from them or accessing them in part ([`crate::interp::disguise`]). Everything that can be reached
//! from there is shared.
//!
//! The support libraries know that what `std::thread` gives to a new thread is that thread's own from then
//! on. So they have the thread take it over ([`Machine::take_over`]): only it is to know the object, although
//! dead variables of the other thread may still have the address. If somebody else uses it nevertheless, the
//! run notices, as with addresses that travel in another way, and is repeated without the reduction.

use rmc_runtime::Bytes;

use crate::ir::address::{self, ObjectId};
use crate::ir::value::Value;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::memory::{Content, Region};
use crate::system::state::object_table::{Object, ObjectKind};
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

    /// Publishes the objects whose addresses the running thread has disguised, or accessed in part: it may
    /// give them to others so.
    #[inline]
    pub(in crate::system) fn share_disguised(&mut self) {
        let disguised = std::mem::take(&mut self.running.stack.disguised);
        let accessed = self.memory.take_disguised();
        if self.config.reduces(Reduction::Private) {
            disguised.into_iter().chain(accessed).for_each(|id| self.share(id));
        }
    }

    /// Forgets addresses that were disguised in what is not part of the execution.
    pub(in crate::system) fn forget_disguised(&mut self) {
        self.running.stack.disguised.clear();
        self.memory.take_disguised();
    }

    /// Marks an object, and all objects reachable from it, as known to other threads.
    fn share(&mut self, id: ObjectId) {
        let mut reached = vec![id];
        while let Some(id) = reached.pop() {
            if self.memory.object(id).is_none_or(|object| object.shared) {
                continue;
            }
            let object = self.memory.object_mut(id).expect("the object exists");
            (object.shared, object.taker) = (true, 0);
            let region = self.memory.region(id).expect("the object exists");
            reached.extend(self.pointers_in(&region));
        }
    }

    /// The initialised word of memory at an address, if no store to its object is pending.
    pub(in crate::system) fn settled_word(&self, address: u64) -> Option<Bytes> {
        let (id, offset) = address::split(address)?;
        let region = self.memory.region(id).filter(|region| offset + 8 <= region.size)?;
        let is_pending = self.buffers.pending().any(|store| store.at.object == id.0);
        let word = self.memory.read(&region, offset, 8);
        (!is_pending && word.undef == 0).then_some(word)
    }

    /// Has the running thread take over an object on the heap, which others will not use any more. It stays
    /// shared where something of others is still pending there, or where the contrary would be of no use:
    /// without the reduction `private`, where threads are exchanged, and in engines without scheduling
    /// points.
    pub(in crate::system) fn take_over(&mut self, id: ObjectId) {
        let taker = self.running.thread + 1;
        let is_of_use = self.config.reduces(Reduction::Private) && !self.config.updates && !self.exchanges();
        let is_pending = self.buffers.pending().any(|store| store.at.object == id.0);
        if taker > Object::MOST_TAKER {
            return;
        }
        if let Some(object) = self.memory.object_mut(id).filter(|object| object.kind == ObjectKind::Heap) {
            object.taker = taker as u8;
            object.shared &= !is_of_use || is_pending;
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
