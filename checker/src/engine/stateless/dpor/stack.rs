//! The stack of the depth-first search. It has a node for each state of the current execution, with the two
//! sets that decide what is explored from the state:
//!
//! * the sleep set: events that need not be taken, because all executions that begin with one of them were
//!   explored elsewhere;
//! * the wakeup tree: sequences of events that are still to be taken, each because it reverses a race.
//!
//! Both are defined in Abdulla, Aronis, Jonsson and Sagonas, *Optimal Dynamic Partial Order Reduction*, POPL
//! 2014, sections 3 and 5.

use std::ops::Range;
use std::rc::Rc;

use super::wakeup::Branch;
use crate::engine::stateless::estimate::Branching;
use crate::engine::stateless::event::{Action, Event};

/// The progress of the search in a state of the current execution.
pub(super) struct StackNode {
    /// The start of the state's sleep set in [`SearchStack::sleep`].
    sleep_start: usize,
    /// The wakeup tree: the branches that are still to be explored from the state.
    pub tree: Vec<Branch>,
    /// True if an event was taken from the state. Then only the wakeup tree can ask for another one.
    pub taken: bool,
    /// The number of executions explored before the state was entered.
    explored_before: u64,
    /// The number of events from the state after which everything was explored.
    pub finished: usize,
}

/// The states of the current execution, first to last.
#[derive(Default)]
pub(super) struct SearchStack {
    nodes: Vec<StackNode>,
    /// The sleep sets of all nodes, one after the other. A node's set has the events that were explored from
    /// the node, and the events that were explored from an earlier node and commute with all events since.
    sleep: Vec<Rc<Event>>,
}

impl SearchStack {
    /// Enters a state with this wakeup tree. Its sleep set consists of those events of the last state's sleep
    /// set for which `stays_asleep` is true. `explored` is the number of executions so far.
    #[inline]
    pub fn enter(&mut self, tree: Vec<Branch>, explored: u64, stays_asleep: impl Fn(&Event) -> bool) {
        let sleep_start = self.sleep.len();
        if let Some(last) = self.nodes.len().checked_sub(1) {
            for at in self.sleep_range(last) {
                if stays_asleep(&self.sleep[at]) {
                    self.sleep.push(Rc::clone(&self.sleep[at]));
                }
            }
        }
        self.nodes.push(StackNode { sleep_start, tree, taken: false, explored_before: explored, finished: 0 });
    }

    /// Leaves the last state.
    #[inline]
    pub fn leave(&mut self) {
        let node = self.nodes.pop().expect("a state to leave");
        self.sleep.truncate(node.sleep_start);
    }

    /// Adds an event to the last state's sleep set. All executions in which it follows that state have been
    /// explored.
    #[inline]
    pub fn put_to_sleep(&mut self, event: Rc<Event>) {
        self.sleep.push(event);
        self.last_mut().finished += 1;
    }

    /// Empties the sleep set of the state at a position. It must be the last state. There is none if the
    /// execution ended before it; then this does nothing.
    pub fn wake_all(&mut self, at: usize) {
        if let Some(node) = self.nodes.get(at) {
            self.sleep.truncate(node.sleep_start);
        }
    }

    /// The number of states of the current execution.
    #[inline]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if the first state was left, so the search has ended.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The last state.
    #[inline]
    pub fn last_mut(&mut self) -> &mut StackNode {
        self.nodes.last_mut().expect("a state")
    }

    /// The indices of the sleep set of the state at a position. It ends where the next state's begins.
    #[inline]
    fn sleep_range(&self, at: usize) -> Range<usize> {
        let end = self.nodes.get(at + 1).map_or(self.sleep.len(), |next| next.sleep_start);
        self.nodes[at].sleep_start..end
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

    /// True if the last state's sleep set has an event of this thread or store.
    #[inline]
    pub fn is_asleep(&self, action: Action) -> bool {
        self.last_sleep_set().iter().any(|event| event.action == action)
    }

    /// The wakeup tree of the state at a position, to be changed, and its sleep set.
    #[inline]
    pub fn plans(&mut self, at: usize) -> (&mut Vec<Branch>, &[Rc<Event>]) {
        let range = self.sleep_range(at);
        (&mut self.nodes[at].tree, &self.sleep[range])
    }

    /// The sleep set of the last state, and the first event of each branch of its wakeup tree. All executions
    /// that begin with one of these events from there were or will be explored.
    pub fn first_events(&self) -> impl Iterator<Item = &Rc<Event>> {
        let planned = self.nodes[self.nodes.len() - 1].tree.iter().map(|branch| &branch.first().event);
        self.last_sleep_set().iter().chain(planned)
    }

    /// The numbers of branches of the states, last state first, for the estimate of the executions to come.
    pub fn branchings(&self) -> impl Iterator<Item = Branching> {
        self.nodes.iter().rev().map(|node| Branching {
            before: node.explored_before,
            finished: node.finished,
            open: node.tree.len(),
        })
    }
}
