//! Large arrays of words.
//!
//! The tables are far larger than the caches and are looked up at random, so that half of the time of a search goes by waiting for memory, and much of that
//! for the translation of addresses. Arrays that are large are therefore kept in pages of 2 MiB, where the system has them; or in the file, if there is one.

use std::ops::{Deref, DerefMut};

use memmap2::{Advice, MmapMut};

use super::mapped;
use super::space::{Space, Use};

/// Bytes from which on an array is large.
const LARGE: usize = 4 << 20;

/// An array of words of fixed length, zero at first.
pub struct Words(Place);

enum Place {
    Small(Vec<u64>),
    Large(MmapMut),
    InFile(mapped::Words),
}

impl Words {
    /// An array of `len` zeros.
    pub fn new(space: &Space, len: usize, usage: Use) -> Self {
        if let Some(words) = space.words(len, usage) {
            return Self(Place::InFile(words));
        }
        let bytes = len * size_of::<u64>();
        let large = (bytes >= LARGE).then(|| MmapMut::map_anon(bytes).ok()).flatten();
        let Some(map) = large else { return Self(Place::Small(vec![0; len])) };
        // It may be refused, which costs time and nothing else.
        let _ = map.advise(Advice::HugePage);
        Self(Place::Large(map))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Place::Small(words) => words,
            Place::Large(map) => bytemuck::cast_slice(map),
            Place::InFile(words) => words,
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Place::Small(words) => words,
            Place::Large(map) => bytemuck::cast_slice_mut(map),
            Place::InFile(words) => words,
        }
    }
}
