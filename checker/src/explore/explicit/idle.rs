//! Deadlocks of threads that go round in loops which only look.

use fxhash::FxHashSet;

use super::common::Then;
use super::worker::Worker;
use crate::explore::parallel::lock;
use crate::store::Id;
use crate::system::Prospect;

impl Worker<'_, '_> {
    /// Of the states of this level from which only idle steps lead, looks closely at those from which none leads to a new state. Where the new states begin among
    /// those of this worker: `end`.
    pub(super) fn settle_idle(&mut self, end: usize) -> Then {
        let common = self.common;
        let idle: FxHashSet<Id> = lock(&common.idle).states.iter().copied().collect();
        let parents = (end..self.states.len()).map(|at| self.states.parent(self.states.number(at)));
        let leads_on: Vec<Id> = parents.filter(|parent| idle.contains(parent)).collect();
        lock(&common.idle).leads_on.extend(leads_on);
        common.meeting.meet(|| 0, || ());
        let leads_on: FxHashSet<Id> = lock(&common.idle).leads_on.iter().copied().collect();
        let mut own: Vec<Id> =
            idle.into_iter().filter(|&state| common.store.worker_of(state) == self.number()).collect();
        own.retain(|state| !leads_on.contains(state));
        own.sort_unstable();
        for state in own {
            self.look_closely(state);
            if common.is_stopped() {
                break;
            }
        }
        Then::from_word(common.meeting.meet(|| common.after_idle() as u64, || ()))
    }

    fn look_closely(&mut self, state: Id) {
        self.states.take(state);
        let vector = self.states.vector().to_vec();
        let most = self.common.states() as usize;
        let is_put_off = self.is_put_off(&vector);
        if self.machine.prospect_from(usize::from(is_put_off), &vector, most) == Prospect::Stuck {
            self.deadlock(state, &vector);
        }
    }
}
