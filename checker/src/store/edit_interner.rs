//! Edits: changes to state vectors, with numbers by which their results are cached.
//!
//! Each set of changes is made to very many vectors, and its result for one half of a vector does not depend
//! on the other half. So the changes to each half are interned: equal changes have the same number, and
//! [`super::fold_cache`] caches results by it.

use super::Id;
use super::tree::{Change, middle};
use crate::hash::FxHashMap;

/// The number of changes that are interned at a time; when it is reached, all are dropped and later ones get
/// new numbers.
const MOST_EDITS: usize = 1 << 16;

/// Changes to vectors of one length: at least one, in ascending order of places.
#[derive(Debug)]
pub struct Edit {
    changes: Box<[Change]>,
    /// The number of changes in the left half.
    first: u32,
    /// The numbers of the changes to each half; 0 for none.
    numbers: [Id; 2],
}

impl Edit {
    /// Changes to vectors of this length, without numbers.
    #[must_use]
    pub fn new(len: usize, changes: Box<[Change]>) -> Self {
        let middle = middle(len) as u32;
        let first = changes.iter().take_while(|change| change.0 < middle).count() as u32;
        Self { changes, first, numbers: [0; 2] }
    }

    /// All changes.
    #[must_use]
    pub const fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The changes to the left half and to the right one, each with their number.
    #[inline]
    pub(super) fn halves(&self) -> [(&[Change], Id); 2] {
        let (left, right) = self.changes.split_at(self.first as usize);
        [(left, self.numbers[0]), (right, self.numbers[1])]
    }
}

/// Interns changes.
#[derive(Default)]
pub struct EditInterner {
    numbers: FxHashMap<(usize, Box<[Change]>), Id>,
    last: Id,
}

impl EditInterner {
    /// Gives changes to vectors of this length their numbers. When the numbers are exhausted, they get none.
    pub fn number(&mut self, len: usize, edit: &mut Edit) {
        edit.numbers = edit.halves().map(|(changes, _)| if changes.is_empty() { 0 } else { self.of(len, changes) });
    }

    fn of(&mut self, len: usize, changes: &[Change]) -> Id {
        let key = (len, changes.into());
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        if self.last == Id::MAX {
            return 0;
        }
        if self.numbers.len() == MOST_EDITS {
            self.numbers.clear();
        }
        self.last += 1;
        self.numbers.insert(key, self.last);
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(edits: &mut EditInterner, len: usize, changes: &[Change]) -> [Id; 2] {
        let mut edit = Edit::new(len, changes.into());
        edits.number(len, &mut edit);
        edit.numbers
    }

    #[test]
    fn the_same_changes_to_a_half_have_the_same_number() {
        let mut edits = EditInterner::default();
        assert_eq!(numbers(&mut edits, 9, &[(1, 7), (4, 2), (5, 3)]), [1, 2]);
        assert_eq!(numbers(&mut edits, 9, &[(1, 7), (4, 2)]), [1, 0]);
        assert_eq!(numbers(&mut edits, 9, &[(4, 2), (5, 3)]), [3, 2]);
        assert_eq!(numbers(&mut edits, 11, &[(1, 7), (4, 2)]), [4, 0]);
        assert_eq!(numbers(&mut edits, 9, &[(5, 4)]), [0, 5]);
    }

    #[test]
    fn a_number_is_never_given_to_other_changes() {
        let mut edits = EditInterner::default();
        let given: Vec<_> = (0..=MOST_EDITS as Id).map(|id| numbers(&mut edits, 2, &[(0, id)])[0]).collect();
        assert!(given.iter().zip(1..).all(|(&number, expected)| number == expected));
        assert_eq!(numbers(&mut edits, 2, &[(0, 5)]), [MOST_EDITS as Id + 2, 0]);
        edits.last = Id::MAX;
        assert_eq!(numbers(&mut edits, 2, &[(0, 6)]), [0, 0]);
    }
}
