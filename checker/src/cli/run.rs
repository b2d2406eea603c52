//! One run: compile, load, explore, report, exit code.

use std::collections::{BTreeSet, HashSet};
use std::io::{IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use super::args::{Args, EngineName, is_page};
use super::compile::{CompileError, Compiler};
use super::database::Database;
use super::explore::{ExploreError, Explored, engines, explore};
use super::features::{self, UnsupportedOption};
use super::load_check;
use super::messages;
use super::output::{self, OutputFile, WriteError};
use super::progress;
use super::signals;
use super::sources;
use super::supervisor::Supervisor;
use crate::engine::counterexample::{Counterexample, Mismatch};
use crate::engine::replay;
use crate::engine::{Limits, Progress};
use crate::halt::Halt;
use crate::ir::Program;
use crate::ir::load::{self, LoadError};
use crate::outcome::cycle::CycleOperation;
use crate::outcome::{Outcome, Unknown, Verdict, Violation};
use crate::property::Formula;
use crate::report::json::{self, ReadError, Report};
use crate::report::{html, statistics, text, witness};
use crate::system::{Config, Leaks, Reduction, library};
use crate::task::{self, Task, TaskError};

/// The reasons for which there is no verdict. All of them lead to exit code 2.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
enum RunError {
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
    #[error("--property is given more than once: check each property in a run of its own")]
    SeveralProperties,
    #[error(
        "looking for leaks needs the reduction `dead`: what is in a dead register would lead to memory that is lost"
    )]
    LeaksOfDead,
    #[error("{path}: the report has no violation to replay")]
    NothingToReplay { path: String },
}

/// Runs the checker on the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    signals::fail_to_write_too_much();
    if let Some(path) = load_check::requested() {
        return load_check::load_only(&path);
    }
    let args = Args::from_process();
    messages::show(args.verbose);
    let result = match args.replay.clone() {
        Some(path) => replay(&args, &path),
        None => check(args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("rmc-check: {error}");
        ExitCode::from(if matches!(error, RunError::Explore(ExploreError::Disagreement { .. })) { 70 } else { 2 })
    })
}

/// The input of a run: what to check with which options, and the task if the input is one.
struct Job {
    inputs: Vec<PathBuf>,
    config: Config,
    compiler_options: Vec<String>,
    database: Option<Database>,
    task: Option<Task>,
}

impl Job {
    fn new(args: &Args) -> Result<Self, RunError> {
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
        if args.robustness && task.is_some() {
            return Err(RunError::RobustnessOfTask);
        }
        if args.witness.is_some() && !property.is_some() {
            return Err(RunError::WitnessOfWhat);
        }
        let mut config = args.config();
        config.svcomp |= task.is_some() || property.is_some();
        config.check(property);
        features::check(args, &config, &engines(args).map(EngineName::capabilities).collect::<Vec<_>>())?;
        if config.leaks != Leaks::Ignored && !config.reduces(Reduction::Dead) {
            return Err(RunError::LeaksOfDead);
        }
        let inputs = task.as_ref().map_or_else(|| args.inputs.clone(), |task| task.inputs.clone());
        let mut compiler_options = args.compiler_options();
        if args.overflow || property.has(Formula::NoOverflow) {
            compiler_options.extend(library::overflow::COMPILER_OPTIONS.map(str::to_owned));
        }
        Ok(Self { inputs, config, compiler_options, database, task })
    }
}

/// A run: the job, and the destination of the result.
struct Run {
    args: Args,
    job: Job,
    /// The outputs, until somebody takes them to report: the run when it is done, or the supervisor that gave
    /// it up.
    outputs: Mutex<Option<Outputs>>,
}

/// The files that a run writes.
struct Outputs {
    reports: Vec<OutputFile>,
    witness: Option<OutputFile>,
}

impl Outputs {
    fn create(args: &Args, job: &Job) -> Result<Self, RunError> {
        let read = args.inputs.iter().chain(&job.inputs);
        output::distinct(args.report.iter().chain(&args.witness), read.chain(&args.store.checkpoint()))?;
        let reports = args.report.iter().map(|path| OutputFile::create(path)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { reports, witness: args.witness.as_deref().map(OutputFile::create).transpose()? })
    }
}

fn check(args: Args) -> Result<ExitCode, RunError> {
    let job = Job::new(&args)?;
    let outputs = Mutex::new(Some(Outputs::create(&args, &job)?));
    let progress = Arc::new(Progress::default());
    signals::stop_on_signal(&progress);
    let limits = args.limits();
    let run = Arc::new(Run { args, job, outputs });
    let (given_up, seen) = (Arc::clone(&run), Arc::clone(&progress));
    let _supervisor = Supervisor::start(&progress, limits, move |reason| given_up.give_up(&seen, reason));
    run.check(&progress)
}

impl Run {
    fn check(&self, progress: &Arc<Progress>) -> Result<ExitCode, RunError> {
        let Self { args, job, .. } = self;
        let explored = load_program(job, args, &progress.halt)
            .and_then(|program| Ok((explore(args, job.config, &program, progress)?, program)));
        let outputs = self.claim();
        let (Explored { mut outcome, config, engine, cross_check, no_final_states }, program) = match explored {
            Err(RunError::Compile(CompileError::Stopped(reason))) => {
                return self.report_stopped(outputs, progress, reason);
            }
            explored => explored?,
        };
        let examples = outcome.violations.iter().map(|violation| {
            replay::replay(&program, config, violation).expect("a schedule that was just found leads to its violation")
        });
        let mut examples: Vec<_> = examples.collect();
        distinct_cycles(&mut outcome, &mut examples);
        let options = options(args, job, config, engine);
        let no_final_states = no_final_states.map(str::to_owned);
        let report = Report { cross_check, no_final_states, ..Report::new(&outcome, &examples, &options) };
        self.report(outputs, &outcome, &report)
    }

