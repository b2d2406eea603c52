//! Sequences that are to be explored, and their places in wakeup trees (Abdulla, Aronis, Jonsson and Sagonas,
//! *Optimal Dynamic Partial Order Reduction*, POPL 2014, section 5.1: weak initials, and the insertion of a
//! sequence).
//!
//! A sequence is a set of positions of the current execution, and one more event at its end. With an event,
//! the set holds all events of the sequence that happen-before it. So an event of the sequence has a
//! predecessor in it exactly if the event's past intersects the set.
//!
//! A deviation from the source: only the *needed* events of a sequence are planned. These are the event at
//! its end, the events that happen-before it, and for every event that was or will be explored before the
//! sequence where it is inserted, one event that conflicts with it, with its past. So nothing is asleep after
//! a planned sequence, as in the source. But the whole sequence decides whether it is planned, and where in a
//! tree: an event that commutes with the needed events and not with the rest does not stand for the sequence.
//!
//! This explores suitable executions earlier, and most races need to be looked at only once, not in every
//! execution that has them. It is complete if for each of these executions an event is explored with which
//! its sequence may begin. The proof of theorem 2 of the source shows it: of all events that were explored
//! from a state, take the one that commutes with the longest part of a missing execution. Its first race with
//! the rest of that execution has a sequence that may begin with another explored event, and this sequence is
//! a prefix of the missing execution, too.
//!
//! If that event is *required*, which means that it is the reversed event or happens-before it, every such
//! execution has it, and the race is covered. This holds only if the reversed event is the same in both
//! places. Otherwise the events before it depend on the rest of the sequence; ignoring that lost an execution
//! (`tests/programs/traces/left_out_of_a_plan.c`).

use std::cell::Cell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::wakeup::{Branch, Planned};
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::execution::Execution;
use crate::engine::stateless::stepper::Answers;

/// A kind of known event with which a sequence may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// The reversed event or one that happens-before it. All sequences that reverse the race may begin with
    /// it.
    Required,
    /// Another event.
    Other,
}

/// A sequence of events, by position in the current execution, that is to be explored from the state before
/// position `from`.
pub struct Sequence<'e> {
    execution: &'e Execution,
    from: usize,
    /// The events except the one at the end, in the order of the execution.
    events: Bits,
    /// The event at the end, whose answers are open.
    last: Option<usize>,
    /// The event at the end, as it is predicted for this sequence.
    ending: Rc<Event>,
    /// The events that happen-before that event in the sequence. In the execution there may be more: see
    /// [`Self::predecessors`].
    before_last: Bits,
    /// The planned events: those that happen-before the one at the end, and those that wake events that were
    /// explored before.
    needed: Bits,
    /// True if the event at the end is the same in the execution and in this sequence.
    is_as_it_was: bool,
    /// The updates on the branches of a tree that lead to the place where the rest of the sequence is to be
    /// inserted.
    passed: SmallVec<[Action; 8]>,
    /// True if the event at the end was met elsewhere with other conflicts.
    differs: Cell<bool>,
}

/// True if one of these events, which were explored from the state before position `from`, is required in
/// every sequence that puts the unchanged event at position `second` there. This is [`Sequence::asleep`]
/// without a sequence, for simple cases, which most races are.
pub fn is_covered(execution: &Execution, from: usize, second: usize, sleep: &[Rc<Event>]) -> bool {
    if sleep.is_empty() || execution.event(from).is_update() {
        return false;
    }
    let mut between = execution.past(second).clone();
    between.cut_to(from);
    if between.positions().any(|at| execution.happens_before(from, at)) {
        return false;
    }
    sleep.iter().any(|first| {
        let found = match first.action.store {
            Some(store) => execution.index().update_of(first.action.thread, store).filter(|&at| at > from),
            None => execution.index().steps_of(first.action.thread).lowest_above(from),
        };
        match found {
            Some(at) if at == second => {
                !first.has_fixed_choices() && between.is_empty() && first.has_same_conflicts(execution.event(at))
            }
            Some(at) => {
                let event = execution.event(at);
                between.contains(at)
                    && execution.past(at).highest().is_none_or(|last| last < from)
                    && (Rc::ptr_eq(event, first) || event.has_same_answers(first))
            }
            None => false,
        }
    })
}

