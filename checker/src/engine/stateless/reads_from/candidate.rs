//! Steps that can be taken at the end of the current execution, with the sources that their reads find there.

use std::rc::Rc;
use std::sync::Arc;

use rmc_consistency::Place;

use super::clock::Clock;
use super::histories::{Histories, HistoryId};
use super::memory::{Part, Parts, merged};
use super::names;
use super::trace::{Creation, Known, Trace, common};
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;

/// A step that can be taken at the end of an execution.
pub struct Candidate {
    /// The step.
    pub event: Rc<Event>,
    /// Its accesses.
    pub accesses: Arc<Accesses>,
    /// The sources of its reads.
    pub parts: Parts,
}

impl Trace {
    /// The candidate that is a step at the end of the execution.
    pub fn candidate(&self, event: Rc<Event>) -> Result<Candidate, &'static str> {
        let accesses = event.accesses()?;
        let accesses = match self.has_created() {
            true => Arc::clone(accesses),
            false => Arc::new(accesses.without_memory(!event.pushed().is_empty())),
        };
        let mut parts = Parts::new();
        let thread = event.action.thread;
        if let Some(creation) = self.creation_read_by(thread, self.count(thread)) {
            parts.push(creation);
        }
        for touch in &accesses.reads {
            match touch.own {
                Some(own) => {
                    parts.push(Part { place: touch.place, writer: Writer::Store(thread as u32, own), is_open: true });
                }
                None => self.memory.add_sources(touch.place, touch.is_open, &mut parts),
            }
        }
        Ok(Candidate { event, accesses, parts: merged(parts) })
    }

    /// True if a step that is known finds the same sources at the end of the execution. It may also be false
    /// if it reads stores of its own thread, or if no thread was created.
    pub fn finds_sources(&self, event: &Event, known: &Known) -> bool {
        let reads_own = |accesses: &Arc<Accesses>| accesses.reads.iter().any(|touch| touch.own.is_some());
        self.has_created()
            && event.accesses().is_ok_and(|accesses| !reads_own(accesses) && !accesses.changes_lives)
            && self.has_in_memory(&known.facts.parts)
    }

    /// True if a thread was created.
    pub(super) fn has_created(&self) -> bool {
        self.threads.iter().any(|thread| !thread.creations.is_empty())
    }

    /// The read by which a step is the first of its thread: that of the thread's creation.
    fn creation_read_by(&self, thread: usize, number: u32) -> Option<Part> {
        let Creation { creator: (creator, step), place, .. } = self.threads.get(thread)?.creation(number)?;
        Some(Part { place, writer: Writer::Step(creator as u32, step), is_open: false })
    }

    /// The candidate that is the step of its thread with this number, which may be in the execution. Some of
    /// its reads have these sources, and the others have what was written before the step, whatever it reads.
    /// `None`: it reads a store of its own thread, or it is not known what was written before.
    pub fn candidate_with(&self, event: &Rc<Event>, number: u32, sources: &Parts) -> Option<Candidate> {
        let accesses = event.accesses().ok()?;
        let thread = event.action.thread;
        let before = self.past_before(thread, number);
        let mut parts: Parts = self.creation_read_by(thread, number).into_iter().collect();
        for touch in &accesses.reads {
            if touch.own.is_some() {
                return None;
            }
            let mut known: Parts = sources
                .iter()
                .filter_map(|part| Some(Part { place: common(part.place, touch.place)?, ..*part }))
                .collect();
            let mut rest = Parts::from_slice(&[Part { place: touch.place, writer: Writer::Initial, is_open: true }]);
            for named in &known {
                rest = rest.into_iter().flat_map(|part| part.without(named.place)).collect();
            }
            for part in rest {
                known.push(Part { writer: self.last_of(part.place, &before, (thread, number))?, ..part });
            }
            known.sort_unstable_by_key(|part| part.place.offset);
            parts.extend(known.into_iter().map(|part| Part { is_open: touch.is_open, ..part }));
        }
        Some(Candidate { event: Rc::clone(event), accesses: Arc::clone(accesses), parts: merged(parts) })
    }

    /// The last writer of a place, if all of its bytes have the same, and all but `step` that write them are
    /// among the steps before.
    fn last_of(&self, place: Place, before: &Clock, step: (usize, u32)) -> Option<Writer> {
        let mut last = Writer::Initial;
        for write in self.writes_to(place) {
            let by = self.step_of(write.writer).filter(|&by| by != step);
            let Some((thread, number)) = by else { continue };
            if !before.has(thread, number) || !write.place.covers(place) {
                return None;
            }
            last = write.writer;
        }
        Some(last)
    }

    /// Adds those of a branch's sources to a step that is a violation which are in memory: it may be over
    /// before it touches all that it would.
    pub fn complete_reads(&self, candidate: &mut Candidate, sources: &Parts) {
        let is_read = |source: &Part| candidate.parts.iter().any(|part| part.place.overlaps(source.place));
        let is_there = |source: &Part| self.has_in_memory(&Parts::from_slice(&[*source]));
        let more = sources.iter().copied().filter(|source| !is_read(source) && is_there(source));
        candidate.parts = merged(candidate.parts.iter().copied().chain(more).collect());
    }

    /// The history of a candidate's thread with it, if it is the step of its thread with this number.
    pub fn history_with(&self, histories: &mut Histories, candidate: &Candidate, number: u32) -> HistoryId {
        let Candidate { event, accesses, parts } = candidate;
        let origins = parts.iter().map(|part| (part.place, self.writer(part.writer)));
        let name = names::name(self.history(event.action.thread, number), event, accesses, origins);
        histories.after(&name, event, accesses)
    }
}
