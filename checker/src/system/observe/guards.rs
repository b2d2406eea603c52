//! Which words of shared memory are used in a way that keeps other threads out, so that accesses to them need
//! no scheduling points.
//!
//! A *guard* of a word of four bytes is a claim about all executions while several threads exist: nobody
//! writes the word, one thread alone uses it, who uses it holds a certain mutex, or it is a part of a mutex
//! that is only locked and unlocked. [`Guards`] are guessed before a search
//! (`engine/explicit/infer_guards.rs`) and never change during it; every access is checked against them. A
//! search that meets an access against them says nothing, and is repeated without those guards.
//!
//! What they are good for: an access that keeps its guard moves left over the operations of all other
//! threads, and so does the unlocking of a mutex whose holder nobody asks for, if all that its fence lets
//! reach memory is guarded. So both are done at once, in the step before. Why a search with guards that no
//! access broke has seen enough: take a shortest execution that breaks one. All before its last access keeps
//! them, so what has guards can be moved left to the operation of its thread before it, which gives steps of
//! the search; these may do more than the execution did, of guarded accesses only. So the last access is one
//! of some step, and both accesses that do not go together were met. That needs steps that do not end the
//! execution: where one does behind something that has a guard, the search is repeated without guards.
//! Lipton, *Reduction: A Method of Proving Properties of Parallel Programs*, CACM 18(12), 1975; Stoller and
//! Cohen, *Optimistic Synchronization-Based State-Space Reduction*, TACAS 2003, theorem 1, where the same
//! claims are checked as the search goes on.
//!
//! Ours differs in when accesses need no guard: while no other thread exists, running, or ended and not
//! joined. It is not enough that none runs, for a thread's end may have moved left, too. For the same reason
//! no claim is made of programs in which the number of a thread becomes free without a join, nor, where final
//! states are asked for, of those that end while several threads run. With store buffers, an access keeps its
//! guard only if no store of another thread to the same bytes is pending; then a load sees the newest pending
//! store of its thread, else memory, and decides nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rmc_runtime::Access;
use serde::{Deserialize, Serialize};

use crate::hash::FxHashMap;
use crate::outcome::guards::{Guard, Word};

/// Bytes of a word.
pub(super) const WORD: u32 = 4;

/// Words of a mutex.
pub(super) const MUTEX: u32 = 10;

/// How a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::system) enum Use {
    Read,
    Write,
    /// A mutex is locked, waited for, or unlocked.
    Lock,
    /// A mutex is locked if it is free.
    Try,
    /// Threads sleep there, or are woken, which is not in the memory itself.
    Park,
}

/// The words that a range has a part of.
pub(super) fn words(at: u32, len: u32) -> impl Iterator<Item = u32> {
    at / WORD..(at + len.max(1)).div_ceil(WORD)
}

/// The guards of words; a word without one may be used by all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(Word, Guard)>", into = "Vec<(Word, Guard)>")]
pub struct Guards(pub(super) FxHashMap<Word, Guard>);

impl From<Vec<(Word, Guard)>> for Guards {
    fn from(list: Vec<(Word, Guard)>) -> Self {
        Self(list.into_iter().collect())
    }
}

impl From<Guards> for Vec<(Word, Guard)> {
    fn from(guards: Guards) -> Self {
        let mut list: Self = guards.0.into_iter().collect();
        list.sort_unstable_by_key(|&(word, _)| word);
        list
    }
}

/// No guards.
#[must_use]
pub fn none() -> &'static Guards {
    static NONE: LazyLock<Guards> = LazyLock::new(Guards::default);
    &NONE
}

/// Guards for the rest of the process, which has few: options, which refer to them, are copied freely.
#[must_use]
pub fn keep(guards: Guards) -> &'static Guards {
    if guards.is_empty() { none() } else { Box::leak(Box::new(guards)) }
}

impl Guards {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These without those that were broken, and without those that need them.
    #[must_use]
    pub fn without(&self, broken: &Broken) -> Self {
        let mut kept = self.0.clone();
        for (word, how) in &broken.words {
            match kept.get_mut(word) {
                Some(Guard::Lock { waited_for: waits @ true }) if *how == Use::Try => *waits = false,
                _ => drop(kept.remove(word)),
            }
        }
        kept.retain(|_, guard| !broken.all || matches!(guard, Guard::Writer(_)));
        Self(kept).consistent()
    }

