//! The exploration of one program: by the engine that was asked for, by another one for comparison, and again
//! where an assumption of a reduction turned out to be wrong.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rmc_runtime::Model;

use super::args::{Args, EngineName};
use super::cross_check::{self, Comparison, Found};
use super::progress::ProgressLine;
use crate::engine::attacks::Attacks;
use crate::engine::capabilities::Unit;
use crate::engine::explicit::{Explicit, Storage};
use crate::engine::stateless::dpor::Dpor;
use crate::engine::stateless::reads_from::ReadsFrom;
use crate::engine::{Engine, EngineError, Progress};
use crate::ir::Program;
use crate::outcome::cycle::Robustness;
use crate::outcome::{Outcome, Unknown, Verdict};
use crate::system::observe::guards;
use crate::system::{Config, Leaks, Reduction, Reductions, leave_final_states_open};

/// The reasons for which an exploration has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// The engine has none.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Two engines have different ones.
    #[error("the engines disagree; this is a bug in rmc itself, please report it with the program:\n{difference}")]
    Disagreement {
        /// The difference between their outcomes.
        difference: String,
    },
}

/// The engines that are to run.
pub fn engines(args: &Args) -> impl Iterator<Item = EngineName> {
    let compared = args.compares_engines().then_some(cross_check::ENGINES).into_iter().flatten();
    compared.chain((!args.compares_engines()).then(|| args.engine()))
}

fn engine(name: EngineName, args: &Args, storage: &Storage) -> Box<dyn Engine> {
    let (robustness, classes) = (args.robustness, args.count_classes);
    let dpor = Dpor { source: false, robustness, sequential: !args.no_monitor, classes, ends_at_bounds: false };
    match name {
        EngineName::Explicit => Box::new(Explicit { storage: storage.clone() }),
        EngineName::Dpor => Box::new(Dpor { ends_at_bounds: is_proof_wanted(args), ..dpor }),
        EngineName::DporSource => Box::new(Dpor { source: true, ..dpor }),
        EngineName::ReadsFrom => Box::new(ReadsFrom),
        EngineName::Attacks => Box::new(Attacks),
        EngineName::Symbolic => Box::new(args.symbolic.engine(args.unroll)),
    }
}

/// The outcome of an exploration, with its options and engine.
pub struct Explored {
    /// The outcome.
    pub outcome: Outcome,
    /// The configuration of the engine.
    pub config: Config,
    /// The engine.
    pub engine: EngineName,
    /// The result of comparing the engines.
    pub cross_check: Option<String>,
    /// The reason why there are no final states although they were asked for.
    pub no_final_states: Option<&'static str>,
}

/// The reason for which a run whose engines leave inputs open has no final states.
const OPEN_INPUTS: &str =
    "final states are left out: inputs are sets of values here (--no-reduce inputs tries each value)";

/// Explores the program as the options say.
///
/// # Errors
/// See [`ExploreError`].
pub fn explore(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    say_unsound(args);
    let defers = engines(args).all(|engine| engine.capabilities().defers_inputs);
    if defers && leave_final_states_open(program, &Config { robustness: args.robustness, ..config }) {
        let explored = explore_all(args, Config { final_states: false, ..config }, program, progress)?;
        return Ok(Explored { no_final_states: Some(OPEN_INPUTS), ..explored });
    }
    explore_all(args, config, program, progress)
}

/// Names the reductions that were asked for by name and that are not used in this order.
fn say_unsound(args: &Args) {
    let asked = args.reduce.unwrap_or(Reductions::NONE);
    let left_out = asked.without_all(args.order.sound(asked));
    if left_out != Reductions::NONE {
        eprintln!("rmc-check: not used in order of preemptions, where they are not sound: {left_out}");
    }
}

/// Explores the program with the engine, or with those that are to be compared.
fn explore_all(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    if args.cross_check && args.robustness {
        return compare_ways(args, config, program, progress);
    }
    if is_proof_wanted(args) {
        return explore_or_prove(args, config, program, progress);
    }
    if !args.compares_engines() {
        let mut spent = Spent::new();
        let explored = explore_with(args.engine(), args, config, program, progress)?;
        spent.add(&explored);
        let proof = match explored.outcome.verdict {
            Verdict::Unknown(Unknown::BufferBound) if proof_may_answer(args, &config) => {
                prove(args, spent, config, program, progress)?
            }
            _ => None,
        };
        return Ok(proof.unwrap_or(explored));
    }
    explore_and_compare(args, config, program, progress)
}

