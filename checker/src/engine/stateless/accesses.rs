//! The accesses of a step as events of histories know them: places that it reads, and places that it writes
//! at once.
//!
//! A resource without an address is a place of one byte. A step that changes one also reads it, so that the
//! steps that change it are in one order, which the sources tell. Each name of a heap object, and each number
//! of a thread, is a place. A step that takes one reads that those before it are taken.
//!
//! The sources of a step are decided in order. First come reads whose source is no question, as that of the
//! end of the thread that a join waited for: without it the step would wait. Then come those on which other
//! places of the step depend.

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

/// An entry of a footprint with its place among the decisions of the step.
type Ordered<'e> = ((u32, u32, u32), &'e FootprintEntry);

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
        let waited = event.footprint.iter().any(|touch| touch.awaited().is_some());
        let rank = |touch: &FootprintEntry| match touch.touched() {
            Touched::Thread | Touched::End if waited => Some(1),
            // A created thread has its number before it has a standing.
            Touched::ThreadNumbers if event.creates() => Some(2),
            _ if touch.decides_places() => Some(3),
            _ => None,
        };
        let touches = || event.footprint.iter().filter(|touch| !touch.hypothetical).enumerate();
        let last_deciding = touches().filter(|(_, touch)| rank(touch).is_some()).last().map(|(at, _)| at);
        let mut loads = 0;
        let in_order = touches().map(|(at, touch)| {
            // What a thread that is alone has loaded decides what it does then in the same step.
            let decides =
                touch.touched() == Touched::Memory && touch.reads && last_deciding.is_some_and(|last| at < last);
            loads += u32::from(decides);
            let rank = if decides { Some(0) } else { rank(touch) };
            (rank.map_or((1, 0, 0), |rank| (0, loads, rank)), touch)
        });
        let mut touches: SmallVec<[Ordered<'_>; 8]> = in_order.collect();
        touches.sort_by_key(|&(order, _)| order);
        for (_, touch) in touches {
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
