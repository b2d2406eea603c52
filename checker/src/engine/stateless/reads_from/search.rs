//! The search: nodes, branches, and the executions between them.

use std::rc::Rc;

use super::candidate::Candidate;
use super::histories::{Histories, Reads, ThreadHistories};
use super::late_stores::Pair;
use super::node::{Child, Displaced, LastStep, Route};
use super::nodes::{Halt, Nodes};
use super::outcomes::Outcomes;
use super::parallel::{Counts, Worker};
use super::removal::Removed;
use super::sequences::Sequences;
use super::trace::Trace;
use super::waiting::WaitingEnd;
use super::written::Written;
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, CacheBudget, may_raise_bound};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::measures::{self, EventMeter};
use crate::engine::stateless::results::Results;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::{Answers, Attempt, Request, Stepper, Wait};
use crate::engine::stateless::termination::Completed;
use crate::engine::{EngineError, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{ProgressSample, Share};
use crate::system::{Config, ThreadNumbers, Touched};

/// A search.
pub(super) struct Search<'p> {
    pub trace: Trace,
    pub histories: Histories,
    /// The decisions of the current execution, in the order in which they were made.
    pub nodes: Nodes,
    pub stepper: Stepper<'p>,
    pub learned: Learned,
    pub budget: Budget<'p>,
    pub meter: EventMeter,
    pub results: Results,
    /// The classes so far, as histories, if there are no other workers.
    classes: Sequences,
    /// The ends of the process at which leaks were looked for: the thread that ends it, and all steps before.
    pub ends: FxHashSet<(usize, ThreadHistories)>,
    /// The decisions that were followed.
    followed: Followings,
    /// The pairs that were asked for late stores.
    pub not_late: FxHashSet<Pair>,
    /// Copies with a piece that may have several sources.
    pub contested: FxHashSet<(FuncId, Pc)>,
    /// What is known of what steps do.
    pub outcomes: Outcomes,
    /// The writers of all bytes so far, and the branches that were left out because of them.
    pub written: Written,
    /// What this worker shares with others, if there are any.
    pub worker: Option<Worker>,
}

/// Numbers of decisions.
#[derive(Clone, Copy, Debug, Default)]
struct Followings {
    tried: u64,
    /// Those that led to executions.
    led_on: u64,
}

impl Followings {
    /// The share that led to executions.
    fn share(self) -> f64 {
        if self.tried == 0 { 1.0 } else { self.led_on as f64 / self.tried as f64 }
    }
}

/// The result of trying a node's step where a branch puts it.
pub(super) enum Placed {
    /// It was taken.
    Taken(Candidate),
    /// It ends the execution.
    Ended(Candidate, LastStep),
    /// It waits in a loop.
    Idle(Candidate),
    /// It waits for a resource. The event has the accesses of the attempt.
    Waits(Rc<Event>),
    /// It comes after everything else, or a bound or a request to end forbids it.
    Forbidden,
}

impl<'p> Search<'p> {
    pub fn new(
        program: &'p Program,
        config: Config,
        budget: Budget<'p>,
        findings: Findings,
        (histories, written): (Histories, Written),
        by_creator: Option<ThreadNumbers>,
        worker: Option<Worker>,
    ) -> Self {
        let caches = CacheBudget::within(budget.limits, worker.as_ref().map_or(1, |worker| worker.shared.workers()));
        let mut stepper = Stepper::new(program, config, caches, budget.limits.unroll, by_creator);
        let first = stepper.intern_scratch(None, 0);
        Self {
            trace: Trace::new(first, config.model()),
            histories,
            nodes: Nodes::default(),
            stepper,
            learned: Learned::default(),
            meter: EventMeter::new(budget.limits.count_lines),
            budget,
            results: Results::new(findings),
            classes: Sequences::default(),
            ends: FxHashSet::default(),
            followed: Followings::default(),
            not_late: FxHashSet::default(),
            contested: FxHashSet::default(),
            outcomes: Outcomes::default(),
            written,
            worker,
        }
    }

    /// Explores all classes, but for branches that other workers follow, unless there is a reason to end
    /// before.
    pub fn explore(&mut self, progress: &Progress) -> Result<(), EngineError> {
        self.extend(progress)?;
        self.explore_nodes(progress)
    }

