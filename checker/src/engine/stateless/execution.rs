//! The current execution: its events and their happens-before relation, as defined by chronological traces.
//!
//! The relation is kept as one bit set of predecessors per event rather than as vector clocks: under PSO
//! every address of every thread would need a component of the clock. Sets share their common parts
//! (`bits/far.rs`), so their memory grows with the number of events, not of pairs of them.
//!
//! Source: Abdulla, Aronis, Atig, Jonsson, Leonardsson and Sagonas, *Stateless Model Checking for TSO and
//! PSO*, sections 3 to 5; the order of loads that read their own thread's stores is decided by
//! [`Event::conflicts`].

use std::rc::Rc;

use smallvec::SmallVec;

use super::bits::{self, Bits};
use super::event::{Action, Event};
use super::event_index::EventIndex;
use super::variants::Variants;
use crate::hash::FxHashSet;
use crate::ir::ids::{FuncId, Pc};
use crate::system::FootprintEntry;

/// An immediate race of an event with an earlier one, and its reversal.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The earlier event.
    pub first: u32,
    /// The later event.
    pub second: u32,
    /// The way in which it was reversed.
    pub reversal: Reversal,
}

/// The kinds of reversals of a race in the executions so far that have it.
#[derive(Clone, Copy, Debug)]
pub enum Reversal {
    /// It was not reversed yet.
    Open,
    /// It cannot be reversed.
    Impossible,
    /// The later event was planned before the one at position `before`, after others up to position `reach`
    /// of the execution at that time.
    Planned {
        /// The position before which the later event comes.
        before: u32,
        /// The last position of the events that come first.
        reach: u32,
    },
    /// The later event was planned before one of several events.
    InSeveralPlaces,
    /// For every execution with the race, one is or was explored in which the two events are in the other
    /// order.
    Covered,
}

/// A sequence of events, each with its past.
pub struct Execution {
    /// True if a thread's stores stay in order, as under TSO and SC.
    stores_in_order: bool,
    /// True if the happens-before relation is found, and all of the index.
    is_ordered: bool,
    events: Vec<Rc<Event>>,
    /// For each event, the positions of the events that happen-before it.
    before: Vec<Bits>,
    index: EventIndex,
    /// A number for each event that may conflict with a join, and one for none. No number is used twice.
    join_versions: Vec<u64>,
    /// The highest of those numbers so far.
    last_version: u64,
    /// The races of all events, in the order of the events; of one event, latest first.
    races: Vec<Race>,
    /// For each event, the index of its first race.
    races_from: Vec<usize>,
    /// Loads with the own stores that hide writes of other threads from them (`forwarding.rs`).
    pub(super) forwarded: Variants,
    /// Copies of which a load was in a race (`system/bulk/group.rs`). The set only grows.
    raced_copies: FxHashSet<(FuncId, Pc)>,
}

impl Execution {
    /// An execution without events. `stores_in_order` is true if a thread's stores reach memory in program
    /// order.
    pub fn new(stores_in_order: bool) -> Self {
        Self {
            stores_in_order,
            is_ordered: true,
            events: Vec::new(),
            before: Vec::new(),
            index: EventIndex::default(),
            join_versions: vec![0],
            last_version: 0,
            races: Vec::new(),
            races_from: Vec::new(),
            forwarded: Variants::default(),
            raced_copies: FxHashSet::default(),
        }
    }

    /// An execution without events that is asked only for the positions of the steps of threads.
    pub fn unordered() -> Self {
        Self { is_ordered: false, ..Self::new(true) }
    }

    /// Computes the happens-before relation of the events. Returns an execution that has it.
    pub fn ordered(&self, stores_in_order: bool) -> Self {
        let mut ordered = Self::new(stores_in_order);
        self.events.iter().for_each(|event| ordered.push(Rc::clone(event)));
        ordered
    }

    /// True if the happens-before relation is known.
    pub const fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// True if a thread's stores stay in order.
    pub const fn stores_in_order(&self) -> bool {
        self.stores_in_order
    }

    /// The index of the positions of events.
    #[inline]
    pub const fn index(&self) -> &EventIndex {
        &self.index
    }

