//! Engines: how the executions of a program are explored. Each does one algorithm, behind one trait, and no
//! input or output.

pub mod capabilities;
pub mod counterexample;
pub mod coverage;
mod deadlock;
pub mod explicit;
pub mod findings;
pub mod measures;
pub mod memo;
pub mod replay;
pub mod sampling;
pub mod stateless;

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capabilities::Capabilities;

use crate::halt::Halt;
use crate::ir::Program;
use crate::outcome::measures::Sample;
use crate::outcome::{Outcome, Unknown};
use crate::system::Config;

/// When to stop early. Each limit that is reached makes the verdict `unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Stored states.
    pub max_states: Option<u64>,
    /// Bytes of memory, of the search's tables and of the process.
    pub max_memory: Option<u64>,
    /// Wall-clock time since the run began, however often the search begins anew.
    pub timeout: Option<Duration>,
    /// How often a thread may go round in a loop, in the stateless engines.
    pub unroll: Option<u32>,
    /// Workers of the explicit engine; 0 counts as 1.
    pub jobs: usize,
    /// Go on after a violation, to find every distinct one.
    pub keep_going: bool,
    /// Count also what takes time: the lines of the steps.
    pub count_lines: bool,
}

impl Limits {
    /// The limit that is reached by a run that has so many states, which take so many bytes.
    pub(crate) fn reached(&self, progress: &Progress, states: u64, bytes: u64) -> Option<Unknown> {
        let is = |limit: Option<u64>, value: u64| limit.is_some_and(|most| value >= most);
        match () {
            () if progress.halt.reason().is_some() => progress.halt.reason(),
            () if is(self.max_states, states) => Some(Unknown::StateLimit),
            () if is(self.max_memory, bytes) => Some(Unknown::MemoryLimit),
            () if self.is_over(progress.began) => Some(Unknown::Timeout),
            () => None,
        }
    }

    /// Whether the time is over of a run that began then.
    pub(crate) fn is_over(&self, began: Instant) -> bool {
        self.timeout.is_some_and(|limit| began.elapsed() >= limit)
    }
}

/// How far an engine is, for whoever wants to show it; and the request to stop.
#[derive(Debug)]
pub struct Progress {
    latest: Mutex<Sample>,
    /// The request to stop.
    pub halt: Halt,
    /// Whether the engine has stopped exploring: what it still does comes to an end by itself.
    pub(crate) has_stopped: AtomicBool,
    /// When the run began.
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
    /// How far the engine was when it last said so.
    #[must_use]
    pub fn latest(&self) -> Sample {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of how far the engine is.
    pub(crate) fn update(&self, sample: &Sample) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = *sample;
    }
}

/// Why an engine could not explore the program.
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
        /// The function it is in.
        function: String,
    },
    /// An object that was taken for private to its thread was reached by another; run again without
    /// detection.
    #[error(
        "an address reached another thread in a way that the detection of local memory does not see; use --no-local-memory"
    )]
    SharingMissed,
    /// The store file cannot be made.
    #[error("the store file {path} cannot be made: {error}; name a new file (--store-file)")]
    StoreFile {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// A checkpoint cannot be written. The one before is untouched.
    #[error("the checkpoint {path} cannot be written: {error}; the one before, if there is one, is as it was")]
    Checkpoint {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// A checkpoint cannot be gone on with.
    #[error("the search in {path} cannot be gone on with: {why}")]
    Resume {
        /// The file.
        path: String,
        /// The reason.
        why: String,
    },
    /// A checkpoint is of a search in which all memory was taken for shared.
    #[error("the checkpoint is of a search without the detection of local memory; use --no-local-memory")]
    SharingKnown,
    /// The program tells threads apart by their numbers, so these may not be exchanged; run again without
    /// that.
    #[error("the program tells threads apart by their numbers; use --no-reduce symmetry")]
    ThreadsTold,
    /// A checkpoint is of a search in which threads are not exchanged.
    #[error("the checkpoint is of a search without `symmetry`; use --no-reduce symmetry")]
    ThreadsKnown,
}

/// An exploration algorithm.
pub trait Engine {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// What the engine makes of the options; schedules of its violations are for these.
    fn config(&self, config: Config) -> Config {
        config
    }

    /// Explores the program.
    ///
    /// # Errors
    /// [`EngineError`]: nothing can be said, because the program does what this version cannot follow.
    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError>;
}
