//! Following a branch: an execution of its steps, with the sources that it names.

use std::rc::Rc;
use std::sync::Arc;

use rmc_consistency::{
    Answer, Event as HistoryEvent, EventId, EventKind, History, HistoryError, Reason, WitnessStep, decide,
};
use smallvec::SmallVec;

use super::alternatives::{Rivals, Taken};
use super::branches::Outside;
use super::candidate::Candidate;
use super::clock::Clock;
use super::histories::HistoryId;
use super::memory::Parts;
use super::node::{Child, Displaced, LastStep, Merged, Route};
use super::rearrangement::Rearrangement;
use super::removal::Removed;
use super::search::{Placed, Search};
use crate::engine::EngineError;
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::stepper::Answers;
use crate::hash::FxHashMap;

/// What is refused where the answers of steps to questions about inputs are not possible in another order.
const OTHER_ANSWERS: &str = "inputs that several threads ask for in an order that decides what the answers are";

/// The way in which a branch was followed.
pub(super) enum Followed {
    /// The execution is one of the branch. There may be more answers to the questions of the step.
    Yes { placed: Box<Placed>, rest: Option<Answers> },
    /// The execution is one of the branch if the step does not write. Its later reads are those of one
    /// witness, and it may have others.
    Reads { candidate: Candidate, rest: Option<Answers> },
    /// No execution is of the branch, since another step reads what the step reads, and overwrites it. There
    /// may be more answers.
    Competes(Option<Answers>),
    /// The execution is another one, or there is none. With more answers there may be one.
    Otherwise(Option<Answers>),
}

/// The result of trying a step, and the answers that are left.
pub(super) type Tried = (Placed, Option<Answers>);

