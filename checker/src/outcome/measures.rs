//! What a run measured of itself beside its counters: where its states come from, how fast it went, and what
//! they cost. Units are in the names.
//!
//! Everything here is for people who look at a run. No verdict depends on it.

use serde::{Deserialize, Serialize};

use super::Place;

/// The measures of a run. What an engine does not have is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// How far the run was over time, earliest first; at most 200, at equal distances but for the last one.
    pub samples: Vec<Sample>,
    /// How many states there are at which distance from the start (explicit engine).
    pub levels: Levels,
    /// Entry n: how many explored states have n delayed stores (explicit engine).
    pub pending_stores: Vec<u64>,
    /// Alternatives beyond the first, by what was to be decided.
    pub choices: Choices,
    /// Steps that led to a state that was known already (explicit engine).
    pub known_successors: u64,
    /// The part of all steps to a state that led to a known one: 0 to 1 (explicit engine).
    pub matching_rate: f64,
    /// Steps that were not taken, as they were asleep (explicit engine; how many depends on which worker is
    /// first).
    pub asleep: u64,
    /// What memory went to.
    pub bytes: Vec<Share>,
    /// The hash tables.
    pub tables: Vec<Table>,
    /// The lines whose steps reached most new states (explicit engine), or took part in executions most often
    /// (stateless); at most 20, most first. Only with `--stats` and an HTML report.
    pub lines: Vec<HotLine>,
    /// What each worker did.
    pub workers: Vec<Worker>,
}

/// How far a run was at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Since the run began.
    pub seconds: f64,
    /// States found.
    pub states: u64,
    /// States found and not explored yet.
    pub frontier: u64,
    /// Executions explored to their end, whichever it is.
    pub executions: u64,
    /// How many executions there will have been, by what was known then; an estimate.
    pub estimated_executions: f64,
    /// Bytes in use.
    pub bytes: u64,
}

/// Numbers of states by their distance from the start in steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    /// How many levels, one after the other, an entry stands for.
    pub per_entry: u64,
    /// The states of these levels, nearest first; at most 256 entries. Of a run that was stopped the last
    /// levels are not complete.
    pub states: Vec<u64>,
}

impl Default for Levels {
    fn default() -> Self {
        Self { per_entry: 1, states: Vec::new() }
    }
}

/// How often there was a choice, by kind: alternatives beyond the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Which thread takes a step, or is woken.
    pub schedule: u64,
    /// When delayed stores reach memory.
    pub flush: u64,
    /// Which value an input has, and whether an allocation fails.
    pub data: u64,
}

/// Memory by what it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// What it is for.
    pub what: String,
    /// How much.
    pub bytes: u64,
}

/// A hash table with open addressing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What is in it.
    pub what: String,
    /// Taken slots.
    pub entries: u64,
    /// All slots.
    pub slots: u64,
    /// The part that is taken: 0 to 1.
    pub load: f64,
    /// Slots that are looked at to find an entry that is there, on average.
    pub mean_probes: f64,
    /// The same for the entry that takes longest.
    pub longest_probe: u64,
}

/// A line of the program, and how often steps that began there did what is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotLine {
    /// The line.
    #[serde(flatten)]
    pub place: Place,
    /// How often.
    pub count: u64,
}

/// What one worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worker {
    /// States whose steps it explored.
    pub expanded: u64,
    /// New states it found.
    pub found: u64,
    /// Steps it took; of the stateless engine, events.
    pub transitions: u64,
    /// Executions it brought to their end.
    pub executions: u64,
    /// How long it worked.
    pub seconds: f64,
}
