//! Branches that need not be followed because it is known what their step does there: it waits, as the lock of
//! a mutex does that others hold, or it reads and overwrites what another step does.
//!
//! What a step does depends on the state of its thread and on the values that it reads. The identity of an
//! event from the cache of steps (`step_cache.rs`) stands for both: for what its thread knew, and for what it
//! read and wrote. So the name of a branch is the node's step, as it was first, and the steps from which the
//! sources of the branch come. Bytes that the step reads besides have one writer, which comes before
//! ([`super::written`]), so their values are those that the node's step read.

use std::rc::Rc;

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::memory::Parts;
use super::node::Child;
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

    /// True if a branch of a node needs no execution, since its outcome is known. What else follows from the
    /// outcome is done then. All steps of the branch are in the execution.
    pub(super) fn is_settled(&mut self, at: usize, child: &Child) -> bool {
        if self.outcomes.known.is_empty() {
            return false;
        }
        let Some(name) = self.name_of_branch(at, &child.sources) else { return false };
        let Some(Known { taken, rest, .. }) = self.outcomes.known.get(&name[..]) else { return false };
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let competes = match taken {
            None => None,
            Some(event) => {
                let Some(candidate) = self.trace.candidate_with(event, number, &child.sources) else { return false };
                let mut rivals = self.trace.taken(&child.sources, (thread, number));
                rivals.retain(|taken| candidate.accesses.writes.iter().any(|&write| write.overlaps(taken.place)));
                if rivals.is_empty() {
                    return false;
                }
                Some((candidate, rivals))
            }
        };
        if !self.written.leave_out(rest, self.trace.comes_before(&self.histories, thread, number)) {
            return false;
        }
        if let Some((candidate, rivals)) = competes {
            let name = self.trace.name(thread, number, &candidate.parts, &[]);
            let history = self.histories.after(&name, &candidate.event, &candidate.accesses);
            let past = self.trace.past(thread, number, &candidate.parts);
            self.compete(at, child, &candidate, (history, &past), &rivals);
        }
        true
    }

    /// The name of a branch, unless values are not known.
    fn name_of_branch(&self, at: usize, sources: &Parts) -> Option<Name> {
        if self.stepper.machine.names_answers() {
            return None;
        }
        let address = |event: &Rc<Event>| Rc::as_ptr(event) as u64;
        let mut name = Name::from_slice(&[address(&self.nodes[at].event)]);
        for part in sources {
            let Place { object, offset, len } = part.place;
            let (writer, store) = match (part.writer, self.trace.step_of(part.writer)) {
                // What was in memory first is what the main thread left there.
                (_, None) => (u64::from(self.trace.first_creation()?), u64::MAX),
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
