//! Handmade events for tests. Objects have one word each.

use smallvec::smallvec;

use super::event::{Event, EventFootprint, EventKind, StepEvent, Termination, UpdateEvent};
use crate::ir::ids::{FuncId, Pc};
use crate::system::FootprintEntry;

/// The place of all steps made here.
pub const PLACE: (FuncId, Pc) = (FuncId(0), Pc(0));

/// A range of eight bytes.
pub const fn touch(object: u32, write: bool) -> FootprintEntry {
    FootprintEntry::range(object, 0, 8, write)
}

/// A step with this footprint.
pub fn step(thread: usize, footprint: EventFootprint) -> Event {
    Event::step(thread, footprint, StepEvent::at(PLACE))
}

/// A step that reads an object.
pub fn read(thread: usize, object: u32) -> Event {
    step(thread, smallvec![touch(object, false)])
}

/// A step that writes an object at once.
pub fn write(thread: usize, object: u32) -> Event {
    step(thread, smallvec![touch(object, true)])
}

/// A step that buffers stores of these numbers.
pub fn push(thread: usize, stores: std::ops::Range<u32>) -> Event {
    let pushed = StepEvent { pushed: stores, ..StepEvent::at(PLACE) };
    Event::step(thread, EventFootprint::new(), pushed)
}

/// A step that needs an empty buffer.
pub fn fence(thread: usize) -> Event {
    Event::step(thread, EventFootprint::new(), StepEvent { fenced: true, ..StepEvent::at(PLACE) })
}

/// A step that ends the process while other threads live.
pub fn exit(thread: usize) -> Event {
    let termination = Some(Termination { of_others: true, is_last: false });
    Event::step(thread, EventFootprint::new(), StepEvent { termination, ..StepEvent::at(PLACE) })
}

/// The update of a store to an object. Its barrier epoch is its number.
pub fn update(thread: usize, store: u32, object: u32) -> Event {
    update_in_epoch(thread, store, store, object)
}

/// The update of a store to an object, with a barrier epoch.
pub fn update_in_epoch(thread: usize, store: u32, barrier_epoch: u32, object: u32) -> Event {
    let mut event = write(thread, object);
    event.action.store = Some(store);
    event.kind = EventKind::Update(UpdateEvent { barrier_epoch, copy: 0, lost: false });
    event
}

/// The touch of a thing of a thread: the first name without an address for which `is_it` is true.
fn touch_of_thread(thread: usize, write: bool, is_it: impl Fn(&FootprintEntry) -> bool) -> FootprintEntry {
    let names = (16..32).flat_map(|one| (16..32).map(move |other| 1_u32 << one | 1 << other));
    let mut touches = names.map(|name| FootprintEntry { len: 1, ..touch(name | thread as u32, write) });
    touches.find(is_it).expect("a name of this kind")
}

/// A step that creates a thread.
pub fn creation(thread: usize, created: usize) -> Event {
    let creation = touch_of_thread(created, true, |touch| touch.created() == Some(created));
    let end = touch_of_thread(created, true, |touch| touch.is_end_of(created));
    step(thread, smallvec![creation, end])
}

/// A step that only ends its thread.
pub fn end(thread: usize) -> Event {
    step(
        thread,
        smallvec![touch_of_thread(thread, true, |touch| touch.awaited().is_none() && is_awaited(touch, thread))],
    )
}

/// A step that only waits for the end of a thread.
pub fn join(thread: usize, joined: usize) -> Event {
    step(thread, smallvec![touch_of_thread(joined, false, |touch| is_awaited(touch, joined))])
}

/// A step that detaches a thread.
pub fn detach(thread: usize, detached: usize) -> Event {
    step(thread, smallvec![touch_of_thread(detached, true, |touch| touch.of_thread() == Some(detached))])
}

fn is_awaited(touch: &FootprintEntry, thread: usize) -> bool {
    FootprintEntry { write: false, ..*touch }.awaited() == Some(thread)
}