    /// The copies of which a load was in a race in this execution or an earlier one.
    pub const fn raced_copies(&self) -> &FxHashSet<(FuncId, Pc)> {
        &self.raced_copies
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// The approximate number of bytes that the happens-before relation takes.
    pub fn bytes(&self) -> usize {
        self.before.len() * size_of::<Bits>() + bits::bytes_of_nodes()
    }

    /// The event at a position.
    #[inline]
    pub fn event(&self, at: usize) -> &Rc<Event> {
        &self.events[at]
    }

    /// True if the event at one position happens-before that at another.
    #[inline]
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.before[second].contains(first)
    }

    /// The positions of the events that happen-before an event.
    #[inline]
    pub fn past(&self, at: usize) -> &Bits {
        &self.before[at]
    }

    /// The positions of the events that happen-before every event from a position on.
    pub fn common_past(&self, from: usize) -> Bits {
        let mut common = Bits::below(self.len());
        self.before[from..].iter().for_each(|past| common.keep(past));
        common
    }

    /// The positions after `from` of the events that do not happen-after the event there.
    pub fn not_after(&self, from: usize) -> Bits {
        let mut set = Bits::new();
        for (later, past) in (from + 1..).zip(&self.before[from + 1..]) {
            set.insert_if(later, !past.contains(from));
        }
        set
    }

    /// A number for the events up to the last one that may conflict with a join. Executions with the same
    /// number have the same events up to there.
    pub fn join_version(&self) -> u64 {
        self.join_versions[self.join_versions.len() - 1]
    }

    /// The positions of all events that may conflict with this one, which is that of a thread after the
    /// events before position `at`.
    ///
    /// Several events may create a thread of its number, as numbers are used again. Only the last one before
    /// `at` is included: those before it precede the included events of the thread.
    pub fn candidates(&self, event: &Event, at: usize) -> Bits {
        let mut found = self.foreign_candidates(event, at);
        found.unite(self.index.events_of(event.action.thread));
        found
    }

    /// [`Self::candidates`], but possibly without some events of the event's own thread.
    fn foreign_candidates(&self, event: &Event, at: usize) -> Bits {
        if event.footprint_mask == u64::MAX {
            return Bits::below(self.len());
        }
        let mut found = self.index.with_mask(event.footprint_mask);
        if let Some(at) = self.index.creation_of(event.action.thread, at) {
            found.insert(at);
        }
        found
    }

    /// The positions of the events that program order puts before an event at the end of the execution
    /// ([`Event::precedes_own`]), and of all events that happen-before those. The last step, or the step that
    /// buffered the store, follows all steps before it.
    fn own_past(&self, event: &Event) -> Bits {
        let Action { thread, store } = event.action;
        let mut past = Bits::new();
        let steps = self.index.steps_of(thread);
        let step = match store {
            None => steps.highest(),
            Some(store) => steps.positions_down().find(|&at| self.events[at].pushed().contains(&store)),
        };
        if let Some(step) = step {
            past.clone_from(self.past(step));
            past.insert(step);
        }
        if event.is_update() || event.is_fenced() {
            let mut updates = self.index.updates_of(thread).clone();
            updates.subtract(&past);
            while let Some(at) = updates.take_highest() {
                if self.events[at].precedes_own(event) {
                    past.unite(self.past(at));
                    past.insert(at);
                    updates.subtract(self.past(at));
                }
            }
        }
        past
    }

    /// All immediate races, in the order of their later events.
    pub fn races(&self) -> &[Race] {
        &self.races
    }

    /// Records the reversal of a race.
    pub fn set_reversal(&mut self, race: usize, reversal: Reversal) {
        self.races[race].reversal = reversal;
    }

    /// The direct predecessors of a step in its own thread: the step before it, if there is one, and, if it
    /// needs an empty buffer, the updates since a step last needed one.
    pub fn previous_of(&self, at: usize) -> SmallVec<[usize; 8]> {
        let event = &self.events[at];
        let mut own = self.index.events_of(event.action.thread).clone();
        own.cut(at);
        let (mut previous, mut has_step) = (SmallVec::new(), false);
        while let Some(at) = own.highest().filter(|_| event.is_fenced() || !has_step) {
            own.remove(at);
            let earlier = &self.events[at];
            let is_step = !earlier.is_update();
            if !is_step && event.is_fenced() || is_step && !has_step {
                previous.push(at);
            }
            has_step |= is_step;
            if is_step && earlier.is_fenced() {
                break;
            }
        }
        previous
    }

