//! What the stateless engine counts beside its statistics.

use super::memo::Known;
use super::search::{Node, Search};
use crate::engine::measures::{Lines, Timeline, table};
use crate::engine::sampling::Sampler;
use crate::engine::stateless::estimate::{self, Way};
use crate::engine::stateless::event::Event;
use crate::outcome::measures::{Choices, Measures, Sample, Share, Worker};

/// Counts of an exploration so far.
#[derive(Debug)]
pub(super) struct Meter {
    pub choices: Choices,
    timeline: Timeline,
    /// Events by their line, if that is wanted.
    lines: Option<Lines>,
    sampler: Sampler,
}

impl Meter {
    pub fn new(count_lines: bool) -> Self {
        Self {
            choices: Choices::default(),
            timeline: Timeline::default(),
            lines: count_lines.then(Lines::default),
            sampler: Sampler::default(),
        }
    }

    /// An event is part of an execution.
    #[inline]
    pub fn counts(&mut self, event: &Event) {
        if let Some(lines) = &mut self.lines {
            lines.count(event.place);
        }
        let weight = self.sampler.weight();
        if weight > 0 {
            self.sampler.count(event.place, weight);
        }
    }

    /// Where the events were so far.
    pub fn take_sampler(&mut self) -> Sampler {
        std::mem::take(&mut self.sampler)
    }

    pub fn notes(&mut self, sample: Sample) {
        self.timeline.notes(sample);
    }
}

impl Search<'_> {
    /// Executions that were explored to an end, whichever it is.
    pub(super) fn explored(&self) -> u64 {
        let statistics = &self.statistics;
        statistics.executions + statistics.blocked_executions + statistics.sleep_blocked_executions
    }

    /// How far the exploration is.
    pub(super) fn sample(&self) -> Sample {
        let way = |node: &Node| Way { before: node.before, finished: node.finished, open: node.next.len() };
        let ways = self.nodes.iter().rev().map(way);
        Sample {
            seconds: self.started.elapsed().as_secs_f64(),
            executions: self.explored(),
            estimated_executions: estimate::executions(ways, self.explored()),
            bytes: self.shares().iter().map(|(_, bytes)| *bytes as u64).sum(),
            ..Sample::default()
        }
    }

    /// What memory is for, in bytes.
    fn shares(&self) -> [(&'static str, usize); 4] {
        [
            ("components", self.machine.bytes()),
            ("known steps", self.memo.bytes(size_of::<Known>() + size_of::<Event>())),
            ("order of events", self.execution.bytes()),
            ("states", self.states.bytes()),
        ]
    }

    /// Completes what was measured.
    pub(super) fn measures(&mut self) -> Measures {
        let last = self.sample();
        let Meter { choices, timeline, lines, .. } = std::mem::replace(&mut self.meter, Meter::new(false));
        let worker = Worker {
            transitions: self.statistics.events,
            executions: last.executions,
            seconds: last.seconds,
            ..Worker::default()
        };
        let share = |(what, bytes): (&str, usize)| Share { what: what.to_owned(), bytes: bytes as u64 };
        Measures {
            samples: timeline.finish(last),
            choices,
            bytes: self.shares().map(share).to_vec(),
            tables: vec![table(&self.machine.components().measure())],
            lines: lines.map_or_else(Vec::new, |lines| lines.hottest(self.machine.program())),
            workers: vec![worker],
            ..Measures::default()
        }
    }
}
