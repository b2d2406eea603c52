//! Checks of guards: every use of memory is looked at, and the uses of a few executions are noted from which
//! guards are guessed (`guards.rs`).

use std::collections::{BTreeMap, BTreeSet};

use rmc_runtime::Access;

use crate::ir::address::{self, ObjectId};
use crate::outcome::guards::{Guard, Word};
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::observe::guards::{Broken, Guards, MUTEX, Use, WORD, words};
use crate::system::state::memory::{Content, Region};
use crate::system::step::access::Target;

/// Words of which uses are noted while guards are guessed: each takes up to a kilobyte. Others get no guard.
const MOST_NOTED: u32 = 1 << 16;

/// Whether the guard of a word says the same of all threads but the first.
fn is_for_all_threads(guard: Guard, word: Word) -> bool {
    let is_firsts = |word: Word| ObjectId(word.0).owner() <= 1;
    is_firsts(word)
        && match guard {
            Guard::Thread(thread) | Guard::Writer(thread) => thread == 0,
            Guard::Mutex(mutex) => is_firsts(mutex),
            Guard::Unwritten | Guard::Lock { .. } => true,
        }
}

/// How a word was used while guards were to be guessed.
#[derive(Debug, Default)]
struct Usage {
    threads: BTreeSet<usize>,
    /// Those that did not only read it.
    writers: BTreeSet<usize>,
    uses: BTreeSet<Use>,
    /// Mutexes that were held by every user so far.
    held: BTreeSet<Word>,
}

/// What a machine knows of guards.
#[derive(Debug, Default)]
pub(in crate::system) struct Watch {
    /// Accesses to mutexes at the moment are of this kind, by functions that know what a mutex is.
    pub as_mutex: Option<Use>,
    /// The step went on over something that has a guard.
    pub passed: bool,
    broken: Broken,
    /// Uses of words, while guards are to be guessed.
    usage: BTreeMap<Word, Usage>,
    /// Objects with accesses too long to be noted.
    passed_over: BTreeSet<u32>,
    /// Mutexes seen then.
    mutexes: BTreeSet<Word>,
}

impl Watch {
    /// The words of which every use was noted.
    fn noted(&self) -> impl Iterator<Item = (&Word, &Usage)> {
        self.usage.iter().filter(|(word, _)| !self.passed_over.contains(&word.0))
    }
}

