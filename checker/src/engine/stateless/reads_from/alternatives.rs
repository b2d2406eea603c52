//! The sources that a step may have: those that are in the execution, but for those that the order of the
//! steps hides.

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::candidate::Candidate;
use super::clock::Clock;
use super::histories::Histories;
use super::memory::{Part, Parts, merged};
use super::trace::{Step, Trace, common};
use crate::engine::stateless::sources::Writer;

/// Bytes that a step reads and overwrites at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The bytes.
    pub place: Place,
    /// The step, by thread and number.
    pub by: (usize, u32),
}

/// Steps that read and overwrite what another one would.
pub type Rivals = SmallVec<[Taken; 1]>;

impl Trace {
    /// The other sources that are in the execution for the reads of a step, which is the step of its thread
    /// with this number. Each result has another source for one read and the same for the reads before; the
    /// reads after may be others then. The bytes in `fixed` keep their sources. Left out are sources that
    /// the step cannot read because of what it depends on without its reads.
    pub fn alternatives(&self, histories: &Histories, candidate: &Candidate, number: u32, fixed: &Parts) -> Vec<Parts> {
        let thread = candidate.event.action.thread;
        let mut before = self.order_before(thread, number);
        let mut arrived = self.arrived_before(thread, number);
        let is_question = |part: &Part, before: &Clock, arrived: &Clock| {
            part.is_open && !self.is_settled(part, thread, (before, arrived)) && self.is_contested(part, thread)
        };
        let Some(first_question) = candidate.parts.iter().position(|part| is_question(part, &before, &arrived)) else {
            return Vec::new();
        };
        let mut results = Vec::new();
        let mut first = Parts::new();
        for (at, part) in candidate.parts.iter().enumerate() {
            // A read that is no question may depend on those before it: a step that creates a thread reads
            // the standing of the number that it takes, and with another source takes another number.
            let cells = match at >= first_question && is_question(part, &before, &arrived) {
                true => self.cells(part.place, &[]),
                false => {
                    first.push(*part);
                    SmallVec::new()
                }
            };
            for cell in cells {
                let mut known: SmallVec<[Writer; 8]> = SmallVec::from_slice(&[part.writer]);
                if self.is_contested(&Part { place: cell, ..*part }, thread)
                    && !fixed.iter().any(|fixed| fixed.place.overlaps(cell))
                {
                    let certain = |writer: Writer| self.step_before(writer, thread, &before, &arrived);
                    let recent = self.memory.writes_since(cell, |write| certain(write.writer).is_some());
                    let writes = recent.iter().filter(|write| write.place.overlaps(cell));
                    let writers = writes.map(|write| write.writer);
                    if writers.clone().all(|writer| writer == part.writer) && certain(part.writer).is_some() {
                        first.push(Part { place: cell, ..*part });
                        continue;
                    }
                    let hiders = self.hiders(cell, (thread, number), recent, (&before, certain));
                    for writer in writers.chain([Writer::Initial]) {
                        let is_own = self.step_of(writer) == Some((thread, number));
                        if !is_own && !self.is_hidden(writer, &hiders) && !known.contains(&writer) {
                            known.push(writer);
                            let changed = Part { place: cell, writer, is_open: true };
                            results.push(merged(first.iter().copied().chain([changed]).collect()));
                        }
                    }
                }
                first.push(Part { place: cell, ..*part });
            }
            self.add_order(&mut before, thread, part.writer);
            self.add_arrived(histories, &mut arrived, thread, part.writer);
        }
        results
    }

    /// True if the source of a read of a thread is the last write there, comes after all others, and is for
    /// certain in memory before the read, so that there is no other source. What precedes the read is given
    /// as for [`Self::step_before`].
    fn is_settled(&self, part: &Part, thread: usize, (before, arrived): (&Clock, &Clock)) -> bool {
        let last = self.memory.last_after_all(part.place.object);
        last.is_some_and(|last| last.writer == part.writer && last.place.covers(part.place))
            && self.step_before(part.writer, thread, before, arrived).is_some()
    }

