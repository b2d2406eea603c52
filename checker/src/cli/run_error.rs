//! The reasons for which a run has no verdict.

use super::compile::CompileError;
use super::explore::ExploreError;
use super::features::UnsupportedOption;
use super::output::WriteError;
use crate::engine::EngineError;
use crate::engine::counterexample::Mismatch;
use crate::ir::load::LoadError;
use crate::report::json::ReadError;
use crate::task::TaskError;

/// The reasons for which there is no verdict. All of them lead to exit code 2.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, clippy::missing_docs_in_private_items)]
pub enum RunError {
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Explore(#[from] ExploreError),
    #[error("a witness is for a property: name one with --property, or check a task that has one")]
    WitnessOfWhat,
    #[error("an input cannot be read for the witness: {0}")]
    Witness(#[from] std::io::Error),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "{path}: the inputs are relative to {directory}, which cannot be entered ({error}); name the inputs on the command line"
    )]
    NoDirectory { path: String, directory: String, error: std::io::Error },
    #[error("{path}: {mismatch}")]
    Replay { path: String, mismatch: Mismatch },
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    UnsupportedOption(#[from] UnsupportedOption),
    #[error("--robustness is about no task of the competition: name the task's program instead")]
    RobustnessOfTask,
    #[error("--engine attacks decides robustness under tso, where stores of a thread stay in order: use --engine dpor")]
    AttacksUnderPso,
    #[error("--fix {why}")]
    NothingToFix { why: &'static str },
    #[error("--entry is about no task of the competition: name the task's program instead")]
    EntryOfTask,
    #[error("--test is about Rust programs: name a file .rs, or a module that `cargo rmc` has made")]
    TestOfRust,
    #[error("--panic is about Rust programs: exceptions of C++ unwind by themselves")]
    PanicOfRust,
    #[error("{option} is about one search, and each entry has one of its own: name one --entry, or one test")]
    SeveralEntries { option: &'static str },
    #[error("--context-bound explores in order of preemptions: leave out --order steps")]
    OrderOfBound,
    #[error("--property is given more than once: check each property in a run of its own")]
    SeveralProperties,
    #[error(
        "looking for leaks needs the reduction `dead`: what is in a dead register would lead to memory that is lost"
    )]
    LeaksOfDead,
    #[error("{path}: the report has no violation to replay")]
    NothingToReplay { path: String },
}

impl RunError {
    /// True if the program does something that the engine cannot follow.
    #[must_use]
    pub const fn is_unsupported(&self) -> bool {
        matches!(self, Self::Explore(ExploreError::Engine(EngineError::Unsupported { .. })))
    }
}
