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

/// A branch of a wakeup tree up to its first fork: events one after the other, and what follows. Trees have few forks, and there can be very many.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The events as they were when their execution was explored, last first. There is at least one.
    chain: Vec<Rc<Event>>,
    /// The answers of the last event; those of the others are as they were.
    answers: Answers,
    /// The trees behind the last event, first to be explored first.
    next: Vec<Branch>,
}

impl Branch {
    /// One event.
    pub fn new(event: Rc<Event>, answers: Answers) -> Self {
        Self { chain: vec![event], answers, next: Vec::new() }
    }

    /// Its first event.
    pub fn first(&self) -> &Rc<Event> {
        &self.chain[self.chain.len() - 1]
    }

    /// Its first event with its answers, and the trees behind that.
    pub fn begin(mut self) -> (Rc<Event>, Answers, Vec<Self>) {
        let event = self.chain.pop().expect("a branch has an event");
        if self.chain.is_empty() { (event, self.answers, self.next) } else { (event, Answers::Exactly, vec![self]) }
    }

    /// The event behind the first `passed` ones, before the fork.
    fn event_behind(&self, passed: usize) -> Option<&Rc<Event>> {
        self.chain.iter().rev().nth(passed)
    }

    /// Makes a fork behind the first `passed` events, which are not all.
    fn fork(&mut self, passed: usize) -> &mut Vec<Self> {
        let behind = self.chain.drain(..self.chain.len() - passed).collect();
        let answers = std::mem::replace(&mut self.answers, Answers::Exactly);
        let next = std::mem::take(&mut self.next);
        self.next.push(Self { chain: behind, answers, next });
        &mut self.next
    }
}

/// A sequence of events, by position in the current execution, that is to be explored from the state before position `from`.
pub struct Sequence<'e> {
    execution: &'e Execution,
    from: usize,
    at: Vec<usize>,
    /// The event whose answers are open.
    last: Option<usize>,
    /// What happens before that event in the sequence, which may be less than in the execution: see [`Self::predecessors`].
    before_last: Vec<usize>,
    /// The branches of a tree that lead to where the rest of the sequence is to be inserted.
    passed: Vec<Label>,
}

impl<'e> Sequence<'e> {
    /// The events after position `from` that do not happen after it, then the one at `second`, whose behaviour may change.
    pub fn reversing(execution: &'e Execution, from: usize, second: usize) -> Self {
        let mut sequence = Self::without(execution, from);
        sequence.before_last = sequence.predecessors(second);
        sequence.at.push(second);
        sequence.last = Some(second);
        sequence
    }

    /// The events of the sequence that happen before an event at its end. If that is the write to a variable that was to come before the update of another
    /// thread's store, loads of that thread that read the store no longer conflict with it: the store hides it from them.
    fn predecessors(&self, last: usize) -> Vec<usize> {
        let event = self.execution.event(last);
        if self.execution.event(self.from).label.store.is_none() {
            return self.at.iter().copied().filter(|&at| self.execution.happens_before(at, last)).collect();
        }
        let mut before: Vec<usize> = Vec::new();
        for &at in self.at.iter().rev() {
            let earlier = self.execution.event(at);
            let updated = |thread: usize, store| {
                // If the earlier one is the load, the write is at the end of the sequence.
                let limit = if thread == earlier.label.thread { usize::MAX } else { at };
                let in_sequence = |update| update < limit && self.at.contains(&update);
                self.execution.update_of(thread, store).is_some_and(|update| update < self.from || in_sequence(update))
            };
            let is_before = before.iter().any(|&later| self.execution.happens_before(at, later))
                || earlier.conflicts(event, self.execution.is_total(), updated);
            if is_before {
                before.push(at);
            }
        }
        before
    }

    /// The events after position `from` that do not happen after it.
    pub fn without(execution: &'e Execution, from: usize) -> Self {
        let at = (from + 1..execution.len()).filter(|&at| !execution.happens_before(from, at)).collect();
        Self { execution, from, at, last: None, before_last: Vec::new(), passed: Vec::new() }
    }