impl Machine<'_> {
    /// From now on notes how memory is used, for [`Self::guess`].
    pub fn watch_uses(&mut self) {
        self.observers.guesses = true;
    }

    /// How many uses were noted: if no more come, there is nothing new.
    #[must_use]
    pub fn uses(&self) -> usize {
        let watch = self.observers.guards.borrow();
        let threads = |usage: &Usage| usage.threads.len().min(2) + usage.writers.len().min(2);
        let parts = |usage: &Usage| threads(usage) + usage.uses.len() + 8 - usage.held.len().min(8);
        watch.usage.values().map(parts).sum()
    }

    /// Guards that all uses noted so far keep.
    #[must_use]
    pub fn guess(&self) -> Guards {
        let watch = self.observers.guards.borrow();
        let guessed = watch.noted().filter_map(|(&word, usage)| Some((word, usage.guard()?)));
        // Who exchanges threads can keep to no guard that has to do with the number of one.
        let guessed = guessed.filter(|(word, guard)| !self.exchanges() || is_for_all_threads(*guard, *word));
        if watch.broken.all { Guards::default() } else { Guards(guessed.collect()).consistent() }
    }

    /// The words that one thread alone wrote, by all uses noted so far.
    #[must_use]
    pub fn guess_writers(&self) -> Guards {
        let watch = self.observers.guards.borrow();
        let guessed = watch.noted().filter_map(|(&word, usage)| Some((word, usage.writer()?)));
        Guards(guessed.filter(|(word, guard)| !self.exchanges() || is_for_all_threads(*guard, *word)).collect())
    }

    /// What was against its guard since this was last asked.
    pub fn take_broken(&mut self) -> Broken {
        std::mem::take(&mut self.observers.guards.get_mut().broken)
    }

    /// Whether uses of memory are looked at.
    #[inline]
    fn watches(&self) -> bool {
        self.observers.guesses || !self.config.guards.is_empty()
    }

    /// Takes note that a store buffer was full.
    pub(in crate::system) fn note_full(&mut self) {
        self.observers.guards.get_mut().broken.note_full();
    }

    /// Nothing can be claimed of the program: a number of a thread becomes free without a join, or the
    /// process ends while others run.
    pub(in crate::system) fn break_guards(&self) {
        if self.observers.guesses || self.config.guards.move_steps() {
            self.observers.guards.borrow_mut().broken.all = true;
        }
    }

    /// Whether a use needs no guard: nobody else is there, nor anyone whose end is in nobody's past.
    fn needs_no_guard(&self) -> bool {
        self.threads.slots.len() <= 1
    }

    /// Takes note of a use of memory by the running thread, which may not happen in this step.
    #[inline]
    pub(in crate::system) fn check_guard(&self, region: &Region, offset: u32, len: u64, writes: bool) {
        let is_of_interest = region.shared && !matches!(region.content, Content::Constant(_));
        if is_of_interest && self.watches() && !self.needs_no_guard() {
            let how = if writes { Use::Write } else { Use::Read };
            let how = self.observers.guards.borrow().as_mutex.unwrap_or(how);
            self.check_words(region.id.0, offset, u32::try_from(len).unwrap_or(u32::MAX / 2), how);
        }
    }

    /// Takes note that memory dies, or that its content is lost.
    pub(in crate::system) fn check_guard_of_dying(&self, region: &Region) {
        self.check_guard(region, 0, region.size.into(), true);
    }

    fn check_words(&self, object: u32, offset: u32, len: u32, how: Use) {
        let words = words(offset, len).map(|word| (object, word));
        if self.observers.guesses {
            if len / WORD > MOST_NOTED {
                self.observers.guards.borrow_mut().passed_over.insert(object);
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

    /// Whether the running thread holds a mutex.
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
        let mut watch = self.observers.guards.borrow_mut();
        if watch.usage.len() >= MOST_NOTED as usize && !watch.usage.contains_key(&word) {
            return;
        }
        let usage =
            watch.usage.entry(word).or_insert_with(|| Usage { held: BTreeSet::clone(&held), ..Usage::default() });
        usage.threads.insert(self.running.thread);
        if how != Use::Read {
            usage.writers.insert(self.running.thread);
        }
        usage.uses.insert(how);
        usage.held.retain(|mutex| held.contains(mutex));
    }

    /// A thread goes to sleep at an address, wakes up there by itself, or looks for threads that sleep there:
    /// that is ordered with what others do there by no access.
    pub(in crate::system) fn check_guard_of_parking(&self, address: u64) {
        let place = address::split(address).filter(|_| self.watches() && !self.needs_no_guard());
        if let Some((object, offset)) = place {
            self.check_words(object.0, offset, WORD, Use::Park);
        }
    }

    /// A function for mutexes begins with the one at an address: what it does with its memory is no use of
    /// data.
    pub(in crate::system) fn begin_mutex(&mut self, address: u64, waits: bool) {
        if !self.watches() {
            return;
        }
        let guesses = self.observers.guesses;
        let watch = self.observers.guards.get_mut();
        watch.as_mutex = Some(if waits { Use::Lock } else { Use::Try });
        let place = address::split(address).filter(|&(_, offset)| guesses && offset.is_multiple_of(WORD));
        if let Some((object, offset)) = place {
            watch.mutexes.insert((object.0, offset / WORD));
        }
    }

    /// It has found the mutex.
    pub(in crate::system) fn end_mutex(&mut self) {
        self.observers.guards.get_mut().as_mutex = None;
    }

    /// Whether accesses to the bytes need no scheduling point.
    pub(in crate::system) fn is_guarded(&self, target: &Target) -> bool {
        let is_guarded = !self.config.guards.is_empty() && self.has_guards(target.at);
        if is_guarded {
            self.observers.guards.borrow_mut().passed = true;
        }
        is_guarded
    }

    /// A step ended the execution behind something with a guard. What others can do before that, which may be
    /// against the guard, is then not explored from there; so nothing can be claimed.
    pub(in crate::system) fn check_guards_at_end(&mut self) {
        if self.observers.guards.get_mut().passed && !self.needs_no_guard() {
            self.break_guards();
        }
    }

    fn has_guards(&self, at: Access) -> bool {
        let guard = |word: u32| self.config.guards.0.get(&(at.object, word));
        words(at.offset, at.len.into())
            .all(|word| !matches!(guard(word), None | Some(Guard::Lock { .. } | Guard::Writer(_))))
    }

    /// Whether a fence of the running thread lets nothing reach memory that others may look at.
    pub(in crate::system) fn fences_unseen(&self) -> bool {
        let StoreBuffers::Delayed(_) = &self.buffers else { return false };
        let mut own = self.buffers.pending().filter(|store| store.thread == self.running.thread && !store.committed);
        own.all(|store| !self.config.guards.is_empty() && self.has_guards(store.at))
    }

    /// Whether nobody notices when the running thread unlocks the mutex at an address.
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
            self.observers.guards.borrow_mut().passed = true;
        }
        is_unseen
    }
}

impl Usage {
    /// The one thread that wrote it, if its uses were plain accesses.
    fn writer(&self) -> Option<Guard> {
        let writer = self.writers.first().filter(|_| self.writers.len() == 1)?;
        self.uses.iter().all(|how| matches!(how, Use::Read | Use::Write)).then_some(Guard::Writer(*writer))
    }

    /// The guard that all uses kept.
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
