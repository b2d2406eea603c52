//! What a run is about: the memory model and the options that change which steps exist.

use clap::ValueEnum;
use rmc_runtime::{Model, OrderRules};
use serde::{Deserialize, Serialize};

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
    /// Treat memory whose address no other thread can know as private (Štill and Barnat, ICFEM 2018, "Dynamic Local Memory Detection").
    pub detect_local: bool,
    /// The conventions of the software verification competition: atomic sections, assumptions, nondeterministic values.
    pub svcomp: bool,
    /// Which heap objects must be freed.
    pub leaks: Leaks,
    /// Observe the globals when the process ends.
    pub final_states: bool,
}

impl Config {
    /// The memory model.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.rules.model
    }
}
