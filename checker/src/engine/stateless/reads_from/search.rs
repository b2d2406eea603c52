//! The search: nodes, branches, and the executions between them.

use std::rc::Rc;

use super::clock::Clock;
use super::histories::{Histories, HistoryId};
use super::memory::{Part, Parts, merged};
use super::node::{Child, LastStep, Node, Reads, Route, key};
use super::trace::{Candidate, Trace, without_empty};
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, CacheBudget, may_raise_bound};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::measures::{self, EventMeter};
use crate::engine::stateless::results::Results;
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::{Answers, Attempt, Request, Stepper, Wait};
use crate::engine::{EngineError, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::system::Config;

/// A search.
pub(super) struct Search<'p> {
    pub trace: Trace,
    pub histories: Histories,
    /// The decisions of the current execution, in the order in which they were made.
    pub nodes: Vec<Node>,
    pub stepper: Stepper<'p>,
    pub learned: Learned,
    pub budget: Budget<'p>,
    pub meter: EventMeter,
    pub results: Results,
    /// The classes so far.
    classes: FxHashSet<Box<[HistoryId]>>,
    /// Copies with a piece that may have several sources.
    pub contested: FxHashSet<(FuncId, Pc)>,
}

/// The result of trying a node's step where a branch puts it.
pub(super) enum Placed {
    /// It was taken.
    Taken(Candidate),
    /// It ends the execution.
    Ended(Candidate, LastStep),
    /// It waits.
    Waits,
}

impl<'p> Search<'p> {
    pub fn new(program: &'p Program, config: Config, budget: Budget<'p>, findings: Findings) -> Self {
        let caches = CacheBudget::within(budget.limits);
        let mut stepper = Stepper::new(program, config, caches, budget.limits.unroll, true);
        let first = stepper.intern_scratch(None, 0);
        Self {
            trace: Trace::new(first),
            histories: Histories::default(),
            nodes: Vec::new(),
            stepper,
            learned: Learned::default(),
            meter: EventMeter::new(budget.limits.count_lines),
            budget,
            results: Results::new(findings),
            classes: FxHashSet::default(),
            contested: FxHashSet::default(),
        }
    }

