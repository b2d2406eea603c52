//! The program with edits: compiled and explored, within what is left of the user's limits.

use std::path::PathBuf;
use std::sync::Arc;

use rmc_runtime::Model;

use super::files::{Edited, Files};
use crate::cli::args::{Args, EngineName};
use crate::cli::compile::{CompileError, Compiler};
use crate::cli::explore::{ExploreError, Explored, explore};
use crate::cli::job::Job;
use crate::cli::run_error::RunError;
use crate::engine::Progress;
use crate::engine::capabilities::Feature;
use crate::ir::Program;
use crate::ir::load::{self, Loaded};
use crate::outcome::{Outcome, Unknown, Verdict, Violation};
use crate::report::repair::Goal;
use crate::system::{Config, library};

/// The number of events of a first look at a program, and the bound on the turns of loops in it.
const FIRST_LOOK: u64 = 20_000;
const FIRST_TURNS: u32 = 4;
/// The bound in a second look, in which more of what happens within it is seen.
const FEW_TURNS: u32 = 2;
/// The largest bound on the turns of loops in further looks, which begin with that of the second one and
/// double it.
const MOST_TURNS: u32 = 64;
/// The growth factor of looks that find nothing.
const GROWTH: u64 = 8;
/// The number of events after which a program is given up whose loops go on however often they are followed.
const ENOUGH: u64 = 100_000;
/// The maximal number of states of a search for attacks.
const MOST_STATES: u64 = 1 << 20;

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

/// The result of exploring a program.
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
    /// True if no violation is to stay. Then an engine that only has to decide stops at the first one.
    pub any_will_do: bool,
}

impl<'a> Explorer<'a> {
    /// An explorer of the program that begins in this entry. `spent` is the number of events that count
    /// already.
    pub fn new(args: &Args, job: &'a Job, entry: &'a str, progress: &'a Arc<Progress>, spent: u64) -> Self {
        Self { args: args.clone(), job, entry, progress, spent, explorations: 0, any_will_do: false }
    }

