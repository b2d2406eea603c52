//! Orders of the events of an execution in which a step may have other sources, without a search for a
//! witness.
//!
//! The sources of the step are in memory at some place, but others overwrite them later. There are two ways
//! to read them:
//!
//! * *Insertion.* The step comes right there. Those on which it depends and that come later are moved before
//!   it.
//! * *Delay.* Writes come later, with all that needs them: who reads them, the later stores of a buffer, the
//!   later steps of a thread, who overwrites what one of those reads, and the source of that if it comes after
//!   one of them. What is left keeps its sources, since each of them is left, too. A source comes later if the
//!   step depends on the one that overwrites it, and otherwise that one comes after the step.
//!
//! Whether what was moved finds its sources is told by the writes of the events. Nothing depends on that: the
//! order is an execution of the branch if it is taken and is found to be one.

use std::rc::Rc;

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::clock::Clock;
use super::memory::{Part, Parts};
use super::removal::Undone;
use super::trace::{Known, Thread, Trace};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::sources::Writer;

/// An event of an execution.
pub struct Occurrence<'a> {
    event: &'a Rc<Event>,
    /// The step that it is or comes from, by thread and number.
    step: (usize, u32),
    /// Its writes, in order.
    writes: SmallVec<[Part; 1]>,
    /// What is known of it, if it is a step.
    known: Option<&'a Known>,
}

/// An event that is to be taken again.
pub struct Repeated {
    /// The event.
    pub event: Rc<Event>,
    /// What is known of it, if it is a step, as long as it has the same sources.
    pub known: Option<Known>,
}

impl<'a> Occurrence<'a> {
    /// An event that was removed.
    pub fn of(Undone { removed, step }: &'a Undone) -> Self {
        Self { event: &removed.event, step: *step, writes: removed.writes.clone(), known: removed.step.as_ref() }
    }

    /// Its reads, but for those of its thread's own stores, which need not be in memory.
    fn reads(&self) -> impl Iterator<Item = &Part> {
        let is_own = |writer: Writer| matches!(writer, Writer::Store(of, _) if of as usize == self.step.0);
        let reads = self.known.map_or(&[] as &[Part], |known| &known.facts.parts);
        reads.iter().filter(move |part| !is_own(part.writer))
    }

    fn overwrites(&self, place: Place) -> bool {
        self.writes.iter().any(|write| write.place.overlaps(place))
    }
}

impl Trace {
    /// The events from a position on that belong to some steps. Before, there was another thread.
    pub fn occurrences(&self, from: usize, kept: &Clock) -> Vec<Occurrence<'_>> {
        let count = |thread: &Thread| thread.steps.partition_point(|step| step.position < from) as u32;
        let mut counts: SmallVec<[u32; 8]> = self.threads.iter().map(count).collect();
        let mut occurrences = Vec::new();
        for event in (from..self.len()).map(|at| self.event(at)) {
            let Action { thread, store } = event.action;
            let (number, writes, known) = match store {
                Some(store) => {
                    let touch = event.footprint[0];
                    let place = Place::new(touch.object, touch.offset, touch.len);
                    let write = Part { place, writer: Writer::Store(thread as u32, store), is_open: true };
                    let writes = (!event.is_lost()).then_some(write).into_iter().collect();
                    (self.origin(thread as u32, store).0, writes, None)
                }
                None => {
                    let number = counts[thread];
                    counts[thread] += 1;
                    let writer = Writer::Step(thread as u32, number);
                    let places = event.accesses().map_or(&[] as &[Place], |accesses| &accesses.writes);
                    let writes = places.iter().map(|&place| Part { place, writer, is_open: true }).collect();
                    (number, writes, Some(&self.step(thread, number).known))
                }
            };
            if kept.has(thread, number) {
                occurrences.push(Occurrence { event, step: (thread, number), writes, known });
            }
        }
        occurrences
    }
}

/// An order of events around a step.
pub struct Rearrangement {
    /// The events before the step.
    pub first: Vec<Repeated>,
    /// The events after it.
    pub later: Vec<Repeated>,
    /// True if the later events find their sources, unless the step overwrites them.
    pub find_sources: bool,
}

