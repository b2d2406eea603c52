//! What a run is about: the memory model and the options that change which steps exist.

use clap::ValueEnum;
use rmc_runtime::{Model, OrderRules};
use serde::{Deserialize, Serialize};

use crate::hash::FxHashSet;
use crate::ir::ids::{FuncId, Pc};
use crate::property::{Formula, Property};
use crate::system::observe::guards::Guards;
use crate::system::reductions::{Reduction, Reductions};

/// Which heap objects must be freed: a leak of another one is no violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Leaks {
    /// None.
    #[default]
    #[value(skip)]
    Ignored,
    /// Memory that nothing leads to any more; what is still reachable when the process ends is no leak
    Lost,
    /// All memory, also what is still reachable when the process ends
    All,
}

/// Options of the transition system.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The memory model and what memory orders mean in it.
    pub rules: OrderRules,
    /// Delayed stores a thread may have; 0 is unbounded.
    pub buffer_bound: usize,
    /// Whether an engine may choose a larger bound.
    pub bound_grows: bool,
    /// Whether the search ends where a buffer is full, to be made again in another way. Set by the engine.
    pub ends_when_full: bool,
    /// What is left out because it shows nothing new. Stateless engines know only [`Reduction::Private`], and
    /// take the others for given.
    pub reductions: Reductions,
    /// The conventions of the software verification competition: atomic sections, assumptions,
    /// nondeterministic values.
    pub svcomp: bool,
    /// Which heap objects must be freed.
    pub leaks: Leaks,
    /// The property that is checked; what else goes wrong is no violation of it.
    pub property: Property,
    /// The values to try where a nondeterministic value has a type with too many of them.
    pub nondet_range: Option<DataRange>,
    /// Data races are violations.
    pub races: bool,
    /// Threads may wake up from waiting at a condition variable or futex though nobody woke them.
    pub spurious_wakeups: bool,
    /// Whether every allocation may fail.
    pub malloc_may_fail: bool,
    /// Stores reach memory by update events that the engine takes, not by delayed flushing.
    pub updates: bool,
    /// Executions are judged by the order of their accesses, not only by what they lead to. Set by the
    /// engine.
    pub robustness: bool,
    /// The number of a thread that ended without being joined is not given to another one. With update events
    /// it never is.
    pub keeps_numbers: bool,
    /// Observe the globals when the process ends.
    pub final_states: bool,
    /// What keeps other threads away from words of memory. Set by the engine, which finds out.
    pub guards: &'static Guards,
    /// With update events, the copies whose pieces are loaded in any order rather than first to last; `None`:
    /// all. Set by the engine, which finds out: see `bulk/group.rs`.
    pub contested: Option<&'static FxHashSet<(FuncId, Pc)>>,
}

/// A range of whole numbers, both ends included; written `MIN..MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRange {
    /// The least.
    pub min: i128,
    /// The greatest.
    pub max: i128,
}

impl DataRange {
    /// Values a range on the command line may have: more could not be tried anyway.
    pub const MOST: i128 = 1 << 24;
}

impl std::fmt::Display for DataRange {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}..{}", self.min, self.max)
    }
}

impl std::str::FromStr for DataRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once("..").and_then(|(min, max)| Some((min.parse::<i64>().ok()?, max.parse::<i64>().ok()?)));
        let (min, max) = parts.ok_or_else(|| "a range is MIN..MAX, two whole numbers, both included".to_owned())?;
        let range = Self { min: min.into(), max: max.into() };
        match range.max - range.min + 1 {
            ..=0 => Err(format!("the range {range} is empty: MIN..MAX, both included")),
            count if count > Self::MOST => Err(format!("the range {range} has more than {} values", Self::MOST)),
            _ => Ok(range),
        }
    }
}

impl Config {
    /// Delayed stores a thread may have at first, if nothing else is asked for.
    pub const BUFFER_BOUND: usize = 32;

    /// Whether a reduction is on.
    #[inline]
    #[must_use]
    pub const fn reduces(&self, by: Reduction) -> bool {
        self.reductions.has(by)
    }

    /// Checks this property, with everything that it needs.
    pub fn check(&mut self, property: Property) {
        self.property = property;
        if property.has(Formula::ValidMemcleanup) {
            self.leaks = Leaks::All;
        } else if property.has(Formula::ValidMemtrack) {
            self.leaks = Leaks::Lost;
        }
        self.races |= property.has(Formula::NoDataRace);
    }

    /// Whether nothing else is asked for once the process went wrong in one way: neither other ways, nor what
    /// else a property is about, nor what was lost.
    #[must_use]
    pub fn is_settled_by_one(&self) -> bool {
        !self.final_states && !self.property.is_some() && self.leaks == Leaks::Ignored
    }

    /// The memory model.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.rules.model
    }
}
