//! Bounds on loops that grow by and by.
//!
//! A loop that has an effect in each round can go on for ever, and then so does one execution, below which
//! the exploration would stay. So when an execution gets longer
//! than [`LONGEST`], and no bound was asked for (`--unroll`), the exploration starts over with a bound on the
//! turns of loops. When all executions within it are explored and some were cut off, it starts over with
//! twice the bound, until none is: then all executions were explored, and the bound makes no difference. What
//! goes wrong within a bound goes wrong without one. If a limit ends the exploration before, nothing is
//! claimed, and the statistics say how far it went.
//!
//! The last exploration takes about as long as all before it if their times double, too.
//!
//! Tests: `tests/programs/awaits/deepening.c`.

use super::search::Search;

/// Events of an execution without a bound.
pub(super) const LONGEST: usize = 20_000;
/// The first bound.
const FIRST: u32 = 4;

/// How often a thread may go round in a loop.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turns {
    /// Without a bound.
    Any,
    /// As often as was asked for.
    Asked(u32),
    /// So often in this exploration.
    Now(u32),
}

impl Turns {
    /// As often as is asked for, if it is.
    pub(super) fn asked(unroll: Option<u32>) -> Self {
        unroll.map_or(Self::Any, Self::Asked)
    }

    /// The bound, if there is one.
    pub(super) const fn bound(self) -> Option<u32> {
        match self {
            Self::Any => None,
            Self::Asked(bound) | Self::Now(bound) => Some(bound),
        }
    }

    /// The bound of the next exploration.
    #[must_use]
    pub(super) const fn raised(self) -> Self {
        match self {
            Self::Any => Self::Now(FIRST),
            Self::Asked(bound) => Self::Asked(bound),
            Self::Now(bound) => Self::Now(bound.saturating_mul(2)),
        }
    }
}

impl Search<'_> {
    /// Whether the exploration is to start over because an execution is too long.
    pub(super) fn is_too_long(&self) -> bool {
        matches!(self.turns, Turns::Any) && self.execution.len() > LONGEST
    }

    /// Whether the exploration, which came to its end, is to start over with a higher bound.
    pub(super) fn is_to_go_on(&self) -> bool {
        let is_own = matches!(self.turns, Turns::Now(_));
        is_own && self.was_cut && self.stopped.is_none() && !self.findings.is_enough()
    }
}
