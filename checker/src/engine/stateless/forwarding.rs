//! Loads of bytes that the thread stored itself, and the own stores that hide the writes of other threads
//! from them.
//!
//! The machine knows the newest own store of a load while the store is in its buffer. When the store has
//! reached memory, the execution knows it. Conflicts of such a load with writes depend on that store
//! ([`Event::conflicts`]).

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::event::{Event, EventFootprint};
use super::execution::Execution;
use crate::system::FootprintEntry;

impl Execution {
    /// [`Self::with_own_stores`]. The result for an event with one touched range is cached, since every
    /// execution computes it again.
    pub(super) fn with_own_stores_cached(&mut self, event: Rc<Event>) -> Rc<Event> {
        if event.is_update() || !self.has_own_update_near(&event) {
            return event;
        }
        let [touch] = event.footprint[..] else { return self.with_own_stores(event, u32::MAX) };
        let own = self.own_updates(event.action.thread, &touch, u32::MAX).next();
        match own.map(|update| (update.action.store, update.footprint[0].covers(&touch))) {
            None => event,
            Some((own, true)) => {
                let make = |event: &Event| event.with_footprint(smallvec![FootprintEntry { own, ..touch }]);
                self.forwarded.find(event, own, make)
            }
            Some((_, false)) => self.with_own_stores(event, u32::MAX),
        }
    }

    /// The event with the thread's newest own store to each byte that it loaded from memory, if one had
    /// reached memory. Only stores with a number lower than `below` count.
    pub(super) fn with_own_stores(&self, event: Rc<Event>, below: u32) -> Rc<Event> {
        let thread = event.action.thread;
        if event.is_update() || !self.has_own_update_near(&event) {
            return event;
        }
        let (mut footprint, mut is_same) = (EventFootprint::new(), true);
        for touch in &event.footprint {
            match self.own_updates(thread, touch, below).next() {
                None => footprint.push(*touch),
                Some(update) if update.footprint[0].covers(touch) => {
                    is_same = false;
                    footprint.push(FootprintEntry { own: update.action.store, ..*touch });
                }
                Some(_) => {
                    is_same = false;
                    self.split(thread, touch, below, &mut footprint);
                }
            }
        }
        if is_same {
            return event;
        }
        Rc::new(event.with_footprint(footprint))
    }

    /// True if there may be an update of the event's thread to a range that the event touched.
    fn has_own_update_near(&self, event: &Event) -> bool {
        self.index().has_own_update_with(event.action.thread, event.footprint_mask)
    }

    /// Adds the bytes of a load, in pieces with the same newest own store.
    fn split(&self, thread: usize, touch: &FootprintEntry, below: u32, parts: &mut EventFootprint) {
        let store = |offset| {
            let byte = FootprintEntry { offset, len: 1, ..*touch };
            self.own_updates(thread, &byte, below).next().and_then(|update| update.action.store)
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

    /// The updates of a thread's stores to the bytes that it loaded from memory, newest first. Stores that
    /// overlap reach memory in program order under every model.
    fn own_updates(&self, thread: usize, touch: &FootprintEntry, below: u32) -> impl Iterator<Item = &Rc<Event>> {
        let may_have_own = !touch.write && touch.own.is_none();
        let mut open = self.index().with_mask(if may_have_own { touch.places() } else { 0 });
        open.keep(self.index().updates_of(thread));
        let touch = *touch;
        std::iter::from_fn(move || {
            loop {
                let at = open.take_highest()?;
                let update = self.event(at);
                if !update.is_lost() && update.action.store < Some(below) && update.footprint[0].overlaps(&touch) {
                    return Some(update);
                }
            }
        })
    }
}