    /// Takes the outputs, which gives the right to report. A second caller waits for the end of the process.
    fn claim(&self) -> Outputs {
        progress::clear();
        let outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner).take();
        outputs.unwrap_or_else(|| {
            loop {
                std::thread::park();
            }
        })
    }

    /// Reports a run that does not end by itself, as far as its state is known from outside, and ends the
    /// process: also if nobody is there to read the report, or the message that there is nobody.
    fn give_up(&self, progress: &Progress, reason: Unknown) {
        let report = || self.report_stopped(self.claim(), progress, reason);
        let code = match panic::catch_unwind(AssertUnwindSafe(report)) {
            Ok(Ok(_)) => exit_code_number(Verdict::Unknown(reason)).into(),
            Ok(Err(error)) => {
                // Without a reader there is nothing more to be done.
                drop(writeln!(std::io::stderr(), "rmc-check: {error}"));
                2
            }
            // The panic has said so.
            Err(_) => super::INTERNAL_ERROR.into(),
        };
        std::process::exit(code);
    }

    /// Reports a run that was stopped before its engine had an outcome.
    fn report_stopped(&self, outputs: Outputs, progress: &Progress, reason: Unknown) -> Result<ExitCode, RunError> {
        let outcome =
            Outcome::stopped(reason, &progress.latest(), progress.began.elapsed(), self.job.config.buffer_bound);
        let options = options(&self.args, &self.job, self.job.config, self.args.engine());
        self.report(outputs, &outcome, &Report::new(&outcome, &[], &options))
    }

    fn report(&self, outputs: Outputs, outcome: &Outcome, report: &Report) -> Result<ExitCode, RunError> {
        let Self { args, job, .. } = self;
        for (path, file) in args.report.iter().zip(outputs.reports) {
            file.write(&if is_page(path) { html::page(report, &sources::read(report)) } else { report.to_json() })?;
        }
        if let Some(file) = outputs.witness {
            match witness::witness(report, job.config.property)? {
                Some(text) => file.write(text.trim_end())?,
                None => eprintln!("rmc-check: no witness is written: the verdict is unknown"),
            }
        }
        if let (Verdict::Unknown(reason), Some(path)) = (outcome.verdict, args.store.checkpoint())
            && reason.stops()
            && path.exists()
        {
            eprintln!("rmc-check: --resume {} goes on with this search", path.display());
        }
        if !args.report.iter().any(|path| path == Path::new("-")) {
            text::print(report, style(args));
            if args.stats {
                text::write(&statistics::describe(&report.statistics, report.unit()));
            }
        }
        Ok(exit_code(outcome.verdict))
    }
}

/// Removes cycles whose operations are on the same lines as those of an earlier one.
fn distinct_cycles(outcome: &mut Outcome, examples: &mut Vec<Counterexample>) {
    let mut known = HashSet::new();
    let is_new = |example: &Counterexample| {
        let lines = example.cycle.as_ref().map(|cycle| {
            let line = |at: &CycleOperation| (at.thread, at.file.clone(), at.line, at.operation.clone());
            cycle.operations.iter().map(line).collect::<BTreeSet<_>>()
        });
        lines.is_none_or(|lines| known.insert(lines))
    };
    let is_new: Vec<_> = examples.iter().map(is_new).collect();
    let (mut shown, mut kept) = (is_new.iter(), is_new.iter());
    outcome.violations.retain(|_| shown.next() == Some(&true));
    examples.retain(|_| kept.next() == Some(&true));
}

fn load_program(job: &Job, args: &Args, halt: &Halt) -> Result<Program, RunError> {
    let compiler = Compiler::new(job.compiler_options.clone(), args.verbose > 0, halt)?;
    let inputs = compiler.with_database(job.database.clone()).program(&job.inputs)?;
    Ok(load::load(&inputs, &library::finder(&job.config), &args.stub)?)
}

fn replay(args: &Args, path: &Path) -> Result<ExitCode, RunError> {
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
    let program = load::load(&compiler.program(&inputs)?, &library::finder(&config), &report.stubs()?)?;
    if report.violations.is_empty() {
        return Err(RunError::NothingToReplay { path: named });
    }
    let again = report.violations.iter().map(|shown| {
        let violation = Violation { fault: shown.fault(), schedule: shown.schedule.clone() };
        replay::replay(&program, config, &violation)
    });
    let again = again.collect::<Result<Vec<_>, _>>();
    let again = again.map_err(|mismatch| RunError::Replay { path: named, mismatch })?;
    text::print(&report.replayed(&again), style(args));
    Ok(ExitCode::from(1))
}

fn options(args: &Args, job: &Job, config: Config, name: EngineName) -> json::Options {
    json::Options {
        config,
        engine: name.capabilities().name.to_owned(),
        inputs: job.inputs.clone(),
        task: job.task.clone(),
        compiler_options: job.compiler_options.clone(),
        build_directory: args.build.clone(),
        stubs: args.stub.clone(),
        limits: Limits { max_memory: args.max_memory, ..args.limits() },
    }
}

fn style(args: &Args) -> text::Style {
    text::Style { color: use_color(args), quiet: args.quiet, full: args.full }
}

fn use_color(args: &Args) -> bool {
    match args.color {
        clap::ColorChoice::Always => true,
        clap::ColorChoice::Never => false,
        clap::ColorChoice::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

const fn exit_code_number(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Holds => 0,
        Verdict::Violated => 1,
        Verdict::Unknown(_) => 3,
    }
}

fn exit_code(verdict: Verdict) -> ExitCode {
    ExitCode::from(exit_code_number(verdict))
}
