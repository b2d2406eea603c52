//! Bounds on loops that grow from search to search.
//!
//! A loop with an effect in each round can go on for ever. One execution is then endless, and the search
//! would never leave it. So when an execution gets longer than [`MOST_EVENTS`], and no bound was asked for
//! (`--unroll`), the search starts over with a bound on the turns of loops. When all executions within the
//! bound are explored and some were cut off, it starts over with twice the bound. When none is cut off, all
//! executions were explored, and the bound makes no difference. A violation within a bound is a violation
//! without one. If a limit ends the search before, nothing is claimed, and the statistics report its
//! progress.
//!
//! The last search takes about as long as all before it if their times double, too.
//!
//! Tests: `tests/programs/awaits/deepening.c`.

/// The maximal number of events of an execution without a bound.
pub const MOST_EVENTS: usize = 20_000;
/// The maximal number of events of an execution in a search that ends there, since another engine may answer
/// sooner.
pub const FEW_EVENTS: usize = 4_000;
/// The first bound.
const FIRST: u32 = 4;

/// The kinds of bounds on the turns of a thread in a loop.
#[derive(Clone, Copy, Debug)]
pub enum LoopBound {
    /// There is no bound.
    Unbounded,
    /// The bound was asked for.
    Asked(u32),
    /// The bound of this search, which starts over with a higher bound if this one cuts off an execution.
    Deepening(u32),
}

impl LoopBound {
    /// The bound that was asked for, if one was.
    pub fn asked(unroll: Option<u32>) -> Self {
        unroll.map_or(Self::Unbounded, Self::Asked)
    }

    /// The bound, if there is one.
    pub const fn bound(self) -> Option<u32> {
        match self {
            Self::Unbounded => None,
            Self::Asked(bound) | Self::Deepening(bound) => Some(bound),
        }
    }

    /// The bound of the next search.
    #[must_use]
    pub const fn raised(self) -> Self {
        match self {
            Self::Unbounded => Self::Deepening(FIRST),
            Self::Asked(bound) => Self::Asked(bound),
            Self::Deepening(bound) => Self::Deepening(bound.saturating_mul(2)),
        }
    }

    /// True if the search is to start over because an execution has so many events.
    pub const fn is_exceeded_by(self, events: usize) -> bool {
        matches!(self, Self::Unbounded) && events > MOST_EVENTS
    }

    /// True if a search that ended is to start over with a higher bound if it cut off an execution.
    pub const fn is_deepening(self) -> bool {
        matches!(self, Self::Deepening(_))
    }
}
