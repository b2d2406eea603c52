//! The promises of instructions of the register code about their operands. If a promise does not hold, the
//! result is poison.
//!
//! The table in [`super::load`]'s `promises.rs` says which of LLVM's promises become these.

/// The promises about an operation's operands; if one does not hold, the result is poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises(u8);

impl Promises {
    /// No promise.
    pub const NONE: Self = Self(0);
    /// The result does not overflow as a signed number (`nsw`).
    pub const SIGNED: Self = Self(1);
    /// The result does not overflow as an unsigned number (`nuw`).
    pub const UNSIGNED: Self = Self(2);
    /// The division has no remainder, the right shift loses no set bit (`exact`).
    pub const EXACT: Self = Self(4);

    /// The promises of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if these include all of `other`.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if there is no promise.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The allowed range of the result of pointer arithmetic; any other result is poison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Every result is allowed.
    None,
    /// Every result is allowed, but the distance must not overflow: a part of a sum that is `inbounds`.
    Distance,
    /// The result must be near the address it starts from, see [`super::address::is_near`]: `inbounds`.
    Near,
}
