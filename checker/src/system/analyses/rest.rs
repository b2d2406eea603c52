//! The places at which threads wait for ever.
//!
//! A state from which nothing can change any more is a deadlock, also if a thread has not yet come to the
//! call or the loop in which it waits: only idle steps lead it there, which nobody else notices.

use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::answers::AnswerRuns;

/// The most steps of a thread on its way. After more of them it stays where it was.
const MOST_STEPS: usize = 1 << 12;

impl Machine<'_> {
    /// Lets each thread of a deadlock ([`super::awaits::ProgressCheck::Deadlock`]) take its steps, with the
    /// first answers to questions, up to where it waits: a call, or the first state to which it comes back.
    /// Leaves the machine in the last state. Returns false if no thread took a step.
    pub fn come_to_rest(&mut self, vector: &[Id]) -> bool {
        let recorder = self.observers.pause_recorder();
        let mut last = vector.to_vec();
        self.unpack(&last);
        let threads: Vec<_> = self.schedulable_threads().collect();
        for thread in threads {
            if let Some(rest) = self.rest_of(thread, &last) {
                last = rest;
            }
        }
        self.unpack(&last);
        self.observers.continue_recorder(recorder);
        last != vector
    }

    /// The state in which a thread waits that takes its steps by itself. `None`: that is not known.
    fn rest_of(&mut self, thread: usize, from: &[Id]) -> Option<Vec<Id>> {
        let mut states = vec![from.to_vec()];
        let mut reached = Vec::new();
        while states.len() < MOST_STEPS {
            let before = states.last().expect("there is the first one");
            let report = AnswerRuns::new(before, thread).run_next(self)?;
            match report.end {
                StepEnd::Blocked | StepEnd::ExitsLast => return states.pop(),
                StepEnd::Done => {}
                _ => return None,
            }
            self.pack(&mut reached);
            if !self.was_idle(&report, before, &reached) {
                return None;
            }
            self.settle(thread);
            self.pack(&mut reached);
            if let Some(at) = states.iter().position(|state| *state == reached) {
                return Some(states.swap_remove(at));
            }
            states.push(reached.clone());
        }
        None
    }
}
