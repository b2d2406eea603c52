//! A counterexample, and a step of the schedule that leads to it.

use crate::outcome::cycle::Cycle;
use crate::outcome::event::{RelatedPlace, TraceEvent};
use crate::outcome::{Fault, Place, ScheduleStep};
use crate::system::{ChoiceSequence, Machine, StepReport};

/// A violation with everything a report shows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What went wrong, in the words known now that names are recorded.
    pub fault: Fault,
    /// The thread at fault; of a deadlock, the first of those that wait.
    pub thread: usize,
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
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

/// Runs a step of a schedule. The report of an update is empty.
///
/// # Errors
/// [`Mismatch`] with its number: it cannot be taken.
pub(crate) fn run_step(machine: &mut Machine<'_>, step: &ScheduleStep, number: usize) -> Result<StepReport, Mismatch> {
    let mismatch = Mismatch { step: number };
    if !machine.schedulable_threads().any(|thread| thread == step.thread) {
        return Err(mismatch);
    }
    if let Some(recorder) = &mut machine.observers.recorder {
        recorder.step = number;
    }
    if let Some(store) = step.update {
        machine.observe_update(step.thread, store).ok_or(mismatch)?;
        return Ok(StepReport::default());
    }
    machine.script = ChoiceSequence::prescribed(&step.choices);
    machine.prescribe_numbers(&step.creates);
    let report = machine.step(step.thread);
    if machine.script.is_consistent() { Ok(report) } else { Err(mismatch) }
}