    /// True if there may be another source of a read of a thread: not if nobody else writes there.
    fn is_contested(&self, part: &Part, thread: usize) -> bool {
        let is_own = |writer: Writer| self.step_of(writer).is_some_and(|(of, _)| of == thread);
        let is_of_others = part.writer != Writer::Initial && !is_own(part.writer);
        is_of_others || self.writes_to(part.place).any(|write| !is_own(write.writer))
    }

    /// The bytes of sources that a step other than the given one reads and overwrites at the same time. No
    /// two steps can do so.
    pub fn taken(&self, sources: &Parts, except: (usize, u32)) -> Rivals {
        let mut taken = Rivals::new();
        for part in sources {
            for write in self.writes_to(part.place) {
                let Writer::Step(taker, step) = write.writer else { continue };
                let taker = taker as usize;
                // A thread reads its own stores before they are in memory.
                let is_own = matches!(part.writer, Writer::Store(owner, _) if owner as usize == taker);
                if is_own || (taker, step) == except {
                    continue;
                }
                for read in self.step(taker, step).known.facts.parts.iter().filter(|read| read.writer == part.writer) {
                    let both = common(read.place, write.place).and_then(|both| common(both, part.place));
                    if let Some(place) = both {
                        taken.push(Taken { place, by: (taker, step) });
                    }
                }
            }
        }
        taken
    }

    /// The step of a writer, if what it wrote is for certain in memory before a step of a thread, or in the
    /// buffer of that. `before` are steps that precede the step, `arrived` the numbers of delayed stores that
    /// are in memory before it.
    fn step_before(&self, writer: Writer, thread: usize, before: &Clock, arrived: &Clock) -> Option<(usize, u32)> {
        let (other, step) = self.step_of(writer).filter(|&(other, step)| before.has(other, step))?;
        let is_certain = match writer {
            Writer::Store(_, store) if other != thread => {
                arrived.has(other, store) || self.has_arrived((other, step), before)
            }
            _ => true,
        };
        is_certain.then_some((other, step))
    }

    /// The writes and reads that may hide others from a step. `recent` are writes without those to the cell
    /// that are hidden for certain. `before` are steps that precede the step, and `origin` tells the steps of
    /// the writes that do.
    fn hiders(
        &self,
        cell: Place,
        (thread, number): (usize, u32),
        recent: &[Part],
        (before, origin): (&Clock, impl Fn(Writer) -> Option<(usize, u32)>),
    ) -> Hiders {
        let mut hiders = Hiders::default();
        for write in recent.iter().filter(|write| write.place.overlaps(cell)) {
            if let Some(origin) = origin(write.writer) {
                hiders.add(write.writer, origin);
            }
        }
        for &(part, reader) in self.memory.last_reads(cell).filter(|(part, _)| part.place.overlaps(cell)) {
            let Some(source) = self.step_of(part.writer) else { continue };
            if let Writer::Store(_, store) = part.writer
                && source.0 != reader.0
            {
                hiders.seen.push(Seen { by: reader, thread: source.0, store });
                if before.has(reader.0, reader.1) {
                    hiders.add(part.writer, source);
                    hiders.seen_before.push(part.writer);
                }
            }
            let is_later = || self.step(reader.0, reader.1).order.has(thread, number);
            let hides = || origin(part.writer).is_some() || hiders.seen_before.contains(&part.writer);
            if hides() && !is_later() {
                hiders.readers.push((reader, source));
            }
        }
        for &(other, step) in hiders.last.iter().chain(hiders.readers.iter().map(|(reader, _)| reader)) {
            hiders.before.unite_cut(&self.step(other, step).order, other, step);
        }
        hiders
    }

