//! Loads that a thread repeats: it keeps their readers itself, so that it repeats them without the locks of
//! their words, which others take as well.
//!
//! A load that a thread made a few times before anybody stored to its bytes finds nothing new. All that
//! changes is what comes before a later store, and that is noted in its reader. So the word hands the reader
//! out to the thread. Who stores to the word takes it back first. The thread makes such a load while it has
//! the lock of the readers that it keeps: then nobody has stored since they were handed out, nor does before
//! the load is made.
//!
//! Of a load that was repeated, the place in the program is exact, and its position may be that of another
//! load of the thread between which and this one the thread has learned, stored and fenced nothing.
//!
//! Other loads must not cost much more for that. So a table of bits says which readers a thread does not
//! keep.
//!
//! The thread takes this lock as its owner, by which it costs next to nothing ([`Biased`]).
//!
//! Lock order: after those of words. Who has this lock takes no other.

mod table;

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

use super::biased::{Biased, Guard};
use super::hash::WordHasher;
use super::reader::Reader;
use super::word::Mask;
use table::Table;

/// The number of times that a thread makes a load again before it keeps the reader.
pub(super) const KEPT_AFTER: u32 = 3;
/// The number of bits.
const BITS: usize = 1 << 12;
/// The number of readers handed out from which on all is cleared once no reader is left.
const MANY: usize = BITS / 16;

/// The readers that the thread of a slot keeps.
#[derive(Debug)]
pub(super) struct Kept {
    /// The slot.
    pub slot: u32,
    readers: Biased<Readers>,
    /// A bit for each reader; others may have the same one.
    bits: [AtomicU64; BITS / 64],
}

/// The readers, and what else needs the lock.
#[derive(Debug, Default)]
pub(super) struct Readers {
    pub table: Table,
    /// The number of readers handed out since all was cleared.
    handed_out: usize,
}

impl Kept {
    /// Those of a slot: none.
    pub fn new(slot: u32) -> Self {
        Self { slot, readers: Biased::new(Readers::default()), bits: [const { AtomicU64::new(0) }; BITS / 64] }
    }

    /// The readers for the thread that keeps them, while nobody takes one back.
    pub fn own(&self) -> Guard<'_, Readers> {
        self.readers.own()
    }

    /// False if the thread, which asks, does not keep the reader of some bytes of a word.
    pub fn may_have(&self, at: u64, mask: Mask) -> bool {
        let (bits, bit) = self.bit(at, mask);
        // The thread itself has set it. Another one clears it only after the reader is gone.
        bits.load(Ordering::Relaxed) & bit != 0
    }

    /// Gives the thread, which asks for it, a reader of a word. Returns false if there is no room for it.
    pub fn keep(&self, at: u64, reader: &Reader) -> bool {
        let readers = &mut *self.own();
        let is_kept = readers.table.add(at, reader);
        if is_kept {
            readers.handed_out += 1;
            let (bits, bit) = self.bit(at, reader.mask);
            bits.fetch_or(bit, Ordering::Relaxed);
        }
        is_kept
    }

    /// Takes the reader of some bytes of a word from the thread, by the thread of a slot, if it is one.
    pub fn give_back(&self, at: u64, mask: Mask, by: Option<u32>) -> Option<Reader> {
        let readers = &mut *if by == Some(self.slot) { self.own() } else { self.readers.by_another() };
        let place = readers.table.find(at, mask)?;
        let reader = readers.table.take(at, place, self.slot, KEPT_AFTER);
        if readers.table.is_empty() && readers.handed_out > MANY {
            readers.handed_out = 0;
            self.bits.iter().for_each(|bits| bits.store(0, Ordering::Relaxed));
        }
        Some(reader)
    }

    /// The bit of a reader.
    fn bit(&self, at: u64, mask: Mask) -> (&AtomicU64, u64) {
        let hash = WordHasher::default().hash_one(at << 8 ^ u64::from(mask)) as usize % BITS;
        (&self.bits[hash / 64], 1 << (hash % 64))
    }
}
