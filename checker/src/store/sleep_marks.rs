//! Sleep marks of states in the frontier: bits that the steps into a state pass to its exploration. The marks
//! of all steps into a state are combined.
//!
//! The store does not say where a known state is in the frontier. So the places of some new states are cached
//! by their keys; a place is overwritten by the next one whose key has the same slot. A mark for a state
//! whose place was overwritten is lost. A mark for a state of an earlier level does not belong to this level
//! and is lost, too.

use super::Id;
use super::log::Log;
use super::space::Space;

/// The number of cached places, as a power of two.
const RECENT: u32 = 18;

/// The sleep marks of a worker's states.
pub struct SleepMarks {
    list: Log<u16>,
    places: Vec<Id>,
    /// The position of the first state of the next level.
    next_level: usize,
}

impl SleepMarks {
    /// Empty marks of `len` states, of which the first `explored` are explored.
    pub fn new(space: &Space, explored: usize, len: usize) -> Self {
        let mut list = Log::new(space);
        list.begin_at(explored);
        (explored..len).for_each(|_| list.push(0));
        Self { list, places: vec![0; 1 << RECENT], next_level: len }
    }

    /// Adds a new state with its marks.
    #[inline]
    pub fn push(&mut self, key: u64, mark: u16) {
        self.places[slot(key)] = self.list.len() as Id;
        self.list.push(mark);
    }

    /// The possible position of the state with this key, if it is of the next level.
    #[inline]
    pub fn recent(&self, key: u64) -> Option<usize> {
        let place = self.places[slot(key)] as usize;
        (place >= self.next_level && place < self.list.len()).then_some(place)
    }

    /// Adds marks to a state.
    pub fn add(&mut self, at: usize, mark: u16) {
        self.list.set(at, self.list.get(at) | mark);
    }

    /// The marks of a state.
    pub fn get(&self, at: usize) -> u16 {
        self.list.get(at)
    }

    /// Replaces the marks of a state.
    pub fn set(&mut self, at: usize, mark: u16) {
        self.list.set(at, mark);
    }

    /// Begins the next level: new states belong to it from now on.
    pub fn begin_level(&mut self) {
        self.next_level = self.list.len();
    }

    /// Drops the marks of the states before this position, which were explored.
    pub fn forget(&mut self, before: usize) {
        self.list.forget(before);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.list.bytes() + self.places.len() * size_of::<Id>()
    }
}

#[inline]
const fn slot(key: u64) -> usize {
    (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (u64::BITS - RECENT)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_added_on_the_next_level_only() {
        let mut sleep_marks = SleepMarks::new(&Space::default(), 0, 1);
        for key in 0..100 {
            sleep_marks.push(key, 1);
        }
        assert_eq!(sleep_marks.get(0), 0);
        assert_eq!(sleep_marks.recent(1000), None);
        for key in 0..100 {
            let at = sleep_marks.recent(key).expect("few keys are all remembered");
            sleep_marks.add(at, 2);
            assert_eq!((at, sleep_marks.get(at)), (1 + key as usize, 3));
        }
        sleep_marks.begin_level();
        assert!((0..100).all(|key| sleep_marks.recent(key).is_none()));
        sleep_marks.push(7, 4);
        assert_eq!(sleep_marks.recent(7), Some(101));
    }
}
