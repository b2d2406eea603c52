//! `--replay`: the counterexamples of a report, run again.

use std::path::Path;
use std::process::ExitCode;

use super::args::Args;
use super::compile::{CompileError, Compiler};
use super::database::Database;
use super::run_error::RunError;
use crate::engine::replay;
use crate::halt::Halt;
use crate::ir::load;
use crate::outcome::Violation;
use crate::report::json::Report;
use crate::report::text;
use crate::system::library;

/// Runs the counterexamples of a report again, and prints them.
///
/// # Errors
/// [`RunError`]: among others, an execution that is not the one of the report.
pub fn replay(args: &Args, path: &Path) -> Result<ExitCode, RunError> {
    let report = Report::read(path)?;
    let named = path.display().to_string();
    let inputs = if args.inputs.is_empty() { report.input_paths() } else { args.inputs.clone() };
    if args.inputs.is_empty() && !report.working_directory.is_empty() {
        // Names of inputs and of directories in options are relative to the directory in which the report was
        // made.
        std::env::set_current_dir(&report.working_directory).map_err(|error| RunError::NoDirectory {
            path: named.clone(),
            directory: report.working_directory.clone(),
            error,
        })?;
    }
    let given = args.compiler_options();
    let compiler = Compiler::new(
        if given.is_empty() { report.compiler_options.clone() } else { given },
        args.verbose > 0,
        &Halt::default(),
    )?;
    let build = report.build_directory.as_deref().map(Path::new);
    let database = build.map(Database::read).transpose().map_err(CompileError::from)?;
    let compiler = compiler.with_database(database);
    let config = report.config()?;
    let program = {
        let begin = report.entry.as_deref().unwrap_or(load::MAIN);
        let inputs = compiler.program(&inputs, &[begin.to_owned()])?;
        load::load(&inputs, &library::finder(&config), &report.stubs()?, begin)?
    };
    if report.violations.is_empty() {
        return Err(RunError::NothingToReplay { path: named });
    }
    let again = report.violations.iter().map(|shown| {
        let violation = Violation { fault: shown.fault(), schedule: shown.schedule.clone(), preemptions: None };
        replay::replay(&program, config, &violation)
    });
    let again = again.collect::<Result<Vec<_>, _>>();
    let again = again.map_err(|mismatch| RunError::Replay { path: named, mismatch })?;
    text::print(&report.replayed(&again), args.style());
    Ok(ExitCode::from(1))
}