    /// Follows the branches of the nodes until none is left.
    pub fn explore_nodes(&mut self, progress: &Progress) -> Result<(), EngineError> {
        loop {
            if self.is_over() {
                return Ok(());
            }
            self.give();
            if self.nodes.have_no_branches() {
                return Ok(());
            }
            let at = self.nodes.len() - 1;
            let is_shared = at < self.nodes.shared();
            if is_shared {
                self.restore_shared(at)?;
            } else {
                self.restore(at)?;
            }
            match self.nodes[at].pending.pop() {
                None => self.nodes.pop(),
                Some(child) if is_shared => self.take_shared_branch(at, child, progress)?,
                Some(child) => self.take_branch(at, child, progress)?,
            }
        }
    }

    /// Follows a branch of the last node, which is where its step is tried, and extends the execution.
    pub fn take_branch(&mut self, at: usize, child: Child, progress: &Progress) -> Result<(), EngineError> {
        self.followed.tried += 1;
        if self.follow(at, child)? {
            self.followed.led_on += 1;
            self.nodes[at].followed += 1;
            self.extend(progress)?;
        }
        Ok(())
    }

    /// True if there is a reason to end before everything is explored.
    pub fn is_over(&self) -> bool {
        let machine = &self.stepper.machine;
        machine.tally.bound_was_hit.is_some() && may_raise_bound(machine.config())
            || machine.numbers_ran_out()
            || self.results.stopped.is_some()
            || self.is_written_incomplete()
            || self.stepper.is_halted()
            || self.results.findings.is_enough()
            || self.worker.as_ref().is_some_and(|worker| worker.shared.is_over())
    }

