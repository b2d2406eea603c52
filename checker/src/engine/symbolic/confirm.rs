//! A model of the formula, run on the machine.
//!
//! The model says which events happen in which order, when delayed stores reach memory, and the values of the
//! inputs. The machine takes these steps, one operation each, and what happens to it is the answer: no
//! violation is reported that the machine does not have.

use std::ops::Range;

use rmc_formula::{Session, TermId};

use super::rounds_at_barriers::RoundsAtBarriers;
use super::schedule::Action;
use super::unroll::{Claim, LogEntry, Logged, Place, Unrolled};
use crate::engine::counterexample::run_step;
use crate::engine::deadlock::deadlock;
use crate::ir::Program;
use crate::ir::instr::Instr;
use crate::outcome::{Fault, ScheduleStep, Violation};
use crate::store::Id;
use crate::system::{Config, Machine, ProgressCheck, StepEnd};

/// The most steps between two operations that the unrolling knows.
const MOST_STEPS: usize = 1 << 20;

/// The result of a run.
pub enum Confirmed {
    /// The machine has a fault there.
    Fault(Violation),
    /// It has none. The text says where the runs part.
    Nothing(String),
    /// The step that begins at a place meets something that has no model.
    Refused { what: String, place: Place },
}

/// Values of a model.
pub struct Model<'a> {
    /// The unrolled program.
    pub unrolled: &'a Unrolled,
    /// The solver that has the model.
    pub session: &'a Session,
}

impl Model<'_> {
    /// The value of a term.
    #[must_use]
    pub fn value(&self, term: TermId) -> u128 {
        self.session.value(&self.unrolled.formulas.terms, term)
    }
}

/// A run of the machine along a model.
struct Run<'a, 'p> {
    machine: Machine<'p>,
    vector: Vec<Id>,
    schedule: Vec<ScheduleStep>,
    model: Model<'a>,
    /// True if the events stand for steps of the machine that are not known one by one: then a thread that
    /// waits for its buffer gets it emptied.
    is_lenient: bool,
    rounds: RoundsAtBarriers,
    /// For each thread the number of log entries behind it.
    behind: Vec<usize>,
    /// For each thread and event the numbers of the machine's stores that are buffered. The stores of a copy
    /// are those of each of its events.
    stores: Vec<Vec<Range<u32>>>,
}

/// The reasons for which a run ends.
enum End {
    Fault(Fault),
    Apart(String),
    Refused { what: String, place: Place },
}

/// Runs the actions of a model that lead to a claim, and then the claim's thread until something happens to
/// it.
pub fn confirm(program: &Program, config: Config, model: Model<'_>, actions: &[Action], claim: &Claim) -> Confirmed {
    let mut run = Run::new(program, config, model, claim.is_doubtful);
    let mut end = run.follow(leading_to(claim, actions)).and_then(|()| run.finish(claim.thread));
    if claim.waits && !matches!(end, Err(End::Fault(_))) {
        end = run.wait_for_ever();
    }
    run.confirmed(end)
}

/// Runs all actions of a model, and then each of some threads to its event, at which they wait for ever.
pub fn confirm_deadlock(
    program: &Program,
    config: Config,
    model: Model<'_>,
    actions: &[Action],
    waiting: &[(usize, usize)],
) -> Confirmed {
    let is_coarse = model.unrolled.is_coarse;
    let mut run = Run::new(program, config, model, is_coarse);
    let end = run.follow(actions).and_then(|()| {
        waiting.iter().try_for_each(|&(thread, event)| run.come_to_event(thread, event))?;
        run.wait_for_ever()
    });
    run.confirmed(end)
}

/// The actions up to the last event of the claim's thread before the claim. Behind that, another thread may
/// be in an atomic section, in which the model leaves it and the machine runs nobody else.
fn leading_to<'a>(claim: &Claim, actions: &'a [Action]) -> &'a [Action] {
    let leads = |action: &Action| matches!(*action, Action::Step { thread, event } if thread == claim.thread && event < claim.after);
    &actions[..actions.iter().rposition(leads).map_or(0, |last| last + 1)]
}

impl<'a, 'p> Run<'a, 'p> {
    fn new(program: &'p Program, config: Config, model: Model<'a>, is_lenient: bool) -> Self {
        let mut machine = Machine::new(program, config);
        let mut vector = Vec::new();
        machine.pack(&mut vector);
        let threads = &model.unrolled.threads;
        let stores = threads.iter().map(|thread| vec![0..0; thread.events.len()]).collect();
        let (behind, rounds) = (vec![0; threads.len()], RoundsAtBarriers::default());
        Self { machine, vector, schedule: Vec::new(), model, is_lenient, rounds, behind, stores }
    }

