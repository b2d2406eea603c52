//! Detection of operations whose result depends on the number of a thread.
//!
//! Symmetry reduction exchanges the numbers of threads, so a program that has such an operation is explored
//! again without it. A word is *telling* if it may reveal a thread's number; [`crate::interp::watch`] defines
//! that, and detects the operations of the interpreter. `system/state/memory/watch.rs` detects accesses to
//! parts of telling words. This file detects the rest: words that name the holder of a mutex,
//! read-modify-writes, loads that combine delayed stores, and arguments of library functions.
//!
//! A detected operation sets one of two flags, that of the stack or that of the memory
//! ([`Machine::is_asymmetric`]). The flags count only if threads may be exchanged ([`Machine::exchanges`]).

use rmc_runtime::{Bytes, PendingStore};

use crate::interp::watch::is_telling;
use crate::ir::instr::{LibrarySite, RmwOp};
use crate::ir::thread_name;
use crate::system::library::LibraryFunction;
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::step::access::Target;

impl Machine<'_> {
    /// Switches detection on.
    pub(in crate::system) fn watch_threads(&mut self) {
        self.running.stack.watches = true;
        self.memory.watches = true;
    }

    /// True if the engine may exchange threads, so that operations that tell them apart are detected.
    #[inline]
    #[must_use]
    pub const fn exchanges(&self) -> bool {
        self.running.stack.watches
    }

    /// The word that represents the owner of a mutex in memory. If threads may be exchanged, it is a
    /// [`thread_name`], which the exchange can recognise.
    ///
    /// The lower half of `owner` is the number of the thread that holds the mutex plus one, the upper half
    /// how often it has locked it. `owner` is 0 for a free mutex.
    pub(in crate::system) fn word_of_owner(&mut self, owner: u64) -> u64 {
        if !self.exchanges() || owner == 0 {
            return owner;
        }
        let (thread, count) = (owner & 0xFFFF_FFFF, owner >> 32);
        if count > thread_name::MAX_NOTE {
            self.mark_asymmetric();
        }
        thread_name::name(thread as usize - 1, count)
    }

    /// The inverse of [`Self::word_of_owner`]. A word that is neither 0 nor a name is recorded.
    pub(in crate::system) fn owner_of_word(&mut self, word: u64) -> u64 {
        if self.exchanges() && word != 0 && !thread_name::is_marked(word) {
            self.mark_asymmetric();
        }
        self.plain_owner(word)
    }

    /// The owner as of [`Self::owner_of_word`], for messages. It records nothing.
    pub(in crate::system) fn plain_owner(&self, word: u64) -> u64 {
        match thread_name::thread_of(word).filter(|_| self.exchanges()) {
            Some(thread) => (thread as u64 + 1) | (thread_name::note_of(word) << 32),
            None => word,
        }
    }

    /// True if the word at this offset of an object names the running thread. It does not if the word is
    /// misaligned or not within the object.
    pub(in crate::system) fn names_running_thread(&self, region: &Region, offset: u32) -> bool {
        let is_whole_word = offset.is_multiple_of(8) && offset + 8 <= region.size;
        let word = is_whole_word.then(|| self.memory.read(region, offset, 8).bits as u64);
        word.and_then(thread_name::thread_of) == Some(self.running.thread)
    }

    /// True if an operation that tells threads apart was recorded since detection began.
    #[must_use]
    pub fn is_asymmetric(&self) -> bool {
        self.exchanges() && (self.running.stack.asymmetric || self.memory.asymmetric.get())
    }

    /// Records that the running step tells threads apart.
    pub(super) fn mark_asymmetric(&mut self) {
        self.running.stack.asymmetric = true;
    }

    /// Records a read-modify-write that computes with a telling word. `values` are the old value, the operand
    /// and the new value. An exchange only moves them.
    pub(super) fn watch_update(&mut self, op: RmwOp, values: [Bytes; 3]) {
        if self.exchanges() && op != RmwOp::Exchange && values.into_iter().any(has_telling_word) {
            self.mark_asymmetric();
        }
    }

    /// Records the use of a value if it has a telling word.
    pub(super) fn watch_value(&mut self, value: Bytes) {
        if self.exchanges() && has_telling_word(value) {
            self.mark_asymmetric();
        }
    }

    /// True if a load may split a telling word or put one together from parts. It may if it overlaps a
    /// delayed store without having the same bytes.
    pub(super) fn watches_mixed(&self, target: &Target) -> bool {
        let at = target.at;
        let is_partial =
            |store: &PendingStore| store.at.overlaps(at) && (store.at.offset, store.at.len) != (at.offset, at.len);
        let may_tell = |store: &PendingStore| at.len >= 8 || has_telling_word(store.value);
        self.exchanges() && self.buffers.pending().any(|store| is_partial(&store) && may_tell(&store))
    }

    /// Records a call with a telling argument, if the result of the function may depend on it.
    pub(super) fn watch_call(&mut self, function: &LibraryFunction, site: &LibrarySite) {
        if self.exchanges() && !function.is_alike {
            let telling = |&operand| is_telling(self.running.stack.get(self.program, operand).bits);
            if site.args.iter().any(telling) {
                self.mark_asymmetric();
            }
        }
    }
}

/// True if one of the two words of a value of up to 16 bytes is telling.
fn has_telling_word(value: Bytes) -> bool {
    is_telling(value.bits as u64) || is_telling((value.bits >> 64) as u64)
}
