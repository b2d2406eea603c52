//! Inserting a step into the current execution without taking the events after it again.
//!
//! Mostly a branch is a load of something that was overwritten. Where the step of its node only reads one
//! place, and those on which it depends come before the first write that overwrites its source, the events
//! from there on are the same with it and without it. What differs is the state of its thread after each of
//! them, and the order of the steps: a write that overwrites what is read comes after the step, and so do
//! the steps that come after that write.

use std::rc::Rc;

use rmc_consistency::Place;
use rmc_runtime::Model;
use smallvec::SmallVec;

use super::candidate::Candidate;
use super::clock::Clock;
use super::memory::{Part, Parts};
use super::node::Child;
use super::search::{Placed, Search};
use super::trace::{Known, Step, Thread, Trace, Undo};
use super::witness::Followed;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::state_cache::StateId;
use crate::system::FootprintEntry;

/// A step that was inserted among the events of the execution, with what is there without it.
pub struct Inserted {
    /// Its position.
    pub position: usize,
    /// The number of events with it.
    pub len: usize,
    /// The states after the events that come after it.
    states: Vec<StateId>,
    /// The generation of these.
    generation: u64,
    /// The orders of the events that come after it.
    orders: Vec<Clock>,
    /// The number of times that the execution was taken again before.
    rebuilt: u64,
}

impl Search<'_> {
    /// Inserts the step of a branch before the first event that overwrites its source, if it only reads that
    /// source. The other steps of the branch were taken.
    pub(super) fn insert_in_place(&mut self, at: usize, child: &Child) -> Result<Option<Followed>, EngineError> {
        let thread = self.nodes[at].thread;
        let [part] = child.sources[..] else { return Ok(None) };
        let Some(position) = self.trace.place_before_overwrite(thread, child.kept.of(thread), &part) else {
            return Ok(None);
        };
        let only_read = |event: &Rc<Event>| only_read(event, part);
        let Self { stepper, trace, .. } = self;
        let inserted = stepper.insert_step(&trace.prefix, position, Action::step(thread), only_read);
        let Some((candidate, states)) = inserted else { return Ok(None) };
        self.note_event(&candidate.event);
        let known = self.trace.known(&mut self.histories, &candidate);
        let generation = self.stepper.generation();
        self.stepper.leave_state();
        let states = self.trace.prefix.states.splice(position + 1.., states).collect();
        let orders = self.trace.insert(position, &candidate, known);
        let (len, rebuilt) = (self.trace.len(), self.trace.rebuilt());
        self.nodes[at].inserted = Some(Inserted { position, len, states, generation, orders, rebuilt });
        Ok(Some(Followed::Yes { placed: Box::new(Placed::Taken(candidate)), rest: None }))
    }

    /// Removes a step that was inserted.
    pub(super) fn remove_inserted(&mut self, inserted: Inserted) -> Result<(), EngineError> {
        let Inserted { position, len, states, generation, orders, rebuilt } = inserted;
        self.trace.discard(len, &mut self.stepper);
        self.stepper.leave_state();
        if (generation, rebuilt) == (self.stepper.generation(), self.trace.rebuilt()) {
            self.trace.prefix.states.splice(position + 1.., states);
            self.trace.remove(position, orders);
            return Ok(());
        }
        let events: Vec<_> = (position + 1..len).map(|at| Rc::clone(self.trace.event(at))).collect();
        self.trace.discard(position, &mut self.stepper);
        for event in events {
            let is_repeated = self.repeat(event.action, event.answers())?;
            assert!(is_repeated || self.stepper.is_halted(), "events happen again");
        }
        Ok(())
    }
}

/// The candidate that is a step if it only reads the place of a source.
fn only_read(event: &Rc<Event>, part: Part) -> Option<Candidate> {
    let accesses = event.accesses().ok()?;
    let [touch] = accesses.reads[..] else { return None };
    let changes = !accesses.writes.is_empty() || accesses.changes_lives || !accesses.creates.is_empty();
    let is_it = touch.place == part.place && touch.own.is_none() && !changes && event.pushed().is_empty();
    let parts = Parts::from_slice(&[Part { is_open: touch.is_open, ..part }]);
    is_it.then(|| Candidate { event: Rc::clone(event), accesses: accesses.clone(), parts })
}

impl Trace {
    /// The position of the first write that overwrites the source of a thread's next step, which has this
    /// number. `None`: no write does, some step on which that one depends does not come before, or the step
    /// is the first one of its thread.
    fn place_before_overwrite(&self, thread: usize, number: u32, part: &Part) -> Option<usize> {
        let own = self.threads.get(thread)?;
        if own.steps.len() != number as usize || own.creation(number).is_some() || !self.has_created() {
            return None;
        }
        let sources = Parts::from_slice(&[*part]);
        let position = self.last_with_in_memory(&sources).filter(|&position| position < self.len())?;
        let past = self.past(thread, number, &sources);
        let is_before = |of: usize| {
            let last = if of == thread { number } else { past.of(of) }.checked_sub(1);
            last.is_none_or(|last| self.step(of, last).position < position)
        };
        (0..past.threads()).all(is_before).then_some(position)
    }

    /// Inserts a step that only reads, where the states with it are known. Returns the orders of the events
    /// after it, as they were.
    fn insert(&mut self, position: usize, candidate: &Candidate, known: Known) -> Vec<Clock> {
        let Candidate { event, accesses, parts } = candidate;
        let thread = event.action.thread;
        let order = self.order(event, accesses, parts);
        let number = self.count(thread);
        let items = self.items_from(position);
        let orders = self.order_later((position, &items), (thread, number), &order, parts);
        for &part in parts {
            let is_before = |(of, step): (usize, u32)| self.threads[of].steps[step as usize].position < position;
            self.memory.insert_read(part, (thread, number), is_before);
        }
        items.iter().for_each(|item| *item.position(&mut self.threads) += 1);
        let own = &mut self.threads[thread];
        own.steps.push(Step { position, order, known });
        if event.is_fenced() {
            own.fences.push(number);
        }
        self.prefix.execution.insert(position, Rc::clone(event));
        self.undo.insert(position, Undo::default());
        orders
    }

