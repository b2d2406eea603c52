//! Events for tests, made by hand. Objects have one word each.

use smallvec::smallvec;

use super::event::{Event, EventKind, Footprint, StepEvent, Termination, UpdateEvent};
use crate::ir::ids::{FuncId, Pc};
use crate::system::Touch;

/// The place of all steps made here.
pub const PLACE: (FuncId, Pc) = (FuncId(0), Pc(0));

/// A range of eight bytes.
pub const fn touch(object: u32, write: bool) -> Touch {
    Touch { object, offset: 0, len: 8, write, own: None, commuting: None, imagined: false }
}

/// A step with this footprint.
pub fn step(thread: usize, footprint: Footprint) -> Event {
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
    Event::step(thread, Footprint::new(), pushed)
}

/// A step that needs an empty buffer.
pub fn fence(thread: usize) -> Event {
    Event::step(thread, Footprint::new(), StepEvent { fenced: true, ..StepEvent::at(PLACE) })
}

/// A step that ends the process while other threads live.
pub fn exit(thread: usize) -> Event {
    let termination = Some(Termination { of_others: true, is_last: false });
    Event::step(thread, Footprint::new(), StepEvent { termination, ..StepEvent::at(PLACE) })
}

/// The update of a store to an object. Its barrier epoch is its number.
pub fn update(thread: usize, store: u32, object: u32) -> Event {
    let mut event = write(thread, object);
    event.action.store = Some(store);
    event.kind = EventKind::Update(UpdateEvent { barrier_epoch: store, copy: 0, lost: false });
    event
}

/// A step that creates a thread.
pub fn creation(thread: usize, created: usize) -> Event {
    let objects = (16..32).map(|bit| 1 << bit | created as u32);
    let touches = objects.map(|object| Touch { len: 1, ..touch(object, true) });
    let touch = touches.into_iter().find(|touch| touch.created() == Some(created)).expect("a name of creations");
    let join = Touch { object: 1 << 31 | created as u32, ..touch };
    assert!(join.is_of_join());
    step(thread, smallvec![touch, join])
}
