//! The transition system: the definition of a state, and of the steps that lead from one state to the next.
//!
//! A state is a vector of interned components:
//!
//! ```text
//! [object table, pending stores, what may race (with `--races`), thread 0: top frame, other frames, thread 1: …,
//!  pages of globals, pages of dynamic objects]
//! ```
//!
//! A *step* runs one thread: its next visible operation, and everything after that up to the next visible
//! operation. Operations are not visible if they work on memory that no other live thread can know, if they
//! are stores or store-store barriers (which commute with every step of other threads: see the header of
//! `rmc_runtime`), or if they touch only registers. A step that asks questions (e.g. which store a load
//! reads) is run once for each answer ([`AnswerRuns`]).
//!
//! The working state is a [`Machine`]. Beneath it are two rooms that do not know the machine: `state/`
//! (objects, pages, threads, read sets) and `buffers/` (pending stores).
//!
//! **One dependency cycle** is left, between the machine and the rooms whose operations are its methods. The
//! cause is that one struct has a field for each of them, and each of them takes the whole struct:
//!
//! * `machine.rs`, `packing.rs`, `collect.rs`: the working state, and its conversion to and from state
//!   vectors;
//! * `step/`: one step of one thread. It calls the models in `library/` and `bulk/`, which are given the turn
//!   of the step and return how the step goes on. At its end it asks `analyses/leaks.rs` whether memory was
//!   lost;
//! * `inputs/`: nondeterministic values that are chosen only where they matter;
//! * `observe/`: the observers of a running step, data races among them. Every operation announces itself
//!   there once, and nobody else knows the observers;
//! * `analyses/`: questions about states and steps: leaks, final states, loops that only wait, symmetry.
//!   `awaits.rs` and `symmetry/joins.rs` run steps themselves.

pub mod analyses;
pub mod buffers;
mod bulk;
mod collect;
pub mod config;
mod inputs;
pub mod library;
pub mod machine;
pub mod observe;
mod packing;
pub mod reductions;
pub mod state;
pub mod step;
mod symbols;

pub use analyses::awaits::ProgressCheck;
pub use config::{Clocks, Config, Inputs, Leaks};
pub use inputs::leave_final_states_open;
pub use machine::Machine;
pub use observe::commuting::Commuting;
pub use observe::footprint::{EnablingRelease, FootprintEntry, PieceLoad, Touched};
pub use observe::vector_queries::{Layout, NextKind};
pub use reductions::{Reduction, Reductions};
pub use state::numbering::ThreadNumbers;
pub use state::read_set::{Item, ReadEntry};
pub use step::StepEnd;
pub use step::answers::AnswerRuns;
pub use step::choices::{ChoiceKind, ChoiceSequence};
pub use step::report::StepReport;
