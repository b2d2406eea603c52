//! The capabilities of each engine. Options, statistics and reports use these and compare no names.
//!
//! Tests: `tests/tests/cli.rs`.

use crate::system::Inputs;

/// The kinds of things that an engine explores one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// States, each once.
    States,
    /// Executions.
    Executions,
    /// Formulas with bounds on the executions that they have.
    Formulas,
}

/// A kind of capability that only some engines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Data races are violations.
    Races,
    /// Threads may have spurious wakeups.
    SpuriousWakeups,
    /// Clocks may pass.
    Clocks,
    /// Executions that are not sequentially consistent are violations.
    Robustness,
    /// Reads-from classes are counted.
    Classes,
    /// Reductions of the state space can be chosen.
    Reductions,
    /// Values of inputs can be chosen where they matter, or where the program asks for them.
    OpenInputs,
    /// Executions can be explored in order of preemptions, up to a bound.
    PreemptionOrder,
    /// Several workers explore at the same time.
    Workers,
    /// States can be kept in a file or as hashes, and searches be saved.
    StateStore,
    /// Loops can be followed up to a bound.
    LoopBound,
    /// Executions can be bounded by how their threads alternate and how their stores are delayed.
    ScheduleBounds,
    /// All violations and final states can be asked for.
    KeepGoing,
    /// Memory that is never freed can be a violation.
    Leaks,
    /// `--max-states` limits the number of states or events that are explored.
    StateLimit,
}

/// The capabilities of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The name of the engine on the command line and in reports.
    pub name: &'static str,
    /// The things that it explores.
    pub unit: Unit,
    /// True if stores reach memory by update events, false if by delayed flushing. Schedules differ.
    pub updates: bool,
    /// True if values of inputs are chosen only where they matter; schedules differ.
    pub defers_inputs: bool,
    /// True if texts that other threads may change are read in one order only; schedules differ.
    pub texts_in_order: bool,
    features: &'static [Feature],
}

impl Capabilities {
    /// True if the engine has this feature.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// When the engine chooses the values of inputs.
    #[must_use]
    pub const fn inputs(&self) -> Inputs {
        if self.defers_inputs { Inputs::Deferred } else { Inputs::Enumerated }
    }
}

/// The features of the stateless engines.
const STATELESS: &[Feature] = &[
    Feature::Robustness,
    Feature::Classes,
    Feature::LoopBound,
    Feature::KeepGoing,
    Feature::Leaks,
    Feature::StateLimit,
    Feature::OpenInputs,
];

/// The explicit engine, which explores every state once.
pub const EXPLICIT: Capabilities = Capabilities {
    name: "explicit",
    unit: Unit::States,
    updates: false,
    defers_inputs: true,
    texts_in_order: false,
    features: &[
        Feature::Races,
        Feature::SpuriousWakeups,
        Feature::Clocks,
        Feature::Reductions,
        Feature::OpenInputs,
        Feature::PreemptionOrder,
        Feature::Workers,
        Feature::StateStore,
        Feature::KeepGoing,
        Feature::Leaks,
        Feature::StateLimit,
    ],
};

/// Optimal-DPOR.
pub const DPOR: Capabilities = Capabilities {
    name: "dpor",
    unit: Unit::Executions,
    updates: true,
    defers_inputs: true,
    texts_in_order: false,
    features: STATELESS,
};

/// Source-DPOR.
pub const DPOR_SOURCE: Capabilities = Capabilities { name: "dpor-source", ..DPOR };

/// The reads-from engine, which explores one execution of each reads-from class.
pub const READS_FROM: Capabilities = Capabilities {
    name: "reads-from",
    unit: Unit::Executions,
    updates: true,
    defers_inputs: true,
    texts_in_order: false,
    features: &[
        Feature::Classes,
        Feature::Workers,
        Feature::LoopBound,
        Feature::KeepGoing,
        Feature::Leaks,
        Feature::StateLimit,
        Feature::OpenInputs,
    ],
};

/// The symbolic engine, which solves formulas with bounds.
pub const SYMBOLIC: Capabilities = Capabilities {
    name: "symbolic",
    unit: Unit::Formulas,
    updates: true,
    defers_inputs: false,
    texts_in_order: true,
    features: &[Feature::LoopBound, Feature::ScheduleBounds],
};

/// The engine that looks for attacks on robustness.
pub const ATTACKS: Capabilities = Capabilities {
    name: "attacks",
    unit: Unit::States,
    updates: true,
    defers_inputs: true,
    texts_in_order: false,
    features: &[Feature::Robustness, Feature::KeepGoing, Feature::StateLimit],
};

/// All engines.
pub const ALL: [Capabilities; 6] = [EXPLICIT, DPOR, DPOR_SOURCE, READS_FROM, SYMBOLIC, ATTACKS];

/// The engine with a name, if there is one.
#[must_use]
pub fn of(name: &str) -> Option<Capabilities> {
    ALL.into_iter().find(|engine| engine.name == name)
}

/// The names of the engines with a feature, e.g. `dpor or dpor-source`.
#[must_use]
pub fn names_with(feature: Feature) -> String {
    let names: Vec<_> = ALL.iter().filter(|engine| engine.has(feature)).map(|engine| engine.name).collect();
    names.join(" or ")
}
