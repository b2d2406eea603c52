//! Bounds that grow, until something is found or the time is over.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::Symbolic;
use super::bounds::Bounds;
use super::solve::{Answered, Attempt, Size};
use crate::draft::Draft;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{FormulaSize, Outcome, Statistics, Unknown, Verdict};
use crate::system::Config;

/// Solves formulas with bounds that grow.
///
/// # Errors
/// [`EngineError::Unsupported`] for what this engine does not follow, [`EngineError::FormulaFile`] if the
/// file for the formula cannot be written.
pub fn run(
    engine: &Symbolic,
    program: &Program,
    config: Config,
    limits: &Limits,
    progress: &Progress,
) -> Result<Outcome, EngineError> {
    let started = Instant::now();
    // A name that cannot be written is refused before the work.
    engine
        .dump_cnf
        .as_deref()
        .map_or(Ok(()), |path| Draft::new(path).map(drop))
        .map_err(|error| unwritten(engine, error))?;
    let halted = halted(limits, progress);
    let model = config.model();
    let levels = engine.asked.levels(model);
    let mut solved: Vec<(Bounds, Size)> = Vec::new();
    let mut size = Size::default();
    let mut bounds = levels[0];
    let mut unknown = Unknown::SymbolicBounds;
    let mut violations = Vec::new();
    let mut open_word = None;
    let last = *levels.last().expect("there are levels");
    for level in levels {
        bounds = level;
        log::info!("{bounds}");
        let attempt = Attempt {
            program,
            config,
            bounds,
            halted: Arc::clone(&halted),
            dump_cnf: engine.dump_cnf.as_deref(),
            asks_for_loops: bounds == last,
            size: RefCell::default(),
        };
        let answer = attempt.solve();
        size = attempt.size.into_inner();
        log::info!("{} events, {} variables, {} clauses", size.events, size.variables, size.clauses);
        match answer {
            Answered::Violated(violation) => {
                violations.push(violation);
                break;
            }
            Answered::Nothing { left_out } => {
                open_word = open_word.or(left_out);
                let makes_no_difference =
                    |&(before, of)| size == of && engine.asked.are_all_larger(bounds, before, model);
                // Then larger ones make none either, unless a path was cut off: a loop of known turns makes
                // formulas of one size until all of its turns are within the bound.
                let can_unroll_more = !size.loops_end && engine.asked.unroll.is_none();
                if !can_unroll_more && solved.iter().any(makes_no_difference) {
                    break;
                }
                solved.push((bounds, size));
            }
            Answered::Halted => {
                unknown = progress.halt.reason().unwrap_or(Unknown::Timeout);
                break;
            }
            Answered::Refused { what, place } => return Err(refused(program, &what, place)),
            Answered::Unwritten(error) => return Err(unwritten(engine, error)),
            Answered::Disagreement(why) => panic!("a solution of the formula is no execution: {why}"),
        }
    }
    if violations.is_empty()
        && unknown == Unknown::SymbolicBounds
        && let Some(place) = open_word
    {
        return Err(refused(program, "a word of which some bits are initialised and others are not", place));
    }
    let statistics = Statistics {
        seconds: started.elapsed().as_secs_f64(),
        formula: Some(FormulaSize {
            unroll: bounds.unroll,
            rounds: bounds.rounds,
            max_clock: bounds.max_clock,
            writes: bounds.writes,
            width: bounds.width,
            events: size.events as u64,
            variables: size.variables as u64,
            clauses: size.clauses,
            loops_end: size.loops_end,
        }),
        ..Statistics::default()
    };
    let verdict = if violations.is_empty() { Verdict::Unknown(unknown) } else { Verdict::Violated };
    Ok(Outcome { verdict, violations, statistics, ..Outcome::undecided(unknown, config.buffer_bound) })
}

/// Something that the engine does not follow.
fn refused(program: &Program, what: &str, (function, pc): (FuncId, Pc)) -> EngineError {
    EngineError::Unsupported {
        what: format!("{what}, with --engine symbolic"),
        place: program.place(program.location(function, pc)),
        function: program.function(function).shown_name(),
    }
}

fn unwritten(engine: &Symbolic, error: io::Error) -> EngineError {
    let path = engine.dump_cnf.as_deref().unwrap_or(Path::new("")).display().to_string();
    EngineError::FormulaFile { path, error }
}

/// The question whether the run is to end.
fn halted(limits: &Limits, progress: &Progress) -> Arc<dyn Fn() -> bool + Send + Sync> {
    let (limits, halt, began) = (*limits, progress.halt.clone(), progress.began);
    Arc::new(move || halt.reason().is_some() || limits.is_over(began))
}
