//! Runs one schedule again and records the events of a counterexample.

use rmc_runtime::StoreTag;

use super::counterexample::{Counterexample, Mismatch, run_step};
use super::deadlock::deadlock;
use super::inputs::{self, WithValues};
use crate::engine::stateless::robustness;
use crate::halt::Halt;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::event::RelatedPlace;
use crate::outcome::{ExecutionEnd, Fault, Violation, ViolationKind};
use crate::property::Meaning;
use crate::system::{Config, Machine, ProgressCheck, StepEnd};

/// The maximal number of states of a round of a waiting loop in a deadlock.
const MOST_AWAIT_STATES: usize = 1 << 20;

/// Runs a violation's schedule. Inputs have values in it: those that its steps have, or, if they have none,
/// values with which they are taken.
///
/// # Errors
/// [`Mismatch`] if the schedule cannot be run or has no such violation.
pub fn replay(program: &Program, config: Config, violation: &Violation) -> Result<Counterexample, Mismatch> {
    if violation.fault.kind == ViolationKind::NotRobust {
        return robustness::replay(program, config, violation);
    }
    let WithValues { config, schedule } = inputs::with_values(program, config, violation)?;
    let mut machine = Machine::new(program, config);
    machine.record();
    let (mut vector, mut tags): (_, Vec<StoreTag>) = (Vec::new(), Vec::new());
    machine.pack(&mut vector);
    for (at, step) in schedule.iter().enumerate() {
        machine.unpack(&vector);
        machine.set_tags(&tags);
        let report = run_step(&mut machine, step, at + 1)?;
        match &report.end {
            StepEnd::Done => {
                tags = machine.buffers().tags();
                machine.pack(&mut vector);
            }
            StepEnd::Fault(fault) if at + 1 == schedule.len() && fault.kind == violation.fault.kind => {
                let (related, frames) = (machine.related(fault), machine.backtrace_after(step.thread, &report));
                return Ok(counterexample(&mut machine, fault.clone(), (step.thread, &frames), related));
            }
            _ => return Err(Mismatch { step: at + 1 }),
        }
    }
    let kind = violation.fault.kind;
    // The values of the inputs that the execution asked for are part of the state by now.
    machine.open_inputs();
    let is_deadlock = kind == ViolationKind::Deadlock
        && machine.check_progress(&vector, MOST_AWAIT_STATES) == ProgressCheck::Deadlock;
    if !(is_deadlock && machine.come_to_rest(&vector)) {
        machine.unpack(&vector);
        machine.set_tags(&tags);
    }
    // If a store that reached memory caused the leak, no step has the fault.
    if let Some((step, fault)) =
        schedule.last().zip(machine.lost_memory()).filter(|_| kind == ViolationKind::MemoryLeak)
    {
        let related = machine.related(&fault);
        let frames = machine.backtrace(step.thread);
        return Ok(counterexample(&mut machine, fault, (step.thread, &frames), related));
    }
    let first = machine.live_threads().next();
    match first {
        Some(thread) if is_deadlock => {
            let fault = deadlock(&mut machine);
            let related = machine.blocked_places();
            let frames = machine.backtrace(thread);
            Ok(counterexample(&mut machine, fault, (thread, &frames), related))
        }
        _ => Err(Mismatch { step: schedule.len() }),
    }
}

fn counterexample(
    machine: &mut Machine<'_>,
    fault: Fault,
    (thread, frames): (usize, &[(FuncId, Pc)]),
    related: Vec<RelatedPlace>,
) -> Counterexample {
    let program = machine.program();
    let stack = frames.iter().map(|&(function, pc)| {
        let name = program.function(function).shown_name();
        (name, program.place(program.location(function, pc)))
    });
    let place = program.first_place(frames);
    let stack = stack.collect();
    let (output, events) = (machine.recorded_output(), machine.recorded());
    Counterexample { fault, thread, events, stack, place, related, output, cycle: None }
}

/// Runs a program that has only one execution, which visits at most `states` states and has no violation. The
/// result is `None` if the execution does not end, not by itself, or not before the end of the run is asked
/// for.
///
/// # Panics
/// If the program has a violation.
#[must_use]
pub fn only_execution(program: &Program, config: Config, states: usize, halt: &Halt) -> Option<ExecutionEnd> {
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
            machine.choices.clear();
            machine.step(thread).end
        });
        match ends.find(|end| *end != StepEnd::Blocked)? {
            StepEnd::Done => {}
            StepEnd::Exit(exit) => return Some(ExecutionEnd { exit, output: machine.recorded_output() }),
            // The execution is none of the program, or e.g. `abort` ended it, which is no violation of the
            // property.
            StepEnd::Pruned => return None,
            StepEnd::Fault(fault) if config.property.meaning(fault.kind) == Meaning::Ends => return None,
            other => panic!("the only execution ends with {other:?}"),
        }
    }
    None
}
