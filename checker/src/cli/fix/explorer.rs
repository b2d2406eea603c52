//! The program with edits: compiled and explored, within what is left of the user's limits.

use std::path::PathBuf;
use std::sync::Arc;

use rmc_runtime::Model;

use super::files::{Edited, Files};
use crate::cli::args::Args;
use crate::cli::compile::{CompileError, Compiler};
use crate::cli::explore::{Explored, explore};
use crate::cli::job::Job;
use crate::cli::run_error::RunError;
use crate::engine::Progress;
use crate::ir::Program;
use crate::ir::load::{self, Loaded};
use crate::outcome::{Outcome, Unknown, Verdict, Violation};
use crate::report::repair::Goal;
use crate::system::{Config, library};

/// The number of events of a first look at a program. Most violations are found soon.
const FIRST_LOOK: u64 = 20_000;
/// The growth factor of looks that find nothing.
const GROWTH: u64 = 8;

/// The reasons for which a repair ends without a result.
pub enum Stop {
    /// A limit or a bound.
    Unknown(Unknown),
    /// An error of the exploration, for instance something unsupported.
    Error(Box<RunError>),
}

impl<E: Into<RunError>> From<E> for Stop {
    fn from(error: E) -> Self {
        match error.into() {
            RunError::Compile(CompileError::Stopped(reason)) => Self::Unknown(reason),
            error => Self::Error(Box::new(error)),
        }
    }
}

/// What exploring a program came to.
pub enum Seen {
    /// Violations that were looked for, and the configuration of their schedules.
    Violations(Vec<Violation>, Config),
    /// None of them, in an exploration that went to its end.
    Nothing(Box<Outcome>),
}

/// Explores the program with edits.
pub struct Explorer<'a> {
    args: Args,
    job: &'a Job,
    entry: &'a str,
    progress: &'a Arc<Progress>,
    /// The number of events so far.
    spent: u64,
    /// The number of explorations so far.
    pub explorations: u64,
}

impl<'a> Explorer<'a> {
    /// An explorer of the program that begins in this entry. `spent` is the number of events that count already.
    pub fn new(args: &Args, job: &'a Job, entry: &'a str, progress: &'a Arc<Progress>, spent: u64) -> Self {
        let args = Args { keep_going: true, ..args.clone() };
        Self { args, job, entry, progress, spent, explorations: 0 }
    }

    /// The configuration of explorations under a model.
    pub fn config(&self, model: Model) -> Config {
        let mut config = Config { final_states: false, all_violations: true, ..self.job.config };
        config.rules.model = model;
        config
    }

    /// The compiler of the program.
    ///
    /// # Errors
    /// [`CompileError`].
    pub fn compiler(&self) -> Result<Compiler, CompileError> {
        let compiler = Compiler::new(self.job.compiler_options.clone(), false, &self.progress.halt)?;
        Ok(compiler.with_database(self.job.database.clone()))
    }

    /// Compiles the program with edits.
    ///
    /// # Errors
    /// [`RunError`]: an edit does not compile, for instance.
    pub fn load(&self, files: &Files, edited: &Edited) -> Result<Loaded, RunError> {
        let directory = tempfile::Builder::new().prefix("rmc-fix-").tempdir().map_err(CompileError::Temporary)?;
        let overlay = files.overlay(edited, &directory).map_err(CompileError::Temporary)?;
        let (job, entries) = (self.job, [self.entry.to_owned()]);
        let inputs = self.compiler()?.with_overlay(overlay).program(&job.inputs, &entries)?;
        Ok(load::load_entries(&inputs, &library::finder(&job.config), &self.args.stub, &entries)?)
    }

    /// Explores a program until a violation of a kind is found that is looked for: with few events at first, and with
    /// more where that finds nothing.
    ///
    /// # Errors
    /// [`Stop`]: a limit was reached, or not all was explored.
    pub fn look(
        &mut self,
        program: &Program,
        model: Model,
        is_wanted: &mut dyn FnMut(&Violation, Config) -> bool,
    ) -> Result<Seen, Stop> {
        let mut most = FIRST_LOOK;
        loop {
            let left = self.job_limit().map(|limit| limit.saturating_sub(self.spent));
            let is_last = left.is_some_and(|left| left <= most);
            let limit = left.map_or(most, |left| left.min(most));
            let Explored { outcome, config, .. } = self.explore(program, model, limit)?;
            let wanted = outcome.violations.iter().filter(|violation| is_wanted(violation, config));
            let wanted: Vec<_> = wanted.cloned().collect();
            if !wanted.is_empty() {
                return Ok(Seen::Violations(wanted, config));
            }
            match unexplored(&outcome) {
                None => return Ok(Seen::Nothing(Box::new(outcome))),
                Some(Unknown::StateLimit) if !is_last => most = most.saturating_mul(GROWTH),
                Some(reason) => return Err(Stop::Unknown(reason)),
            }
        }
    }

    /// The inputs of the program.
    pub fn inputs(&self) -> &'a [PathBuf] {
        &self.job.inputs
    }

    /// The reason to end early, if that was requested.
    pub fn halted(&self) -> Option<Unknown> {
        self.progress.halt.reason()
    }

    fn job_limit(&self) -> Option<u64> {
        self.args.max_states
    }

    fn explore(&mut self, program: &Program, model: Model, limit: u64) -> Result<Explored, Stop> {
        if let Some(reason) = self.progress.halt.reason() {
            return Err(Stop::Unknown(reason));
        }
        let robustness = self.args.fix == Some(Goal::Robustness) && model != Model::Sc;
        let args = Args { max_states: Some(limit), robustness, ..self.args.clone() };
        let explored = explore(&args, self.config(model), program, self.progress).map_err(RunError::from)?;
        self.explorations += 1;
        self.spent = self.spent.saturating_add(explored.outcome.statistics.events);
        Ok(explored)
    }
}

/// The reason why an outcome does not cover all executions, if it does not.
fn unexplored(outcome: &Outcome) -> Option<Unknown> {
    match outcome.verdict {
        Verdict::Unknown(reason) => Some(reason),
        _ if outcome.unfinished.is_some() => outcome.unfinished,
        _ if !outcome.complete || outcome.bounded => Some(Unknown::LoopBound),
        _ => None,
    }
}
