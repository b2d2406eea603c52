//! The exploration: a depth-first search over executions.
//!
//! This is algorithms 1 and 2 of Abdulla, Aronis, Jonsson and Sagonas, *Optimal Dynamic Partial Order
//! Reduction*, POPL 2014, as a loop. In each state the planned events are taken first. If nothing is planned
//! and nothing was explored, any step that is not asleep is taken. If there is none, the execution is
//! complete, and its races are reversed.

use std::rc::Rc;

use super::Dpor;
use super::cycles::{check_robustness, watch};
use super::explain;
use super::exploration::Exploration;
use super::predict_event::note_prediction;
use super::run::End;
use super::wakeup::Branch;
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, CacheBudget, may_raise_bound};
use crate::engine::stateless::deepening::{FEW_EVENTS, LoopBound};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::join_suffix::JoinSuffix;
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::measures::{self, EventMeter};
use crate::engine::stateless::results::Results;
use crate::engine::stateless::robustness::Cycles;
use crate::engine::stateless::robustness::sequential::Reason;
use crate::engine::stateless::sources::Classes;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::{Answers, Attempt, Ending, Request, Stepper, Wait};
use crate::engine::stateless::termination::Completed;
use crate::engine::{EngineError, Progress};
use crate::ir::Program;
use crate::outcome::Unknown;
use crate::system::{Config, ThreadNumbers};

/// A search, in the parts that its procedures use.
pub(super) struct Search<'p> {
    /// The tree of executions: the current one, sleep sets and wakeup trees.
    pub exploration: Exploration,
    /// The machine and its caches.
    pub stepper: Stepper<'p>,
    /// Facts about instructions.
    pub learned: Learned,
    /// The limits.
    pub budget: Budget<'p>,
    pub meter: EventMeter,
    pub results: Results,
    /// The executions found that are not sequentially consistent, if they are looked for.
    pub cycles: Option<Cycles>,
    /// See [`Start::not_sequential`].
    pub not_sequential: Option<Reason>,
    /// The reason for which sequentially consistent executions are not enough, once it is known.
    inexact: Option<Reason>,
    /// The reads-from classes of the executions, if they are counted.
    classes: Option<Classes>,
    /// The bound on the turns of loops.
    pub loop_bound: LoopBound,
    /// See [`Dpor::ends_at_bounds`].
    ends_at_bounds: bool,
}

/// The parts of a search that differ between the searches of one run.
pub(super) struct Start {
    pub learned: Learned,
    pub loop_bound: LoopBound,
    /// True if threads are numbered by who creates them.
    pub by_creator: bool,
    /// The reason for which executions under the model are explored, and not only the sequentially consistent
    /// ones, watched by the monitor.
    pub not_sequential: Option<Reason>,
    pub findings: Findings,
    pub cycles: Option<Cycles>,
}

impl<'p> Search<'p> {
    pub fn new(program: &'p Program, config: Config, budget: Budget<'p>, start: Start, engine: Dpor) -> Self {
        let Start { learned, loop_bound, by_creator, not_sequential, findings, cycles } = start;
        let caches = CacheBudget::within(budget.limits, 1);
        let stepper =
            Stepper::new(program, config, caches, loop_bound.bound(), by_creator.then(ThreadNumbers::default));
        let mut stepper = stepper.sequential(not_sequential.is_none());
        let mut exploration = Exploration::new(config.model(), engine.source);
        exploration.enter(stepper.intern_scratch(None, 0), Vec::new(), 0);
        let meter = EventMeter::new(budget.limits.count_lines);
        let results = Results::new(findings);
        let classes = engine.classes.then(Classes::default);
        let ends_at_bounds = engine.ends_at_bounds;
        Self {
            exploration,
            stepper,
            learned,
            budget,
            meter,
            results,
            cycles,
            not_sequential,
            inexact: None,
            classes,
            loop_bound,
            ends_at_bounds,
        }
    }

