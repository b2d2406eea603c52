//! Wakeup trees: the beginnings of executions that are still to be explored from a state (Abdulla, Aronis,
//! Jonsson and Sagonas, *Optimal Dynamic Partial Order Reduction*, POPL 2014, section 5.1).
//!
//! *Steps with several answers* are one event: an event that conflicts with it wakes it with all its answers.
//! So no conflict may depend on the answer:
//!
//! * The value of an input decides only what its thread does next, up to its next visible operation, and no
//!   other thread sees any of that.
//! * A signal or a futex wake touches the queue of its address whomever it wakes. Whom it may wake changes
//!   only by events that touch this queue as well, and the threads in it do nothing else before they leave
//!   it. So the touch of the woken thread, the only one that differs, adds no conflict.
//! * A copy that loads one of its pieces touches the others, too (`system/bulk/group.rs`).
//! * The choice of a barrier's serial thread touches what all threads of the round do.

use std::rc::Rc;

use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::stepper::Answers;

/// An event of a branch. Its name is beside it, since most of the time nothing else is looked at.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its name.
    pub action: Action,
    /// The event as it was when its execution was explored.
    pub event: Rc<Event>,
}

impl From<Rc<Event>> for Planned {
    fn from(event: Rc<Event>) -> Self {
        Self { action: event.action, event }
    }
}

/// A branch of a wakeup tree up to its first fork: events one after the other, and what follows. Trees have
/// few forks, and there can be very many.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The events, last first. There is at least one.
    chain: Vec<Planned>,
    /// The answers of the last event; those of the others are as they were.
    answers: Answers,
    /// The trees behind the last event, first to be explored first.
    next: Vec<Branch>,
}

impl Branch {
    /// One event.
    pub fn new(event: Rc<Event>, answers: Answers) -> Self {
        Self { chain: vec![event.into()], answers, next: Vec::new() }
    }

    /// Events without a fork, last first; there is at least one. `answers`: those of the last; the others
    /// answer as they did.
    pub const fn of(chain: Vec<Planned>, answers: Answers) -> Self {
        Self { chain, answers, next: Vec::new() }
    }

    /// Its first event.
    pub fn first(&self) -> &Planned {
        &self.chain[self.chain.len() - 1]
    }

    /// Takes the first event of the first of some trees out of them, with its answers and the trees behind
    /// it.
    pub fn begin(trees: &mut Vec<Self>) -> Option<(Rc<Event>, Answers, Vec<Self>)> {
        let first = trees.first_mut()?;
        let Planned { event, .. } = first.chain.pop().expect("a branch has an event");
        if first.chain.is_empty() {
            let Self { answers, next, .. } = trees.remove(0);
            return Some((event, answers, next));
        }
        // The only tree takes its vector along.
        let rest = if trees.len() == 1 { std::mem::take(trees) } else { vec![trees.remove(0)] };
        Some((event, Answers::Exactly, rest))
    }

    /// The event behind the first `passed` ones, before the fork.
    pub fn event_behind(&self, passed: usize) -> Option<&Planned> {
        self.chain.iter().rev().nth(passed)
    }

    /// The trees behind its last event.
    pub const fn forks(&mut self) -> &mut Vec<Self> {
        &mut self.next
    }

    /// Makes a fork behind the first `passed` events, which are not all.
    pub fn fork(&mut self, passed: usize) -> &mut Vec<Self> {
        let behind = self.chain.drain(..self.chain.len() - passed).collect();
        let answers = std::mem::replace(&mut self.answers, Answers::Exactly);
        let next = std::mem::take(&mut self.next);
        self.next.push(Self { chain: behind, answers, next });
        &mut self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::samples::write;

    fn chain(threads: &[usize]) -> Vec<Planned> {
        threads.iter().rev().map(|&thread| Rc::new(write(thread, 1)).into()).collect()
    }

    /// Takes all events out of trees, depth first; an event is a thread, or its negative number if it takes
    /// all answers.
    fn take(trees: &mut Vec<Branch>, found: &mut Vec<i32>) {
        while let Some((event, answers, mut behind)) = Branch::begin(trees) {
            let thread = event.action.thread as i32;
            found.push(if answers == Answers::All { -thread } else { thread });
            take(&mut behind, found);
        }
    }

    #[test]
    fn a_branch_is_explored_before_its_fork() {
        let mut trees = vec![Branch::of(chain(&[1, 2, 3]), Answers::All)];
        let fork = trees[0].fork(1);
        fork.push(Branch::of(chain(&[4, 5]), Answers::All));
        trees.push(Branch::new(Rc::new(write(6, 1)), Answers::All));
        let mut found = Vec::new();
        take(&mut trees, &mut found);
        assert_eq!(found, [1, 2, -3, 4, -5, -6]);
    }

    #[test]
    fn events_before_a_fork_are_found_by_their_number() {
        let mut branch = Branch::of(chain(&[1, 2, 3]), Answers::All);
        let thread = |branch: &Branch, passed| branch.event_behind(passed).map(|event| event.action.thread);
        assert_eq!([0, 2, 3].map(|passed| thread(&branch, passed)), [Some(1), Some(3), None]);
        branch.fork(2);
        assert_eq!([1, 2].map(|passed| thread(&branch, passed)), [Some(2), None]);
        assert_eq!(branch.forks().len(), 1);
    }
}
