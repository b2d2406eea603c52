//! An index for many workers. It has parts with a lock each, so that workers seldom wait for each other, and
//! parts grow independently.

use super::Id;
use super::index::Index;
use super::measure::{IndexMeasure, LOOKED_AT};
use super::space::Space;
use super::sync::{AtomicU32, AtomicU64, Mutex, Ordering, lock};

/// The number of parts, many more than workers.
const SHARDS: usize = 64;

/// The index, and the number of entries.
pub struct Shards {
    shards: [Mutex<Index>; SHARDS],
    len: AtomicU32,
    /// Bytes of all parts.
    bytes: AtomicU64,
}

impl Shards {
    /// An empty index.
    pub fn new(space: &Space) -> Self {
        let bytes = SHARDS * Index::new(space).bytes();
        let shards = std::array::from_fn(|_| Mutex::new(Index::new(space)));
        Self { shards, len: AtomicU32::new(0), bytes: AtomicU64::new(bytes as u64) }
    }

    /// The id of the entry for which `is_it` holds, else that of a new one, which `add` writes under its id
    /// before others can find it.
    ///
    /// # Panics
    /// If there were 2^32 - 1 entries.
    pub fn find_or_insert(&self, hash: u64, is_it: impl FnMut(Id) -> bool, add: impl FnOnce(Id)) -> Id {
        // The upper bits of the hash place an entry within a part.
        let mut index = lock(&self.shards[hash as usize % SHARDS]);
        let before = index.bytes();
        let id = index.find_or_insert(hash, is_it, || {
            let id = self.len.fetch_add(1, Ordering::Relaxed);
            assert!(id < Id::MAX, "the numbers of a table's entries are exhausted");
            add(id);
            id
        });
        let grown = index.bytes() - before;
        if grown > 0 {
            self.bytes.fetch_add(grown as u64, Ordering::Relaxed);
        }
        id
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed) as usize
    }

    /// Measures of load and lookup cost.
    pub fn measure(&self) -> IndexMeasure {
        IndexMeasure::sum(self.shards.iter().map(|shard| lock(shard).measure(LOOKED_AT / SHARDS)))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) as usize
    }
}