    fn confirmed(self, end: Result<(), End>) -> Confirmed {
        match end {
            Err(End::Fault(fault)) => Confirmed::Fault(Violation { fault, schedule: self.schedule, preemptions: None }),
            Err(End::Apart(why)) => Confirmed::Nothing(why),
            Err(End::Refused { what, place }) => Confirmed::Refused { what, place },
            Ok(()) => Confirmed::Nothing("the thread goes on without a fault".to_owned()),
        }
    }

    fn follow(&mut self, actions: &[Action]) -> Result<(), End> {
        for action in actions {
            log::debug!("{action:?}");
            match *action {
                Action::Step { thread, event } => self.event(thread, event)?,
                Action::Update { thread, event } => self.update(thread, event)?,
            }
        }
        Ok(())
    }

    /// The next operation of a thread, if its path has one that is logged.
    fn next(&mut self, thread: usize) -> Option<LogEntry> {
        let log = &self.model.unrolled.threads[thread].log;
        while let Some(entry) = log.get(self.behind[thread]) {
            if self.model.value(entry.guard) == 1 {
                return Some(entry.clone());
            }
            self.behind[thread] += 1;
        }
        None
    }

    /// Runs a thread through one of its events.
    fn event(&mut self, thread: usize, event: usize) -> Result<(), End> {
        if !self.model.unrolled.threads[thread].log.iter().any(|entry| entry.is_of(event)) {
            return Ok(());
        }
        while let Some(entry) = self.next(thread) {
            self.perform(thread, &entry)?;
            if entry.is_of(event) {
                return Ok(());
            }
        }
        Err(End::Apart(format!("thread {thread} does not come to its event {event}")))
    }

    /// Runs a thread through an operation.
    fn perform(&mut self, thread: usize, entry: &LogEntry) -> Result<(), End> {
        if matches!(entry.what, Logged::Departure { reads: true, .. }) && self.rounds.has_left(thread) {
            self.behind[thread] += 1;
            return Ok(());
        }
        self.come_to(thread, entry.place)?;
        self.behind[thread] += 1;
        let before = self.machine.pushed(thread);
        let plain = ScheduleStep::of(thread, Vec::new());
        let step = match entry.what {
            Logged::Silent | Logged::Event(_) | Logged::Departure { .. } => plain,
            Logged::Arrival { barrier, is_last, reads, .. } => {
                let (barrier, is_last) = (self.model.value(barrier) as u64, self.model.value(is_last) == 1);
                self.step(plain)?;
                for (other, answers) in self.rounds.arrive(barrier, thread, reads, is_last) {
                    self.step(ScheduleStep::of(other, answers))?;
                }
                return Ok(());
            }
            Logged::Copy { ref events } => {
                self.pass(thread, entry.place)?;
                let stores = before..self.machine.pushed(thread);
                self.stores[thread][events.clone()].fill(stores);
                return Ok(());
            }
            Logged::Wakeup { thread: woken, condition, .. } => {
                let (woken, at) = (self.model.value(woken) as usize, self.model.value(condition) as u64);
                let woken = self.machine.position_among_parked(woken, at).map(|at| at as u32);
                ScheduleStep::of(thread, woken.into_iter().collect())
            }
            Logged::Creation { thread: created, .. } => ScheduleStep { creates: vec![created], ..plain },
            Logged::Input { value } => ScheduleStep { inputs: vec![self.model.value(value) as u64], ..plain },
            Logged::Choice { value } => ScheduleStep::of(thread, vec![self.model.value(value) as u32]),
        };
        self.step(step)?;
        if let Logged::Event(event) = entry.what {
            self.stores[thread][event] = before..self.machine.pushed(thread);
        }
        Ok(())
    }

    /// Runs a thread until its next operation is at a place.
    fn come_to(&mut self, thread: usize, place: Place) -> Result<(), End> {
        for _ in 0..MOST_STEPS {
            self.machine.unpack(&self.vector);
            if !self.machine.schedulable_threads().any(|other| other == thread) {
                return Err(End::Apart(format!("thread {thread} cannot go on")));
            }
            let at = self.machine.position(thread);
            if at == place {
                return Ok(());
            }
            // A step that ended where memory died did not compute up to the next operation.
            let operations = is_computation(&self.machine, at).then_some(0);
            self.step(ScheduleStep { operations, ..ScheduleStep::of(thread, Vec::new()) })?;
        }
        Err(End::Apart(format!("thread {thread} does not come to an operation")))
    }

    /// Runs a thread until its next operation is not at a place.
    fn pass(&mut self, thread: usize, place: Place) -> Result<(), End> {
        for _ in 0..MOST_STEPS {
            self.step(ScheduleStep::of(thread, Vec::new()))?;
            self.machine.unpack(&self.vector);
            if self.machine.position(thread) != place {
                return Ok(());
            }
        }
        Err(End::Apart(format!("thread {thread} does not come to the end of a copy")))
    }

