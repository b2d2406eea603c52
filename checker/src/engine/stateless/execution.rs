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
use smallvec::{SmallVec, smallvec};

use super::bits::{self, Bits};
use super::event::{Event, Label, Touches};
use super::variants::Variants;
use crate::ir::ids::{FuncId, Pc};
use crate::system::FootprintEntry;

const NEVER: u32 = u32::MAX;

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

/// The positions of a thread's events.
#[derive(Debug, Default)]
struct Own {
    steps: Bits,
    updates: Bits,
    all: Bits,
}

/// A sequence of events, each with what happens before it.
pub struct Execution {
    /// Whether a thread's stores stay in order.
    total: bool,
    events: Vec<Rc<Event>>,
    /// Per event, the positions of the events that happen before it.
    before: Vec<Bits>,
    /// Per thread, where its events are.
    threads: Vec<Own>,
    /// Where the events are of a thread that has none.
    nowhere: Bits,
    /// Per bit of [`Event::places`], the positions of the events that have it: most pairs of events need no closer look.
    places: Vec<Bits>,
    /// The positions of the events that meddle ([`Event::meddles`]).
    meddling: Bits,
    /// For each of those, and before them, a number that no other one has had.
    stamps: Vec<u64>,
    /// The highest of those numbers so far.
    last_stamp: u64,
    /// The races of all events, in the order of the events; of one event, latest first.
    races: Vec<Race>,
    /// Per event, where its races begin.
    races_from: Vec<usize>,
    /// Per thread and store number, the position of the update.
    updated: Vec<Vec<u32>>,
    /// Per thread, the position of the event that last created it.
    created: Vec<u32>,
    /// Loads of what its thread's own store hides.
    hidden: Variants,
    /// Copies of which a load was in a race: see `system/bulk/group.rs`. Only grows.
    raced_copies: FxHashSet<(FuncId, Pc)>,
}

impl Execution {
    /// No events. `total`: a thread's stores reach memory in program order.
    pub fn new(total: bool) -> Self {
        Self {
            total,
            events: Vec::new(),
            before: Vec::new(),
            threads: Vec::new(),
            nowhere: Bits::new(),
            places: vec![Bits::new(); 64],
            meddling: Bits::new(),
            stamps: vec![0],
            last_stamp: 0,
            races: Vec::new(),
            races_from: Vec::new(),
            updated: Vec::new(),
            created: Vec::new(),
            hidden: Variants::default(),
            raced_copies: FxHashSet::default(),
        }
    }