impl<'e> Sequence<'e> {
    /// The sequence of the events after position `from` that do not happen-after it, and the event at
    /// `second`, predicted as `ending`.
    pub fn reversing(execution: &'e Execution, from: usize, second: usize, ending: Rc<Event>) -> Self {
        let events = execution.not_after(from);
        let is_as_it_was = Rc::ptr_eq(&ending, execution.event(second));
        let mut sequence = Self {
            execution,
            from,
            events,
            last: Some(second),
            ending,
            before_last: Bits::new(),
            needed: Bits::new(),
            is_as_it_was,
            passed: SmallVec::new(),
            differs: Cell::new(false),
        };
        sequence.before_last = sequence.predecessors(second);
        sequence.needed = sequence.before_last.clone();
        sequence.needed.keep(&sequence.events);
        sequence
    }

    /// The events of the sequence that happen-before an event at its end. These are the ones that do in the
    /// execution, except
    ///
    /// * those that happen-before it only by an event after the reversed event, which is not in the sequence.
    ///   For example, if that event takes a mutex, nothing is left of the operations of its thread before it
    ///   released it;
    /// * loads that read their own thread's store, if the event is the write to a variable that was to
    ///   precede the update of that store. Such a load no longer conflicts with the write: the store hides
    ///   it.
    fn predecessors(&self, last: usize) -> Bits {
        let event = &self.ending;
        if self.is_as_it_was && !self.execution.event(self.from).is_update() && self.is_direct(last) {
            return self.execution.past(last).clone();
        }
        let mut before = Bits::new();
        let mut open = self.execution.candidates(event, last);
        open.keep(&self.events);
        while let Some(at) = open.take_highest() {
            let earlier = self.execution.event(at);
            let updated = |thread: usize, store| {
                // If the earlier event is the load, the write is at the end of the sequence.
                let limit = if thread == earlier.action.thread { usize::MAX } else { at };
                let in_sequence = |update| update < limit && self.events.contains(update);
                self.execution.update_of(thread, store).is_some_and(|update| update < self.from || in_sequence(update))
            };
            if earlier.conflicts(event, updated) {
                before.unite(self.execution.past(at));
                before.insert(at);
                open.subtract(&before);
            }
        }
        before
    }

    /// True if no event happens-after the reversed event and happens-before another one.
    fn is_direct(&self, last: usize) -> bool {
        let mut between = self.execution.past(last).clone();
        between.cut_to(self.from);
        between.subtract(&self.events);
        between.is_empty()
    }

    /// The last position of the events before the one that is reversed; if there are none, the position where
    /// the sequence begins.
    pub fn reach(&self) -> usize {
        self.events.highest().unwrap_or(self.from)
    }

    fn event(&self, at: usize) -> &Rc<Event> {
        if self.is_open(at) { &self.ending } else { self.execution.event(at) }
    }

    fn is_empty(&self) -> bool {
        self.last.is_none() && self.needed.is_empty()
    }

    /// The position of the event with this name, if the sequence has one. For the steps of a thread it is the
    /// first one.
    fn find(&self, action: Action) -> Option<usize> {
        let found = match action.store {
            Some(store) => {
                self.execution.index().update_of(action.thread, store).filter(|&at| self.events.contains(at))
            }
            None => self.events.lowest_common(self.execution.index().steps_of(action.thread)),
        };
        found.or_else(|| self.last.filter(|&last| self.execution.event(last).action == action))
    }

