//! The execution under way: its events and their happens-before relation, as chronological traces define it.
//!
//! The relation is kept as one bit set of predecessors per event rather than as vector clocks: under PSO every address of every thread would need a
//! component of the clock, and executions are shorter than that. A set has as many bits as there are events before.
//!
//! Source: Abdulla, Aronis, Atig, Jonsson, Leonardsson and Sagonas, *Stateless Model Checking for TSO and PSO*, sections 3 to 5; the order of loads that
//! read their own thread's stores is decided by [`Event::conflicts`].

use std::rc::Rc;

use smallvec::SmallVec;

use super::event::{Event, Label, Touches};
use crate::system::Touch;

const NEVER: u32 = u32::MAX;

/// An immediate race of an event with an earlier one, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The earlier event.
    pub first: u32,
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
}

/// A sequence of events, each with what happens before it.
#[derive(Default)]
pub struct Execution {
    /// Whether a thread's stores stay in order.
    total: bool,
    events: Vec<Rc<Event>>,
    /// Per event, its thread and [`Event::places`]: most pairs of events need no closer look.
    keys: Vec<(u32, u64)>,
    /// Per event, the positions of the events that happen before it.
    before: Vec<BitSet>,
    /// Per event, the earlier events it is in an immediate race with, latest first.
    races: Vec<SmallVec<[Race; 2]>>,
    /// Per thread and store number, the position of the update.
    updated: Vec<Vec<u32>>,
    /// Bit sets to use again.
    spare: Vec<BitSet>,
}

#[derive(Clone, Default)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn contains(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn insert(&mut self, at: usize) {
        if self.words.len() <= at / 64 {
            self.words.resize(at / 64 + 1, 0);
        }
        self.words[at / 64] |= 1 << (at % 64);
    }

    fn union(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, &more)| *word |= more);
    }
}

impl Execution {
    /// No events. `total`: a thread's stores reach memory in program order.
    pub fn new(total: bool) -> Self {
        Self { total, ..Self::default() }
    }

    /// Whether a thread's stores stay in order.
    pub const fn is_total(&self) -> bool {
        self.total
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// About how many bytes its order takes: a bit for every pair of events.
    pub fn bytes(&self) -> usize {
        self.len() * self.len() / 16
    }

    /// The event at a position.
    pub fn event(&self, at: usize) -> &Rc<Event> {
        &self.events[at]
    }

    /// Whether the event at one position happens before that at another.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.before[second].contains(first)
    }

    /// The earlier events in an immediate race with an event, latest first.
    pub fn races(&self, at: usize) -> &[Race] {
        &self.races[at]
    }

    /// Takes note of how one of those races is reversed.
    pub fn set_reversal(&mut self, at: usize, race: usize, reversal: Reversal) {
        self.races[at][race].reversal = reversal;
    }

    /// What a step comes right after in its own thread: the step before, if there is one, and if it needs an empty buffer the updates since one did.
    pub fn previous_of(&self, at: usize) -> Vec<usize> {
        let event = &self.events[at];
        let own = || (0..at).rev().filter(|&at| self.events[at].label.thread == event.label.thread);
        let is_step = |&at: &usize| self.events[at].label.store.is_none();
        let updates = own().take_while(|at| event.fenced && !(is_step(at) && self.events[*at].fenced));
        own().find(is_step).into_iter().chain(updates.filter(|at| !is_step(at))).collect()
    }

    /// Where the update of a store is, if it happened.
    pub fn update_of(&self, thread: usize, store: u32) -> Option<usize> {
        let at = *self.updated.get(thread)?.get(store as usize)?;
        (at != NEVER).then_some(at as usize)
    }

    /// Whether an event at the end of the execution would conflict with the one at position `at`.
    pub fn conflict(&self, at: usize, event: &Event) -> bool {
        let earlier = &self.events[at];
        // If the earlier event is the write, what counts is what came before it; else the write is the new event, after everything.
        self.events[at].conflicts(event, self.total, |thread, store| {
            let limit = if thread == earlier.label.thread { self.len() } else { at };
            self.update_of(thread, store).is_some_and(|update| update < limit)
        })
    }

    /// Appends an event.
    pub fn push(&mut self, event: Rc<Event>) {
        let event = self.with_own_stores(event);
        let position = self.len();
        let mut before = self.spare.pop().unwrap_or_default();
        before.words.clear();
        let mut races = SmallVec::new();
        let thread = event.label.thread as u32;
        for (at, &(other, places)) in self.keys.iter().enumerate().rev() {
            let may_conflict = other == thread || places & event.places != 0;
            if may_conflict && !before.contains(at) && self.conflict(at, &event) {
                before.union(&self.before[at]);
                before.insert(at);
                if !self.events[at].is_in_order(&event) {
                    races.push(Race { first: at as u32, reversal: Reversal::Open });
                }
            }
        }
        if let Some(store) = event.label.store.filter(|_| !event.lost) {
            self.note_update(event.label.thread, store, position as u32);
        }
        self.keys.push((thread, event.places));
        self.events.push(event);
        self.before.push(before);
        self.races.push(races);
    }

    /// Removes the last event.
    pub fn pop(&mut self) -> Rc<Event> {
        let event = self.events.pop().expect("an event was pushed");
        self.keys.pop();
        self.spare.extend(self.before.pop());
        self.races.pop();
        if let Label { thread, store: Some(store) } = event.label {
            self.note_update(thread, store, NEVER);
        }
        event
    }

    fn note_update(&mut self, thread: usize, store: u32, at: u32) {
        if self.updated.len() <= thread {
            self.updated.resize(thread + 1, Vec::new());
        }
        let stores = &mut self.updated[thread];
        if stores.len() <= store as usize {
            stores.resize(store as usize + 1, NEVER);
        }
        stores[store as usize] = at;
    }

    /// The event with the thread's own newest store to each loaded byte that came from memory, if one had reached memory.
    fn with_own_stores(&self, event: Rc<Event>) -> Rc<Event> {
        let thread = event.label.thread;
        let stores = self.updated.get(thread).map_or(&[][..], Vec::as_slice);
        if event.label.store.is_some() || stores.is_empty() || event.touches.iter().all(|touch| touch.write) {
            return event;
        }
        let newest = |touch: &Touch, offset: u32| {
            let byte = Touch { offset, len: 1, ..*touch };
            let is_it = |&&at: &&u32| at != NEVER && self.events[at as usize].touches[0].overlaps(&byte);
            stores.iter().rev().find(is_it).and_then(|&at| self.events[at as usize].label.store)
        };
        let split = |touch: &Touch| {
            if touch.write || touch.own.is_some() {
                return Touches::from_slice(&[*touch]);
            }
            let bytes: SmallVec<[_; 16]> =
                (touch.offset..touch.offset + touch.len).map(|at| (at, newest(touch, at))).collect();
            let parts = bytes.chunk_by(|a, b| a.1 == b.1);
            parts.map(|part| Touch { offset: part[0].0, len: part.len() as u32, own: part[0].1, ..*touch }).collect()
        };
        let touches = event.touches.iter().flat_map(split).collect();
        Rc::new(Event { touches, ..Event::clone(&event) })
    }
}
