//! The search for attacks, breadth first.
//!
//! Before an attack a thread takes a step only when its buffer is empty, and stores reach memory one by one:
//! these are the sequentially consistent executions. Other threads come between the stores of a step.

use std::time::Instant;

use rmc_runtime::Access;
use smallvec::SmallVec;

use super::attack::{Attack, Event, Followed, Stage};
use super::schedule::{self, Completion};
use super::states::{AttackId, Move, State, States};
use crate::engine::findings::Findings;
use crate::engine::{EngineError, Limits, Progress, deadlock};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::ProgressSample;
use crate::outcome::{Fault, Statistics, Unknown, Violation, ViolationKind};
use crate::store::Id;
use crate::system::{AnswerRuns, Config, FootprintEntry, Machine, ProgressCheck, StepEnd, StepReport};

/// The maximal number of states through which a thread is run by itself to find out whether it waits for
/// ever.
const MOST_AWAIT_STATES: usize = 1 << 20;

/// The number of states after which limits are checked and progress is published.
const INTERVAL: usize = 256;

/// The landmarks of an attack: the attacker and the load past which it delays its stores, and the helper that
/// closes the cycle, each with its place.
type Landmarks = [(usize, FuncId, Pc); 2];

/// A search, and everything found so far.
pub struct Search<'p, 'r> {
    pub machine: Machine<'p>,
    pub findings: Findings,
    /// True if there is an attack.
    pub is_attacked: bool,
    /// The reason for which the search ended early.
    pub stopped: Option<Unknown>,
    program: &'p Program,
    config: Config,
    limits: &'r Limits,
    progress: &'r Progress,
    started: Instant,
    states: States,
    transitions: u64,
    threads_max: usize,
    known: FxHashSet<Landmarks>,
    /// The vector of the next state.
    after: Vec<Id>,
}

impl<'p, 'r> Search<'p, 'r> {
    /// A search that has not begun.
    pub fn new(program: &'p Program, config: Config, limits: &'r Limits, progress: &'r Progress) -> Self {
        let mut machine = Machine::new(program, config);
        machine.halt = progress.halt.clone();
        Self {
            machine,
            findings: Findings::new(config.property, limits.keep_going),
            is_attacked: false,
            stopped: None,
            program,
            config,
            limits,
            progress,
            started: Instant::now(),
            states: States::default(),
            transitions: 0,
            threads_max: 0,
            known: FxHashSet::default(),
            after: Vec::new(),
        }
    }

    /// Explores all states, or until enough was found, or a limit is reached.
    ///
    /// # Errors
    /// [`EngineError`] if the program does something that cannot be followed.
    pub fn explore(&mut self) -> Result<(), EngineError> {
        self.machine.pack(&mut self.after);
        self.states.begin(&self.after);
        let mut at = 0;
        while let Some(state) = self.states.take(at) {
            match &state.attack {
                None => self.expand(at, &state)?,
                Some(attack) => self.expand_attack(at, &state.vector, attack)?,
            }
            at += 1;
            self.stopped = self.limit(at);
            if self.stopped.is_some() || self.findings.is_enough() {
                break;
            }
        }
        self.publish(at);
        Ok(())
    }

    /// The limit that is reached when so many states are explored, if one is.
    fn limit(&self, explored: usize) -> Option<Unknown> {
        let states = self.states.len() as u64;
        if self.limits.is_exceeded_by(states) {
            return Some(Unknown::StateLimit);
        }
        if !explored.is_multiple_of(INTERVAL) {
            return None;
        }
        self.publish(explored);
        self.limits.reached(self.progress, states.saturating_sub(1), self.bytes())
    }

    fn publish(&self, explored: usize) {
        let states = self.states.len() as u64;
        self.progress.update(&ProgressSample {
            seconds: self.progress.began.elapsed().as_secs_f64(),
            states,
            frontier: states.saturating_sub(explored as u64),
            bytes: self.bytes(),
            ..ProgressSample::default()
        });
    }

    fn bytes(&self) -> u64 {
        (self.states.bytes() + self.machine.bytes()) as u64
    }

