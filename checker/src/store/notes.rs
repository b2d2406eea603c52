//! Sleep marks of states in the frontier: bits that whoever reaches a state leaves for whoever explores it. Those
//! of all who reach it are taken together.
//!
//! The store of a state that is known already does not say where it is in the frontier. So the places of some
//! new states are remembered by their keys, each forgotten for the next one whose key is alike; a note to a
//! state whose place is forgotten gets lost. A note to a state of an earlier level is none of this level's,
//! and gets lost, too.

use super::Id;
use super::log::Log;
use super::space::Space;

/// Places that are remembered, as a power of two.
const RECENT: u32 = 18;

/// The notes of a worker's states.
pub struct SleepMarks {
    list: Log<u16>,
    places: Vec<Id>,
    /// Where the next level begins.
    next_level: usize,
}

impl SleepMarks {
    /// Empty notes of so many states, of which some are explored.
    pub fn new(space: &Space, explored: usize, len: usize) -> Self {
        let mut list = Log::new(space);
        list.begin_at(explored);
        (explored..len).for_each(|_| list.push(0));
        Self { list, places: vec![0; 1 << RECENT], next_level: len }
    }

    /// The note of a new state.
    #[inline]
    pub fn push(&mut self, key: u64, note: u16) {
        self.places[slot(key)] = self.list.len() as Id;
        self.list.push(note);
    }

    /// Where the state with this key may be, if it is of the next level.
    #[inline]
    pub fn recent(&self, key: u64) -> Option<usize> {
        let place = self.places[slot(key)] as usize;
        (place >= self.next_level && place < self.list.len()).then_some(place)
    }

    /// Adds bits to the note of a state.
    pub fn add(&mut self, at: usize, note: u16) {
        self.list.set(at, self.list.get(at) | note);
    }

    /// The note of a state.
    pub fn get(&self, at: usize) -> u16 {
        self.list.get(at)
    }

    /// Puts another note in place of that of a state.
    pub fn set(&mut self, at: usize, note: u16) {
        self.list.set(at, note);
    }

    /// New states are of another level from now on.
    pub fn begin_level(&mut self) {
        self.next_level = self.list.len();
    }

    /// The states before this position were explored.
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
        let mut notes = SleepMarks::new(&Space::default(), 0, 1);
        for key in 0..100 {
            notes.push(key, 1);
        }
        assert_eq!(notes.get(0), 0);
        assert_eq!(notes.recent(1000), None);
        for key in 0..100 {
            let at = notes.recent(key).expect("few keys are all remembered");
            notes.add(at, 2);
            assert_eq!((at, notes.get(at)), (1 + key as usize, 3));
        }
        notes.begin_level();
        assert!((0..100).all(|key| notes.recent(key).is_none()));
        notes.push(7, 4);
        assert_eq!(notes.recent(7), Some(101));
    }
}
