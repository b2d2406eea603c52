//! The bounds of a run, and how they grow.
//!
//! Each level is a formula of its own, with a solver of its own. More turns make other events, and more times
//! wider terms, so only levels that differ in rounds alone could share clauses: the formula of the most
//! rounds, and assumptions that nothing happens in the later ones. Measured with 2, 3, 4, 5 and 7 rounds, 2
//! turns and 2 times, seconds for all five, apart and with assumptions:
//!
//! | program | SC | TSO |
//! |---|---|---|
//! | `symbolic/bounded_stack.c` | 15.0, 5.7 | 36.8, 27.1 |
//! | `mutex/peterson.c -DFENCE` | 0.15, 0.10 | 1.17, 0.77 |
//! | `locks/ticket.c` | 0.21, 0.09 | 0.52, 0.35 |
//!
//! All of these find nothing. With 2 and 3 rounds, where most violations are, sharing was slower under TSO
//! for the stack (2.1 s against 1.5), since the formula is that of 7 rounds. And between levels that differ
//! in rounds alone [`LEVELS`] has others. So it is left out: it would help only where the answer is
//! `unknown`.

use rmc_runtime::Model;

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
    /// The bits of inputs and of numbers in memory of at most 32 bits, if they are bounded.
    pub width: Option<u32>,
}

/// The bounds that the user asked for, as in [`Bounds`]. The others grow.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct Asked {
    pub unroll: Option<u32>,
    pub rounds: Option<u32>,
    pub max_clock: Option<u32>,
    pub writes: Option<u32>,
    pub width: Option<u32>,
}

/// How bounds grow: turns of loops, rounds, and the number of times and of writes.
///
/// Times and writes cost most, and few violations need many: the source (FMCAD 2016, section VI) finds all of
/// its ones with 2 and 3. So deeper executions with few of them come first, and then less deep ones with
/// more.
const LEVELS: [(u32, u32, u32); 9] =
    [(1, 2, 2), (2, 3, 2), (2, 3, 3), (3, 4, 2), (4, 5, 2), (3, 4, 4), (6, 7, 2), (4, 5, 5), (6, 7, 6)];

impl Asked {
    /// The bounds of all levels, none of them twice, in order. Under SC no store is delayed.
    pub fn levels(self, model: Model) -> Vec<Bounds> {
        let mut levels = Vec::new();
        for (unroll, rounds, delays) in LEVELS {
            let delays = if model == Model::Sc { LEVELS[0].2 } else { delays };
            let bounds = Bounds {
                unroll: self.unroll.unwrap_or(unroll),
                rounds: self.rounds.unwrap_or(rounds),
                max_clock: self.max_clock.unwrap_or(delays),
                writes: self.writes.unwrap_or(delays),
                width: self.width,
            };
            if !levels.contains(&bounds) {
                levels.push(bounds);
            }
        }
        levels
    }

    /// True if each of these bounds that was not asked for, and that matters, is larger than it was `before`.
    #[must_use]
    pub fn are_all_larger(&self, bounds: Bounds, before: Bounds, model: Model) -> bool {
        let is_larger = |asked: Option<u32>, now, before| asked.is_some() || now > before;
        let are_delays_larger = || {
            is_larger(self.max_clock, bounds.max_clock, before.max_clock)
                && is_larger(self.writes, bounds.writes, before.writes)
        };
        is_larger(self.unroll, bounds.unroll, before.unroll)
            && is_larger(self.rounds, bounds.rounds, before.rounds)
            && (model == Model::Sc || are_delays_larger())
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unroll, rounds, max_clock, writes, width } = self;
        write!(f, "--unroll {unroll} --rounds {rounds} --max-clock {max_clock} --writes {writes}")?;
        width.map_or(Ok(()), |width| write!(f, " --width {width}"))
    }
}
