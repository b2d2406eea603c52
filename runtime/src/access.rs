//! Byte ranges inside one object, and the values they hold, with an undefined bit for every bit.
//!
//! Contract: an [`Access`] has 1 to 16 bytes. [`Bytes`] is little endian: the byte at the lowest offset is
//! the lowest byte.

/// The widest access, in bytes.
pub const MAX_ACCESS: u8 = 16;

/// A range of `len` bytes (1 to [`MAX_ACCESS`]) at byte `offset` of object `object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Name of the object; two objects never share a byte.
    pub object: u32,
    /// First byte.
    pub offset: u32,
    /// Number of bytes, 1 to 16.
    pub len: u8,
}

impl Access {
    /// The offset one past the last byte. It is a u64 because an object may end at the very top of the
    /// offsets.
    pub fn end(self) -> u64 {
        u64::from(self.offset) + u64::from(self.len)
    }

    /// True if the two ranges share a byte.
    #[inline]
    pub fn overlaps(self, other: Access) -> bool {
        self.object == other.object && u64::from(self.offset) < other.end() && u64::from(other.offset) < self.end()
    }

    /// True if every byte of `other` is in this range.
    #[inline]
    pub fn covers(self, other: Access) -> bool {
        self.object == other.object && self.offset <= other.offset && other.end() <= self.end()
    }
}

/// A value of up to 16 bytes, little endian. The width is that of the access it belongs to.
///
/// Invariants: bits at and above 8 times the width are zero in both fields; a bit set in `undef` is
/// uninitialised, and is zero in `bits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytes {
    /// The value.
    pub bits: u128,
    /// A mask of the uninitialised bits.
    pub undef: u128,
}

impl Bytes {
    /// A fully initialised value; `bits` must fit the width it is used with.
    pub const fn defined(bits: u128) -> Self {
        Bytes { bits, undef: 0 }
    }

    /// `len` uninitialised bytes.
    pub const fn uninitialised(len: u8) -> Self {
        Bytes { bits: 0, undef: low_bytes(len) }
    }

    /// Ones in all bits of `len` bytes.
    pub const fn all_ones(len: u8) -> u128 {
        low_bytes(len)
    }

    /// The value of the range `at` after a store of `value` to the range `from`: the common bytes are
    /// replaced.
    #[must_use]
    pub fn overlaid(self, at: Access, value: Bytes, from: Access) -> Bytes {
        if !at.overlaps(from) {
            return self;
        }
        // Both shifts are below 128 bits, since the ranges overlap and have at most 16 bytes.
        let (mask, bits, undef) = if from.offset >= at.offset {
            let up = 8 * (from.offset - at.offset);
            (low_bytes(from.len) << up, value.bits << up, value.undef << up)
        } else {
            let down = 8 * (at.offset - from.offset);
            (low_bytes(from.len) >> down, value.bits >> down, value.undef >> down)
        };
        let mask = mask & low_bytes(at.len);
        Bytes { bits: self.bits & !mask | bits & mask, undef: self.undef & !mask | undef & mask }
    }
}

/// Ones in the lowest `len` bytes.
const fn low_bytes(len: u8) -> u128 {
    if len >= MAX_ACCESS { u128::MAX } else { (1 << (8 * len as u32)) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: u32, len: u8) -> Access {
        Access { object: 0, offset, len }
    }

    #[test]
    fn overlaying_moves_exactly_the_shared_bytes() {
        let old = Bytes::defined(0x4444_3333_2222_1111);
        let new = Bytes { bits: 0x00aa, undef: 0xff00 };
        assert_eq!(old.overlaid(at(8, 8), new, at(10, 2)), Bytes { bits: 0x4444_3333_00aa_1111, undef: 0xff00_0000 });
        assert_eq!(old.overlaid(at(8, 8), new, at(7, 2)), Bytes { bits: 0x4444_3333_2222_1100, undef: 0xff });
        assert_eq!(old.overlaid(at(8, 8), new, at(15, 2)), Bytes { bits: 0xaa44_3333_2222_1111, undef: 0 });
        assert_eq!(old.overlaid(at(8, 8), new, at(16, 2)), old);
        assert_eq!(old.overlaid(at(0, 16), Bytes::defined(u128::MAX), at(0, 16)), Bytes::defined(u128::MAX));
    }

    #[test]
    fn ranges_at_the_top_of_an_object_do_not_wrap() {
        let top = at(u32::MAX, 4);
        assert!(top.covers(at(u32::MAX, 1)) && top.overlaps(at(u32::MAX - 3, 4)));
        assert!(!top.overlaps(at(0, 16)));
    }
}
