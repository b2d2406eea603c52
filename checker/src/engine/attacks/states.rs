//! The states of the search, in the order in which they were found, and how each was reached.

use std::rc::Rc;

use super::attack::Attack;
use crate::hash::FxHashMap;
use crate::store::Id;

/// A state: the components of the machine's, and the attack under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The state vector of the machine.
    pub vector: Rc<[Id]>,
    /// The attack; `None` before one has begun.
    pub attack: Option<Rc<Attack>>,
}

/// A step of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A thread takes a step, with these answers to its questions.
    Step(usize, Box<[u32]>),
    /// A store of a thread reaches memory: the one at this index among those that wait.
    Update(usize, usize),
    /// A thread delays its stores from now on.
    Delay(usize),
}

/// The states found so far. They are explored in this order, so each is reached by as few moves as possible.
#[derive(Debug, Default)]
pub struct States {
    list: Vec<State>,
    /// For each state but the first, a state from which it was reached, and the move.
    parents: Vec<(usize, Move)>,
    /// The number of moves to each state.
    depths: Vec<u32>,
    known: FxHashMap<State, usize>,
    /// Attacks, each once.
    attacks: FxHashMap<Attack, Rc<Attack>>,
    bytes: usize,
}

impl States {
    /// The state of this number.
    pub fn get(&self, number: usize) -> Option<&State> {
        self.list.get(number)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The least number of moves to a state.
    pub fn depth(&self, number: usize) -> u32 {
        self.depths[number]
    }

    /// The only copy of an attack.
    pub fn shared(&mut self, attack: Attack) -> Rc<Attack> {
        if let Some(known) = self.attacks.get(&attack) {
            return Rc::clone(known);
        }
        self.bytes += attack.bytes();
        let shared = Rc::new(attack.clone());
        self.attacks.insert(attack, Rc::clone(&shared));
        shared
    }

    /// Adds the first state.
    pub fn begin(&mut self, vector: &[Id]) {
        self.insert(State { vector: vector.into(), attack: None }, None);
    }

    /// Adds a state that was reached from another one, unless it is known.
    pub fn add(&mut self, from: usize, by: Move, vector: &[Id], attack: Option<Rc<Attack>>) {
        let state = State { vector: vector.into(), attack };
        if !self.known.contains_key(&state) {
            self.insert(state, Some((from, by)));
        }
    }

    fn insert(&mut self, state: State, parent: Option<(usize, Move)>) {
        self.bytes += 2 * size_of::<State>() + 2 * size_of::<usize>() + size_of::<u32>();
        self.bytes += size_of_val::<[Id]>(&state.vector) + size_of::<(usize, Move)>();
        self.depths.push(parent.as_ref().map_or(0, |&(from, _)| self.depths[from] + 1));
        self.parents.extend(parent);
        self.known.insert(state.clone(), self.list.len());
        self.list.push(state);
    }

    /// The state from which a state was reached.
    pub fn parent(&self, number: usize) -> Option<usize> {
        Some(self.parents.get(number.checked_sub(1)?)?.0)
    }

    /// The moves from the first state to another one.
    pub fn path(&self, to: usize) -> Vec<Move> {
        let mut path = Vec::new();
        let mut at = to;
        while at > 0 {
            let (from, by) = &self.parents[at - 1];
            path.push(by.clone());
            at = *from;
        }
        path.reverse();
        path
    }

    /// The approximate number of bytes that the states take.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}