    /// The position of the update of a store, if it happened and reached memory.
    #[inline]
    pub fn update_of(&self, thread: usize, store: u32) -> Option<usize> {
        self.index.update_of(thread, store).filter(|&at| !self.events[at].is_lost())
    }

    /// True if an event at the end of the execution would conflict with the one at position `at`.
    pub fn conflict(&self, at: usize, event: &Event) -> bool {
        let earlier = &self.events[at];
        // If the earlier event is the write, updates before it count. Otherwise the write is the new event,
        // which comes after all updates.
        earlier.conflicts(event, |thread, store| {
            let limit = if thread == earlier.action.thread { self.len() } else { at };
            self.update_of(thread, store).is_some_and(|update| update < limit)
        })
    }

    /// Appends an event.
    pub fn push(&mut self, event: Rc<Event>) {
        if !self.is_ordered {
            self.index.toggle_step(&event, self.len());
            self.events.push(event);
            return;
        }
        let event = self.with_own_stores_cached(event);
        let position = self.len();
        self.races_from.push(self.races.len());
        let before = self.order_last(&event);
        self.before.push(before);
        self.index.insert(&event, position);
        if event.conflicts_with_join() {
            self.last_version += 1;
            self.join_versions.push(self.last_version);
        }
        let creates = event.creates();
        self.events.push(event);
        if creates {
            self.find_creations();
        }
    }

    /// Inserts an event at a position of an execution whose happens-before relation is not found.
    pub fn insert(&mut self, at: usize, event: Rc<Event>) {
        self.toggle_steps(at);
        self.events.insert(at, event);
        self.toggle_steps(at);
    }

    /// Removes the event at a position of an execution whose happens-before relation is not found.
    pub fn remove(&mut self, at: usize) -> Rc<Event> {
        self.toggle_steps(at);
        let event = self.events.remove(at);
        self.toggle_steps(at);
        event
    }

    /// Adds the steps from a position on to the index, or removes them.
    fn toggle_steps(&mut self, from: usize) {
        debug_assert!(!self.is_ordered, "events are inserted where their order is not known");
        for (at, event) in self.events.iter().enumerate().skip(from) {
            self.index.toggle_step(event, at);
        }
    }

    /// Finds the events that happen-before an event at the end of the execution, and adds its immediate
    /// races.
    #[inline]
    fn order_last(&mut self, event: &Event) -> Bits {
        let position = self.len();
        let (mut before, mut open) = (self.own_past(event), self.foreign_candidates(event, position));
        // Earlier events of its own thread are in no race with it, and their pasts are known.
        open.subtract(self.index.events_of(event.action.thread));
        open.subtract(&before);
        while let Some(at) = open.take_highest() {
            if !self.conflict(at, event) {
                continue;
            }
            // Events that happen-before a found event need not be checked.
            let past = self.past(at);
            before.unite(past);
            before.insert(at);
            open.subtract(past);
            if !self.events[at].creates_thread_of(event) && !event.is_last() {
                let pieces = [self.events[at].piece_of(), event.piece_of()];
                pieces.into_iter().flatten().for_each(|copy| {
                    self.raced_copies.insert(copy);
                });
                self.races.push(Race { first: at as u32, second: position as u32, reversal: Reversal::Open });
            }
        }
        before
    }

    /// Removes the last event.
    pub fn pop(&mut self) -> Rc<Event> {
        let event = self.events.pop().expect("an event was pushed");
        if !self.is_ordered {
            self.index.toggle_step(&event, self.events.len());
            return event;
        }
        self.before.pop();
        self.index.remove(&event, self.events.len());
        if event.conflicts_with_join() {
            self.join_versions.pop();
        }
        self.races.truncate(self.races_from.pop().expect("a beginning per event"));
        if event.creates() {
            self.find_creations();
        }
        event
    }

