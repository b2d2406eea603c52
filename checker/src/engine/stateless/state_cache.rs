//! The states of the current execution and others met before. Each is stored once, with cached facts about
//! it.
//!
//! Different executions go through the same states again and again. So the first action to try in a state and
//! the successors by its steps are stored with it. A step that was taken from there before is then neither
//! run nor looked up ([`super::step_cache`]), and its successor is known. This is only a cache: misses are
//! recomputed, and states that are not in the current execution are removed when they take too much memory.

use std::ops::{Index, IndexMut};
use std::rc::Rc;

use super::event::Action;
use super::join_suffix::JoinSuffix;
use super::step_cache::CachedStep;
use crate::hash::FxHashMap;
use crate::store::Id;
use crate::system::Layout;

/// The id of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);

/// A state, and cached facts about it.
pub struct State {
    /// The start and length of its vector in `vectors`.
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
    /// The first action to try, if it was computed.
    pub first_action: Option<Option<Action>>,
    /// The end of the execution from here, if it was computed; `Some(None)` if it is no join suffix.
    pub join_suffix: Option<Option<Rc<JoinSuffix>>>,
}

const NONE: u32 = u32::MAX;

/// A cached step from a state.
struct Successor {
    action: Action,
    cached: Rc<CachedStep>,
    /// The state to which it leads, if it leads to one.
    reached: Option<StateId>,
    /// Another step from the same state, or [`NONE`].
    next: u32,
}

/// Maps from ids to states and from states to ids.
#[derive(Default)]
pub struct StateCache {
    list: Vec<State>,
    vectors: Vec<Id>,
    steps: Vec<Successor>,
    /// States by the hashes of their vectors. One of several with the same hash is found.
    found: FxHashMap<u64, StateId>,
}

impl StateCache {
    /// The components of a state.
    #[inline]
    pub fn vector(&self, id: StateId) -> &[Id] {
        let State { start, len, .. } = self[id];
        &self.vectors[start..][..len as usize]
    }

    /// The id of a state, if it is there.
    #[inline]
    pub fn find(&self, vector: &[Id], hash: u64) -> Option<StateId> {
        self.found.get(&hash).copied().filter(|&id| self.vector(id) == vector)
    }

    /// Adds a state that is not there.
    pub fn add(&mut self, vector: &[Id], hash: u64, layout: Layout, pending: u128) -> StateId {
        let id = StateId(u32::try_from(self.list.len()).expect("states are forgotten before there are as many"));
        self.found.insert(hash, id);
        let (start, len) = (self.vectors.len(), vector.len() as u32);
        self.vectors.extend_from_slice(vector);
        self.list.push(State { start, len, hash, steps: NONE, layout, pending, first_action: None, join_suffix: None });
        id
    }

    /// The cached step with this name from a state, and the state to which it leads, if there is one.
    #[inline]
    pub fn step(&self, from: StateId, action: Action) -> Option<(&Rc<CachedStep>, Option<StateId>)> {
        let mut at = self[from].steps;
        while let Some(step) = self.steps.get(at as usize) {
            if step.action == action {
                return Some((&step.cached, step.reached));
            }
            at = step.next;
        }
        None
    }

    /// Caches a step from a state.
    pub fn add_step(&mut self, from: StateId, action: Action, cached: Rc<CachedStep>, reached: Option<StateId>) {
        let at = u32::try_from(self.steps.len()).expect("steps are forgotten before there are as many");
        let next = std::mem::replace(&mut self[from].steps, at);
        self.steps.push(Successor { action, cached, reached, next });
    }

    /// The approximate number of bytes that the cache takes.
    pub fn bytes(&self) -> usize {
        self.list.len() * (size_of::<State>() + size_of::<(u64, StateId)>())
            + self.vectors.len() * size_of::<Id>()
            + self.steps.len() * size_of::<Successor>()
    }

    /// Removes all states except those of the current execution, and the cached facts about those, and lets
    /// `change` change their vectors. `path` are the states of the current execution, which get new ids.
    pub fn keep(&mut self, path: &mut [StateId], change: impl FnOnce(&mut [Box<[Id]>])) {
        let old = std::mem::take(self);
        let mut kept = path.to_vec();
        kept.sort_unstable();
        kept.dedup();
        let mut vectors: Vec<Box<[Id]>> = kept.iter().map(|&id| old.vector(id).into()).collect();
        change(&mut vectors);
        for (&id, vector) in kept.iter().zip(&vectors) {
            self.add(vector, hash(vector), old[id].layout, old[id].pending);
        }
        for state in path {
            let at = kept.binary_search(state).expect("its state was kept");
            *state = StateId(at as u32);
        }
    }
}

impl Index<StateId> for StateCache {
    type Output = State;

    #[inline]
    fn index(&self, id: StateId) -> &State {
        &self.list[id.0 as usize]
    }
}

impl IndexMut<StateId> for StateCache {
    #[inline]
    fn index_mut(&mut self, id: StateId) -> &mut State {
        &mut self.list[id.0 as usize]
    }
}

/// The hash of a state vector: the sum of the shares of its components. So the hash of a vector that differs
/// in few components is computed quickly.
pub fn hash(vector: &[Id]) -> u64 {
    vector.iter().enumerate().fold(0, |sum, (at, &id)| sum.wrapping_add(share(at, id)))
}

/// The hash of a vector with a new component at a position.
pub fn rehash(hash: u64, at: usize, old: Id, new: Id) -> u64 {
    hash.wrapping_sub(share(at, old)).wrapping_add(share(at, new))
}

/// The share of a component at a position in the hash. Every bit influences all bits: sums of products alone
/// would be equal for many vectors.
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
        let mut states = StateCache::default();
        let ids = [5, 6].map(|id| states.add(&[1, id], hash(&[1, id]), Layout::default(), 0));
        let find = |states: &StateCache, vector: &[Id]| states.find(vector, hash(vector));
        assert_eq!([5, 6, 7].map(|id| find(&states, &[1, id])), [Some(ids[0]), Some(ids[1]), None]);
        assert_eq!(rehash(hash(&[1, 5]), 1, 5, 7), hash(&[1, 7]));
        let mut path = [ids[1], ids[1]];
        states.keep(&mut path, |kept| kept.iter_mut().for_each(|vector| vector[0] = 2));
        assert_eq!((find(&states, &[1, 5]), find(&states, &[1, 6])), (None, None));
        assert_eq!(path.map(Some), [find(&states, &[2, 6]); 2]);
    }
}
