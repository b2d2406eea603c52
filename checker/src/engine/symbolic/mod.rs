//! The symbolic engine: all data and all schedules within bounds as one formula.
//!
//! Sources: O. Inverso, E. Tomasco, B. Fischer, S. La Torre, G. Parlato, "Bounded Model Checking of
//! Multi-threaded C Programs via Lazy Sequentialization", CAV 2014; E. Tomasco, T. L. Nguyen, O. Inverso,
//! B. Fischer, S. La Torre, G. Parlato, "Lazy Sequentialization for TSO and PSO via Shared Memory
//! Abstractions", FMCAD 2016.
//!
//! * `unroll`: the program as threads of events, with the conditions that it must not meet. `order` is the
//!   order of a function's blocks, `word`, `arithmetic`, `points` and `memory` are what the unrolling
//!   computes with.
//! * `values`: words of which few values are possible, and with them the smaller formulas.
//! * `resolve`: from addresses to cells of memory.
//! * `schedule`: executions of the events, in rounds, under a memory model.
//! * `solve`: the formula of given bounds, its solution, and the violation.
//!   `elsewhere` is about addresses that are computed in ways that are not followed.
//! * `deadlocks`: what makes an execution one that ends in a deadlock.
//! * `confirm`: a solution, run on the machine. What the machine does not confirm is no violation.
//!   `rounds_at_barriers` is what it knows of barriers.
//! * `run`: bounds that grow.
//!
//! A violation is never doubtful: the machine has it. Where nothing is found, that is `unknown`, within the
//! bounds.

mod arithmetic;
mod bounds;
mod confirm;
mod deadlocks;
mod elsewhere;
mod memory;
mod order;
mod points;
mod resolve;
mod rounds_at_barriers;
mod run;
mod schedule;
mod solve;
mod unroll;
mod values;
mod word;

pub use bounds::Asked;

use super::capabilities::{Capabilities, SYMBOLIC};
use super::{Engine, EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::{Config, Inputs, Reduction};

/// The engine, with the bounds and files that the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    /// The bounds.
    pub asked: Asked,
    /// The file for the last formula, in the format DIMACS.
    pub dump_cnf: Option<std::path::PathBuf>,
}

impl Engine for Symbolic {
    fn capabilities(&self) -> Capabilities {
        SYMBOLIC
    }

    /// The machine confirms violations with update events, given inputs, one operation a step, and all memory
    /// taken for shared. Texts are read in one of the possible orders, as they are followed.
    fn config(&self, config: Config) -> Config {
        let reductions = config.reductions.without(Reduction::Paths).without(Reduction::Private);
        Config {
            updates: true,
            inputs: Inputs::Given,
            reductions,
            keeps_numbers: true,
            buffer_bound: 0,
            texts_in_order: self.capabilities().texts_in_order,
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
        run::run(self, program, self.config(config), limits, progress)
    }
}