    /// Explores all steps from a state without an attack.
    fn expand(&mut self, from: usize, state: &State) -> Result<(), EngineError> {
        let vector = &state.vector;
        let threads = self.enter(vector);
        let (mut waits, mut has_progress) = (true, false);
        for thread in threads {
            self.machine.unpack(vector);
            if self.machine.waiting(thread).is_empty() {
                has_progress |= self.take_steps(from, vector, thread)?;
                continue;
            }
            waits = false;
            self.take_updates(from, vector, thread);
            self.machine.unpack(vector);
            self.machine.coalesce(thread);
            let attack = self.states.shared(Attack::begun_by(thread));
            self.add(from, Move::Delay(thread), Some(attack));
        }
        if waits && !has_progress {
            self.check_deadlock(from, vector);
        }
        Ok(())
    }

    /// The threads that may take a step from a state.
    fn enter(&mut self, vector: &[Id]) -> SmallVec<[usize; 8]> {
        self.machine.unpack(vector);
        let threads: SmallVec<_> = self.machine.schedulable_threads().collect();
        self.threads_max = self.threads_max.max(threads.len());
        threads
    }

    /// Takes the step of a thread before an attack. The result is true if it is more than a round of a loop
    /// that waits.
    fn take_steps(&mut self, from: usize, vector: &[Id], thread: usize) -> Result<bool, EngineError> {
        let (mut runs, mut has_progress) = (AnswerRuns::new(vector, thread), false);
        while let Some(report) = runs.run_next(&mut self.machine) {
            self.refuse_copy(thread, &report)?;
            let by = Move::Step(thread, self.machine.choices.answers().into());
            has_progress |= match report.end {
                StepEnd::Blocked | StepEnd::ExitsLast => false,
                StepEnd::Done => {
                    self.add(from, by, None);
                    if self.after == vector {
                        !report.looked || report.acted
                    } else {
                        !self.machine.was_idle(&report, vector, &self.after)
                    }
                }
                StepEnd::Exit(_) | StepEnd::Pruned => true,
                StepEnd::Fault(ref fault) => {
                    let frames = self.machine.backtrace_after(thread, &report);
                    if self.findings.notes(&self.machine, fault.kind, &frames) {
                        self.violated(from, Some(by), fault.clone());
                    }
                    true
                }
                ref end => self.unexplored(end, thread, &report).map(|()| true)?,
            };
        }
        Ok(has_progress)
    }

    /// Lets each store of a thread reach memory that may do so now, before an attack.
    fn take_updates(&mut self, from: usize, vector: &[Id], thread: usize) {
        for at in self.ready(thread) {
            self.machine.unpack(vector);
            self.update(thread, at);
            self.add(from, Move::Update(thread, at), None);
        }
    }

    /// The indices of the stores of a thread that may reach memory now, among those that wait.
    fn ready(&self, thread: usize) -> SmallVec<[usize; 4]> {
        let waiting = self.machine.waiting(thread);
        let place = |number| waiting.iter().position(|store| store.number == number);
        self.machine.ready(thread).filter_map(|store| place(store.number)).collect()
    }

    /// Lets a store of a thread reach memory. Returns what that touches, and the copy of which it is a piece.
    fn update(&mut self, thread: usize, at: usize) -> (FootprintEntry, u32) {
        let number = self.machine.waiting(thread)[at].number;
        let store = self.machine.update(thread, number).expect("only updates that are possible are tried");
        (FootprintEntry::of(store.at, true), store.copy)
    }

    /// Adds the working state, which a move led to.
    fn add(&mut self, from: usize, by: Move, attack: Option<AttackId>) {
        self.machine.restart_store_numbers();
        self.machine.pack(&mut self.after);
        self.transitions += 1;
        self.states.add(from, by, &self.after, attack);
    }

    /// Explores all steps from a state of an attack.
    fn expand_attack(&mut self, from: usize, vector: &[Id], attack: &Attack) -> Result<(), EngineError> {
        let threads = self.enter(vector);
        let waiting = self.machine.waiting(attack.thread).iter();
        let delayed: SmallVec<[Access; 8]> = waiting.filter(|store| !store.lost).map(|store| store.at).collect();
        for thread in threads {
            self.machine.unpack(vector);
            match (thread == attack.thread, attack.stage) {
                (true, Stage::Delaying) => self.delay(from, vector, attack, &delayed)?,
                (true, Stage::Closing) => {}
                (false, _) if self.machine.waiting(thread).is_empty() => {
                    self.help(from, vector, (attack, &delayed), thread)?;
                }
                (false, _) => self.help_by_updates(from, vector, (attack, &delayed), thread),
            }
        }
        Ok(())
    }