    /// Whether some of them save scheduling points.
    pub(super) fn move_steps(&self) -> bool {
        self.0.values().any(|guard| !matches!(guard, Guard::Writer(_)))
    }

    /// These, and for words without any those of others.
    #[must_use]
    pub fn or(&self, others: Self) -> Self {
        Self(others.0.into_iter().chain(self.0.iter().map(|(&word, &guard)| (word, guard))).collect())
    }

    /// Whether this thread is the only one that writes the bytes.
    pub(in crate::system) fn has_writer(&self, at: Access, thread: usize) -> bool {
        let is_its = |word| {
            let guard = self.0.get(&(at.object, word));
            matches!(guard, Some(&(Guard::Writer(writer) | Guard::Thread(writer))) if writer == thread)
        };
        !self.is_empty() && words(at.offset, at.len.into()).all(is_its)
    }

    /// Only guards that need no other one, or have it: mutexes are whole, and so are those that guard
    /// something.
    pub(super) fn consistent(self) -> Self {
        let is_lock = |word: Word| matches!(self.0.get(&word), Some(Guard::Lock { .. }));
        let is_whole = |(object, first): Word| (first..first + MUTEX).all(|word| is_lock((object, word)));
        let is_kept = |guard: &Guard| match *guard {
            Guard::Mutex(mutex) => is_whole(mutex),
            _ => true,
        };
        Self(self.0.iter().filter(|(_, guard)| is_kept(guard)).map(|(&word, &guard)| (word, guard)).collect())
    }
}

/// What was against its guard.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    /// Nothing can be claimed of this program.
    pub(super) all: bool,
    pub(super) words: BTreeSet<(Word, Use)>,
    /// No guard, but a store buffer that was full.
    full: bool,
}

impl Broken {
    /// Whether nothing was.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        !self.is_guard() && !self.full
    }

    /// Whether it was a guard.
    #[must_use]
    pub fn is_guard(&self) -> bool {
        self.all || !self.words.is_empty()
    }

    /// Notes that a store buffer was full.
    pub const fn note_full(&mut self) {
        self.full = true;
    }

    /// Adds more.
    pub fn add(&mut self, other: Self) {
        self.all |= other.all;
        self.full |= other.full;
        self.words.extend(other.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(first: u32) -> impl Iterator<Item = (Word, Guard)> {
        (first..first + MUTEX).map(|word| ((1, word), Guard::Lock { waited_for: true }))
    }

    fn broken(word: Word, how: Use) -> Broken {
        Broken { words: BTreeSet::from([(word, how)]), ..Broken::default() }
    }

    #[test]
    fn what_needs_a_broken_guard_goes_with_it() {
        let data = [((2, 0), Guard::Mutex((1, 0))), ((2, 1), Guard::Thread(1))];
        let guards = Guards(mutex(0).chain(data).collect());
        let left = guards.without(&broken((1, 3), Use::Write));
        assert_eq!(left.0.get(&(2, 0)), None);
        assert_eq!(left.0.get(&(2, 1)), Some(&Guard::Thread(1)));
        assert!(guards.without(&Broken { all: true, ..Broken::default() }).is_empty());
    }

    #[test]
    fn a_mutex_that_is_tried_still_guards() {
        let guards = Guards(mutex(0).chain([((2, 0), Guard::Mutex((1, 0)))]).collect());
        let left = guards.without(&broken((1, 0), Use::Try));
        assert_eq!(left.0.get(&(1, 0)), Some(&Guard::Lock { waited_for: false }));
        assert_eq!(left.0.get(&(2, 0)), Some(&Guard::Mutex((1, 0))));
    }

    #[test]
    fn guards_come_back_from_reports() {
        let guards = Guards(mutex(4).chain([((7, 9), Guard::Unwritten)]).collect());
        let text = serde_json::to_string(&guards).expect("guards can be written");
        assert_eq!(serde_json::from_str::<Guards>(&text).expect("and read"), guards);
    }
}