    /// Explores all executions, unless there is a reason to end before.
    pub fn explore(&mut self, progress: &Progress) -> Result<End, EngineError> {
        while !self.exploration.stack.is_empty() {
            if let Some(end) = self.early_end() {
                return Ok(end);
            }
            let node = self.exploration.stack.last_mut();
            if let Some((planned, answers, tree)) = Branch::begin(&mut node.tree) {
                self.take_planned(&planned, &answers, tree)?;
            } else if node.taken {
                self.leave();
            } else {
                self.take_any()?;
                self.check_limits(progress);
            }
        }
        if self.budget.limits.is_exceeded_by(self.results.statistics.events) {
            self.results.stopped = self.results.stopped.or(Some(Unknown::StateLimit));
        }
        Ok(End::Done)
    }

    /// The reason to end before everything was explored, if there is one.
    #[inline]
    fn early_end(&self) -> Option<End> {
        let (execution, machine) = (&self.exploration.prefix.execution, &self.stepper.machine);
        if self.results.stopped.is_some() || self.stepper.is_halted() || self.results.findings.is_enough() {
            Some(End::Done)
        } else if let Some(reason) = self.inexact {
            Some(End::Inexact(reason))
        } else if self.learned.must_restart || !execution.raced_copies().is_empty() {
            Some(End::StartOver)
        } else if machine.numbers_ran_out() {
            Some(End::NumbersRanOut)
        } else if machine.tally.bound_was_hit.is_some() && may_raise_bound(machine.config()) {
            Some(End::Full)
        } else {
            let is_too_long = self.loop_bound.is_exceeded_by(execution.len());
            (is_too_long || self.ends_at_bounds && execution.len() > FEW_EVENTS).then_some(End::TooLong)
        }
    }

    /// Leaves a state from which everything was explored.
    fn leave(&mut self) {
        self.exploration.leave();
        self.stepper.leave_state();
    }

    /// Takes any step or update that is not asleep. If there is none, the execution is complete.
    fn take_any(&mut self) -> Result<(), EngineError> {
        self.exploration.stack.last_mut().taken = true;
        let (mut asleep, mut is_cut, mut exits) = (false, false, false);
        let mut waiting = Vec::new();
        let mut tried = None;
        while let Some(action) = self.stepper.action_after(self.exploration.prefix.last(), tried) {
            if tried.is_none() && !action.is_update() && self.ends_in_join_suffix(action.thread) {
                return Ok(());
            }
            tried = Some(action);
            if self.exploration.stack.is_asleep(action) {
                asleep = true;
                continue;
            }
            match self.attempt(Request { action, answers: &Answers::All, is_planned: false })? {
                Attempt::Taken(event, reached) => return self.go_on(event, reached, &Answers::All, Vec::new()),
                Attempt::Ended(event, ending) => return self.end(event, &ending, &Answers::All),
                // The step waits for updates of its own thread, which are asleep.
                Attempt::Waits(_, Wait::Blocked) if self.has_pending(action.thread) => {}
                Attempt::Waits(_, Wait::Exit) => exits = true,
                Attempt::Waits(event, _) => waiting.push(event),
                Attempt::Cut => is_cut = true,
            }
        }
        if asleep {
            self.results.statistics.sleep_blocked_executions += 1;
        } else {
            self.complete(is_cut, exits);
        }
        self.reverse_races(waiting);
        Ok(())
    }

    /// Takes a planned event. `tree` is the part of the wakeup tree after it.
    fn take_planned(&mut self, planned: &Event, answers: &Answers, tree: Vec<Branch>) -> Result<(), EngineError> {
        let node = self.exploration.stack.last_mut();
        node.taken = true;
        let is_rest = matches!(answers, Answers::From(_));
        let request = Request { action: planned.action, answers, is_planned: !is_rest };
        self.meter.choices.schedule += u64::from(node.finished > 0 && !is_rest);
        let is_last = tree.is_empty();
        if *answers == Answers::Exactly {
            self.stepper.machine.choices.prescribe(planned.answers());
        }
        let depth = self.exploration.stack.len();
        match self.attempt(request)? {
            Attempt::Taken(event, reached) => {
                self.check_planned(planned, &event, answers, is_last);
                self.go_on(event, reached, answers, tree)?;
            }
            Attempt::Ended(event, ending) => {
                self.check_planned(planned, &event, answers, is_last);
                self.end(event, &ending, answers)?;
            }
            // It was not known that this instruction may wait. The search starts over.
            Attempt::Waits(..) | Attempt::Cut => {
                let is_expected = self.learned.must_restart || is_rest || self.stepper.is_halted();
                assert!(is_expected, "an event of a wakeup tree can happen");
                return Ok(());
            }
        }
        // At the end of a planned sequence nothing is asleep, because its last event conflicts with every
        // event that was explored before it. If that event has another effect here than planned, events may
        // be asleep. But sequences were left out that begin like this one and need not begin with a sleeping
        // event. So everything is explored from here.
        if is_last && !self.exploration.is_source {
            self.exploration.stack.wake_all(depth);
        }
        Ok(())
    }

