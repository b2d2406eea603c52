//! Everybody who looks on while a step runs, and the one place that tells them.

pub(super) mod accesses;
mod recorder;

pub use recorder::Recorder;
pub(super) use recorder::{Effect, Record, Stored};
