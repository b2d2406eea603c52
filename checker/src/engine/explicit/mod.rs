//! Explicit-state search, breadth first. The states themselves, in order of discovery, are the queue, so the
//! schedule of a violation is a shortest one.
//!
//! Several workers share the work. Each explores its own states ([`crate::store::StateStore`]), and puts the
//! states that it reaches and that belong to other workers into the mailboxes of these. They explore level by
//! level together, so counterexamples stay shortest, and the states found do not depend on the number of
//! workers.
//!
//! Every state is matched against all states seen before, so loops end when nothing new can happen in them.
//!
//! A deadlock in which threads go round in loops that only look is a set of states from which only idle steps
//! ([`crate::system::ProgressCheck`]) lead, none of them out of the set. When the last state of the set is
//! explored, all others are known. So only a state whose idle steps all lead to known states is looked at
//! closely.

mod backtracking;
mod bound;
mod cache_monitor;
mod checkpoint;
mod expand;
mod finish;
mod infer_guards;
pub mod parallel;
pub mod preemptions;
mod report;
mod saving;
mod schedule;
mod shared;
mod sleep;
mod spin_deadlock;
mod state_set;
mod steps;
mod subsumption;
mod symmetry;
mod worker;

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub use checkpoint::Saving;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use checkpoint::{checkpoint_content, read_checkpoint};

use super::capabilities::{self, Capabilities};
use super::{Engine, EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::{Outcome, Unknown};
pub use crate::store::Identity;
use crate::store::Space;
use crate::system::Config;
use shared::SharedSearch;
use worker::{Worker, WorkerResult};

/// The explicit-state engine.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// The way in which the engine stores its states.
    pub storage: Storage,
}

/// The options for storing states.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    /// The way in which states are compared.
    pub identity: Identity,
    /// The path of a new file for large tables, which then do not count as memory.
    pub file: Option<PathBuf>,
    /// The checkpoint to which the search is saved from time to time, and when it is stopped.
    pub saving: Option<Saving>,
    /// The checkpoint of a search to continue.
    pub resume: Option<PathBuf>,
}

impl Storage {
    fn space(&self) -> Result<Space, EngineError> {
        let in_file = |path: &PathBuf| {
            let failed = |error| EngineError::StoreFile { path: path.display().to_string(), error };
            Space::in_file(path).map_err(failed)
        };
        Ok(self.file.as_ref().map(in_file).transpose()?.unwrap_or_default())
    }
}

impl Engine for Explicit {
    fn capabilities(&self) -> Capabilities {
        capabilities::EXPLICIT
    }

    fn config(&self, config: Config) -> Config {
        Config { inputs: self.capabilities().inputs(), ..config }
    }

    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError> {
        let config = self.config(config);
        let (started, mut storage) = (Instant::now(), self.storage.clone());
        let mut bounds = bound::Bounds::new(&config, progress.halt.clone());
        let guards = infer_guards::guess(program, config, &progress.halt);
        let mut guards = bounds.first(program, config, guards);
        loop {
            let config = bounds.config(config, &guards);
            let mut shared = SharedSearch::new(program, config, limits, progress, &storage)?;
            shared.started = started;
            let results = explore(&shared);
            let broken = shared.broken();
            // Another search follows, and the long work before it has to be watched again.
            progress.has_stopped.store(broken.is_none(), Ordering::Relaxed);
            match broken {
                // The next search finds again whatever this one found.
                Some(broken) if broken.is_guard() => guards = shared.config.guards.without(&broken),
                Some(_) => guards = bounds.next(program, shared.config, shared.states()),
                None => return finish::finish(shared, results),
            }
            drop(results);
            drop(shared);
            storage.resume = None;
        }
    }
}

/// The reasons why a search ends before all states are explored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Limit(Unknown),
    Error,
}

/// Lets all workers explore. The first worker runs on this thread.
fn explore<'p>(shared: &SharedSearch<'p>) -> Vec<WorkerResult<'p>> {
    std::thread::scope(|scope| {
        let others: Vec<_> =
            (1..shared.workers()).map(|worker| scope.spawn(move || Worker::new(shared, worker).explore())).collect();
        let first = Worker::new(shared, 0).explore();
        let others = others.into_iter().map(|worker| match worker.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(first).chain(others).collect()
    })
}
