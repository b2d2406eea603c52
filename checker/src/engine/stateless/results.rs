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
    /// Violations, final states, and the reasons why nothing can be proved.
    pub findings: Findings,
    /// The final states found, as statuses and components.
    pub(super) known_finals: FxHashSet<Box<[Id]>>,
    /// The limit at which the search stopped.
    pub stopped: Option<Unknown>,
    /// True if an execution was cut off because a thread exceeded the bound on loops.
    pub was_cut: bool,
}

impl Results {
    /// Results without executions, with these findings of earlier searches.
    pub fn new(findings: Findings) -> Self {
        Self {
            statistics: Statistics::default(),
            findings,
            known_finals: FxHashSet::default(),
            stopped: None,
            was_cut: false,
        }
    }

    /// The number of executions that were explored to an end of any kind.
    pub const fn explored(&self) -> u64 {
        let statistics = &self.statistics;
        statistics.executions + statistics.blocked_executions + statistics.sleep_blocked_executions
    }

    /// Forgets the components of final states, because components have other ids now.
    pub fn forget_components(&mut self) {
        self.known_finals.clear();
    }

    /// Records the findings of an attempt to take a step of a thread.
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
