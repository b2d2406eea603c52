//! The checker: loads an instrumented program, interprets it, explores its executions and reports what it found.
//!
//! See `ARCHITECTURE.md` for the picture. The order of the modules is the order of the pipeline.

pub mod ir;
pub mod interp;
pub mod outcome;
pub mod store;
pub mod system;
pub mod explore;
pub mod report;
pub mod cli;