impl Rearrangement {
    /// The order in which the step comes before these events, but for those in its past. `None`: one of
    /// those overwrites its sources.
    pub fn by_insertion(events: &[Occurrence<'_>], past: &Clock, sources: &Parts) -> Option<Self> {
        let (first, later): (Vec<_>, Vec<_>) = events.iter().partition(|event| past.has(event.step.0, event.step.1));
        if sources.iter().any(|part| first.iter().any(|event| event.overwrites(part.place))) {
            return None;
        }
        let find_sources = find_sources(&first, &later);
        Some(Self { first: repeated(&first), later: repeated(&later), find_sources })
    }

    /// The order in which writes come later, so that the sources are in memory at the end, or before writes
    /// that come after the step. `None`: there is none, as far as a few delays tell.
    pub fn by_delay(events: &[Occurrence<'_>], past: &Clock, sources: &Parts) -> Option<Self> {
        let is_needed = |event: &&Occurrence<'_>| past.has(event.step.0, event.step.1);
        let (mut first, mut later) = (events.iter().collect::<Vec<_>>(), Vec::new());
        for _ in 0..MOST_DELAYS {
            let Some((source, last)) = overwritten(&first, sources) else {
                return Some(Self { first: repeated(&first), later: repeated(&later), find_sources: true });
            };
            let comes_first = is_needed(&last.0);
            let (kept, mut delayed) = Delay::of(if comes_first { source } else { last.1 }, &first)?;
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

    /// The number of events at the beginning that stay where they are.
    pub fn kept(&self, events: &[Occurrence<'_>]) -> usize {
        self.first.iter().zip(events).take_while(|(one, other)| Rc::ptr_eq(&one.event, other.event)).count()
    }
}

/// The most delays that are tried, one after the other, and the most writes that come later at the same time.
const MOST_DELAYS: usize = 8;

/// The events that come after some writes if these come as late as possible: by the sources of reads, the
/// order of a thread's steps and stores, and since they overwrite what another one reads. There may be more:
/// stores of a thread to different places are taken to be in order.
struct Delay {
    /// The writers of the first writes.
    first: SmallVec<[Writer; 4]>,
    /// The writes of the events.
    writes: SmallVec<[Part; 16]>,
    /// What the events read from others.
    reads: SmallVec<[Place; 16]>,
    /// The first steps of threads.
    steps: SmallVec<[(usize, u32); 8]>,
    /// The threads whose stores are among the events.
    stores: SmallVec<[usize; 8]>,
    /// A write that comes after one of the events, and before another one, which reads it.
    between: Option<Writer>,
}

impl Delay {
    /// The events that stay, and those that come later if a write does. `None`: that is not known.
    fn of<'a, 'b>(
        writer: Writer,
        events: &[&'b Occurrence<'a>],
    ) -> Option<(Vec<&'b Occurrence<'a>>, Vec<&'b Occurrence<'a>>)> {
        let mut first = SmallVec::from_slice(&[writer]);
        for _ in 0..MOST_DELAYS {
            let mut delay = Self {
                first,
                writes: SmallVec::new(),
                reads: SmallVec::new(),
                steps: SmallVec::new(),
                stores: SmallVec::new(),
                between: None,
            };
            let (kept, delayed) = events.iter().partition(|event| !delay.concerns(event));
            let Some(between) = delay.between else { return Some((kept, delayed)) };
            first = delay.first;
            first.push(between);
        }
        None
    }

    /// True if an event is one of those, which are asked for in order.
    fn concerns(&mut self, occurrence: &Occurrence<'_>) -> bool {
        let Occurrence { event, step: (thread, number), writes, .. } = occurrence;
        let is_after_step = self.steps.iter().any(|(of, first)| of == thread && first <= number);
        let waits = event.is_update() || event.is_fenced();
        let has_written = |part: &Part| self.writes.iter().any(|write| write.writer == part.writer);
        let concerns = is_after_step
            || waits && self.stores.contains(thread)
            || writes.iter().any(|write| self.first.contains(&write.writer))
            || self.reads.iter().any(|&read| occurrence.overwrites(read))
            || occurrence.reads().any(has_written);
        if concerns {
            for read in occurrence.reads().filter(|read| !has_written(read)) {
                self.reads.push(read.place);
                let is_before = |write: &Part| write.place.overlaps(read.place);
                self.between = self.between.or(self.writes.iter().any(is_before).then_some(read.writer));
            }
            self.writes.extend(writes.iter().copied());
            match event.is_update() {
                true => self.stores.push(*thread),
                false if !is_after_step => self.steps.push((*thread, *number)),
                false => {}
            }
        }
        concerns
    }
}

fn repeated(events: &[&Occurrence<'_>]) -> Vec<Repeated> {
    events.iter().map(|of| Repeated { event: Rc::clone(of.event), known: of.known.cloned() }).collect()
}

/// True if events find their sources after others that did not come before, as far as the writes of both
/// tell.
fn find_sources(first: &[&Occurrence<'_>], later: &[&Occurrence<'_>]) -> bool {
    let mut writes: Vec<&Part> = first.iter().flat_map(|event| &event.writes).collect();
    for event in later {
        let last_to = |part: &Part| writes.iter().rev().find(|write| write.place.overlaps(part.place));
        if !event.reads().all(|part| last_to(part).is_none_or(|last| last.writer == part.writer)) {
            return false;
        }
        writes.extend(&event.writes);
    }
    true
}

/// A source that is not in memory after events, and the last one that overwrites it, with its writer.
fn overwritten<'a, 'b>(
    events: &[&'b Occurrence<'a>],
    sources: &Parts,
) -> Option<(Writer, (&'b Occurrence<'a>, Writer))> {
    let all = || events.iter().rev().flat_map(|&event| event.writes.iter().rev().map(move |write| (event, write)));
    sources.iter().find_map(|part| {
        let (event, last) = all().find(|(_, write)| write.place.overlaps(part.place))?;
        (last.writer != part.writer).then_some((part.writer, (event, last.writer)))
    })
}
