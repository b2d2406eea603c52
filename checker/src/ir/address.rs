//! Addresses: a pointer is an object and an offset, packed into the 47 bits that user-space addresses have.
//!
//! ```text
//!  63      47 46     40 39        26 25          0
//! |  0       | owner   | index      | offset     |
//! ```
//!
//! *owner* 0 holds globals and functions, owner t+1 holds the objects that thread t allocates; *index* counts
//! from 1 within the owner, lowest free name first, so that no object is named after the schedule. Every
//! object has 64 MiB of address space to itself and may be 32 MiB large, so that a pointer that leaves its
//! object by less than that never reaches another one: bounds are exact. Since a pointer is a plain number,
//! casts to integers, tag bits in the low or the upper 16 bits and byte-wise copies work as on real hardware.
//! Hard limits: 126 threads at a time, 16,383 objects of one owner.

use std::fmt;

/// Bits of the offset.
pub const OFFSET_BITS: u32 = 26;
/// Bits of the index.
pub const INDEX_BITS: u32 = 14;
/// Bits of the owner.
pub const OWNER_BITS: u32 = 7;
/// The largest object, in bytes.
pub const MAX_OBJECT: u64 = 1 << (OFFSET_BITS - 1);
/// The largest number of objects of an owner.
pub const MAX_INDEX: u32 = (1 << INDEX_BITS) - 1;
/// The largest number of threads at a time.
pub const MAX_THREADS: usize = (1 << OWNER_BITS) - 2;
/// Words of a page: the unit in which the content of objects is stored and shared between states. In a
/// smaller page, less data of different threads shares one component: with 256 bytes philosophers has 600,000
/// nodes of trees where it has 216,000 with 64.
pub const PAGE_WORDS: usize = 8;
/// Bytes of a page.
pub const PAGE_BYTES: u32 = 64;

/// The name of a memory object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// Object `index` (from 1) of an owner.
    #[must_use]
    pub const fn new(owner: u32, index: u32) -> Self {
        Self(owner << INDEX_BITS | index)
    }

    /// The object of global number `at`.
    #[must_use]
    pub fn global(at: usize) -> Self {
        Self(u32::try_from(at).expect("few globals") + 1)
    }

    /// The object that stands for function number `at`.
    #[must_use]
    pub fn function(at: usize, globals: usize) -> Self {
        Self::global(at + globals)
    }

    /// The number of the global, if the owner is 0.
    #[must_use]
    pub const fn global_index(self) -> Option<usize> {
        if self.owner() == 0 && self.index() > 0 { Some(self.index() as usize - 1) } else { None }
    }

    /// The number of the function, if the object comes after those of the globals.
    #[must_use]
    pub const fn function_index(self, globals: usize) -> Option<usize> {
        match self.global_index() {
            Some(at) if at >= globals => Some(at - globals),
            _ => None,
        }
    }

    /// The owner: 0 for globals and functions, t+1 for thread t.
    #[must_use]
    pub const fn owner(self) -> u32 {
        self.0 >> INDEX_BITS
    }

    /// The index within the owner.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0 & MAX_INDEX
    }

    /// The address of byte `offset`.
    #[must_use]
    pub const fn address(self, offset: u32) -> u64 {
        (self.0 as u64) << OFFSET_BITS | offset as u64
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.owner(), self.index())
    }
}

/// Splits an address into object and offset; `None` if it is no user-space address (null page included).
#[inline]
#[must_use]
pub const fn split(address: u64) -> Option<(ObjectId, u32)> {
    if address >> (OFFSET_BITS + INDEX_BITS + OWNER_BITS) != 0 || address >> OFFSET_BITS == 0 {
        return None;
    }
    Some((ObjectId((address >> OFFSET_BITS) as u32), (address & ((1 << OFFSET_BITS) - 1)) as u32))
}

/// True if two addresses are near the same object: within it, or at most [`MAX_OBJECT`] before or behind it,
/// so that neither can be in another object.
#[inline]
#[must_use]
pub const fn is_near(a: u64, b: u64) -> bool {
    const BEFORE: u64 = MAX_OBJECT - 1;
    a.wrapping_add(BEFORE) >> OFFSET_BITS == b.wrapping_add(BEFORE) >> OFFSET_BITS
}

/// The object that a word points to when it is taken for a pointer, tag bits included, if it is an address at
/// all.
#[must_use]
pub const fn pointee(word: u64) -> Option<ObjectId> {
    match split(word & ((1 << (OFFSET_BITS + INDEX_BITS + OWNER_BITS)) - 1)) {
        Some((object, _)) => Some(object),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_address_is_its_object_and_offset(
            owner in 0..1_u32 << OWNER_BITS,
            index in 1..=MAX_INDEX,
            offset in 0..1_u32 << OFFSET_BITS,
            tag in any::<u16>(),
        ) {
            let object = ObjectId::new(owner, index);
            let address = object.address(offset);
            prop_assert_eq!((object.owner(), object.index()), (owner, index));
            prop_assert_eq!(split(address), Some((object, offset)));
            prop_assert_eq!(address >> 47, 0, "a user-space address");
            prop_assert_eq!(pointee(address | u64::from(tag) << 48), Some(object), "tag bits are none of it");
        }

        #[test]
        fn what_is_split_is_an_address(word in any::<u64>(), shift in 0..64_u32) {
            let word = word >> shift;
            match split(word) {
                Some((object, offset)) => prop_assert_eq!(object.address(offset), word),
                None => prop_assert!(word < 1 << OFFSET_BITS || word >> 47 != 0),
            }
        }

        /// Property: the addresses near an object are not near any other object.
        #[test]
        fn near_addresses_are_of_one_object(
            object in 1..1_u32 << (OWNER_BITS + INDEX_BITS),
            other in 1..1_u32 << (OWNER_BITS + INDEX_BITS),
            offset in 0..MAX_OBJECT as u32,
            distance in 1..MAX_OBJECT,
        ) {
            let base = ObjectId(object).address(0);
            let address = ObjectId(object).address(offset);
            prop_assert!(is_near(base, address) && is_near(base, base - distance + 1) && is_near(base, base + distance));
            prop_assert_eq!(is_near(base, ObjectId(other).address(offset)), object == other);
        }
    }
}
