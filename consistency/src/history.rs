//! Histories: what each thread did, and which store each load read.

use smallvec::SmallVec;

/// The position of an event: the thread, and the number of the event in program order, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The thread.
    pub thread: u32,
    /// The number of the event in its thread.
    pub index: u32,
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {} of thread {}", self.index, self.thread)
    }
}

impl EventId {
    /// The event of a thread with a number.
    #[must_use]
    pub const fn new(thread: u32, index: u32) -> Self {
        Self { thread, index }
    }
}

/// A range of bytes of an object. Ranges of different objects have no byte in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The object.
    pub object: u32,
    /// The first byte.
    pub offset: u32,
    /// The number of bytes, at least 1.
    pub len: u32,
}

impl Place {
    /// A range of bytes.
    #[must_use]
    pub const fn new(object: u32, offset: u32, len: u32) -> Self {
        Self { object, offset, len }
    }

    /// The end of the range: the byte behind the last one.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset as u64 + self.len as u64
    }

    /// True if this range has all bytes of another one.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.object == other.object && self.offset <= other.offset && other.end() <= self.end()
    }

    /// True if two ranges have a byte in common.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.object == other.object && (self.offset as u64) < other.end() && (other.offset as u64) < self.end()
    }
}

/// The origin of bytes that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The memory before the first event.
    Initial,
    /// The last of an event's writes to these bytes.
    Event(EventId),
    /// One of an event's writes, by its number in [`Event::writes`].
    Write(EventId, u32),
    /// The last of what an event wrote besides ([`Event::at_once`]) to these bytes.
    AtOnce(EventId),
}

impl Source {
    /// The event, unless it is the initial memory.
    #[must_use]
    pub const fn event(self) -> Option<EventId> {
        match self {
            Self::Initial => None,
            Self::Event(id) | Self::Write(id, _) | Self::AtOnce(id) => Some(id),
        }
    }
}

/// Bytes that were read, all from one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    /// The bytes.
    pub place: Place,
    /// Their source.
    pub source: Source,
}

/// The kinds of events. All read before they write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A load, a store, or both. Under TSO and PSO its writes go through the buffer of its thread.
    Plain,
    /// A read-modify-write, or an operation on a lock. It waits until the buffer of its thread is empty, and
    /// writes to memory at once.
    Atomic,
    /// It waits until the buffer of its thread is empty. Then it is like a plain event, if it touches memory.
    Fence,
    /// Stores of its thread before it reach memory before stores of its thread after it.
    StoreBarrier,
}

/// An event of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The kind.
    pub kind: EventKind,
    /// Its reads, with sources. A read whose bytes have several sources is several of these.
    pub reads: SmallVec<[Read; 1]>,
    /// Its writes, in this order.
    pub writes: SmallVec<[Place; 1]>,
    /// For each write, a number that does not get smaller in a thread. If there are any, they decide instead
    /// of the model: the writes are delayed, those with a smaller number reach memory before those with a
    /// larger one, and those with the same number in any order, unless they share bytes. So the writes of a
    /// copy may be in no order under every model.
    pub epochs: SmallVec<[u32; 0]>,
    /// Its writes that reach memory at once, although its kind would delay it: memory that comes into
    /// being or ends, and the like.
    pub at_once: SmallVec<[Place; 0]>,
    /// For each write, if there are any, a place that the event reads or writes at once, for instance of an
    /// object's life, or none. The write, if it is delayed, has an effect only if nothing has written that place
    /// since, or since the source that was read there. No store to that place is delayed.
    pub lives: SmallVec<[Option<Place>; 0]>,
}

impl Event {
    /// An event that reads and writes nothing.
    #[must_use]
    pub fn of(kind: EventKind) -> Self {
        Self {
            kind,
            reads: SmallVec::new(),
            writes: SmallVec::new(),
            epochs: SmallVec::new(),
            at_once: SmallVec::new(),
            lives: SmallVec::new(),
        }
    }

    /// A load of a place from one source.
    #[must_use]
    pub fn load(place: Place, source: Source) -> Self {
        Self { reads: SmallVec::from_slice(&[Read { place, source }]), ..Self::of(EventKind::Plain) }
    }

    /// A store to a place.
    #[must_use]
    pub fn store(place: Place) -> Self {
        Self { writes: SmallVec::from_slice(&[place]), ..Self::of(EventKind::Plain) }
    }

    /// A read-modify-write of a place.
    #[must_use]
    pub fn atomic(place: Place, source: Source) -> Self {
        Self { kind: EventKind::Atomic, writes: SmallVec::from_slice(&[place]), ..Self::load(place, source) }
    }
}

/// The events of all threads of an execution, with the stores that they read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    /// The events of each thread, in program order.
    pub threads: Vec<Vec<Event>>,
}

impl History {
    /// The event at a position.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn event(&self, at: EventId) -> &Event {
        &self.threads[at.thread as usize][at.index as usize]
    }

    /// All positions, thread by thread.
    pub fn positions(&self) -> impl Iterator<Item = EventId> + '_ {
        let threads = self.threads.iter().zip(0..);
        threads.flat_map(|(events, thread)| (0..events.len() as u32).map(move |index| EventId { thread, index }))
    }
}

/// Histories that mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// A read names a source that is not in the history.
    #[error("{0} reads from an event that does not exist")]
    NoSuchSource(EventId),
    /// A read names a source that does not write all bytes that are read from it.
    #[error("{0} reads bytes from an event that does not write them")]
    SourceWritesElsewhere(EventId),
    /// A place has no bytes, or goes beyond the end of the object.
    #[error("{0} touches a place without bytes or beyond the last offset")]
    BadPlace(EventId),
    /// Two reads of one event touch the same byte.
    #[error("{0} reads a byte twice")]
    ReadsTwice(EventId),
    /// A store is delayed, while a later one of its thread to the same bytes is not, and nothing waits for
    /// the first one, which does not end with the later one either.
    #[error("{0} delays a store to bytes that its thread then writes at once without a fence")]
    DelayedAndAtOnce(EventId),
    /// The place of a life is not one of the places that the event reads.
    #[error("{0} does not read the place that its stores depend on")]
    UnreadLife(EventId),
    /// A store to the place of a life is delayed.
    #[error("{0} delays a store to a place that stores depend on")]
    DelayedLife(EventId),
    /// A store-store barrier reads or writes.
    #[error("{0} is a barrier and touches memory")]
    BarrierTouches(EventId),
}
