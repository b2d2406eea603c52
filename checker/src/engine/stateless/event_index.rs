//! Indices of the positions of an execution's events: by thread, kind, store and footprint.
//!
//! Most pairs of events of an execution do not conflict. The sets here leave few pairs for a closer look.

use smallvec::SmallVec;

use super::bits::{self, Bits};
use super::event::{Action, Event};

/// No position.
const NEVER: u32 = u32::MAX;

/// The positions of a thread's events.
#[derive(Debug, Default)]
struct OwnEvents {
    steps: Bits,
    updates: Bits,
    all: Bits,
}

/// Positions of events.
#[derive(Debug)]
pub struct EventIndex {
    threads: Vec<OwnEvents>,
    /// The empty set, for a thread without events.
    nowhere: Bits,
    /// For each bit of [`Event::footprint_mask`], the positions of the events that have it.
    by_mask: Vec<Bits>,
    /// The positions of the events that may conflict with the join of another thread than their own.
    of_joins: Bits,
    /// For each thread and store number, the position of the update.
    updates: Vec<Vec<u32>>,
    /// For each number of a thread, the positions of the events that created one of that number, in order.
    creations: Vec<SmallVec<[u32; 2]>>,
}

impl Default for EventIndex {
    fn default() -> Self {
        Self {
            threads: Vec::new(),
            nowhere: Bits::new(),
            by_mask: vec![Bits::new(); 64],
            of_joins: Bits::new(),
            updates: Vec::new(),
            creations: Vec::new(),
        }
    }
}

impl EventIndex {
    /// Adds the event at a position.
    #[inline]
    pub fn insert(&mut self, event: &Event, position: usize) {
        self.toggle(event, position);
        self.set_update(event.action, position as u32);
    }

    /// Removes the event at a position.
    #[inline]
    pub fn remove(&mut self, event: &Event, position: usize) {
        self.toggle(event, position);
        self.set_update(event.action, NEVER);
    }

    /// Adds or removes the event at a position among the steps of its thread, if it is one, and nowhere else.
    #[inline]
    pub fn toggle_step(&mut self, event: &Event, position: usize) {
        if !event.is_update() {
            self.own(event.action.thread).steps.toggle(position);
        }
    }

    fn own(&mut self, thread: usize) -> &mut OwnEvents {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, OwnEvents::default);
        }
        &mut self.threads[thread]
    }

    fn toggle(&mut self, event: &Event, position: usize) {
        let own = self.own(event.action.thread);
        own.all.toggle(position);
        if event.is_update() { &mut own.updates } else { &mut own.steps }.toggle(position);
        bits::of_word(event.footprint_mask).for_each(|bit| self.by_mask[bit].toggle(position));
        if event.conflicts_with_join() {
            self.of_joins.toggle(position);
        }
    }

    #[inline]
    fn set_update(&mut self, action: Action, position: u32) {
        let Action { thread, store: Some(store) } = action else { return };
        if self.updates.len() <= thread {
            self.updates.resize(thread + 1, Vec::new());
        }
        let stores = &mut self.updates[thread];
        if stores.len() <= store as usize {
            stores.resize(store as usize + 1, NEVER);
        }
        stores[store as usize] = position;
    }

    /// Replaces the creations by these pairs of a thread and the position at which it was created, in order.
    pub fn set_creations(&mut self, creations: impl Iterator<Item = (usize, u32)>) {
        self.creations.iter_mut().for_each(SmallVec::clear);
        for (thread, position) in creations {
            self.creations.resize(self.creations.len().max(thread + 1), SmallVec::new());
            self.creations[thread].push(position);
        }
    }

    /// The positions of a thread's steps.
    #[inline]
    pub fn steps_of(&self, thread: usize) -> &Bits {
        self.threads.get(thread).map_or(&self.nowhere, |own| &own.steps)
    }

    /// The positions of the updates of a thread's stores.
    #[inline]
    pub fn updates_of(&self, thread: usize) -> &Bits {
        self.threads.get(thread).map_or(&self.nowhere, |own| &own.updates)
    }

    /// The positions of a thread's events.
    #[inline]
    pub fn events_of(&self, thread: usize) -> &Bits {
        self.threads.get(thread).map_or(&self.nowhere, |own| &own.all)
    }

    /// The positions of the events that may conflict with the join of another thread than their own.
    pub const fn of_joins(&self) -> &Bits {
        &self.of_joins
    }

    /// The position of the update of a store.
    #[inline]
    pub fn update_of(&self, thread: usize, store: u32) -> Option<usize> {
        let at = *self.updates.get(thread)?.get(store as usize)?;
        (at != NEVER).then_some(at as usize)
    }

    /// The position of the last event before a position that created a thread of this number.
    #[inline]
    pub fn creation_of(&self, thread: usize, before: usize) -> Option<usize> {
        let mut positions = self.creations.get(thread)?.iter().rev().map(|&at| at as usize);
        positions.find(|&at| at < before)
    }

    /// The positions of the events with a bit of this footprint mask.
    #[inline]
    pub fn with_mask(&self, mask: u64) -> Bits {
        let mut found = Bits::new();
        bits::of_word(mask).for_each(|bit| found.unite(&self.by_mask[bit]));
        found
    }

    /// True if a thread has an update with a bit of this footprint mask.
    #[inline]
    pub fn has_own_update_with(&self, thread: usize, mask: u64) -> bool {
        let updates = self.updates_of(thread);
        !updates.is_empty() && bits::of_word(mask).any(|bit| self.by_mask[bit].meets(updates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{creation, update, write};

    fn positions(set: &Bits) -> Vec<usize> {
        set.positions().collect()
    }

    #[test]
    fn events_are_found_by_thread_kind_store_and_mask() {
        let mut index = EventIndex::default();
        let events = [write(0, 1), update(0, 3, 1), write(1, 2), creation(0, 2)];
        events.iter().enumerate().for_each(|(at, event)| index.insert(event, at));
        assert_eq!(positions(index.steps_of(0)), [0, 3]);
        assert_eq!(positions(index.updates_of(0)), [1]);
        assert_eq!(positions(index.events_of(0)), [0, 1, 3]);
        assert_eq!(positions(index.events_of(7)), [0; 0]);
        assert_eq!(positions(index.of_joins()), [3]);
        assert_eq!(index.update_of(0, 3), Some(1));
        assert_eq!(index.update_of(0, 2), None);
        assert_eq!(positions(&index.with_mask(events[0].footprint_mask)), [0, 1]);
        assert!(index.has_own_update_with(0, events[0].footprint_mask));
        assert!(!index.has_own_update_with(1, events[0].footprint_mask));
        index.remove(&events[1], 1);
        assert_eq!((index.update_of(0, 3), positions(index.updates_of(0))), (None, vec![]));
    }
}