    /// Computes the creations of threads anew.
    fn find_creations(&mut self) {
        let Self { events, index, .. } = self;
        let creating = events.iter().zip(0..).filter(|(event, _)| event.creates());
        let creations = creating.flat_map(|(event, at)| {
            let created = event.footprint.iter().filter_map(FootprintEntry::created);
            created.map(move |thread| (thread, at))
        });
        index.set_creations(creations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{
        creation, exit, fence, push, read, touch, update, update_in_epoch, write,
    };
    use Kind::{Fence, Load, Push, Update, Write};

    fn execution(events: Vec<Event>, stores_in_order: bool) -> Execution {
        let mut execution = Execution::new(stores_in_order);
        events.into_iter().for_each(|event| execution.push(Rc::new(event)));
        execution
    }

    fn past(execution: &Execution, at: usize) -> Vec<usize> {
        execution.past(at).positions().collect()
    }

    fn races(execution: &Execution) -> Vec<(u32, u32)> {
        execution.races().iter().map(|race| (race.first, race.second)).collect()
    }

    /// Events of an abstract machine under PSO, for the comparison with a naive happens-before relation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Load(u32),
        Write(u32),
        /// Buffers a store to the object.
        Push(u32),
        /// The update of the oldest store to the object.
        Update(u32),
        Fence,
    }

    /// An event of the naive order.
    struct Naive {
        event: Event,
        /// For a load, the number of the thread's newest store to the object so far.
        own: Option<u32>,
        kind: Kind,
    }

    /// The events of threads and kinds, in order. The result is `None` for an update without a store, or a
    /// fence before one.
    fn naive_events(kinds: &[(usize, Kind)]) -> Option<Vec<Naive>> {
        let mut pushed: [Vec<(u32, bool)>; 2] = Default::default();
        let mut events = Vec::new();
        for &(thread, kind) in kinds {
            let stores = &mut pushed[thread];
            let newest = |object| stores.iter().rposition(|&(to, _)| to == object);
            let event = match kind {
                Load(object) => {
                    let pending = newest(object).filter(|&at| !stores[at].1).map(|at| at as u32);
                    let touch = FootprintEntry { own: pending, ..touch(object, false) };
                    read(thread, object).with_footprint([touch].into_iter().collect())
                }
                Write(object) => write(thread, object),
                Fence if stores.iter().all(|&(_, arrived)| arrived) => fence(thread),
                Fence => return None,
                Push(object) => {
                    stores.push((object, false));
                    push(thread, stores.len() as u32 - 1..stores.len() as u32)
                }
                Update(object) => {
                    let oldest = stores.iter().position(|&store| store == (object, false))?;
                    stores[oldest].1 = true;
                    update_in_epoch(thread, oldest as u32, 0, object)
                }
            };
            let own = if let Load(object) = kind { newest_of(&pushed[thread], object) } else { None };
            events.push(Naive { event, own, kind });
        }
        Some(events)
    }

    fn newest_of(stores: &[(u32, bool)], object: u32) -> Option<u32> {
        stores.iter().rposition(|&(to, _)| to == object).map(|at| at as u32)
    }

    /// The definition of conflicts, for two positions in the order of the execution.
    fn naive_conflict(events: &[Naive], first: usize, second: usize) -> bool {
        let [one, other] = [first, second].map(|at| &events[at]);
        let (thread, other_thread) = (one.event.action.thread, other.event.action.thread);
        let update_at =
            |thread: usize, store| events.iter().position(|naive| naive.event.action == Action::update(thread, store));
        if thread == other_thread {
            return match (one.kind, other.kind) {
                (Update(object), Update(another)) => object == another,
                (Update(_), kind) => kind == Fence,
                (_, Update(_)) => one.event.pushed().contains(&other.event.action.store.expect("an update")),
                _ => true,
            };
        }
        let is_visible = |load: &Naive, write: usize| {
            let own = load.own.map(|store| update_at(load.event.action.thread, store));
            own.is_none_or(|update| update.is_some_and(|update| update < write))
        };
        match (one.kind, other.kind) {
            (Load(a), Write(b) | Update(b)) => a == b && is_visible(one, second),
            (Write(a) | Update(a), Load(b)) => a == b && is_visible(other, first),
            (Write(a) | Update(a), Write(b) | Update(b)) => a == b,
            _ => false,
        }
    }

    /// Compares happens-before with the transitive closure of the conflicts, and races with the conflicts of
    /// different threads that have no event between them in that order.
    #[track_caller]
    fn check(kinds: &[(usize, Kind)]) -> bool {
        let Some(events) = naive_events(kinds) else { return false };
        let count = events.len();
        let mut order = vec![vec![false; count]; count];
        for second in 0..count {
            for first in (0..second).rev() {
                let is_between = |at: usize| order[first][at] && order[at][second];
                order[first][second] = naive_conflict(&events, first, second) || (first + 1..second).any(is_between);
            }
        }
        let execution = execution(events.iter().map(|naive| naive.event.clone()).collect(), false);
        let mut expected = Vec::new();
        for second in 0..count {
            for first in (0..second).rev() {
                assert_eq!(execution.happens_before(first, second), order[first][second], "{first} {second} {kinds:?}");
                let is_between = |at: usize| order[first][at] && order[at][second];
                let [one, other] = [first, second].map(|at| events[at].event.action.thread);
                if one != other && order[first][second] && !(first + 1..second).any(is_between) {
                    expected.push((first as u32, second as u32));
                }
            }
        }
        assert_eq!(races(&execution), expected, "{kinds:?}");
        true
    }

    #[test]
    fn happens_before_is_the_closure_of_conflicts() {
        let operations = [Load(1), Write(1), Push(1), Update(1), Fence, Load(2), Push(2), Update(2)];
        let alphabet: Vec<_> = [0, 1].into_iter().flat_map(|thread| operations.map(|kind| (thread, kind))).collect();
        let mut compared = 0;
        for number in 0..alphabet.len().pow(4) {
            let kinds: Vec<_> = (0..4).map(|at| alphabet[number / alphabet.len().pow(at) % alphabet.len()]).collect();
            compared += usize::from(kinds[0].0 == 0 && check(&kinds));
        }
        assert!(compared > 5_000);
        // Longer sequences begin with stores, so that updates and hidden loads are frequent.
        for number in 0..alphabet.len().pow(3) {
            let rest = (0..3).map(|at| alphabet[number / alphabet.len().pow(at) % alphabet.len()]);
            let first = [(0, Push(1)), (0, Push(1)), (0, Load(1)), (1, Write(1)), (0, Update(1))];
            check(&first.into_iter().chain(rest).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_execution_is_as_it_was_after_an_event_was_removed() {
        let mut execution = execution(vec![push(0, 0..1), read(1, 1), creation(0, 2)], true);
        let version = execution.join_version();
        let (before, pasts) = (races(&execution), [0, 1, 2].map(|at| past(&execution, at)));
        for event in [update(0, 0, 1), exit(1), creation(1, 2), write(1, 1)] {
            execution.push(Rc::new(event));
            execution.pop();
            assert_eq!((execution.len(), execution.join_version()), (3, version));
            assert_eq!((races(&execution), [0, 1, 2].map(|at| past(&execution, at))), (before.clone(), pasts.clone()));
            assert_eq!((execution.update_of(0, 0), execution.index().creation_of(2, usize::MAX)), (None, Some(2)));
        }
    }

    #[test]
    fn stores_of_a_thread_reach_memory_after_their_steps_and_before_a_fence() {
        let events = vec![push(0, 0..2), update(0, 0, 1), write(0, 3), update(0, 1, 2), fence(0)];
        let execution = execution(events, true);
        assert_eq!(past(&execution, 1), [0]);
        assert_eq!(past(&execution, 2), [0], "a step does not wait for updates");
        assert_eq!(past(&execution, 3), [0, 1], "stores stay in order");
        assert_eq!(past(&execution, 4), [0, 1, 2, 3]);
        assert_eq!(execution.previous_of(4).to_vec(), [3, 2, 1]);
        assert_eq!(execution.previous_of(2).to_vec(), [0]);
    }

    #[test]
    fn a_creation_is_ordered_and_no_race() {
        let execution = execution(vec![creation(0, 1), write(1, 1), read(0, 1)], true);
        assert_eq!(past(&execution, 1), [0]);
        assert_eq!(races(&execution), [(1, 2)]);
    }

    #[test]
    fn the_end_of_the_process_conflicts_with_all_events_of_others() {
        let execution = execution(vec![read(0, 1), read(1, 2), read(0, 3), exit(1)], true);
        assert_eq!(past(&execution, 3), [0, 1, 2]);
        assert_eq!(races(&execution), [(2, 3)]);
        assert_eq!(execution.not_after(0).positions().collect::<Vec<_>>(), [1]);
    }
}
