//! Detection of deadlocks of threads that go round in loops which only look.
//!
//! Most states from which only idle steps lead are no deadlocks: a thread continues after some of these
//! steps. The step cache often shows that.
//!
//! With delayed flushing a state stands for several orders in which pending stores of different threads reach
//! memory, and a thread that reads its own store does not decide between them. So a state from which other
//! steps lead, too, may stand for a deadlock: with one of the orders every thread waits for ever
//! (`tests/programs/awaits/own_store_last.c`). Such states are *disputed*, and looked at closely in any case.

use smallvec::SmallVec;

use super::shared::LevelDecision;
use super::state_set::StateSet;
use super::steps::{End, Source, Variant};
use super::worker::Worker;
use crate::engine::explicit::parallel::lock;
use crate::engine::memo;
use crate::outcome::Unknown;
use crate::store::Id;
use crate::system::{Layout, ProgressCheck};

/// The number of steps of a thread that are followed in the step cache before the thread is run until it
/// repeats.
const NEAR: usize = 8;

impl Worker<'_, '_> {
    /// Of the states of this level from which only idle steps lead, looks closely at those from which none
    /// leads to a new state. `end` is the index of the first new state among those of this worker.
    pub(super) fn settle_idle(&mut self, end: usize) -> LevelDecision {
        let shared = self.shared;
        let mut leads_on = StateSet::default();
        // With layers, states behind an idle step may be known although the steps from them are not taken yet.
        if self.layers.is_none() {
            (end..self.states.len()).for_each(|at| leads_on.insert(self.states.parent(self.states.number(at))));
        }
        lock(&shared.idle).leads_on.add(leads_on);
        shared.barrier.wait(|| 0, || ());
        let own = std::mem::take(&mut self.idle).difference(&lock(&shared.idle).leads_on);
        let disputed = std::mem::take(&mut self.disputed).difference(&StateSet::default());
        let own = own.into_iter().map(|state| (state, false));
        for (state, is_disputed) in own.chain(disputed.into_iter().map(|state| (state, true))) {
            self.look_closely(state, is_disputed);
            shared.check_request();
            if shared.is_stopped() {
                break;
            }
        }
        LevelDecision::from_word(shared.barrier.wait(|| shared.after_idle() as u64, || ()))
    }

    fn look_closely(&mut self, state: Id, is_disputed: bool) {
        let (vector, _) = self.stored(state);
        let most = self.shared.states() as usize;
        let is_deferred = self.is_deferred(&vector);
        if !is_disputed && self.surely_moves(usize::from(is_deferred), &vector) {
            return;
        }
        match self.machine.check_progress_from(usize::from(is_deferred), &vector, most) {
            ProgressCheck::Deadlock => self.deadlock(state, &vector),
            ProgressCheck::Open => self.machine.note_left_out(Unknown::Nondet),
            // Limits stop the search by themselves.
            ProgressCheck::CanProgress | ProgressCheck::Endless | ProgressCheck::Undecided => {}
        }
    }

    /// True if the step cache shows that some thread from this number on reaches, by idle steps of its own, a
    /// step that others may notice. False if it does not show that.
    fn surely_moves(&mut self, first: usize, vector: &[Id]) -> bool {
        if !self.steps.is_caching() {
            return false;
        }
        let layout = self.machine.layout(vector);
        let threads: SmallVec<[usize; 16]> = self.machine.schedulable_in(vector, layout.threads).collect();
        threads.into_iter().any(|thread| thread >= first && self.moves_alone(thread, vector, layout))
    }

    /// True if cached steps lead a thread to a step that others may notice, by the first answer of each step,
    /// with the same threads and objects, within [`NEAR`] steps.
    fn moves_alone(&mut self, thread: usize, from: &[Id], layout: Layout) -> bool {
        let mut vector: SmallVec<[Id; 64]> = from.into();
        for _ in 0..NEAR {
            let source = Source { vector: &vector, layout, live: self.machine.live_in(&vector, layout) };
            let Some(step) = self.steps.recall(&self.machine, source, thread) else { return false };
            if step.variants.iter().any(Variant::is_noticed) {
                return true;
            }
            match step.variants.first() {
                Some(Variant { end: End::Changed(edit), idle: true, spurious_wakeup: false, .. }) => {
                    memo::change(&mut vector, edit.changes());
                }
                _ => return false,
            }
            if !self.machine.lives_in(&vector, thread) {
                return false;
            }
        }
        false
    }
}
