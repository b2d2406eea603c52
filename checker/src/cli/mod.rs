//! The command line: what was typed, the compiler's part, and a run from input to exit code.

mod args;
mod compile;
mod cross_check;
mod output;
mod progress;
mod run;
mod sources;
mod store_args;
mod support;
pub mod task;

pub use run::main;
