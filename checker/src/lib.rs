//! The checker: loads an instrumented program, interprets it, explores its executions and reports the
//! outcome.
//!
//! See `ARCHITECTURE.md` for an overview.
//!
//! Only the command line is public, and the entries of the fuzz targets where they are built, so that the
//! compiler detects unused items. Public items of the rooms are documented all the same: `clippy.toml` has
//! clippy check items that are visible in the crate.

#![warn(clippy::missing_docs_in_private_items)]

pub mod cli;
mod draft;
mod engine;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod halt;
mod hash;
mod interp;
mod ir;
mod memory;
mod outcome;
mod property;
mod repair;
mod report;
mod store;
mod system;
mod task;
