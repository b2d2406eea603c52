//! Branches that need not be followed because it is known what their step does there: it waits, as the lock of
//! a mutex does that others hold, or it reads and overwrites what another step does.
//!
//! What a step does depends on the state of its thread and on the values that it reads. The identity of an
//! event from the cache of steps (`step_cache.rs`) stands for both: for what its thread knew, and for what it
//! read and wrote. So the name of a branch is the node's step, as it was first, the steps from which the sources
//! of the branch come, and the history of the main thread up to the first creation of a thread, which decides
//! what is in memory first. Bytes that the step reads besides have one writer in the whole search, which comes
//! before ([`super::written`]).

use std::rc::Rc;

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::alternatives::{Rivals, Taken};
use super::candidate::Candidate;
use super::memory::Parts;
use super::search::Search;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;
use crate::hash::FxHashMap;

/// The name of a branch.
type Name = SmallVec<[u64; 12]>;

/// What the step of a branch does.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// It waits.
    Waits,
    /// It is taken as this event, whose writes are at once.
    Taken(&'a Rc<Event>),
}

/// What is known of a branch without an execution.
pub enum Settled {
    /// Nothing.
    No,
    /// Nothing follows from it.
    Yes,
    /// Others read what its step reads, and write. Earlier steps may read what it writes.
    Competes(Box<(Candidate, Rivals)>),
}

/// What is known of branches of a name.
struct Known {
    /// The event, if the step is taken.
    taken: Option<Rc<Event>>,
    /// The bytes that the step reads and that are not named.
    rest: Vec<Place>,
    /// The events of the name, which keep their addresses.
    _events: SmallVec<[Rc<Event>; 2]>,
}

/// The outcomes of branches.
#[derive(Default)]
pub struct Outcomes {
    known: FxHashMap<Box<[u64]>, Known>,
}

impl Search<'_> {
    /// Records the outcome of a branch. `rest` are the bytes that its step reads and that have no other source
    /// than the one that they have.
    pub(super) fn note_outcome(&mut self, at: usize, sources: &Parts, outcome: Outcome<'_>, rest: Vec<Place>) {
        let Some(name) = self.name_of_branch(at, sources) else { return };
        let writers = sources.iter().filter_map(|part| self.trace.step_of(part.writer));
        let writers = writers.map(|(thread, step)| Rc::clone(self.trace.event(self.trace.step(thread, step).position)));
        let _events = writers.chain([Rc::clone(&self.nodes[at].event)]).collect();
        let taken = match outcome {
            Outcome::Waits => None,
            Outcome::Taken(event) => Some(Rc::clone(event)),
        };
        self.outcomes.known.insert(name[..].into(), Known { taken, rest, _events });
    }

    /// What follows without an execution from a branch of a node, in which its step is the one of its thread
    /// with this number. All steps of the branch are in the execution.
    pub(super) fn settled(&mut self, at: usize, number: u32, sources: &Parts) -> Settled {
        if self.outcomes.known.is_empty() {
            return Settled::No;
        }
        let Some(name) = self.name_of_branch(at, sources) else { return Settled::No };
        let Some(Known { taken, rest, .. }) = self.outcomes.known.get(&name[..]) else { return Settled::No };
        let thread = self.nodes[at].thread;
        let rivals = match taken {
            None => SmallVec::new(),
            Some(event) => {
                let Ok(accesses) = event.accesses() else { return Settled::No };
                let mut rivals = self.trace.taken(sources, (thread, number));
                rivals.retain(|taken| accesses.writes.iter().any(|&write| write.overlaps(taken.place)));
                if rivals.is_empty() {
                    return Settled::No;
                }
                rivals
            }
        };
        if !self.written.leave_out(rest, self.trace.comes_before(&self.histories, thread, number)) {
            return Settled::No;
        }
        match taken {
            Some(event) if self.has_competing_reader(at, number, (event, sources), &rivals) => self
                .trace
                .candidate_with(event, number, sources)
                .map_or(Settled::No, |candidate| Settled::Competes(Box::new((candidate, rivals)))),
            _ => Settled::Yes,
        }
    }

    /// True if a node before one may read what this one's step writes as an event.
    fn has_competing_reader(
        &self,
        at: usize,
        number: u32,
        (event, sources): (&Rc<Event>, &Parts),
        rivals: &[Taken],
    ) -> bool {
        let past = self.trace.past(event.action.thread, number, sources);
        let Ok(accesses) = event.accesses() else { return true };
        accesses.writes.iter().any(|&place| {
            self.nodes
                .readers(place, at)
                .into_iter()
                .any(|reader| self.may_revisit(reader as usize, place, &past, rivals))
        })
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
            name.extend([writer, store, u64::from(object) << 32 | u64::from(offset), u64::from(len)]);
        }
        Some(name)
    }
}
