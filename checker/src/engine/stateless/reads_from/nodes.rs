//! The decisions of the current execution, with lists of what is asked of all of them: which may read a
//! place, and whose threads do not go on.

use std::ops::{Index, IndexMut, Range};

use rmc_consistency::Place;

use super::clock::Clock;
use super::histories::HistoryId;
use super::memory::Parts;
use super::node::{LastStep, Node};

/// The nodes of the current execution.
#[derive(Default)]
pub struct Nodes {
    list: Vec<Node>,
    /// The open reads of each node.
    open: Vec<Open>,
    halts: Vec<Halt>,
    /// The number of nodes whose decisions are shared with other workers.
    shared: usize,
}

/// A node's open reads, as far as they are known without looking at the node.
struct Open {
    /// A set of objects, as bits, that has those of its open reads.
    objects: u64,
    /// The step, by thread and number.
    step: (u32, u32),
}

/// A thread that does not go on in the current execution, although others do. They are followed also for what
/// its last step may read from them.
#[derive(Clone, Copy, Debug)]
pub struct Halt {
    /// The node of its last step.
    pub node: usize,
    /// The thread.
    pub thread: usize,
    /// Its history with the step, if the step ended the execution, or without it, if the thread waits.
    pub history: HistoryId,
    /// The way in which the step ends the execution.
    pub last: LastStep,
}

impl Nodes {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a node.
    pub fn push(&mut self, node: Node) {
        let step = (node.thread as u32, node.base.of(node.thread));
        self.open.push(Open { objects: 0, step });
        self.list.push(node);
    }

    /// Removes the last node.
    pub fn pop(&mut self) {
        // In place: a node has several hundred bytes.
        self.list.truncate(self.len() - 1);
        self.open.pop();
        self.shared = self.shared.min(self.len());
    }

    /// True if no branch is left: nodes that are not shared are left as long as they have none.
    pub fn have_no_branches(&self) -> bool {
        self.len() == self.shared && self.list.iter().all(|node| node.pending.is_empty())
    }

    /// The number of nodes, from the first one, whose decisions are shared with other workers.
    pub const fn shared(&self) -> usize {
        self.shared
    }

    /// Sets the number of shared nodes.
    pub const fn set_shared(&mut self, shared: usize) {
        self.shared = shared;
    }

    /// Leaves the first nodes, with threads that all go on.
    pub fn keep(&mut self, len: usize) {
        self.list.truncate(len);
        self.open.truncate(len);
        self.halts.clear();
        self.shared = self.shared.min(len);
    }

    /// The nodes, the first one first.
    pub fn iter(&self) -> std::slice::Iter<'_, Node> {
        self.list.iter()
    }

    /// Sets the sources of a node's step in the current execution.
    pub fn set_current(&mut self, at: usize, sources: &Parts) {
        let open = sources.iter().filter(|part| part.is_open);
        self.open[at].objects = open.fold(0, |objects, part| objects | bit(part.place));
        self.list[at].current = Parts::from_slice(sources);
    }

    /// The first of these nodes that may read bytes of a place and whose step is none of `past`.
    pub fn first_reader(&self, place: Place, past: &Clock, among: Range<usize>) -> Option<usize> {
        let bit = bit(place);
        let may_read = |open: &Open| open.objects & bit != 0 && !past.has(open.step.0 as usize, open.step.1);
        Some(among.start + self.open[among].iter().position(may_read)?)
    }

    /// The nodes before `below` that may read bytes of a place and whose steps are none of `past`.
    pub fn readers(&self, place: Place, past: &Clock, below: usize) -> impl Iterator<Item = usize> {
        let next = move |last: &usize| self.first_reader(place, past, last + 1..below);
        std::iter::successors(self.first_reader(place, past, 0..below), next)
    }

    /// Records that the thread of a node does not go on.
    pub fn add_halt(&mut self, node: usize, history: HistoryId, last: LastStep) {
        self.halts.push(Halt { node, thread: self.list[node].thread, history, last });
    }

    /// The threads that do not go on.
    pub fn halts(&self) -> &[Halt] {
        &self.halts
    }

    /// The number of events before a node that are where they were when it was met.
    pub fn undisturbed(&self, node: usize) -> usize {
        let displaced = self.list[node..].iter().filter_map(|node| node.displaced.as_ref());
        let inserted = self.list[node..].iter().filter_map(|node| node.inserted.as_ref());
        let positions = displaced.map(|displaced| displaced.from).chain(inserted.map(|inserted| inserted.position));
        positions.fold(self.list[node].position, usize::min)
    }

    /// True if the step of a node is never taken in the current execution, as it waits.
    pub fn waits(&self, node: usize) -> bool {
        self.halts.iter().any(|halt| halt.node == node && halt.last == LastStep::Waits)
    }

    /// Forgets what the last node's step read and that its thread did not go on.
    pub fn reset_last(&mut self) {
        let at = self.len() - 1;
        self.set_current(at, &Parts::new());
        while self.halts.last().is_some_and(|halt| halt.node >= at) {
            self.halts.pop();
        }
    }
}

impl Index<usize> for Nodes {
    type Output = Node;

    fn index(&self, at: usize) -> &Node {
        &self.list[at]
    }
}

impl IndexMut<usize> for Nodes {
    fn index_mut(&mut self, at: usize) -> &mut Node {
        &mut self.list[at]
    }
}

/// The bit of a place's object.
fn bit(place: Place) -> u64 {
    const MIX: u32 = 0x9E37_79B9;
    1 << (place.object.wrapping_mul(MIX) >> 26)
}
