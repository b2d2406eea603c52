//! Explicit-state search, breadth first: the states themselves, in order of discovery, are the queue, so a violation's schedule is a shortest one.
//!
//! Every state is matched against all states seen before, so loops end when nothing new can happen in them.
//!
//! A deadlock in which threads go round in loops that only look is a set of states from which nothing but idle steps ([`Prospect`]) leads, none of them out of the
//! set. When the last state of the set is explored all others are known, so only a state whose idle steps all lead to known states is looked at closely.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::findings::Findings;
use super::measures::{Lines, Meter, Timeline, memory};
use super::{Engine, EngineError, Limits, Progress, replay};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Levels, Measures, Sample, Worker};
use crate::outcome::{Fault, Outcome, ScheduleStep, Statistics, Unknown, Verdict, Violation, ViolationKind};
use crate::store::{Id, StateStore};
use crate::system::{Config, Machine, Prospect, StepEnd};

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
    meter: Meter,
    levels: Levels,
    timeline: Timeline,
    /// Why the search ended before the states did.
    stopped: Option<Stop>,
    findings: Findings,
    /// Whether a thread of the current state took an idle step to another state, which was known.
    idled: bool,
    /// Whether some state can be left in more than one way.
    branched: bool,
    /// Where the step under way began, if lines are counted.
    from: (FuncId, Pc),
    /// The first state of the current level.
    level: usize,
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
            meter: Meter { lines: limits.count_lines.then(Lines::default), ..Meter::default() },
            levels: Levels::default(),
            timeline: Timeline::default(),
            stopped: None,
            findings: Findings::new(config.property, limits.keep_going),
            idled: false,
            branched: false,
            from: (FuncId::new(0), Pc::new(0)),
            level: 0,
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
            self.levels.push(self.statistics.max_depth, (self.next_level - self.level) as u64);
            self.statistics.max_depth += 1;
            self.level = self.next_level;
            self.next_level = self.store.len();
        }
        let len = self.machine.vector_len(self.store.key(state));
        self.store.get(state, len, &mut self.vector);
        self.machine.unpack(&self.vector);
        self.threads.clear();
        self.threads.extend(self.machine.schedulable_threads());
        self.statistics.threads_max = self.statistics.threads_max.max(self.threads.len() as u64);
        let pending = self.machine.buffers().len();
        self.statistics.pending_stores_max = self.statistics.pending_stores_max.max(pending as u64);
        self.meter.expands(pending);
        let (mut moved, mut stepped, before) = (false, 0_u64, self.statistics.transitions);
        self.machine.loops_forever = false;
        self.idled = false;
        for at in 0..self.threads.len() {
            let transitions = self.statistics.transitions;
            moved |= self.steps_of(self.threads[at], state, progress)?;
            stepped += u64::from(self.statistics.transitions > transitions);
        }
        self.meter.choices.schedule += stepped.saturating_sub(1);
        self.branched |= self.statistics.transitions > before + 1;
        if !moved && !self.machine.loops_forever && self.stopped.is_none() && self.is_stuck() {
            self.deadlock(state);
        }
        Ok(())
    }

    /// Whether no thread can ever do more than look, in a state where none can do more at once.
    fn is_stuck(&mut self) -> bool {
        !self.idled || self.machine.prospect(&self.vector, self.store.len()) == Prospect::Stuck
    }

    /// Runs every variant of a thread's step. Whether the thread can take one, other than to wake up for no reason.
    fn steps_of(&mut self, thread: usize, state: Id, progress: &Progress) -> Result<bool, EngineError> {
        let mut moved = false;
        self.machine.script.clear();
        if self.meter.lines.is_some() {
            self.machine.unpack(&self.vector);
            self.from = self.machine.stands_at(thread);
        }
        loop {
            self.machine.unpack(&self.vector);
            let end = self.machine.step(thread);
            let woke_by_chance = std::mem::take(&mut self.machine.woke_by_chance);
            moved |= self.take(end, thread, state)? && !woke_by_chance;
            if self.stopped.is_some() || !self.machine.script.advance() {
                return Ok(moved);
            }
            self.statistics.flush_choices += 1;
            self.meter.choices.count(self.machine.script.advanced());
            // One state can have very many successors.
            if self.statistics.flush_choices.is_multiple_of(4096) {
                self.check_limits(state, progress);
            }
        }
    }

    /// Takes what a step led to. False if the thread waits: its step is blocked, or is part of another round of a loop that looks for a change.
    fn take(&mut self, end: StepEnd, thread: usize, state: Id) -> Result<bool, EngineError> {
        let mut moved = true;
        match end {
            StepEnd::Blocked => return Ok(false),
            StepEnd::Pruned => {}
            StepEnd::Done => {
                self.machine.pack(&mut self.successor);
                let (reached, is_new) = self.store.insert(&self.successor, state);
                self.meter.reaches(is_new, self.from);
                moved = if reached == state {
                    !self.machine.looked
                } else {
                    is_new || !self.machine.was_idle(&self.vector, &self.successor)
                };
                self.idled |= reached != state && !moved;
            }
            StepEnd::Exit(_) => self.findings.final_states.extend(self.machine.final_state.take()),
            StepEnd::Fault(fault) => self.violation(fault, thread, state),
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace(thread);
                self.findings.cut_off(&self.machine, limit, &frames);
            }
            StepEnd::Unsupported(what) => return Err(self.unsupported(what, thread)),
            StepEnd::SharingMissed => return Err(EngineError::SharingMissed),
        }
        self.statistics.transitions += 1;
        Ok(moved)
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
        if !self.findings.notes(&self.machine, fault.kind, &frames) {
            return;
        }
        let choices = self.machine.script.answers().to_vec();
        // Finding the schedule runs steps again, so the script of the step under way is put back afterwards.
        let script = self.machine.script.clone();
        let mut schedule = self.schedule_to(state);
        self.machine.script = script;
        schedule.push(ScheduleStep { thread, choices, update: None });
        self.add(Violation { fault, schedule });
    }

    fn deadlock(&mut self, state: Id) {
        self.machine.unpack(&self.vector);
        let frames = self.machine.backtrace(self.threads[0]);
        if self.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
            let fault = replay::deadlock(&mut self.machine);
            let schedule = self.schedule_to(state);
            self.add(Violation { fault, schedule });
        }
    }

    fn add(&mut self, violation: Violation) {
        self.findings.add(violation);
        if self.findings.is_enough() {
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
                        return ScheduleStep { thread, choices: self.machine.script.answers().to_vec(), update: None };
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
        let sample = self.sample(self.started.elapsed().as_secs_f64(), expanded.into());
        let Sample { states, bytes, .. } = sample;
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
        levels.push(self.statistics.max_depth, (self.next_level - self.level) as u64);
        if self.store.len() > self.next_level {
            levels.push(self.statistics.max_depth + 1, (self.store.len() - self.next_level) as u64);
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
