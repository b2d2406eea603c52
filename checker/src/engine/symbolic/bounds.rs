//! The bounds of a run, and how they grow.

/// The bounds of one formula. Each limits the executions that the formula has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Turns of a loop that depend on unknown values, after its first pass.
    pub unroll: u32,
    /// Rounds, in each of which every thread runs once.
    pub rounds: u32,
    /// The number of different times at which delayed stores reach memory, and one.
    pub max_clock: u32,
    /// The writes that a place of memory remembers: the current value, and delayed ones.
    pub writes: u32,
}

/// The bounds that the user asked for, as in [`Bounds`]. The others grow.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct Asked {
    pub unroll: Option<u32>,
    pub rounds: Option<u32>,
    pub max_clock: Option<u32>,
    pub writes: Option<u32>,
}

/// The last level of bounds.
pub const LAST_LEVEL: u32 = 6;

impl Asked {
    /// The bounds of a level, from 1. Those of delayed stores grow half as fast, since they cost most, and few
    /// violations need many: the source (FMCAD 2016, section VI) finds all of its ones with 2 and 3.
    #[must_use]
    pub fn at(&self, level: u32) -> Bounds {
        Bounds {
            unroll: self.unroll.unwrap_or(level),
            rounds: self.rounds.unwrap_or(level + 1),
            max_clock: self.max_clock.unwrap_or(2 + level / 2),
            writes: self.writes.unwrap_or(2 + level / 2),
        }
    }

    /// True if the bounds of a level are those of the level before.
    #[must_use]
    pub fn is_same(&self, level: u32) -> bool {
        level > 1 && self.at(level) == self.at(level - 1)
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unroll, rounds, max_clock, writes } = self;
        write!(f, "--unroll {unroll} --rounds {rounds} --max-clock {max_clock} --writes {writes}")
    }
}
