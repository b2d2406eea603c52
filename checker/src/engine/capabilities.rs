//! What each engine can do. Options, statistics and reports ask this and compare no names.
//!
//! Tests: `tests/tests/cli.rs`.

/// What an engine goes through one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// States, each once.
    States,
    /// Executions.
    Executions,
}

/// Something that only some engines can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Data races are violations.
    Races,
    /// Threads wake up for no reason.
    SpuriousWakeups,
    /// Executions that are not sequentially consistent are violations.
    Robustness,
    /// Reductions of the state space can be chosen.
    Reductions,
    /// Several workers explore at the same time.
    Workers,
    /// States can be kept in a file or as hashes, and searches be saved.
    StateStore,
    /// Loops can be followed up to a bound.
    LoopBound,
}

/// An engine as others see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// What it goes through.
    pub unit: Unit,
    /// Whether stores reach memory by update events, rather than by delayed flushing; schedules differ.
    pub updates: bool,
    features: &'static [Feature],
}

impl Capabilities {
    /// Whether the engine can do this.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }
}

/// What the stateless engines can do that not all engines can.
const STATELESS: &[Feature] = &[Feature::Robustness, Feature::LoopBound];

/// Every state once.
pub const EXPLICIT: Capabilities = Capabilities {
    name: "explicit",
    unit: Unit::States,
    updates: false,
    features: &[Feature::Races, Feature::SpuriousWakeups, Feature::Reductions, Feature::Workers, Feature::StateStore],
};

/// Optimal-DPOR.
pub const DPOR: Capabilities =
    Capabilities { name: "dpor", unit: Unit::Executions, updates: true, features: STATELESS };

/// Source-DPOR.
pub const DPOR_SOURCE: Capabilities = Capabilities { name: "dpor-source", ..DPOR };

/// All engines.
pub const ALL: [Capabilities; 3] = [EXPLICIT, DPOR, DPOR_SOURCE];

/// The engine of a name.
#[must_use]
pub fn of(name: &str) -> Option<Capabilities> {
    ALL.into_iter().find(|engine| engine.name == name)
}

/// The engines that can do this, by name: `dpor or dpor-source`.
#[must_use]
pub fn names_with(feature: Feature) -> String {
    let names: Vec<_> = ALL.iter().filter(|engine| engine.has(feature)).map(|engine| engine.name).collect();
    names.join(" or ")
}
