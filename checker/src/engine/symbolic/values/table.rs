//! The values that loads may find in memory, place by place.
//!
//! A place that is read or written has what is there at first, and what stores may write there: of a word its
//! values under the event's guard. An event whose new value is its old one and a number *adds*: what it
//! writes is not a value of its own. From what another store wrote, or from the initial value, the place is
//! away by the sum of numbers that were added since. Of each thread these are numbers along one path, so the
//! sum is between that of the negative ones and that of the positive ones along the path where it is
//! greatest; and it is a multiple of their greatest common divisor.
//!
//! A place that overlaps another one which is accessed has any value.
//!
//! The unrolling takes the values of its loads from a table; the places and stores that it has then make
//! another one. `resolve` says whether the former has the latter.

use std::collections::BTreeMap;

use super::Values;
use crate::ir::address::ObjectId;
use crate::ir::value::mask;

/// An access: the object, the offset and the length in bytes.
pub type Range = (ObjectId, u32, u32);

/// What a place may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The values; nothing if any is possible.
    pub values: Option<Values>,
    /// True if it may be uninitialised or poison.
    pub is_open: bool,
}

/// The sums of what one path of a thread adds to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// The sum of the negative numbers.
    below: i64,
    /// The sum of the positive numbers.
    above: i64,
    /// The greatest common divisor of all of them.
    step: u64,
}

/// The contents of places.
#[derive(Clone, Debug, Default)]
pub struct Table {
    contents: BTreeMap<Range, Content>,
    /// True if nothing is known of any place.
    is_any: bool,
}

impl Content {
    /// Nothing yet.
    pub const NONE: Self = Self { values: Some(Values::NONE), is_open: false };
    /// Anything.
    pub const ANY: Self = Self { values: None, is_open: true };

    /// The contents of both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let both = self.values.as_ref().zip(other.values.as_ref());
        Self { values: both.and_then(|(own, other)| own.join(other)), is_open: self.is_open || other.is_open }
    }

    /// True if all that is possible here is possible in another content.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let has_values = match (&self.values, &other.values) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.is_within(other),
        };
        has_values && (other.is_open || !self.is_open)
    }

    /// The content after additions of threads to a number of so many bytes.
    #[must_use]
    pub fn after(&self, added: &[Added], len: u32) -> Self {
        let all = added.iter().fold(Added::default(), |all, &one| Added {
            below: all.below.saturating_add(one.below),
            above: all.above.saturating_add(one.above),
            step: gcd(all.step, one.step),
        });
        let Some(step) = i64::try_from(all.step).ok().filter(|&step| step > 0) else { return self.clone() };
        let sums = || (all.below / step..=all.above / step).map(|times| times.wrapping_mul(step).cast_unsigned());
        let values = self.values.as_ref().and_then(|values| {
            Values::of(values.iter().flat_map(|value| sums().map(move |sum| value.wrapping_add(sum) & mask(8 * len))))
        });
        Self { values, ..self.clone() }
    }
}

impl Added {
    /// With another number of so many bits.
    #[must_use]
    pub fn and(self, number: u64, width: u32) -> Self {
        let number = crate::ir::value::signed(number, width);
        Self {
            below: self.below.saturating_add(number.min(0)),
            above: self.above.saturating_add(number.max(0)),
            step: gcd(self.step, number.unsigned_abs()),
        }
    }

    /// The sums of whichever path has more.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            below: self.below.min(other.below),
            above: self.above.max(other.above),
            step: gcd(self.step, other.step),
        }
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Table {
    /// A table in which every place may have any value.
    #[must_use]
    pub fn any() -> Self {
        Self { is_any: true, ..Self::default() }
    }

    /// The content of a place, if something is known of it.
    #[must_use]
    pub fn get(&self, range: Range) -> Option<&Content> {
        if self.is_any { Some(&Content::ANY) } else { self.contents.get(&range) }
    }

    /// Adds content of a place.
    pub fn add(&mut self, range: Range, content: &Content) {
        let own = self.contents.entry(range).or_insert(Content::NONE);
        *own = own.join(content);
    }

    /// The content of each place is changed.
    pub fn change(&mut self, mut change: impl FnMut(Range, &Content) -> Content) {
        for (&range, content) in &mut self.contents {
            *content = change(range, content);
        }
    }

    /// A table that has this one and `other`. With `is_last`, places whose content grows have any.
    #[must_use]
    pub fn join(&self, other: &Self, is_last: bool) -> Self {
        let mut both = self.clone();
        for (&range, content) in &other.contents {
            let own = both.contents.entry(range).or_insert(Content::NONE);
            if !content.is_within(own) {
                *own = if is_last { Content::ANY } else { own.join(content) };
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Property: threads that each take one of two paths, interrupted anywhere, add to a counter what the
        /// content has.
        #[test]
        fn counters_have_their_values(
            paths in prop::collection::vec((prop::collection::vec(-3..4_i64, 0..4), prop::collection::vec(-3..4_i64, 0..4)), 1..4),
            taken in prop::collection::vec((any::<bool>(), 0..5_usize), 3),
            initial in prop_oneof![0..4_u64, 0xFD..0x100_u64],
        ) {
            let along = |path: &[i64]| path.iter().fold(Added::default(), |sums, &number| sums.and(number as u64 & 0xFF, 8));
            let added: Vec<_> = paths.iter().map(|(a, b)| along(a).join(along(b))).collect();
            let content = Content { values: Some(Values::one(initial)), is_open: false }.after(&added, 1);
            let sums = paths.iter().zip(&taken).map(|((a, b), &(first, until))| {
                (if first { a } else { b }).iter().take(until).sum::<i64>()
            });
            let value = initial.wrapping_add(sums.sum::<i64>() as u64) & 0xFF;
            prop_assert!(content.values.is_none_or(|values| values.has(value)));
        }
    }
}
