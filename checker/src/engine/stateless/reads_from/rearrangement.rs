//! Orders of the events of an execution in which a step may have other sources, without a search for a
//! witness.
//!
//! The sources of the step are in memory at some place, but others overwrite them later. There are two ways
//! to read them:
//!
//! * *Insertion.* The step comes right there. Those on which it depends and that come later are moved before
//!   it.
//! * *Delay.* The writes that are read come later, with all that needs them: who reads them, the later stores
//!   of a buffer, the later steps of a thread. What is left keeps its sources, since each of them is left,
//!   too.
//!
//! Whether what was moved finds its sources is told by the writes of the events. Nothing depends on that: the
//! order is an execution of the branch if it is taken and is found to be one.

use std::rc::Rc;

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

/// An order of events around a step.
#[derive(Debug)]
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
        let (first, later) = parted(events, |undone| past.has(undone.step.0, undone.step.1));
        if first.iter().any(|removed| removed.overwrites(sources)) {
            return None;
        }
        let find_sources = find_sources(&first, &later);
        Some(Self { first: shared(&first), later: shared(&later), find_sources })
    }

    /// The order in which some of the sources of the step are written later. The first of these events is one
    /// of them. `None`: so they are overwritten, too, or other events do not find their sources.
    pub fn by_delay(events: &[Undone], past: &Clock, sources: &Parts, later: &Parts) -> Option<Self> {
        let mut delay = Delay::new(later);
        let (kept, delayed): (Vec<_>, Vec<_>) = events.iter().partition(|undone| !delay.concerns(undone));
        let (needed, later) = parted(delayed, |undone| past.has(undone.step.0, undone.step.1));
        let kept: Vec<_> = kept.into_iter().map(|undone| &undone.removed).collect();
        let moved: Vec<_> = needed.iter().chain(&later).copied().collect();
        let first: Vec<_> = kept.iter().chain(&needed).copied().collect();
        let is_possible = find_sources(&kept, &moved) && leave(&first, sources);
        is_possible.then(|| Self { first: shared(&first), later: shared(&later), find_sources: true })
    }
}

/// The events that come after some writes, by the sources of reads and the order of a thread's steps and
/// stores. There may be more: stores of a thread to different places are taken to be in order.
struct Delay {
    /// The writes, and those of the other events.
    writers: SmallVec<[Writer; 16]>,
    /// The first steps of threads.
    steps: SmallVec<[(usize, u32); 8]>,
    /// The threads whose stores are among the events.
    stores: SmallVec<[usize; 8]>,
}

impl Delay {
    fn new(writes: &Parts) -> Self {
        Self {
            writers: writes.iter().map(|part| part.writer).collect(),
            steps: SmallVec::new(),
            stores: SmallVec::new(),
        }
    }

    /// True if an event is one of those, which are asked for in order.
    fn concerns(&mut self, Undone { removed, step: (thread, number) }: &Undone) -> bool {
        let is_after_step = self.steps.iter().any(|(of, first)| of == thread && first <= number);
        let waits = removed.event.is_update() || removed.event.is_fenced();
        let is_after_store = || waits && self.stores.contains(thread);
        // A thread reads its own stores before they are in memory.
        let is_own = |writer: Writer| matches!(writer, Writer::Store(of, _) if of as usize == *thread);
        let mut reads = removed.step.iter().flat_map(|step| &step.parts).filter(|part| !is_own(part.writer));
        let mut is_one = |part: &Part| self.writers.contains(&part.writer);
        let concerns =
            is_after_step || is_after_store() || removed.writes.iter().any(&mut is_one) || reads.any(is_one);
        if concerns {
            self.writers.extend(removed.writes.iter().map(|write| write.writer));
            match removed.event.is_update() {
                true => self.stores.push(*thread),
                false if !is_after_step => self.steps.push((*thread, *number)),
                false => {}
            }
        }
        concerns
    }
}

/// The events for which `is_first` is true, and the others.
fn parted<'a>(
    events: impl IntoIterator<Item = &'a Undone>,
    is_first: impl Fn(&Undone) -> bool,
) -> (Vec<&'a Removed>, Vec<&'a Removed>) {
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for undone in events {
        if is_first(undone) { &mut first } else { &mut others }.push(&undone.removed);
    }
    (first, others)
}

fn shared(events: &[&Removed]) -> Vec<Rc<Event>> {
    events.iter().map(|removed| Rc::clone(&removed.event)).collect()
}

/// True if events find their sources after others that did not come before, as far as the writes of both
/// tell.
fn find_sources(first: &[&Removed], later: &[&Removed]) -> bool {
    let mut writes = writes_of(first);
    for removed in later {
        let thread = removed.event.action.thread;
        let is_own = |writer: Writer| matches!(writer, Writer::Store(owner, _) if owner as usize == thread);
        let mut reads = removed.step.iter().flat_map(|step| &step.parts).filter(|part| !is_own(part.writer));
        if !reads.all(|part| last_to(&writes, part).is_none_or(|last| last.writer == part.writer)) {
            return false;
        }
        writes.extend(removed.writes.iter().rev());
    }
    true
}

/// True if these sources are in memory after events, one of which writes one of them.
fn leave(events: &[&Removed], sources: &Parts) -> bool {
    let writes = writes_of(events);
    sources.iter().all(|part| last_to(&writes, part).is_none_or(|last| last.writer == part.writer))
}

fn writes_of(events: &[&Removed]) -> Vec<Part> {
    events.iter().flat_map(|removed| removed.writes.iter().rev()).copied().collect()
}

/// The last write that has bytes of a part.
fn last_to<'a>(writes: &'a [Part], part: &Part) -> Option<&'a Part> {
    writes.iter().rev().find(|write| write.place.overlaps(part.place))
}
