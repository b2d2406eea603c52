//! What the operations of a step do that tells threads apart, beyond what the interpreter
//! ([`crate::interp::watch`]) and memory notice.

use rmc_runtime::Bytes;

use crate::interp::watch::is_telling;
use crate::ir::instr::{LibrarySite, RmwOp};
use crate::ir::thread_name;
use crate::system::library::LibraryFunction;
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::step::access::Target;

impl Machine<'_> {
    /// Begins to notice what tells threads apart.
    pub(in crate::system) fn watch_threads(&mut self) {
        self.running.stack.watches = true;
        self.memory.watches = true;
    }

    /// Whether threads may be exchanged, so that what tells them apart is noticed.
    #[inline]
    #[must_use]
    pub const fn exchanges(&self) -> bool {
        self.running.stack.watches
    }

    /// What a mutex has in memory that is held so: by the thread in the lower half, plus one, as often as the
    /// upper half says.
    pub(in crate::system) fn word_of_owner(&mut self, owner: u64) -> u64 {
        let (thread, count) = (owner & 0xFFFF_FFFF, owner >> 32);
        if !self.exchanges() || owner == 0 {
            return owner;
        }
        self.running.stack.asymmetric |= count > thread_name::MAX_NOTE;
        thread_name::name(thread as usize - 1, count)
    }

    /// The inverse of [`Self::word_of_owner`].
    pub(in crate::system) fn owner_of_word(&mut self, word: u64) -> u64 {
        self.running.stack.asymmetric |= self.exchanges() && word != 0 && !thread_name::is_marked(word);
        self.plain_owner(word)
    }

    /// Like [`Self::owner_of_word`], for messages: nothing is noticed.
    pub(in crate::system) fn plain_owner(&self, word: u64) -> u64 {
        match thread_name::thread_of(word).filter(|_| self.exchanges()) {
            Some(thread) => (thread as u64 + 1) | (thread_name::note_of(word) << 32),
            None => word,
        }
    }

    /// Whether a word of memory names the running thread.
    pub(in crate::system) fn names_running_thread(&self, region: &Region, offset: u32) -> bool {
        let is_word = offset.is_multiple_of(8) && offset + 8 <= region.size;
        let word = is_word.then(|| self.memory.read(region, offset, 8).bits as u64);
        word.and_then(thread_name::thread_of) == Some(self.running.thread)
    }

    /// Whether a step told threads apart since they are watched.
    #[must_use]
    pub fn is_asymmetric(&self) -> bool {
        self.exchanges() && (self.running.stack.asymmetric || self.memory.asymmetric.get())
    }

    /// The running step does what depends on its thread's number.
    pub(in crate::system) fn mark_asymmetric(&mut self) {
        self.running.stack.asymmetric = true;
    }

    /// Notices a read-modify-write that computes with telling words.
    pub(in crate::system) fn watch_update(&mut self, op: RmwOp, values: [Bytes; 3]) {
        self.running.stack.asymmetric |=
            self.running.stack.watches && op != RmwOp::Exchange && values.into_iter().any(tells);
    }

    /// Notices a telling word that is looked at.
    pub(in crate::system) fn watch_value(&mut self, value: Bytes) {
        self.running.stack.asymmetric |= self.running.stack.watches && tells(value);
    }

    /// Whether a load may see a part of a telling word, or one made of parts, because it overlaps delayed
    /// stores to other bytes.
    pub(in crate::system) fn watches_mixed(&self, target: &Target) -> bool {
        let at = target.at;
        let mixed = |store: &rmc_runtime::PendingStore| {
            store.at.overlaps(at) && (store.at.offset, store.at.len) != (at.offset, at.len)
        };
        self.running.stack.watches
            && self.buffers.pending().any(|store| mixed(&store) && (at.len >= 8 || tells(store.value)))
    }

    /// Notices telling words that are given to a function that may look at them.
    pub(in crate::system) fn watch_call(&mut self, function: &LibraryFunction, site: &LibrarySite) {
        if self.running.stack.watches && !function.is_alike {
            let telling = |&operand| is_telling(self.running.stack.get(self.program, operand).bits);
            self.running.stack.asymmetric |= site.args.iter().any(telling);
        }
    }
}

fn tells(value: Bytes) -> bool {
    is_telling(value.bits as u64) || is_telling((value.bits >> 64) as u64)
}