/// Explores the program with all engines that are compared, but for those that refuse it. The first one must
/// not.
fn explore_and_compare(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    let without = Config { final_states: false, all_violations: false, ..config };
    let (mut explored, mut refused) = (Vec::new(), Vec::new());
    let explore = |engine: EngineName| -> Result<_, ExploreError> {
        let whole = explore_with(engine, args, config, program, progress)?;
        let differs_without = config.final_states && engine.capabilities().unit == Unit::Executions;
        let brief = differs_without.then(|| explore_with(engine, args, without, program, progress));
        Ok((whole, brief.transpose()?))
    };
    for engine in cross_check::ENGINES {
        match explore(engine) {
            Err(ExploreError::Engine(EngineError::Unsupported { what, .. })) if !explored.is_empty() => {
                refused.push((engine, what));
            }
            both => explored.push(both?),
        }
    }
    let found: Vec<_> = explored
        .iter()
        .map(|(whole, brief)| Found {
            engine: whole.engine,
            outcome: &whole.outcome,
            brief: brief.as_ref().map(|brief| &brief.outcome),
        })
        .collect();
    let summary = match cross_check::compare(&found, &refused) {
        Comparison::Differ(difference) => return Err(ExploreError::Disagreement { difference }),
        Comparison::Agree(summary) | Comparison::Undecided(summary) => summary,
    };
    // If only one engine could decide, its verdict is taken, without a check.
    let decides = |(whole, _): &(Explored, _)| !matches!(whole.outcome.verdict, Verdict::Unknown(_));
    let decided = explored.iter().position(decides).unwrap_or(0);
    let (whole, _) = explored.swap_remove(decided);
    Ok(Explored { cross_check: Some(summary), ..whole })
}

/// Explores the program in both ways in which the stateless engine decides robustness, and compares them.
fn compare_ways(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    // Another engine would answer in place of this one.
    let watched = Args { engine: Some(EngineName::Dpor), ..args.clone() };
    let unwatched = Args { no_monitor: true, ..watched.clone() };
    let watched = explore_with(EngineName::Dpor, &watched, config, program, progress)?;
    let unwatched = explore_with(EngineName::Dpor, &unwatched, config, program, progress)?;
    match cross_check::compare_ways(&watched.outcome, &unwatched.outcome) {
        Comparison::Differ(difference) => Err(ExploreError::Disagreement { difference }),
        Comparison::Agree(summary) => Ok(Explored { cross_check: Some(summary), ..watched }),
        Comparison::Undecided(summary) if watched.outcome.robustness == Some(Robustness::Undecided) => {
            Ok(Explored { cross_check: Some(summary), ..unwatched })
        }
        Comparison::Undecided(summary) => Ok(Explored { cross_check: Some(summary), ..watched }),
    }
}

/// The maximal number of states of a search for attacks that was not asked for by name.
const MOST_STATES: u64 = 1 << 21;

/// True if the search for attacks may answer where executions have no end: no engine was named, and no bound.
fn is_proof_wanted(args: &Args) -> bool {
    let is_open = args.engine.is_none() && args.unroll.is_none() && !args.count_classes;
    args.robustness && is_open && args.relaxed_memory == Model::Tso
}

/// True if a proof of robustness answers an ordinary check: no engine was named, and what is asked is the
/// same for two executions with the same operations in the same order.
fn proof_may_answer(args: &Args, config: &Config) -> bool {
    let asks_more = config.races || config.final_states || config.all_violations || config.property.is_some();
    let explores_more = config.spurious_wakeups || config.leaks != Leaks::Ignored || args.order.given().is_some();
    let is_saved = args.store.given().is_some();
    args.engine.is_none() && config.model() == Model::Tso && !asks_more && !explores_more && !is_saved
}

/// What several searches for one answer have used of the limits, which hold for all of them together.
struct Spent {
    began: Instant,
    /// States and events.
    explored: u64,
}

impl Spent {
    fn new() -> Self {
        Self { began: Instant::now(), explored: 0 }
    }

    fn add(&mut self, explored: &Explored) {
        let statistics = &explored.outcome.statistics;
        self.explored += statistics.states + statistics.events;
    }

    /// The options of the next search.
    fn rest_of(&self, args: &Args) -> Args {
        let timeout = args.timeout.map(|timeout| timeout.saturating_sub(self.began.elapsed()));
        let max_states = args.max_states.map(|most| most.saturating_sub(self.explored));
        Args { timeout, max_states, ..args.clone() }
    }

    /// The options of the next search, if it was not asked for by name.
    fn rest_of_proof(&self, args: &Args) -> Args {
        let rest = self.rest_of(args);
        Args { max_states: Some(rest.max_states.map_or(MOST_STATES, |most| most.min(MOST_STATES))), ..rest }
    }
}