    fn update(&mut self, thread: usize, event: usize) -> Result<(), End> {
        // A store that the machine writes at once is in memory already, and a copy arrives as a whole.
        let stores = std::mem::take(&mut self.stores[thread][event]);
        self.stores[thread].iter_mut().filter(|others| **others == stores).for_each(|others| *others = 0..0);
        for number in stores {
            self.step(ScheduleStep { update: Some(number), ..ScheduleStep::of(thread, Vec::new()) })?;
        }
        Ok(())
    }

    /// Runs the thread of the claim on until it has a fault.
    fn finish(&mut self, thread: usize) -> Result<(), End> {
        while let Some(entry) = self.next(thread) {
            self.perform(thread, &entry)?;
        }
        for _ in 0..MOST_STEPS {
            self.step(ScheduleStep::of(thread, Vec::new()))?;
        }
        Ok(())
    }

    /// Runs a thread to one of its events, which it does not take.
    fn come_to_event(&mut self, thread: usize, event: usize) -> Result<(), End> {
        let log = &self.model.unrolled.threads[thread].log;
        let Some(at) = log.iter().position(|entry| entry.is_of(event)) else {
            return Err(End::Apart(format!("event {event} of thread {thread} is no operation")));
        };
        let place = log[at].place;
        while let Some(entry) = self.next(thread)
            && self.behind[thread] < at
        {
            self.perform(thread, &entry)?;
        }
        self.come_to(thread, place)
    }

    /// Asks whether no thread can go on.
    fn wait_for_ever(&mut self) -> Result<(), End> {
        self.machine.give_inputs(&[], None);
        if self.machine.check_progress(&self.vector, MOST_STEPS) == ProgressCheck::Deadlock {
            self.machine.unpack(&self.vector);
            return Err(End::Fault(deadlock(&mut self.machine)));
        }
        // A thread that waits for itself has another fault.
        self.machine.unpack(&self.vector);
        let threads: Vec<_> = self.machine.schedulable_threads().collect();
        for thread in threads {
            if let Err(End::Fault(fault)) = self.step(ScheduleStep::of(thread, Vec::new())) {
                return Err(End::Fault(fault));
            }
        }
        Err(End::Apart("some thread goes on".to_owned()))
    }

    fn step(&mut self, step: ScheduleStep) -> Result<(), End> {
        let thread = step.thread;
        match self.attempt(step) {
            Some(StepEnd::Done) => Ok(()),
            Some(StepEnd::Fault(fault)) => Err(End::Fault(fault)),
            Some(StepEnd::Unsupported(what)) => {
                self.machine.unpack(&self.vector);
                Err(End::Refused { what, place: self.machine.position(thread) })
            }
            Some(StepEnd::Blocked) if self.is_lenient && self.machine.ready(thread).next().is_some() => {
                let step = self.schedule.pop().expect("the step");
                let ready = self.machine.ready(thread).map(|store| store.number).collect::<Vec<_>>();
                for number in ready {
                    let update = ScheduleStep { update: Some(number), ..ScheduleStep::of(thread, Vec::new()) };
                    self.attempt(update);
                }
                self.step(step)
            }
            end => {
                self.schedule.pop();
                Err(End::Apart(format!("thread {thread}: {end:?}")))
            }
        }
    }

    /// Takes a step, and adds it to the schedule. The result is `None` if the step cannot be taken.
    fn attempt(&mut self, step: ScheduleStep) -> Option<StepEnd> {
        self.machine.unpack(&self.vector);
        let report = run_step(&mut self.machine, &step, 0);
        log::debug!("{step:?}: {:?}", report.as_ref().map(|report| &report.end));
        self.schedule.push(step);
        let end = report.ok().map(|report| report.end);
        if end == Some(StepEnd::Done) {
            self.machine.pack(&mut self.vector);
        }
        end
    }
}

/// True if an instruction only computes, or transfers control within the thread.
fn is_computation(machine: &Machine<'_>, (function, pc): Place) -> bool {
    use Instr::{Assume, Branch, Call, CallIndirect, Cast, Compare, Int, Jump, Move, Near, Offset, Overflow, Range};
    use Instr::{Float, FloatCompare, FloatMulAdd, Select, Switch, Unary, Wide};
    matches!(
        machine.program().function(function).code[pc.index()],
        Move { .. }
            | Int { .. }
            | Unary { .. }
            | Overflow { .. }
            | Compare { .. }
            | Cast { .. }
            | Float { .. }
            | FloatMulAdd { .. }
            | FloatCompare { .. }
            | Select { .. }
            | Offset { .. }
            | Near { .. }
            | Range { .. }
            | Assume { .. }
            | Wide { .. }
            | Jump { .. }
            | Branch { .. }
            | Switch { .. }
            | Call { .. }
            | CallIndirect { .. }
    )
}
