//! What the workers tell each other of the bytes that are written.
//!
//! Each worker keeps what it knows ([`Written`]), and asks the others only before it leaves out a branch for
//! bytes for which it has left out none. From then on, whoever finds another writer of these bytes sees in the
//! common knowledge that the search has to start over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rmc_consistency::Place;

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

    /// Calls `decide` with the writers of some places. If it returns true, branches are left out for them.
    fn decide(&self, places: &[Place], decide: impl FnOnce(Vec<(Place, Writers)>) -> bool) -> bool {
        let mut known = lock(&self.known);
        let is_left_out = decide(known.writers_of(places));
        if is_left_out {
            known.note_left_out(places);
        }
        is_left_out
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
        let is_before = trace.comes_before(histories, thread, number);
        let Some(worker) = worker.as_mut().filter(|_| !written.has_left_out(rest)) else {
            return written.leave_out(rest, is_before);
        };
        // Of the others, those that come before the step are among these.
        let mut own = FxHashMap::default();
        for last in trace.histories(&trace.past_before(thread, number)) {
            own.extend(histories.firsts(last).map(|id| (worker.shared_id(histories, id), id)));
        }
        let shared = Arc::clone(&worker.shared);
        shared.written.decide(rest, |writers| {
            for (place, by) in writers {
                let by = match by {
                    Writers::One(id) => own.get(&id).map_or(Writers::Any, |&id| Writers::One(id)),
                    Writers::Any => Writers::Any,
                };
                written.note(place, by);
            }
            written.leave_out(rest, is_before)
        })
    }

    /// True if a byte was written for which a branch was left out.
    pub(in crate::engine::stateless::reads_from) fn is_written_incomplete(&self) -> bool {
        self.written.is_incomplete() || self.worker.as_ref().is_some_and(|worker| worker.shared.written.is_incomplete())
    }
}
