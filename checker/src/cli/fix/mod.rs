//! `--fix`: the cheapest edits after which the program is robust, or has no violation that sc does not have.
//!
//! 1. The program is explored. Each execution that is to go gives the places on the way of its delays, of
//!    which a repair needs some ([`crate::repair`]).
//! 2. The cheapest edits at these places are made in a copy, which is compiled and explored.
//! 3. What is found there gives further places, until nothing is found. Only then is anything proposed.
//!
//! An execution needs an edit on the way of any of its delays that are on a cycle, and no more
//! (`engine/stateless/robustness/delays.rs`): so no cheaper edits do, among those that are offered.
//!
//! Tests: `tests/tests/fix.rs`.

mod describe;
pub mod explorer;
mod files;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use explorer::{Explorer, Seen, Stop};
use files::{Edited, Files};
use rmc_runtime::Model;

use super::args::Args;
use super::job::Job;
use super::run_error::RunError;
use crate::engine::Progress;
use crate::engine::replay::replay;
use crate::engine::stateless::robustness;
use crate::ir::Program;
use crate::outcome::delay::{Delay, Delays};
use crate::outcome::{Outcome, Place, Statistics, Verdict, Violation, ViolationKind};
use crate::repair::Requirements;
use crate::repair::candidates::candidates;
use crate::report::json::{self, ReportedViolation};
use crate::report::repair::{Goal, Repair, Status, Verification};
use crate::system::Config;

/// The largest number of violations of one exploration that are looked at.
const MOST_VIOLATIONS: usize = 64;

/// Looks for a repair of a program that was explored with this outcome.
#[must_use]
pub fn fix(args: &Args, job: &Job, entry: &str, outcome: &Outcome, progress: &Arc<Progress>) -> Repair {
    let (goal, began) = (args.fix.unwrap_or(Goal::Robustness), Instant::now());
    let explorer = Explorer::new(args, job, entry, progress, outcome.statistics.events);
    let model = job.config.model();
    let mut explorations = 0;
    let found = match outcome.verdict {
        Verdict::Holds => Ok(Repair::new(goal, Status::NothingToFix)),
        Verdict::Unknown(reason) => Err(Stop::Unknown(reason)),
        Verdict::Violated => Search::new(explorer, goal, model).and_then(|mut search| {
            let found = search.run();
            explorations = search.explorer.explorations;
            found.or_else(|stop| search.stopped(stop))
        }),
    };
    let repair = found.unwrap_or_else(|stop| match stop {
        Stop::Unknown(reason) => Repair::stopped(goal, reason),
        Stop::Error(error) => Repair { notes: vec![error.to_string()], ..Repair::new(goal, Status::Unknown) },
    });
    Repair { explorations, seconds: began.elapsed().as_secs_f64(), ..repair }
}

/// A kind of violation and its file and line.
type Key = (ViolationKind, String, u32);

/// The search for a repair.
struct Search<'a> {
    goal: Goal,
    model: Model,
    explorer: Explorer<'a>,
    files: Files,
    requirements: Requirements,
    /// For each edit, the shortest delay for which it was offered.
    reasons: Vec<Delay>,
    /// The violations under sc, which are to stay.
    kept: BTreeSet<Key>,
    under_sc: Option<Box<ReportedViolation>>,
    notes: Vec<String>,
    /// The proposal that was tried last.
    trying: Vec<usize>,
}

/// The result of trying a proposal.
enum Tried {
    DoesNotCompile(String),
    /// A fence is needed where none can be inserted.
    CannotEdit,
    /// There are requirements that the proposal does not meet.
    Violated,
    Holds(Box<Outcome>),
}

impl<'a> Search<'a> {
    fn new(explorer: Explorer<'a>, goal: Goal, model: Model) -> Result<Self, Stop> {
        let files = Files::of(&explorer.compiler()?, explorer.inputs())?;
        Ok(Self {
            goal,
            model,
            explorer,
            files,
            requirements: Requirements::default(),
            reasons: Vec::new(),
            kept: BTreeSet::new(),
            under_sc: None,
            notes: Vec::new(),
            trying: Vec::new(),
        })
    }

