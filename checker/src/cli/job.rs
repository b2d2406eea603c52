//! The input of a run: what is to be checked, and with which options.

use std::path::{Path, PathBuf};

use rmc_runtime::Model;

use super::args::{Args, EngineName, PanicEnd, is_page};
use super::compile::CompileError;
use super::database::Database;
use super::explore::engines;
use super::features;
use super::kind::{STANDARD_INPUT, is_rust};
use super::run_error::RunError;
use crate::ir::load::MAIN;
use crate::property::Formula;
use crate::system::{Config, Leaks, Reduction, library};
use crate::task::{self, Task, TaskError};

/// The input of a run: what to check with which options, and the task if the input is one.
pub struct Job {
    /// The files that make up the program.
    pub inputs: Vec<PathBuf>,
    /// The functions in which it begins. Each of them makes it a program of its own.
    pub entries: Vec<String>,
    /// Options of the transition system.
    pub config: Config,
    /// Options for the compiler.
    pub compiler_options: Vec<String>,
    /// The options of the user's build.
    pub database: Option<Database>,
    /// The competition's task, if the input is one.
    pub task: Option<Task>,
}

impl Job {
    /// The job that the options describe.
    ///
    /// # Errors
    /// [`RunError`]: options that contradict each other or that the engines do not support, or a task, a
    /// property or a compilation database that cannot be read.
    pub fn new(args: &Args) -> Result<Self, RunError> {
        let database = args.build.as_deref().map(Database::read).transpose().map_err(CompileError::from)?;
        if let Some(database) = database.as_ref().filter(|_| args.inputs.is_empty()) {
            return Err(CompileError::from(database.nothing_named()).into());
        }
        let wanted = match args.property.as_slice() {
            [] => None,
            [one, others @ ..] if others.iter().all(|other| other == one) => Some(task::property(one)?),
            _ => return Err(RunError::SeveralProperties),
        };
        let task = match args.inputs.iter().find(|input| task::is_task(input)) {
            Some(file) if args.inputs.len() > 1 => {
                return Err(TaskError::NotAlone { path: file.display().to_string() }.into());
            }
            Some(file) => Some(task::read(file, wanted)?),
            None => None,
        };
        let property = task.as_ref().map(|task| task.property).or(wanted).unwrap_or_default();
        if let (Some(_), Some(why)) = (args.fix, not_to_fix(args, task.is_some())) {
            return Err(RunError::NothingToFix { why });
        }
        if args.robustness && task.is_some() {
            return Err(RunError::RobustnessOfTask);
        }
        if args.engine == Some(EngineName::Attacks) && args.relaxed_memory == Model::Pso {
            return Err(RunError::AttacksUnderPso);
        }
        if !args.entry.is_empty() && task.is_some() {
            return Err(RunError::EntryOfTask);
        }
        if args.test.is_some() && !args.inputs.iter().any(|input| is_rust(input)) {
            return Err(RunError::TestOfRust);
        }
        if args.panic == PanicEnd::Unwind && !args.inputs.iter().any(|input| is_rust(input)) {
            return Err(RunError::PanicOfRust);
        }
        check_entries(args, &args.entry)?;
        if args.order.contradict() {
            return Err(RunError::OrderOfBound);
        }
        if args.witness.is_some() && !property.is_some() {
            return Err(RunError::WitnessOfWhat);
        }
        let mut config = args.config();
        config.svcomp |= task.is_some() || property.is_some();
        config.check(property);
        if args.fix.is_some() && config.races {
            return Err(RunError::NothingToFix { why: "is no help against data races" });
        }
        features::check(args, &config, &engines(args).map(EngineName::capabilities).collect::<Vec<_>>())?;
        if config.leaks != Leaks::Ignored && !config.reduces(Reduction::Dead) {
            return Err(RunError::LeaksOfDead);
        }
        let inputs = task.as_ref().map_or_else(|| args.inputs.clone(), |task| task.inputs.clone());
        let mut compiler_options = args.compiler_options();
        if args.overflow || property.has(Formula::NoOverflow) {
            compiler_options.extend(library::overflow::COMPILER_OPTIONS.map(str::to_owned));
        }
        let entries = if args.entry.is_empty() { vec![MAIN.to_owned()] } else { args.entry.clone() };
        Ok(Self { inputs, entries, config, compiler_options, database, task })
    }
}

/// Refuses several entries where an option is about one search.
///
/// # Errors
/// [`RunError::SeveralEntries`].
pub fn check_entries(args: &Args, entries: &[String]) -> Result<(), RunError> {
    match of_one_search(args) {
        Some(option) if entries.len() > 1 => Err(RunError::SeveralEntries { option }),
        _ => Ok(()),
    }
}

/// The reason for which `--fix` is refused.
fn not_to_fix(args: &Args, is_task: bool) -> Option<&'static str> {
    let stores = [args.store.checkpoint().is_some(), args.order.given().is_some()];
    let refusals = [
        (
            stores.contains(&true),
            "explores several programs: leave out --checkpoint, --resume, --order and --context-bound",
        ),
        (is_task, "is about no task of the competition: name the task's program instead"),
        (args.relaxed_memory == Model::Sc, "is about store buffers, and sc has none: name tso or pso"),
        (args.inputs.iter().any(|input| input == Path::new(STANDARD_INPUT)), "edits files: standard input is none"),
        (
            args.inputs.iter().any(|input| is_rust(input)),
            "edits C and C++, not Rust: --robustness names the places of fences",
        ),
        (
            args.robustness && !args.property.is_empty(),
            "makes programs robust, whatever property they have: use --fix=assertions",
        ),
    ];
    refusals.into_iter().find_map(|(is_refused, why)| is_refused.then_some(why))
}

/// An option that was given and that is about one search, so not about those of several entries.
fn of_one_search(args: &Args) -> Option<&'static str> {
    let pages = args.report.iter().any(|path| is_page(path));
    let given = [
        (args.store.checkpoint().is_some(), "--checkpoint or --resume"),
        (args.symbolic.dump_cnf.is_some(), "--dump-cnf"),
        (pages, "--report with a page"),
        (args.fix.is_some(), "--fix"),
    ];
    given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
}