    /// Removes the step at a position, which was inserted. `orders` are those of the events after it, without
    /// it.
    fn remove(&mut self, position: usize, orders: Vec<Clock>) {
        let items = self.items_from(position + 1);
        let event = self.prefix.execution.remove(position);
        self.undo.remove(position);
        let own = &mut self.threads[event.action.thread];
        let Step { known, .. } = own.steps.pop().expect("the step was inserted");
        let number = own.steps.len() as u32;
        if event.is_fenced() {
            own.fences.pop();
        }
        for part in &known.facts.parts {
            self.memory.take_read(part.place.object, (event.action.thread, number));
        }
        for (item, order) in items.iter().zip(orders) {
            *item.position(&mut self.threads) -= 1;
            *item.order(&mut self.threads) = order;
        }
    }

    /// The events from a position on, as steps and arrivals of stores.
    fn items_from(&self, from: usize) -> SmallVec<[Item; 32]> {
        let mut counts = self.steps_before(from);
        let mut items = SmallVec::new();
        for at in from..self.len() {
            items.push(match self.event(at).action {
                Action { thread, store: Some(store) } => Item::Arrival(thread, store),
                Action { thread, store: None } => {
                    counts[thread] += 1;
                    Item::Step(thread, counts[thread] - 1)
                }
            });
        }
        items
    }

    /// Adds what comes before a step that is to be inserted to the orders of the events from a position on
    /// that come after it. Returns these orders as they were.
    fn order_later(
        &mut self,
        (from, items): (usize, &[Item]),
        step: (usize, u32),
        order: &Clock,
        parts: &Parts,
    ) -> Vec<Clock> {
        let mut later = Later::default();
        let mut orders = Vec::with_capacity(items.len());
        for (at, item) in (from..).zip(items) {
            let own = item.order(&mut self.threads).clone();
            let is_ordered = self.model != Model::Sc || matches!(item, Item::Step(..));
            if is_ordered && (later.precede(self, at, item, &own) || self.overwrites(at, &own, step, parts)) {
                item.order(&mut self.threads).unite(order);
                later.add(item);
            }
            orders.push(own);
        }
        orders
    }

    /// True if an event with this order overwrites for certain what a step reads that comes before it.
    fn overwrites(&self, at: usize, order: &Clock, (reader, number): (usize, u32), parts: &Parts) -> bool {
        if order.has(reader, number) {
            return false;
        }
        let event = self.event(at);
        let place = |touch: &FootprintEntry| Place::new(touch.object, touch.offset, touch.len);
        let overwrites = |part: &Part| match event.action.store {
            Some(_) => !event.is_lost() && place(&event.footprint[0]).overlaps(part.place),
            None => event.accesses().is_ok_and(|accesses| accesses.overwrites(part.place)),
        };
        let store = event.action.store.map(|store| (event.action.thread, store));
        parts.iter().any(|part| overwrites(part) && self.is_overwritten(part.writer, order, store))
    }
}

/// An event of the execution: a step by thread and number, or the arrival of a store by thread and number.
enum Item {
    Step(usize, u32),
    Arrival(usize, u32),
}

impl Item {
    /// Its position.
    fn position<'a>(&self, threads: &'a mut [Thread]) -> &'a mut usize {
        match *self {
            Self::Step(thread, step) => &mut threads[thread].steps[step as usize].position,
            Self::Arrival(thread, store) => &mut threads[thread].stores[store as usize].position,
        }
    }

    /// The steps that come before it.
    fn order<'a>(&self, threads: &'a mut [Thread]) -> &'a mut Clock {
        match *self {
            Self::Step(thread, step) => &mut threads[thread].steps[step as usize].order,
            Self::Arrival(thread, store) => &mut threads[thread].stores[store as usize].before,
        }
    }
}

/// Events that come after a step.
#[derive(Default)]
struct Later {
    /// The first steps of threads, by thread and number.
    steps: SmallVec<[(usize, u32); 8]>,
    /// The arrivals of stores, by thread and number.
    stores: SmallVec<[(usize, u32); 4]>,
}

impl Later {
    fn add(&mut self, item: &Item) {
        match *item {
            Item::Step(thread, step) if self.steps.iter().all(|&(of, _)| of != thread) => {
                self.steps.push((thread, step));
            }
            Item::Step(..) => {}
            Item::Arrival(thread, store) => self.stores.push((thread, store)),
        }
    }

    /// True if one of them comes before an event with this order (`order.rs`).
    fn precede(&self, trace: &Trace, at: usize, item: &Item, order: &Clock) -> bool {
        let by_stores = || match *item {
            Item::Step(thread, step) => {
                let is_read = |&(of, store): &(usize, u32)| {
                    let writer = Writer::Store(of as u32, store);
                    of != thread && trace.step(thread, step).known.facts.parts.iter().any(|part| part.writer == writer)
                };
                let is_own = |&(of, _): &(usize, u32)| of == thread;
                trace.event(at).is_fenced() && self.stores.iter().any(is_own) || self.stores.iter().any(is_read)
            }
            Item::Arrival(thread, store) => {
                let group = trace.threads[thread].stores[store as usize].group;
                self.stores.iter().any(|&(of, earlier)| of == thread && earlier < group)
            }
        };
        self.steps.iter().any(|&(of, first)| order.has(of, first)) || !self.stores.is_empty() && by_stores()
    }
}