    fn run(&mut self) -> Result<Repair, Stop> {
        if self.goal == Goal::Assertions {
            self.look_under_sc()?;
            self.explorer.any_will_do = self.kept.is_empty();
        }
        let (made, outcome) = loop {
            let Some(proposal) = self.requirements.cheapest(&|| self.explorer.halted().is_some()) else {
                match self.explorer.halted() {
                    Some(reason) => return Err(Stop::Unknown(reason)),
                    None => return Ok(self.finish(Status::CannotEdit)),
                }
            };
            self.trying.clone_from(&proposal);
            match self.attempt(&proposal)? {
                Tried::DoesNotCompile(message) => self.discard(&proposal, &message)?,
                Tried::CannotEdit => return Ok(self.finish(Status::CannotEdit)),
                Tried::Violated => {}
                Tried::Holds(outcome) => break (proposal, outcome),
            }
        };
        let is_violated = !outcome.violations.is_empty();
        if is_violated && self.under_sc.is_none() && self.look_under_sc().is_err() {
            self.notes.push("the violations that are left were not explored under sc to the end".to_owned());
        }
        if made.is_empty() {
            return Ok(self.finish(if is_violated { Status::NoFenceHelps } else { Status::NothingToFix }));
        }
        let described = describe::repair(&made, &self.requirements, &self.reasons, &self.files);
        let Statistics { states, executions, events, .. } = outcome.statistics;
        let verification = Verification { states, executions, events };
        Ok(Repair {
            edits: described.edits,
            diff: described.diff,
            directory: described.directory,
            verification: Some(verification),
            ..self.finish(Status::Found)
        })
    }

    /// The result where the search was stopped: the edits that were tried last are named, and are no repair.
    fn stopped(&mut self, stop: Stop) -> Result<Repair, Stop> {
        let Stop::Unknown(reason) = stop else { return Err(stop) };
        let tried = self.trying.iter().map(|&edit| describe::place(&self.requirements.edits[edit], &self.files));
        let tried: Vec<_> = tried.collect();
        if !tried.is_empty() {
            self.notes.push(format!("tried last, and not verified: {}", tried.join("; ")));
        }
        Ok(Repair { reason: Some(reason), ..self.finish(Status::Unknown) })
    }

    fn finish(&mut self, status: Status) -> Repair {
        let (notes, under_sc) = (std::mem::take(&mut self.notes), self.under_sc.take());
        Repair { notes, under_sc, ..Repair::new(self.goal, status) }
    }

    /// Explores the program under sc: the violations that it has there are to stay.
    fn look_under_sc(&mut self) -> Result<(), Stop> {
        let none = self.files.edited([]);
        let mut loaded = self.explorer.load(&self.files, &none)?;
        let program = loaded.begin(0).map_err(RunError::from)?;
        let (files, kept, under_sc) = (&mut self.files, &mut self.kept, &mut self.under_sc);
        let explored = self.explorer.explore_under_sc(program)?;
        for violation in &explored.outcome.violations {
            let example = replay(program, explored.config, violation)
                .expect("a schedule leads to the violation it was found with");
            kept.insert(key(files, &none, example.fault.kind, &example.place));
            under_sc.get_or_insert_with(|| Box::new(json::reported(&example, &violation.schedule, None)));
        }
        Ok(())
    }

    /// Compiles and explores the program with these edits. What is found is added to the requirements.
    fn attempt(&mut self, proposal: &[usize]) -> Result<Tried, Stop> {
        let edited = self.files.edited(proposal.iter().map(|&edit| &self.requirements.edits[edit]));
        let mut loaded = match self.explorer.load(&self.files, &edited) {
            Ok(loaded) => loaded,
            Err(error) => match Stop::from(error) {
                Stop::Error(error) if !proposal.is_empty() => return Ok(Tried::DoesNotCompile(error.to_string())),
                stop => return Err(stop),
            },
        };
        let program = loaded.begin(0).map_err(RunError::from)?;
        match self.look(program, &edited)? {
            Seen::Nothing(outcome) => Ok(Tried::Holds(outcome)),
            Seen::Violations(violations, config) => {
                for violation in violations.iter().take(MOST_VIOLATIONS) {
                    let delays = robustness::delays(program, config, violation)
                        .expect("a schedule that was just found leads to its violation");
                    if !self.require(&delays, &edited, proposal) {
                        return Ok(Tried::CannotEdit);
                    }
                }
                Ok(Tried::Violated)
            }
        }
    }

