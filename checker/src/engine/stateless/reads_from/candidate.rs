//! Steps that can be taken at the end of the current execution, with the sources that their reads find there.

use std::rc::Rc;
use std::sync::Arc;

use super::histories::{Histories, HistoryId};
use super::memory::{Part, Parts, merged};
use super::trace::{Creation, Trace, common};
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
        let accesses = if self.has_created() { Arc::clone(accesses) } else { Arc::new(accesses.without_memory()) };
        let mut parts = Parts::new();
        let thread = event.action.thread;
        parts.extend(self.creation_read_by(thread, self.count(thread)));
        for touch in &accesses.reads {
            match touch.own {
                Some(own) => {
                    parts.push(Part { place: touch.place, writer: Writer::Store(thread as u32, own), is_open: true });
                }
                None => {
                    let parts_there = self.memory.read(touch.place).into_iter();
                    parts.extend(parts_there.map(|part| Part { is_open: touch.is_open, ..part }));
                }
            }
        }
        Ok(Candidate { event, accesses, parts: merged(parts) })
    }

    /// True if a thread was created.
    fn has_created(&self) -> bool {
        self.threads.iter().any(|thread| !thread.creations.is_empty())
    }

    /// The read by which a step is the first of its thread: that of the thread's creation.
    fn creation_read_by(&self, thread: usize, number: u32) -> Option<Part> {
        let Creation { creator: (creator, step), place, .. } = self.threads.get(thread)?.creation(number)?;
        Some(Part { place, writer: Writer::Step(creator as u32, step), is_open: false })
    }

    /// The candidate that is the step of its thread with this number. Some of its reads have these sources,
    /// and the others find the last writes. `None`: it reads a store of its own thread.
    pub fn candidate_with(&self, event: &Rc<Event>, number: u32, sources: &Parts) -> Option<Candidate> {
        let accesses = event.accesses().ok()?;
        let mut parts: Parts = self.creation_read_by(event.action.thread, number).into_iter().collect();
        for touch in &accesses.reads {
            if touch.own.is_some() {
                return None;
            }
            for there in self.memory.read(touch.place) {
                let named =
                    sources.iter().filter_map(|part| Some(Part { place: common(part.place, there.place)?, ..*part }));
                let mut rest: Parts = Parts::from_slice(&[there]);
                for named in named {
                    rest = rest.into_iter().flat_map(|part| part.without(named.place)).collect();
                    rest.push(named);
                }
                rest.sort_unstable_by_key(|part| part.place.offset);
                parts.extend(rest.into_iter().map(|part| Part { is_open: touch.is_open, ..part }));
            }
        }
        Some(Candidate { event: Rc::clone(event), accesses: Arc::clone(accesses), parts: merged(parts) })
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
        let name = self.name(event.action.thread, number, parts, event.answers());
        histories.after(&name, event, accesses)
    }
}
