//! Clocks and timestamps of the events of a thread, in program order.
//!
//! Source: E. Tomasco et al., FMCAD 2016, sections III to V. The clock never decreases. A buffered store
//! has a timestamp, and reaches memory when the clock does. Times are below the maximum `K`.
//!
//! In figure 3 every operation sets the clock to a guessed value. Here each visible event has a variable
//! for the clock at which it happens, and the beginning of each thread's piece in a round has one: the
//! clock of an event in the piece is between that and the next. Everything else about times relates events
//! of one thread and has no copies for rounds (`max_tstamp`, `last_tstamp` and `last_value` of the figure):
//!
//! * A timestamp is at least the clock, and at least the times that the model's [`Order`] demands.
//! * A read has the value of the thread's own last store to the cell while that has not expired (line 58).
//! * At an atomic operation the clock is at least the latest timestamp of the thread (lines 76 to 81).
//! * A fence demands that of the clock of each later event of the thread. So it waits, in effect, until the
//!   thread's next visible event. Nothing that happens between could tell: the thread itself does nothing,
//!   and that its buffer is empty later suffices. If there is no such event, the fence can be the end of
//!   everything. Where there are glued events a fence is visible, with a clock of its own: it cannot come
//!   when another thread has stopped between glued events.
//!
//! * The clock stands still between glued events: no store of another thread reaches memory there. Stores of
//!   the thread itself may, at once or before the first of these events, which nobody can tell from later.
//!
//! Events that are passed over or not executed have times, too. Any execution of the others allows some.
//!
//! There are as many times as bounds allow, at most one more than there are stores that go through buffers:
//! then each of them has a time of its own.
//!
//! All cells of a store have one timestamp, so the store reaches memory at once. Stores with equal
//! timestamps reach memory together, in the order in which they were issued: `WriteList` keeps that order
//! for each cell, and it is consistent with the order that the model demands.

use rmc_formula::TermId;

use super::time;
use crate::engine::symbolic::schedule::access::{Access, Write};
use crate::engine::symbolic::schedule::events::Barrier;
use crate::engine::symbolic::schedule::formula::Formula;
use crate::engine::symbolic::schedule::rounds::Rounds;

/// The times of an event.
#[derive(Clone, Debug, Default)]
pub struct EventTimes {
    /// The clock; of visible events.
    pub clock: Option<TermId>,
    /// The time at which the store reaches memory; of buffered stores.
    pub stamp: Option<TermId>,
    /// For each read from shared memory: its value is not from the thread's buffer.
    from_memory: Vec<TermId>,
}

/// The order in which a thread's stores reach memory.
pub trait Order {
    /// Times that a new store's timestamp must not be below if their conditions hold.
    fn lower_bounds(&self, f: &mut Formula, buffer: &Buffer, writes: &[Write]) -> Vec<(TermId, TermId)>;

    /// The latest timestamp after a store with this one.
    fn latest(&self, f: &mut Formula, buffer: &Buffer, stamp: TermId) -> TermId;
}

/// The thread's last store to a cell.
#[derive(Clone, Copy, Debug)]
pub struct LastStore {
    /// Its timestamp.
    pub stamp: TermId,
    /// Its value.
    value: TermId,
}

/// The stores of a thread so far.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For each cell; `None` if none can be in the buffer.
    pub last: Vec<Option<LastStore>>,
    /// The latest timestamp.
    pub latest: TermId,
    /// The least timestamp of later stores that a store barrier demands.
    pub floor: TermId,
    /// The least clock of later events that a full fence demands.
    clock_floor: TermId,
    /// The clock of the visible event before.
    clock: TermId,
}

/// The times of the events of all threads.
#[derive(Debug)]
pub struct Times {
    count: u32,
    events: Vec<Vec<EventTimes>>,
}

/// The number of times that an execution with these events can need.
pub fn useful_times(accesses: &[Vec<Access>]) -> u32 {
    let is_counted = |access: &&Access| access.is_buffered && access.shared_writes().next().is_some();
    let stores = accesses.iter().flatten().filter(is_counted).count();
    u32::try_from(stores).map_or(time::MAX_TIMES, |stores| stores.saturating_add(1).min(time::MAX_TIMES))
}

impl Times {
    /// Demands what program order and rounds demand of the times of all events. There are `count` times.
    pub fn new(
        f: &mut Formula,
        order: &impl Order,
        accesses: &[Vec<Access>],
        rounds: &Rounds,
        cells: usize,
        count: u32,
    ) -> Self {
        let mut times = Self { count, events: Vec::new() };
        for thread in accesses {
            let zero = time::first(f, count);
            let mut buffer =
                Buffer { last: vec![None; cells], latest: zero, floor: zero, clock_floor: zero, clock: zero };
            let events = thread.iter().map(|access| times.event(f, order, &mut buffer, access)).collect();
            times.events.push(events);
        }
        times.assert_global(f, rounds);
        times
    }

    /// The number of times.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The clock of a visible event.
    pub fn clock(&self, thread: usize, event: usize) -> Option<TermId> {
        self.events[thread][event].clock
    }

    /// The timestamp of a buffered store.
    pub fn stamp(&self, thread: usize, event: usize) -> Option<TermId> {
        self.events[thread][event].stamp
    }

