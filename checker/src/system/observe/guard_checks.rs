//! Checks of guards. Every use of memory is compared with the guards. The uses in a few executions are
//! recorded, and guards are guessed from them (`guards.rs`).

use std::collections::{BTreeMap, BTreeSet};

use rmc_runtime::Access;

use crate::ir::address::{self, ObjectId};
use crate::outcome::guards::{Guard, Word};
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::observe::guards::{Broken, Guards, MUTEX, Use, WORD, words};
use crate::system::state::memory::{Content, Region};
use crate::system::step::access::Target;

/// The maximal number of words whose uses are recorded; each takes up to a kilobyte. Other words get no
/// guard.
const MOST_RECORDED_WORDS: u32 = 1 << 16;

/// True if the guard of a word claims the same of all threads except the first.
fn is_for_all_threads(guard: Guard, word: Word) -> bool {
    let is_firsts = |word: Word| ObjectId(word.0).owner() <= 1;
    is_firsts(word)
        && match guard {
            Guard::Thread(thread) | Guard::Writer(thread) => thread == 0,
            Guard::Mutex(mutex) => is_firsts(mutex),
            Guard::Unwritten | Guard::Lock { .. } => true,
        }
}

/// The uses of a word while guards are to be guessed.
#[derive(Debug, Default)]
struct Usage {
    threads: BTreeSet<usize>,
    /// The threads that did more than read the word.
    writers: BTreeSet<usize>,
    uses: BTreeSet<Use>,
    /// The mutexes that every user held so far.
    held: BTreeSet<Word>,
}

/// The state of a machine's checks of guards.
#[derive(Debug, Default)]
pub(super) struct GuardMonitor {
    /// The kind of the current accesses to a mutex, while a function that knows mutexes makes them.
    pub as_mutex: Option<Use>,
    /// True if the step went on over an operation that has a guard.
    pub passed_guarded: bool,
    broken: Broken,
    /// The uses of words, while guards are to be guessed.
    usage: BTreeMap<Word, Usage>,
    /// The objects with accesses that are too long to be recorded.
    unrecorded: BTreeSet<u32>,
    /// The mutexes seen while guards are to be guessed.
    mutexes: BTreeSet<Word>,
}

impl GuardMonitor {
    /// The words all of whose uses were recorded.
    fn recorded(&self) -> impl Iterator<Item = (&Word, &Usage)> {
        self.usage.iter().filter(|(word, _)| !self.unrecorded.contains(&word.0))
    }
}

