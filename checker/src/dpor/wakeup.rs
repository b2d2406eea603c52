//! Wakeup trees: the beginnings of executions that are still to be explored from a state (Abdulla, Aronis, Jonsson and Sagonas, *Optimal Dynamic Partial
//! Order Reduction*, POPL 2014, section 5.1).

use std::rc::Rc;

use super::event::{Event, Label};
use super::execution::Execution;

/// How the questions of a step are answered when a branch is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// In every way.
    All,
    /// In every way from this one on.
    From(Vec<u32>),
    /// As in the execution from which the branch comes.
    Exactly,
}

/// A branch of a wakeup tree: an event, and what follows.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The event, as it was when its execution was explored.
    pub event: Rc<Event>,
    /// Its answers.
    pub answers: Answers,
    /// The trees behind it, first to be explored first.
    pub next: Vec<Branch>,
}

/// A sequence of events, by position in the current execution, that is to be explored from the state before position `from`.
pub struct Sequence<'e> {
    execution: &'e Execution,
    from: usize,
    at: Vec<usize>,
    /// The event whose answers are open.
    last: Option<usize>,
    /// The branches of a tree that lead to where the rest of the sequence is to be inserted.
    passed: Vec<Label>,
}

impl<'e> Sequence<'e> {
    /// The events after position `from` that do not happen after it, then the one at `second`, whose behaviour may change.
    pub fn reversing(execution: &'e Execution, from: usize, second: usize) -> Self {
        let mut sequence = Self::without(execution, from);
        sequence.at.push(second);
        sequence.last = Some(second);
        sequence
    }

    /// The events after position `from` that do not happen after it.
    pub fn without(execution: &'e Execution, from: usize) -> Self {
        let at = (from + 1..execution.len()).filter(|&at| !execution.happens_before(from, at)).collect();
        Self { execution, from, at, last: None, passed: Vec::new() }
    }

    fn event(&self, index: usize) -> &Rc<Event> {
        self.execution.event(self.at[index])
    }

    /// Whether an event that is enabled at the start may come first without changing anything (a weak initial): it is in the sequence with nothing
    /// before it that happens before it, or it commutes with all of it. Answers its index if it is in the sequence.
    fn weak_initial(&self, first: &Event) -> Option<Option<usize>> {
        match (0..self.at.len()).find(|&index| self.event(index).label == first.label) {
            Some(index) => {
                let same = self.last == Some(self.at[index]) || self.event(index).answers == first.answers;
                let free = !self.at[..index].iter().any(|&at| self.execution.happens_before(at, self.at[index]));
                (same && free).then_some(Some(index))
            }
            None => (0..self.at.len()).all(|index| !self.conflicts(first, index)).then_some(None),
        }
    }

    fn conflicts(&self, first: &Event, index: usize) -> bool {
        // If `first` is the load of the two, the write comes where it is in the sequence; else the write is `first`, at the start.
        let updated = |thread: usize, store| {
            let in_sequence = |at| thread == first.label.thread && self.at[..index].contains(&at);
            self.passed.contains(&Label { thread, store: Some(store) })
                || self.execution.update_of(thread, store).is_some_and(|at| at < self.from || in_sequence(at))
        };
        first.conflicts(self.event(index), self.execution.is_total(), updated)
    }

    /// Whether the sequence begins with something that was explored from its state before.
    pub fn is_asleep(&self, sleep: &[Rc<Event>]) -> bool {
        sleep.iter().any(|event| self.weak_initial(event).is_some())
    }

    /// Adds the sequence to the trees, unless an execution that it leads to is in them already.
    pub fn insert(mut self, mut trees: &mut Vec<Branch>) {
        loop {
            if self.at.is_empty() {
                return;
            }
            let found = trees.iter().enumerate().find_map(|(at, branch)| Some((at, self.weak_initial(&branch.event)?)));
            let Some((branch, index)) = found else { break };
            if let Some(index) = index {
                self.at.remove(index);
            }
            self.passed.push(trees[branch].event.label);
            trees = &mut trees[branch].next;
            if trees.is_empty() {
                return;
            }
        }
        trees.extend(self.branch());
    }

    /// Adds one first event of the sequence to the trees, unless one is there or asleep (Source-DPOR). What is asleep and commutes with all of the sequence is no
    /// reason not to add it: what follows may not commute with it, and there is no rest of the sequence to be found elsewhere.
    pub fn insert_initial(&self, trees: &mut Vec<Branch>, sleep: &[Rc<Event>]) {
        let known = trees.iter().map(|branch| &branch.event).chain(sleep);
        let is_initial = |event: &Event| matches!(self.weak_initial(event), Some(Some(_)));
        if !known.into_iter().any(|event| is_initial(event)) {
            let first = Rc::clone(self.event(0));
            trees.push(Branch { event: first, answers: Answers::All, next: Vec::new() });
        }
    }

    /// The sequence as a tree without forks.
    fn branch(&self) -> Option<Branch> {
        self.at.iter().rev().fold(None, |next, &at| {
            let answers = if self.last == Some(at) { Answers::All } else { Answers::Exactly };
            Some(Branch { event: Rc::clone(self.execution.event(at)), answers, next: next.into_iter().collect() })
        })
    }
}