    /// Whether a thread's stores stay in order.
    pub const fn is_total(&self) -> bool {
        self.total
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

    /// The positions of a thread's steps.
    #[inline]
    pub fn steps_of(&self, thread: usize) -> &Bits {
        self.threads.get(thread).map_or(&self.nowhere, |own| &own.steps)
    }

    /// The positions of a thread's events.
    #[inline]
    pub fn events_of(&self, thread: usize) -> &Bits {
        self.threads.get(thread).map_or(&self.nowhere, |own| &own.all)
    }

    /// The positions of the events that conflict with the join of another thread than their own.
    pub const fn meddling(&self) -> &Bits {
        &self.meddling
    }

    /// A number for the events up to the last one that meddles: with the same number they are the same events.
    pub fn stamp(&self) -> u64 {
        self.stamps[self.stamps.len() - 1]
    }

    /// Where the event is that last created a thread, if one did.
    pub fn creation_of(&self, thread: usize) -> Option<usize> {
        self.created.get(thread).filter(|&&at| at != NEVER).map(|&at| at as usize)
    }

    /// The positions of all events that may conflict with this one. Of several that created its thread, as its number was used again, the others come before those
    /// of its events that are there.
    pub fn near(&self, event: &Event) -> Bits {
        let mut near = self.near_others(event);
        near.unite(self.events_of(event.label.thread));
        near
    }

    /// The same, and of its own thread's events perhaps not all.
    fn near_others(&self, event: &Event) -> Bits {
        if event.places == u64::MAX {
            return Bits::below(self.len());
        }
        let mut near = Bits::new();
        if let Some(at) = self.creation_of(event.label.thread) {
            near.insert(at);
        }
        bits::of_word(event.places).for_each(|place| near.unite(&self.places[place]));
        near
    }

    /// The positions of what its own thread orders before an event at the end of the execution, with what happens before that ([`Event::precedes_own`]): the
    /// last step, or the one that buffered the store, comes after all steps before it.
    fn own_past(&self, event: &Event) -> Bits {
        let mut past = Bits::new();
        let Some(own) = self.threads.get(event.label.thread) else { return past };
        let step = match event.label.store {
            None => own.steps.highest(),
            Some(store) => own.steps.positions_down().find(|&at| self.events[at].pushed.contains(&store)),
        };
        if let Some(step) = step {
            past.clone_from(self.past(step));
            past.insert(step);
        }
        if event.label.store.is_some() || event.fenced {
            let mut updates = own.updates.clone();
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

    /// What a step comes right after in its own thread: the step before, if there is one, and if it needs an empty buffer the updates since one did.
    pub fn previous_of(&self, at: usize) -> SmallVec<[usize; 8]> {
        let event = &self.events[at];
        let mut own = self.events_of(event.label.thread).clone();
        own.cut(at);
        let (mut previous, mut has_step) = (SmallVec::new(), false);
        while let Some(at) = own.highest().filter(|_| event.fenced || !has_step) {
            own.remove(at);
            let earlier = &self.events[at];
            let is_step = earlier.label.store.is_none();
            if !is_step && event.fenced || is_step && !has_step {
                previous.push(at);
            }
            has_step |= is_step;
            if is_step && earlier.fenced {
                break;
            }
        }
        previous
    }

    /// Where the update of a store is, if it happened and reached memory.
    pub fn update_of(&self, thread: usize, store: u32) -> Option<usize> {
        self.position_of(thread, store).filter(|&at| !self.events[at].lost)
    }

    /// Where the update of a store is, if it happened.
    pub fn position_of(&self, thread: usize, store: u32) -> Option<usize> {
        let at = *self.updated.get(thread)?.get(store as usize)?;
        (at != NEVER).then_some(at as usize)
    }

    /// Whether an event at the end of the execution would conflict with the one at position `at`.
    pub fn conflict(&self, at: usize, event: &Event) -> bool {
        let earlier = &self.events[at];
        // If the earlier event is the write, what counts is what came before it; else the write is the new event, after everything.
        earlier.conflicts(event, |thread, store| {
            let limit = if thread == earlier.label.thread { self.len() } else { at };
            self.update_of(thread, store).is_some_and(|update| update < limit)
        })
    }

    /// Appends an event.
    pub fn push(&mut self, event: Rc<Event>) {
        let event = self.with_hidden_load(event);
        let position = self.len();
        self.races_from.push(self.races.len());
        let (mut before, mut open) = (self.own_past(&event), self.near_others(&event));
        // What its own thread did before it is no race, nor is what happens before that: it comes earlier, and would be taken out when that is found.
        open.subtract(self.events_of(event.label.thread));
        open.subtract(&before);
        while let Some(at) = open.take_highest() {
            if !self.conflict(at, &event) {
                continue;
            }
            // What happens before something that was found needs no look any more.
            let past = self.past(at);
            before.unite(past);
            before.insert(at);
            open.subtract(past);
            if !self.events[at].begins(&event) && !event.is_last {
                self.raced_copies.extend([self.events[at].copies, event.copies].into_iter().flatten());
                self.races.push(Race { first: at as u32, second: position as u32, reversal: Reversal::Open });
            }
        }
        self.before.push(before);
        self.note(&event, position);
        if event.meddles {
            self.last_stamp += 1;
            self.stamps.push(self.last_stamp);
        }
        if let Label { thread, store: Some(store) } = event.label {
            self.note_update(thread, store, position as u32);
        }
        let creates = event.creates;
        self.events.push(event);
        if creates {
            self.note_creations();
        }
    }

    /// Removes the last event.
    pub fn pop(&mut self) -> Rc<Event> {
        let event = self.events.pop().expect("an event was pushed");
        self.before.pop();
        self.note(&event, self.events.len());
        if event.meddles {
            self.stamps.pop();
        }
        self.races.truncate(self.races_from.pop().expect("a beginning per event"));
        if let Label { thread, store: Some(store) } = event.label {
            self.note_update(thread, store, NEVER);
        }
        if event.creates {
            self.note_creations();
        }
        event
    }

    /// Puts the position of an event into the sets by which it is found, or takes it out.
    fn note(&mut self, event: &Event, position: usize) {
        let Label { thread, store } = event.label;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Own::default);
        }
        let own = &mut self.threads[thread];
        own.all.toggle(position);
        if store.is_none() { &mut own.steps } else { &mut own.updates }.toggle(position);
        bits::of_word(event.places).for_each(|place| self.places[place].toggle(position));
        if event.meddles {
            self.meddling.toggle(position);
        }
    }

    /// Finds out anew where threads were created.
    fn note_creations(&mut self) {
        self.created.clear();
        for (event, at) in self.events.iter().zip(0..).filter(|(event, _)| event.creates) {
            for thread in event.touches.iter().filter_map(FootprintEntry::created) {
                self.created.resize(self.created.len().max(thread + 1), NEVER);
                self.created[thread] = at;
            }
        }
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

    /// The same as [`Self::with_own_stores`]. Of a step that touched one thing, the event is remembered: every execution has it again.
    fn with_hidden_load(&mut self, event: Rc<Event>) -> Rc<Event> {
        if event.label.store.is_some() || !self.has_near_update(&event) {
            return event;
        }
        let [touch] = event.touches[..] else { return self.with_own_stores(event, u32::MAX) };
        let own = self.own_updates(event.label.thread, &touch, u32::MAX).next();
        match own.map(|update| (update.label.store, update.touches[0].covers(&touch))) {
            None => event,
            Some((own, true)) => {
                let make =
                    |event: &Event| Event { touches: smallvec![FootprintEntry { own, ..touch }], ..event.clone() };
                self.hidden.find(event, own, make)
            }
            Some((_, false)) => self.with_own_stores(event, u32::MAX),
        }
    }

    /// The event with the thread's own newest store to each loaded byte that came from memory, if one had reached memory. `below`: of the stores with a
    /// lower number.
    pub(super) fn with_own_stores(&self, event: Rc<Event>, below: u32) -> Rc<Event> {
        let thread = event.label.thread;
        if event.label.store.is_some() || !self.has_near_update(&event) {
            return event;
        }
        let (mut touches, mut is_same) = (Touches::new(), true);
        for touch in &event.touches {
            match self.own_updates(thread, touch, below).next() {
                None => touches.push(*touch),
                Some(update) if update.touches[0].covers(touch) => {
                    is_same = false;
                    touches.push(FootprintEntry { own: update.label.store, ..*touch });
                }
                Some(_) => {
                    is_same = false;
                    self.split(thread, touch, below, &mut touches);
                }
            }
        }
        if is_same {
            return event;
        }
        Rc::new(Event { touches, ..Event::clone(&event) })
    }

    /// Whether there may be an update of the event's thread to something that it touched.
    fn has_near_update(&self, event: &Event) -> bool {
        let Some(Own { updates, .. }) = self.threads.get(event.label.thread) else { return false };
        !updates.is_empty() && bits::of_word(event.places).any(|place| self.places[place].meets(updates))
    }

    /// Each byte of a load with the newest store to it, in pieces with the same one.
    fn split(&self, thread: usize, touch: &FootprintEntry, below: u32, parts: &mut Touches) {
        let store = |offset| {
            let byte = FootprintEntry { offset, len: 1, ..*touch };
            self.own_updates(thread, &byte, below).next().and_then(|update| update.label.store)
        };
        let bytes: SmallVec<[_; 16]> = (touch.offset..touch.offset + touch.len).map(|at| (at, store(at))).collect();
        let pieces = bytes.chunk_by(|a, b| a.1 == b.1);
        parts.extend(pieces.map(|part| FootprintEntry {
            offset: part[0].0,
            len: part.len() as u32,
            own: part[0].1,
            ..*touch
        }));
    }

    /// The updates of a thread's stores to what a load from memory touches, newest first: stores that overlap reach memory in their order under every model.
    fn own_updates(&self, thread: usize, touch: &FootprintEntry, below: u32) -> impl Iterator<Item = &Rc<Event>> {
        let mut open = Bits::new();
        if let Some(own) = self.threads.get(thread).filter(|_| !touch.write && touch.own.is_none()) {
            bits::of_word(touch.places()).for_each(|place| open.unite(&self.places[place]));
            open.keep(&own.updates);
        }
        let touch = *touch;
        std::iter::from_fn(move || {
            loop {
                let at = open.take_highest()?;
                let update = &self.events[at];
                if !update.lost && update.label.store < Some(below) && update.touches[0].overlaps(&touch) {
                    return Some(update);
                }
            }
        })
    }
}
