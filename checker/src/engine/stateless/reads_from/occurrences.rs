//! The events of an execution as they are put into another order: what each reads and writes.

use std::rc::Rc;

use rmc_consistency::Place;
use smallvec::{SmallVec, smallvec};

use super::clock::Clock;
use super::memory::Part;
use super::trace::{Known, Thread, Trace};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::sources::Writer;
use crate::hash::FxHashMap;

/// An event of an execution.
pub struct Occurrence<'a> {
    /// The event.
    pub event: &'a Rc<Event>,
    /// The step that it is or comes from, by thread and number.
    pub step: (usize, u32),
    /// Its writes, in order.
    pub writes: SmallVec<[Part; 2]>,
    /// The history of its thread with it, if it is a step.
    pub known: Option<&'a Known>,
}

/// An event that is to be taken again.
#[derive(Clone)]
pub struct Repeated {
    /// The event.
    pub event: Rc<Event>,
    /// The history of its thread with it, if it is a step and has the same sources again.
    pub known: Option<Known>,
}

impl Occurrence<'_> {
    /// Its reads, but for those of its thread's own stores, which need not be in memory.
    pub fn reads(&self) -> impl Iterator<Item = &Part> {
        let is_own = |writer: Writer| matches!(writer, Writer::Store(of, _) if of as usize == self.step.0);
        let reads = self.known.map_or(&[] as &[Part], |known| &known.facts.parts);
        reads.iter().filter(move |part| !is_own(part.writer))
    }

    /// True if it writes bytes of a place.
    pub fn overwrites(&self, place: Place) -> bool {
        self.writes.iter().any(|write| write.place.overlaps(place))
    }
}

impl Trace {
    /// The events from a position on that belong to some steps. Before, there was another thread.
    pub fn occurrences(&self, from: usize, kept: &Clock) -> Vec<Occurrence<'_>> {
        let mut counts = self.steps_before(from);
        let mut occurrences = Vec::with_capacity(self.len() - from);
        for event in (from..self.len()).map(|at| self.event(at)) {
            let Action { thread, store } = event.action;
            let (number, writes, known) = match store {
                Some(store) => {
                    let touch = event.footprint[0];
                    let place = Place::new(touch.object, touch.offset, touch.len);
                    let write = Part { place, writer: Writer::Store(thread as u32, store), is_open: true };
                    let writes = if event.is_lost() { SmallVec::new() } else { smallvec![write] };
                    (self.origin(thread as u32, store).0, writes, None)
                }
                None => {
                    let number = counts[thread];
                    counts[thread] += 1;
                    let writer = Writer::Step(thread as u32, number);
                    let places = event.accesses().map_or(&[] as &[Place], |accesses| &accesses.writes);
                    let mut writes = SmallVec::new();
                    for &place in places {
                        writes.push(Part { place, writer, is_open: true });
                    }
                    (number, writes, Some(&self.step(thread, number).known))
                }
            };
            if kept.has(thread, number) {
                occurrences.push(Occurrence { event, step: (thread, number), writes, known });
            }
        }
        occurrences
    }

    /// The events of the steps that are in `kept` and not in `base`, in order. None of them is among the
    /// first `from` events; `more` are events after the execution.
    pub fn between(&self, from: usize, base: &Clock, kept: &Clock, more: &[Repeated]) -> Vec<Repeated> {
        let mut counts = self.steps_before(from);
        let mut stores: FxHashMap<(usize, u32), u32> = FxHashMap::default();
        let mut events = Vec::new();
        let own = (from..self.len()).map(|at| (self.event(at), None));
        for (event, known) in own.chain(more.iter().map(|more| (&more.event, more.known.as_ref()))) {
            let Action { thread, store } = event.action;
            if counts.len() <= thread {
                counts.resize(thread + 1, 0);
            }
            let step = match store {
                Some(store) => {
                    stores.get(&(thread, store)).copied().unwrap_or_else(|| self.origin(thread as u32, store).0)
                }
                None => {
                    counts[thread] += 1;
                    counts[thread] - 1
                }
            };
            let is_own = self.count(thread) > step;
            if !is_own {
                stores.extend(event.pushed().map(|store| ((thread, store), step)));
            }
            if kept.has(thread, step) && !base.has(thread, step) {
                let here = || (is_own && store.is_none()).then(|| &self.step(thread, step).known);
                events.push(Repeated { event: Rc::clone(event), known: known.or_else(here).cloned() });
            }
        }
        events
    }

    /// For each thread the number of its steps among the first events.
    pub(super) fn steps_before(&self, position: usize) -> SmallVec<[u32; 8]> {
        let count = |thread: &Thread| thread.steps.partition_point(|step| step.position < position) as u32;
        self.threads.iter().map(count).collect()
    }
}