    /// The position of an event in the sequence, if the event is enabled at the start and may come first
    /// without changing anything (a weak initial): it is in the sequence and no event of the sequence
    /// happens-before it, or it commutes with the whole sequence. The inner option is `None` if the event is
    /// not in the sequence.
    fn weak_initial(&self, action: Action, first: &Rc<Event>) -> Option<Option<usize>> {
        match self.find(action) {
            Some(at) => {
                let event = self.event(at);
                let (same, before) = if self.is_open(at) {
                    self.differs.set(self.differs.get() || !first.has_same_conflicts(event));
                    (!first.has_fixed_choices(), &self.before_last)
                } else {
                    (Rc::ptr_eq(event, first) || event.has_same_answers(first), self.execution.past(at))
                };
                (same && !self.events.meets(before)).then_some(Some(at))
            }
            // If an event answered in one way only, the other answers may come at the start as well.
            None => (!first.has_fixed_choices() && !self.conflicts(first)).then_some(None),
        }
    }

    /// True if the event at a position is to be explored with all answers.
    fn is_open(&self, at: usize) -> bool {
        self.last == Some(at)
    }

    /// True if an event that is not in the sequence conflicts with one that is.
    fn conflicts(&self, first: &Event) -> bool {
        let mut near = self.execution.candidates(first, self.from);
        near.keep(&self.events);
        near.positions().any(|at| self.conflicts_with(first, at))
            || self.last.is_some_and(|last| self.conflicts_with(first, last))
    }

    fn conflicts_with(&self, first: &Event, at: usize) -> bool {
        // If `first` is the load of the two, the write is at its place in the sequence; else `first` is the
        // write, at the start.
        let limit = if self.is_open(at) { usize::MAX } else { at };
        let updated = |thread: usize, store| {
            let in_sequence = |update| thread == first.action.thread && update < limit && self.events.contains(update);
            self.passed.contains(&Action { thread, store: Some(store) })
                || self.execution.update_of(thread, store).is_some_and(|at| at < self.from || in_sequence(at))
        };
        first.conflicts(self.event(at), updated)
    }

    /// The kind of the event with which the sequence may begin, among those that were explored from its state
    /// before.
    pub fn asleep(&self, sleep: &[Rc<Event>]) -> Option<Initial> {
        let mut found = None;
        for event in sleep {
            match self.weak_initial(event.action, event).map(|at| self.start(at)) {
                Some(Initial::Required) => return Some(Initial::Required),
                other => found = found.or(other),
            }
        }
        found
    }

    /// The kind of an initial at this position. If the event at the end has changed, its past depends on the
    /// rest of the sequence, so no event is required.
    fn start(&self, at: Option<usize>) -> Initial {
        let is_required = self.is_as_it_was && at.is_some_and(|at| self.is_open(at) || self.before_last.contains(at));
        if is_required { Initial::Required } else { Initial::Other }
    }

    /// Makes a planned event conflict with `sleeper`, an event that was or will be explored before the
    /// sequence and with which the sequence may not begin.
    fn wake(&mut self, sleeper: &Event) {
        if self.last.is_some_and(|last| self.conflicts_with(sleeper, last)) {
            return;
        }
        let mut near = self.execution.candidates(sleeper, self.from);
        near.keep(&self.events);
        let mut waker = None;
        for at in near.positions() {
            if self.conflicts_with(sleeper, at) {
                if self.needed.contains(at) {
                    return;
                }
                waker = waker.or(Some(at));
            }
        }
        if let Some(waker) = waker {
            let mut before = self.execution.past(waker).clone();
            before.keep(&self.events);
            self.needed.unite(&before);
            self.needed.insert(waker);
        }
    }

    /// True if the step at the end was met, asleep or in a tree, with other conflicts.
    pub const fn differs(&self) -> bool {
        self.differs.get()
    }

