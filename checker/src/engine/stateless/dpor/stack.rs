//! The stack of the depth-first search: what is asleep in each state on the way, and what is still to be
//! explored.

use std::ops::Range;
use std::rc::Rc;

use super::wakeup::Branch;
use crate::engine::stateless::estimate::Branching;
use crate::engine::stateless::event::{Action, Event};

/// A state on the way, and what is left to do from it.
pub(super) struct StackNode {
    /// The beginning of its sleep set in [`SearchStack::sleep`].
    sleep: usize,
    /// The wakeup tree: what is to be explored.
    pub tree: Vec<Branch>,
    /// Some event was explored from here.
    pub taken: bool,
    /// Executions that were found before the state was entered.
    before: u64,
    /// Branches from which everything was explored.
    pub finished: usize,
}

/// The states on the way, first to last.
#[derive(Default)]
pub(super) struct SearchStack {
    nodes: Vec<StackNode>,
    /// The sleep sets of the nodes, one after the other: events that were explored from the node, or from an
    /// earlier one and commute with all events since.
    sleep: Vec<Rc<Event>>,
}

impl SearchStack {
    /// Enters a state in which those events of the last sleep set are asleep that `stays_asleep`.
    #[inline]
    pub fn enter(&mut self, tree: Vec<Branch>, before: u64, stays_asleep: impl Fn(&Event) -> bool) {
        let sleep = self.sleep.len();
        if let Some(last) = self.nodes.len().checked_sub(1) {
            for at in self.sleep_range(last) {
                if stays_asleep(&self.sleep[at]) {
                    self.sleep.push(Rc::clone(&self.sleep[at]));
                }
            }
        }
        self.nodes.push(StackNode { sleep, tree, taken: false, before, finished: 0 });
    }

    /// Leaves the last state.
    #[inline]
    pub fn leave(&mut self) {
        let node = self.nodes.pop().expect("a state to leave");
        self.sleep.truncate(node.sleep);
    }

    /// Everything behind an event from the last state was explored.
    #[inline]
    pub fn put_to_sleep(&mut self, event: Rc<Event>) {
        self.sleep.push(event);
        self.last_mut().finished += 1;
    }

    /// Wakes everything that is asleep in the state at a position, which is the last one if it is there.
    pub fn wake_all(&mut self, at: usize) {
        if let Some(node) = self.nodes.get(at) {
            self.sleep.truncate(node.sleep);
        }
    }

    /// Number of states on the way.
    #[inline]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the search came to its end.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The last state.
    #[inline]
    pub fn last_mut(&mut self) -> &mut StackNode {
        self.nodes.last_mut().expect("a state")
    }

    #[inline]
    fn sleep_range(&self, at: usize) -> Range<usize> {
        self.nodes[at].sleep..self.nodes.get(at + 1).map_or(self.sleep.len(), |next| next.sleep)
    }

    /// The sleep set of the state at a position.
    #[inline]
    pub fn sleep_set(&self, at: usize) -> &[Rc<Event>] {
        &self.sleep[self.sleep_range(at)]
    }

    /// The wakeup tree of the state at a position.
    pub fn tree(&self, at: usize) -> &[Branch] {
        &self.nodes[at].tree
    }

    /// The sleep set of the last state.
    #[inline]
    pub fn last_sleep_set(&self) -> &[Rc<Event>] {
        self.sleep_set(self.nodes.len() - 1)
    }

    /// Whether an event of this name is asleep in the last state.
    #[inline]
    pub fn is_asleep(&self, action: Action) -> bool {
        self.last_sleep_set().iter().any(|event| event.action == action)
    }

    /// The wakeup tree of the state at a position, and its sleep set.
    #[inline]
    pub fn plans(&mut self, at: usize) -> (&mut Vec<Branch>, &[Rc<Event>]) {
        let range = self.sleep_range(at);
        (&mut self.nodes[at].tree, &self.sleep[range])
    }

    /// The events that were or will be explored first from the last state.
    pub fn first_events(&self) -> impl Iterator<Item = &Rc<Event>> {
        let planned = self.nodes[self.nodes.len() - 1].tree.iter().map(|branch| &branch.first().event);
        self.last_sleep_set().iter().chain(planned)
    }

    /// The branches of the states, last state first.
    pub fn branchings(&self) -> impl Iterator<Item = Branching> {
        let branching =
            |node: &StackNode| Branching { before: node.before, finished: node.finished, open: node.tree.len() };
        self.nodes.iter().rev().map(branching)
    }
}
