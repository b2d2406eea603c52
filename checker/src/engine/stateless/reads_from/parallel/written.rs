//! What the workers tell each other of the bytes that are written.
//!
//! Each worker keeps what it knows ([`Written`]), and tells the others. Before it leaves out a branch for bytes
//! for which it has left out none, it asks them. From then on, whoever finds another writer of these bytes
//! sees in the common knowledge that the search has to start over.
//!
//! What a worker knows is nowhere more than the others know of it: what they told is noted only where it names
//! a history of this worker. With less, as that there are several writers of a byte, a worker would not tell
//! the others of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rmc_consistency::Place;

use super::numbers::SharedId;
use crate::engine::stateless::reads_from::histories::HistoryId;
use crate::engine::stateless::reads_from::search::Search;
use crate::engine::stateless::reads_from::written::{Writers, Written};
use crate::hash::FxHashMap;
use crate::store::lock;

/// What all workers know, by the numbers of histories in their common table.
#[derive(Default)]
pub struct SharedWritten {
    known: Mutex<Written>,
    is_incomplete: AtomicBool,
}

impl SharedWritten {
    /// What is known of the searches before.
    pub fn new(known: Written) -> Self {
        Self { known: Mutex::new(known), is_incomplete: AtomicBool::new(false) }
    }

    /// The same for the next search.
    pub fn again(self) -> Written {
        self.known.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).again()
    }

    /// True if a byte was written for which a branch was left out.
    #[inline]
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete.load(Ordering::Relaxed)
    }

    fn note(&self, place: Place, writers: Writers) {
        let mut known = lock(&self.known);
        known.note(place, writers);
        if known.is_incomplete() {
            self.is_incomplete.store(true, Ordering::Relaxed);
        }
    }

    /// The writers of some places, if branches can be left out for these: if all of them are histories with
    /// a number in `before`. Branches are left out then.
    fn leave_out(&self, places: &[Place], before: &FxHashMap<SharedId, HistoryId>) -> Option<Vec<(Place, Writers)>> {
        let mut known = lock(&self.known);
        let own = |(place, writers)| match writers {
            Writers::One(id) => Some((place, Writers::One(*before.get(&id)?))),
            Writers::Any => None,
        };
        let writers = known.writers_of(places).into_iter().map(own).collect::<Option<_>>()?;
        known.note_left_out(places);
        Some(writers)
    }
}

impl Search<'_> {
    /// Notes a write.
    pub(in crate::engine::stateless::reads_from) fn note_written(&mut self, place: Place, writers: Writers) {
        if !self.written.note(place, writers) {
            return;
        }
        if let Some(worker) = &mut self.worker {
            let writers = match writers {
                Writers::One(history) => Writers::One(worker.shared_id(&self.histories, history)),
                Writers::Any => Writers::Any,
            };
            worker.shared.written.note(place, writers);
        }
    }

    /// True if a branch can be left out that is needed only to find other writes to these places than those
    /// on which the step of a thread with this number depends. It is left out then.
    pub(in crate::engine::stateless::reads_from) fn leave_out_reads(
        &mut self,
        rest: &[Place],
        thread: usize,
        number: u32,
    ) -> bool {
        let Self { trace, histories, written, worker, .. } = self;
        let Some(worker) = worker.as_mut().filter(|_| !written.has_left_out(rest)) else {
            return written.leave_out(rest, trace.comes_before(histories, thread, number));
        };
        let mut before = FxHashMap::default();
        for last in trace.histories(&trace.past_before(thread, number)) {
            before.extend(histories.firsts(last).map(|id| (worker.shared_id(histories, id), id)));
        }
        let Some(writers) = worker.shared.written.leave_out(rest, &before) else { return false };
        for (place, writers) in writers {
            written.note(place, writers);
        }
        written.note_left_out(rest);
        true
    }

    /// True if a byte was written for which a branch was left out.
    pub(in crate::engine::stateless::reads_from) fn is_written_incomplete(&self) -> bool {
        self.written.is_incomplete() || self.worker.as_ref().is_some_and(|worker| worker.shared.written.is_incomplete())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { object: 3, offset: 8, len: 16 };
    const PART: Place = Place { object: 3, offset: 16, len: 4 };

    #[test]
    fn a_writer_that_comes_later_ends_a_search_only_if_something_was_left_out() {
        let known = SharedWritten::new(Written::default());
        known.note(PLACE, Writers::One(5));
        assert_eq!(known.leave_out(&[PART], &FxHashMap::default()), None, "the writer does not come before");
        known.note(PART, Writers::One(6));
        assert!(!known.is_incomplete());
        let known = SharedWritten::new(Written::default());
        known.note(PLACE, Writers::One(5));
        let before = std::iter::once((5, 2)).collect();
        assert_eq!(known.leave_out(&[PART], &before), Some(vec![(PART, Writers::One(2))]), "by the own number");
        known.note(PART, Writers::One(5));
        assert!(!known.is_incomplete());
        known.note(PART, Writers::One(6));
        assert!(known.is_incomplete());
        assert_eq!(known.leave_out(&[PART], &before), None, "there are several writers");
    }
}
