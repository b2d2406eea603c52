//! Attempts to take a step: run by the machine, or known from before.

use std::rc::Rc;

use super::memo::{Key, Known, Reached, Sequel};
use super::search::{Attempt, Search, Wait};
use super::states::StateId;
use crate::engine::stateless::event::{Event, Label};
use crate::engine::{EngineError, memo};
use crate::store::Id;
use crate::system::{Layout, StepEnd, StepReport};

/// What a step did that the machine ran.
enum Ran {
    /// It led to the state in `scratch`.
    Done(Event),
    /// It has to wait.
    Waits(Event, Wait),
    /// The process ended as it should: with this status and the memory of the state before, or in a final state that depends on more than where the step came from.
    Exited(Event, Option<i64>),
    /// Nothing can follow for another reason.
    Ended(Event),
    /// It is in a loop that went round too often.
    Cut,
}

impl Search<'_> {
    /// Takes a step from the last state, with the machine's script, if it was taken from there before and led on, as most do.
    #[inline]
    pub(super) fn take_known(&mut self, label: Label) -> Option<Rc<Event>> {
        if !self.machine.script.prescribed_answers().is_empty() {
            return None;
        }
        let (known, reached) = self.states.step(self.last(), label)?;
        let is_no_round = |reached| !self.may_end_round(label.thread, reached);
        let leads_on = known.leads_on() || known.moves && reached.is_some_and(is_no_round);
        let event = leads_on.then(|| Rc::clone(&known.event))?;
        self.reached = reached;
        self.in_place = false;
        self.machine.script.clear();
        Some(event)
    }

    /// Tries to take a step from the last state, with the machine's script.
    pub(super) fn attempt_once(&mut self, label: Label) -> Result<Attempt, EngineError> {
        let may_be_known = self.remembers && self.machine.script.prescribed_answers().is_empty();
        self.reached = None;
        let last = self.last();
        if may_be_known && let Some((known, reached)) = self.states.step(last, label) {
            return Ok(self.repeat(&Rc::clone(known), reached, label.thread));
        }
        let key = may_be_known.then(|| key(self.states.vector(last), self.states[last].layout, label));
        if let Some((known, reached)) = key.and_then(|key| self.find_known(last, &key, label)) {
            return Ok(self.repeat(&known, reached, label.thread));
        }
        // Also if the machine is in that state: only what was unpacked has its pages in the order of the state vector.
        self.restore(self.nodes.len() - 1);
        self.in_place = false;
        self.machine.log_step();
        let ran = self.run(label);
        let seen = self.machine.logged();
        let (event, sequel) = match ran? {
            Ran::Done(event) => (Rc::new(event), Sequel::Reaches(self.reached())),
            Ran::Waits(event, why) => (Rc::new(event), Sequel::Waits(why)),
            Ran::Exited(event, status) => (Rc::new(event), Sequel::Ends(status)),
            Ran::Ended(event) => return Ok(Attempt::Taken(Rc::new(event))),
            Ran::Cut => return Ok(Attempt::Cut),
        };
        if !matches!(sequel, Sequel::Waits(_)) {
            self.note_shape(&event);
        }
        let attempt = match &sequel {
            Sequel::Waits(why) => Attempt::Waits(Rc::clone(&event), *why),
            Sequel::Ends(_) => Attempt::Taken(Rc::clone(&event)),
            Sequel::Reaches(reached) => self.judge(Rc::clone(&event), label.thread, reached.is_same()),
        };
        self.in_place = matches!((&attempt, &sequel), (Attempt::Taken(_), Sequel::Reaches(_)));
        if let Some(key) = key.filter(|_| event.answers.is_empty() && event.dropped.is_empty()) {
            self.memo.insert(key, &seen, Rc::new(Known::new(event, sequel)));
        }
        Ok(attempt)
    }

    /// How the state in `scratch` differs from the last one.
    fn reached(&self) -> Reached {
        let (before, after) = (self.vector(self.nodes.len() - 1), &self.scratch);
        // With the same threads, objects and number of buffers every position means the same.
        if before[..2] == after[..2] {
            Reached::Changed(memo::changes(before, after))
        } else {
            Reached::Made(memo::parts(&self.machine.named(before), &self.machine.named(after)))
        }
    }

    /// What is known of a step from a state, and the state that it leads to if it leads to one. Not where what a step does depends on more than the state.
    pub(super) fn known_step_from(&mut self, from: StateId, label: Label) -> Option<(Rc<Known>, Option<StateId>)> {
        if let Some((known, reached)) = self.states.step(from, label) {
            return Some((Rc::clone(known), reached));
        }
        let key = key(self.states.vector(from), self.states[from].layout, label);
        self.find_known(from, &key, label)
    }

    fn find_known(&mut self, from: StateId, key: &Key, label: Label) -> Option<(Rc<Known>, Option<StateId>)> {
        let (vector, layout) = (self.states.vector(from), self.states[from].layout);
        let known = Rc::clone(self.memo.find(key, |item| self.machine.look(vector, layout, item))?);
        let reached = match &known.sequel {
            Sequel::Reaches(reached) => {
                let hash = reached.apply_hashed(vector, self.states[from].hash, &mut self.scratch);
                Some(self.intern(Some(from), label.thread, hash))
            }
            Sequel::Waits(_) | Sequel::Ends(_) => None,
        };
        self.states.add_step(from, label, Rc::clone(&known), reached);
        Some((known, reached))
    }

    /// Takes a step again that is known.
    fn repeat(&mut self, known: &Known, reached: Option<StateId>, thread: usize) -> Attempt {
        self.machine.script.clear();
        self.in_place = false;
        self.reached = reached;
        let event = Rc::clone(&known.event);
        match &known.sequel {
            Sequel::Waits(why) => Attempt::Waits(event, *why),
            Sequel::Ends(status) => {
                if let Some(status) = *status {
                    self.note_final_state_of(self.last(), status);
                }
                self.is_pruned = false;
                Attempt::Taken(event)
            }
            Sequel::Reaches(how) => {
                if let Some(reached) = reached.filter(|_| event.idle) {
                    self.scratch.clear();
                    self.scratch.extend_from_slice(self.states.vector(reached));
                }
                self.judge(event, thread, how.is_same())
            }
        }
    }

    /// Whether a step to the state in `scratch` is one to take, and no round of a loop that only waits. `repeats`: it is the state before the step.
    fn judge(&mut self, event: Rc<Event>, thread: usize, repeats: bool) -> Attempt {
        if event.idle && self.completes_round(thread, repeats) {
            return Attempt::Waits(event, Wait::Idle);
        }
        Attempt::Taken(event)
    }

    /// Runs a step from the state the machine is in.
    fn run(&mut self, label: Label) -> Result<Ran, EngineError> {
        let Label { thread, store } = label;
        if let Some(number) = store {
            let store = self.machine.update(thread, number).expect("only updates that are possible are tried");
            self.machine.pack(&mut self.scratch);
            return Ok(Ran::Done(Event::update(thread, &store)));
        }
        let place = self.machine.position(thread);
        let pushed = self.machine.pushed(thread);
        if !self.count_turns(thread) {
            return Ok(Ran::Cut);
        }
        let report = self.machine.step(thread);
        self.is_pruned = report.end == StepEnd::Pruned;
        let is_done = report.end == StepEnd::Done;
        let status = if let StepEnd::Exit(status) = report.end { Some(status) } else { None };
        let why = match report.end {
            StepEnd::Blocked => Some(Wait::Blocked),
            StepEnd::ExitsLast => Some(Wait::Exit),
            _ => None,
        };
        if let Some(why) = why {
            return Ok(Ran::Waits(Event::step(&self.machine, &report, thread, place, false), why));
        }
        let mut event = Event::step(&self.machine, &report, thread, place, !is_done);
        event.pushed = pushed..self.machine.pushed(thread);
        // A step that goes wrong may do so before it gets to what it would have waited for.
        event.fenced |= !is_done;
        let is_alone = self.machine.live_threads().nth(1).is_none();
        event.is_last = status.is_some() && self.machine.defers_exits() && is_alone;
        self.note_end(&report, thread)?;
        if status.is_some() && self.cycles.is_none() {
            // What the event is depends on whether others live, and robustness on what is in their buffers.
            self.machine.see_survivors();
            return Ok(Ran::Exited(event, status.filter(|_| self.keeps_memory())));
        }
        if !is_done {
            return Ok(Ran::Ended(event));
        }
        self.machine.pack(&mut self.scratch);
        let before = self.vector(self.nodes.len() - 1);
        event.idle = *before == self.scratch[..] || self.machine.was_idle(&report, before, &self.scratch);
        self.note_cut(thread, &report);
        Ok(Ran::Done(event))
    }

    /// Takes note of how a step ended the execution, if it did.
    fn note_end(&mut self, report: &StepReport, thread: usize) -> Result<(), EngineError> {
        match &report.end {
            StepEnd::Done | StepEnd::Blocked | StepEnd::ExitsLast => {}
            StepEnd::Pruned => {
                self.reports_leak_before_end(thread);
            }
            StepEnd::Exit(status) => self.note_final_state(*status),
            StepEnd::Fault(fault) => self.violation(fault.clone(), thread, report),
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace_after(thread, report);
                if !self.reports_leak_before_end(thread) {
                    self.findings.cut_off(&self.machine, *limit, &frames);
                }
            }
            StepEnd::Unsupported(what) => return Err(self.unsupported(what.clone(), thread, report)),
            StepEnd::SharingMissed => return Err(EngineError::SharingMissed),
        }
        Ok(())
    }
}

/// What a step of this name from a state depends on that is known without looking.
pub(super) fn key(state: &[Id], layout: Layout, label: Label) -> Key {
    let Label { thread, store } = label;
    let own = Layout::thread(thread);
    let queue = if thread < layout.queues { state[layout.queue(thread)] } else { Id::MAX };
    let components = if store.is_none() { [state[own], state[own + 1]] } else { [0; 2] };
    let label = (thread as u32, store.map_or(0, |number| number + 1));
    Key::new(label, components, queue, [state[0], state[1]])
}
