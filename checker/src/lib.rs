//! The checker: loads an instrumented program, interprets it, explores its executions and reports what it found.
//!
//! See `ARCHITECTURE.md` for the picture. The order of the modules is the order of the pipeline.

pub mod cli;
pub mod draft;
pub mod engine;
pub mod halt;
pub mod interp;
pub mod ir;
pub mod memory;
pub mod outcome;
pub mod property;
pub mod report;
pub mod store;
pub mod system;
pub mod task;
