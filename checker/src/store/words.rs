//! Large arrays of words.
//!
//! The tables are far larger than the caches and are accessed at random, so half of the time of a search is
//! spent waiting for memory, and much of that for address translation. Arrays that are large are therefore
//! kept in pages of 2 MiB, where the system has them; or in the file, if there is one.

use std::ops::{Deref, DerefMut, Range};

use memmap2::{Advice, MmapMut, MmapOptions};

use super::mapped;
use super::space::{Space, Use};

/// Arrays of at least this many bytes are large.
const LARGE: usize = 4 << 20;
/// Arrays of at least this many bytes have pages of their own, so that dropping them returns all memory to
/// the system. Before, the allocator retained a tenth of all memory from the arrays of the frontier.
const PAGES: usize = 1 << 17;

/// An array of words of fixed length, zero at first.
pub struct Words(Backing);

enum Backing {
    Small(Vec<u64>),
    InPages(MmapMut),
    InFile(mapped::Words),
}

impl Words {
    /// An array of `len` zeros.
    pub fn new(space: &Space, len: usize, usage: Use) -> Self {
        if let Some(words) = space.words(len, usage) {
            return Self(Backing::InFile(words));
        }
        let bytes = len * size_of::<u64>();
        let mut options = MmapOptions::new();
        options.len(bytes);
        if usage == Use::InOrder {
            // All of it will be used soon, so its pages are allocated at once.
            options.populate();
        }
        let map = (bytes >= PAGES).then(|| options.map_anon().ok()).flatten();
        let Some(map) = map else { return Self(Backing::Small(vec![0; len])) };
        if bytes >= LARGE {
            // The system may refuse the advice, which costs only time.
            let _ = map.advise(Advice::HugePage);
        }
        Self(Backing::InPages(map))
    }

    /// Returns a part to the system if it has pages of its own. Its content must not be needed any more.
    pub fn give_back(&mut self, part: Range<usize>) {
        if let Backing::InPages(map) = &mut self.0 {
            mapped::give_back(map, part.start * size_of::<u64>()..part.end * size_of::<u64>());
        }
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Backing::Small(words) => words,
            Backing::InPages(map) => bytemuck::cast_slice(map),
            Backing::InFile(words) => words,
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Backing::Small(words) => words,
            Backing::InPages(map) => bytemuck::cast_slice_mut(map),
            Backing::InFile(words) => words,
        }
    }
}
