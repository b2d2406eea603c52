//! One run: compile, then load, explore and report each program, one for each entry; exit code.
//!
//! An *entry* is a function in which the program begins. Each makes a program of its own, with limits of its
//! own: a search that a limit stops does not stop the next one.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::args::{Args, EngineName};
use super::compile::{CompileError, Compiler};
use super::explore::{ExploreError, Explored, explore};
use super::fix::explorer;
use super::fix::fix;
use super::job::Job;
use super::load_check;
use super::messages;
use super::outputs::Outputs;
use super::progress;
use super::replay::replay;
use super::run_error::RunError;
use super::signals;
use super::supervisor::Supervisor;
use super::tests::{self, Tests};
use crate::engine::counterexample::Counterexample;
use crate::engine::replay::replay as run_again;
use crate::engine::{Limits, Progress};
use crate::halt::Halt;
use crate::ir::load::{self, Input, Loaded, MAIN};
use crate::outcome::cycle::CycleOperation;
use crate::outcome::{Outcome, Unknown, Verdict};
use crate::report::entries::EntryReport;
use crate::report::json::{self, Report};
use crate::report::repair::Repair;
use crate::report::{statistics, text};
use crate::system::{Config, library};

/// The exit code for input that cannot be checked.
const REFUSED: u8 = 2;

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
        ExitCode::from(code_of_error(&error))
    })
}

fn check(args: Args) -> Result<ExitCode, RunError> {
    let mut job = Job::new(&args)?;
    let outputs = Mutex::new(Some(Outputs::create(&args, &job)?));
    let tests = args.test.as_deref().map(|filter| Tests::load(&args, &mut job, filter)).transpose()?;
    let (loaded, ignored) = tests.map_or((None, 0), |tests| (Some(tests.loaded), tests.ignored));
    Arc::new(Run {
        args,
        job,
        ignored,
        outputs,
        claimed: AtomicUsize::new(0),
        results: Mutex::default(),
        checked: Mutex::default(),
    })
    .check_entries(loaded)
}

/// A run: the job, and what has become of it so far.
struct Run {
    args: Args,
    job: Job,
    /// The number of tests that are left out because they have `#[ignore]`.
    ignored: usize,
    /// The files to write, until they are written.
    outputs: Mutex<Option<Outputs>>,
    /// The number of entries that were claimed to be reported ([`Run::claim`]).
    claimed: AtomicUsize,
    results: Mutex<Vec<EntryResult>>,
    /// The result of the check while a repair is looked for.
    checked: Mutex<Option<(Verdict, Report)>>,
}

/// The result for an entry.
struct EntryResult {
    /// The exit code of a run with this entry alone.
    code: u8,
    report: EntryReport,
}

impl Run {
    /// Checks all entries; `loaded` is the program if it is loaded already.
    fn check_entries(self: &Arc<Self>, mut loaded: Option<Loaded>) -> Result<ExitCode, RunError> {
        for at in 0..self.job.entries.len() {
            let progress = Arc::new(Progress::default());
            signals::stop_on_signal(&progress.halt);
            let (given_up, seen) = (Arc::clone(self), Arc::clone(&progress));
            let give_up = move |reason| given_up.give_up(at, &seen, reason);
            let _supervisor = Supervisor::start(&progress, self.args.limits(), give_up);
            let checked = self.check(at, &mut loaded, &progress);
            match checked {
                // No entry can be checked.
                Err(error) if loaded.is_none() => return Err(error),
                checked => self.add(at, checked)?,
            }
            // A limit that stops the compiler would stop it for each of the other entries, too.
            if let Some(reason) = progress.halt.reason()
                && (reason == Unknown::Interrupted || loaded.is_none())
            {
                self.leave_others(reason);
                break;
            }
        }
        self.finish()
    }

    /// Checks the program that begins in entry number `at`. It is compiled and loaded unless an earlier entry
    /// needed that.
    fn check(
        &self,
        at: usize,
        loaded: &mut Option<Loaded>,
        progress: &Arc<Progress>,
    ) -> Result<(Verdict, Report), RunError> {
        let Self { args, job, .. } = self;
        let program = match loaded {
            Some(loaded) => Ok(loaded),
            None => load_entries(args, job, &progress.halt).map(|new| loaded.insert(new)),
        };
        let program = program.and_then(|loaded| Ok(loaded.begin(at)?));
        let explore = if args.fix.is_some() { explorer::first } else { explore };
        let explored = program.and_then(|program| Ok((explore(args, job.config, program, progress)?, program)));
        if args.fix.is_none() || explored.is_err() {
            self.claim_or_wait(at);
        }
        let (Explored { mut outcome, config, engine, cross_check, no_final_states }, program) = match explored {
            Err(RunError::Compile(CompileError::Stopped(reason))) => return Ok(self.stopped(at, progress, reason)),
            explored => explored?,
        };
        let examples = outcome.violations.iter().map(|violation| {
            run_again(program, config, violation).expect("a schedule that was just found leads to its violation")
        });
        let mut examples: Vec<_> = examples.collect();
        distinct_cycles(&mut outcome, &mut examples);
        let options = self.options(at, config, engine);
        let no_final_states = no_final_states.map(str::to_owned);
        let mut report = Report { cross_check, no_final_states, ..Report::new(&outcome, &examples, &options) };
        if args.fix.is_some() {
            *self.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some((outcome.verdict, report.clone()));
            report.repair = Some(fix(args, job, &job.entries[at], &outcome, progress));
            self.claim_or_wait(at);
        }
        Ok((outcome.verdict, report))
    }

