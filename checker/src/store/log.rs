//! A list that grows at its end without being moved, and whose oldest items can be dropped.

use std::collections::VecDeque;

use super::space::{Space, Use};
use super::words::Words;

/// The number of words of a chunk.
const CHUNK: usize = 1 << 15;

/// The list.
pub struct Log<T> {
    space: Space,
    chunks: VecDeque<Words>,
    /// The number of chunks that were dropped.
    gone: usize,
    /// A dropped chunk, kept for reuse.
    spare: Option<Words>,
    len: usize,
    items: std::marker::PhantomData<T>,
}

impl<T: bytemuck::Pod> Log<T> {
    /// The number of items of a chunk.
    const ITEMS: usize = CHUNK * size_of::<u64>() / size_of::<T>();

    /// An empty list.
    pub fn new(space: &Space) -> Self {
        let space = space.clone();
        Self { space, chunks: VecDeque::new(), gone: 0, spare: None, len: 0, items: std::marker::PhantomData }
    }

    /// Appends an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.len == (self.gone + self.chunks.len()) * Self::ITEMS {
            let chunk = self.spare.take().unwrap_or_else(|| Words::new(&self.space, CHUNK, Use::InOrder));
            self.chunks.push_back(chunk);
        }
        self.len += 1;
        self.set(self.len - 1, item);
    }

    /// The item at a position.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, at: usize) -> T {
        assert!(at < self.len, "an item of the list");
        bytemuck::cast_slice(&self.chunks[at / Self::ITEMS - self.gone])[at % Self::ITEMS]
    }

    /// Replaces the item at a position.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn set(&mut self, at: usize, item: T) {
        assert!(at < self.len, "an item of the list");
        bytemuck::cast_slice_mut(&mut self.chunks[at / Self::ITEMS - self.gone])[at % Self::ITEMS] = item;
    }

    /// Drops the items before this position.
    pub fn forget(&mut self, before: usize) {
        while (self.gone + 1) * Self::ITEMS <= before.min(self.len) {
            self.spare = self.chunks.pop_front();
            self.gone += 1;
        }
    }

    /// Turns an empty list into one whose items before this position are dropped.
    ///
    /// # Panics
    /// If it is not empty.
    pub fn begin_at(&mut self, at: usize) {
        assert!(self.len == 0, "an empty list");
        self.gone = at / Self::ITEMS;
        self.len = at;
        if !at.is_multiple_of(Self::ITEMS) {
            self.chunks.push_back(Words::new(&self.space, CHUNK, Use::InOrder));
        }
    }

    /// The number of items, including dropped ones.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Allocated bytes, whether used or not.
    pub fn bytes(&self) -> usize {
        (self.chunks.len() + usize::from(self.spare.is_some())) * CHUNK * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_items_as_it_grows() {
        let mut log = Log::new(&Space::default());
        let items = || 0..3 * CHUNK as u32;
        items().for_each(|item| log.push(item));
        assert!(items().all(|at| log.get(at as usize) == at));
    }

    #[test]
    fn what_is_forgotten_takes_no_space() {
        let mut log = Log::new(&Space::default());
        for item in 0..20 * CHUNK {
            log.push(item);
            log.forget(item.saturating_sub(10));
        }
        assert_eq!((log.len(), log.get(20 * CHUNK - 5)), (20 * CHUNK, 20 * CHUNK - 5));
        assert!(log.bytes() <= 3 * CHUNK * 8);
    }
}
