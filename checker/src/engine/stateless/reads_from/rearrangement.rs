//! Orders of the events of an execution in which a step may have other sources, without a search for a
//! witness.
//!
//! The sources of the step are in memory at some place, but others overwrite them later. There are two ways
//! to read them:
//!
//! * *Insertion.* The step comes right there. Those on which it depends and that come later are moved before
//!   it.
//! * *Delay.* Writes come later, with all that needs them: who reads them, the later stores of a buffer, the
//!   later steps of a thread, and who overwrites what one of those reads. What is left keeps its sources,
//!   since each of them is left, too. A source comes later if the step depends on the one that overwrites it,
//!   and otherwise that one comes after the step.
//!
//! Whether what was moved finds its sources is told by the writes of the events. Nothing depends on that: the
//! order is an execution of the branch if it is taken and is found to be one.

use std::rc::Rc;

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::clock::Clock;
use super::memory::{Part, Parts};
use super::removal::Removed;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;

/// An event that was removed from the end of an execution, and the step that it is or comes from, by thread
/// and number.
pub struct Undone {
    /// The event.
    pub removed: Removed,
    /// The step.
    pub step: (usize, u32),
}

impl Undone {
    /// Its writes, in order.
    fn writes(&self) -> impl DoubleEndedIterator<Item = &Part> {
        self.removed.writes.iter().rev()
    }

    /// Its reads, but for those of its thread's own stores, which need not be in memory.
    fn reads(&self) -> impl Iterator<Item = &Part> {
        let is_own = |writer: Writer| matches!(writer, Writer::Store(of, _) if of as usize == self.step.0);
        self.removed.step.iter().flat_map(|step| &step.parts).filter(move |part| !is_own(part.writer))
    }
}

/// An order of events around a step.
pub struct Rearrangement {
    /// The events before the step.
    pub first: Vec<Rc<Event>>,
    /// The events after it.
    pub later: Vec<Rc<Event>>,
    /// True if the later events find their sources, unless the step overwrites them.
    pub find_sources: bool,
}

impl Rearrangement {
    /// The order in which the step comes before these events, but for those in its past. `None`: one of
    /// those overwrites its sources.
    pub fn by_insertion(events: &[Undone], past: &Clock, sources: &Parts) -> Option<Self> {
        let (first, later): (Vec<_>, Vec<_>) = events.iter().partition(|undone| past.has(undone.step.0, undone.step.1));
        if first.iter().any(|undone| undone.removed.overwrites(sources)) {
            return None;
        }
        let find_sources = find_sources(&first, &later);
        Some(Self { first: shared(first), later: shared(later), find_sources })
    }

    /// The order in which writes come later, so that the sources are in memory at the end, or before writes
    /// that come after the step, without the events at the beginning that stay where they are, and their
    /// number. `None`: there is none, as far as a few delays tell.
    pub fn by_delay(events: &[Undone], past: &Clock, sources: &Parts) -> Option<(Self, usize)> {
        let is_needed = |undone: &&Undone| past.has(undone.step.0, undone.step.1);
        let (mut first, mut later) = (events.iter().collect::<Vec<_>>(), Vec::new());
        for _ in 0..MOST_DELAYS {
            let Some((source, last)) = overwritten(&first, sources) else {
                let kept = first.iter().zip(events).take_while(|(one, other)| std::ptr::eq(**one, *other)).count();
                let first = shared(first.into_iter().skip(kept));
                return Some((Self { first, later: shared(later), find_sources: true }, kept));
            };
            let comes_first = is_needed(&last.0);
            let mut delay = Delay::new(if comes_first { source } else { last.1 });
            let (kept, mut delayed): (Vec<_>, Vec<_>) = first.into_iter().partition(|undone| !delay.concerns(undone));
            let is_possible = if comes_first { !delayed.is_empty() } else { !delayed.iter().any(is_needed) };
            if !is_possible {
                return None;
            }
            first = kept;
            if comes_first {
                first.append(&mut delayed);
            } else {
                delayed.append(&mut later);
                later = delayed;
            }
        }
        None
    }
}

/// The most delays that are tried, one after the other.
const MOST_DELAYS: usize = 8;

/// The events that come after a write if it comes as late as possible: by the sources of reads, the order of a
/// thread's steps and stores, and since they overwrite what another one reads. There may be more: stores of a
/// thread to different places are taken to be in order.
struct Delay {
    /// The write, and those of the other events.
    writers: SmallVec<[Writer; 16]>,
    /// What the events read from others.
    reads: SmallVec<[Place; 16]>,
    /// The first steps of threads.
    steps: SmallVec<[(usize, u32); 8]>,
    /// The threads whose stores are among the events.
    stores: SmallVec<[usize; 8]>,
}

impl Delay {
    fn new(writer: Writer) -> Self {
        Self {
            writers: SmallVec::from_slice(&[writer]),
            reads: SmallVec::new(),
            steps: SmallVec::new(),
            stores: SmallVec::new(),
        }
    }

    /// True if an event is one of those, which are asked for in order.
    fn concerns(&mut self, undone: &Undone) -> bool {
        let Undone { removed, step: (thread, number) } = undone;
        let is_after_step = self.steps.iter().any(|(of, first)| of == thread && first <= number);
        let waits = removed.event.is_update() || removed.event.is_fenced();
        let is_one = |part: &Part| self.writers.contains(&part.writer);
        let overwrites = |write: &Part| self.reads.iter().any(|read| read.overlaps(write.place));
        let concerns = is_after_step
            || waits && self.stores.contains(thread)
            || undone.writes().any(|write| is_one(write) || overwrites(write))
            || undone.reads().any(is_one);
        if concerns {
            let from_others = undone.reads().filter(|part| !is_one(part));
            self.reads.extend(from_others.map(|part| part.place));
            self.writers.extend(undone.writes().map(|write| write.writer));
            match removed.event.is_update() {
                true => self.stores.push(*thread),
                false if !is_after_step => self.steps.push((*thread, *number)),
                false => {}
            }
        }
        concerns
    }
}

fn shared<'a>(events: impl IntoIterator<Item = &'a Undone>) -> Vec<Rc<Event>> {
    events.into_iter().map(|undone| Rc::clone(&undone.removed.event)).collect()
}

/// True if events find their sources after others that did not come before, as far as the writes of both
/// tell.
fn find_sources(first: &[&Undone], later: &[&Undone]) -> bool {
    let mut writes: Vec<&Part> = first.iter().flat_map(|undone| undone.writes()).collect();
    for undone in later {
        let last_to = |part: &Part| writes.iter().rev().find(|write| write.place.overlaps(part.place));
        if !undone.reads().all(|part| last_to(part).is_none_or(|last| last.writer == part.writer)) {
            return false;
        }
        writes.extend(undone.writes());
    }
    true
}

/// A source that is not in memory after events, and the last one that overwrites it, with its writer.
fn overwritten<'a>(events: &[&'a Undone], sources: &Parts) -> Option<(Writer, (&'a Undone, Writer))> {
    let all = || events.iter().rev().flat_map(|&undone| undone.writes().rev().map(move |write| (undone, write)));
    sources.iter().find_map(|part| {
        let (undone, last) = all().find(|(_, write)| write.place.overlaps(part.place))?;
        (last.writer != part.writer).then_some((part.writer, (undone, last.writer)))
    })
}