    /// True if a read from shared memory has its value from there and not from the buffer.
    pub fn is_from_memory(&self, thread: usize, event: usize, read: usize) -> TermId {
        self.events[thread][event].from_memory[read]
    }

    /// The times of all events.
    pub fn events(&self) -> Vec<Vec<EventTimes>> {
        self.events.clone()
    }

    /// The times of the thread's next event.
    fn event(&self, f: &mut Formula, order: &impl Order, buffer: &mut Buffer, access: &Access) -> EventTimes {
        let mut times = EventTimes::default();
        if access.is_visible {
            let clock = time::fresh(f, self.count);
            time::assert_not_after(f, &[], buffer.clock, clock);
            time::assert_not_after(f, &[access.guard], buffer.clock_floor, clock);
            time::assert_not_after(f, &[access.follows_glue], clock, buffer.clock);
            buffer.clock = clock;
            times.clock = Some(clock);
        }
        match access.barrier {
            Some(Barrier::Full) => self.empty(f, buffer, access.guard, times.clock),
            Some(Barrier::StoreStore) => buffer.floor = f.terms.ite(access.guard, buffer.latest, buffer.floor),
            None => {}
        }
        times.from_memory = self.forward(f, buffer, access, times.clock);
        if access.is_buffered {
            let stamp = self.stamp_of(f, order, buffer, access, times.clock);
            buffer.issue(f, order, access, stamp);
            times.stamp = Some(stamp);
        }
        times
    }

    /// A full barrier.
    fn empty(&self, f: &mut Formula, buffer: &mut Buffer, guard: TermId, clock: Option<TermId>) {
        match clock {
            Some(clock) => time::assert_not_after(f, &[guard], buffer.latest, clock),
            None => buffer.clock_floor = f.terms.ite(guard, buffer.latest, buffer.clock_floor),
        }
        if !f.is_true(guard) {
            return;
        }
        // Whatever is later finds the buffer empty.
        buffer.last.fill(None);
        if clock.is_some() {
            let zero = time::first(f, self.count);
            (buffer.latest, buffer.floor, buffer.clock_floor) = (zero, zero, zero);
        }
    }

    /// For each read: its value is not from the buffer. If it is from there, it is that of the last store.
    fn forward(&self, f: &mut Formula, buffer: &Buffer, access: &Access, clock: Option<TermId>) -> Vec<TermId> {
        let mut from_memory = Vec::new();
        for read in &access.reads {
            let clock = clock.expect("a visible event");
            let Some(last) = buffer.last[read.cell.index()] else {
                from_memory.push(f.terms.boolean(true));
                continue;
            };
            let is_buffered = time::is_before(f, clock, last.stamp);
            let is_last = f.terms.eq(read.result, last.value);
            f.assert_implied(&[read.condition, is_buffered], is_last);
            from_memory.push(f.terms.not(is_buffered));
        }
        from_memory
    }

    /// The timestamp of a store: a variable, or the least that is allowed if nobody else can read it.
    fn stamp_of(
        &self,
        f: &mut Formula,
        order: &impl Order,
        buffer: &Buffer,
        access: &Access,
        clock: Option<TermId>,
    ) -> TermId {
        let bounds = order.lower_bounds(f, buffer, &access.writes);
        let Some(clock) = clock else {
            let mut stamp = time::first(f, self.count);
            for (condition, bound) in bounds {
                let is_later = time::is_before(f, stamp, bound);
                let is_bound = f.terms.and(condition, is_later);
                stamp = f.terms.ite(is_bound, bound, stamp);
            }
            return stamp;
        };
        let stamp = time::fresh(f, self.count);
        time::assert_not_after(f, &[access.guard], clock, stamp);
        for (condition, bound) in bounds {
            time::assert_not_after(f, &[access.guard, condition], bound, stamp);
        }
        stamp
    }

    /// Demands that the clock does not decrease from one piece of a thread to the next.
    fn assert_global(&self, f: &mut Formula, rounds: &Rounds) {
        let mut begin = time::first(f, self.count);
        for round in 0..rounds.count() {
            for (thread, events) in self.events.iter().enumerate() {
                let end = time::fresh(f, self.count);
                time::assert_not_after(f, &[], begin, end);
                for (event, times) in events.iter().enumerate() {
                    let Some(clock) = times.clock else { continue };
                    let is_now = rounds.within(round, thread, event).expect("a visible event is in a round");
                    time::assert_not_after(f, &[is_now], begin, clock);
                    time::assert_not_after(f, &[is_now], clock, end);
                }
                begin = end;
            }
        }
    }
}

impl Buffer {
    /// Adds a store.
    fn issue(&mut self, f: &mut Formula, order: &impl Order, access: &Access, stamp: TermId) {
        let latest = order.latest(f, self, stamp);
        self.latest = f.terms.ite(access.guard, latest, self.latest);
        for write in &access.writes {
            let zero = f.terms.constant(0, f.terms.width(stamp));
            let last = &mut self.last[write.cell.index()];
            let before = last.unwrap_or(LastStore { stamp: zero, value: write.value });
            *last = Some(LastStore {
                stamp: f.terms.ite(write.condition, stamp, before.stamp),
                value: f.terms.ite(write.condition, write.value, before.value),
            });
        }
    }
}
