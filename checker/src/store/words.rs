//! Large arrays of words.
//!
//! The tables are far larger than the caches and are looked up at random, so that half of the time of a
//! search goes by waiting for memory, and much of that for the translation of addresses. Arrays that are
//! large are therefore kept in pages of 2 MiB, where the system has them; or in the file, if there is one.

use std::ops::{Deref, DerefMut, Range};

use memmap2::{Advice, MmapMut, MmapOptions};

use super::mapped;
use super::space::{Space, Use};

/// Bytes from which on an array is large.
const LARGE: usize = 4 << 20;
/// Bytes from which on an array has pages of its own, so that nothing of it is left when it is dropped: what
/// the allocator keeps of the frontier's was a tenth of all memory.
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
            // All of it will be used soon: its pages are taken from the system in one go.
            options.populate();
        }
        let map = (bytes >= PAGES).then(|| options.map_anon().ok()).flatten();
        let Some(map) = map else { return Self(Backing::Small(vec![0; len])) };
        if bytes >= LARGE {
            // It may be refused, which costs time and nothing else.
            let _ = map.advise(Advice::HugePage);
        }
        Self(Backing::InPages(map))
    }

    /// Gives a part back to the system if it has pages of its own. Nobody may ask any more what was there.
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
