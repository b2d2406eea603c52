//! Sets of numbers as unions of ranges.

use crate::ir::value::{mask, signed};

/// A set of numbers of at most 64 bits: ranges with both ends included, ascending, with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// No number.
    pub const NONE: Self = Self(Vec::new());

    /// The numbers from `low` to `high`, both included; none if `low` is above `high`.
    #[must_use]
    pub fn from_to(low: u64, high: u64) -> Self {
        if low > high { Self::NONE } else { Self(vec![(low, high)]) }
    }

    /// The union of ranges in any order.
    #[must_use]
    pub fn union_of(mut ranges: Vec<(u64, u64)>) -> Self {
        ranges.sort_unstable();
        let mut union: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges.into_iter().filter(|(low, high)| low <= high) {
            match union.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => union.push((low, high)),
            }
        }
        Self(union)
    }

    /// The ranges, ascending.
    #[must_use]
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// True if no number is in the set.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of numbers in the set.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.0.iter().map(|&(low, high)| u128::from(high - low) + 1).sum()
    }

    /// The number at a place of the set, in ascending order from 0.
    #[must_use]
    pub fn nth(&self, mut at: u64) -> Option<u64> {
        for &(low, high) in &self.0 {
            if at <= high - low {
                return Some(low + at);
            }
            at -= high - low + 1;
        }
        None
    }

    /// The only number in the set, if there is just one.
    #[must_use]
    pub fn single(&self) -> Option<u64> {
        match self.0[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    /// The greatest number in the set.
    #[must_use]
    pub fn greatest(&self) -> Option<u64> {
        self.0.last().map(|&(_, high)| high)
    }

    /// The number nearest to 0 as a signed one of `width` bits, among the ends of ranges; of two the positive
    /// one.
    #[must_use]
    pub fn simplest(&self, width: u32) -> Option<u64> {
        let ends = self.0.iter().flat_map(|&(low, high)| [low, high]);
        ends.min_by_key(|&value| {
            let number = i128::from(signed(value, width));
            (number.unsigned_abs(), number < 0)
        })
    }

    /// True if a number is in the set.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.0.iter().any(|&(low, high)| (low..=high).contains(&number))
    }

    /// The numbers that are in both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let both = |&(low, high): &(u64, u64)| {
            other.0.iter().map(move |&(other_low, other_high)| (low.max(other_low), high.min(other_high)))
        };
        Self::union_of(self.0.iter().flat_map(both).collect())
    }

    /// The numbers up to `most` that are not in the set.
    #[must_use]
    pub fn complement(&self, most: u64) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(0);
        for &(low, high) in &self.0 {
            if let Some(from) = next.filter(|&from| from < low) {
                gaps.push((from, low - 1));
            }
            next = high.checked_add(1);
        }
        gaps.extend(next.filter(|&from| from <= most).map(|from| (from, most)));
        Self(gaps)
    }

    /// The set of what `map` makes of each range: ranges in any order.
    #[must_use]
    pub fn map<I: IntoIterator<Item = (u64, u64)>>(&self, map: impl Fn(u64, u64) -> I) -> Self {
        Self::union_of(self.0.iter().flat_map(|&(low, high)| map(low, high)).collect())
    }
}

/// The signed numbers from `low` to `high` that have `width` bits, in two's complement: negative numbers are
/// a range of their own.
#[must_use]
pub fn two_complement(low: i128, high: i128, width: u32) -> Ranges {
    let bits = |number: i128| number as u64 & mask(width);
    let high = high.min((1 << (width - 1)) - 1);
    let negative = (low.max(-(1 << (width - 1))), high.min(-1));
    let others = (low.max(0), high);
    let parts = [negative, others].into_iter().filter(|(low, high)| low <= high);
    Ranges::union_of(parts.map(|(low, high)| (bits(low), bits(high))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of the set bits of a word.
    fn set(bits: u16) -> Ranges {
        Ranges::union_of((0..16).filter(|at| bits >> at & 1 == 1).map(|at| (at, at)).collect())
    }

    /// The inverse of [`set`].
    fn bits(set: &Ranges) -> u16 {
        (0..16).filter(|&at| set.contains(at)).fold(0, |bits, at| bits | 1 << at)
    }

    #[test]
    fn sets_of_four_bits_are_what_their_bits_say() {
        for word in 0..=u16::MAX {
            let one = set(word);
            assert_eq!(bits(&one), word);
            assert!(one.ranges().windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "{one:?}");
            assert_eq!(one.count(), u128::from(word.count_ones()));
            assert_eq!(one.complement(15), set(!word));
            assert_eq!(one.single().is_some(), word.count_ones() == 1);
            assert!((0..16).filter(|&at| one.contains(at)).eq((0..).map_while(|at| one.nth(at))));
            assert_eq!(one.greatest(), (0..16).rev().find(|&at| one.contains(at)));
        }
    }

    #[test]
    fn intersections_are_exact() {
        for word in (0..=u16::MAX).step_by(37) {
            for other in (0..=u16::MAX).step_by(41) {
                assert_eq!(set(word).and(&set(other)), set(word & other));
            }
        }
    }

    #[test]
    fn the_simplest_number_is_nearest_to_zero() {
        let simplest = |ranges: &[(u64, u64)]| Ranges::union_of(ranges.to_vec()).simplest(8);
        assert_eq!(simplest(&[(3, 9), (0xFE, 0xFF)]), Some(0xFF));
        assert_eq!(simplest(&[(1, 9), (0xFF, 0xFF)]), Some(1));
        assert_eq!(simplest(&[(0x80, 0xF0)]), Some(0xF0));
    }

    #[test]
    fn the_greatest_numbers_are_no_special_case() {
        let top = Ranges::from_to(u64::MAX - 1, u64::MAX);
        assert_eq!(top.complement(u64::MAX), Ranges::from_to(0, u64::MAX - 2));
        assert_eq!(top.complement(u64::MAX).complement(u64::MAX), top);
        assert_eq!(Ranges::from_to(0, u64::MAX).count(), 1 << 64);
        assert_eq!(Ranges::union_of(vec![(u64::MAX, u64::MAX), (0, u64::MAX - 1)]), Ranges::from_to(0, u64::MAX));
    }
}
