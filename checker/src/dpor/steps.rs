//! Attempts to take a step: run by the machine, or known from before.

use std::rc::Rc;

use super::event::{Event, Label};
use super::memo::{self, Key, Known};
use super::search::{Attempt, Search, Wait};
use crate::explore::EngineError;
use crate::store::Id;
use crate::system::{Layout, StepEnd};

/// What a step did that the machine ran.
enum Ran {
    /// It led to the state in `scratch`.
    Done(Event),
    /// It has to wait.
    Blocked(Event),
    /// Nothing can follow.
    Ended(Event),
    /// It is in a loop that went round too often.
    Cut,
}

impl Search<'_> {
    /// Tries to take a step from the last state, with the machine's script.
    pub(super) fn attempt_once(&mut self, label: Label) -> Result<Attempt, EngineError> {
        let state = self.vector(self.nodes.len() - 1);
        let layout = self.machine.layout(state);
        let may_be_known = self.remembers && self.machine.script.prescribed_answers().is_empty();
        let key = may_be_known.then(|| key(state, layout, label));
        let look = |item| self.machine.look(state, layout, item);
        if let Some(known) = key.and_then(|key| self.memo.find(&key, look)) {
            return Ok(self.repeat(&known, label.thread));
        }
        // Also if the machine is in that state: only what was unpacked has its pages in the order of the state vector.
        self.restore(self.nodes.len() - 1);
        self.in_place = false;
        self.machine.log_step();
        let ran = self.run(label);
        let seen = self.machine.logged();
        let (event, is_done) = match ran? {
            Ran::Done(event) => (Rc::new(event), true),
            Ran::Blocked(event) => (Rc::new(event), false),
            Ran::Ended(event) => return Ok(Attempt::Taken(Rc::new(event))),
            Ran::Cut => return Ok(Attempt::Cut),
        };
        if let Some(key) = key.filter(|_| event.answers.is_empty() && event.dropped.is_empty()) {
            let reached = is_done.then(|| {
                let before = self.vector(self.nodes.len() - 1);
                memo::parts(&self.machine.named(before), &self.machine.named(&self.scratch))
            });
            self.memo.insert(key, &seen, Known { event: Rc::clone(&event), reached });
        }
        if !is_done {
            return Ok(Attempt::Waits(event, Wait::Blocked));
        }
        let attempt = self.judge(event, label.thread);
        self.in_place = matches!(attempt, Attempt::Taken(_));
        Ok(attempt)
    }

    /// Takes a step again that is known.
    fn repeat(&mut self, known: &Known, thread: usize) -> Attempt {
        self.machine.script.clear();
        let event = Rc::clone(&known.event);
        let Some(parts) = &known.reached else { return Attempt::Waits(event, Wait::Blocked) };
        let mut reached = std::mem::take(&mut self.scratch);
        memo::apply(parts, self.vector(self.nodes.len() - 1), &mut reached);
        self.scratch = reached;
        self.in_place = false;
        self.judge(event, thread)
    }

    /// Whether a step to the state in `scratch` is one to take, and no round of a loop that only waits.
    fn judge(&mut self, event: Rc<Event>, thread: usize) -> Attempt {
        let repeats = event.label.store.is_none() && *self.vector(self.nodes.len() - 1) == self.scratch[..];
        if repeats || event.idle && self.completes_round(thread) {
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
        let end = self.machine.step(thread);
        self.is_pruned = end == StepEnd::Pruned;
        let is_done = end == StepEnd::Done;
        if end == StepEnd::Blocked {
            return Ok(Ran::Blocked(Event::step(&self.machine, thread, place, false)));
        }
        let mut event = Event::step(&self.machine, thread, place, !is_done);
        event.pushed = pushed..self.machine.pushed(thread);
        // A step that goes wrong may do so before it gets to what it would have waited for.
        event.fenced |= !is_done;
        self.note_end(end, thread)?;
        if !is_done {
            return Ok(Ran::Ended(event));
        }
        self.machine.pack(&mut self.scratch);
        let before = self.vector(self.nodes.len() - 1);
        event.idle = *before == self.scratch[..] || self.machine.was_idle(before, &self.scratch);
        self.note_cut(thread);
        Ok(Ran::Done(event))
    }

    /// Takes note of how a step ended the execution, if it did.
    fn note_end(&mut self, end: StepEnd, thread: usize) -> Result<(), EngineError> {
        match end {
            StepEnd::Done | StepEnd::Blocked | StepEnd::Pruned => {}
            StepEnd::Exit(_) => self.findings.final_states.extend(self.machine.final_state.take()),
            StepEnd::Fault(fault) => self.violation(fault, thread),
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace(thread);
                if !self.reports_leak() {
                    self.findings.cut_off(&self.machine, limit, &frames);
                }
            }
            StepEnd::Unsupported(what) => return Err(self.unsupported(what, thread)),
            StepEnd::SharingMissed => return Err(EngineError::SharingMissed),
        }
        Ok(())
    }
}

fn key(state: &[Id], layout: Layout, label: Label) -> Key {
    let Label { thread, store } = label;
    let own = Layout::thread(thread);
    let queue = if thread < layout.queues { state[layout.queue(thread)] } else { Id::MAX };
    let components = if store.is_none() { [state[own], state[own + 1]] } else { [0; 2] };
    let label = (thread as u32, store.map_or(0, |number| number + 1));
    Key { label, thread: components, queue, whole: [state[0], state[1]] }
}