impl Machine<'_> {
    /// Records from now on how memory is used, for [`Self::guess`].
    pub fn record_uses(&mut self) {
        self.observers.guesses = true;
    }

    /// A measure of the recorded uses. While it stays the same, no new uses were recorded.
    #[must_use]
    pub fn uses(&self) -> usize {
        let monitor = self.observers.guards.borrow();
        let threads = |usage: &Usage| usage.threads.len().min(2) + usage.writers.len().min(2);
        let parts = |usage: &Usage| threads(usage) + usage.uses.len() + 8 - usage.held.len().min(8);
        monitor.usage.values().map(parts).sum()
    }

    /// The guards that all recorded uses keep.
    #[must_use]
    pub fn guess(&self) -> Guards {
        let monitor = self.observers.guards.borrow();
        let guessed = monitor.recorded().filter_map(|(&word, usage)| Some((word, usage.guard()?)));
        // A search that exchanges threads cannot use a guard that depends on the number of a thread.
        let guessed = guessed.filter(|(word, guard)| !self.exchanges() || is_for_all_threads(*guard, *word));
        if monitor.broken.all { Guards::default() } else { Guards(guessed.collect()).consistent() }
    }

    /// Guards for the words that one thread alone wrote in all recorded uses.
    #[must_use]
    pub fn guess_writers(&self) -> Guards {
        let monitor = self.observers.guards.borrow();
        let guessed = monitor.recorded().filter_map(|(&word, usage)| Some((word, usage.writer()?)));
        Guards(guessed.filter(|(word, guard)| !self.exchanges() || is_for_all_threads(*guard, *word)).collect())
    }

    /// Takes the uses that broke their guards since the last call.
    pub fn take_broken(&mut self) -> Broken {
        std::mem::take(&mut self.observers.guards.get_mut().broken)
    }

    /// True if uses of memory are recorded or compared with guards.
    #[inline]
    fn is_monitoring(&self) -> bool {
        self.observers.guesses || !self.config.guards.is_empty()
    }

    /// Begins a step.
    pub(super) fn begin_guards(&mut self) {
        self.observers.guards.get_mut().passed_guarded = false;
    }

    /// Records that a store buffer was full.
    pub(super) fn note_full(&mut self) {
        self.observers.guards.get_mut().broken.note_full();
    }

    /// Records that no guard can be claimed for the program: a number of a thread becomes free without a
    /// join, or the process ends while others run.
    pub(super) fn break_guards(&self) {
        if self.observers.guesses || self.config.guards.move_steps() {
            self.observers.guards.borrow_mut().broken.all = true;
        }
    }

    /// True if a use needs no guard, because no other thread exists, neither running nor ended and not
    /// joined.
    fn needs_no_guard(&self) -> bool {
        self.threads.slots.len() <= 1
    }

    /// Records a use of memory by the running thread. The use may happen in a later step.
    #[inline]
    pub(super) fn check_guard(&self, region: &Region, offset: u32, len: u64, writes: bool) {
        let is_of_interest = region.shared && !matches!(region.content, Content::Constant(_));
        if is_of_interest && self.is_monitoring() && !self.needs_no_guard() {
            let how = if writes { Use::Write } else { Use::Read };
            let how = self.observers.guards.borrow().as_mutex.unwrap_or(how);
            self.check_words(region.id.0, offset, u32::try_from(len).unwrap_or(u32::MAX / 2), how);
        }
    }

    /// Records that memory dies, or that its content is lost.
    pub(super) fn check_guard_of_dying(&self, region: &Region) {
        self.check_guard(region, 0, region.size.into(), true);
    }

    fn check_words(&self, object: u32, offset: u32, len: u32, how: Use) {
        let words = words(offset, len).map(|word| (object, word));
        if self.observers.guesses {
            if len / WORD > MOST_RECORDED_WORDS {
                self.observers.guards.borrow_mut().unrecorded.insert(object);
            } else {
                words.for_each(|word| self.note_use(word, how));
            }
            return;
        }
        for word in words {
            if let Some(&guard) = self.config.guards.0.get(&word)
                && !self.keeps(guard, word, how)
            {
                self.observers.guards.borrow_mut().broken.words.insert((word, how));
            }
        }
    }

    fn keeps(&self, guard: Guard, (object, word): Word, how: Use) -> bool {
        if how == Use::Park {
            return false;
        }
        let is_kept = match guard {
            Guard::Unwritten => how == Use::Read,
            Guard::Thread(thread) => thread == self.running.thread,
            Guard::Writer(_) if how == Use::Read => return true,
            Guard::Writer(thread) => thread == self.running.thread,
            Guard::Mutex(mutex) => self.holds(mutex),
            Guard::Lock { waited_for } => return how == Use::Lock || (how == Use::Try && !waited_for),
        };
        let at = Access { object, offset: word * WORD, len: WORD as u8 };
        let is_foreign =
            |store: rmc_runtime::PendingStore| store.thread != self.running.thread && store.at.overlaps(at);
        is_kept && !self.buffers.pending().any(is_foreign)
    }

    /// True if the running thread holds a mutex.
    fn holds(&self, (object, word): Word) -> bool {
        let Some(region) = self.memory.region(ObjectId(object)) else { return false };
        let end = (word + 1) * WORD;
        if self.exchanges() {
            return self.names_running_thread(&region, word * WORD);
        }
        end <= region.size && self.memory.read(&region, word * WORD, 4).bits == self.running.thread as u128 + 1
    }

    fn note_use(&self, word: Word, how: Use) {
        let mutexes: Vec<_> = self.observers.guards.borrow().mutexes.iter().copied().collect();
        let held = mutexes.into_iter().filter(|&mutex| self.holds(mutex)).collect();
        let mut monitor = self.observers.guards.borrow_mut();
        if monitor.usage.len() >= MOST_RECORDED_WORDS as usize && !monitor.usage.contains_key(&word) {
            return;
        }
        let usage =
            monitor.usage.entry(word).or_insert_with(|| Usage { held: BTreeSet::clone(&held), ..Usage::default() });
        usage.threads.insert(self.running.thread);
        if how != Use::Read {
            usage.writers.insert(self.running.thread);
        }
        usage.uses.insert(how);
        usage.held.retain(|mutex| held.contains(mutex));
    }

    /// Records that a thread goes to sleep at an address, wakes up there by itself, or looks for threads that
    /// sleep there. No access orders that with the operations of others there.
    pub(super) fn check_guard_of_parking(&self, address: u64) {
        let place = address::split(address).filter(|_| self.is_monitoring() && !self.needs_no_guard());
        if let Some((object, offset)) = place {
            self.check_words(object.0, offset, WORD, Use::Park);
        }
    }

    /// Begins a function for mutexes with the mutex at an address. Its accesses to the mutex are no uses of
    /// data.
    pub(super) fn begin_mutex(&mut self, address: u64, waits: bool) {
        if !self.is_monitoring() {
            return;
        }
        let guesses = self.observers.guesses;
        let monitor = self.observers.guards.get_mut();
        monitor.as_mutex = Some(if waits { Use::Lock } else { Use::Try });
        let place = address::split(address).filter(|&(_, offset)| guesses && offset.is_multiple_of(WORD));
        if let Some((object, offset)) = place {
            monitor.mutexes.insert((object.0, offset / WORD));
        }
    }

    /// Ends the accesses of a function for mutexes to its mutex.
    pub(super) fn end_mutex(&mut self) {
        self.observers.guards.get_mut().as_mutex = None;
    }

    /// True if accesses to the bytes need no scheduling point.
    pub(in crate::system) fn is_guarded(&self, target: &Target) -> bool {
        let is_guarded = !self.config.guards.is_empty() && self.has_guards(target.at);
        if is_guarded {
            self.observers.guards.borrow_mut().passed_guarded = true;
        }
        is_guarded
    }

    /// Handles a step that ended the execution after an operation with a guard. Operations of others before
    /// that operation, which may break the guard, are then not explored from there. So nothing can be
    /// claimed.
    pub(super) fn check_guards_at_end(&mut self) {
        if self.observers.guards.get_mut().passed_guarded && !self.needs_no_guard() {
            self.break_guards();
        }
    }

    fn has_guards(&self, at: Access) -> bool {
        let guard = |word: u32| self.config.guards.0.get(&(at.object, word));
        words(at.offset, at.len.into())
            .all(|word| !matches!(guard(word), None | Some(Guard::Lock { .. } | Guard::Writer(_))))
    }

    /// True if a fence of the running thread lets nothing reach memory that others may look at.
    pub(in crate::system) fn fences_unseen(&self) -> bool {
        let StoreBuffers::Delayed(_) = &self.buffers else { return false };
        let mut own = self.buffers.pending().filter(|store| store.thread == self.running.thread && !store.committed);
        own.all(|store| !self.config.guards.is_empty() && self.has_guards(store.at))
    }

    /// True if nobody notices when the running thread unlocks the mutex at an address.
    pub(in crate::system) fn unlocks_unseen(&self, address: u64) -> bool {
        let Some((object, offset)) = address::split(address) else { return false };
        let word = (object.0, offset / WORD);
        let is_lock =
            |word: u32| self.config.guards.0.get(&(object.0, word)) == Some(&Guard::Lock { waited_for: true });
        let is_unseen = !self.config.guards.is_empty()
            && offset.is_multiple_of(WORD)
            && (word.1..word.1 + MUTEX).all(is_lock)
            && self.holds(word)
            && self.fences_unseen();
        if is_unseen {
            self.observers.guards.borrow_mut().passed_guarded = true;
        }
        is_unseen
    }
}

impl Usage {
    /// The claim that one thread alone writes the word, if its uses were plain accesses by such a writer.
    fn writer(&self) -> Option<Guard> {
        let writer = self.writers.first().filter(|_| self.writers.len() == 1)?;
        self.uses.iter().all(|how| matches!(how, Use::Read | Use::Write)).then_some(Guard::Writer(*writer))
    }

    /// The guard that all uses kept, if there is one.
    fn guard(&self) -> Option<Guard> {
        let first = self.threads.first().filter(|_| self.threads.len() == 1);
        let is_lock = self.uses.iter().all(|how| matches!(how, Use::Lock | Use::Try));
        match (first, self.held.first()) {
            _ if self.uses.contains(&Use::Park) => None,
            (Some(&thread), _) => Some(Guard::Thread(thread)),
            _ if is_lock => Some(Guard::Lock { waited_for: !self.uses.contains(&Use::Try) }),
            _ if self.uses.iter().all(|&how| how == Use::Read) => Some(Guard::Unwritten),
            (None, Some(&mutex)) => Some(Guard::Mutex(mutex)),
            _ => None,
        }
    }
}
