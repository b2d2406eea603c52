//! What changes make of the halves of vectors: a worker's memory of what it folded.
//!
//! Steps change few components, in few ways, and there are far fewer halves than states. So most of what is
//! folded was folded before, and one line of the cache says what came of it:
//!
//! ```text
//! line, 128 bytes:   half (plus one) | next | 15 numbers of edits | 15 halves they lead to (plus one)
//! ```
//!
//! The line of a half follows from its number, and states are explored in the order of their roots, so lines
//! are read in order, mostly. What is forgotten is folded again. Lines of 64 bytes, for 7 edits, are too
//! short where the left half has the store buffers: on seqlock with four writers a head was folded a hundred
//! times.

use super::Id;

/// Edits that are remembered of a half.
const WAYS: usize = 15;

/// What is remembered of one half. Everything is 0 at first.
#[derive(Clone, Copy, Default)]
#[repr(C, align(128))]
struct Line {
    half: Id,
    /// The place that is overwritten next.
    next: u32,
    edits: [Id; WAYS],
    results: [Id; WAYS],
}

/// What edits make of halves that are numbered together.
pub struct FoldCache {
    lines: Vec<Line>,
    most: usize,
}

impl FoldCache {
    /// Nothing yet, and at most so many lines, as a power of two.
    pub fn new(most: u32) -> Self {
        Self { lines: vec![Line::default()], most: 1 << most }
    }

    /// What an edit of this number makes of a half, if it is remembered.
    #[inline]
    pub fn find(&self, half: Id, edit: Id) -> Option<Id> {
        let line = &self.lines[self.place(half)];
        // At most one place has a number other than 0, and free places lead to 0.
        let results = line.edits.iter().zip(&line.results);
        let found = results.fold(0, |found, (&other, &result)| found | if other == edit { result } else { 0 });
        (line.half == half + 1 && found != 0).then(|| found - 1)
    }

    /// Remembers what an edit makes of a half, which must not be remembered already. Edits without a number
    /// are not remembered.
    pub fn keep(&mut self, half: Id, edit: Id, result: Id) {
        if edit == 0 {
            return;
        }
        self.grow(half);
        let place = self.place(half);
        let line = &mut self.lines[place];
        if line.half != half + 1 {
            *line = Line { half: half + 1, ..Line::default() };
        }
        let at = line.next as usize;
        (line.edits[at], line.results[at]) = (edit, result + 1);
        line.next = (line.next + 1) % WAYS as u32;
    }

    /// Makes room for the line of a half: lines stay where they are.
    fn grow(&mut self, half: Id) {
        let wanted = (half as usize + 1).next_power_of_two().min(self.most);
        if wanted > self.lines.len() {
            self.lines.resize(wanted, Line::default());
        }
    }

    #[inline]
    fn place(&self, half: Id) -> usize {
        half as usize & (self.lines.len() - 1)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_kept() {
        let mut folds = FoldCache::new(6);
        let result = |half: Id, edit: Id| half * 1000 + edit;
        for round in 0..3 {
            for half in 0..200 {
                for edit in 1..20 {
                    match folds.find(half, edit) {
                        Some(found) => assert_eq!(found, result(half, edit)),
                        None => folds.keep(half, edit, result(half, edit)),
                    }
                    assert_eq!(folds.find(half, edit), Some(result(half, edit)), "round {round}");
                }
                assert_eq!(folds.find(half, 20), None);
            }
        }
        assert_eq!(folds.bytes(), 128 << 6);
    }

    #[test]
    fn the_last_edits_of_a_half_are_remembered() {
        let mut folds = FoldCache::new(20);
        (1..=16).for_each(|edit| folds.keep(3, edit, 10 * edit));
        assert_eq!(
            (0..=20).filter(|&edit| folds.find(3, edit) == Some(10 * edit)).collect::<Vec<_>>(),
            (2..=16).collect::<Vec<_>>()
        );
        assert_eq!([folds.find(2, 5), folds.find(7, 5), folds.find(3, 0)], [None; 3]);
        assert_eq!(folds.bytes(), 4 * 128);
    }

    #[test]
    fn an_edit_without_a_number_is_not_remembered() {
        let mut folds = FoldCache::new(6);
        folds.keep(0, 0, 5);
        assert_eq!(folds.find(0, 0), None);
    }
}
