//! Measurements of a run beside its counters: the origin of its states, its speed, and its memory. Units are
//! in the names.
//!
//! All of this is for people who look at a run. No verdict depends on it.

use serde::{Deserialize, Serialize};

use super::Place;

/// The measurements of a run. Fields that do not apply to the engine are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// Progress samples over time, earliest first; at most 200, at equal distances except for the last one.
    pub samples: Vec<ProgressSample>,
    /// The number of states at each distance from the initial state (explicit engine).
    pub levels: Levels,
    /// Entry n is the number of states that are first reached with n preemptions. A state counts once for each
    /// thread that may have taken the last step (explicit engine, `--order preemptions`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preemptions: Vec<u64>,
    /// Entry n is the number of explored states that have n delayed stores (explicit engine).
    pub pending_stores: Vec<u64>,
    /// The number of alternatives beyond the first, by the kind of choice.
    pub choices: Choices,
    /// Steps that led to a known state (explicit engine).
    pub known_successors: u64,
    /// The fraction of steps that led to a known state: 0 to 1 (explicit engine).
    pub matching_rate: f64,
    /// Steps that were skipped because they were in a sleep set (explicit engine). The number depends on the
    /// order in which workers reach a state.
    pub asleep: u64,
    /// The use of memory, by purpose.
    pub bytes: Vec<Share>,
    /// The hash tables.
    pub tables: Vec<Table>,
    /// The lines whose steps reached most new states (explicit engine), or took part in most executions
    /// (stateless engine); at most 20, in descending order. Only collected with `--stats` and for an HTML
    /// report.
    pub lines: Vec<HotLine>,
    /// The work of each worker.
    pub workers: Vec<Worker>,
}

/// The progress of a run at a point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgressSample {
    /// Seconds since the run began.
    pub seconds: f64,
    /// States found.
    pub states: u64,
    /// States found and not explored yet.
    pub frontier: u64,
    /// Executions explored to their end, complete and blocked ones.
    pub executions: u64,
    /// An estimate of the total number of executions, made at that time.
    pub estimated_executions: f64,
    /// Bytes in use.
    pub bytes: u64,
}

/// Numbers of states by their distance from the start in steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    /// The number of consecutive levels that one entry stands for.
    pub per_entry: u64,
    /// The number of states per entry, nearest levels first; at most 256 entries. The last levels of a run
    /// that was stopped are incomplete.
    pub states: Vec<u64>,
}

impl Default for Levels {
    fn default() -> Self {
        Self { per_entry: 1, states: Vec::new() }
    }
}

/// Alternatives beyond the first, by the kind of choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Choices of the thread that takes a step, or is woken.
    pub schedule: u64,
    /// Choices of the moment at which delayed stores reach memory.
    pub flush: u64,
    /// Choices of input values, and of allocations that fail.
    pub data: u64,
}

impl Choices {
    /// Adds the choices of another worker.
    pub const fn add(&mut self, other: Self) {
        self.schedule += other.schedule;
        self.flush += other.flush;
        self.data += other.data;
    }
}

/// The memory used for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The purpose.
    pub what: String,
    /// The number of bytes.
    pub bytes: u64,
}

/// A hash table with open addressing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// A description of the entries.
    pub what: String,
    /// Occupied slots.
    pub entries: u64,
    /// All slots.
    pub slots: u64,
    /// The fraction of occupied slots: 0 to 1.
    pub load: f64,
    /// The mean number of slots that a successful lookup probes.
    pub mean_probes: f64,
    /// The largest number of slots that a successful lookup probes.
    pub longest_probe: u64,
}

/// A line of the program, and the count of the steps that began there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotLine {
    /// The line.
    #[serde(flatten)]
    pub place: Place,
    /// The count.
    pub count: u64,
}

/// The work of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worker {
    /// States that it expanded.
    pub expanded: u64,
    /// New states that it found.
    pub found: u64,
    /// Steps that it took; for the stateless engine, events.
    pub transitions: u64,
    /// Executions that it explored to their end.
    pub executions: u64,
    /// Seconds that it worked.
    pub seconds: f64,
}