    /// Explores all classes, unless there is a reason to end before.
    pub fn explore(&mut self, progress: &Progress) -> Result<(), EngineError> {
        self.extend(progress)?;
        while !self.is_over() && !self.nodes.is_empty() {
            let at = self.nodes.len() - 1;
            self.restore(at)?;
            match self.nodes[at].pending.pop() {
                None => drop(self.nodes.pop()),
                Some(child) => {
                    if self.follow(at, child)? {
                        self.extend(progress)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let machine = &self.stepper.machine;
        machine.tally.bound_was_hit.is_some() && may_raise_bound(machine.config())
            || self.results.stopped.is_some() || self.stepper.is_halted() || self.results.findings.is_enough()
    }

    /// Puts the execution back to where a node's step is tried.
    pub fn restore(&mut self, at: usize) -> Result<(), EngineError> {
        let node = &mut self.nodes[at];
        node.current.clear();
        node.halts = None;
        let (position, displaced) = (node.position, node.displaced.take());
        match displaced {
            None => drop(self.trace.truncate(position, &mut self.stepper)),
            Some((from, events)) => {
                self.trace.truncate(from, &mut self.stepper);
                for event in events {
                    let is_repeated = self.repeat(event.action, event.answers())?;
                    assert!(is_repeated || self.stepper.is_halted(), "events happen again");
                }
            }
        }
        Ok(())
    }

    /// Extends the execution until no thread can go on.
    fn extend(&mut self, progress: &Progress) -> Result<(), EngineError> {
        loop {
            self.check_limits(progress);
            if self.is_over() {
                return Ok(());
            }
            let halted = self.halted().fold(0_u128, |all, (thread, ..)| all | 1 << thread);
            let (mut waiting, mut is_cut, mut exits, mut goes_on) = (Vec::new(), false, false, false);
            let mut tried = None;
            while let Some(action) = self.stepper.action_after(self.trace.prefix.last(), tried) {
                tried = Some(action);
                if halted >> action.thread & 1 == 1 {
                    continue;
                }
                match self.attempt(Request { action, answers: &Answers::All, is_planned: false })? {
                    Attempt::Taken(event, reached) if event.is_update() => {
                        self.push(event, reached)?;
                        goes_on = true;
                    }
                    Attempt::Taken(event, reached) => {
                        self.enter(event, Ok(reached))?;
                        goes_on = true;
                    }
                    Attempt::Ended(event, ending) => {
                        let last = LastStep::of(&ending);
                        self.enter(event, Err(last))?;
                        goes_on = true;
                    }
                    Attempt::Waits(event, Wait::Blocked) => waiting.push(event),
                    Attempt::Waits(_, Wait::Exit) => exits = true,
                    Attempt::Waits(event, Wait::Idle) => return Err(self.refusal(&event, "a loop that waits")),
                    Attempt::Cut => is_cut = true,
                }
                if goes_on {
                    break;
                }
            }
            if !goes_on {
                return self.complete(waiting, is_cut, exits);
            }
        }
    }

    /// The threads whose last step ended the execution, with that step.
    fn halted(&self) -> impl Iterator<Item = (usize, HistoryId, LastStep)> + '_ {
        self.nodes.iter().filter_map(|node| node.halts.map(|(history, last)| (node.thread, history, last)))
    }

    /// Counts and reports an execution at whose end no thread can go on. Steps that wait may be taken where
    /// they read other sources.
    fn complete(&mut self, waiting: Vec<Rc<Event>>, is_cut: bool, exits: bool) -> Result<(), EngineError> {
        if std::env::var("RF").is_ok() {
            for at in 0..self.trace.len() {
                let e = self.trace.event(at);
                eprintln!("   {at}: {:?} {:?}", e.action, e.footprint.iter().map(|t| (t.touched(), t.object & 0xff, t.offset, t.write, t.reads)).collect::<Vec<_>>());
            }
        }
        let mut class = self.trace.histories(&self.trace.clock()).into_vec();
        for (thread, history, _) in self.halted() {
            class.resize(class.len().max(thread + 1), 0);
            class[thread] = history;
        }
        let is_new = self.classes.insert(class.into());
        let ends: Vec<_> = self.halted().map(|(_, _, last)| last).collect();
        match () {
            () if !is_new || ends.contains(&LastStep::Violation) => self.results.statistics.blocked_executions += 1,
            () if ends.is_empty() => {
                self.results.complete(&mut self.stepper, &self.trace.prefix, is_cut, exits);
            }
            () => self.results.statistics.executions += 1,
        }
        if is_new && !ends.contains(&LastStep::Violation) {
            let classes = &mut self.results.statistics.reads_from_classes;
            *classes = Some(classes.unwrap_or(0) + 1);
        }
        for event in waiting {
            let candidate = self.candidate(event)?;
            self.add_node(&candidate)?;
        }
        Ok(())
    }

    /// Takes a step at the end of the execution, as a node. `reached` says how the step ends the execution, if
    /// it does.
    fn enter(&mut self, event: Rc<Event>, reached: Result<Option<StateId>, LastStep>) -> Result<(), EngineError> {
        let more = reached.is_ok() && self.stepper.machine.choices.advance();
        let rest = more.then(|| Answers::From(self.stepper.machine.choices.prescribed_answers().to_vec()));
        let state = reached.map(|reached| self.state(reached, event.action.thread));
        let candidate = self.candidate(event)?;
        self.add_node(&candidate)?;
        let at = self.nodes.len() - 1;
        if let Some(answers) = rest {
            let node = &self.nodes[at];
            let child = Child {
                kept: node.base.clone(),
                histories: self.trace.histories(&node.base),
                others: Vec::new(),
                sources: candidate.parts.clone(),
                reads: Reads::new(),
                past: Clock::default(),
                route: Route::AtEnd,
                answers,
            };
            self.nodes[at].pending.push(child);
        }
        match state {
            Ok(state) => {
                self.push_step(&candidate, state)?;
                self.note_event(&candidate.event);
                self.flush(Some(candidate.event.action.thread))?;
                self.settle(at, &candidate)
            }
            Err(last) => {
                self.halt(at, &candidate, last);
                Ok(())
            }
        }
    }

    /// Records that a node's step ends the execution. The other threads go on: the step may read what they
    /// write.
    pub fn halt(&mut self, at: usize, candidate: &Candidate, last: LastStep) {
        let history = self.trace.history_with(&mut self.histories, candidate);
        self.nodes[at].halts = Some((history, last));
        self.nodes[at].current = candidate.parts.clone();
        self.stepper.leave_state();
    }

    /// Adds a node for a step at the end of the execution, with the branches for the sources that are there.
    fn add_node(&mut self, candidate: &Candidate) -> Result<(), EngineError> {
        let base = self.trace.clock();
        let histories = self.trace.histories(&base);
        let node = Node {
            thread: candidate.event.action.thread,
            event: Rc::clone(&candidate.event),
            position: self.trace.len(),
            base,
            pending: Vec::new(),
            seen: [key(&histories, &candidate.parts)].into_iter().collect(),
            current: Parts::new(),
            displaced: None,
            halts: None,
        };
        self.nodes.push(node);
        self.add_alternatives(self.nodes.len() - 1, candidate, Vec::new(), &Parts::new());
        Ok(())
    }

    /// Adds the branches of a node in which its step has another one of the sources that are in the
    /// execution. `others` are the events that are not in the node's base; the bytes in `fixed` keep their
    /// sources.
    pub fn add_alternatives(&mut self, at: usize, candidate: &Candidate, others: Vec<Rc<Event>>, fixed: &Parts) {
        let number = self.nodes[at].base.of(self.nodes[at].thread);
        let vectors = self.trace.alternatives(candidate, number, fixed);
        if vectors.is_empty() {
            return;
        }
        self.contested.extend(candidate.event.piece_of());
        let mut kept = self.trace.clock();
        kept.cut(self.nodes[at].thread, number);
        let histories = self.trace.histories(&kept);
        for sources in vectors {
            let child = Child {
                kept: kept.clone(),
                histories: histories.clone(),
                others: others.clone(),
                reads: self.trace.reads(&sources),
                past: self.trace.past(candidate.event.action.thread, number, &sources),
                sources,
                route: Route::Witness,
                answers: Answers::All,
            };
            self.nodes[at].add(child);
        }
    }

    /// Opens the reads of a node's step, which was taken, and adds the branches of earlier nodes that read
    /// from it.
    pub fn settle(&mut self, at: usize, candidate: &Candidate) -> Result<(), EngineError> {
        self.nodes[at].current = candidate.parts.clone();
        let thread = candidate.event.action.thread;
        let number = self.nodes[at].base.of(thread);
        let past = self.trace.step(thread, number).past.clone();
        let history = self.trace.history(thread, number + 1);
        let writes = self.writes_of(candidate, thread as u32, number, history);
        for write in writes {
            self.revisit(at, write, &past, None);
        }
        Ok(())
    }

    /// The writes of a step.
    fn writes_of(&self, candidate: &Candidate, thread: u32, number: u32, history: HistoryId) -> Vec<Part> {
        let at_once = candidate.accesses.writes.iter();
        let at_once = at_once.map(|&place| Part { place, writer: Writer::Step(thread, number), is_open: true });
        let stores = candidate.event.pushed().zip(self.histories.event(history).writes.iter());
        let stores = stores.map(|(store, &place)| Part { place, writer: Writer::Store(thread, store), is_open: true });
        at_once.chain(stores).collect()
    }

    /// Adds the branches in which the steps of nodes before `below` read from a write. `past` is what the
    /// write depends on. `branch` is the branch that the step of the write is in, with the step and the
    /// history of its thread, if it is not in the execution.
    pub fn revisit(
        &mut self,
        below: usize,
        write: Part,
        past: &Clock,
        branch: Option<(&Child, &Rc<Event>, HistoryId)>,
    ) {
        for at in 0..below {
            let node = &self.nodes[at];
            if past.has(node.thread, node.base.of(node.thread)) {
                continue;
            }
            // A read is decided cell by cell: those before keep their sources, and those after may have others.
            let mut before = Parts::new();
            for part in node.current.clone() {
                for cell in self.trace.cells(part.place) {
                    if part.is_open && cell.overlaps(write.place) {
                        self.revisit_cell(at, &before, Part { place: cell, ..write }, past, branch);
                    }
                    before.push(Part { place: cell, ..part });
                }
            }
        }
    }

    /// Adds the branch in which a cell is read from a write, as [`Self::revisit`] does, and the cells before
    /// as they are.
    fn revisit_cell(
        &mut self,
        at: usize,
        before: &Parts,
        write: Part,
        past: &Clock,
        branch: Option<(&Child, &Rc<Event>, HistoryId)>,
    ) {
        let node = &self.nodes[at];
        {
            let mut kept = node.base.clone();
            kept.unite(past);
            for part in before {
                if let Some((thread, step)) = self.trace.step_of(part.writer) {
                    kept.unite(&self.trace.step(thread, step).past);
                }
            }
            let histories = match branch {
                None => self.trace.histories(&kept),
                Some((child, event, history)) => {
                    let known = |thread: usize| child.histories.get(thread).copied().unwrap_or(0);
                    let first = |thread| self.histories.first(known(thread), kept.of(thread));
                    let of = |thread| if thread == event.action.thread { history } else { first(thread) };
                    without_empty((0..kept.threads()).map(of).collect())
                }
            };
            let sources = merged(before.iter().copied().chain([write]).collect());
            if node.seen.contains(&key(&histories, &sources)) {
                return;
            }
            let more: Vec<_> = branch.map_or(Vec::new(), |(child, event, _)| {
                child.others.iter().chain([event]).map(Rc::clone).collect()
            });
            let child = Child {
                others: self.trace.between(&node.base, &kept, &more),
                kept,
                histories,
                reads: self.trace.reads(&sources),
                past: Clock::default(),
                sources,
                route: Route::AfterSource,
                answers: Answers::All,
            };
            self.contested.extend(self.nodes[at].event.piece_of());
            self.nodes[at].add(child);
        }
    }

    /// Appends a step or an update that was taken.
    fn push(&mut self, event: Rc<Event>, reached: Option<StateId>) -> Result<Option<Candidate>, EngineError> {
        self.note_event(&event);
        let state = self.state(reached, event.action.thread);
        if event.is_update() {
            self.trace.push_update(&mut self.histories, event, state);
            return Ok(None);
        }
        let candidate = self.candidate(event)?;
        self.push_step(&candidate, state)?;
        Ok(Some(candidate))
    }

    fn push_step(&mut self, candidate: &Candidate, state: StateId) -> Result<(), EngineError> {
        if self.trace.may_end_too_early(candidate) {
            return Err(self.refusal(&candidate.event, "memory that ends while a store of another thread may be delayed"));
        }
        self.trace.push_step(&mut self.histories, candidate, state);
        Ok(())
    }

    /// Takes a step or an update that was taken before, with its answers. Returns false if it cannot be
    /// taken.
    pub fn repeat(&mut self, action: Action, answers: &[u32]) -> Result<bool, EngineError> {
        if !self.stepper.can_be_tried(self.trace.prefix.last(), action) {
            return Ok(false);
        }
        self.stepper.machine.choices.prescribe(answers);
        match self.attempt(Request { action, answers: &Answers::Exactly, is_planned: false })? {
            Attempt::Taken(event, reached) => {
                self.push(event, reached)?;
                Ok(true)
            }
            Attempt::Ended(..) | Attempt::Waits(..) | Attempt::Cut => Ok(false),
        }
    }

    /// Tries a node's step at the end of the execution, and appends it if it is taken.
    pub fn place(&mut self, thread: usize, answers: &Answers) -> Result<(Placed, Option<Answers>), EngineError> {
        let action = Action::step(thread);
        Ok(match self.attempt(Request { action, answers, is_planned: false })? {
            Attempt::Taken(event, reached) => {
                let more = self.stepper.machine.choices.advance();
                let rest = more.then(|| Answers::From(self.stepper.machine.choices.prescribed_answers().to_vec()));
                let candidate = self.push(event, reached)?.expect("it is a step");
                (Placed::Taken(candidate), rest)
            }
            Attempt::Ended(event, ending) => (Placed::Ended(self.candidate(event)?, LastStep::of(&ending)), None),
            Attempt::Waits(event, Wait::Idle) => return Err(self.refusal(&event, "a loop that waits")),
            Attempt::Waits(..) | Attempt::Cut => (Placed::Waits, None),
        })
    }

    /// Takes all updates, of a thread's stores or of all.
    pub fn flush(&mut self, thread: Option<usize>) -> Result<(), EngineError> {
        let mut tried = None;
        while let Some(action) = self.stepper.action_after(self.trace.prefix.last(), tried) {
            if !action.is_update() {
                break;
            }
            if thread.is_some_and(|thread| action.thread != thread) {
                tried = Some(action);
                continue;
            }
            if !self.repeat(action, &[])? {
                assert!(self.stepper.is_halted(), "an update that is ready happens");
                break;
            }
            tried = None;
        }
        Ok(())
    }

    pub fn candidate(&self, event: Rc<Event>) -> Result<Candidate, EngineError> {
        self.trace.candidate(Rc::clone(&event)).map_err(|what| self.refusal(&event, what))
    }

    pub fn refusal(&self, event: &Event, what: &str) -> EngineError {
        let program = self.stepper.machine.program();
        let (place, function) = event.place().map_or_else(Default::default, |(function, pc)| {
            (program.place(program.location(function, pc)), program.function(function).shown_name())
        });
        EngineError::Unsupported { what: format!("{what}, with --engine reads-from"), place, function }
    }

    fn note_event(&mut self, event: &Event) {
        self.meter.count(event);
        self.results.statistics.events += 1;
        let depth = self.trace.len() as u64;
        self.results.statistics.max_depth = self.results.statistics.max_depth.max(depth);
    }

    fn attempt(&mut self, request: Request<'_>) -> Result<Attempt, EngineError> {
        let prefix = &self.trace.prefix;
        let attempt = self.stepper.attempt(prefix, request, &mut self.learned)?;
        self.results.note_attempt(&mut self.stepper, prefix, request.action.thread, &attempt);
        Ok(if matches!(attempt, Attempt::Ended(..)) && self.stepper.is_halted() { Attempt::Cut } else { attempt })
    }

    fn state(&mut self, reached: Option<StateId>, thread: usize) -> StateId {
        let from = self.trace.prefix.last();
        reached.unwrap_or_else(|| self.stepper.intern_scratch(Some(from), thread))
    }

    /// Stops when a limit is reached, and frees memory.
    fn check_limits(&mut self, progress: &Progress) {
        let ids = self.stepper.vector(self.trace.prefix.last()).len();
        if !self.budget.is_check_due(self.results.statistics.events, ids) {
            return;
        }
        if self.stepper.trim_caches(&mut self.trace.prefix) {
            self.results.forget_components();
        }
        let sample = self.sample();
        progress.update(&sample);
        self.meter.notes(sample);
        let reached = self.budget.reached(progress, self.results.statistics.events, &sample);
        self.results.stopped = self.results.stopped.or(reached);
    }

    /// A sample of the search's progress.
    pub fn sample(&self) -> crate::outcome::measures::ProgressSample {
        measures::sample(&self.stepper, &self.trace.prefix, &self.results, &self.budget, std::iter::empty())
    }
}