    /// Adds the sequence to the trees, unless these already have an execution to which it leads. Returns the
    /// kind of the event with which the sequence begins there. `sleep` are the events that were explored
    /// before.
    pub fn insert(&mut self, mut trees: &mut Vec<Branch>, sleep: &[Rc<Event>]) -> Initial {
        sleep.iter().for_each(|event| self.wake(event));
        let mut start = None;
        while let Some((branch, begin)) = self.pass_one(trees) {
            let start = *start.get_or_insert(begin);
            let mut passed = 1;
            while let Some(event) = trees[branch].event_behind(passed) {
                if self.is_empty() {
                    return start;
                }
                if self.pass(event).is_none() {
                    self.wake(&event.event);
                    trees = trees[branch].fork(passed);
                    trees.extend(self.branch());
                    return start;
                }
                passed += 1;
            }
            trees = trees[branch].forks();
            if trees.is_empty() || self.is_empty() {
                return start;
            }
        }
        let branch = self.branch();
        let first = branch.as_ref().map(|branch| Rc::clone(&branch.first().event));
        let begin = || first.map_or(Initial::Other, |first| self.start(self.find(first.action)));
        let start = start.unwrap_or_else(begin);
        trees.extend(branch);
        start
    }

    /// Passes the first event of the first tree whose first event is an initial of the sequence.
    fn pass_one(&mut self, trees: &[Branch]) -> Option<(usize, Initial)> {
        for (at, branch) in trees.iter().enumerate() {
            if let Some(start) = self.pass(branch.first()) {
                return Some((at, start));
            }
            self.wake(&branch.first().event);
        }
        None
    }

    /// Passes an event of a tree, if the sequence may begin with it.
    fn pass(&mut self, Planned { action, event }: &Planned) -> Option<Initial> {
        let at = self.weak_initial(*action, event)?;
        let start = self.start(at);
        match at {
            Some(at) if self.is_open(at) => self.last = None,
            Some(at) => {
                self.events.remove(at);
                self.needed.remove(at);
            }
            None => {}
        }
        self.passed.extend(action.store.map(|_| *action));
        Some(start)
    }

    /// Adds one first event of the sequence to the trees, unless one is there or asleep (Source-DPOR). It is
    /// added even if a sleeping event commutes with the whole sequence: later events may not commute with
    /// that event, and no rest of the sequence is found elsewhere.
    pub fn insert_initial(&self, trees: &mut Vec<Branch>, sleep: &[Rc<Event>]) {
        let known = trees.iter().map(|tree| &tree.first().event).chain(sleep);
        let is_initial = |event: &Rc<Event>| matches!(self.weak_initial(event.action, event), Some(Some(_)));
        let first = self.events.positions().next().or(self.last);
        if let Some(first) = first.filter(|_| !known.into_iter().any(is_initial)) {
            trees.push(Branch::new(Rc::clone(self.event(first)), Answers::All));
        }
    }

    /// The planned events of the sequence as a branch without forks. Required events come first.
    fn branch(&self) -> Option<Branch> {
        let mut chain = Vec::with_capacity(self.needed.count() + 1);
        chain.extend(self.last.map(|at| Planned::from(self.planned(at))));
        let (mut others, mut required) = (self.needed.clone(), self.needed.clone());
        others.subtract(&self.before_last);
        required.keep(&self.before_last);
        for mut rest in [others, required] {
            while let Some(at) = rest.take_highest() {
                chain.push(self.planned(at).into());
            }
        }
        let answers = if self.last.is_some() { Answers::All } else { Answers::Exactly };
        (!chain.is_empty()).then(|| Branch::of(chain, answers))
    }

