//! Large arrays of words.
//!
//! The tables are far larger than the caches and are looked up at random, so that half of the time of a search goes by waiting for memory, and much of that
//! for the translation of addresses. Arrays that are large are therefore kept in pages of 2 MiB, where the system has them.

use std::ops::{Deref, DerefMut};

use memmap2::{Advice, MmapMut};

/// Bytes from which on an array is large.
const LARGE: usize = 4 << 20;

/// An array of words of fixed length, zero at first.
pub struct Words(Place);

enum Place {
    Small(Vec<u64>),
    Large(MmapMut),
}

impl Words {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> Self {
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
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Place::Small(words) => words,
            Place::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

/// Words of a chunk.
const CHUNK: usize = 1 << 18;

/// A list that grows at its end without being moved, for what is read in order.
pub struct Log<T> {
    chunks: Vec<Words>,
    len: usize,
    items: std::marker::PhantomData<T>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0, items: std::marker::PhantomData }
    }
}

impl<T: bytemuck::Pod> Log<T> {
    /// Items of a chunk.
    const ITEMS: usize = CHUNK * size_of::<u64>() / size_of::<T>();

    /// Appends an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.len == self.chunks.len() * Self::ITEMS {
            self.chunks.push(Words::new(CHUNK));
        }
        let chunk: &mut [T] = bytemuck::cast_slice_mut(&mut self.chunks[self.len / Self::ITEMS]);
        chunk[self.len % Self::ITEMS] = item;
        self.len += 1;
    }

    /// The item at a position.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, at: usize) -> T {
        assert!(at < self.len, "an item of the list");
        bytemuck::cast_slice(&self.chunks[at / Self::ITEMS])[at % Self::ITEMS]
    }

    /// Puts another item in place of the one at a position.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn set(&mut self, at: usize, item: T) {
        assert!(at < self.len, "an item of the list");
        bytemuck::cast_slice_mut(&mut self.chunks[at / Self::ITEMS])[at % Self::ITEMS] = item;
    }

    /// All items, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.chunks.iter().flat_map(|chunk| bytemuck::cast_slice(chunk).iter().copied()).take(self.len)
    }

    /// Number of items.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Bytes taken, used or not.
    pub const fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_items_as_it_grows() {
        let mut log = Log::default();
        let items = || 0..3 * CHUNK as u32;
        items().for_each(|item| log.push(item));
        assert!(log.iter().eq(items()));
        assert!(items().all(|at| log.get(at as usize) == at));
    }
}
