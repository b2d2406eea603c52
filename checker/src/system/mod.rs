//! The transition system: what a state is and which steps lead from one to the next.
//!
//! A state is a vector of interned components:
//!
//! ```text
//! [directory, pending stores, what may race (with `--races`), thread 0: top frame, other frames, thread 1: …, pages of globals, pages of dynamic objects]
//! ```
//!
//! A *step* runs one thread: its next visible operation, and what follows up to the one after. Operations on memory that no other live thread can
//! know, stores and store-store barriers (which commute with every step of other threads: `DESIGN` of delayed flushing in
//! `rmc_runtime`), and everything in registers are not visible. A step that asks questions (what does this load see?) is run once for each answer.

mod access;
mod answers;
mod awaits;
mod bound;
pub mod buffers;
mod bulk;
mod collect;
mod commuting;
pub mod config;
mod decoded;
pub mod directory;
pub mod finals;
pub mod guards;
pub mod history;
mod leaks;
pub mod library;
mod lifetime;
mod linearise;
pub mod machine;
pub mod memory;
mod names;
mod numbering;
pub mod observe;
mod packing;
mod parking;
pub mod races;
mod raw;
pub mod reductions;
mod repeats;
mod report;
pub mod script;
mod seen;
mod step;
pub mod symmetry;
mod threads;
mod touch;

pub use answers::AnswerRuns;
pub use awaits::Prospect;
pub use commuting::Commuting;
pub use config::{Config, Leaks};
pub use machine::Machine;
pub use reductions::{Reduction, Reductions};
pub use report::{Footprint, StepReport};
pub use script::{Question, Script};
pub use seen::{Errand, Item, Layout, Seen};
pub use step::StepEnd;
pub use touch::{Handover, Touch};
