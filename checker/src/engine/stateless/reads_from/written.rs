//! The bytes that steps of the search write, and the branches that nobody needs unless some others are
//! written.
//!
//! A step may read more than it writes, as the lock of a mutex does, 24 bytes and 8. Where its write is in
//! the way of another one, its first cells have their sources, and the other sources of the rest can be found
//! only without the step. If no step of the search writes a byte of the rest, there are none. So such a
//! branch is left out, and if a byte of its rest is written later, the search starts over and knows.
//!
//! Nothing is missed: if a class needs a branch that was left out, its execution has a write to the rest. Of
//! the executions by which the search would find the class, consider the first one that has a write to the
//! rest of a branch that was left out. No branch that was left out is needed for what is before it. Nor for
//! itself: such a branch is needed only to revisit its step from a write to its rest, and there is none
//! before. So the search finds that execution, and the write.

use rmc_consistency::Place;

use super::accesses::without;
use crate::hash::FxHashMap;

/// Bytes, by object.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    objects: FxHashMap<u32, Vec<Place>>,
}

impl Bytes {
    /// True if some bytes of a place are in the set.
    pub fn overlap(&self, place: Place) -> bool {
        self.objects.get(&place.object).is_some_and(|known| known.iter().any(|known| known.overlaps(place)))
    }

    /// Adds the bytes of a place. Returns false if all of them are in the set.
    pub fn add(&mut self, place: Place) -> bool {
        let known = self.objects.entry(place.object).or_default();
        let mut rest = vec![place];
        for &known in known.iter() {
            rest = rest.into_iter().flat_map(|part| without(part, known)).collect();
        }
        known.extend_from_slice(&rest);
        !rest.is_empty()
    }
}

/// What a search, and those before it that it starts over, wrote and left out.
#[derive(Clone, Debug, Default)]
pub struct Written {
    written: Bytes,
    left_out: Bytes,
    is_incomplete: bool,
}

impl Written {
    /// What the next search knows.
    pub fn again(self) -> Self {
        Self { written: self.written, ..Self::default() }
    }

    /// Notes a write.
    pub fn note(&mut self, place: Place) {
        self.is_incomplete |= self.written.add(place) && self.left_out.overlap(place);
    }

    /// True if a branch can be left out that is needed only to find writes to these places. It is left out
    /// then.
    pub fn leave_out(&mut self, rest: &[Place]) -> bool {
        let is_free = !rest.iter().any(|&place| self.written.overlap(place));
        if is_free {
            for &place in rest {
                self.left_out.add(place);
            }
        }
        is_free
    }

    /// True if a byte was written for which a branch was left out.
    pub const fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }
}
