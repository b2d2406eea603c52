//! The command line: what can be typed (`args`), from input to exit code (`run`), and many histories in
//! parallel with answers in their order (`parallel`).
//!
//! Tests: `tests/command_line.rs`.

mod args;
mod parallel;
mod run;

pub use run::main;
