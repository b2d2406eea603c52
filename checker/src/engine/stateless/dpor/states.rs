//! The states on the way, and others met before: each once, with what is known of it.
//!
//! Executions that differ go through the same states over and over. What can be done first from a state and where its steps lead is therefore kept beside it, so
//! that a step that was taken from there before is neither run nor looked up ([`super::memo`]), and the state behind it is there already. Only that it is remembered:
//! what is not known of a state is found out, and states that are not on the way are forgotten when they take too much room.

use std::ops::{Index, IndexMut};
use std::rc::Rc;

use fxhash::FxHashMap;

use super::memo::Known;
use super::search::Node;
use super::tail::Tail;
use crate::engine::stateless::event::Label;
use crate::store::Id;
use crate::system::Layout;

/// The number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateId(u32);

/// A state, and what is known of it.
pub(super) struct State {
    /// Where its vector begins in `vectors`, and how long it is.
    start: usize,
    len: u32,
    /// The vector's hash.
    pub hash: u64,
    /// The last of its steps in `steps`, or [`NONE`].
    steps: u32,
    /// The vector's layout.
    pub layout: Layout,
    /// The threads with delayed stores, one bit each.
    pub pending: u128,
    /// What may be possible first, if that was asked.
    pub first: Option<Option<Label>>,
    /// How the execution ends from here, if that was asked: `Some(None)` if not as a tail.
    pub tail: Option<Option<Rc<Tail>>>,
}

const NONE: u32 = u32::MAX;

/// A step that is known.
struct Step {
    label: Label,
    known: Rc<Known>,
    /// The state that it leads to, if it leads to one.
    reached: Option<StateId>,
    /// Another step from the same state, or [`NONE`].
    next: u32,
}

/// States by their numbers, and numbers by the states.
#[derive(Default)]
pub(super) struct States {
    list: Vec<State>,
    vectors: Vec<Id>,
    steps: Vec<Step>,
    /// By the hashes of their vectors; of several with the same hash one is found.
    found: FxHashMap<u64, StateId>,
}

impl States {
    /// The components of a state.
    pub fn vector(&self, id: StateId) -> &[Id] {
        let State { start, len, .. } = self[id];
        &self.vectors[start..][..len as usize]
    }

    /// The number of a state, if it is there.
    pub fn find(&self, vector: &[Id], hash: u64) -> Option<StateId> {
        self.found.get(&hash).copied().filter(|&id| self.vector(id) == vector)
    }

    /// Adds a state that is not there.
    pub fn add(&mut self, vector: &[Id], hash: u64, layout: Layout, pending: u128) -> StateId {
        let id = StateId(u32::try_from(self.list.len()).expect("states are forgotten before there are as many"));
        self.found.insert(hash, id);
        let (start, len) = (self.vectors.len(), vector.len() as u32);
        self.vectors.extend_from_slice(vector);
        self.list.push(State { start, len, hash, steps: NONE, layout, pending, first: None, tail: None });
        id
    }

    /// The step of a name from a state, and the state that it leads to, if it is known and leads to one.
    pub fn step(&self, from: StateId, label: Label) -> Option<(&Rc<Known>, Option<StateId>)> {
        let mut at = self[from].steps;
        while let Some(step) = self.steps.get(at as usize) {
            if step.label == label {
                return Some((&step.known, step.reached));
            }
            at = step.next;
        }
        None
    }

    /// Takes note of a step from a state.
    pub fn add_step(&mut self, from: StateId, label: Label, known: Rc<Known>, reached: Option<StateId>) {
        let at = u32::try_from(self.steps.len()).expect("steps are forgotten before there are as many");
        let next = std::mem::replace(&mut self[from].steps, at);
        self.steps.push(Step { label, known, reached, next });
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.list.len() * (size_of::<State>() + size_of::<(u64, StateId)>())
            + self.vectors.len() * size_of::<Id>()
            + self.steps.len() * size_of::<Step>()
    }

    /// Forgets all states but those on the way, and what is known of those, and lets `change` change their vectors.
    pub fn keep(&mut self, nodes: &mut [Node], change: impl FnOnce(&mut [Box<[Id]>])) {
        let old = std::mem::take(self);
        let mut kept: Vec<StateId> = nodes.iter().map(|node| node.state).collect();
        kept.sort_unstable();
        kept.dedup();
        let mut vectors: Vec<Box<[Id]>> = kept.iter().map(|&id| old.vector(id).into()).collect();
        change(&mut vectors);
        for (&id, vector) in kept.iter().zip(&vectors) {
            self.add(vector, hash(vector), old[id].layout, old[id].pending);
        }
        for node in nodes {
            let at = kept.binary_search(&node.state).expect("its state was kept");
            node.state = StateId(at as u32);
        }
    }
}

impl Index<StateId> for States {
    type Output = State;

    fn index(&self, id: StateId) -> &State {
        &self.list[id.0 as usize]
    }
}

impl IndexMut<StateId> for States {
    fn index_mut(&mut self, id: StateId) -> &mut State {
        &mut self.list[id.0 as usize]
    }
}

/// The hash of a state vector: the sum of what its components count for, so that the hash of a vector that differs in few of them is found quickly.
pub(super) fn hash(vector: &[Id]) -> u64 {
    vector.iter().enumerate().fold(0, |sum, (at, &id)| sum.wrapping_add(share(at, id)))
}

/// The hash of a vector with a new component at a position.
pub(super) fn rehash(hash: u64, at: usize, old: Id, new: Id) -> u64 {
    hash.wrapping_sub(share(at, old)).wrapping_add(share(at, new))
}

/// What a component at a position counts for in the hash. All bits matter to all: sums of what is only multiplied are the same for many vectors.
fn share(at: usize, id: Id) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (u64::from(id) << 32 | at as u64).wrapping_mul(MIX);
    (mixed ^ mixed >> 29).wrapping_mul(MIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_found_again_until_it_is_forgotten() {
        let mut states = States::default();
        let ids = [5, 6].map(|id| states.add(&[1, id], hash(&[1, id]), Layout::default(), 0));
        let find = |states: &States, vector: &[Id]| states.find(vector, hash(vector));
        assert_eq!([5, 6, 7].map(|id| find(&states, &[1, id])), [Some(ids[0]), Some(ids[1]), None]);
        assert_eq!(rehash(hash(&[1, 5]), 1, 5, 7), hash(&[1, 7]));
        let mut nodes = [ids[1], ids[1]].map(Node::at);
        states.keep(&mut nodes, |kept| kept.iter_mut().for_each(|vector| vector[0] = 2));
        assert_eq!((find(&states, &[1, 5]), find(&states, &[1, 6])), (None, None));
        assert_eq!(nodes.map(|node| Some(node.state)), [find(&states, &[2, 6]); 2]);
    }
}
