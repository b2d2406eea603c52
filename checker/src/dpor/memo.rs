//! Steps that were taken before, and what came of them.
//!
//! The same step of a thread is taken from many states that differ only in what does not matter to it. What matters is known: the thread's own components and
//! what the step looked at ([`Seen`]). A step is found again by looking at the same items in the same order: its own components lead to the
//! first item, the value of that to the next, and so on to the result. The result is applied to the state vector without running anything.
//!
//! Steps that ask a question, end the process or go wrong are not kept. If too many are kept all are forgotten, so memory is bounded.

use std::rc::Rc;

use fxhash::FxHashMap;

use super::event::Event;
use crate::store::Id;
use crate::system::Seen;

/// Results that are kept at most.
const MOST: usize = 1 << 20;

/// What a step depends on that is known without looking: what it is, and components of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The thread, and for an update the number of the store plus one.
    pub label: (u32, u32),
    /// The thread's components; of no interest to an update.
    pub thread: [Id; 2],
    /// The thread's buffer.
    pub queue: Id,
    /// Threads and objects, and the number of buffers.
    pub whole: [Id; 2],
}

/// Where the components of the state behind a step come from.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The state before, from one position to another.
    Same(u32, u32),
    /// The step.
    New(Id),
}

/// What came of a step.
#[derive(Debug)]
pub struct Known {
    /// The event that it was, or if it had to wait, its attempt.
    pub event: Rc<Event>,
    /// The state behind it; nothing if it had to wait.
    pub reached: Option<Box<[Part]>>,
}

enum Node {
    Look(u32),
    Found(Rc<Known>),
}

/// Results of steps.
#[derive(Default)]
pub struct Memo {
    roots: FxHashMap<Key, u32>,
    edges: FxHashMap<(u32, u32), u32>,
    nodes: Vec<Node>,
}

impl Memo {
    /// The result of a step; `look` gives the value of an item in the state.
    pub fn find(&self, key: &Key, look: impl Fn(u32) -> u32) -> Option<Rc<Known>> {
        let mut node = *self.roots.get(key)?;
        loop {
            match &self.nodes[node as usize] {
                Node::Found(known) => return Some(Rc::clone(known)),
                Node::Look(item) => node = *self.edges.get(&(node, look(*item)))?,
            }
        }
    }

    /// Keeps the result of a step that looked at these items.
    pub fn insert(&mut self, key: Key, seen: &[Seen], known: Known) {
        if self.nodes.len() >= MOST {
            self.forget();
        }
        let last = Node::Found(Rc::new(known));
        let mut kinds = seen.iter().map(|one| Node::Look(one.item)).chain(std::iter::once(last));
        let new = self.nodes.len() as u32;
        let mut node = *self.roots.entry(key).or_insert(new);
        let mut is_new = node == new;
        for one in seen {
            let kind = kinds.next().expect("one for every item");
            if is_new {
                self.nodes.push(kind);
            }
            let new = self.nodes.len() as u32;
            node = *self.edges.entry((node, one.value)).or_insert(new);
            is_new = node == new;
        }
        if is_new {
            self.nodes.extend(kinds.next());
        }
    }

    /// Forgets everything: components have other ids now, or there is too much.
    pub fn forget(&mut self) {
        self.roots.clear();
        self.edges.clear();
        self.nodes.clear();
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        (self.roots.capacity() + self.edges.capacity()) * 32
            + self.nodes.len() * (size_of::<Node>() + size_of::<Event>())
    }
}

/// The vector behind a step from the one before it.
pub fn apply(parts: &[Part], before: &[Id], after: &mut Vec<Id>) {
    after.clear();
    for part in parts {
        match *part {
            Part::Same(from, to) => after.extend_from_slice(&before[from as usize..to as usize]),
            Part::New(id) => after.push(id),
        }
    }
}

/// Describes one vector by another: what has the same name and content in both is the same. The names are given for all positions of both.
pub fn parts(before: &[(u64, Id)], after: &[(u64, Id)]) -> Box<[Part]> {
    let places: FxHashMap<u64, u32> = before.iter().zip(0..).map(|(&(name, _), at)| (name, at)).collect();
    let mut parts: Vec<Part> = Vec::new();
    for &(name, id) in after {
        let same = places.get(&name).copied().filter(|&at| before[at as usize].1 == id);
        match (same, parts.last_mut()) {
            (Some(at), Some(Part::Same(_, to))) if *to == at => *to += 1,
            (Some(at), _) => parts.push(Part::Same(at, at + 1)),
            (None, _) => parts.push(Part::New(id)),
        }
    }
    parts.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_described_by_another_one() {
        let before = [(1, 10), (2, 20), (3, 30), (4, 40)];
        let after = [(1, 10), (2, 20), (9, 90), (4, 40), (3, 31)];
        let parts = parts(&before, &after);
        assert!(matches!(*parts, [Part::Same(0, 2), Part::New(90), Part::Same(3, 4), Part::New(31)]));
        let mut reached = Vec::new();
        apply(&parts, &[10, 20, 77, 88], &mut reached);
        assert_eq!(reached, [10, 20, 90, 88, 31]);
    }
}