    /// The configuration of explorations under a model.
    fn config(&self, model: Model) -> Config {
        let mut config = Config { final_states: false, ..self.job.config };
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

    /// Explores a program until violations are found that are wanted, or until it is known that there are
    /// none: with a short look first, since most violations are found soon, and loops may go on without end
    /// while stores are delayed.
    ///
    /// # Errors
    /// [`Stop`]: a limit was reached, or not all was explored.
    pub fn look(
        &mut self,
        program: &Program,
        model: Model,
        is_wanted: &mut dyn FnMut(&Violation, Config) -> bool,
    ) -> Result<Seen, Stop> {
        let mut wanted = |explored: &Explored| {
            let violations = explored.outcome.violations.iter();
            violations.filter(|violation| is_wanted(violation, explored.config)).cloned().collect::<Vec<_>>()
        };
        let mut look = Look { engine: self.searcher(), most: FIRST_LOOK, unroll: None, keep_going: true };
        for turns in [FIRST_TURNS, FEW_TURNS] {
            look.unroll = self.args.unroll.or(Some(turns));
            let first = self.explore(program, model, look)?;
            let found = wanted(&first);
            if !found.is_empty() {
                return Ok(Seen::Violations(found, first.config));
            }
            if unexplored(&first.outcome).is_none() {
                return Ok(Seen::Nothing(Box::new(first.outcome)));
            }
        }
        if let Some(proof) = self.look_for_attacks(program, model)? {
            let found = wanted(&proof);
            if !found.is_empty() {
                return Ok(Seen::Violations(found, proof.config));
            }
            if unexplored(&proof.outcome).is_none() {
                return Ok(Seen::Nothing(Box::new(proof.outcome)));
            }
        }
        let mut is_violated = false;
        if self.args.engine() != look.engine {
            let whole =
                Look { engine: self.args.engine(), most: u64::MAX, unroll: None, keep_going: !self.any_will_do };
            let whole = self.explore(program, model, whole)?;
            match unexplored(&whole.outcome) {
                // The other engine finds them, too, and knows their delays.
                _ if !wanted(&whole).is_empty() => is_violated = true,
                None => return Ok(Seen::Nothing(Box::new(whole.outcome))),
                Some(reason) => return Err(Stop::Unknown(reason)),
            }
        }
        loop {
            look.most = look.most.saturating_mul(GROWTH);
            // The other engine has found a violation: with a bound on loops this engine finds it sooner.
            let turns = look.unroll.map(|turns| turns.saturating_mul(2));
            look.unroll = self.args.unroll.or(turns.filter(|&turns| is_violated && turns <= MOST_TURNS));
            let explored = self.explore(program, model, look)?;
            let found = wanted(&explored);
            if !found.is_empty() {
                return Ok(Seen::Violations(found, explored.config));
            }
            let goes_on = explored.outcome.statistics.loop_bound.is_some() && look.most >= ENOUGH;
            match unexplored(&explored.outcome) {
                None => return Ok(Seen::Nothing(Box::new(explored.outcome))),
                Some(Unknown::StateLimit) if goes_on => return Err(Stop::Unknown(Unknown::LoopBound)),
                Some(Unknown::StateLimit) if self.left().is_none_or(|left| left > 0) => {}
                Some(Unknown::LoopBound) if self.args.unroll.is_none() && look.unroll.is_some() => {}
                Some(reason) => return Err(Stop::Unknown(reason)),
            }
        }
    }

    /// Looks for attacks, where robustness is asked for and no engine was named: this ends on loops that
    /// store in every turn. The result is `None` if that cannot follow the program.
    fn look_for_attacks(&mut self, program: &Program, model: Model) -> Result<Option<Explored>, Stop> {
        let is_asked = self.args.fix == Some(Goal::Robustness) && self.args.engine.is_none();
        if !is_asked || model != Model::Tso || self.args.unroll.is_some() {
            return Ok(None);
        }
        let look = Look { engine: EngineName::Attacks, most: MOST_STATES, unroll: None, keep_going: true };
        match self.explore(program, model, look) {
            Ok(explored) => Ok(Some(explored)),
            Err(Stop::Error(error)) if error.is_unsupported() => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// Explores a program under sc, by the explicit engine unless another one is named: it ends on all loops.
    ///
    /// # Errors
    /// [`Stop`], also if not all was explored.
    pub fn explore_under_sc(&mut self, program: &Program) -> Result<Explored, Stop> {
        let engine = self.args.engine.unwrap_or(EngineName::Explicit);
        let unroll = self.args.unroll.filter(|_| engine.capabilities().has(Feature::LoopBound));
        let explored = self.explore(program, Model::Sc, Look { engine, most: u64::MAX, unroll, keep_going: true })?;
        unexplored(&explored.outcome).map_or(Ok(explored), |reason| Err(Stop::Unknown(reason)))
    }

    /// The engine that finds violations with their delays.
    fn searcher(&self) -> EngineName {
        self.args.engine.filter(|engine| *engine == EngineName::DporSource).unwrap_or(EngineName::Dpor)
    }

    /// The inputs of the program.
    pub fn inputs(&self) -> &'a [PathBuf] {
        &self.job.inputs
    }

    /// The reason to end early, if that was requested.
    pub fn halted(&self) -> Option<Unknown> {
        self.progress.halt.reason()
    }

    /// The number of events, or states, that are left of the user's limit.
    fn left(&self) -> Option<u64> {
        self.args.max_states.map(|limit| limit.saturating_sub(self.spent))
    }

    fn explore(&mut self, program: &Program, model: Model, look: Look) -> Result<Explored, Stop> {
        if let Some(reason) = self.progress.halt.reason() {
            return Err(Stop::Unknown(reason));
        }
        let robustness = self.args.fix == Some(Goal::Robustness) && model != Model::Sc;
        let most = self.left().map_or(look.most, |left| left.min(look.most));
        let args = Args {
            max_states: Some(most).filter(|&most| most < u64::MAX),
            engine: Some(look.engine),
            unroll: look.unroll,
            keep_going: look.keep_going,
            robustness,
            ..self.args.clone()
        };
        let config = Config { all_violations: look.keep_going, ..self.config(model) };
        let explored = explore(&args, config, program, self.progress).map_err(RunError::from)?;
        self.explorations += 1;
        let statistics = &explored.outcome.statistics;
        self.spent = self.spent.saturating_add(statistics.events.max(statistics.states));
        Ok(explored)
    }
}

/// One exploration.
#[derive(Clone, Copy)]
struct Look {
    engine: EngineName,
    /// The number of events, or states, after which it ends.
    most: u64,
    /// The bound on the turns of loops.
    unroll: Option<u32>,
    /// True if all violations are wanted.
    keep_going: bool,
}

/// Explores a program that is to be fixed: with a short look first, which finds most violations. Then the
/// check is as without a repair.
///
/// # Errors
/// [`ExploreError`].
pub fn first(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    if args.engine().capabilities().has(Feature::LoopBound) {
        let most = args.max_states.map_or(FIRST_LOOK, |limit| limit.min(FIRST_LOOK));
        let look = Args { max_states: Some(most), unroll: args.unroll.or(Some(FIRST_TURNS)), ..args.clone() };
        let explored = explore(&look, config, program, progress)?;
        let left = args.max_states.map(|limit| limit.saturating_sub(explored.outcome.statistics.events));
        let is_violated = explored.outcome.verdict == Verdict::Violated;
        if is_violated || left == Some(0) || unexplored(&explored.outcome).is_none() {
            return Ok(explored);
        }
        return explore(&Args { max_states: left, ..args.clone() }, config, program, progress);
    }
    explore(args, config, program, progress)
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
