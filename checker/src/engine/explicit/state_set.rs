//! Sets of states of one level of the search, as sparse bit sets.
//!
//! The states of a level have numbers near each other. So a set is a map from blocks of 64 numbers to words
//! with a bit for each number. The detection of deadlocks in loops uses such sets ([`super::spin_deadlock`]).
//!
//! Tests: below, and programs with loops that wait, in `tests/programs/awaits/`.

use crate::hash::FxHashMap;
use crate::store::Id;

/// A set of states. Most states are added in ascending order. The block of the newest state is therefore kept
/// outside the map, and the map is asked only when the block changes.
#[derive(Default)]
pub(super) struct StateSet {
    /// The words of the blocks: bit `b` of the word of block `k` stands for the state `64 * k + b`.
    words: FxHashMap<Id, u64>,
    /// The block of the newest state, and those of its states that are not in `words` yet.
    newest: (Id, u64),
}

impl StateSet {
    /// Adds a state.
    #[inline]
    pub fn insert(&mut self, id: Id) {
        let block = id / u64::BITS;
        if block != self.newest.0 {
            self.merge_newest();
            self.newest = (block, 0);
        }
        self.newest.1 |= 1 << (id % u64::BITS);
    }

    /// Moves the newest block into the map.
    fn merge_newest(&mut self) {
        let (block, word) = std::mem::take(&mut self.newest);
        if word != 0 {
            *self.words.entry(block).or_default() |= word;
        }
    }

    /// The word of a block.
    fn word(&self, block: Id) -> u64 {
        let newest = if self.newest.0 == block { self.newest.1 } else { 0 };
        self.words.get(&block).copied().unwrap_or(0) | newest
    }

    /// Adds the states of another set.
    pub fn add(&mut self, mut other: Self) {
        other.merge_newest();
        self.merge_newest();
        other.words.into_iter().for_each(|(block, word)| *self.words.entry(block).or_default() |= word);
    }

    /// True if the set has no states.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.newest.1 == 0
    }

    /// The states of this set that are not in the other one, in ascending order.
    pub fn difference(mut self, other: &Self) -> Vec<Id> {
        self.merge_newest();
        let left = self.words.into_iter().map(|(block, word)| (block, word & !other.word(block)));
        let states = |(block, word): (Id, u64)| {
            (0..u64::BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| block * u64::BITS + bit)
        };
        let mut ids: Vec<Id> = left.flat_map(states).collect();
        ids.sort_unstable();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: impl IntoIterator<Item = Id>) -> StateSet {
        let mut set = StateSet::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }

    #[test]
    fn a_difference_is_in_ascending_order() {
        let largest = Id::MAX - 1;
        let mut other = set((0..500).filter(|id| id % 3 != 0));
        other.insert(303);
        other.add(set([300, 65, 7000]));
        // This state is in the newest block, and the map has a word for the same block.
        other.insert(306);
        let left = set((0..500).rev().chain([largest, 7000])).difference(&other);
        let is_left = |id: &Id| ![300, 303, 306].contains(id);
        let expected: Vec<_> = (0..500).step_by(3).filter(is_left).chain([largest]).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn a_set_with_only_a_newest_block_is_not_empty() {
        assert!(set([]).is_empty());
        assert!(!set([63]).is_empty());
    }
}