    /// The last position of the events before the one that is reversed, or if there are none the position where the sequence begins.
    pub fn reach(&self) -> usize {
        let events = self.at.len() - usize::from(self.last.is_some());
        self.at[..events].last().copied().unwrap_or(self.from)
    }

    fn event(&self, index: usize) -> &Rc<Event> {
        self.execution.event(self.at[index])
    }

    /// Whether an event that is enabled at the start may come first without changing anything (a weak initial): it is in the sequence with nothing
    /// before it that happens before it, or it commutes with all of it. Answers its index if it is in the sequence.
    fn weak_initial(&self, first: &Event) -> Option<Option<usize>> {
        match (0..self.at.len()).find(|&index| self.event(index).label == first.label) {
            Some(index) => {
                let is_open = self.is_open(self.at[index]);
                let same = if is_open { !first.partly } else { self.event(index).answers == first.answers };
                let free = !self.at[..index].iter().any(|&at| self.happens_before(at, self.at[index]));
                (same && free).then_some(Some(index))
            }
            // Of an event that answered in one way only, the other answers may come at the start as well.
            None => (!first.partly && (0..self.at.len()).all(|index| !self.conflicts(first, index))).then_some(None),
        }
    }

    fn happens_before(&self, at: usize, later: usize) -> bool {
        if self.last == Some(later) { self.before_last.contains(&at) } else { self.execution.happens_before(at, later) }
    }

    /// Whether the event at a position is to answer in every way.
    fn is_open(&self, at: usize) -> bool {
        self.last == Some(at)
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
        while let Some(branch) = trees.iter().position(|branch| self.pass(branch.first())) {
            let mut passed = 1;
            while let Some(event) = trees[branch].event_behind(passed) {
                if self.at.is_empty() {
                    return;
                }
                if !self.pass(event) {
                    trees = trees[branch].fork(passed);
                    return trees.extend(self.branch());
                }
                passed += 1;
            }
            trees = &mut trees[branch].next;
            if trees.is_empty() || self.at.is_empty() {
                return;
            }
        }
        trees.extend(self.branch());
    }

    /// Goes past an event of a tree, if what the sequence leads to may begin with it.
    fn pass(&mut self, event: &Event) -> bool {
        let Some(index) = self.weak_initial(event) else { return false };
        if let Some(index) = index {
            self.at.remove(index);
        }
        self.passed.push(event.label);
        true
    }

    /// Adds one first event of the sequence to the trees, unless one is there or asleep (Source-DPOR). What is asleep and commutes with all of the sequence is no
    /// reason not to add it: what follows may not commute with it, and there is no rest of the sequence to be found elsewhere.
    pub fn insert_initial(&self, trees: &mut Vec<Branch>, sleep: &[Rc<Event>]) {
        let known = trees.iter().map(Branch::first).chain(sleep);
        let is_initial = |event: &Event| matches!(self.weak_initial(event), Some(Some(_)));
        if !known.into_iter().any(|event| is_initial(event)) {
            let first = Rc::clone(self.event(0));
            trees.push(Branch::new(first, Answers::All));
        }
    }

    /// The sequence as a branch without forks.
    fn branch(&self) -> Option<Branch> {
        let is_open = self.at.last().copied() == self.last;
        let chain: Vec<_> = self.at.iter().rev().map(|&at| self.planned(at)).collect();
        let answers = if is_open { Answers::All } else { Answers::Exactly };
        (!chain.is_empty()).then_some(Branch { chain, answers, next: Vec::new() })
    }

    /// An event of the sequence as a branch has it.
    fn planned(&self, at: usize) -> Rc<Event> {
        let mut event = Rc::clone(self.execution.event(at));
        let partly = !self.is_open(at) && !event.answers.is_empty();
        if event.partly != partly {
            Rc::make_mut(&mut event).partly = partly;
        }
        event
    }
}
