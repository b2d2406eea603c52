//! A cache of the results of edits on halves of vectors, one for each worker.
//!
//! Steps change few components, in few ways, and there are far fewer halves than states. So most folds repeat
//! earlier ones, and one line of the cache has the result:
//!
//! ```text
//! line, 128 bytes:   half (plus one) | next | 15 numbers of edits | 15 halves they lead to (plus one)
//! ```
//!
//! The number of a half determines its line, and states are explored in the order of their roots, so lines
//! are mostly read in order. A result that was evicted is computed again. Lines of 64 bytes, for 7 edits, are
//! too short where the left half has the store buffers: on seqlock with four writers a head was folded a
//! hundred times.

use super::Id;

/// The number of edits that are cached for a half.
const WAYS: usize = 15;

/// The cached results for one half. Everything is 0 at first.
#[derive(Clone, Copy, Default)]
#[repr(C, align(128))]
struct Line {
    half: Id,
    /// The place that is overwritten next.
    next: u32,
    edits: [Id; WAYS],
    results: [Id; WAYS],
}

/// The results of edits on halves that are numbered together.
pub struct FoldCache {
    lines: Vec<Line>,
    most: usize,
}

impl FoldCache {
    /// An empty cache of at most 2^`most` lines.
    pub fn new(most: u32) -> Self {
        Self { lines: vec![Line::default()], most: 1 << most }
    }

    /// The result of an edit on a half, if it is cached.
    #[inline]
    pub fn find(&self, half: Id, edit: Id) -> Option<Id> {
        let line = &self.lines[self.place(half)];
        // At most one place has the edit and a result other than 0; results of free places are 0.
        let results = line.edits.iter().zip(&line.results);
        let found = results.fold(0, |found, (&other, &result)| found | if other == edit { result } else { 0 });
        (line.half == half + 1 && found != 0).then(|| found - 1)
    }

    /// Caches the result of an edit on a half, which must not be cached already. Edits without a number are
    /// not cached.
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

    /// Makes room for the line of a half; existing lines keep their places.
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
