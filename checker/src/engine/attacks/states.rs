//! The states of the search, in the order in which they were found, and how each was reached.
//!
//! A state is the machine's vector with one more component behind it: the number of the attack under way, or
//! 0. It is stored as the explicit engine stores its states ([`crate::store`]), and a move, as a number.

use std::rc::Rc;

use super::attack::Attack;
use crate::hash::FxIndexSet;
use crate::store::{Id, Identity, Reached, Space, StateStore};

/// A state: the components of the machine's, and the attack under way.
#[derive(Debug)]
pub struct State {
    /// The state vector of the machine.
    pub vector: Vec<Id>,
    /// The attack; `None` before one has begun.
    pub attack: Option<Rc<Attack>>,
}

/// The number of an attack, from 1.
#[derive(Clone, Copy, Debug)]
pub struct AttackId(Id);

/// A step of the search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A thread takes a step, with these answers to its questions.
    Step(usize, Box<[u32]>),
    /// A store of a thread reaches memory: the one at this index among those that wait.
    Update(usize, usize),
    /// A thread delays its stores from now on.
    Delay(usize),
}

/// The states found so far. They are explored in this order, so each is reached by as few moves as possible.
pub struct States {
    store: StateStore,
    states: crate::store::States,
    /// For each state but the first, the number of the move that led to it.
    by: Vec<u32>,
    /// Moves and attacks, each once; their positions are their numbers.
    moves: FxIndexSet<Move>,
    attacks: FxIndexSet<Rc<Attack>>,
    attack_bytes: usize,
    /// The vector of the state that is added.
    added: Vec<Id>,
}

impl Default for States {
    fn default() -> Self {
        let store = StateStore::new(1, Identity::Exact, &Space::default());
        Self {
            states: crate::store::States::new(&store, 0),
            store,
            by: Vec::new(),
            moves: FxIndexSet::default(),
            attacks: FxIndexSet::default(),
            attack_bytes: 0,
            added: Vec::new(),
        }
    }
}

impl States {
    /// The state of this number, if there is one.
    pub fn take(&mut self, number: usize) -> Option<State> {
        if number >= self.len() {
            return None;
        }
        self.states.take(number as Id);
        let (&attack, vector) = self.states.vector().split_last().expect("a state has a component for its attack");
        let attack = (attack as usize).checked_sub(1).map(|attack| Rc::clone(&self.attacks[attack]));
        Some(State { vector: vector.to_vec(), attack })
    }

    /// The number of states.
    pub const fn len(&self) -> usize {
        self.states.len()
    }

    /// The least number of moves to a state.
    pub fn depth(&self, number: usize) -> u32 {
        std::iter::successors(self.parent(number), |&before| self.parent(before)).count() as u32
    }

    /// The number of an attack.
    pub fn shared(&mut self, attack: Attack) -> AttackId {
        let bytes = attack.bytes();
        let (at, is_new) = self.attacks.insert_full(Rc::new(attack));
        if is_new {
            self.attack_bytes += bytes;
        }
        AttackId(at as Id + 1)
    }

    /// Adds the first state.
    pub fn begin(&mut self, vector: &[Id]) {
        // The first state is its own parent.
        self.insert(0, vector, None);
    }

    /// Adds a state that was reached from another one, unless it is known.
    pub fn add(&mut self, from: usize, by: Move, vector: &[Id], attack: Option<AttackId>) {
        if self.insert(from, vector, attack) {
            let (by, _) = self.moves.insert_full(by);
            self.by.push(by as u32);
        }
    }

    /// Adds a state, and tells whether it is new.
    fn insert(&mut self, from: usize, vector: &[Id], attack: Option<AttackId>) -> bool {
        self.added.clear();
        self.added.extend_from_slice(vector);
        self.added.push(attack.map_or(0, |AttackId(number)| number));
        let name = self.states.fold(&self.added);
        let mut is_new = false;
        self.states.insert(&[Reached { name, parent: from as Id, sleep_mark: 0 }], |_| is_new = true);
        is_new
    }

    /// The state from which a state was reached.
    pub fn parent(&self, number: usize) -> Option<usize> {
        (number > 0).then(|| self.states.parent(number as Id) as usize)
    }

    /// The moves from the first state to another one.
    pub fn path(&self, to: usize) -> Vec<Move> {
        let states = std::iter::successors(Some(to), |&at| self.parent(at)).take_while(|&at| at > 0);
        let mut path: Vec<Move> = states.map(|at| self.moves[self.by[at - 1] as usize].clone()).collect();
        path.reverse();
        path
    }

    /// The approximate number of bytes that the states take.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.states.bytes() + size_of_val(&self.by[..]) + self.attack_bytes
    }
}