    /// An event of the sequence in the form for a branch.
    fn planned(&self, at: usize) -> Rc<Event> {
        Rc::clone(self.event(at)).with_choices(!self.is_open(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{creation, read, write};

    fn execution(events: &[Event]) -> Execution {
        let mut execution = Execution::new(true);
        events.iter().for_each(|event| execution.push(Rc::new(event.clone())));
        execution
    }

    /// The sequence that puts the event at the second position before the one at the first.
    fn reversing(execution: &Execution, first: usize, second: usize) -> Sequence<'_> {
        Sequence::reversing(execution, first, second, Rc::clone(execution.event(second)))
    }

    /// The threads of a branch, first event first.
    fn threads(branch: &Branch) -> Vec<usize> {
        (0..).map_while(|passed| branch.event_behind(passed)).map(|event| event.action.thread).collect()
    }

    #[test]
    fn a_plan_has_only_the_events_before_the_reversed_one() {
        // Thread 1 writes x after it read y, and thread 2 does something else.
        let execution = execution(&[write(0, 1), read(1, 2), write(2, 3), write(1, 1)]);
        let (mut tree, sleep) = (Vec::new(), [Rc::clone(execution.event(0))]);
        let mut sequence = reversing(&execution, 0, 3);
        assert_eq!(sequence.reach(), 2);
        assert_eq!(sequence.asleep(&sleep), None);
        assert_eq!(sequence.insert(&mut tree, &sleep), Initial::Required);
        assert_eq!(tree.iter().map(threads).collect::<Vec<_>>(), [[1, 1]]);
    }

    #[test]
    fn a_plan_wakes_what_was_explored_before() {
        // The read of w is asleep. It commutes with the reversed write, but not with the write of w.
        let execution = execution(&[write(0, 1), write(2, 3), write(1, 1)]);
        let sleep = [Rc::new(read(3, 3)), Rc::clone(execution.event(0))];
        let mut tree = Vec::new();
        let mut sequence = reversing(&execution, 0, 2);
        assert_eq!(sequence.asleep(&sleep), None);
        sequence.insert(&mut tree, &sleep);
        assert_eq!(tree.iter().map(threads).collect::<Vec<_>>(), [[2, 1]]);
    }

    #[test]
    fn a_sequence_may_begin_with_what_commutes_or_comes_first_in_it() {
        let execution = execution(&[write(0, 1), read(1, 2), write(2, 3), write(1, 1)]);
        let asleep = |event: Event| reversing(&execution, 0, 3).asleep(&[Rc::new(event)]);
        assert_eq!(asleep(read(1, 2)), Some(Initial::Required));
        assert_eq!(asleep(write(2, 3)), Some(Initial::Other));
        assert_eq!(asleep(read(3, 2)), Some(Initial::Other), "it commutes with the whole sequence");
        assert_eq!(asleep(write(3, 2)), None);
        assert_eq!(asleep(write(3, 1)), None);
    }

    #[test]
    fn a_race_is_covered_only_by_an_event_that_every_reversal_has() {
        let execution = execution(&[write(0, 1), read(1, 2), write(2, 3), write(1, 1)]);
        let covered = |event: Event| is_covered(&execution, 0, 3, &[Rc::new(event)]);
        assert!(covered(read(1, 2)));
        assert!(!covered(write(2, 3)));
        assert!(!covered(write(0, 1)));
        assert!(!is_covered(&execution, 0, 3, &[]));
    }

    #[test]
    fn a_second_sequence_forks_where_it_differs() {
        let mut tree = Vec::new();
        let first = execution(&[write(0, 1), read(1, 2), write(1, 1)]);
        reversing(&first, 0, 2).insert(&mut tree, &[]);
        let second = execution(&[write(0, 1), read(1, 2), read(2, 1), write(3, 1)]);
        // This inserts the same sequence again, and one that commutes with the first event of the branch.
        assert_eq!(reversing(&first, 0, 2).insert(&mut tree, &[]), Initial::Required);
        assert_eq!(tree.iter().map(threads).collect::<Vec<_>>(), [[1, 1]]);
        reversing(&second, 0, 2).insert(&mut tree, &[]);
        assert_eq!(threads(&tree[0]), [1]);
        assert_eq!(tree[0].forks().iter().map(threads).collect::<Vec<_>>(), [[1], [2]]);
    }

    #[test]
    fn what_depends_on_the_reversed_event_is_not_in_the_sequence() {
        let execution = execution(&[write(0, 1), creation(0, 3), write(3, 2), read(2, 2), write(2, 1)]);
        let mut tree = Vec::new();
        let mut sequence = reversing(&execution, 0, 4);
        sequence.insert(&mut tree, &[]);
        // The read of thread 2 came after the write of thread 3, which thread 0 created after the reversed
        // event.
        assert_eq!(tree.iter().map(threads).collect::<Vec<_>>(), [[2]]);
    }
}
