//! A counterexample, and a step of the schedule that leads to it.

use crate::outcome::cycle::Cycle;
use crate::outcome::event::{RelatedPlace, TraceEvent};
use crate::outcome::{Fault, Place, ScheduleStep};
use crate::system::{ChoiceSequence, Machine, StepReport};

/// A violation with everything a report shows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The fault, described with the names that are recorded during the replay.
    pub fault: Fault,
    /// The thread with the fault. For a deadlock it is the first waiting thread.
    pub thread: usize,
    /// The events, in order.
    pub events: Vec<TraceEvent>,
    /// The frames of that thread, innermost first: function and `file:line`.
    pub stack: Vec<(String, String)>,
    /// The place of the fault.
    pub place: Place,
    /// The related places, nearest first.
    pub related: Vec<RelatedPlace>,
    /// The output of the program.
    pub output: String,
    /// The cycle that shows that the execution is not sequentially consistent, if that is the fault.
    pub cycle: Option<Cycle>,
}

/// The error of a schedule that does not lead to its violation: it belongs to another program or other
/// options.
#[derive(Debug, thiserror::Error)]
#[error(
    "step {step} of the schedule cannot be taken, or ends otherwise: it was recorded for another program or with other options"
)]
pub struct Mismatch {
    /// The step, from 1; 0 is the program's start.
    pub step: usize,
}

/// Runs a step of a schedule. The report of an update is empty.
///
/// # Errors
/// [`Mismatch`] with the step's number if the step cannot be taken.
pub(crate) fn run_step(machine: &mut Machine<'_>, step: &ScheduleStep, number: usize) -> Result<StepReport, Mismatch> {
    let mismatch = Mismatch { step: number };
    if !machine.schedulable_threads().any(|thread| thread == step.thread) {
        return Err(mismatch);
    }
    machine.record_step(number);
    if let Some(store) = step.update {
        machine.observe_update(step.thread, store).ok_or(mismatch)?;
        return Ok(StepReport::default());
    }
    machine.choices = ChoiceSequence::prescribed(&step.choices);
    machine.prescribe_numbers(&step.creates);
    machine.give_inputs(&step.inputs, step.operations);
    let report = machine.step(step.thread);
    let is_asked = machine.choices.is_consistent() && machine.inputs_taken() == Some(step.inputs.len());
    if is_asked { Ok(report) } else { Err(mismatch) }
}
