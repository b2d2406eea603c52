//! Events that are others with a small difference: made once, as long as they are remembered.

use std::rc::Rc;

use super::event::Event;

/// How many are remembered; of several with the same place, the last.
const SLOTS: usize = 1 << 10;

/// An event, the store that makes a difference to it, and the event with that difference. The first is kept
/// so that its address is its name.
type Variant = (Rc<Event>, Option<u32>, Rc<Event>);

/// Events by others and the number of a store.
#[derive(Default)]
pub struct Variants {
    slots: Vec<Option<Variant>>,
}

impl Variants {
    /// The event that differs from this one in what `store` makes of it.
    pub fn find(&mut self, event: Rc<Event>, store: Option<u32>, make: impl FnOnce(&Event) -> Event) -> Rc<Event> {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        // Events are more than 64 bytes long.
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
