//! Everybody who looks on while a step runs, and the one place that tells them (`accesses.rs`).

pub(super) mod accesses;
pub(super) mod commuting;
pub(super) mod footprint;
pub(super) mod guard_checks;
pub mod guards;
pub mod history;
pub(super) mod linearise;
pub(super) mod names;
mod recorder;
pub(super) mod seen;

pub use recorder::Recorder;
pub(super) use recorder::{Effect, Record, Stored};
