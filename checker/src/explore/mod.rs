//! Engines: how the executions of a program are explored. Each does one algorithm, behind one trait, and no input or output.

pub mod explicit;
pub mod findings;
pub mod replay;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::Config;

/// When to stop early. Each limit that is reached makes the verdict `unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Stored states.
    pub max_states: Option<u64>,
    /// Bytes of the state store.
    pub max_memory: Option<u64>,
    /// Wall-clock time.
    pub timeout: Option<Duration>,
    /// How often a thread may go round in a loop, in the stateless engines.
    pub unroll: Option<u32>,
    /// Go on after a violation, to find every distinct one.
    pub keep_going: bool,
}

/// Counters that an engine keeps while it runs, for whoever wants to show them; and the request to stop.
#[derive(Debug, Default)]
pub struct Progress {
    /// States found.
    pub states: AtomicU64,
    /// States whose steps were all explored.
    pub expanded: AtomicU64,
    /// Bytes of the state store.
    pub bytes: AtomicU64,
    /// Set by anyone to stop the run.
    pub stop: AtomicBool,
}

impl Progress {
    pub(crate) fn update(&self, states: u64, expanded: u64, bytes: u64) {
        self.states.store(states, Ordering::Relaxed);
        self.expanded.store(expanded, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }
}

/// Why an engine could not explore the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program reached something that is not supported.
    #[error("{place}: unsupported: {what}\n  reached in function `{function}`; verdicts need a model of it")]
    Unsupported {
        /// What it is.
        what: String,
        /// `file:line`.
        place: String,
        /// The function it is in.
        function: String,
    },
    /// An object that was taken for private to its thread was reached by another; run again without detection.
    #[error(
        "an address reached another thread in a way that the detection of local memory does not see; use --no-local-memory"
    )]
    SharingMissed,
}

/// An exploration algorithm.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

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
