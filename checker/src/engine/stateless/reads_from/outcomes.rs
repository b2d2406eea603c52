//! Branches that need not be followed because it is known what their step does there: it waits, as the lock
//! of a mutex does that others hold, or it reads and overwrites what another step does.
//!
//! The state of its thread and the values that it reads decide what a step does. The identity of an event
//! from the cache of steps (`step_cache.rs`) stands for both: for what its thread knew, and for what it read
//! and wrote. So the name of a branch is the node's step, as it was first, the steps from which the sources
//! of the branch come, and the history of the main thread up to the first creation of a thread, which decides
//! what is in memory first. Bytes that the step reads besides have one writer in the whole search, which
//! comes before ([`super::written`]).

use std::rc::Rc;
use std::sync::Arc;

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::alternatives::Rivals;
use super::candidate::Candidate;
use super::clock::Clock;
use super::histories::HistoryId;
use super::memory::Parts;
use super::search::Search;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;
use crate::hash::FxHashMap;

/// The name of a branch.
type Name = SmallVec<[u64; 12]>;

/// The outcome of the step of a branch.
pub enum Outcome {
    /// It waits.
    Waits,
    /// It is taken as this event, whose writes are at once.
    Taken(Rc<Event>),
}

/// The consequences of a branch that is not followed.
pub enum Settled {
    /// There are none.
    Nothing,
    /// Others read what its step reads, and write. Earlier steps may read what it writes.
    Competes(Box<Competing>),
}

/// A step that others compete with.
pub struct Competing {
    /// The step.
    pub candidate: Candidate,
    /// The history of its thread with it.
    pub history: HistoryId,
    /// The steps on which it depends, with itself.
    pub past: Clock,
    /// Those that read and overwrite what it does.
    pub rivals: Rivals,
}

/// The outcome of all branches of a name.
struct Known {
    outcome: Outcome,
    /// The bytes that the step reads and that are not named.
    rest: Rc<[Place]>,
    /// The events of the name, which keep their addresses.
    _events: SmallVec<[Rc<Event>; 2]>,
}

/// The outcomes of branches.
#[derive(Default)]
pub struct Outcomes {
    known: FxHashMap<Box<[u64]>, Known>,
}

impl Search<'_> {
    /// Records the outcome of a branch. `rest` are the bytes that its step reads and that have no other
    /// source than the one that they have.
    pub(super) fn note_outcome(&mut self, at: usize, sources: &Parts, outcome: Outcome, rest: Vec<Place>) {
        let Some(name) = self.name_of_branch(at, sources) else { return };
        let writers = sources.iter().filter_map(|part| self.trace.step_of(part.writer));
        let writers = writers.map(|(thread, step)| Rc::clone(self.trace.event(self.trace.step(thread, step).position)));
        let _events = writers.chain([Rc::clone(&self.nodes[at].event)]).collect();
        self.outcomes.known.insert(name[..].into(), Known { outcome, rest: rest.into(), _events });
    }

    /// The consequences of a branch of a node, in which its step is the one of its thread with this number,
    /// if they are known. All steps of the branch are in the execution.
    pub(super) fn settled(&mut self, at: usize, number: u32, sources: &Parts) -> Option<Settled> {
        if self.outcomes.known.is_empty() {
            return None;
        }
        let name = self.name_of_branch(at, sources)?;
        let Known { outcome, rest, .. } = self.outcomes.known.get(&name[..])?;
        let thread = self.nodes[at].thread;
        let taken = match outcome {
            Outcome::Waits => None,
            Outcome::Taken(event) => {
                let accesses = event.accesses().ok()?;
                let mut rivals = self.trace.taken(sources, (thread, number));
                rivals.retain(|taken| accesses.overwrites(taken.place));
                (!rivals.is_empty()).then_some(())?;
                Some((Rc::clone(event), Arc::clone(accesses), rivals))
            }
        };
        let rest = Rc::clone(rest);
        if !self.leave_out_reads(&rest, thread, number) {
            return None;
        }
        let Some((event, accesses, rivals)) = taken else { return Some(Settled::Nothing) };
        // The writers of the rest come before the step whatever it reads.
        let past = self.trace.past(thread, number, sources);
        let is_read = |&place: &Place| {
            self.nodes.readers(place, &past, at).any(|reader| self.may_revisit(reader, place, &past, &rivals))
        };
        if !accesses.writes.iter().any(is_read) {
            return Some(Settled::Nothing);
        }
        let candidate = self.trace.candidate_with(&event, number, sources)?;
        let history = self.trace.history_with(&mut self.histories, &candidate, number);
        Some(Settled::Competes(Box::new(Competing { candidate, history, past, rivals })))
    }

    /// The name of a branch, unless values are not known.
    fn name_of_branch(&self, at: usize, sources: &Parts) -> Option<Name> {
        if self.stepper.machine.names_answers() {
            return None;
        }
        let address = |event: &Rc<Event>| Rc::as_ptr(event) as u64;
        let mut name = Name::from_slice(&[address(&self.nodes[at].event), self.trace.first_creation()?.into()]);
        for part in sources {
            let Place { object, offset, len } = part.place;
            let (writer, store) = match (part.writer, self.trace.step_of(part.writer)) {
                (_, None) => (0, 0),
                (writer, Some((thread, step))) => {
                    let event = self.trace.event(self.trace.step(thread, step).position);
                    let store = match writer {
                        Writer::Store(_, store) => u64::from(store - event.pushed().start) + 1,
                        Writer::Initial | Writer::Step(..) => 0,
                    };
                    (address(event), store)
                }
            };
            name.extend_from_slice(&[writer, store, u64::from(object) << 32 | u64::from(offset), u64::from(len)]);
        }
        Some(name)
    }
}
