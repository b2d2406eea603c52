//! Attempts to take the next step of a thread, or an update, from the last state of the prefix.

use std::rc::Rc;

use super::run::Ran;
use super::{Prefix, StateId, Stepper};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::step_cache::{CachedStep, Key, Reached, StepResult};
use crate::engine::{EngineError, memo};
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{Fault, Unknown};
use crate::store::Id;
use crate::system::{Layout, Machine, ReadEntry, StepReport};

/// An attempt that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The step or update.
    pub action: Action,
    /// The answers to try. With [`Answers::Exactly`] the machine's choices have them already.
    pub answers: &'a Answers,
    /// True if the event was planned by the reversal of a race, with its first answer that is possible, or
    /// with the one that it had.
    pub is_planned: bool,
}

/// The answers to the questions of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All answers.
    All,
    /// All answers from this one on.
    From(Vec<u32>),
    /// The answers of the execution from which the step comes.
    Exactly,
}

/// The result of an attempt.
pub enum Attempt {
    /// The step or update was taken. The id is that of its successor, if the successor was interned already;
    /// else the successor is the scratch state of the stepper.
    Taken(Rc<Event>, Option<StateId>),
    /// The step was taken, and nothing can follow.
    Ended(Rc<Event>, Ending),
    /// The step has to wait. The event has the footprint of the attempt.
    Waits(Rc<Event>, Wait),
    /// The thread went round in a loop more often than its bound allows, or the search was halted.
    Cut,
}

/// The kinds of ends of an execution by a step.
pub enum Ending {
    /// The process ended with this status. The machine holds the final memory.
    Exit(i64),
    /// The process ended by a cached step. If there is a status, the last state holds the final memory; else
    /// the final state was recorded before.
    CachedExit(Option<i64>),
    /// An assumption is false.
    Pruned,
    /// The thread waits in an atomic section, which nobody can end.
    WaitsInSection,
    /// The step has a violation.
    Fault(Box<Failure>),
    /// The step reached a limit that no state can go beyond.
    Limit(Unknown),
}

/// A step with a violation.
pub struct Failure {
    /// The fault.
    pub fault: Fault,
    /// The functions and instructions of the thread's frames, innermost first.
    pub frames: Vec<(FuncId, Pc)>,
    /// The numbers that the step gave to the threads it created, if threads are numbered by who creates them.
    pub creates: Vec<usize>,
}

impl Failure {
    /// The failure with this fault, in the machine that ran the step reported.
    pub fn of(machine: &Machine<'_>, report: &StepReport, thread: usize, fault: Fault) -> Self {
        let frames = machine.backtrace_after(thread, report);
        Self { fault, frames, creates: machine.created_by(&report.footprint) }
    }
}

/// The kinds of reasons for which a step is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// It waits for other threads, or for updates of its own.
    Blocked,
    /// It would complete a round of a loop without effect.
    Idle,
    /// It would end the process, which is delayed until nothing else can happen (`termination.rs`).
    Exit,
}