    /// Compares an event with the planned one. `is_last` is true if it ends a planned sequence.
    fn check_planned(&mut self, planned: &Event, event: &Rc<Event>, answers: &Answers, is_last: bool) {
        let is_same = *answers != Answers::Exactly || event.place() == planned.place();
        assert!(is_same, "a step that was planned is the step that is taken");
        if is_last && *answers == Answers::All {
            note_prediction(&self.exploration.prefix.execution, planned, event, &mut self.learned);
        }
    }

    /// Tries to take a step or an update from the last state, and records findings to report.
    #[inline]
    pub fn attempt(&mut self, request: Request<'_>) -> Result<Attempt, EngineError> {
        let prefix = &self.exploration.prefix;
        let attempt = self.stepper.attempt(prefix, request, &mut self.learned)?;
        self.results.note_attempt(&mut self.stepper, prefix, request.action.thread, &attempt);
        let is_cut_short = matches!(attempt, Attempt::Ended(..)) && self.stepper.is_halted();
        Ok(if is_cut_short { Attempt::Cut } else { attempt })
    }

    /// Continues after an event, in the state `reached` or the scratch state.
    fn go_on(
        &mut self,
        event: Rc<Event>,
        reached: Option<StateId>,
        answers: &Answers,
        tree: Vec<Branch>,
    ) -> Result<(), EngineError> {
        let from = self.exploration.prefix.last();
        let state = reached.unwrap_or_else(|| self.stepper.intern_scratch(Some(from), event.action.thread));
        let event = self.append(event, answers);
        if event.in_section() {
            // The thread may wait in the section. Then the others do nothing with which it could race. Trying
            // them forgets the step's choices, so the event was appended before.
            let event = self.exploration.pop();
            self.plan_alternatives(&event)?;
            self.stepper.leave_state();
            self.exploration.prefix.execution.push(event);
        }
        self.exploration.enter(state, tree, self.results.explored());
        let depth = self.exploration.prefix.execution.len() as u64;
        self.results.statistics.max_depth = self.results.statistics.max_depth.max(depth);
        Ok(())
    }

    /// Ends the execution with an event after which nothing can follow, and plans the other events that are
    /// enabled before it.
    fn end(&mut self, event: Rc<Event>, ending: &Ending, answers: &Answers) -> Result<(), EngineError> {
        let event = self.append(event, answers);
        if matches!(ending, Ending::Pruned) {
            self.results.statistics.blocked_executions += 1;
            self.results.statistics.assumption_blocked_executions += 1;
        } else {
            self.results.statistics.executions += 1;
            self.check_robustness();
            self.count_class();
        }
        self.reverse_races(Vec::new());
        self.exploration.pop();
        self.stepper.leave_state();
        self.plan_alternatives(&event)?;
        self.stepper.leave_state();
        self.exploration.stack.put_to_sleep(event);
        Ok(())
    }

    /// Appends an event to the execution. The other answers to its questions become branches.
    fn append(&mut self, event: Rc<Event>, answers: &Answers) -> Rc<Event> {
        let is_exact = *answers == Answers::Exactly;
        let event = event.with_choices(is_exact);
        let choices = &mut self.stepper.machine.choices;
        let has_more_answers = !is_exact && choices.advance();
        self.meter.count(&event);
        self.results.statistics.events += 1;
        let execution = &mut self.exploration.prefix.execution;
        execution.push(event);
        let event = Rc::clone(execution.event(execution.len() - 1));
        if has_more_answers {
            let rest = Answers::From(choices.prescribed_answers().to_vec());
            let branch = Branch::new(Rc::clone(&event), rest);
            self.exploration.stack.last_mut().tree.insert(0, branch);
            self.results.statistics.flush_choices += 1;
            self.meter.choices.count(choices.advanced());
        }
        event
    }

