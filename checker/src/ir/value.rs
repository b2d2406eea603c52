//! One 64-bit word of a value, with the bits that are uninitialised.
//!
//! LLVM has two kinds of undefinedness, and so has a word. Uninitialised bits are known one by one, and
//! masking them leaves a defined value. *Poison* (LLVM Language Reference 16, "Poison Values") is the result
//! of an operation that C leaves undefined: it makes every result that is computed from it poison, whatever
//! the other operand is, and nothing may depend on it.

/// The reasons for which a word is poison. Each reads as "the value is the result of ...".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
#[allow(clippy::missing_docs_in_private_items)] // `describe` says it in words
pub enum Poison {
    SignedOverflow = 1,
    UnsignedOverflow,
    Inexact,
    Shift,
    ZerosOfZero,
    LeastNumber,
    Conversion,
    Element,
    Range,
    FarPointer,
}

impl Poison {
    const ALL: [Self; 10] = [
        Self::SignedOverflow,
        Self::UnsignedOverflow,
        Self::Inexact,
        Self::Shift,
        Self::ZerosOfZero,
        Self::LeastNumber,
        Self::Conversion,
        Self::Element,
        Self::Range,
        Self::FarPointer,
    ];

    /// A short description for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::SignedOverflow => "an overflow of signed arithmetic (which wraps only with --cflags=-fwrapv)",
            Self::UnsignedOverflow => "an overflow that the compiler ruled out",
            Self::Inexact => "a division or a shift with a remainder that the compiler ruled out",
            Self::Shift => "a shift by as many bits as the number has, or more",
            Self::ZerosOfZero => "counting the leading or trailing zeros of 0",
            Self::LeastNumber => "the absolute value of the least number, which has none",
            Self::Conversion => "a conversion of a floating-point number to an integer type that cannot hold it",
            Self::Element => "an access to an element that the vector does not have",
            Self::Range => "a load of a value that its type does not have",
            Self::FarPointer => "pointer arithmetic that leaves its object far behind",
        }
    }
}

/// A word: `bits` is the value, a set bit in `undef` marks an uninitialised bit, whose bit in `bits` is 0.
///
/// Values narrower than 64 bits are kept zero-extended; bits above the width are defined zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The value, zero-extended.
    pub bits: u64,
    /// A mask of the uninitialised bits.
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

    /// The value with its byte number `at`, 0 the lowest, replaced by the lowest byte of another value.
    #[must_use]
    pub const fn with_byte(self, at: usize, other: Self) -> Self {
        let (byte, shift) = (0xFF << (8 * at), 8 * at);
        Self {
            bits: self.bits & !byte | other.bits << shift & byte,
            undef: self.undef & !byte | other.undef << shift & byte,
        }
    }

    /// The value without its lowest `at` bytes.
    #[must_use]
    pub const fn after_bytes(self, at: usize) -> Self {
        Self { bits: self.bits >> (8 * at), undef: self.undef >> (8 * at) }
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

    /// A poison word. Its pattern is one that no other word has: all bits are uninitialised, and some are
    /// set.
    #[must_use]
    pub const fn poison(why: Poison) -> Self {
        Self { bits: why as u64, undef: u64::MAX }
    }

    /// True if the word is poison.
    #[must_use]
    pub const fn is_poison(self) -> bool {
        self.undef == u64::MAX && self.bits != 0
    }

    /// The reason for which the word is poison, if it is.
    #[must_use]
    pub fn why_poison(self) -> Option<Poison> {
        Poison::ALL.into_iter().find(|&why| self == Self::poison(why))
    }

    /// The first of these words that is poison.
    #[must_use]
    pub fn poison_of(words: &[Self]) -> Option<Self> {
        words.iter().copied().find(|word| word.is_poison())
    }

    /// True if every bit is initialised.
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
