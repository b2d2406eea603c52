//! The final states of executions.
//!
//! To turn memory into values takes longer than most executions. So it is done once for all that end with the same status and the same components of memory, and the step that ends
//! the process is known wherever it does the same, whatever memory holds then.

use super::search::Search;
use super::states::StateId;
use crate::store::Id;

impl Search<'_> {
    /// Takes note of the final state after the machine's last step, which ended the process.
    pub(super) fn note_final_state(&mut self, status: i64) {
        if self.machine.config().final_states && self.finals.insert(key(status, self.machine.final_pages())) {
            self.findings.final_states.insert(self.machine.observe_final_state(status));
        }
    }

    /// Whether the machine's last step, which ended the process, left memory as it was. If not, the final state is to be found out again where memory is another one.
    pub(super) fn keeps_memory(&mut self) -> bool {
        let last = self.last();
        let before = self.machine.global_pages_in(self.states.vector(last), self.states[last].layout);
        let keeps = *before == *self.machine.final_pages();
        if !keeps {
            self.machine.see_final_memory();
        }
        keeps
    }

    /// Takes note of the final state with the memory of this one.
    pub(super) fn note_final_state_of(&mut self, state: StateId, status: i64) {
        if self.is_new(self.states.vector(state), status) {
            self.machine.unpack(self.states.vector(state));
            self.add_final_state(status);
        }
    }

    /// The same of a state vector.
    pub(super) fn note_final_state_in(&mut self, vector: &[Id], status: i64) {
        if self.is_new(vector, status) {
            self.machine.unpack(vector);
            self.add_final_state(status);
        }
    }

    /// Whether a final state is wanted and not known.
    fn is_new(&self, vector: &[Id], status: i64) -> bool {
        let pages = || self.machine.global_pages_in(vector, self.machine.layout(vector));
        self.machine.config().final_states && !self.finals.contains(&key(status, pages()))
    }

    /// Adds the final state with the memory that was just unpacked.
    fn add_final_state(&mut self, status: i64) {
        self.in_place = false;
        self.note_final_state(status);
    }
}

/// What final states are known by.
fn key(status: i64, pages: &[Id]) -> Box<[Id]> {
    [status as Id, (status >> 32) as Id].into_iter().chain(pages.iter().copied()).collect()
}
