//! The command line: its options, compilation, and a run from input to exit code.

mod archive;
mod args;
mod cache;
mod compile;
mod compile_error;
mod cross_check;
mod database;
mod explore;
mod features;
mod fix;
mod hints;
mod job;
mod kind;
mod linking;
mod llvm_tools;
mod load_check;
mod messages;
mod order_args;
mod output;
mod outputs;
mod progress;
mod replay;
mod run;
mod run_error;
mod rust;
mod rust_std;
mod signals;
mod sources;
mod store_args;
mod supervisor;
mod support;
mod symbolic_args;
mod tests;
mod tool;
mod typed;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use load_check::usual_config;
pub use run::main;
pub use supervisor::out_of_memory;

/// The exit code of an error of the checker itself (`EX_SOFTWARE` of sysexits.h).
pub const INTERNAL_ERROR: u8 = 70;
