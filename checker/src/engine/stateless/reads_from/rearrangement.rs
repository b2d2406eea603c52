//! Orders of the events of an execution in which a step may have other sources, without a search for a
//! witness.
//!
//! The sources of the step are in memory at some place, but others overwrite them later. There are two ways
//! to read them:
//!
//! * *Insertion.* The step comes right there. Those on which it depends and that come later are moved before
//!   it.
//! * *Delay.* Writes come later, with all that needs them: who reads them, the later stores of a buffer, the
//!   later steps of a thread, who overwrites what one of those reads, and the source of that if it comes
//!   after one of them. What is left keeps its sources, since each of them is left, too. A source comes later
//!   if the step depends on the one that overwrites it, and otherwise that one comes after the step.
//!
//! Whether what was moved finds its sources is told by the writes of the events. Nothing depends on that: the
//! order is an execution of the branch if it is taken and is found to be one.

use std::rc::Rc;

use super::clock::Clock;
use super::delay::Delay;
use super::memory::{Part, Parts};
use super::occurrences::{Occurrence, Repeated};
use crate::engine::stateless::sources::Writer;

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

/// The most delays that are tried, one after the other.
const MOST_DELAYS: usize = 8;

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
