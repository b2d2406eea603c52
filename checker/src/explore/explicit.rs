//! Explicit-state search, breadth first: the states themselves, in order of discovery, are the queue, so a violation's schedule is a shortest one.
//!
//! Every state is matched against all states seen before, so loops end when nothing new can happen in them.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::{Engine, EngineError, Limits, Progress, replay};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{Fault, Outcome, Place, ScheduleStep, Statistics, Unknown, Verdict, Violation, ViolationKind};
use crate::property::Meaning;
use crate::store::{Id, StateStore};
use crate::system::{Config, Machine, StepEnd};

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
        let mut state = 0;
        while (state as usize) < search.store.len() && search.stopped.is_none() {
            search.expand(state, progress)?;
            state += 1;
            if state % 256 == 0 {
                search.check_limits(state, progress);
            }
        }
        Ok(search.finish())
    }
}

struct Search<'p> {
    machine: Machine<'p>,
    store: StateStore,
    limits: Limits,
    started: Instant,
    statistics: Statistics,
    /// Why the search ended before the states did.
    stopped: Option<Stop>,
    /// A limit that cut off some states' successors.
    cut: Option<(Unknown, Place)>,
    violations: Vec<Violation>,
    /// What makes behaviour undefined without violating the property, the first, or all on request; and where that was first.
    others: Vec<Violation>,
    undefined: Option<Place>,
    /// Kinds and places of the violations so far.
    reported: BTreeSet<(ViolationKind, FuncId, Pc)>,
    final_states: BTreeSet<crate::outcome::FinalState>,
    /// Whether some state can be left in more than one way.
    branched: bool,
    /// The first state of the level after the current one.
    next_level: usize,
    vector: Vec<Id>,
    successor: Vec<Id>,
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
            limits,
            started: Instant::now(),
            statistics: Statistics::default(),
            stopped: None,
            cut: None,
            violations: Vec::new(),
            others: Vec::new(),
            undefined: None,
            reported: BTreeSet::new(),
            final_states: BTreeSet::new(),
            branched: false,
            next_level: 1,
            vector: Vec::new(),
            successor: Vec::new(),
            threads: Vec::new(),
        };
        search.machine.pack(&mut search.successor);
        search.store.insert(&search.successor, 0);
        search
    }

    /// Explores every step from a state.
    fn expand(&mut self, state: Id, progress: &Progress) -> Result<(), EngineError> {
        if state as usize == self.next_level {
            self.statistics.max_depth += 1;
            self.next_level = self.store.len();
        }
        let len = self.machine.vector_len(self.store.key(state));
        self.store.get(state, len, &mut self.vector);
        self.machine.unpack(&self.vector);
        self.threads.clear();
        self.threads.extend(self.machine.schedulable_threads());
        self.statistics.threads_max = self.statistics.threads_max.max(self.threads.len() as u64);
        let pending = self.machine.buffers().len() as u64;
        self.statistics.pending_stores_max = self.statistics.pending_stores_max.max(pending);
        let (mut moved, before) = (false, self.statistics.transitions);
        self.machine.loops_forever = false;
        for at in 0..self.threads.len() {
            moved |= self.steps_of(self.threads[at], state, progress)?;
        }
        self.branched |= self.statistics.transitions > before + 1;
        if !moved && !self.machine.loops_forever && self.stopped.is_none() {
            self.deadlock(state);
        }
        Ok(())
    }

    /// Runs every variant of a thread's step. Whether the thread can take one, other than to wake up for no reason.
    fn steps_of(&mut self, thread: usize, state: Id, progress: &Progress) -> Result<bool, EngineError> {
        let mut moved = false;
        self.machine.script.clear();
        loop {
            self.machine.unpack(&self.vector);
            let end = self.machine.step(thread);
            let woke_by_chance = std::mem::take(&mut self.machine.woke_by_chance);
            moved |= end != StepEnd::Blocked && !woke_by_chance;
            self.take(end, thread, state)?;
            if self.stopped.is_some() || !self.machine.script.advance() {
                return Ok(moved);
            }
            self.statistics.flush_choices += 1;
            // One state can have very many successors.
            if self.statistics.flush_choices.is_multiple_of(4096) {
                self.check_limits(state, progress);
            }
        }
    }

    fn take(&mut self, end: StepEnd, thread: usize, state: Id) -> Result<(), EngineError> {
        match end {
            StepEnd::Blocked => return Ok(()),
            StepEnd::Pruned => {}
            StepEnd::Done => {
                self.machine.pack(&mut self.successor);
                self.store.insert(&self.successor, state);
            }
            StepEnd::Exit(_) => self.final_states.extend(self.machine.final_state.take()),
            StepEnd::Fault(fault) => self.violation(fault, thread, state),
            StepEnd::Limit(limit) => self.cut_off(limit, thread),
            StepEnd::Unsupported(what) => return Err(self.unsupported(what, thread)),
            StepEnd::SharingMissed => return Err(EngineError::SharingMissed),
        }
        self.statistics.transitions += 1;
        Ok(())
    }

    /// Notes a limit that ends the executions through the step just run.
    fn cut_off(&mut self, limit: Unknown, thread: usize) {
        if self.cut.is_none() {
            let place = self.machine.program().first_place(&self.machine.backtrace(thread));
            self.cut = Some((limit, place));
        }
    }

    fn unsupported(&self, what: String, thread: usize) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace(thread);
        let (function, _) = frames[0];
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.function(function).name.clone() }
    }

    fn violation(&mut self, fault: Fault, thread: usize, state: Id) {
        let frames = self.machine.backtrace(thread);
        let (function, pc) = frames[0];
        let meaning = self.machine.config().property.meaning(fault.kind);
        if meaning == Meaning::Undefined && self.undefined.is_none() {
            self.undefined = Some(self.machine.program().first_place(&frames));
        } else if meaning != Meaning::Violates && !(meaning == Meaning::Undefined && self.limits.keep_going) {
            return;
        }
        if !self.reported.insert((fault.kind, function, pc)) {
            return;
        }
        let choices = self.machine.script.answers().to_vec();
        // Finding the schedule runs steps again, so the script of the step under way is put back afterwards.
        let script = self.machine.script.clone();
        let mut schedule = self.schedule_to(state);
        self.machine.script = script;
        schedule.push(ScheduleStep { thread, choices });
        self.add(Violation { fault, schedule });
    }

    fn deadlock(&mut self, state: Id) {
        self.machine.unpack(&self.vector);
        let (function, pc) = self.machine.backtrace(self.threads[0])[0];
        let matters = self.machine.config().property.meaning(ViolationKind::Deadlock) == Meaning::Violates;
        if matters && self.reported.insert((ViolationKind::Deadlock, function, pc)) {
            let fault = replay::deadlock(&mut self.machine);
            let schedule = self.schedule_to(state);
            self.add(Violation { fault, schedule });
        }
    }

    fn add(&mut self, violation: Violation) {
        if self.machine.config().property.meaning(violation.fault.kind) != Meaning::Violates {
            return self.others.push(violation);
        }
        self.violations.push(violation);
        if !self.limits.keep_going {
            self.stopped = Some(Stop::Violation);
        }
    }

    /// The steps that lead from the initial state to a state: its ancestors are known, which step joins them is found by trying.
    fn schedule_to(&mut self, state: Id) -> Vec<ScheduleStep> {
        let mut path = vec![state];
        while path[path.len() - 1] != 0 {
            path.push(self.store.parent(path[path.len() - 1]));
        }
        path.reverse();
        path.windows(2).map(|pair| self.step_between(pair[0], pair[1])).collect()
    }

    fn step_between(&mut self, from: Id, to: Id) -> ScheduleStep {
        let (mut source, mut target, mut reached) = (Vec::new(), Vec::new(), Vec::new());
        self.store.get(from, self.machine.vector_len(self.store.key(from)), &mut source);
        self.store.get(to, self.machine.vector_len(self.store.key(to)), &mut target);
        self.machine.unpack(&source);
        let threads: Vec<_> = self.machine.schedulable_threads().collect();
        for thread in threads {
            self.machine.script.clear();
            loop {
                self.machine.unpack(&source);
                if self.machine.step(thread) == StepEnd::Done {
                    self.machine.pack(&mut reached);
                    if reached == target {
                        return ScheduleStep { thread, choices: self.machine.script.answers().to_vec() };
                    }
                }
                if !self.machine.script.advance() {
                    break;
                }
            }
        }
        unreachable!("a state is the successor of its parent")
    }

    fn bytes(&self) -> u64 {
        (self.store.bytes() + self.machine.bytes()) as u64
    }

    fn check_limits(&mut self, expanded: Id, progress: &Progress) {
        let (states, bytes) = (self.store.len() as u64, self.bytes());
        progress.update(states, expanded.into(), bytes);
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

    fn finish(mut self) -> Outcome {
        let states = self.store.len() as u64;
        let bytes = self.bytes();
        self.statistics.states = states;
        self.statistics.store_bytes = bytes;
        self.statistics.bytes_per_state = bytes as f64 / states as f64;
        self.statistics.components = self.machine.components().len() as u64;
        self.statistics.seconds = self.started.elapsed().as_secs_f64();
        self.statistics.states_per_second = states as f64 / self.statistics.seconds.max(1e-9);
        let bound = self.machine.bound_was_hit.take().map(|place| (Unknown::BufferBound, place));
        let undefined = self.undefined.take().map(|place| (Unknown::OtherViolation, place));
        let range = self.machine.range_was_used.take().map(|place| (Unknown::DataRange, place));
        let (verdict, reason_place) = match self.stopped {
            _ if !self.violations.is_empty() => (Verdict::Violated, None),
            Some(Stop::Limit(limit)) => (Verdict::Unknown(limit), None),
            _ => match undefined.or(self.cut).or(bound).or(range) {
                Some((reason, place)) => (Verdict::Unknown(reason), Some(place)),
                None => (Verdict::Holds, None),
            },
        };
        let only_execution = match verdict {
            Verdict::Holds if !self.branched => {
                replay::only_execution(self.machine.program(), *self.machine.config(), self.store.len())
            }
            _ => None,
        };
        let final_states = self.machine.config().final_states.then_some(self.final_states);
        // Beside a violation of the property, other ones are of interest only to who wants all.
        let others = if self.violations.is_empty() || self.limits.keep_going { self.others } else { Vec::new() };
        let violations = self.violations.into_iter().chain(others).collect();
        Outcome { verdict, reason_place, violations, statistics: self.statistics, final_states, only_execution }
    }
}
