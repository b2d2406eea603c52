//! The results of a search so far.

use super::prefix::Prefix;
use super::stepper::{Attempt, Stepper};
use crate::engine::findings::Findings;
use crate::hash::FxHashSet;
use crate::outcome::{Outcome, Statistics, Unknown};
use crate::store::Id;

/// Counts, violations and final states.
pub struct Results {
    /// Counts.
    pub statistics: Statistics,
    /// Violations, final states, and what stands in the way of a proof.
    pub findings: Findings,
    /// The final states found, as statuses and components.
    pub(super) known_finals: FxHashSet<Box<[Id]>>,
    /// The limit at which the search stopped.
    pub stopped: Option<Unknown>,
    /// An execution was cut off because a thread went round in a loop too often.
    pub was_cut: bool,
}

impl Results {
    /// No executions yet, and these findings of earlier searches.
    pub fn new(findings: Findings) -> Self {
        Self {
            statistics: Statistics::default(),
            findings,
            known_finals: FxHashSet::default(),
            stopped: None,
            was_cut: false,
        }
    }

    /// Executions that were explored to an end, whichever it is.
    pub const fn explored(&self) -> u64 {
        let statistics = &self.statistics;
        statistics.executions + statistics.blocked_executions + statistics.sleep_blocked_executions
    }

    /// Components have other ids now.
    pub fn forget_components(&mut self) {
        self.known_finals.clear();
    }

    /// Takes note of what is to be reported of an attempt to take a step of a thread.
    #[inline]
    pub fn note_attempt(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, thread: usize, attempt: &Attempt) {
        match attempt {
            Attempt::Ended(_, ending) => self.note_ending(stepper, prefix, thread, ending),
            Attempt::Taken(..) | Attempt::Waits(..) => {
                if let Some(frames) = stepper.exceeded_loop(thread) {
                    self.findings.cut_off(&stepper.machine, Unknown::LoopBound, &frames);
                }
            }
            Attempt::Cut => {}
        }
    }

    /// The outcome, with the measures in the statistics.
    pub fn outcome(self, stepper: &Stepper<'_>) -> Outcome {
        self.findings.outcome(&stepper.machine, self.stopped, self.statistics, None)
    }
}