impl Stepper<'_> {
    /// Tries to take a step or an update from the last state, with the first of the answers with which it
    /// need not wait.
    #[inline]
    pub fn attempt(
        &mut self,
        prefix: &Prefix,
        request: Request<'_>,
        learned: &mut Learned,
    ) -> Result<Attempt, EngineError> {
        match request.answers {
            Answers::All => self.machine.choices.clear(),
            Answers::From(answers) => self.machine.choices.prescribe(answers),
            Answers::Exactly => {}
        }
        match self.take_cached(prefix, request.action) {
            Some(taken) => Ok(taken),
            None => self.try_answers(prefix, request, learned),
        }
    }

    /// Takes a step from the last state that was taken from there before and led to a state, as most do.
    #[inline]
    fn take_cached(&mut self, prefix: &Prefix, action: Action) -> Option<Attempt> {
        if !self.machine.choices.prescribed_answers().is_empty() {
            return None;
        }
        let (cached, reached) = self.states.step(prefix.last(), action)?;
        let leads_on = self.leads_on(prefix, cached, [Some(prefix.last()), reached]);
        let event = leads_on.then(|| Rc::clone(&cached.event))?;
        self.machine_synced = false;
        self.machine.choices.clear();
        Some(Attempt::Taken(event, reached))
    }

    /// True if a cached step leads from one state to another, and is certainly no round of a loop that only
    /// waits. All steps of its thread in the prefix come before.
    #[inline]
    pub(super) fn leads_on(&self, prefix: &Prefix, cached: &CachedStep, states: [Option<StateId>; 2]) -> bool {
        let is_no_round = |states| !self.may_end_round(prefix, cached.event.action.thread, states);
        let [Some(before), Some(after)] = states else { return cached.leads_on() };
        cached.leads_on() || cached.changes_state && is_no_round([before, after])
    }

    /// Tries a step with one list of answers after the other, until it does not have to wait.
    #[inline(never)]
    fn try_answers(
        &mut self,
        prefix: &Prefix,
        request: Request<'_>,
        learned: &mut Learned,
    ) -> Result<Attempt, EngineError> {
        let Request { action, answers, .. } = request;
        let tries_more = *answers != Answers::Exactly && !action.is_update();
        // An event that changes a value that the step read before it waited may enable the step, even if the
        // step continues with another answer here. So the footprint includes those reads.
        let mut read = Vec::new();
        loop {
            let attempt = self.attempt_once(prefix, request, learned)?;
            if self.is_halted() && !matches!(attempt, Attempt::Ended(..)) {
                return Ok(Attempt::Cut);
            }
            match attempt {
                Attempt::Waits(event, _) if tries_more && self.machine.choices.advance() => {
                    read.extend_from_slice(&event.footprint);
                }
                Attempt::Waits(event, why) => {
                    let is_own_wait = why == Wait::Blocked && self.has_pending(prefix.last(), action.thread);
                    let is_fact = !matches!(answers, Answers::From(_)) && why != Wait::Exit && !is_own_wait;
                    event.place().filter(|_| is_fact).into_iter().for_each(|place| learned.blocked_at(place));
                    return Ok(Attempt::Waits(event.touching(&read), why));
                }
                Attempt::Taken(event, reached)
                    if tries_more && event.asks_in_section() && !self.machine.config().reads_from =>
                {
                    return self.with_all_answers((prefix, request, learned), (event, reached), read);
                }
                Attempt::Taken(event, reached) => return Ok(Attempt::Taken(event.touching(&read), reached)),
                Attempt::Ended(event, ending) => return Ok(Attempt::Ended(event.touching(&read), ending)),
                Attempt::Cut => return Ok(Attempt::Cut),
            }
        }
    }

    /// Tries a step or an update with the answers in the machine's choices.
    pub(super) fn attempt_once(
        &mut self,
        prefix: &Prefix,
        request: Request<'_>,
        learned: &mut Learned,
    ) -> Result<Attempt, EngineError> {
        let action = request.action;
        let may_be_cached = self.caches_steps && self.machine.choices.prescribed_answers().is_empty();
        let last = prefix.last();
        if may_be_cached && let Some((cached, reached)) = self.states.step(last, action) {
            let cached = Rc::clone(cached);
            return Ok(self.repeat(prefix, request, (&cached, reached), learned));
        }
        let key = may_be_cached.then(|| key(self.vector(last), self.states[last].layout, action));
        if let Some((cached, reached)) = key.and_then(|key| self.find_cached(last, &key, action)) {
            return Ok(self.repeat(prefix, request, (&cached, reached), learned));
        }
        self.run_and_cache(prefix, request, key, learned)
    }

    /// Lets the machine run a step or an update from the last state, and caches the result if there is a
    /// `key`.
    fn run_and_cache(
        &mut self,
        prefix: &Prefix,
        request: Request<'_>,
        key: Option<Key>,
        learned: &mut Learned,
    ) -> Result<Attempt, EngineError> {
        // This is necessary even if the machine is in that state: only after unpacking the pages are in the
        // order of the state vector.
        self.load(prefix.last());
        self.machine.begin_read_log();
        let ran = self.run(prefix, request.action);
        let read_set = self.machine.end_read_log();
        let (event, result, attempt) = match ran? {
            Ran::Reached(event) => {
                let event = self.known_event(event, prefix.last(), &read_set);
                learned.observe(&event);
                let reached = self.difference(prefix.last());
                let has_asked = request.is_planned && self.machine.has_asked_of_symbols();
                let attempt = if has_asked || self.takes_rounds(request, &event, learned) {
                    Attempt::Taken(Rc::clone(&event), None)
                } else {
                    self.unless_idle_round(prefix, Rc::clone(&event), reached.is_same(), None)
                };
                self.machine_synced = matches!(attempt, Attempt::Taken(..));
                (event, StepResult::Reaches(reached), attempt)
            }
            Ran::Waits(event, why) => {
                let event = Rc::new(event);
                (Rc::clone(&event), StepResult::Waits(why), Attempt::Waits(event, why))
            }
            Ran::Exited(event, status, known) => {
                let event = Rc::new(event);
                (Rc::clone(&event), StepResult::Ends(known), Attempt::Ended(event, Ending::Exit(status)))
            }
            Ran::Ended(event, ending) => return Ok(Attempt::Ended(Rc::new(event), ending)),
            Ran::Cut => return Ok(Attempt::Cut),
        };
        if let Some(key) = key.filter(|_| event.answers().is_empty() && event.dropped().is_empty()) {
            self.steps.insert(key, &read_set, Rc::new(CachedStep::new(event, result)));
        }
        Ok(attempt)
    }

    /// The event of a step that was taken from a state and read these items. If it asked questions, it is the
    /// one that was there before, if there was one.
    fn known_event(&mut self, event: Event, from: StateId, read_set: &[ReadEntry]) -> Rc<Event> {
        let is_cached = event.answers().is_empty();
        if is_cached || !self.caches_steps || !event.dropped().is_empty() || self.machine.names_answers() {
            return Rc::new(event);
        }
        let (vector, layout) = (self.states.vector(from), self.states[from].layout);
        let key = (key(vector, layout, event.action), event.answers().into());
        if let Some(known) = self.asked.find(&key, |item| self.machine.item_value(vector, layout, item)) {
            return Rc::clone(known);
        }
        let event = Rc::new(event);
        self.asked.insert(key, read_set, Rc::clone(&event));
        event
    }

    /// Repeats a cached step from the last state.
    fn repeat(
        &mut self,
        prefix: &Prefix,
        request: Request<'_>,
        (cached, reached): (&CachedStep, Option<StateId>),
        learned: &Learned,
    ) -> Attempt {
        self.machine.choices.clear();
        self.machine_synced = false;
        let event = Rc::clone(&cached.event);
        match &cached.result {
            StepResult::Waits(why) => Attempt::Waits(event, *why),
            StepResult::Ends(status) => Attempt::Ended(event, Ending::CachedExit(*status)),
            StepResult::Reaches(how) => {
                if let Some(reached) = reached.filter(|_| event.is_idle()) {
                    self.scratch.clear();
                    self.scratch.extend_from_slice(self.states.vector(reached));
                }
                if self.takes_rounds(request, &event, learned) {
                    return Attempt::Taken(event, reached);
                }
                self.unless_idle_round(prefix, event, how.is_same(), reached)
            }
        }
    }

    /// True if a planned step is taken even if it completes an idle round: with open inputs, earlier steps of
    /// the round may have divided values where it was planned, and be idle here.
    fn takes_rounds(&self, request: Request<'_>, event: &Event, learned: &Learned) -> bool {
        let is_known_to_wait = || event.place().is_some_and(|place| learned.may_block.contains(&place));
        request.is_planned
            && self.machine.names_answers()
            && (*request.answers == Answers::Exactly || is_known_to_wait())
    }

    /// The attempt of a step. The step waits if it would complete an idle round. An idle step leads to the
    /// scratch state; `repeats` is true if that is the state before the step.
    fn unless_idle_round(
        &mut self,
        prefix: &Prefix,
        event: Rc<Event>,
        repeats: bool,
        reached: Option<StateId>,
    ) -> Attempt {
        if event.is_idle() && self.completes_round(prefix, event.action.thread, repeats) {
            return Attempt::Waits(event, Wait::Idle);
        }
        Attempt::Taken(event, reached)
    }

    /// The difference between the scratch state and another one.
    fn difference(&self, before: StateId) -> Reached {
        let (before, after) = (self.vector(before), &self.scratch);
        // With the same threads, objects and number of buffers, every position has the same meaning.
        if before[..2] == after[..2] {
            Reached::Changed(memo::changes(before, after))
        } else {
            Reached::Made(memo::parts(&self.machine.named(before), &self.machine.named(after)))
        }
    }

    /// The cached step with this name from a state, and the state to which it leads, if there is one.
    ///
    /// The stepper must cache steps.
    pub(super) fn cached_step(&mut self, from: StateId, action: Action) -> Option<(Rc<CachedStep>, Option<StateId>)> {
        if let Some((cached, reached)) = self.states.step(from, action) {
            return Some((Rc::clone(cached), reached));
        }
        let key = key(self.vector(from), self.states[from].layout, action);
        self.find_cached(from, &key, action)
    }

    /// Looks for a step in the cache of all states. A step that is found is also stored with its state.
    fn find_cached(&mut self, from: StateId, key: &Key, action: Action) -> Option<(Rc<CachedStep>, Option<StateId>)> {
        let (vector, layout) = (self.states.vector(from), self.states[from].layout);
        let cached = Rc::clone(self.steps.find(key, |item| self.machine.item_value(vector, layout, item))?);
        let reached = match &cached.result {
            StepResult::Reaches(reached) => {
                let hash = reached.apply_hashed(vector, self.states[from].hash, &mut self.scratch);
                Some(self.intern(Some(from), action.thread, hash))
            }
            StepResult::Waits(_) | StepResult::Ends(_) => None,
        };
        self.states.add_step(from, action, Rc::clone(&cached), reached);
        Some((cached, reached))
    }

    /// The cached next step of a thread from a state that need not be interned.
    pub fn cached_step_of_vector(&self, state: &[Id], thread: usize) -> Option<Rc<CachedStep>> {
        let layout = self.machine.layout(state);
        let item_value = |item| self.machine.item_value(state, layout, item);
        self.steps.find(&key(state, layout, Action::step(thread)), item_value).cloned()
    }

    /// True if steps are cached.
    pub const fn caches_steps(&self) -> bool {
        self.caches_steps
    }
}

/// The part of a state on which an action depends in any case.
fn key(state: &[Id], layout: Layout, action: Action) -> Key {
    let Action { thread, store } = action;
    let own = Layout::thread(thread);
    let queue = if thread < layout.queues { state[layout.queue(thread)] } else { Id::MAX };
    let components = if store.is_none() { [state[own], state[own + 1]] } else { [0; 2] };
    let action = (thread as u32, store.map_or(0, |number| number + 1));
    Key::new(action, components, queue, [state[0], state[1]])
}
