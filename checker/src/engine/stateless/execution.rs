//! The execution under way: its events and their happens-before relation, as chronological traces define it.
//!
//! The relation is kept as one bit set of predecessors per event rather than as vector clocks: under PSO
//! every address of every thread would need a component of the clock. Sets share what they have in common
//! (`bits/far.rs`), so their memory grows with the number of events, not of pairs of them.
//!
//! Source: Abdulla, Aronis, Atig, Jonsson, Leonardsson and Sagonas, *Stateless Model Checking for TSO and PSO*, sections 3 to 5; the order of loads that
//! read their own thread's stores is decided by [`Event::conflicts`].

use std::rc::Rc;

use fxhash::FxHashSet;
use smallvec::SmallVec;

use super::bits::{self, Bits};
use super::event::{Action, Event};
use super::event_index::EventIndex;
use super::variants::Variants;
use crate::ir::ids::{FuncId, Pc};
use crate::system::Touch;

/// An immediate race of an event with an earlier one, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The earlier event.
    pub first: u32,
    /// The later event.
    pub second: u32,
    /// How it was reversed.
    pub reversal: Reversal,
}

/// How a race was reversed in the executions so far that have it.
#[derive(Clone, Copy, Debug)]
pub enum Reversal {
    /// Not yet.
    Open,
    /// It cannot be.
    Impossible,
    /// The later event comes before the one at position `before`, after others up to position `reach` of the execution then.
    Planned {
        /// The position before which the later event comes.
        before: u32,
        /// The last position of what is to come first.
        reach: u32,
    },
    /// The later event comes before one of several.
    InSeveralPlaces,
    /// Whatever else an execution has that has the race, one is or was explored in which the two are the other way round.
    Covered,
}

/// A sequence of events, each with what happens before it.
pub struct Execution {
    /// Under TSO and SC a thread's stores stay in order.
    stores_in_order: bool,
    events: Vec<Rc<Event>>,
    /// Per event, the positions of the events that happen before it.
    before: Vec<Bits>,
    index: EventIndex,
    /// A number for each event that may conflict with a join, and one for none. No number is given twice.
    join_versions: Vec<u64>,
    /// The highest of those numbers so far.
    last_version: u64,
    /// The races of all events, in the order of the events; of one event, latest first.
    races: Vec<Race>,
    /// Per event, where its races begin.
    races_from: Vec<usize>,
    /// Loads with the own stores that hide writes of others from them (`forwarding.rs`).
    pub(super) forwarded: Variants,
    /// Copies of which a load was in a race (`system/bulk/group.rs`). The set only grows.
    raced_copies: FxHashSet<(FuncId, Pc)>,
}

impl Execution {
    /// No events. `stores_in_order`: a thread's stores reach memory in program order.
    pub fn new(stores_in_order: bool) -> Self {
        Self {
            stores_in_order,
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

    /// Whether a thread's stores stay in order.
    pub const fn stores_in_order(&self) -> bool {
        self.stores_in_order
    }

    /// The positions of events, by what is looked for.
    #[inline]
    pub const fn index(&self) -> &EventIndex {
        &self.index
    }

    /// The copies of which a load was in a race in this execution or an earlier one.
    pub const fn raced_copies(&self) -> &FxHashSet<(FuncId, Pc)> {
        &self.raced_copies
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// About how many bytes its order takes.
    pub fn bytes(&self) -> usize {
        self.before.len() * size_of::<Bits>() + bits::bytes_of_nodes()
    }

    /// The event at a position.
    pub fn event(&self, at: usize) -> &Rc<Event> {
        &self.events[at]
    }

    /// Whether the event at one position happens before that at another.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.before[second].contains(first)
    }

    /// The positions of what happens before an event.
    #[inline]
    pub fn past(&self, at: usize) -> &Bits {
        &self.before[at]
    }

    /// The positions of what happens before every event from a position on.
    pub fn common_past(&self, from: usize) -> Bits {
        let mut common = Bits::below(self.len());
        self.before[from..].iter().for_each(|past| common.keep(past));
        common
    }

    /// The positions after `from` of what does not happen after the event there.
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

    /// The positions of all events that may conflict with this one.
    ///
    /// If the number of its thread was used before, several events created a thread of that number. Only the
    /// last is listed: the others come before those of the thread's events that are there.
    pub fn candidates(&self, event: &Event) -> Bits {
        let mut found = self.foreign_candidates(event);
        found.unite(self.index.events_of(event.action.thread));
        found
    }

    /// [`Self::candidates`], but of the events of its own thread perhaps not all.
    fn foreign_candidates(&self, event: &Event) -> Bits {
        if event.footprint_mask == u64::MAX {
            return Bits::below(self.len());
        }
        let mut found = self.index.with_mask(event.footprint_mask);
        if let Some(at) = self.index.creation_of(event.action.thread) {
            found.insert(at);
        }
        found
    }

    /// The positions of the events that program order puts before an event at the end of the execution
    /// ([`Event::precedes_own`]), and of all that happens before those. The last step, or the step that
    /// buffered the store, comes after all steps before it.
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

    /// Takes note of how a race is reversed.
    pub fn set_reversal(&mut self, race: usize, reversal: Reversal) {
        self.races[race].reversal = reversal;
    }

    /// The events that a step comes right after in its own thread: the step before, if there is one, and if it
    /// needs an empty buffer the updates since a step needed one.
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
    pub fn update_of(&self, thread: usize, store: u32) -> Option<usize> {
        self.index.update_of(thread, store).filter(|&at| !self.events[at].is_lost())
    }

    /// Whether an event at the end of the execution would conflict with the one at position `at`.
    pub fn conflict(&self, at: usize, event: &Event) -> bool {
        let earlier = &self.events[at];
        // If the earlier event is the write, updates before it count. Else the write is the new event, which
        // comes after all updates.
        earlier.conflicts(event, |thread, store| {
            let limit = if thread == earlier.action.thread { self.len() } else { at };
            self.update_of(thread, store).is_some_and(|update| update < limit)
        })
    }

    /// Appends an event.
    pub fn push(&mut self, event: Rc<Event>) {
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

    /// Finds what happens before an event at the end of the execution, and adds its immediate races.
    fn order_last(&mut self, event: &Event) -> Bits {
        let position = self.len();
        let (mut before, mut open) = (self.own_past(event), self.foreign_candidates(event));
        // Earlier events of its own thread are in no race with it, and what happens before them is known.
        open.subtract(self.index.events_of(event.action.thread));
        open.subtract(&before);
        while let Some(at) = open.take_highest() {
            if !self.conflict(at, event) {
                continue;
            }
            // Events that happen before one that was found need no look any more.
            let past = self.past(at);
            before.unite(past);
            before.insert(at);
            open.subtract(past);
            if !self.events[at].creates_thread_of(event) && !event.is_last() {
                let steps = [self.events[at].as_step(), event.as_step()];
                self.raced_copies.extend(steps.into_iter().flatten().filter_map(|step| step.piece_of));
                self.races.push(Race { first: at as u32, second: position as u32, reversal: Reversal::Open });
            }
        }
        before
    }

    /// Removes the last event.
    pub fn pop(&mut self) -> Rc<Event> {
        let event = self.events.pop().expect("an event was pushed");
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

    /// Finds anew where threads were created.
    fn find_creations(&mut self) {
        let Self { events, index, .. } = self;
        let creating = events.iter().zip(0..).filter(|(event, _)| event.creates());
        let creations = creating.flat_map(|(event, at)| {
            let created = event.footprint.iter().filter_map(Touch::created);
            created.map(move |thread| (thread, at))
        });
        index.set_creations(creations);
    }
}
