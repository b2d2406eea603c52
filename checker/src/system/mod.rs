//! The transition system: what a state is and which steps lead from one to the next.
//!
//! A state is a vector of interned components:
//!
//! ```text
//! [object table, pending stores, what may race (with `--races`), thread 0: top frame, other frames, thread 1: …,
//!  pages of globals, pages of dynamic objects]
//! ```
//!
//! A *step* runs one thread: its next visible operation, and what follows up to the one after. Operations on
//! memory that no other live thread can know, stores and store-store barriers (which commute with every step
//! of other threads: see the header of `rmc_runtime`), and everything in registers are not visible. A step
//! that asks questions (what does this load see?) is run once for each answer ([`AnswerRuns`]).
//!
//! The working state is a [`Machine`]. Beneath it are two rooms that do not know it: `state/` (objects,
//! pages, threads, read sets) and `buffers/` (pending stores).
//!
//! **One circle** is left, of the machine and the rooms that hold its operations as methods, because one
//! struct has a field for each of them, and each takes the whole struct:
//!
//! * `machine.rs`, `packing.rs`, `collect.rs`: the working state, to and from state vectors;
//! * `step/`: one step of one thread. It calls `library/` and `bulk/`, whose models are given the turn of the
//!   step and return how it goes on; at its end it asks `analyses/leaks.rs` whether memory was lost;
//! * `observe/`: who looks on while a step runs; every access tells it, and `analyses/races/` is among those;
//! * `analyses/`: what is asked of states and steps: leaks, final states, loops that only wait, symmetry,
//!   data races. `awaits.rs` and `symmetry/joins.rs` take steps themselves.

pub mod analyses;
pub mod buffers;
mod bulk;
mod collect;
pub mod config;
pub mod library;
pub mod machine;
pub mod observe;
mod packing;
pub mod reductions;
pub mod state;
pub mod step;

pub use analyses::awaits::ProgressCheck;
pub use config::{Config, Leaks};
pub use machine::Machine;
pub use observe::commuting::Commuting;
pub use observe::footprint::{EnablingRelease, FootprintEntry};
pub use observe::seen::{Layout, NextKind};
pub use reductions::{Reduction, Reductions};
pub use state::read_set::{Item, ReadEntry};
pub use step::StepEnd;
pub use step::answers::AnswerRuns;
pub use step::choices::{ChoiceKind, ChoiceSequence};
pub use step::report::StepReport;
