//! The final states of executions.
//!
//! Converting memory into values takes longer than most executions. So it is done once for all executions
//! that end with the same status and the same components of memory. The step that ends the process is cached
//! for all states in which it does the same, whatever memory holds there.

use super::results::Results;
use super::state_cache::StateId;
use super::stepper::Stepper;
use crate::store::Id;

impl Stepper<'_> {
    /// True if the machine's last step, which ended the process, left memory as it was in the state `before`.
    pub(super) fn keeps_memory(&mut self, before: StateId) -> bool {
        let pages = self.machine.global_pages_in(self.states.vector(before), self.states[before].layout);
        *pages == *self.machine.final_pages()
    }
}

impl Results {
    /// Records the final state after the machine's last step, which ended the process.
    pub fn note_final_state(&mut self, stepper: &mut Stepper<'_>, status: i64) {
        let machine = &mut stepper.machine;
        if machine.config().final_states && self.known_finals.insert(key(status, machine.final_pages())) {
            self.findings.final_states.insert(machine.observe_final_state(status));
        }
    }

    /// Records the final state with the memory of this state.
    pub fn note_final_state_of(&mut self, stepper: &mut Stepper<'_>, state: StateId, status: i64) {
        if self.is_new_final_state(stepper, stepper.vector(state), status) {
            stepper.load(state);
            self.note_final_state(stepper, status);
        }
    }

    /// Records the final state with the memory of this state vector.
    pub fn note_final_state_in(&mut self, stepper: &mut Stepper<'_>, vector: &[Id], status: i64) {
        if self.is_new_final_state(stepper, vector, status) {
            stepper.leave_state();
            stepper.machine.unpack(vector);
            self.note_final_state(stepper, status);
        }
    }

    /// True if final states are asked for and this one is not known.
    fn is_new_final_state(&self, stepper: &Stepper<'_>, vector: &[Id], status: i64) -> bool {
        let machine = &stepper.machine;
        let pages = || machine.global_pages_in(vector, machine.layout(vector));
        machine.config().final_states && !self.known_finals.contains(&key(status, pages()))
    }
}

/// The key of a final state.
fn key(status: i64, pages: &[Id]) -> Box<[Id]> {
    [status as Id, (status >> 32) as Id].into_iter().chain(pages.iter().copied()).collect()
}
