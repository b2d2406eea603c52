//! A cache of results of steps, found by the items that the steps read.
//!
//! A step of a thread is taken from many states that differ only in parts that do not matter to it.
//! The parts that matter are known: the thread's own components and the items that the step read
//! ([`ReadEntry`]). A result is found by reading the same items in the same order: its key leads to the first
//! item, the value of that to the next, and so on. If there are too many results, all are removed, so memory
//! is bounded. Tried and removed: reading all items of a step at once, with one look-up for all of them; it
//! is no faster.

use std::hash::Hash;

use crate::hash::FxHashMap;
use crate::store::{Change, Id};
use crate::system::ReadEntry;

/// The default for the maximal number of nodes.
const MOST_NODES: usize = 1 << 20;
/// The approximate number of bytes of a node with everything that belongs to it.
const NODE: usize = 300;

/// Results of steps by their keys.
pub struct Memo<K, V> {
    roots: FxHashMap<K, u32>,
    edges: FxHashMap<(u32, u32), u32>,
    nodes: Vec<Node<V>>,
    most: usize,
}

enum Node<V> {
    Item(u32),
    Found(V),
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self::within(usize::MAX)
    }
}

impl<K, V> Memo<K, V> {
    /// A cache of about `bytes` bytes at most.
    #[must_use]
    pub fn within(bytes: usize) -> Self {
        let most = MOST_NODES.min(bytes / NODE);
        Self { roots: FxHashMap::default(), edges: FxHashMap::default(), nodes: Vec::new(), most }
    }
}

impl<K: Hash + Eq, V> Memo<K, V> {
    /// The result of a step, if it is cached. `item_value` returns the value of an item in the state.
    #[inline]
    pub fn find(&self, key: &K, item_value: impl Fn(u32) -> u32) -> Option<&V> {
        let mut node = *self.roots.get(key)?;
        loop {
            match &self.nodes[node as usize] {
                Node::Found(result) => return Some(result),
                Node::Item(item) => node = *self.edges.get(&(node, item_value(*item)))?,
            }
        }
    }

    /// Caches the result of a step that read these items.
    pub fn insert(&mut self, key: K, read_set: &[ReadEntry], result: V) {
        if self.nodes.len() >= self.most {
            self.forget();
        }
        let mut kinds = read_set.iter().map(|one| Node::Item(one.item)).chain(std::iter::once(Node::Found(result)));
        let new = self.nodes.len() as u32;
        let mut node = *self.roots.entry(key).or_insert(new);
        let mut is_new = node == new;
        for one in read_set {
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

    /// Removes everything.
    pub fn forget(&mut self) {
        self.roots.clear();
        self.edges.clear();
        self.nodes.clear();
    }

    /// The approximate number of bytes that the cache takes, if each result refers to `each` more.
    pub fn bytes(&self, each: usize) -> usize {
        (self.roots.capacity() + self.edges.capacity()) * 32 + self.nodes.len() * (size_of::<Node<V>>() + each)
    }
}

/// The origins of the components of the state after a step.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The range of positions of the state before the step, from the first number to before the second one.
    Same(u32, u32),
    /// A new component of the step.
    New(Id),
}

/// Replaces the components of a vector that a step changed.
pub fn change(vector: &mut [Id], changes: &[Change]) {
    changes.iter().for_each(|&(at, id)| vector[at as usize] = id);
}

/// Writes to `after` the vector after a step that changed components of `before`.
pub fn apply_changes(changes: &[Change], before: &[Id], after: &mut Vec<Id>) {
    after.clear();
    after.extend_from_slice(before);
    change(after, changes);
}

/// Writes to `after` the vector after a step, made of parts of `before`.
pub fn apply(parts: &[Origin], before: &[Id], after: &mut Vec<Id>) {
    after.clear();
    for part in parts {
        match *part {
            Origin::Same(from, to) => after.extend_from_slice(&before[from as usize..to as usize]),
            Origin::New(id) => after.push(id),
        }
    }
}

/// Describes one vector by another one: components with the same name and content in both are taken from the
/// first. The names are given for all positions of both.
pub fn parts(before: &[(u64, Id)], after: &[(u64, Id)]) -> Box<[Origin]> {
    let places: FxHashMap<u64, u32> = before.iter().zip(0..).map(|(&(name, _), at)| (name, at)).collect();
    let mut parts: Vec<Origin> = Vec::new();
    for &(name, id) in after {
        let same = places.get(&name).copied().filter(|&at| before[at as usize].1 == id);
        match (same, parts.last_mut()) {
            (Some(at), Some(Origin::Same(_, to))) if *to == at => *to += 1,
            (Some(at), _) => parts.push(Origin::Same(at, at + 1)),
            (None, _) => parts.push(Origin::New(id)),
        }
    }
    parts.into()
}

/// The components in which two vectors with the same names differ.
pub fn changes(before: &[Id], after: &[Id]) -> Box<[Change]> {
    (0..).zip(after.iter().copied()).filter(|&(at, id)| before[at as usize] != id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_described_by_another_one() {
        let before = [(1, 10), (2, 20), (3, 30), (4, 40)];
        let after = [(1, 10), (2, 20), (9, 90), (4, 40), (3, 31)];
        let parts = parts(&before, &after);
        assert!(matches!(*parts, [Origin::Same(0, 2), Origin::New(90), Origin::Same(3, 4), Origin::New(31)]));
        let mut reached = Vec::new();
        apply(&parts, &[10, 20, 77, 88], &mut reached);
        assert_eq!(reached, [10, 20, 90, 88, 31]);
    }

    #[test]
    fn a_result_is_found_where_all_that_was_seen_is_the_same() {
        let mut memo = Memo::default();
        let read_set = |value| [ReadEntry { item: 1, value }, ReadEntry { item: 2, value: 7 }];
        memo.insert("step", &read_set(5), "five");
        memo.insert("step", &read_set(6), "six");
        let item_value = |one, two| move |item| if item == 1 { one } else { two };
        assert_eq!(memo.find(&"step", item_value(6, 7)), Some(&"six"));
        assert_eq!(memo.find(&"step", item_value(5, 7)), Some(&"five"));
        assert_eq!(memo.find(&"step", item_value(5, 8)), None);
        assert_eq!(memo.find(&"other", item_value(5, 7)), None);
    }
}
