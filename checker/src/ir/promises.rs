//! What instructions of the register code promise of their operands; where a promise does not hold the result
//! is poison.
//!
//! Which of LLVM's promises become these is in the table of [`super::load`]'s `promises.rs`.

/// What the compiler knows of an operation's operands; where it is not so the result is poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises(u8);

impl Promises {
    /// Nothing is known.
    pub const NONE: Self = Self(0);
    /// The result does not overflow as a signed number (`nsw`).
    pub const SIGNED: Self = Self(1);
    /// The result does not overflow as an unsigned number (`nuw`).
    pub const UNSIGNED: Self = Self(2);
    /// The division has no remainder, the right shift loses no set bit (`exact`).
    pub const EXACT: Self = Self(4);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are among these.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing is known.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Where the result of pointer arithmetic may be; anywhere else it is poison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Anywhere.
    None,
    /// Anywhere, but the distance must not overflow: a part of a sum that is `inbounds`.
    Distance,
    /// About where the address it starts from is, see [`super::address::is_near`]: `inbounds`.
    Near,
}
