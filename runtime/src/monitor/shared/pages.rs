//! The words, in pages: a thread finds those near to its last accesses without a lock that others take.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::lock::lock;
use crate::monitor::clock::Clock;
use crate::monitor::hash::WordHasher;
use crate::monitor::kept::Kept;
use crate::monitor::steps::Words;
use crate::monitor::word::{Mask, Word};
use crate::monitor::{ByteRange, WORD};

/// The number of words of a page.
pub(super) const WORDS: u64 = 8;
/// The number of pages that a thread has room for at hand at first, and at most: powers of two.
const NEAR: [usize; 2] = [256, 1 << 14];

/// Some words that follow each other, each with its lock.
#[derive(Debug)]
struct Page([Mutex<Word>; WORDS as usize]);

impl Page {
    fn word(&self, at: u64) -> &Mutex<Word> {
        &self.0[(at % WORDS) as usize]
    }

    /// Forgets all about some bytes of its words.
    fn release(&self, words: impl Iterator<Item = (u64, Mask)>) {
        words.for_each(|(at, mask)| lock(self.word(at)).forget_bytes(at, mask));
    }
}

/// All pages.
#[derive(Debug, Default)]
pub(super) struct Pages {
    table: RwLock<HashMap<u64, Arc<Page>, WordHasher>>,
    len: AtomicUsize,
}

impl Pages {
    /// The number of pages.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Acts while it has the locks of the words of some bytes.
    ///
    /// # Panics
    /// If they are in more than two pages. The runtime makes long copies in pieces of a few bytes.
    pub fn with<R>(
        &self,
        near: &mut Near,
        kept: &'static Kept,
        bytes: ByteRange,
        act: impl FnOnce(&mut Held<'_>) -> R,
    ) -> R {
        let first = bytes.address / WORD;
        let last = (bytes.address + bytes.len - 1) / WORD;
        if first == last {
            let page = near.page(first / WORDS, self);
            return act(&mut Held { first, one: lock(page.word(first)), more: Vec::new(), kept });
        }
        assert!(last / WORDS <= first / WORDS + 1, "an access of {} bytes", bytes.len);
        let pages = [first, last].map(|at| Arc::clone(near.page(at / WORDS, self)));
        let word = |at: u64| lock(pages[usize::from(at / WORDS != first / WORDS)].word(at));
        act(&mut Held { first, one: word(first), more: (first + 1..=last).map(word).collect(), kept })
    }

    /// Forgets all about some bytes.
    pub fn release(&self, near: &mut Near, bytes: ByteRange) {
        if bytes.len == 0 {
            return;
        }
        let numbers = bytes.address / WORD / WORDS..=(bytes.address + bytes.len - 1) / WORD / WORDS;
        let inside = |number: u64| {
            let words = WORDS * number..WORDS * (number + 1);
            words.filter_map(|at| bytes.mask_of(at).map(|mask| (at, mask)))
        };
        if numbers.start() == numbers.end() {
            if let Some(page) = near.find(*numbers.start(), self) {
                page.release(inside(*numbers.start()));
            }
            return;
        }
        let is_long = usize::try_from(numbers.end() - numbers.start()).map_or(true, |pages| pages > self.len());
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        if is_long {
            let held = table.iter().filter(|(number, _)| numbers.contains(number));
            held.for_each(|(&number, page)| page.release(inside(number)));
        } else {
            let held = numbers.filter_map(|number| Some((number, table.get(&number)?)));
            held.for_each(|(number, page)| page.release(inside(number)));
        }
    }

    /// Forgets what comes after nothing but stores in a set, and the pages that are then empty. No thread may
    /// have pages at hand.
    pub fn forget_within(&self, known: &Clock) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.retain(|number, page| {
            let is_left = |&(at, word): &(u64, &Mutex<Word>)| {
                let mut word = lock(word);
                word.forget_within(at, known);
                !word.is_empty()
            };
            (WORDS * number..).zip(&page.0).filter(is_left).count() > 0
        });
        self.len.store(table.len(), Ordering::Relaxed);
    }

    fn find(&self, number: u64) -> Option<Arc<Page>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
    }

    fn find_or_make(&self, number: u64) -> Arc<Page> {
        if let Some(page) = self.find(number) {
            return page;
        }
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let page = table.entry(number).or_insert_with(|| Arc::new(Page(std::array::from_fn(|_| Mutex::default()))));
        let page = Arc::clone(page);
        self.len.store(table.len(), Ordering::Relaxed);
        page
    }
}

/// The pages that a thread has at hand, each at the place that its number gives.
/// There is more room when it was too small for long.
#[derive(Debug, Default)]
pub(super) struct Near {
    pages: Vec<Option<(u64, Arc<Page>)>>,
    /// The number of pages that were not at hand since there was this much room.
    misses: usize,
}

impl Near {
    fn at(&self, number: u64) -> usize {
        number as usize & self.pages.len().wrapping_sub(1)
    }

    /// A page, which is made if it is not there.
    fn page(&mut self, number: u64, all: &Pages) -> &Arc<Page> {
        let at = self.at(number);
        if self.pages.get(at).and_then(Option::as_ref).is_none_or(|(held, _)| *held != number) {
            self.put(number, all.find_or_make(number));
        }
        let at = self.at(number);
        self.pages[at].as_ref().map(|(_, page)| page).expect("it was put there")
    }

    fn put(&mut self, number: u64, page: Arc<Page>) {
        self.misses += 1;
        let [least, most] = NEAR;
        if self.pages.is_empty() || self.misses > 4 * self.pages.len() && self.pages.len() < most {
            let room = (2 * self.pages.len()).max(least);
            let held = std::mem::replace(&mut self.pages, vec![None; room]);
            held.into_iter().flatten().for_each(|(number, page)| {
                let at = self.at(number);
                self.pages[at] = Some((number, page));
            });
            self.misses = 0;
        }
        let at = self.at(number);
        self.pages[at] = Some((number, page));
    }

    /// A page, if it is there.
    fn find(&self, number: u64, all: &Pages) -> Option<Arc<Page>> {
        match self.pages.get(self.at(number)) {
            Some(Some((held, page))) if *held == number => Some(Arc::clone(page)),
            _ => all.find(number),
        }
    }

    /// Puts all pages away.
    pub fn clear(&mut self) {
        self.pages.clear();
    }
}

/// The words of an access, whose locks are held.
pub(super) struct Held<'p> {
    first: u64,
    one: MutexGuard<'p, Word>,
    /// The words after the first one, in their order.
    more: Vec<MutexGuard<'p, Word>>,
    /// What the thread keeps.
    kept: &'static Kept,
}

impl Held<'_> {
    /// Takes the readers of some bytes back from the threads that keep them, before they are stored to: then
    /// no thread loads them until the locks are left.
    pub fn take_back(&mut self, bytes: ByteRange) {
        let by = Some(self.kept.slot);
        bytes.words().for_each(|(at, mask)| self.word(at).take_back(at, mask, by));
    }
}

impl Words for Held<'_> {
    fn word(&mut self, at: u64) -> &mut Word {
        match at - self.first {
            0 => &mut self.one,
            next => &mut self.more[next as usize - 1],
        }
    }

    fn repeats(&mut self, at: u64, mask: Mask) {
        let kept = self.kept;
        self.word(at).hand_out(at, mask, kept);
    }
}
