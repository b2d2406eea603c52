//! Sets of states of a level, one bit for each state. Their numbers are near each other.

use crate::hash::FxHashMap;
use crate::store::Id;

/// A set of states. Most states are added in ascending order, so one word is looked up for many of them.
#[derive(Default)]
pub(super) struct Ids {
    /// For each quotient of state numbers by 64, a bit for each remainder.
    words: FxHashMap<Id, u64>,
    /// The key and bits of the newest states, which are not in `words` yet.
    last: (Id, u64),
}

impl Ids {
    /// Adds a state.
    #[inline]
    pub fn insert(&mut self, id: Id) {
        let key = id / u64::BITS;
        if key != self.last.0 {
            self.settle();
            self.last = (key, 0);
        }
        self.last.1 |= 1 << (id % u64::BITS);
    }

    fn settle(&mut self) {
        let (key, word) = std::mem::take(&mut self.last);
        if word != 0 {
            *self.words.entry(key).or_default() |= word;
        }
    }

    /// Adds the states of another set.
    pub fn add(&mut self, mut other: Self) {
        other.settle();
        self.settle();
        other.words.into_iter().for_each(|(key, word)| *self.words.entry(key).or_default() |= word);
    }

    /// True if the set has no states.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.last.1 == 0
    }

    /// The states of the set that are not in another set, in order.
    pub fn without(mut self, other: &Self) -> Vec<Id> {
        self.settle();
        let others =
            |key| other.words.get(&key).copied().unwrap_or(0) | if other.last.0 == key { other.last.1 } else { 0 };
        let left = self.words.into_iter().map(|(key, word)| (key, word & !others(key)));
        let bits = |(key, word): (Id, u64)| {
            (0..u64::BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| key * u64::BITS + bit)
        };
        let mut ids: Vec<Id> = left.flat_map(bits).collect();
        ids.sort_unstable();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: impl IntoIterator<Item = Id>) -> Ids {
        let mut set = Ids::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }

    #[test]
    fn what_is_left_is_in_order() {
        let largest = Id::MAX - 1;
        let mut other = set((0..500).filter(|id| id % 3 != 0));
        other.insert(303);
        other.add(set([300, 65, 7000]));
        let left = set((0..500).rev().chain([largest, 7000])).without(&other);
        let expected: Vec<_> = (0..500).step_by(3).filter(|&id| id != 300 && id != 303).chain([largest]).collect();
        assert_eq!(left, expected);
        assert!(set([]).is_empty() && !set([63]).is_empty());
    }
}