    /// Takes the right to report an entry.
    fn claim_or_wait(&self, at: usize) {
        if !self.claim(at) {
            // The supervisor is reporting, and then ends the process.
            loop {
                std::thread::park();
            }
        }
        progress::clear();
    }

    /// Takes the right to report an entry; false if it was taken before.
    fn claim(&self, at: usize) -> bool {
        self.claimed.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Reports a run that does not end by itself, as far as its state is known from outside, and ends the
    /// process: also if nobody is there to read the report, or the message that there is nobody.
    fn give_up(&self, at: usize, progress: &Progress, reason: Unknown) {
        if !self.claim(at) {
            return;
        }
        progress::clear();
        let report = || {
            self.add(at, Ok(self.stopped(at, progress, reason)))?;
            self.leave_others(reason);
            self.finish_with_code()
        };
        let code = match panic::catch_unwind(AssertUnwindSafe(report)) {
            Ok(Ok(code)) => code,
            Ok(Err(error)) => {
                // Without a reader there is nothing more to be done.
                drop(writeln!(std::io::stderr(), "rmc-check: {error}"));
                REFUSED
            }
            // The panic has said so.
            Err(_) => super::INTERNAL_ERROR,
        };
        std::process::exit(code.into());
    }

    /// The report of an entry whose search was stopped before its engine had an outcome.
    fn stopped(&self, at: usize, progress: &Progress, reason: Unknown) -> (Verdict, Report) {
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some((verdict, report)), Some(goal)) = (checked, self.args.fix) {
            return (verdict, Report { repair: Some(Repair::stopped(goal, reason)), ..report });
        }
        let config = self.job.config;
        let outcome = Outcome::stopped(reason, &progress.latest(), progress.began.elapsed(), config.buffer_bound);
        (outcome.verdict, Report::new(&outcome, &[], &self.options(at, config, self.args.engine())))
    }

    /// Keeps the result for an entry, and prints it if there are several.
    ///
    /// # Errors
    /// The error, if there is one entry.
    fn add(&self, at: usize, checked: Result<(Verdict, Report), RunError>) -> Result<(), RunError> {
        let entry = self.job.entries[at].clone();
        let result = match checked {
            Err(error) if !self.has_several() => return Err(error),
            Err(error) => {
                eprintln!("rmc-check: {entry}: {error}");
                let report = EntryReport { entry, report: None, error: Some(error.to_string()) };
                EntryResult { code: code_of_error(&error), report }
            }
            Ok((verdict, report)) => {
                if self.has_several() {
                    self.print(&report);
                }
                self.name_checkpoint(verdict);
                let report = EntryReport { entry, report: Some(Box::new(report)), error: None };
                EntryResult { code: code(verdict), report }
            }
        };
        self.results().push(result);
        Ok(())
    }

    /// Says that the other entries are not checked, and why. Nothing is known of them.
    fn leave_others(&self, reason: Unknown) {
        let nothing = Progress::default();
        let first = self.results().len();
        for (at, entry) in self.job.entries.iter().enumerate().skip(first) {
            eprintln!("rmc-check: {entry}: not checked: {}", reason.describe());
            let (verdict, report) = self.stopped(at, &nothing, reason);
            let report = EntryReport { entry: entry.clone(), report: Some(Box::new(report)), error: None };
            self.results().push(EntryResult { code: code(verdict), report });
        }
    }

    fn finish(&self) -> Result<ExitCode, RunError> {
        self.finish_with_code().map(ExitCode::from)
    }

