//! The configuration of a run: the memory model, and the options that change which steps exist.

use clap::ValueEnum;
use rmc_runtime::{Model, OrderRules};
use serde::{Deserialize, Serialize};

use crate::hash::FxHashSet;
use crate::ir::ids::{FuncId, Pc};
use crate::property::{Formula, Property};
use crate::system::observe::guards::Guards;
use crate::system::reductions::{Reduction, Reductions};

/// The kinds of heap objects that must be freed. A leak of any other object is no violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Leaks {
    /// None.
    #[default]
    #[value(skip)]
    Ignored,
    /// Memory that no pointer leads to any more; memory that is still reachable at the end is no leak
    Lost,
    /// All memory that is not freed, also memory that is still reachable when the process ends
    All,
}

/// The clocks that the program reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Clocks {
    /// They stand still, and a program that reads one is not proved
    #[default]
    Stand,
    /// They go on by any amount between readings
    Pass,
}

/// When the values of nondeterministic inputs are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inputs {
    /// Where the program asks for them: a step for each value.
    #[default]
    Enumerated,
    /// Where the program tells values apart (`inputs/`).
    Deferred,
    /// Before the step: the schedule has them ([`crate::outcome::ScheduleStep::inputs`]).
    Given,
}

/// The options of the transition system.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The memory model, and the meaning of memory orders in it.
    pub rules: OrderRules,
    /// The maximal number of delayed stores of a thread; 0 is unbounded.
    pub buffer_bound: usize,
    /// True if an engine may choose a larger bound.
    pub bound_grows: bool,
    /// True if the search ends when a buffer is full. It is then repeated in another way. Set by the engine.
    pub ends_when_full: bool,
    /// The reductions in use. Stateless engines can only switch [`Reduction::Private`] and
    /// [`Reduction::Inputs`]; they always behave as if the others that apply to them were on (see
    /// [`Reductions::of_stateless`]).
    pub reductions: Reductions,
    /// True if the conventions of the software verification competition hold: atomic sections, assumptions,
    /// nondeterministic values.
    pub svcomp: bool,
    /// The heap objects that must be freed.
    pub leaks: Leaks,
    /// The property that is checked. Other faults are no violations of it.
    pub property: Property,
    /// The values to try where the type of a nondeterministic value has too many of them.
    pub nondet_range: Option<DataRange>,
    /// The clocks.
    pub clocks: Clocks,
    /// The number of processors that the program finds, if one is given.
    pub processors: Option<u32>,
    /// When the values of inputs are chosen. Set by the engine.
    pub inputs: Inputs,
    /// True if data races are violations.
    pub races: bool,
    /// True if threads may wake up from waiting at a condition variable or futex without having been woken.
    pub spurious_wakeups: bool,
    /// True if every allocation may fail.
    pub malloc_may_fail: bool,
    /// True if stores reach memory by update events that the engine takes, false if by delayed flushing.
    pub updates: bool,
    /// True if executions are judged by the order of their accesses, and not only by their results. Set by
    /// the engine.
    pub robustness: bool,
    /// True if it matters which store each read-modify-write reads, even where its result is not needed. Set
    /// by the engine.
    pub reads_from: bool,
    /// True if the number of a thread that ended without being joined is never reused. With update events it
    /// never is in any case.
    pub keeps_numbers: bool,
    /// True if the end of each thread may be looked at, although no function asks for it: an atomic section
    /// that waits for a thread tells whether it has ended. Set where an engine meets one.
    pub sees_ends: bool,
    /// True if every distinct violation is wanted, so that one must not keep others from happening.
    pub all_violations: bool,
    /// True if the globals are recorded when the process ends.
    pub final_states: bool,
    /// The guards that keep other threads away from words of memory. Set by the engine, which infers them.
    pub guards: &'static Guards,
    /// With update events, the copies whose pieces are loaded in any order. The pieces of other copies are
    /// loaded first to last. `None` stands for all copies. Set by the engine, which finds them: see
    /// `bulk/group.rs`.
    pub contested: Option<&'static FxHashSet<(FuncId, Pc)>>,
    /// True if functions that read texts do so byte by byte, first to last, also where other threads may
    /// change them: one of the orders that are possible. Set by the engine.
    pub texts_in_order: bool,
}

/// A range of whole numbers, both ends included. Its text form is `MIN..MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRange {
    /// The least.
    pub min: i128,
    /// The greatest.
    pub max: i128,
}

impl DataRange {
    /// The maximal number of values of a range on the command line. More could not be explored anyway.
    pub const MOST_VALUES: i128 = 1 << 24;
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
            count if count > Self::MOST_VALUES => {
                Err(format!("the range {range} has more than {} values", Self::MOST_VALUES))
            }
            _ => Ok(range),
        }
    }
}

impl Config {
    /// The default bound for the delayed stores of a thread.
    pub const BUFFER_BOUND: usize = 32;

    /// True if values of inputs may be chosen late. False where the values at the end of an execution, or its
    /// loads and stores, are compared with those of others. Where inputs are open, final states are not asked
    /// for ([`leave_final_states_open`](crate::system::leave_final_states_open)).
    #[must_use]
    pub fn may_defer_inputs(&self) -> bool {
        self.reduces(Reduction::Inputs) && !self.final_states && !self.robustness
    }

    /// True if a reduction is on.
    #[inline]
    #[must_use]
    pub const fn reduces(&self, by: Reduction) -> bool {
        self.reductions.has(by)
    }

    /// Sets the property to check, and switches on everything that it needs.
    pub fn check(&mut self, property: Property) {
        self.property = property;
        if property.has(Formula::ValidMemcleanup) {
            self.leaks = Leaks::All;
        } else if property.has(Formula::ValidMemtrack) {
            self.leaks = Leaks::Lost;
        }
        self.races |= property.has(Formula::NoDataRace);
    }

    /// True if one violation answers everything that is asked for. Otherwise further violations, final states
    /// or leaks are wanted, too.
    #[must_use]
    pub fn is_settled_by_one(&self) -> bool {
        let wants_more = self.final_states || self.all_violations;
        !wants_more && !self.property.is_some() && self.leaks == Leaks::Ignored
    }

    /// The memory model.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.rules.model
    }
}