    /// True if a step cannot read a cell from a writer, because a write to the cell comes after it and before
    /// the step.
    fn is_hidden(&self, writer: Writer, hiders: &Hiders) -> bool {
        let Some(source) = self.step_of(writer) else { return !hiders.last.is_empty() };
        if let Writer::Store(thread, store) = writer {
            // Stores of one thread to one cell reach memory in order, and those in a buffer hide what is in
            // memory from their thread. What else comes after the step of a store may come before the store
            // is in memory.
            let is_read_after = |&((of, step), read): &Reading| {
                read != source
                    && (of == source.0 && step > source.1
                        || self.is_in_memory((source, store), self.step(of, step), hiders))
            };
            return hiders.stores.iter().any(|&(of, last)| of == thread && last > store)
                || hiders.readers.iter().any(is_read_after)
                || hiders
                    .last
                    .iter()
                    .any(|&(of, step)| self.is_in_memory((source, store), self.step(of, step), hiders));
        }
        if self.is_overwritten_by_itself(source, hiders) {
            return true;
        }
        let is_before = hiders.before.has(source.0, source.1);
        // The source of one of the readers may come before another one.
        let is_read = hiders.readers.iter().any(|&(_, read)| read == source);
        is_before
            && (!is_read
                || hiders.last.iter().any(|&later| self.is_ordered(source, later))
                || self.is_read_after(source, hiders))
    }

    /// True if a delayed store hides what its own step, this one, wrote to the cell at once: memory that a
    /// step begins is written so, with nothing, and then by what initialises it.
    fn is_overwritten_by_itself(&self, step: (usize, u32), hiders: &Hiders) -> bool {
        hiders.stores.iter().any(|&(of, store)| self.step_of(Writer::Store(of, store)) == Some(step))
    }

    /// True if a store to the cell, of this step, is in memory before some step that `last` follows, or
    /// itself.
    fn is_in_memory(&self, (step, store): ((usize, u32), u32), last: &Step, hiders: &Hiders) -> bool {
        let steps = &last.order;
        let is_it = |seen: &Seen| seen.thread == step.0 && seen.store >= store && steps.has(seen.by.0, seen.by.1);
        last.known.facts.arrived.has(step.0, store) || self.has_arrived(step, steps) || hiders.seen.iter().any(is_it)
    }

    /// True if another step comes after a step in every execution with these sources.
    fn is_ordered(&self, one: (usize, u32), later: (usize, u32)) -> bool {
        one != later && self.step(later.0, later.1).order.has(one.0, one.1)
    }

    /// True if a step that comes after a write reads the cell from a later one.
    fn is_read_after(&self, one: (usize, u32), hiders: &Hiders) -> bool {
        hiders.readers.iter().any(|&(reader, source)| one != source && self.is_ordered(one, reader))
    }
}

/// Writes to a cell that come before a step, and are in memory or in the buffer of its thread when it reads:
/// of stores of other threads it has to be known that they are in memory. Of the writes of a thread the last
/// one hides whatever one of them hides.
#[derive(Debug, Default)]
struct Hiders {
    /// The last of them, by thread and step.
    last: SmallVec<[(usize, u32); 4]>,
    /// The last of those that are delayed stores, by thread and number of the store.
    stores: SmallVec<[(u32, u32); 4]>,
    /// Delayed stores that another thread has read before the step.
    seen_before: SmallVec<[Writer; 4]>,
    /// Reads of the cell from one of them. What was there before such a read is not there after its source.
    readers: SmallVec<[Reading; 4]>,
    /// Delayed stores that another thread has read, so that they are in memory.
    seen: SmallVec<[Seen; 4]>,
    /// All steps that come before one of `last` or before one of the readers.
    before: Clock,
}

impl Hiders {
    /// Adds a write, which is one of this step.
    fn add(&mut self, writer: Writer, (thread, step): (usize, u32)) {
        raise(&mut self.last, thread, step);
        if let Writer::Store(thread, store) = writer {
            raise(&mut self.stores, thread, store);
        }
    }
}

/// Sees to it that the number of a thread is at least this one.
fn raise<T: PartialEq>(numbers: &mut SmallVec<[(T, u32); 4]>, thread: T, number: u32) {
    match numbers.iter_mut().find(|(of, _)| *of == thread) {
        Some((_, known)) => *known = number.max(*known),
        None => numbers.push((thread, number)),
    }
}

/// A delayed store to a cell that a step of another thread reads. Stores of a thread to one cell reach memory
/// in order, so those before it are in memory, too.
#[derive(Debug)]
struct Seen {
    /// The step that reads it, by thread and number.
    by: (usize, u32),
    /// The thread of the store.
    thread: usize,
    /// Its number there.
    store: u32,
}

/// A step that reads, and the step of its source, each by thread and number.
type Reading = ((usize, u32), (usize, u32));
