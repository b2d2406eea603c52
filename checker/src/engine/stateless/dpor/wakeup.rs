//! Wakeup trees: the prefixes of executions that are still to be explored from a state (Abdulla, Aronis,
//! Jonsson and Sagonas, *Optimal Dynamic Partial Order Reduction*, POPL 2014, section 5.1).
//!
//! *Steps with several answers* are one event: an event that conflicts with the step wakes it with all its
//! answers. So no conflict may depend on the answer:
//!
//! * The value of an input decides only the operations of its thread up to its next visible operation, which
//!   no other thread sees. So does the part of its values that an input is in, where it is asked for
//!   (`system/inputs/named.rs`); which of these answers are possible depends on the execution, and what each
//!   of them means does not.
//! * A signal or a futex wake touches the queue of its address, whichever thread it wakes. The threads that
//!   it may wake change only by events that touch this queue as well, and the threads in the queue do nothing
//!   else before they leave it. So the touch of the woken thread, which is the only difference, adds no
//!   conflict.
//! * A copy that loads one of its pieces touches the others, too (`system/bulk/group.rs`).
//! * A `free` after which a thread keeps a name touches the names as one after which it does not.
//! * The choice of a barrier's serial thread touches everything that the threads of the round touch.

use std::rc::Rc;

use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::stepper::Answers;

/// An event of a branch. Its name is stored beside it, since usually only the name is read.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The name of the event.
    pub action: Action,
    /// The event as it was when its execution was explored.
    pub event: Rc<Event>,
}

impl From<Rc<Event>> for Planned {
    fn from(event: Rc<Event>) -> Self {
        Self { action: event.action, event }
    }
}

/// A branch of a wakeup tree up to its first fork: a chain of events, and the trees after it. Trees have few
/// forks, and there can be very many trees.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The events, last first. There is at least one.
    chain: Vec<Planned>,
    /// The answers of the last event. The others keep their answers.
    answers: Answers,
    /// The trees after the last event, in the order of exploration.
    next: Vec<Branch>,
}

impl Branch {
    /// A branch with one event.
    pub fn new(event: Rc<Event>, answers: Answers) -> Self {
        Self { chain: vec![event.into()], answers, next: Vec::new() }
    }

    /// A branch of events without a fork, last first. There is at least one. `answers` are those of the last
    /// event; the others keep their answers.
    pub const fn of(chain: Vec<Planned>, answers: Answers) -> Self {
        Self { chain, answers, next: Vec::new() }
    }

    /// The first event of the branch.
    pub fn first(&self) -> &Planned {
        &self.chain[self.chain.len() - 1]
    }

    /// Removes the first event of the first tree, and returns it with its answers and the trees after it.
    pub fn begin(trees: &mut Vec<Self>) -> Option<(Rc<Event>, Answers, Vec<Self>)> {
        let first = trees.first_mut()?;
        let Planned { event, .. } = first.chain.pop().expect("a branch has an event");
        if first.chain.is_empty() {
            let Self { answers, next, .. } = trees.remove(0);
            return Some((event, answers, next));
        }
        // If there is only one tree, its vector is reused.
        let rest = if trees.len() == 1 { std::mem::take(trees) } else { vec![trees.remove(0)] };
        Some((event, Answers::Exactly, rest))
    }

    /// The event after the first `passed` ones, before the fork.
    pub fn event_behind(&self, passed: usize) -> Option<&Planned> {
        self.chain.iter().rev().nth(passed)
    }

    /// The trees after the last event of the branch.
    pub const fn forks(&mut self) -> &mut Vec<Self> {
        &mut self.next
    }

    /// Makes a fork after the first `passed` events, which must not be all.
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
    use crate::engine::stateless::test_events::write;

    fn chain(threads: &[usize]) -> Vec<Planned> {
        threads.iter().rev().map(|&thread| Rc::new(write(thread, 1)).into()).collect()
    }

    /// Takes all events out of trees, depth first. An event is represented by its thread, or by the negative
    /// number of it if it takes all answers.
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
