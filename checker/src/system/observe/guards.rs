//! Guards: words of shared memory that are used in a way that excludes conflicts, so that accesses to them
//! need no scheduling points.
//!
//! A *guard* of a word of four bytes is a claim about all executions while several threads exist: nobody
//! writes the word; one thread alone uses it; every user holds a certain mutex; or the word is a part of a
//! mutex that is only locked and unlocked. [`Guards`] are guessed before a search
//! (`engine/explicit/infer_guards.rs`) and never change during it. Every access is checked against them. A
//! search that meets an access that breaks a guard has no result, and is repeated without that guard.
//!
//! An access that keeps its guard moves left over the operations of all other threads. So does the unlocking
//! of a mutex that nobody tries to lock without waiting, if everything that its fence lets reach memory is
//! guarded. So both are executed at once, in the step before. A search with guards that no access broke is
//! complete, for this reason. Take a shortest execution that breaks a guard. All accesses before its last one
//! keep their guards. So each of them can be moved left to the preceding operation of its thread, which gives
//! steps of the search; these may do more than the execution did, but only further guarded accesses. So the
//! last access belongs to some step, and the search met both of the accesses that break the guard together.
//! The argument needs steps that do not end the execution: where a step does so after an operation that has a
//! guard, the search is repeated without guards. Lipton, *Reduction: A Method of Proving Properties of
//! Parallel Programs*, CACM 18(12), 1975; Stoller and Cohen, *Optimistic Synchronization-Based State-Space
//! Reduction*, TACAS 2003, theorem 1, where the same claims are checked as the search goes on.
//!
//! Deviation: accesses need no guard only while no other thread exists, neither running nor ended and not
//! joined. That no other thread runs would not be enough, because a thread's end may have moved left, too.
//! For the same reason no claim is made for programs in which the number of a thread becomes free without a
//! join, nor, where final states are asked for, for those that end while several threads run. With store
//! buffers, an access keeps its guard only if no store of another thread to the same bytes is pending. A load
//! then reads the newest pending store of its thread, or else memory, without a choice.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rmc_runtime::Access;
use serde::{Deserialize, Serialize};

use crate::hash::FxHashMap;
use crate::outcome::guards::{Guard, Word};

/// The size of a word in bytes.
pub(super) const WORD: u32 = 4;

/// The size of a mutex in words.
pub(super) const MUTEX: u32 = 10;

/// The kinds of uses of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::system) enum Use {
    Read,
    Write,
    /// A mutex is locked, waited for, or unlocked.
    Lock,
    /// A mutex is locked if it is free.
    Try,
    /// Threads sleep there, or are woken. Memory itself does not show that.
    Park,
}

/// The words that overlap a range.
pub(super) fn words(at: u32, len: u32) -> impl Iterator<Item = u32> {
    at / WORD..(at + len.max(1)).div_ceil(WORD)
}

/// The guards of words. All threads may use a word without a guard.
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

/// The empty set of guards.
#[must_use]
pub fn none() -> &'static Guards {
    static NONE: LazyLock<Guards> = LazyLock::new(Guards::default);
    &NONE
}

/// Makes guards live for the rest of the process, which has few of them. Options refer to them and are copied
/// freely.
#[must_use]
pub fn keep(guards: Guards) -> &'static Guards {
    if guards.is_empty() { none() } else { Box::leak(Box::new(guards)) }
}

impl Guards {
    /// True if there are no guards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These guards without the broken ones, and without those that depend on them.
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

    /// True if some of the guards save scheduling points.
    pub(super) fn move_steps(&self) -> bool {
        self.0.values().any(|guard| !matches!(guard, Guard::Writer(_)))
    }

    /// These guards, and those of `others` for words that have none here.
    #[must_use]
    pub fn or(&self, others: Self) -> Self {
        Self(others.0.into_iter().chain(self.0.iter().map(|(&word, &guard)| (word, guard))).collect())
    }

    /// True if this thread is the only one that writes the bytes.
    pub(in crate::system) fn has_writer(&self, at: Access, thread: usize) -> bool {
        let is_its = |word| {
            let guard = self.0.get(&(at.object, word));
            matches!(guard, Some(&(Guard::Writer(writer) | Guard::Thread(writer))) if writer == thread)
        };
        !self.is_empty() && words(at.offset, at.len.into()).all(is_its)
    }

    /// The guards that depend on no other guard, or whose mutex is whole: all words of it are claimed to be a
    /// mutex.
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

/// The uses that broke their guards.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    /// True if nothing can be claimed for this program.
    pub(super) all: bool,
    pub(super) words: BTreeSet<(Word, Use)>,
    /// True if a store buffer was full. This breaks no guard.
    full: bool,
}

impl Broken {
    /// True if nothing was broken, and no buffer was full.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        !self.is_guard() && !self.full
    }

    /// True if a guard was broken.
    #[must_use]
    pub fn is_guard(&self) -> bool {
        self.all || !self.words.is_empty()
    }

    /// Records that a store buffer was full.
    pub const fn note_full(&mut self) {
        self.full = true;
    }

    /// Adds the broken uses of another search.
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