    /// Puts the execution back to where a node's step is tried.
    pub fn restore(&mut self, at: usize) -> Result<(), EngineError> {
        self.nodes.reset_last();
        if let Some(inserted) = self.nodes[at].inserted.take() {
            self.remove_inserted(inserted)?;
        }
        let node = &mut self.nodes[at];
        let (position, displaced) = (node.position, node.displaced.take());
        let Some(Displaced { from, events, generation }) = displaced else {
            self.trace.discard(position, &mut self.stepper);
            return Ok(());
        };
        self.trace.discard(from, &mut self.stepper);
        if generation == self.stepper.generation() {
            self.trace.put_back(events);
            return Ok(());
        }
        for Removed { event, .. } in events {
            let is_repeated = self.repeat(event.action, event.answers())?;
            assert!(is_repeated || self.stepper.is_halted(), "events happen again");
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
            let halted = self.nodes.halts().iter().fold(0_u128, |all, halt| all | 1 << halt.thread);
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
                        self.enter(&event, Ok(reached))?;
                        goes_on = true;
                    }
                    Attempt::Ended(event, ending) => {
                        let last = LastStep::of(&ending);
                        self.enter(&event, Err(last))?;
                        goes_on = true;
                    }
                    Attempt::Waits(event, why @ (Wait::Idle | Wait::Blocked)) => waiting.push((event, why)),
                    Attempt::Waits(_, Wait::Exit) => exits = true,
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

    /// Counts and reports an execution at whose end no thread can go on. Steps that wait may be taken where
    /// they read other sources.
    fn complete(&mut self, waiting: Vec<(Rc<Event>, Wait)>, is_cut: bool, exits: bool) -> Result<(), EngineError> {
        let mut class = self.trace.histories(&self.trace.clock());
        for &Halt { thread, history, .. } in self.nodes.halts() {
            class.resize(class.len().max(thread + 1), 0);
            class[thread] = history;
        }
        let is_new = match &mut self.worker {
            None => self.classes.insert(class.iter().map(|&id| id.into())).1,
            Some(worker) => worker.is_new_class(&self.histories, &class),
        };
        let ends: Vec<_> = self.nodes.halts().iter().map(|halt| halt.last).collect();
        let mut is_class = is_new && !ends.contains(&LastStep::Violation);
        match () {
            () if !is_class => self.results.statistics.blocked_executions += 1,
            () if ends.iter().all(|&last| last == LastStep::Waits) => {
                let waits = !ends.is_empty() || waiting.iter().any(|(_, why)| *why == Wait::Idle);
                is_class = self.end(waits && !is_cut, is_cut, exits)? != Completed::Passes;
            }
            () => self.results.statistics.executions += 1,
        }
        if is_class {
            let classes = &mut self.results.statistics.reads_from_classes;
            *classes = Some(classes.unwrap_or(0) + 1);
        }
        if is_new && !ends.contains(&LastStep::Exit) {
            self.find_losses()?;
        }
        // Who waits for the end of a thread goes on when it ends, and no other source is of use.
        for (event, why) in waiting.into_iter().filter(|(event, _)| !waits_for_thread(event)) {
            let candidate = self.candidate(&event)?;
            self.add_node(&candidate)?;
            if why == Wait::Idle {
                let node = self.nodes.len() - 1;
                self.nodes[node].may_wait = true;
                self.wait(node, &candidate.parts);
            }
        }
        Ok(())
    }

    /// Counts and reports the end of an execution. `waits` is true if a thread waits in a loop: then that is
    /// asked of all executions of the class.
    fn end(&mut self, waits: bool, is_cut: bool, exits: bool) -> Result<Completed, EngineError> {
        if !waits {
            return Ok(self.results.complete(&mut self.stepper, &self.trace.prefix, is_cut, exits));
        }
        let WaitingEnd { progress, before } = self.find_waiting(exits)?;
        let completed = self.results.complete_with(&mut self.stepper, &self.trace.prefix, progress, exits);
        if let Some(events) = before {
            self.replay(&events)?;
        }
        Ok(completed)
    }

    /// Appends a step, which leads to a state, and the updates of its stores.
    fn take(&mut self, candidate: &Candidate, state: StateId) -> Result<(), EngineError> {
        self.push_step(candidate, None, state)?;
        self.note_event(&candidate.event);
        self.flush(Some(candidate.event.action.thread))
    }

    /// Takes a step at the end of the execution, as a node if something is open. `reached` says how the step
    /// ends the execution, if it does.
    fn enter(&mut self, event: &Rc<Event>, reached: Result<Option<StateId>, LastStep>) -> Result<(), EngineError> {
        let rest = self.more_answers();
        let state = reached.map(|reached| self.state(reached, event.action.thread));
        let candidate = self.candidate(event)?;
        let is_question = rest.is_some() || candidate.parts.iter().any(|part| part.is_open);
        if let Ok(state) = state
            && !is_question
        {
            self.take(&candidate, state)?;
            let number = self.trace.count(event.action.thread) - 1;
            self.revisit_from(self.nodes.len(), &candidate, number);
            return Ok(());
        }
        self.add_node(&candidate)?;
        let at = self.nodes.len() - 1;
        if let Some(answers) = rest {
            let node = &self.nodes[at];
            let child = Child {
                kept: node.base.clone(),
                histories: self.trace.histories(&node.base),
                others: Vec::new(),
                order: None,
                sources: candidate.parts.clone(),
                reads: Reads::new(),
                route: Route::AtEnd,
                answers,
            };
            self.nodes[at].pending.push(child);
        }
        match state {
            Ok(state) => {
                self.take(&candidate, state)?;
                self.settle(at, &candidate);
                Ok(())
            }
            Err(last) => self.halt(at, &candidate, last),
        }
    }

    /// Stops when a limit is reached, and frees memory.
    fn check_limits(&mut self, progress: &Progress) {
        let ids = self.stepper.vector(self.trace.prefix.last()).len();
        if !self.budget.is_check_due(self.results.statistics.events, ids) {
            return;
        }
        if self.stepper.trim_caches(&mut self.trace.prefix) {
            self.results.forget_components();
            // They name events that were in the caches, and keep them.
            self.outcomes = Outcomes::default();
        }
        let (events, sample) = self.sample();
        progress.update(&sample);
        self.meter.notes(sample);
        let reached = self.budget.reached(progress, events, &sample);
        self.results.stopped = self.results.stopped.or(reached);
    }

    /// The bytes of memory that this engine alone uses, with their purpose. Those that workers share are the
    /// first worker's.
    pub fn shares(&self) -> [Share; 2] {
        let shared = self.worker.as_ref().map_or([0, 0], Worker::shared_bytes);
        let [histories, classes] = [self.histories.bytes() + shared[0], self.classes.bytes() + shared[1]];
        [("histories", histories), ("classes", classes)].map(measures::share)
    }

    /// The number of events so far, and a sample of the search's progress, with those of the other workers.
    pub fn sample(&self) -> (u64, ProgressSample) {
        let events = self.results.statistics.events;
        let branchings = self.nodes.iter().rev().map(|node| node.branching(self.followed.share()));
        let mut sample = measures::sample(&self.stepper, &self.trace.prefix, &self.results, &self.budget, branchings);
        sample.bytes += self.shares().iter().map(|share| share.bytes).sum::<u64>();
        let Some(worker) = &self.worker else { return (events, sample) };
        // The estimate is one of the executions below the first node.
        let before = self.nodes.iter().next().map(|first| first.executions_before);
        let left = before
            .map_or(0.0, |before| f64::max(sample.estimated_executions - (sample.executions - before) as f64, 0.0));
        let own = Counts { events, executions: sample.executions, left, bytes: sample.bytes };
        worker.publish(own, sample)
    }
}

fn waits_for_thread(event: &Event) -> bool {
    event.footprint.iter().any(|touch| touch.touched() == Touched::Thread)
}