    /// Takes the step of an attacker that delays its stores. If it makes a load from memory, that may be the
    /// one past which the stores are delayed.
    fn delay(&mut self, from: usize, vector: &[Id], attack: &Attack, delayed: &[Access]) -> Result<(), EngineError> {
        let thread = attack.thread;
        let before = self.machine.pushed(thread);
        let mut runs = AnswerRuns::new(vector, thread);
        while let Some(report) = runs.run_next(&mut self.machine) {
            self.refuse_copy(thread, &report)?;
            if report.end != StepEnd::Done {
                self.unexplored(&report.end, thread, &report)?;
                continue;
            }
            let by = Move::Step(thread, self.machine.choices.answers().into());
            let at_once = report.footprint.iter().filter(|touch| !touch.hypothetical);
            let at_once: SmallVec<[_; 8]> =
                at_once.filter(|touch| touch.write || touch.own.is_none()).copied().collect();
            if !at_once.is_empty() && !delayed.is_empty() {
                let closing = self.states.shared(attack.at_load(&at_once));
                if at_once.iter().any(|touch| touch.write) {
                    let mut whole = Vec::new();
                    self.machine.pack(&mut whole);
                    self.machine.drop_stores_from(thread, before);
                    self.add(from, by.clone(), Some(closing));
                    self.machine.unpack(&whole);
                } else {
                    // Nobody sees what the attacker has read: it takes no further step.
                    self.transitions += 1;
                    self.states.add(from, by.clone(), vector, Some(closing));
                }
            }
            let delaying = self.states.shared(attack.clone().after(&at_once));
            self.machine.coalesce(thread);
            if self.machine.has_waiting(thread) {
                self.add(from, by, Some(delaying));
            }
        }
        Ok(())
    }

    /// Takes the step of a helper, if it comes after a load of the attacker.
    fn help(
        &mut self,
        from: usize,
        vector: &[Id],
        (attack, delayed): (&Attack, &[Access]),
        thread: usize,
    ) -> Result<(), EngineError> {
        let (buffered, place) = (self.machine.pushed(thread), self.machine.position(thread));
        let mut runs = AnswerRuns::new(vector, thread);
        while let Some(report) = runs.run_next(&mut self.machine) {
            self.refuse_copy(thread, &report)?;
            if matches!(report.end, StepEnd::Blocked | StepEnd::ExitsLast | StepEnd::Pruned) {
                continue;
            }
            let by = Move::Step(thread, self.machine.choices.answers().into());
            let event = Event { thread, footprint: &report.footprint, copy: 0, buffered };
            match (attack.follow(event, delayed), &report.end) {
                (Followed::Unrelated, _) => {}
                (Followed::Closed, _) => self.attacked(from, by, place),
                (Followed::Related(next), StepEnd::Done) => {
                    let next = self.states.shared(next);
                    self.add(from, by, Some(next));
                }
                (Followed::Related(_), end) => self.unexplored(end, thread, &report)?,
            }
        }
        Ok(())
    }

    /// Lets each store of a helper reach memory that may do so now and comes after a load of the attacker.
    fn help_by_updates(&mut self, from: usize, vector: &[Id], (attack, delayed): (&Attack, &[Access]), thread: usize) {
        for at in self.ready(thread) {
            self.machine.unpack(vector);
            let (by, place) = (Move::Update(thread, at), self.machine.position(thread));
            let (touch, copy) = self.update(thread, at);
            match attack.follow(Event { thread, footprint: &[touch], copy, buffered: 0 }, delayed) {
                Followed::Unrelated => {}
                Followed::Closed => self.attacked(from, by, place),
                Followed::Related(next) => {
                    let next = self.states.shared(next);
                    self.add(from, by, Some(next));
                }
            }
        }
    }

    /// Records an attack, unless a similar one is known. Its last move comes after `from`, and is of a helper
    /// that stands at `place`.
    fn attacked(&mut self, from: usize, by: Move, (function, pc): (FuncId, Pc)) {
        let helper = match by {
            Move::Step(thread, _) | Move::Update(thread, _) | Move::Delay(thread) => thread,
        };
        let (attacker, load) = self.load_of(from);
        if !self.known.insert([(attacker, load.0, load.1), (helper, function, pc)]) {
            return;
        }
        let mut moves = self.states.path(from);
        moves.push(by);
        let schedule = schedule::of_moves(self.program, self.config, &moves);
        match schedule::completion(self.program, self.config, &schedule, &self.progress.halt) {
            Completion::Found => {
                self.is_attacked = true;
                let fault = Fault::new(ViolationKind::NotRobust, "");
                self.findings.add(Violation { fault, schedule, preemptions: None });
            }
            Completion::NotFound => {
                self.findings.cut_off(&self.machine, Unknown::Assumptions, &[(function, pc)]);
            }
        }
    }

