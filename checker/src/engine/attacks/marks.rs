//! Marks: the ranges that the operations behind a given one touched, and the relations that they begin.
//!
//! An operation comes after a marked one if it is related to it in the conflict graph
//! (`engine/stateless/robustness/graph.rs`): it reads or overwrites what was written, or overwrites what was
//! read. A read is related to the newest write of each byte only. If a marked write is not the newest one,
//! the newest has overwritten it, so it was marked, too. So it is enough that two ranges have a byte in
//! common.
//!
//! Marks are kept as the least set that says the same, so that equal situations have equal marks.

use crate::system::{Commuting, FootprintEntry};

/// A range that an operation touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Mark {
    object: u32,
    offset: u32,
    len: u32,
    write: bool,
    commuting: Option<Commuting>,
}

/// A set of marks, in ascending order. No mark is implied by another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// No marks.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Marks what an operation touched.
    pub fn add(&mut self, touch: &FootprintEntry) {
        let new = Mark::of(touch);
        if !self.0.iter().any(|mark| mark.implies(&new)) {
            self.0.retain(|mark| !new.implies(mark));
            let at = self.0.partition_point(|mark| *mark < new);
            self.0.insert(at, new);
        }
    }

    /// True if an operation that touches this comes after a marked one.
    pub fn precede(&self, touch: &FootprintEntry) -> bool {
        self.0.iter().any(|mark| mark.precedes(touch))
    }

    /// The bytes that the set takes on the heap.
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<Mark>()
    }
}

impl Mark {
    fn of(touch: &FootprintEntry) -> Self {
        let &FootprintEntry { object, offset, len, write, commuting, .. } = touch;
        Self { object, offset, len, write, commuting }
    }

    fn entry(&self) -> FootprintEntry {
        let Self { object, offset, len, write, commuting } = *self;
        FootprintEntry { commuting, ..FootprintEntry::range(object, offset, len, write) }
    }

    /// True if the operation that made this mark precedes one that touches a range later.
    fn precedes(&self, touch: &FootprintEntry) -> bool {
        let mark = self.entry();
        match (self.write, touch.write) {
            (false, false) => false,
            (false, true) => mark.overlaps(touch),
            (true, false) => !touch.is_names() && mark.overlaps(touch),
            (true, true) => !touch.is_names() && mark.conflicts(touch),
        }
    }

    /// True if every operation that comes after another mark comes after this one.
    fn implies(&self, other: &Self) -> bool {
        let is_plain_write = self.write && self.commuting.is_none() && !self.entry().is_names();
        self.entry().covers(&other.entry())
            && (is_plain_write || self.write == other.write && self.commuting == other.commuting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmc_runtime::Access;

    fn touch(offset: u32, len: u8, write: bool) -> FootprintEntry {
        FootprintEntry::of(Access { object: 7, offset, len }, write)
    }

    #[test]
    fn a_mark_precedes_what_conflicts_with_it() {
        let mut marks = Marks::default();
        marks.add(&touch(4, 4, false));
        assert!(marks.precede(&touch(7, 1, true)) && !marks.precede(&touch(8, 1, true)));
        assert!(!marks.precede(&touch(4, 4, false)));
        marks.add(&touch(0, 4, true));
        assert!(marks.precede(&touch(3, 1, false)) && marks.precede(&touch(0, 1, true)));
    }

    #[test]
    fn marks_do_not_depend_on_the_order_in_which_they_were_made() {
        let touches =
            [touch(0, 1, false), touch(0, 4, true), touch(2, 4, false), touch(8, 2, false), touch(8, 4, false)];
        let mut forwards = Marks::default();
        touches.iter().for_each(|touch| forwards.add(touch));
        let mut backwards = Marks::default();
        touches.iter().rev().for_each(|touch| backwards.add(touch));
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.0.len(), 3);
    }
}
