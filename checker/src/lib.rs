//! The checker: loads an instrumented program, interprets it, explores its executions and reports what it
//! found.
//!
//! See `ARCHITECTURE.md` for the picture.
//!
//! Only the command line can be used from outside, so that the compiler finds what nothing uses; and the
//! entries of the fuzz targets, where they are built. Public items of the rooms are documented all the same:
//! `clippy.toml` has clippy look at what is visible in the crate.

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
mod report;
mod store;
mod system;
mod task;