impl Search<'_> {
    /// Follows a branch of the last node, which is where its step is tried. Returns false if no execution is
    /// of it.
    pub(super) fn follow(&mut self, at: usize, child: Child) -> Result<bool, EngineError> {
        if matches!(child.route, Route::AfterSource | Route::Witness) && self.waited_before(at, &child) {
            return Ok(false);
        }
        let followed = match child.route {
            Route::Never => {
                self.wait(at, &child.sources);
                return Ok(true);
            }
            Route::AtEnd => self.follow_at_end(at, &child)?,
            Route::AfterSource => self.follow_source(at, &child)?,
            Route::Witness => self.follow_inserted(at, &child)?,
        };
        let followed = match followed {
            Followed::Yes { .. } | Followed::Reads { .. } | Followed::Competes(_) => followed,
            Followed::Otherwise(_) => {
                self.restore(at)?;
                self.follow_witness(at, &child)?
            }
        };
        if self.is_over() {
            return Ok(false);
        }
        let (placed, rest) = match followed {
            Followed::Yes { placed, rest } => (Some(*placed), rest),
            Followed::Reads { candidate, rest } => (Some(Placed::Ended(candidate, LastStep::Violation)), rest),
            Followed::Otherwise(rest) | Followed::Competes(rest) => (None, rest),
        };
        let candidate = match &placed {
            Some(Placed::Taken(candidate) | Placed::Ended(candidate, _) | Placed::Idle(candidate)) => Some(candidate),
            Some(Placed::Waits(_) | Placed::Forbidden) | None => None,
        };
        let goes_on_without = placed.is_some() && candidate.is_none() && child.route == Route::AfterSource;
        let waits = (goes_on_without && matches!(placed, Some(Placed::Waits(_)))).then(|| child.histories.clone());
        if let Some(candidate) = candidate {
            let fixed = if child.route == Route::AtEnd { &Parts::new() } else { &child.sources };
            self.add_alternatives(at, candidate, Some(&child), fixed);
        }
        if let Some(answers) = rest {
            self.nodes[at].pending.push(Child { answers, ..child });
        }
        match placed {
            Some(Placed::Taken(candidate)) => self.settle(at, &candidate),
            Some(Placed::Ended(candidate, last)) => self.halt(at, &candidate, last)?,
            Some(Placed::Idle(candidate)) => {
                self.add_wait(at, &candidate.parts);
                return Ok(false);
            }
            Some(Placed::Waits(_) | Placed::Forbidden) | None => {
                self.nodes[at].waits.extend(waits);
                return Ok(goes_on_without);
            }
        }
        Ok(true)
    }

    /// True if one of the graphs at which a node's step was found to wait is a part of a branch's. Whatever
    /// is found from the branch was found from that graph.
    fn waited_before(&self, at: usize, child: &Child) -> bool {
        let of = |thread: usize| child.histories.get(thread).copied().unwrap_or(0);
        let is_part = |earlier: &[HistoryId]| {
            let mut threads = earlier.iter().enumerate();
            threads.all(|(thread, &id)| self.histories.first(of(thread), self.histories.count(id)) == id)
        };
        self.nodes[at].waits.iter().any(|earlier| is_part(earlier))
    }

    fn follow_at_end(&mut self, at: usize, child: &Child) -> Result<Followed, EngineError> {
        let thread = self.nodes[at].thread;
        let (placed, rest) = self.place(thread, child)?;
        self.flush(Some(thread))?;
        Ok(Followed::Yes { placed: Box::new(placed), rest })
    }

    /// Takes the other steps as they were taken before, and the node's step right after its source.
    fn follow_source(&mut self, at: usize, child: &Child) -> Result<Followed, EngineError> {
        let thread = self.nodes[at].thread;
        if let Some(order) = &child.order {
            return self.follow_merged(at, child, order);
        }
        let source = child.sources.last().expect("the write that is read is named last").writer;
        let mut result = None;
        for other in &child.others {
            if !self.repeat_elsewhere(other.clone())? {
                return Ok(Followed::Otherwise(None));
            }
            if result.is_none() && self.trace.last_wrote(source) {
                result = Some(self.place(thread, child)?);
                self.flush(Some(thread))?;
            }
        }
        self.flush(None)?;
        Ok(result.map_or(Followed::Otherwise(None), |tried| self.followed(child, thread, tried)))
    }

    /// Takes the steps of a branch as they were taken before, in another order.
    fn follow_merged(&mut self, at: usize, child: &Child, order: &Merged) -> Result<Followed, EngineError> {
        let thread = self.nodes[at].thread;
        self.leave_base(at, order.from);
        let Rearrangement { first, later, .. } = &order.events;
        if !self.repeat_all(first.iter().cloned())? || self.trace.count(thread) != child.kept.of(thread) {
            return Ok(Followed::Otherwise(None));
        }
        let tried = self.place(thread, child)?;
        self.flush(Some(thread))?;
        if !self.repeat_all(later.iter().cloned())? {
            return Ok(Followed::Otherwise(None));
        }
        self.flush(None)?;
        Ok(self.followed(child, thread, tried))
    }

    /// Leaves so many of a node's events.
    fn leave_base(&mut self, at: usize, from: usize) {
        let removed = self.trace.truncate(from, &mut self.stepper);
        self.displace(at, removed);
    }

    /// Takes the steps of a branch that are not in the base of its node. Returns false if they did not find
    /// their sources.
    pub(super) fn take_others(&mut self, at: usize, child: &Child) -> Result<bool, EngineError> {
        if child.others.is_empty() {
            return Ok(true);
        }
        let is_taken = match &child.order {
            None => self.repeat_all(child.others.iter().cloned())?,
            Some(order) => {
                self.leave_base(at, order.from);
                let Rearrangement { first, later, .. } = &order.events;
                self.repeat_all(first.iter().cloned())? && self.repeat_all(later.iter().cloned())?
            }
        };
        Ok(is_taken && self.trace.histories(&self.trace.clock()) == child.histories)
    }

    /// Records that these events at the end of a node's execution, and after it, were removed: those that
    /// are where they were when the node was met are put back later.
    pub(super) fn displace(&mut self, at: usize, mut removed: Vec<Removed>) {
        self.stepper.leave_state();
        let (from, position) = (self.trace.len(), self.nodes[at].position);
        let displaced = &mut self.nodes[at].displaced;
        let (end, generation) = match &*displaced {
            None => (position, self.stepper.generation()),
            Some(earlier) => (earlier.from, earlier.generation),
        };
        if from < end {
            removed.truncate(end - from);
            removed.extend(displaced.take().into_iter().flat_map(|earlier| earlier.events));
            *displaced = Some(Displaced { from, events: removed, generation });
        }
    }

    /// The way in which a branch was followed, if its step was tried in this execution and all others were
    /// taken.
    pub(super) fn followed(&self, child: &Child, thread: usize, (placed, rest): Tried) -> Followed {
        if self.is_as_named(child, thread, &placed) {
            Followed::Yes { placed: Box::new(placed), rest }
        } else {
            Followed::Otherwise(None)
        }
    }

    /// True if the threads other than the step's have the histories that the branch names, and the step has
    /// the sources.
    fn is_as_named(&self, child: &Child, thread: usize, placed: &Placed) -> bool {
        let mut kept = self.trace.clock();
        kept.cut(thread, child.kept.of(thread));
        has_sources(child, placed) && self.trace.histories(&kept) == child.histories
    }

    /// Searches for a witness of the branch, and follows it. At first the step is only a read; if it also
    /// writes, and others are in the way, a witness with its writes is searched for.
    fn follow_witness(&mut self, at: usize, child: &Child) -> Result<Followed, EngineError> {
        let thread = self.nodes[at].thread;
        let kind = if self.nodes[at].event.is_fenced() { EventKind::Fence } else { EventKind::Plain };
        let mut step = HistoryEvent { reads: child.reads.clone(), ..HistoryEvent::of(kind) };
        let mut taken = None;
        loop {
            let mut history = self.histories.history(&child.histories);
            if history.threads.len() <= thread {
                history.threads.resize(thread + 1, Vec::new());
            }
            history.threads[thread].push(step);
            let event = Rc::clone(&self.nodes[at].event);
            let Some(witness) = self.witness(&event, &history)? else { break };
            let (Some((placed, rest)), is_witness) = self.follow_steps(at, child, &witness)? else {
                return Ok(Followed::Otherwise(None));
            };
            if is_witness && self.is_as_named(child, thread, &placed) {
                return Ok(Followed::Yes { placed: Box::new(placed), rest });
            }
            // With other answers the step may read other places first.
            if !has_sources(child, &placed) {
                return Ok(Followed::Otherwise(rest));
            }
            let Placed::Taken(candidate) = placed else { return Ok(Followed::Otherwise(rest)) };
            if taken.is_some() || self.is_over() {
                // No input may meet the answers of the step and those of the steps after it.
                let has_inputs = self.stepper.machine.names_answers();
                let asks = has_inputs && !candidate.event.answers().is_empty();
                if has_inputs && !asks && !self.is_over() {
                    return Err(self.refusal(&candidate.event, OTHER_ANSWERS));
                }
                assert!(asks || self.is_over(), "a witness is an execution");
                return Ok(Followed::Otherwise(rest));
            }
            let number = child.kept.of(thread);
            let known = self.trace.step(thread, number).known.clone();
            step = self.histories.event(known.history);
            let rivals = self.trace.taken(&candidate.parts, (thread, number));
            taken = Some((candidate, known, rivals, rest));
            self.restore(at)?;
        }
        let Some((candidate, known, rivals, rest)) = taken else { return Ok(Followed::Otherwise(None)) };
        self.compete(at, child, &candidate, (known.history, &known.facts.past), &rivals);
        if self.leave_out(at, child, &candidate) {
            return Ok(Followed::Otherwise(rest));
        }
        // Its other sources are looked for without the step.
        let history = self.histories.history(&child.histories);
        let event = Rc::clone(&self.nodes[at].event);
        if let Some(witness) = self.witness(&event, &history)? {
            self.follow_steps(at, child, &witness)?;
        }
        Ok(Followed::Reads { candidate, rest })
    }

    /// Adds the branches of earlier nodes that read from a step that no model allows here because others
    /// read what it reads, and write.
    pub(super) fn compete(
        &mut self,
        at: usize,
        child: &Child,
        candidate: &Candidate,
        (history, past): (HistoryId, &Clock),
        taken: &[Taken],
    ) {
        let thread = candidate.event.action.thread;
        let writes = self.writes_of(candidate, thread as u32, child.kept.of(thread), history);
        let places: Vec<_> = writes.iter().map(|write| write.place).collect();
        let overwrites = |taken: &&Taken| candidate.accesses.overwrites(taken.place);
        let rivals: Rivals = taken.iter().filter(overwrites).copied().collect();
        let Candidate { event, parts, .. } = candidate;
        let outside = Outside { child, event, parts, history, places: &places, rivals: &rivals };
        for write in writes {
            self.revisit(at, write, past, Some(outside));
        }
    }

    /// A witness of a history, if the model allows it. A refusal names a step.
    pub(super) fn witness(&mut self, step: &Event, history: &History) -> Result<Option<Vec<WitnessStep>>, EngineError> {
        let refused =
            |error: HistoryError| self.refusal(step, &format!("an execution of which nothing can be said ({error})"));
        let answer = decide(history, self.stepper.machine.config().model()).map_err(refused)?;
        let checks = self.results.statistics.histories.get_or_insert_default();
        checks.events += history.threads.iter().map(|events| events.len() as u64).sum::<u64>();
        match answer {
            Answer::Allowed(witness) => {
                checks.allowed += 1;
                Ok(Some(witness))
            }
            Answer::Forbidden(reason) => {
                checks.forbidden += 1;
                checks.forbidden_by_closure += u64::from(matches!(reason, Reason::Cycle(_)));
                Ok(None)
            }
        }
    }

    /// Follows a witness. Returns the result of the node's step, if it was tried, and false if another step
    /// has to wait.
    fn follow_steps(
        &mut self,
        at: usize,
        child: &Child,
        witness: &[WitnessStep],
    ) -> Result<(Option<Tried>, bool), EngineError> {
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let actions = self.actions(at, child, witness);
        let is_there = |(at, (action, _)): &(usize, &(Action, Option<Rc<Event>>))| {
            *at < self.trace.len() && self.trace.event(*at).action == *action
        };
        let common = actions.iter().enumerate().take_while(is_there).count();
        let removed = self.trace.truncate(common, &mut self.stepper);
        self.displace(at, removed);
        let mut result = None;
        let mut early: SmallVec<[Action; 2]> = SmallVec::new();
        for (action, event) in &actions[common..] {
            if early.contains(action) {
                continue;
            }
            let is_the_step = !action.is_update() && action.thread == thread && self.trace.count(thread) == number;
            let before = if is_the_step { Some(Rc::clone(&self.nodes[at].event)) } else { event.clone() };
            early.extend(before.map_or(Ok(SmallVec::new()), |before| self.let_arrive(&before))?);
            if is_the_step {
                result = Some(self.place(thread, child)?);
            } else if !self.repeat(*action, event.as_ref().map_or(&[], |event| event.answers()))? {
                let is_possible = result.is_some() || self.is_over();
                if !is_possible && self.stepper.machine.names_answers() {
                    return Err(self.refusal(&self.nodes[at].event, OTHER_ANSWERS));
                }
                assert!(is_possible, "the steps of a witness before the node's happen");
                self.flush(Some(thread))?;
                return Ok((result, false));
            }
        }
        self.flush(None)?;
        Ok((result, true))
    }

    /// Lets the stores reach memory that a step would find in the buffer of its thread when it ends their
    /// memory, as far as they may arrive now. In a witness they may come later, where they are lost; but
    /// nobody reads them after the step. Returns these updates.
    fn let_arrive(&mut self, before: &Event) -> Result<SmallVec<[Action; 2]>, EngineError> {
        let ends_memory = |accesses: &Arc<Accesses>| accesses.changes_lives;
        if before.is_update() || before.accesses().is_ok_and(|accesses| !ends_memory(accesses)) {
            return Ok(SmallVec::new());
        }
        let Some(event) = self.try_again(before)? else { return Ok(SmallVec::new()) };
        let thread = event.action.thread;
        let mut arrived = SmallVec::new();
        for update in event.dropped().iter().map(|store| Action::update(thread, store.number)) {
            if self.repeat(update, &[])? {
                arrived.push(update);
            }
        }
        Ok(arrived)
    }

    /// The steps and updates of a witness. Updates of the node's step are left out.
    fn actions(&self, at: usize, child: &Child, witness: &[WitnessStep]) -> Vec<(Action, Option<Rc<Event>>)> {
        let node = &self.nodes[at];
        let mut others: FxHashMap<(usize, u32), Rc<Event>> = FxHashMap::default();
        let mut counts: FxHashMap<usize, u32> = FxHashMap::default();
        for event in child.others.iter().map(|other| &other.event).filter(|event| !event.is_update()) {
            let thread = event.action.thread;
            let count = counts.entry(thread).or_insert_with(|| node.base.of(thread));
            others.insert((thread, *count), Rc::clone(event));
            *count += 1;
        }
        let event = |thread: usize, number: u32| {
            let base = || Rc::clone(self.trace.event(self.trace.step(thread, number).position));
            others.get(&(thread, number)).cloned().unwrap_or_else(base)
        };
        let is_the_step = |id: EventId| id.thread as usize == node.thread && id.index == child.kept.of(node.thread);
        let action = |&step: &WitnessStep| match step {
            WitnessStep::Event(id) if is_the_step(id) => Some((Action::step(node.thread), None)),
            WitnessStep::Event(id) => {
                Some((Action::step(id.thread as usize), Some(event(id.thread as usize, id.index))))
            }
            WitnessStep::Arrival { event: id, .. } if is_the_step(id) => None,
            WitnessStep::Arrival { event: id, write } => {
                let store = event(id.thread as usize, id.index).pushed().start + write;
                Some((Action::update(id.thread as usize, store), None))
            }
        };
        witness.iter().filter_map(action).collect()
    }
}

/// True if the step of a branch has the sources that the branch names, as far as it was taken.
pub(super) fn has_sources(child: &Child, placed: &Placed) -> bool {
    match placed {
        Placed::Taken(candidate) | Placed::Ended(candidate, _) | Placed::Idle(candidate) => child
            .sources
            .iter()
            .all(|part| candidate.parts.iter().any(|real| real.writer == part.writer && real.place.covers(part.place))),
        Placed::Waits(_) | Placed::Forbidden => true,
    }
}