    /// The attacker of the attack in a state, and the place of the load past which it delays its stores.
    fn load_of(&mut self, closing: usize) -> (usize, (FuncId, Pc)) {
        let mut at = closing;
        while let Some(before) = self.states.parent(at) {
            let state = self.states.take(before).expect("a parent is a state");
            if let Some(attack) = state.attack.filter(|attack| attack.stage == Stage::Delaying) {
                self.machine.unpack(&state.vector);
                return (attack.thread, self.machine.position(attack.thread));
            }
            at = before;
        }
        unreachable!("an attack has a load")
    }

    /// Records the end of a step that keeps something from being explored.
    fn unexplored(&mut self, end: &StepEnd, thread: usize, report: &StepReport) -> Result<(), EngineError> {
        match end {
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace_after(thread, report);
                self.findings.cut_off(&self.machine, *limit, &frames);
                Ok(())
            }
            StepEnd::Unsupported(what) => Err(self.unsupported(what.clone(), thread, report)),
            StepEnd::SharingMissed => Err(EngineError::SharingMissed),
            StepEnd::EndSeen => Err(EngineError::EndSeen),
            StepEnd::Grows(_) => unreachable!("a step repeats what makes an object grow"),
            // A fault with delayed stores is one without, or the program is attacked (`mod.rs`).
            StepEnd::Done
            | StepEnd::Blocked
            | StepEnd::ExitsLast
            | StepEnd::Pruned
            | StepEnd::Exit(_)
            | StepEnd::Fault(_) => Ok(()),
        }
    }

    /// Refuses a copy whose stores are in no order with its loads, whatever the memory model.
    fn refuse_copy(&self, thread: usize, report: &StepReport) -> Result<(), EngineError> {
        if !report.copies_unordered {
            return Ok(());
        }
        let what = "a copy in several pieces between places that threads share, by --engine attacks";
        Err(self.unsupported(what.to_owned(), thread, report))
    }

    fn unsupported(&self, what: String, thread: usize, report: &StepReport) -> EngineError {
        let frames = self.machine.backtrace_after(thread, report);
        let place = self.program.place(self.program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: self.program.innermost_function(&frames).shown_name() }
    }

    /// Looks for a deadlock in a state from which no step but rounds of loops that wait are possible.
    fn check_deadlock(&mut self, at: usize, vector: &[Id]) {
        match self.machine.check_progress(vector, MOST_AWAIT_STATES) {
            ProgressCheck::CanProgress | ProgressCheck::Endless => {}
            ProgressCheck::Deadlock => {
                self.machine.unpack(vector);
                let first = self.machine.schedulable_threads().next().expect("somebody waits");
                let frames = self.machine.backtrace(first);
                if self.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
                    let fault = deadlock::deadlock(&mut self.machine);
                    self.violated(at, None, fault);
                }
            }
            ProgressCheck::Open | ProgressCheck::Undecided => self.machine.note_left_out(Unknown::LoopBound),
        }
    }

    /// Adds a violation that the program has under sc, after the moves to a state and one more.
    fn violated(&mut self, at: usize, last: Option<Move>, fault: Fault) {
        let mut moves = self.states.path(at);
        moves.extend(last);
        let schedule = schedule::of_moves(self.program, self.config, &moves);
        self.findings.add(Violation { fault, schedule, preemptions: None });
    }

    /// The counts of the search.
    pub fn statistics(&self) -> Statistics {
        let (states, seconds) = (self.states.len() as u64, self.started.elapsed().as_secs_f64());
        let bytes = self.bytes();
        Statistics {
            states,
            transitions: self.transitions,
            max_depth: self.states.depth(self.states.len() - 1).into(),
            bytes_per_state: bytes as f64 / states as f64,
            store_bytes: bytes,
            seconds,
            states_per_second: states as f64 / seconds.max(1e-9),
            components: self.machine.components().len() as u64,
            threads_max: self.threads_max as u64,
            ..Statistics::default()
        }
    }
}