    /// Explores the program for violations that are to go.
    fn look(&mut self, program: &Program, edited: &Edited) -> Result<Seen, Stop> {
        let Self { goal, files, kept, .. } = self;
        let mut is_wanted = |violation: &Violation, config: Config| match goal {
            Goal::Robustness => violation.fault.kind == ViolationKind::NotRobust,
            Goal::Assertions => {
                let example = replay(program, config, violation).expect("a schedule that was just found");
                !kept.contains(&key(files, edited, example.fault.kind, &example.place))
            }
        };
        self.explorer.look(program, self.model, &mut is_wanted)
    }

    /// Requires edits against an execution with these delays. Returns false if there is none.
    fn require(&mut self, delays: &Delays, edited: &Edited, made: &[usize]) -> bool {
        let of_cycle: Vec<_> = delays.of_cycle.iter().map(|delay| self.offer(delay, edited)).collect();
        for edit in of_cycle.into_iter().flatten() {
            self.requirements.prefer(edit);
        }
        let all: Vec<_> = delays.all.iter().flat_map(|delay| self.offer(delay, edited)).collect();
        let is_possible = self.requirements.add(all, made);
        if !is_possible {
            let delays = delays.of_cycle.iter().map(|delay| self.files.original(delay, edited)).collect::<Vec<_>>();
            let needed = delays.iter().map(|delay| describe::needed(delay, &self.files)).collect::<Vec<_>>();
            self.notes.extend(needed.into_iter().map(|needed| format!("nothing can be inserted that {needed}")));
        }
        is_possible
    }

    /// The edits that may forbid a delay, by their numbers.
    fn offer(&mut self, delay: &Delay, edited: &Edited) -> Vec<usize> {
        let delay = self.files.original(delay, edited);
        let offered = candidates(&delay, &self.files.sources);
        let numbers = offered.into_iter().map(|edit| {
            let number = self.requirements.number(edit);
            match self.reasons.get_mut(number) {
                None => self.reasons.push(delay.clone()),
                Some(reason) if delay.path.len() < reason.path.len() => reason.clone_from(&delay),
                Some(_) => {}
            }
            number
        });
        numbers.collect()
    }

    /// Finds the edits of a proposal that do not compile, and leaves them out from now on.
    fn discard(&mut self, proposal: &[usize], message: &str) -> Result<(), Stop> {
        let mut bad = Vec::new();
        for &edit in proposal {
            let edited = self.files.edited([&self.requirements.edits[edit]]);
            if let Err(error) = self.explorer.load(&self.files, &edited) {
                match Stop::from(error) {
                    Stop::Error(error) => bad.push((edit, error.to_string())),
                    stop @ Stop::Unknown(_) => return Err(stop),
                }
            }
        }
        if bad.is_empty() {
            bad.extend(proposal.last().map(|&edit| (edit, message.to_owned())));
        }
        for (edit, message) in bad {
            self.requirements.discard(edit);
            let place = describe::place(&self.requirements.edits[edit], &self.files);
            let reason = message.lines().find(|line| line.contains("error")).unwrap_or(&message).trim();
            self.notes.push(format!("discarded, as it does not compile: {place}: {reason}"));
        }
        Ok(())
    }
}

/// The key of a violation: two with the same key are the same. Deadlocks and lost memory have no place.
fn key(files: &mut Files, edited: &Edited, kind: ViolationKind, place: &Place) -> Key {
    if matches!(kind, ViolationKind::Deadlock | ViolationKind::MemoryLeak) {
        return (kind, String::new(), 0);
    }
    (kind, place.file.clone(), files.original_line(&place.file, place.line, edited))
}
