//! The stateless engine: dynamic partial order reduction for SC, TSO and PSO.
//!
//! Executions are explored one by one. Of those that differ only in the order of events that commute, one is
//! explored. Stores reach memory by update events ([`crate::system::buffers::Updates`]). These share nothing
//! with the delayed flushing of the explicit engine, so the two check each other.
//!
//! Sources: chronological traces decide which events commute, so one execution is explored per Shasha-Snir
//! trace (Abdulla, Aronis, Atig, Jonsson, Leonardsson and Sagonas, *Stateless Model Checking for TSO and
//! PSO*, TACAS 2015 and Acta Informatica 2017). The search is Optimal-DPOR with wakeup trees, or Source-DPOR
//! (Abdulla, Aronis, Jonsson and Sagonas, *Optimal Dynamic Partial Order Reduction*, POPL 2014).
//!
//! Deviations from the sources:
//!
//! 1. An update is named by its store rather than by an auxiliary thread. So PSO needs no thread per address,
//!    and Optimal-DPOR works for it unchanged.
//! 2. Nothing is executed again: a state of the current execution is a short vector of component ids, and
//!    backtracking restores it. Steps from states met before are cached (`state_cache.rs`).
//! 3. The ends of threads and the joins with which most executions end are not events (`join_suffix.rs`).
//! 4. A plan that reverses a race has only the events that happen-before the event that is to come first,
//!    where that is enough to tell it from the sequences explored elsewhere (`sequence.rs`).
//! 5. An event that is not enabled where a race would put it first (the lock of a held mutex, the last load
//!    of a spin loop) has no race there. The engine then looks for the next earlier conflicting event before
//!    which it is enabled. Rounds of waiting loops are treated likewise (`stepper/idle_rounds.rs`).
//!    Instructions that may have to wait are learned: at the first one that does, the search starts over.
//! 6. A step may have another effect where it is planned than where it was seen. For instructions whose steps
//!    vary, the step is run there (`predict_event.rs`).

#[cfg(test)]
mod abstract_programs;
mod alternatives;
mod cycles;
mod explain;
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
    /// True for Source-DPOR, false for Optimal-DPOR.
    pub source: bool,
    /// True if executions that are not sequentially consistent are searched for.
    pub robustness: bool,
    /// True if robustness under TSO is found from sequentially consistent executions where that is exact
    /// (`robustness/sequential.rs`).
    pub sequential: bool,
    /// True if the reads-from classes of the executions are counted.
    pub classes: bool,
    /// True if the search ends where an execution is too long, or a buffer too small, instead of starting
    /// over with another bound. Another engine then answers.
    pub ends_at_bounds: bool,
}

impl Engine for Dpor {
    fn capabilities(&self) -> Capabilities {
        if self.source { capabilities::DPOR_SOURCE } else { capabilities::DPOR }
    }

    fn config(&self, config: Config) -> Config {
        let reductions = config.reductions.of_stateless();
        Config {
            updates: true,
            robustness: self.robustness,
            reads_from: self.classes,
            reductions,
            inputs: self.capabilities().inputs(),
            ..config
        }
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
