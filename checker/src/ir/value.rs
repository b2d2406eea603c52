//! One 64-bit word of a value, with the bits that are uninitialised.

/// A word: `bits` is the value, a set bit in `undef` marks an uninitialised bit, whose bit in `bits` is 0.
///
/// Values narrower than 64 bits are kept zero-extended; bits above the width are defined zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The value, zero-extended.
    pub bits: u64,
    /// Which bits are uninitialised.
    pub undef: u64,
}

impl Value {
    /// Zero.
    pub const ZERO: Self = Self { bits: 0, undef: 0 };

    /// A defined value.
    #[must_use]
    pub const fn new(bits: u64) -> Self {
        Self { bits, undef: 0 }
    }

    /// A wholly uninitialised value of `width` bits.
    #[must_use]
    pub const fn undefined(width: u32) -> Self {
        Self { bits: 0, undef: mask(width) }
    }

    /// A value with some uninitialised bits, normalised and cut to `width` bits.
    #[must_use]
    pub const fn partial(bits: u64, undef: u64, width: u32) -> Self {
        let undef = undef & mask(width);
        Self { bits: bits & mask(width) & !undef, undef }
    }

    /// Whether every bit is initialised.
    #[inline]
    #[must_use]
    pub const fn is_defined(self) -> bool {
        self.undef == 0
    }
}

/// The lowest `width` bits (0 to 64) set.
#[inline]
#[must_use]
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// `bits` of `width` bits as a signed number.
#[inline]
#[must_use]
pub const fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    (bits << shift).cast_signed() >> shift
}
