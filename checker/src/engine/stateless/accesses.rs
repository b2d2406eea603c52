//! The accesses of a step as events of histories know them: places that it reads, and places that it writes
//! at once.
//!
//! A resource without an address is a place of one byte. A step that changes one also reads it, so that the
//! steps that change it are in one order, which the sources tell. Each name of a heap object, and each number
//! of a thread, is a place. A step that takes one reads that those before it are taken.
//!
//! The sources of a step are decided in order ([`decisions`]). What is decided first decides what the step
//! does then, so that with another source it may read other places.

use rmc_consistency::Place;
use rmc_runtime::Access;
use smallvec::SmallVec;

use super::event::Event;
use crate::system::{FootprintEntry, Touched};

/// A read of a step.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The bytes.
    pub place: Place,
    /// The number of the thread's newest buffered store to these bytes, if there is one.
    pub own: Option<u32>,
    /// True if it can be asked whether the read has another source. Otherwise the order of the steps decides
    /// which source it has, and other entries of the footprint decide that order.
    pub is_open: bool,
}

/// The accesses of a step.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// The reads. No byte is in two of them.
    pub reads: SmallVec<[Touch; 2]>,
    /// The writes that are no delayed stores.
    pub writes: SmallVec<[Place; 2]>,
    /// True if an object comes into being or ends.
    pub changes_lives: bool,
    /// The threads that the step creates. Each reads a place first that the step writes.
    pub creates: SmallVec<[(usize, Place); 0]>,
}

impl Accesses {
    /// The accesses of a step, or the reason why they mean nothing to this engine.
    pub fn of(event: &Event) -> Result<Self, &'static str> {
        let mut accesses = Self::default();
        if event.in_section() {
            return Err("an atomic section");
        }
        if !event.dropped().is_empty() {
            return Err("memory that ends while stores to it are in the buffer of its thread");
        }
        let is_of_thread = |touch: &FootprintEntry| {
            touch.created().is_some() || touch.awaited().is_some() || touch.is_end_of(event.action.thread)
        };
        let orders_threads = event.footprint.iter().any(is_of_thread);
        for touch in decisions(event) {
            let place = Place::new(touch.object, touch.offset, touch.len);
            match touch.touched() {
                Touched::Memory => accesses.add_memory(touch, place),
                Touched::Life => {
                    accesses.changes_lives |= touch.write;
                    accesses.add_resource(place, touch.write);
                }
                Touched::HeapNames | Touched::ThreadNumbers => accesses.add_resource(place, touch.write),
                // A detachment, or the question whether a thread has ended: its standing says more.
                Touched::Thread if !orders_threads => {}
                Touched::Thread => accesses.add_fixed(place, touch.write),
                Touched::Creation => {
                    accesses.creates.extend(touch.created().map(|thread| (thread, place)));
                    accesses.writes.push(place);
                }
                Touched::End => accesses.add_fixed(place, touch.write),
                Touched::MutexRelease => {}
                Touched::Position if touch.write => accesses.writes.push(place),
                Touched::Position => accesses.read(place, None, true),
                Touched::Other => accesses.add_resource(place, touch.write),
            }
        }
        Ok(accesses)
    }

    /// The accesses of a step before which there was only one thread: what it did to memory is the memory
    /// that the others find. If it delays stores, which it does after it has created a thread, these depend
    /// on the lives of their objects.
    pub fn without_memory(&self, delays: bool) -> Self {
        let mut rest = self.clone();
        let is_order = |place: &Place| {
            let touch = FootprintEntry::of(Access { object: place.object, offset: place.offset, len: 1 }, true);
            match touch.touched() {
                Touched::Memory | Touched::HeapNames => false,
                Touched::Life => delays,
                _ => true,
            }
        };
        rest.reads.retain(|touch| is_order(&touch.place));
        rest.writes.retain(|place| is_order(place));
        Self { changes_lives: rest.changes_lives && delays, ..rest }
    }

    /// True if the step writes bytes of a place at once.
    pub fn overwrites(&self, place: Place) -> bool {
        self.writes.iter().any(|write| write.overlaps(place))
    }

    fn add_memory(&mut self, touch: &FootprintEntry, place: Place) {
        if touch.reads {
            self.read(place, touch.own.filter(|_| !touch.write), true);
        }
        if touch.write {
            self.writes.push(place);
        }
        // A load finds out by its bytes whether the object is there.
        if let Some(life) = touch.life().filter(|_| touch.write) {
            self.read(Place::new(life, 0, 1), None, true);
        }
    }

    fn add_resource(&mut self, place: Place, changes: bool) {
        self.read(place, None, true);
        if changes {
            self.writes.push(place);
        }
    }

    fn add_fixed(&mut self, place: Place, changes: bool) {
        self.read(place, None, false);
        if changes {
            self.writes.push(place);
        }
    }

    /// Adds a read of those bytes that no other read has.
    fn read(&mut self, place: Place, own: Option<u32>, is_open: bool) {
        let mut rest: SmallVec<[Place; 4]> = SmallVec::from_slice(&[place]);
        for known in &self.reads {
            let parts = rest.iter().flat_map(|&part| without(part, known.place)).collect();
            rest = parts;
        }
        self.reads.extend(rest.into_iter().map(|place| Touch { place, own, is_open }));
    }
}

/// The entries of a step's footprint, in the order in which their sources are decided.
///
/// First come reads whose source is no question, as that of the end of the thread that a join waited for:
/// without it the step would wait. Then come those on which other places of the step depend. A thread that is
/// alone may have loaded something before, in the same step: it decides all of these.
fn decisions(event: &Event) -> SmallVec<[&FootprintEntry; 8]> {
    let waited = event.footprint.iter().any(|touch| touch.awaited().is_some());
    let rank = |touch: &FootprintEntry| match touch.touched() {
        Touched::Thread | Touched::End if waited => Some(0),
        // A created thread has its number before it has a standing.
        Touched::ThreadNumbers if event.creates() => Some(1),
        _ if touch.decides_places() => Some(2),
        _ => None,
    };
    let is_load = |touch: &FootprintEntry| touch.touched() == Touched::Memory && touch.reads;
    let touches = || event.footprint.iter().filter(|touch| !touch.hypothetical);
    let mut undecided = touches().filter(|touch| rank(touch).is_some()).count();
    let (mut first, mut rest): (SmallVec<[&FootprintEntry; 8]>, SmallVec<[_; 8]>) = Default::default();
    for touch in touches() {
        let decides = rank(touch).is_some() || is_load(touch) && undecided > 0;
        undecided -= usize::from(rank(touch).is_some());
        if decides { first.push(touch) } else { rest.push(touch) }
    }
    first.split_mut(|touch| is_load(touch)).for_each(|between| between.sort_by_key(|touch| rank(touch)));
    first.extend(rest);
    first
}

/// The bytes of a place that another one does not have.
pub fn without(place: Place, other: Place) -> SmallVec<[Place; 2]> {
    if !place.overlaps(other) {
        return SmallVec::from_slice(&[place]);
    }
    let (end, other_end) = (place.offset + place.len, other.offset + other.len);
    let mut parts = SmallVec::new();
    if place.offset < other.offset {
        parts.push(Place { len: other.offset - place.offset, ..place });
    }
    if other_end < end {
        parts.push(Place { offset: other_end, len: end - other_end, ..place });
    }
    parts
}