/// The answer to an ordinary check whose store buffers were too small, if the program is robust: then it has
/// under TSO the violations that it has under SC, whatever the length of its buffers.
fn prove(
    args: &Args,
    mut spent: Spent,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Option<Explored>, ExploreError> {
    let mut under_sc = config;
    under_sc.rules.model = Model::Sc;
    let rest = spent.rest_of_proof(args);
    // The engines do not take the same loops for waiting ones.
    let without_buffers = explore_with(EngineName::Explicit, &rest, under_sc, program, progress)?;
    spent.add(&without_buffers);
    if without_buffers.outcome.verdict != Verdict::Holds {
        return Ok(None);
    }
    let decided = decide_by_attacks(args, &mut spent, config, program, progress)?;
    Ok(decided.filter(|proof| proof.outcome.verdict == Verdict::Holds))
}

/// Decides robustness: by the stateless engine, or by a search for attacks if an execution is too long for it
/// or a buffer too small. If that does not decide it either, the stateless engine goes on with growing
/// bounds.
fn explore_or_prove(
    args: &Args,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    let mut spent = Spent::new();
    let explored = explore_with(EngineName::Dpor, args, config, program, progress)?;
    spent.add(&explored);
    let reason = match explored.outcome.verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::Holds | Verdict::Violated => explored.outcome.unfinished,
    };
    if !matches!(reason, Some(Unknown::LoopBound | Unknown::BufferBound)) {
        return Ok(explored);
    }
    if let Some(decided) = decide_by_attacks(args, &mut spent, config, program, progress)? {
        return Ok(decided);
    }
    let named = Args { engine: Some(EngineName::Dpor), ..spent.rest_of(args) };
    explore_with(EngineName::Dpor, &named, config, program, progress)
}

/// The outcome of a search for attacks, if it decides whether the program is robust.
fn decide_by_attacks(
    args: &Args,
    spent: &mut Spent,
    config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Option<Explored>, ExploreError> {
    match explore_with(EngineName::Attacks, &spent.rest_of_proof(args), config, program, progress) {
        Ok(decided) => {
            spent.add(&decided);
            let is_decided = matches!(decided.outcome.verdict, Verdict::Holds | Verdict::Violated);
            Ok(is_decided.then_some(decided))
        }
        Err(ExploreError::Engine(EngineError::Unsupported { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Explores the program. The exploration is repeated without the detection of local memory if that turns out
/// to miss something, and with each value of inputs in turn if an engine that follows executions could not
/// say what it needs to know of them: that decides programs with few values.
fn explore_with(
    name: EngineName,
    args: &Args,
    mut config: Config,
    program: &Program,
    progress: &Arc<Progress>,
) -> Result<Explored, ExploreError> {
    let mut storage = args.store.storage();
    let mut with_open_inputs: Option<Explored> = None;
    loop {
        let engine = engine(name, args, &storage);
        progress.has_stopped.store(false, Ordering::Relaxed);
        let line = ProgressLine::start(progress, args, engine.capabilities().unit);
        let result = engine.run(program, config, &args.limits(), progress);
        drop(line);
        match result {
            Err(EngineError::SharingMissed) if config.reduces(Reduction::Private) => {
                eprintln!(
                    "rmc-check: a thread has a pointer to memory that was taken for another one's own: the pointer was copied in pieces, or its memory has ended; explored again with all memory shared, as with --no-local-memory"
                );
                config.reductions = config.reductions.without(Reduction::Private);
                storage.resume = None;
            }
            Err(EngineError::EndSeen) if !config.sees_ends => {
                config.sees_ends = true;
                storage.resume = None;
            }
            Err(EngineError::AsymmetryDetected) if config.reduces(Reduction::Symmetry) => {
                eprintln!("rmc-check: threads are told apart by their numbers; explored again without `symmetry`");
                config.reductions = config.reductions.without(Reduction::Symmetry);
                storage.resume = None;
            }
            Err(EngineError::CheckpointWithoutSymmetry) => {
                config.reductions = config.reductions.without(Reduction::Symmetry);
            }
            Err(EngineError::CheckpointWithEnds) => config.sees_ends = true,
            Err(EngineError::CheckpointWithoutPrivate) => {
                config.reductions = config.reductions.without(Reduction::Private);
            }
            other => {
                let outcome = other?;
                let guards = guards::keep(outcome.guards.clone().into());
                let used = Config { guards, buffer_bound: outcome.buffer_bound, ..engine.config(config) };
                let verdict = outcome.verdict;
                let explored =
                    Explored { outcome, config: used, engine: name, cross_check: None, no_final_states: None };
                if let Some(first) = with_open_inputs {
                    return Ok(if matches!(verdict, Verdict::Unknown(_)) { first } else { explored });
                }
                let follows_executions = engine.capabilities().unit == Unit::Executions;
                let needs_values = verdict == Verdict::Unknown(Unknown::Nondet) && used.may_defer_inputs();
                if !(follows_executions && needs_values) {
                    return Ok(explored);
                }
                config.reductions = config.reductions.without(Reduction::Inputs);
                with_open_inputs = Some(explored);
            }
        }
    }
}
