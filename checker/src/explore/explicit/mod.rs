//! Explicit-state search, breadth first: the states themselves, in order of discovery, are the queue, so a violation's schedule is a shortest one.
//!
//! Every state is matched against all states seen before, so loops end when nothing new can happen in them.
//!
//! A deadlock in which threads go round in loops that only look is a set of states from which nothing but idle steps ([`Prospect`]) leads, none of them out of the
//! set. When the last state of the set is explored all others are known, so only a state whose idle steps all lead to known states is looked at closely.

mod expand;
mod schedule;
mod steps;

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::findings::Findings;
use super::measures::{Lines, Meter, Timeline, memory};
use super::{Engine, EngineError, Limits, Progress, replay};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Levels, Measures, Sample, Worker};
use crate::outcome::{Outcome, Statistics, Unknown, Verdict};
use crate::store::{Id, Reached, StateStore};
use crate::system::{Config, Machine, Prospect};
use steps::Steps;

/// The explicit-state engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError> {
        let mut search = Search::new(program, config, *limits);
        while search.explore_level(progress)? {}
        Ok(search.finish())
    }
}

/// States that were reached and are looked up together, so that the look-ups wait for memory together.
const BATCH: usize = 64;

/// States between two looks at the limits.
const CHECK_EVERY: Id = 256;

