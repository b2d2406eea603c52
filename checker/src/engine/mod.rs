//! Engines: explorations of the executions of a program. Each has one algorithm, behind one trait, and no
//! input or output.

pub mod attacks;
pub mod capabilities;
pub mod counterexample;
pub mod coverage;
mod deadlock;
pub mod explicit;
pub mod findings;
mod inputs;
pub mod measures;
pub mod memo;
pub mod replay;
pub mod sampling;
pub mod stateless;
pub mod symbolic;

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capabilities::Capabilities;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::halt::Halt;
use crate::ir::Program;
use crate::outcome::measures::ProgressSample;
use crate::outcome::{Outcome, Unknown};
use crate::system::Config;

/// The order in which the explicit engine explores states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// By the number of steps: a counterexample is shortest
    #[default]
    Steps,
    /// By the number of preemptions, then of steps: a counterexample has the fewest preemptions, and is
    /// shortest among those
    Preemptions,
}

/// The limits of a run. Each limit that is reached makes the verdict `unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The maximal number of stored states, or of events in the stateless engines. A run that needs more
    /// is ended.
    pub max_states: Option<u64>,
    /// The maximal number of bytes of memory, of the search's tables and of the process.
    pub max_memory: Option<u64>,
    /// The maximal wall-clock time since the run began, including all restarts of the search.
    pub timeout: Option<Duration>,
    /// The bound on the turns of a thread in a loop, in the stateless engines.
    pub unroll: Option<u32>,
    /// The number of workers, in engines that can have several; 0 counts as 1.
    pub jobs: usize,
    /// True if the search continues after a violation, to find every distinct one.
    pub keep_going: bool,
    /// The order of the search.
    pub order: SearchOrder,
    /// The maximal number of preemptions of an execution; only with [`SearchOrder::Preemptions`].
    pub context_bound: Option<u32>,
    /// True if expensive counts are kept, too: the lines of the steps.
    pub count_lines: bool,
}

impl Limits {
    /// The limit that is reached by a run with so many states, which take so many bytes, if one is.
    pub(crate) fn reached(&self, progress: &Progress, states: u64, bytes: u64) -> Option<Unknown> {
        let is = |limit: Option<u64>, value: u64| limit.is_some_and(|most| value >= most);
        match () {
            () if progress.halt.reason().is_some() => progress.halt.reason(),
            () if self.is_exceeded_by(states) => Some(Unknown::StateLimit),
            () if is(self.max_memory, bytes) => Some(Unknown::MemoryLimit),
            () if self.is_over(progress.began) => Some(Unknown::Timeout),
            () => None,
        }
    }

    /// True if so many states, or events, are more than the limit.
    #[inline]
    pub(crate) fn is_exceeded_by(&self, states: u64) -> bool {
        self.max_states.is_some_and(|most| states > most)
    }

    /// True if the time of a run that began at this moment is over.
    pub(crate) fn is_over(&self, began: Instant) -> bool {
        self.timeout.is_some_and(|limit| began.elapsed() >= limit)
    }
}

/// The progress of an engine, for display, and the request to stop.
#[derive(Debug)]
pub struct Progress {
    latest: Mutex<ProgressSample>,
    /// The request to stop.
    pub halt: Halt,
    /// True if the engine has stopped exploring. Its remaining work ends by itself.
    pub(crate) has_stopped: AtomicBool,
    /// The moment at which the run began.
    pub(crate) began: Instant,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            latest: Mutex::default(),
            halt: Halt::default(),
            has_stopped: AtomicBool::new(false),
            began: Instant::now(),
        }
    }
}

impl Progress {
    /// The last sample of progress that the engine published.
    #[must_use]
    pub fn latest(&self) -> ProgressSample {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a sample of progress.
    pub(crate) fn update(&self, sample: &ProgressSample) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = *sample;
    }
}

/// The kinds of errors of an engine that could not explore the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program reached something that is not supported.
    #[error("{place}: unsupported: {what}\n  reached in function `{function}`; verdicts need a model of it")]
    Unsupported {
        /// The unsupported construct.
        what: String,
        /// `file:line`.
        place: String,
        /// The function in which it is.
        function: String,
    },
    /// Another thread reached an object that was taken for private to its thread. The run must be repeated
    /// without detection.
    #[error(
        "a thread has a pointer to a variable of another one that nothing in the program hands over; such a pointer is made from a number, or points beside its object"
    )]
    SharingMissed,
    /// An atomic section waits for the end of a thread. The run must be repeated with
    /// [`Config::sees_ends`](crate::system::Config::sees_ends).
    #[error("an atomic section waits for the end of a thread")]
    EndSeen,
    /// The store file cannot be made.
    #[error("the store file {path} cannot be made: {error}; name a new file (--store-file)")]
    StoreFile {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// A checkpoint cannot be written. The previous one is untouched.
    #[error("the checkpoint {path} cannot be written: {error}; the one before, if there is one, is as it was")]
    Checkpoint {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The file for a formula cannot be written.
    #[error("the formula cannot be written to {path}: {error}; name another file (--dump-cnf)")]
    FormulaFile {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The search of a checkpoint cannot be continued.
    #[error("the search in {path} cannot be gone on with: {why}")]
    Resume {
        /// The file.
        path: String,
        /// The reason.
        why: String,
    },
    /// A checkpoint is of a search in which all memory was taken for shared.
    #[error("the checkpoint is of a search without the detection of local memory; use --no-local-memory")]
    CheckpointWithoutPrivate,
    /// The program tells threads apart by their numbers, so these may not be exchanged. The run must be
    /// repeated without that.
    #[error("the program tells threads apart by their numbers; use --no-reduce symmetry")]
    AsymmetryDetected,
    /// A checkpoint is of a search in which threads are not exchanged.
    #[error("the checkpoint is of a search without `symmetry`; use --no-reduce symmetry")]
    CheckpointWithoutSymmetry,
    /// A checkpoint is of a search in which an atomic section waits for the end of a thread.
    #[error("the checkpoint is of a search in which an atomic section waits for the end of a thread")]
    CheckpointWithEnds,
}

/// An exploration algorithm.
pub trait Engine {
    /// The capabilities of the engine.
    fn capabilities(&self) -> Capabilities;

    /// The configuration that the engine uses for these options. Schedules of its violations are for that
    /// configuration.
    fn config(&self, config: Config) -> Config {
        config
    }

    /// Explores the program.
    ///
    /// # Errors
    /// [`EngineError`] if nothing can be claimed, because the program does something that this version cannot
    /// follow.
    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError>;
}