    /// Writes the files, and prints the result of a run with one entry.
    fn finish_with_code(&self) -> Result<u8, RunError> {
        let results = std::mem::take(&mut *self.results());
        let code = worst(&results);
        let tests =
            self.args.test.is_some().then(|| tests::summary(results.iter().map(|result| &result.report), self.ignored));
        let outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner).take();
        let outputs = outputs.expect("a run ends once");
        let entries: Vec<_> = results.into_iter().map(|result| result.report).collect();
        if self.has_several() {
            outputs.write_entries(&entries)?;
        } else if let Some(report) = entries.first().and_then(|entry| entry.report.as_ref()) {
            outputs.write(report, self.job.config.property)?;
            self.print(report);
        }
        if let Some(summary) = tests.filter(|_| !self.reports_to_output()) {
            text::write(&summary);
        }
        Ok(code)
    }

    fn print(&self, report: &Report) {
        let Self { args, .. } = self;
        if self.reports_to_output() {
            return;
        }
        text::print(report, args.style());
        if let Some(repair) = report.repair.as_ref().filter(|_| args.fix_diff.is_none()) {
            text::write(&repair.diff);
        }
        if args.stats {
            text::write(&statistics::describe(&report.statistics, report.unit()));
        }
    }

    /// True if standard output is for a report in JSON.
    fn reports_to_output(&self) -> bool {
        self.args.report.iter().any(|path| path == Path::new("-"))
    }

    /// Names the file in which a search was saved that a limit stopped.
    fn name_checkpoint(&self, verdict: Verdict) {
        if let (Verdict::Unknown(reason), Some(path)) = (verdict, self.args.store.checkpoint())
            && reason.stops()
            && path.exists()
        {
            eprintln!("rmc-check: --resume {} goes on with this search", path.display());
        }
    }

    fn has_several(&self) -> bool {
        self.job.entries.len() > 1
    }

    fn results(&self) -> std::sync::MutexGuard<'_, Vec<EntryResult>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self, at: usize, config: Config, name: EngineName) -> json::Options {
        let Self { args, job, .. } = self;
        json::Options {
            config,
            engine: name.capabilities().name.to_owned(),
            inputs: job.inputs.clone(),
            entry: Some(job.entries[at].clone()).filter(|name| name != MAIN || self.has_several()),
            task: job.task.clone(),
            compiler_options: job.compiler_options.clone(),
            build_directory: args.build.clone(),
            stubs: args.stub.clone(),
            limits: Limits { max_memory: args.max_memory, ..args.limits() },
        }
    }
}

/// Compiles and loads the program that begins in the job's entries.
fn load_entries(args: &Args, job: &Job, halt: &Halt) -> Result<Loaded, RunError> {
    let inputs = compile(args, job, halt)?;
    Ok(load::load_entries(&inputs, &library::finder(&job.config), &args.stub, &job.entries)?)
}

/// Compiles the job's inputs.
pub(super) fn compile(args: &Args, job: &Job, halt: &Halt) -> Result<Vec<Input>, CompileError> {
    let compiler = Compiler::new(job.compiler_options.clone(), args.verbose > 0, halt)?;
    compiler.with_database(job.database.clone()).program(&job.inputs, &job.entries)
}

/// Removes cycles whose operations are on the same lines as those of an earlier one, in calls on the same
/// lines.
fn distinct_cycles(outcome: &mut Outcome, examples: &mut Vec<Counterexample>) {
    let mut known = HashSet::new();
    let is_new = |example: &Counterexample| {
        let lines = example.cycle.as_ref().map(|cycle| {
            let line = |at: &CycleOperation| {
                let calls: Vec<_> = at.calls.iter().map(|call| (call.place.file.clone(), call.place.line)).collect();
                (at.thread, at.file.clone(), at.line, at.operation.clone(), calls)
            };
            cycle.operations.iter().map(line).collect::<BTreeSet<_>>()
        });
        lines.is_none_or(|lines| known.insert(lines))
    };
    let is_new: Vec<_> = examples.iter().map(is_new).collect();
    let (mut shown, mut kept) = (is_new.iter(), is_new.iter());
    outcome.violations.retain(|_| shown.next() == Some(&true));
    examples.retain(|_| kept.next() == Some(&true));
}

/// The exit code of a verdict.
const fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Holds => 0,
        Verdict::Violated => 1,
        Verdict::Unknown(_) => 3,
    }
}

const fn code_of_error(error: &RunError) -> u8 {
    if matches!(error, RunError::Explore(ExploreError::Disagreement { .. })) { super::INTERNAL_ERROR } else { REFUSED }
}

/// The exit code of all results: that of the worst one. An error of rmc is the worst, then a violation, then
/// a program that could not be checked.
fn worst(results: &[EntryResult]) -> u8 {
    let has = |code: &u8| results.iter().any(|result| result.code == *code);
    [super::INTERNAL_ERROR, 1, REFUSED, 3].into_iter().find(has).unwrap_or(0)
}
