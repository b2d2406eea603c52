//! The stateless engine: dynamic partial order reduction for SC, TSO and PSO.
//!
//! Executions are explored one by one; of those that differ only in the order of events that commute, one is explored. Stores reach memory by
//! update events ([`crate::system::buffers::Updates`]), which shares nothing with the delayed flushing of the explicit engine, so that the two check each other.
//! Which events commute is decided by chronological traces, so that one execution is explored per Shasha-Snir trace
//! (Abdulla, Aronis, Atig, Jonsson, Leonardsson and Sagonas, *Stateless Model Checking for TSO and PSO*, TACAS 2015 and Acta Informatica 2017), by
//! Optimal-DPOR with wakeup trees or by Source-DPOR (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014).
//!
//! Deviations from the sources:
//!
//! * An update is named by its store rather than by an auxiliary thread, so PSO needs no thread per address and Optimal-DPOR works for it unchanged.
//! * Nothing is executed again: a state on the way is a short vector of component ids, and going back restores it. Of states met before it is remembered where their steps
//!   lead (`states.rs`).
//! * The ends of threads and the joins with which most executions end are no events of them (`tail.rs`).
//! * A plan that reverses a race has only what happens before the event that is to come first, where that is enough to tell it from what is explored elsewhere (`sequence.rs`).
//! * An event that could not happen where a race would put it first (the lock of a held mutex, a spin loop's last load) is no race there; the engine
//!   then looks for the next earlier conflicting event before which it could happen. So with rounds of waiting loops (`awaits.rs`). Which instructions may have to wait is learned: at the first that does,
//!   the exploration starts over.
//! * A step may do something else where it is planned than where it was seen. What it will do there is tried out, for instructions that were learned to do
//!   this or that (`foretell.rs`).

mod alternatives;
mod cycles;
mod exploration;
mod predict_event;
mod races;
mod reversible;
mod run;
mod search;
mod sequence;
mod stack;
mod wakeup;

use crate::engine::capabilities::{self, Capabilities};
use crate::engine::{Engine, EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::Config;

/// The stateless engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dpor {
    /// Source-DPOR rather than Optimal-DPOR.
    pub source: bool,
    /// Whether to look for executions that are not sequentially consistent.
    pub robustness: bool,
}

impl Engine for Dpor {
    fn capabilities(&self) -> Capabilities {
        if self.source { capabilities::DPOR_SOURCE } else { capabilities::DPOR }
    }

    fn config(&self, config: Config) -> Config {
        let reductions = config.reductions.of_stateless();
        Config { updates: true, robustness: self.robustness, reductions, ..config }
    }

    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError> {
        run::run(program, self.config(config), limits, progress, *self)
    }
}
