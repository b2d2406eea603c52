//! Runs one schedule again and records what happens: the events of a counterexample.

use rmc_runtime::StoreTag;

use crate::dpor::robustness;
use crate::halt::Halt;
use crate::ir::Program;
use crate::outcome::cycle::Cycle;
use crate::outcome::{Execution, Fault, Place, ScheduleStep, Violation, ViolationKind};
use crate::property::Meaning;
use crate::system::history::RelatedPlace;
use crate::system::observe::Event;
use crate::system::{Config, Machine, Prospect, Script, StepEnd};

/// A violation with everything a report shows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What went wrong, in the words known now that names are recorded.
    pub fault: Fault,
    /// The thread at fault; of a deadlock, the first of those that wait.
    pub thread: usize,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The frames of that thread, innermost first: function and `file:line`.
    pub stack: Vec<(String, String)>,
    /// Where it went wrong.
    pub place: Place,
    /// The other places that matter, nearest first.
    pub related: Vec<RelatedPlace>,
    /// What the program printed.
    pub output: String,
    /// Why the execution is not sequentially consistent, if that is what is wrong with it.
    pub cycle: Option<Cycle>,
}

/// Why a schedule does not lead to its violation: it belongs to another program or other options.
#[derive(Debug, thiserror::Error)]
#[error(
    "step {step} of the schedule cannot be taken, or ends otherwise: it was recorded for another program or with other options"
)]
pub struct Mismatch {
    /// The step, from 1; 0 is the program's start.
    pub step: usize,
}

/// States that the round of a waiting loop in a deadlock may have.
const LONGEST_WAIT: usize = 1 << 20;

/// Runs a violation's schedule.
///
/// # Errors
/// [`Mismatch`].
pub fn replay(program: &Program, config: Config, violation: &Violation) -> Result<Counterexample, Mismatch> {
    if violation.fault.kind == ViolationKind::NotRobust {
        return robustness::replay(program, config, violation);
    }
    let mut machine = Machine::new(program, config);
    machine.record();
    let (mut vector, mut tags): (_, Vec<StoreTag>) = (Vec::new(), Vec::new());
    machine.pack(&mut vector);
    for (at, step) in violation.schedule.iter().enumerate() {
        machine.unpack(&vector);
        machine.set_tags(&tags);
        let end = run_step(&mut machine, step, at + 1)?;
        match end {
            StepEnd::Done => {
                tags = machine.buffers().tags();
                machine.pack(&mut vector);
            }
            StepEnd::Fault(fault) if at + 1 == violation.schedule.len() && fault.kind == violation.fault.kind => {
                let related = machine.related(&fault);
                return Ok(counterexample(&mut machine, fault, step.thread, related));
            }
            _ => return Err(Mismatch { step: at + 1 }),
        }
    }
    let kind = violation.fault.kind;
    let is_deadlock = kind == ViolationKind::Deadlock && machine.prospect(&vector, LONGEST_WAIT) == Prospect::Stuck;
    machine.unpack(&vector);
    machine.set_tags(&tags);
    // A store that reached memory goes wrong in no step.
    if let Some((step, fault)) =
        violation.schedule.last().zip(machine.lost_memory()).filter(|_| kind == ViolationKind::MemoryLeak)
    {
        let related = machine.related(&fault);
        return Ok(counterexample(&mut machine, fault, step.thread, related));
    }
    let first = machine.live_threads().next();
    match first {
        Some(thread) if is_deadlock => {
            let fault = deadlock(&mut machine);
            let related = machine.waits();
            Ok(counterexample(&mut machine, fault, thread, related))
        }
        _ => Err(Mismatch { step: violation.schedule.len() }),
    }
}

/// Runs a step of a schedule.
///
/// # Errors
/// [`Mismatch`] with its number: it cannot be taken.
pub(crate) fn run_step(machine: &mut Machine<'_>, step: &ScheduleStep, number: usize) -> Result<StepEnd, Mismatch> {
    let mismatch = Mismatch { step: number };
    if !machine.schedulable_threads().any(|thread| thread == step.thread) {
        return Err(mismatch);
    }
    if let Some(recorder) = &mut machine.recorder {
        recorder.step = number;
    }
    if let Some(store) = step.update {
        machine.observe_update(step.thread, store).ok_or(mismatch)?;
        return Ok(StepEnd::Done);
    }
    machine.script = Script::prescribed(&step.choices);
    machine.prescribe_numbers(&step.creates);
    let end = machine.step(step.thread);
    if machine.script.is_consistent() { Ok(end) } else { Err(mismatch) }
}

fn counterexample(
    machine: &mut Machine<'_>,
    fault: Fault,
    thread: usize,
    related: Vec<RelatedPlace>,
) -> Counterexample {
    let program = machine.program();
    let frames = machine.backtrace(thread);
    let stack = frames.iter().map(|&(function, pc)| {
        let name = program.function(function).shown_name();
        (name, program.place(program.location(function, pc)))
    });
    let place = program.first_place(&frames);
    let stack = stack.collect();
    let (output, events) = (machine.recorded_output(), machine.recorded());
    Counterexample { fault, thread, events, stack, place, related, output, cycle: None }
}

/// Runs a program that has only one execution, which visits at most `states` states and does nothing wrong.
/// `None` if it does not end, or not by itself, or not before the end of the run is asked for.
///
/// # Panics
/// If the program does something wrong.
#[must_use]
pub fn only_execution(program: &Program, config: Config, states: usize, halt: &Halt) -> Option<Execution> {
    let mut machine = Machine::new(program, Config { final_states: false, ..config });
    machine.record_output();
    let mut vector = Vec::new();
    for _ in 0..states {
        if halt.reason().is_some() {
            return None;
        }
        machine.pack(&mut vector);
        machine.unpack(&vector);
        let threads: Vec<_> = machine.schedulable_threads().collect();
        let mut ends = threads.into_iter().map(|thread| {
            machine.unpack(&vector);
            machine.script.clear();
            machine.step(thread)
        });
        match ends.find(|end| *end != StepEnd::Blocked)? {
            StepEnd::Done => {}
            StepEnd::Exit(exit) => return Some(Execution { exit, output: machine.recorded_output() }),
            // It is none of the program's, or `abort` or the like ended it, which is no violation of the property.
            StepEnd::Pruned => return None,
            StepEnd::Fault(fault) if config.property.meaning(fault.kind) == Meaning::Ends => return None,
            other => panic!("the only execution ends with {other:?}"),
        }
    }
    None
}

/// The deadlock of a state in which no thread can take a step: what each live thread waits for.
#[must_use]
pub fn deadlock(machine: &mut Machine<'_>) -> Fault {
    let program = machine.program();
    let threads: Vec<_> = machine.live_threads().collect();
    let waits = threads.into_iter().map(|thread| {
        let (what, frames) = machine.wait_of(thread);
        format!("thread {thread} waits in {what} ({})", program.place(program.innermost_location(&frames)))
    });
    Fault::new(ViolationKind::Deadlock, waits.collect::<Vec<_>>().join("; "))
}
