//! Where pointers may point to: for each word the objects, and of each the offsets.
//!
//! This is an over-approximation, which is computed along with the words (`arithmetic.rs`). It lists the
//! places that an access may be at; the formula then says which of them it is.
//!
//! Sums and differences of addresses are followed, and no other arithmetic, nor the parts of an address
//! that are stored one by one. So a word may point to what is not listed. An access there is found
//! (`elsewhere.rs`).

use std::collections::BTreeMap;

use crate::ir::address;
use crate::ir::address::ObjectId;
use crate::ir::value::Value;

/// A set of offsets in an object: `first`, `first` plus or minus `stride`, and so on. With stride 0 it is
/// `first` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offsets {
    /// An offset in bytes; it may lie outside of the object.
    pub first: i64,
    /// The distance of neighbours in bytes.
    pub stride: u64,
}

/// The places that a word may point to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points {
    objects: BTreeMap<ObjectId, Offsets>,
    /// The distances from a pointer that was loaded from shared memory, if the word may be one of them.
    loaded: Option<Offsets>,
    /// True if the word may point to any place of any object.
    is_anywhere: bool,
}

impl Offsets {
    /// One offset.
    #[must_use]
    pub const fn one(first: i64) -> Self {
        Self { first, stride: 0 }
    }

    /// A set that has the sum of each two.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { first: self.first.wrapping_add(other.first), stride: gcd(self.stride, other.stride) }
    }

    /// A set that has the offsets of both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let apart = self.first.abs_diff(other.first);
        Self { first: self.first, stride: gcd(gcd(self.stride, other.stride), apart) }
    }

    /// The offsets at which `len` bytes are within an object of `size` bytes, lowest first.
    pub fn within(self, size: u32, len: u32) -> impl Iterator<Item = u32> {
        let last = i64::from(size) - i64::from(len);
        let (first, stride) = match self.stride {
            0 => (self.first, i64::MAX),
            stride => (self.first.rem_euclid(stride.cast_signed()), stride.cast_signed()),
        };
        std::iter::successors(Some(first), move |&at| at.checked_add(stride))
            .take_while(move |&at| at <= last)
            .filter_map(|at| u32::try_from(at).ok())
    }
}

impl Points {
    /// The places of a number that is taken for an address.
    #[must_use]
    pub fn of_value(value: Value) -> Self {
        match address::split(value.bits).filter(|_| value.is_defined()) {
            Some((object, offset)) => Self::to(object, Offsets::one(offset.into())),
            None => Self::default(),
        }
    }

    /// Some offsets of one object.
    #[must_use]
    pub fn to(object: ObjectId, offsets: Offsets) -> Self {
        Self { objects: BTreeMap::from([(object, offsets)]), ..Self::default() }
    }

    /// Any pointer that is stored in shared memory.
    #[must_use]
    pub const fn loaded() -> Self {
        Self { objects: BTreeMap::new(), loaded: Some(Offsets::one(0)), is_anywhere: false }
    }

    /// Any place of any object.
    #[must_use]
    pub const fn anywhere() -> Self {
        Self { objects: BTreeMap::new(), loaded: None, is_anywhere: true }
    }

    /// True if the word may point to any place of any object.
    #[must_use]
    pub const fn is_anywhere(&self) -> bool {
        self.is_anywhere
    }

    /// True if the word may be at some distance from a pointer that was loaded from shared memory.
    #[must_use]
    pub const fn is_loaded(&self) -> bool {
        self.loaded.is_some() || self.is_anywhere
    }

    /// The places of the word if pointers in shared memory point to `published`.
    #[must_use]
    pub fn resolved(mut self, published: &Self) -> Self {
        if let Some(distances) = self.loaded {
            for (object, offsets) in published.objects() {
                self.add(object, offsets.plus(distances));
            }
        }
        self
    }

    fn add(&mut self, object: ObjectId, offsets: Offsets) {
        self.objects.entry(object).and_modify(|own| *own = own.join(offsets)).or_insert(offsets);
    }

    /// The objects with their offsets.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, Offsets)> + '_ {
        self.objects.iter().map(|(&object, &offsets)| (object, offsets))
    }

    /// True if the word points to this object alone.
    #[must_use]
    pub fn is_to(&self, object: ObjectId) -> bool {
        !self.is_loaded() && self.objects.len() == 1 && self.objects.contains_key(&object)
    }

    /// True if the word points nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && !self.is_loaded()
    }

    /// Adds the places of another set.
    pub fn extend(&mut self, other: &Self) {
        self.loaded = match (self.loaded, other.loaded) {
            (Some(own), Some(other)) => Some(own.join(other)),
            (own, other) => own.or(other),
        };
        self.is_anywhere |= other.is_anywhere;
        for (object, offsets) in other.objects() {
            self.add(object, offsets);
        }
    }

    /// The places of both sets.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.extend(other);
        self
    }

    /// The places a known distance away.
    #[must_use]
    pub fn moved(&self, distance: i64) -> Self {
        self.map(|offsets| Offsets { first: offsets.first.wrapping_add(distance), ..offsets })
    }

    /// The places a multiple of `stride` away.
    #[must_use]
    pub fn strided(&self, stride: u64) -> Self {
        self.map(|offsets| Offsets { stride: gcd(offsets.stride, stride), ..offsets })
    }

    fn map(&self, change: impl Fn(Offsets) -> Offsets) -> Self {
        let objects = self.objects().map(|(object, offsets)| (object, change(offsets)));
        Self { objects: objects.collect(), loaded: self.loaded.map(change), is_anywhere: self.is_anywhere }
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_joined_to_the_widest_stride_that_has_both() {
        let joined = Offsets::one(4).join(Offsets::one(20)).join(Offsets { first: 12, stride: 24 });
        assert_eq!(joined, Offsets { first: 4, stride: 8 });
        assert_eq!(joined.within(32, 4).collect::<Vec<_>>(), [4, 12, 20, 28]);
        assert_eq!(joined.within(30, 4).collect::<Vec<_>>(), [4, 12, 20]);
        assert_eq!(Offsets::one(-4).within(32, 4).count(), 0);
        assert_eq!(Offsets { first: -4, stride: 8 }.within(16, 4).collect::<Vec<_>>(), [4, 12]);
    }
}