struct Search<'p> {
    machine: Machine<'p>,
    store: StateStore,
    steps: Steps,
    limits: Limits,
    started: Instant,
    statistics: Statistics,
    meter: Meter,
    levels: Levels,
    timeline: Timeline,
    /// Why the search ended before the states did.
    stopped: Option<Stop>,
    findings: Findings,
    /// The first state of the level that is explored next.
    level: Id,
    /// States that were reached and not looked up yet.
    batch: Vec<Reached>,
    /// Where the steps to them began, if lines are counted.
    batch_places: Vec<(FuncId, Pc)>,
    /// Where the step under way began, if lines are counted.
    from: (FuncId, Pc),
    /// States of this level from which only idle steps lead, to other states.
    idle: Vec<Id>,
    /// Whether some state can be left in more than one way.
    branched: bool,
    vector: Vec<Id>,
    after: Vec<Id>,
    threads: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Violation,
    Limit(Unknown),
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, config: Config, limits: Limits) -> Self {
        let mut search = Self {
            machine: Machine::new(program, config),
            store: StateStore::default(),
            steps: Steps::new(&config),
            limits,
            started: Instant::now(),
            statistics: Statistics::default(),
            meter: Meter { lines: limits.count_lines.then(Lines::default), ..Meter::default() },
            levels: Levels::default(),
            timeline: Timeline::default(),
            stopped: None,
            findings: Findings::new(config.property, limits.keep_going),
            level: 0,
            batch: Vec::new(),
            batch_places: Vec::new(),
            from: (FuncId::new(0), Pc::new(0)),
            idle: Vec::new(),
            branched: false,
            vector: Vec::new(),
            after: Vec::new(),
            threads: Vec::new(),
        };
        search.machine.pack(&mut search.after);
        let root = search.store.fold(&search.after);
        search.store.insert(&[(root, 0)], |_| ());
        search
    }

    /// Explores all states that are as far from the initial state as the first unexplored one. False if the search is over.
    fn explore_level(&mut self, progress: &Progress) -> Result<bool, EngineError> {
        let end = self.store.len() as Id;
        self.levels.push(self.statistics.max_depth, u64::from(end - self.level));
        for state in self.level..end {
            self.expand(state, progress)?;
            if self.stopped.is_some() {
                break;
            }
            if (state + 1).is_multiple_of(CHECK_EVERY) {
                self.check_limits(state + 1, progress);
            }
        }
        self.look_up();
        self.settle_idle(end);
        self.level = end;
        let goes_on = self.stopped.is_none() && (end as usize) < self.store.len();
        self.statistics.max_depth += u64::from(goes_on);
        Ok(goes_on)
    }

    /// Looks the states up that were reached since the last time.
    fn look_up(&mut self) {
        let Self { store, meter, batch, batch_places, .. } = self;
        let before = store.len();
        match &mut meter.lines {
            Some(lines) => store.insert(batch, |at| lines.count(batch_places[at])),
            None => store.insert(batch, |_| ()),
        }
        meter.reaches(batch.len(), store.len() - before);
        batch.clear();
        batch_places.clear();
    }

    /// Of the states of this level from which only idle steps lead, looks closely at those from which none leads to a new state.
    fn settle_idle(&mut self, end: Id) {
        let idle = std::mem::take(&mut self.idle);
        if idle.is_empty() || self.stopped.is_some() {
            return;
        }
        // Both lists are in ascending order.
        let mut parents = (end..self.store.len() as Id).map(|state| self.store.parent(state)).peekable();
        let mut leads_on = Vec::new();
        for state in idle.iter().copied() {
            while parents.next_if(|&parent| parent < state).is_some() {}
            leads_on.push(parents.peek() == Some(&state));
        }
        drop(parents);
        for (state, _) in idle.into_iter().zip(leads_on).filter(|&(_, leads_on)| !leads_on) {
            self.store.take(state);
            let vector = self.store.vector().to_vec();
            if self.machine.prospect(&vector, self.store.len()) == Prospect::Stuck {
                self.deadlock(state, &vector);
            }
            if self.stopped.is_some() {
                return;
            }
        }
    }

    /// Bytes of the states and their components.
    fn bytes(&self) -> u64 {
        (self.store.bytes() + self.machine.bytes()) as u64
    }

    fn check_limits(&mut self, expanded: Id, progress: &Progress) {
        let sample = self.sample(self.started.elapsed().as_secs_f64(), expanded.into());
        let (states, bytes) = (sample.states, sample.bytes + self.steps.bytes() as u64);
        progress.update(&sample);
        self.timeline.notes(sample);
        let limit = if progress.stop.load(Ordering::Relaxed) {
            Unknown::Interrupted
        } else if self.limits.max_states.is_some_and(|max| states >= max) {
            Unknown::StateLimit
        } else if self.limits.max_memory.is_some_and(|max| bytes >= max) {
            Unknown::MemoryLimit
        } else if self.limits.timeout.is_some_and(|limit| self.started.elapsed() >= limit) {
            Unknown::Timeout
        } else {
            return;
        };
        self.stopped = self.stopped.or(Some(Stop::Limit(limit)));
    }

    fn sample(&self, seconds: f64, expanded: u64) -> Sample {
        let states = self.store.len() as u64;
        let frontier = states.saturating_sub(expanded);
        Sample { seconds, states, frontier, bytes: self.bytes(), ..Sample::default() }
    }

    /// Completes what was measured. `last`: how it ended.
    fn measures(&mut self, last: Sample) -> Measures {
        let meter = std::mem::take(&mut self.meter);
        let mut levels = std::mem::take(&mut self.levels);
        if self.store.len() > self.level as usize {
            levels.push(self.statistics.max_depth + 1, self.store.len() as u64 - u64::from(self.level));
        }
        let worker = Worker {
            expanded: meter.expanded(),
            found: last.states,
            transitions: self.statistics.transitions,
            executions: 0,
            seconds: last.seconds,
        };
        let (bytes, tables) = memory(&self.store, self.machine.components());
        Measures {
            samples: std::mem::take(&mut self.timeline).finish(last),
            levels,
            matching_rate: meter.matching_rate(last.states),
            known_successors: meter.known_successors,
            choices: meter.choices,
            bytes,
            tables,
            lines: meter.lines.map_or_else(Vec::new, |lines| lines.hottest(self.machine.program())),
            workers: vec![worker],
            pending_stores: meter.pending_stores,
        }
    }

    fn finish(mut self) -> Outcome {
        let states = self.store.len() as u64;
        let bytes = self.bytes();
        self.statistics.states = states;
        self.statistics.store_bytes = bytes;
        self.statistics.bytes_per_state = bytes as f64 / states as f64;
        self.statistics.components = self.machine.components().len() as u64;
        self.statistics.seconds = self.started.elapsed().as_secs_f64();
        let last = self.sample(self.statistics.seconds, self.meter.expanded());
        self.statistics.measures = self.measures(last);
        self.statistics.states_per_second = states as f64 / self.statistics.seconds.max(1e-9);
        let stopped = match self.stopped {
            Some(Stop::Limit(limit)) => Some(limit),
            Some(Stop::Violation) | None => None,
        };
        let only_execution = match self.findings.verdict(&self.machine, stopped) {
            (Verdict::Holds, _) if !self.branched => {
                replay::only_execution(self.machine.program(), *self.machine.config(), self.store.len())
            }
            _ => None,
        };
        self.findings.outcome(&self.machine, stopped, self.statistics, only_execution)
    }
}
