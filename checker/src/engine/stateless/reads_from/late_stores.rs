//! Stores that are still delayed when another thread ends their memory, which is a violation.
//!
//! Whether a store is late is no part of a class. So when a step that ends memory is appended, each delayed
//! store there is asked for that need not have come before: is there an execution of the steps on which the
//! two depend, with their sources, in which the store reaches memory after the step? If there is one, it has
//! the violation, and all that follows is open; a search that is to go on is refused. If there is none, the
//! store comes first in every execution of both steps, as in the current one.
//!
//! Nothing is missed: let an execution have the violation. The steps before it are the beginning of a class
//! of the program in which late stores do no harm, and the search comes to those two steps with these
//! sources.
//!
//! Tests: random programs that free memory (`frees` in `tests/tests/reads_from.rs`).

use super::attempts::LATE_STORE;
use super::candidate::Candidate;
use super::histories::HistoryId;
use super::memory::{Part, Parts};
use super::search::Search;
use super::trace::{Trace, common};
use crate::engine::EngineError;
use crate::engine::stateless::sources::Writer;

/// A store and a step that ends its memory: the histories of their threads, and the number of the store in
/// its step.
pub(super) type Pair = (HistoryId, u32, HistoryId);

impl Trace {
    /// The delayed stores of other threads to memory that a step ends which may not have reached memory in
    /// all executions with these sources, each with the bytes that end.
    pub fn late_stores(&self, candidate: &Candidate) -> Vec<Part> {
        let thread = candidate.event.action.thread;
        if !candidate.accesses.changes_lives {
            return Vec::new();
        }
        let past = self.past(thread, self.count(thread), &candidate.parts);
        let may_be_late = |write: &Part| match write.writer {
            Writer::Initial | Writer::Step(..) => false,
            Writer::Store(other, store) => {
                let step = (other as usize, self.origin(other, store).0);
                step.0 != thread && !self.has_arrived(step, &past)
            }
        };
        let ended = candidate.accesses.writes.iter();
        let late = ended.flat_map(|&place| {
            let writes = self.writes_to(place).filter(|write| may_be_late(write));
            writes.filter_map(move |write| Some(Part { place: common(write.place, place)?, ..*write }))
        });
        late.collect()
    }
}

impl Search<'_> {
    /// Looks for executions in which these stores are delayed when the last step, which was appended, ends
    /// their memory. One that is found is reported, and the current execution is the same afterwards.
    ///
    /// # Errors
    /// There is such an execution, and the search is to go on.
    pub(super) fn find_late_stores(&mut self, candidate: &Candidate, stores: &[Part]) -> Result<(), EngineError> {
        let thread = candidate.event.action.thread;
        let number = self.trace.count(thread) - 1;
        for &store in stores {
            let Writer::Store(other, name) = store.writer else { continue };
            let (step, write) = self.trace.origin(other, name);
            let of = |thread: usize, number: u32| &self.trace.step(thread, number).known;
            let (end, origin) = (of(thread, number), of(other as usize, step));
            if !self.not_late.insert((origin.history, write, end.history)) {
                continue;
            }
            let mut steps = end.facts.past.clone();
            steps.unite(&origin.facts.past);
            let threads = self.trace.histories(&steps);
            self.learn_places(&threads)?;
            if self.is_over() {
                return Ok(());
            }
            let mut history = self.histories.history(&threads);
            // Elsewhere a store that comes after the end has no effect.
            if let Some(life) = history.threads[other as usize][step as usize].lives.get_mut(write as usize) {
                *life = None;
            }
            let Some(events) = self.execution_with_last(history, &Parts::from_slice(&[store]))? else { continue };
            let before = self.trace.events();
            self.repeat_common(&events)?;
            self.replay(&before)?;
            // Without the violation, the answers to questions about inputs are not possible in this order.
            return if self.is_over() { Ok(()) } else { Err(self.refusal(&candidate.event, LATE_STORE)) };
        }
        Ok(())
    }

    /// Sees to it that the places of all delayed stores of these histories are known: in a branch, steps may
    /// read what they never read before, and a step may end memory while their stores are under way.
    fn learn_places(&mut self, threads: &[HistoryId]) -> Result<(), EngineError> {
        if threads.iter().all(|&last| self.histories.knows_places(last)) {
            return Ok(());
        }
        let len = self.trace.len();
        self.flush(None)?;
        self.trace.discard(len, &mut self.stepper);
        Ok(())
    }
}
