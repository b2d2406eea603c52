//! Variants of events with a small difference. Each is made once, as long as it is cached.

use std::rc::Rc;

use super::event::Event;

/// The number of cached variants. Of several in the same slot, the last one is kept.
const SLOTS: usize = 1 << 10;

/// An event, the store that makes a difference to it, and the event with that difference. The first event is
/// kept because its address is the key.
type Variant = (Rc<Event>, Option<u32>, Rc<Event>);

/// Variants by their original event and the number of a store.
#[derive(Default)]
pub struct Variants {
    slots: Vec<Option<Variant>>,
}

impl Variants {
    /// The variant of this event for `store`. `make` creates it if it is not cached.
    pub fn find(&mut self, event: Rc<Event>, store: Option<u32>, make: impl FnOnce(&Event) -> Event) -> Rc<Event> {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        // Events take more than 64 bytes.
        let place = (Rc::as_ptr(&event).addr() / 64) ^ store.map_or(0, |store| store as usize);
        let slot = &mut self.slots[place % SLOTS];
        match slot {
            Some((from, by, variant)) if Rc::ptr_eq(from, &event) && *by == store => Rc::clone(variant),
            _ => {
                let variant = Rc::new(make(&event));
                *slot = Some((event, store, Rc::clone(&variant)));
                variant
            }
        }
    }
}
