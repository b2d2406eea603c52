//! Components: word sequences stored once each, named by small ids. All workers share them.

use std::sync::Arc;

use super::Id;
use super::index::hash;
use super::measure::TableMeasure;
use super::shards::Shards;
use super::space::Space;
use super::sync::{AtomicU64, OnceLock, Ordering};

/// The number of components of the first chunk, as a power of two.
const FIRST: u32 = 8;
/// The number of chunks for 2^32 components; each is twice as long as the one before.
const CHUNKS: usize = 33 - FIRST as usize;
/// The number of entries of a worker's cache of components, as a power of two.
const AT_HAND: u32 = 12;
/// The number of bytes that a component takes beside its words: its slot in a chunk, and the allocator's
/// overhead.
const BESIDE: u64 = 40;

type Chunk = Box<[OnceLock<Box<[u64]>>]>;

/// The table that all workers share.
struct Components {
    chunks: [OnceLock<Chunk>; CHUNKS],
    index: Shards,
    bytes: AtomicU64,
}

impl Components {
    fn intern(&self, words: &[u64], hash: u64) -> Id {
        self.index.find_or_insert(hash, |id| self.get(id) == words, |id| self.put(id, words))
    }

    fn put(&self, id: Id, words: &[u64]) {
        let (chunk, at) = place(id);
        let chunk =
            self.chunks[chunk].get_or_init(|| (0..1 << (FIRST as usize + chunk)).map(|_| OnceLock::new()).collect());
        assert!(chunk[at].set(words.into()).is_ok(), "an id is given once");
        self.bytes.fetch_add(size_of_val(words) as u64 + BESIDE, Ordering::Relaxed);
    }

    #[inline]
    fn get(&self, id: Id) -> &[u64] {
        let (chunk, at) = place(id);
        self.chunks[chunk].get().and_then(|chunk| chunk[at].get()).expect("the component exists")
    }

    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) as usize
    }
}

/// The chunk of a component, and the position in it.
#[inline]
const fn place(id: Id) -> (usize, usize) {
    let at = id as u64 + (1 << FIRST);
    let chunk = at.ilog2();
    ((chunk - FIRST) as usize, (at - (1 << chunk)) as usize)
}

/// A table of distinct word sequences, with the cache of one worker. A clone is another worker's view of the
/// same table.
pub struct Interner {
    shared: Arc<Components>,
    /// The worker's cache, by hash: the id of a component plus one, and half of the hash.
    at_hand: Box<[u64]>,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new(&Space::default())
    }
}

impl Clone for Interner {
    fn clone(&self) -> Self {
        Self::of(Arc::clone(&self.shared))
    }
}

impl Interner {
    /// An empty table. The components themselves are always in memory.
    #[must_use]
    pub fn new(space: &Space) -> Self {
        let chunks = std::array::from_fn(|_| OnceLock::new());
        Self::of(Arc::new(Components { chunks, index: Shards::new(space), bytes: AtomicU64::new(0) }))
    }

    fn of(shared: Arc<Components>) -> Self {
        Self { shared, at_hand: vec![0; 1 << AT_HAND].into() }
    }

    /// The id of these words.
    ///
    /// # Panics
    /// If there were 2^32 - 1 different components: memory ends long before.
    pub fn intern(&mut self, words: &[u64]) -> Id {
        let hash = hash(words);
        let at = (hash >> (u64::BITS - AT_HAND)) as usize;
        let (tag, number) = (self.at_hand[at] >> 32, self.at_hand[at] as Id);
        if number > 0 && tag == hash & u64::from(u32::MAX) && self.shared.get(number - 1) == words {
            return number - 1;
        }
        let id = self.shared.intern(words, hash);
        self.at_hand[at] = hash << 32 | u64::from(id + 1);
        id
    }

    /// The words of a component.
    #[inline]
    #[must_use]
    pub fn get(&self, id: Id) -> &[u64] {
        self.shared.get(id)
    }

    /// The number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.index.len()
    }

    /// The measures of the table.
    #[must_use]
    pub fn measure(&self) -> TableMeasure {
        TableMeasure { what: "components", bytes: self.shared.bytes(), index: self.shared.index.measure() }
    }

    /// Bytes of the components themselves, which are always in memory.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.shared.bytes()
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shared.bytes() + self.shared.index.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_have_equal_ids() {
        let mut interner = Interner::default();
        let all: Vec<Vec<u64>> = (0..100).map(|n| (0..n).collect()).collect();
        let ids: Vec<_> = all.iter().map(|words| interner.intern(words)).collect();
        assert_eq!(ids, (0..100).collect::<Vec<Id>>());
        let mut other = interner.clone();
        for (words, &id) in all.iter().zip(&ids) {
            assert_eq!([interner.intern(words), other.intern(words)], [id, id]);
            assert_eq!(interner.get(id), words);
        }
        assert_eq!(interner.len(), 100);
    }
}
