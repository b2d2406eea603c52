//! The counts of the stateless engines beside their statistics.

use super::budget::Budget;
use super::estimate::{self, Branching};
use super::event::Event;
use super::prefix::Prefix;
use super::results::Results;
use super::stepper::Stepper;
use crate::engine::measures::{Lines, Timeline, table};
use crate::engine::sampling::StepSampler;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Choices, Measures, ProgressSample, Share, Worker};

/// The instruction for which updates count. It is none of the program.
const UPDATE: (FuncId, Pc) = (FuncId(0), Pc(0));

/// Counts of a search so far.
#[derive(Debug)]
pub struct EventMeter {
    /// Choices by their kind.
    pub choices: Choices,
    timeline: Timeline,
    /// Events by their line, if they are counted.
    lines: Option<Lines>,
    sampler: StepSampler,
}

impl EventMeter {
    /// No counts. With `count_lines` events are counted by their line, too.
    pub fn new(count_lines: bool) -> Self {
        Self {
            choices: Choices::default(),
            timeline: Timeline::default(),
            lines: count_lines.then(Lines::default),
            sampler: StepSampler::default(),
        }
    }

    /// Counts an event of an execution.
    #[inline]
    pub fn count(&mut self, event: &Event) {
        if let Some(lines) = &mut self.lines {
            lines.count(event.place().unwrap_or(UPDATE));
        }
        let weight = self.sampler.weight();
        if weight > 0 {
            self.sampler.count(event.place().unwrap_or(UPDATE), weight);
        }
    }

    /// Takes the sample of events by their instruction.
    pub fn take_sampler(&mut self) -> StepSampler {
        std::mem::take(&mut self.sampler)
    }

    /// Records a sample of the progress.
    pub fn notes(&mut self, sample: ProgressSample) {
        self.timeline.notes(sample);
    }

    /// Adds the counts of another worker. The timeline stays.
    pub fn add(&mut self, other: Self) {
        self.choices.add(other.choices);
        self.sampler.add(other.sampler);
        if let Some(lines) = other.lines {
            self.lines.get_or_insert_default().add(lines);
        }
    }

    /// The measures of a search that ended. `last` is the last sample of its progress.
    pub fn finish(self, stepper: &Stepper<'_>, prefix: &Prefix, results: &Results, last: ProgressSample) -> Measures {
        self.finish_with(work(stepper, prefix, results, last.seconds), stepper.machine.program(), last)
    }

    /// The measures of a search that ended, of which those of the work of its workers are known.
    pub fn finish_with(self, work: Measures, program: &Program, last: ProgressSample) -> Measures {
        Measures {
            samples: self.timeline.finish(last),
            choices: self.choices,
            lines: self.lines.map_or_else(Vec::new, |lines| lines.hottest(program)),
            ..work
        }
    }
}

/// The measures of the work of one worker, which took so many seconds.
pub fn work(stepper: &Stepper<'_>, prefix: &Prefix, results: &Results, seconds: f64) -> Measures {
    let worker =
        Worker { transitions: results.statistics.events, executions: results.explored(), seconds, ..Worker::default() };
    Measures {
        bytes: shares(stepper, prefix).map(share).to_vec(),
        tables: vec![table(&stepper.machine.components().measure())],
        workers: vec![worker],
        ..Measures::default()
    }
}

/// So many bytes for a purpose.
pub fn share((what, bytes): (&str, usize)) -> Share {
    Share { what: what.to_owned(), bytes: bytes as u64 }
}

/// A sample of the progress of a search. `branchings` are the branches of the states of the current
/// execution, last state first.
pub fn sample(
    stepper: &Stepper<'_>,
    prefix: &Prefix,
    results: &Results,
    budget: &Budget<'_>,
    branchings: impl Iterator<Item = Branching>,
) -> ProgressSample {
    ProgressSample {
        seconds: budget.started.elapsed().as_secs_f64(),
        executions: results.explored(),
        estimated_executions: estimate::executions(branchings, results.explored()),
        bytes: shares(stepper, prefix).iter().map(|(_, bytes)| *bytes as u64).sum(),
        ..ProgressSample::default()
    }
}

/// The bytes of memory, with their purpose.
fn shares(stepper: &Stepper<'_>, prefix: &Prefix) -> [(&'static str, usize); 4] {
    let [components, steps, states] = stepper.bytes();
    [components, steps, ("order of events", prefix.execution.bytes()), states]
}