    /// Counts and reports an execution at whose end no step can be taken.
    fn complete(&mut self, is_cut: bool, exits: bool) {
        let prefix = &self.exploration.prefix;
        // A thread that waits for a value that comes is on the way to another execution.
        if self.results.complete(&mut self.stepper, prefix, is_cut, exits) != Completed::Passes {
            self.count_class();
        }
        if self.cycles.is_some() {
            self.stepper.load_last(&self.exploration.prefix);
            self.check_robustness();
        }
    }

    /// Counts the reads-from class of the execution, if that is asked for.
    fn count_class(&mut self) {
        if let Some(classes) = &mut self.classes {
            classes.add(&self.exploration.prefix.execution);
            self.results.statistics.reads_from_classes = Some(classes.count());
        }
    }

    /// With `--robustness`, checks the execution, which ends here. The machine is in its last state.
    fn check_robustness(&mut self) {
        let Some(cycles) = &mut self.cycles else { return };
        let (prefix, findings) = (&self.exploration.prefix, &mut self.results.findings);
        if self.stepper.is_sequential() {
            self.inexact = watch(cycles, &self.stepper, prefix, findings).err();
        } else {
            check_robustness(cycles, &mut self.stepper, prefix, findings);
        }
    }

    /// Ends the execution by a join suffix, if there is one and its steps need not be events. `thread` is the
    /// thread whose step would be tried first. Returns true if the execution ended.
    fn ends_in_join_suffix(&mut self, thread: usize) -> bool {
        if self.cycles.is_some() || self.classes.is_some() || !self.exploration.stack.last_sleep_set().is_empty() {
            return false;
        }
        let prefix = &self.exploration.prefix;
        let suffix = JoinSuffix::of_last_state(&mut self.stepper, prefix, &mut self.results, thread);
        let defers_exits = self.stepper.machine.defers_exits();
        let suffix = suffix.filter(|suffix| suffix.is_ordered_after(&prefix.execution, defers_exits));
        let Some(suffix) = suffix else { return false };
        self.count_suffix(&suffix);
        self.reverse_races(Vec::new());
        self.exploration.stack.last_mut().finished += 1;
        true
    }

    fn count_suffix(&mut self, suffix: &JoinSuffix) {
        let (events, statistics) = (suffix.events(), &mut self.results.statistics);
        // As for other executions, the end of the process leads to no further state.
        let depth = (self.exploration.prefix.execution.len() + events.len() - 1) as u64;
        statistics.max_depth = statistics.max_depth.max(depth);
        statistics.events += events.len() as u64;
        statistics.executions += 1;
        events.for_each(|event| self.meter.count(event));
    }

    /// Plans the reversal of every race of the execution. `waiting` are steps that could not be taken at its
    /// end.
    pub fn reverse_races(&mut self, waiting: Vec<Rc<Event>>) {
        if explain::is_on() {
            explain::execution(&self.exploration, &self.stepper, waiting.len());
        }
        let statistics = &mut self.results.statistics;
        self.exploration.reverse_races(&mut self.stepper, &mut self.learned, statistics, waiting);
    }

    /// True if a thread has delayed stores in the last state.
    pub fn has_pending(&self, thread: usize) -> bool {
        self.stepper.has_pending(self.exploration.prefix.last(), thread)
    }

    /// Stops when a limit is reached, and frees memory.
    fn check_limits(&mut self, progress: &Progress) {
        let ids = self.stepper.vector(self.exploration.prefix.last()).len();
        if !self.budget.is_check_due(self.results.statistics.events, ids) {
            return;
        }
        if self.stepper.trim_caches(&mut self.exploration.prefix) {
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
        let Exploration { prefix, stack, .. } = &self.exploration;
        measures::sample(&self.stepper, prefix, &self.results, &self.budget, stack.branchings())
    }
}
