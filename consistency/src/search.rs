//! The search for a witness: an order of the events, and of the arrivals of their stores in memory, in which
//! each read reads its source.
//!
//! A state is a prefix of a witness. A cell is *held* while an event is still to read the store that wrote
//! it last (seed paper, section 4, "Held variables"); no other store may then reach it. Events that write
//! nothing at once, and whose reads find their sources, are taken as soon as they can: they change no
//! memory, so whatever can be done without them can be done after them (Algorithm 1, line 4).
//!
//! What is left to decide is the order in which stores reach memory, delayed ones and those that reach it
//! with their event. Two rules keep it from being tried:
//!
//! * *A store that holds nothing is no decision.* If a store reaches memory, and after the events that can
//!   be taken then no cell of it is held, then it may as well happen now. Let a completion of the state be
//!   given, and let the store and those events come first in it: nothing that is still to be read was
//!   overwritten, since the cells were not held; and all that read this store have done so. Algorithm 2
//!   has this rule for stores that nothing reads from memory ("spurious" ones, line 4); here it also
//!   settles those whose readers are ready, which leaves few decisions.
//! * *A store is not early* ([`Search::wanted`], under PSO). Of a completion consider the first event taken
//!   in it, and the stores that reach memory before. Those that are wanted are the ones that the event needs,
//!   their predecessors in the order of their threads, and all pending ones that share a cell with a wanted
//!   one or with what the event writes. The others share no cell with these, are no predecessors of these,
//!   and the event needs none of them: they may come after the event. So there is a completion that begins
//!   with a wanted store or with an event. This is the strategy of Algorithm 2, line 11.
//!
//! A store that may be lost ([`Store::life`](crate::problem::Store::life)) keeps what its effect depends on from
//! being overwritten as long as it is pending and still to be read; if it were lost, nothing could read it.
//!
//! States from which there is no completion are remembered by what decides that ([`Search::key`]). Under SC
//! and TSO these are at most `n^k` for `k` threads with `n` stores each (Theorem 3.1): the stores of each
//! thread that have reached memory are a prefix, and they decide which events are taken. Under PSO they are
//! the events taken and the stores of which it matters whether they have reached memory
//! (Theorem 3.2 and Lemma 4.4: at most `n^k * 2^(k * d)` for `d` cells).
//!
//! The source is T. L. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From Equivalence
//! for the TSO and PSO Memory Models", OOPSLA 2021; the case of SC is there a special case of TSO.

use std::ops::Range;

use fxhash::FxHashSet;
use rmc_runtime::Model;

use crate::cells::Cell;
use crate::closure::Closure;
use crate::history::EventId;
use crate::problem::{EventNumber, Problem, Slot, StoreNumber};
/// A step of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WitnessStep {
    /// An event happens. Stores of it that are not delayed reach memory.
    Event(EventId),
    /// A delayed store reaches memory: that of an event's write of this number.
    Arrival {
        /// The event.
        event: EventId,
        /// The number of the write in it.
        write: u32,
    },
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A witness.
    Witness(Vec<WitnessStep>),
    /// There is none. So many states without completion were met.
    Nothing { dead_ends: u64 },
    /// The search had met as many states without completion as it was allowed.
    GaveUp,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Event(u32),
    Arrival(u32),
    /// The arrival of a store that has no effect any more ([`Store::life`](crate::problem::Store)).
    Loss(u32),
}

/// A state from which several steps are tried.
struct Decision {
    /// The number of steps before it.
    len: usize,
    steps: Vec<Step>,
    next: usize,
    key: Box<[u64]>,
}

/// A search in a problem.
pub struct Search<'a> {
    problem: &'a Problem,
    /// An order that all witnesses respect.
    order: Option<&'a Closure>,
    /// The stores that must reach memory before each store, because it hides them ([`Problem::hidden`]): from
    /// this place in `needs` to that of the next store.
    needs_from: Vec<u32>,
    needs: Vec<u32>,
    /// The next event of each thread.
    next: Vec<EventNumber>,
    /// The number of pending stores of each thread.
    pending: Vec<u32>,
    /// The first store of each thread that has not reached memory.
    first_unsettled: Vec<StoreNumber>,
    /// True for stores that have reached memory.
    arrived: Vec<bool>,
    /// The last slot of each cell.
    memory: Vec<Slot>,
    /// The number of reads of each slot that are still to happen.
    readers: Vec<u32>,
    /// The number of steps taken in each chain of the order.
    progress: Vec<u32>,
    trail: Vec<Step>,
    /// The slots that the arrivals of the trail replaced.
    replaced: Vec<Slot>,
    failed: FxHashSet<Box<[u64]>>,
    dead_ends: u64,
    /// The event behind the last one of each thread that waits for its buffer. In threads with barriers,
    /// which act on stores after them, the greatest number.
    last_fence: Vec<EventNumber>,
    /// True if the stores of a thread that have reached memory need not be a prefix of its stores.
    keeps_arrivals: bool,
    /// True if some stores may be lost.
    has_lives: bool,
    /// The events that read each slot: from this place in `slot_readers` to that of the next slot.
    slot_readers_from: Vec<u32>,
    slot_readers: Vec<(u32, u32)>,
}

impl<'a> Search<'a> {
    /// A search for witnesses that respect an order, if one is given: one that all witnesses respect.
    pub fn new(problem: &'a Problem, order: Option<&'a Closure>) -> Self {
        let mut needs_from = vec![0; problem.stores.len() + 1];
        problem.hidden.iter().for_each(|&(_, store)| needs_from[store as usize + 1] += 1);
        for at in 1..needs_from.len() {
            needs_from[at] += needs_from[at - 1];
        }
        let mut needs = vec![0; problem.hidden.len()];
        let mut filled = needs_from.clone();
        for &(own, store) in &problem.hidden {
            needs[filled[store as usize] as usize] = own;
            filled[store as usize] += 1;
        }
        let last_fence = |events: &Range<EventNumber>| {
            let stores = &problem.stores[problem.stores_of_range(events)];
            if problem.model == Model::Pso && stores.first().map(|s| s.epoch) != stores.last().map(|s| s.epoch) {
                return EventNumber::MAX;
            }
            events.clone().rev().find(|&event| problem.waits_for_buffer(event)).map_or(0, |event| event + 1)
        };
        let mut slot_readers_from = vec![0; problem.slot_stores.len() + 1];
        for slot in 0..problem.slot_stores.len() {
            slot_readers_from[slot + 1] = slot_readers_from[slot] + problem.readers[slot];
        }
        let mut filled = slot_readers_from.clone();
        let mut slot_readers = vec![(0, 0); slot_readers_from[problem.slot_stores.len()] as usize];
        for (thread, events) in problem.threads.iter().enumerate() {
            for event in events.clone() {
                for read in problem.reads_of(event) {
                    slot_readers[filled[read.slot as usize] as usize] = (thread as u32, event as u32);
                    filled[read.slot as usize] += 1;
                }
            }
        }
        Self {
            problem,
            order,
            needs_from,
            needs,
            next: problem.threads.iter().map(|events| events.start).collect(),
            pending: vec![0; problem.threads.len()],
            first_unsettled: (0..problem.threads.len()).map(|thread| problem.stores_of_thread(thread).start).collect(),
            arrived: vec![false; problem.stores.len()],
            memory: (0..problem.cells as Slot).collect(),
            readers: problem.readers.clone(),
            progress: vec![0; order.map_or(0, Closure::chains)],
            trail: Vec::with_capacity(problem.events() + problem.stores.len()),
            replaced: Vec::with_capacity(problem.stores.len()),
            failed: FxHashSet::default(),
            dead_ends: 0,
            last_fence: problem.threads.iter().map(last_fence).collect(),
            slot_readers_from,
            slot_readers,
            has_lives: problem.stores.iter().any(|store| store.may_be_lost),
            keeps_arrivals: problem.model == Model::Pso || problem.writes_at_once,
        }
    }

    /// Searches until a witness is found, there is none, or `most` states without completion were met.
    pub fn run(mut self, most: u64) -> Found {
        if self.problem.is_absurd || most == 0 {
            return if most == 0 { Found::GaveUp } else { Found::Nothing { dead_ends: 0 } };
        }
        let mut decisions: Vec<Decision> = Vec::new();
        self.take_events();
        loop {
            let steps = self.decide();
            if steps.is_empty() && self.is_complete() {
                return Found::Witness(self.witness());
            }
            let key = if steps.len() > 1 { self.key() } else { Box::default() };
            if steps.len() == 1 {
                self.take(steps[0]);
                self.take_events();
                continue;
            }
            if steps.len() > 1 && !self.failed.contains(&key) {
                decisions.push(Decision { len: self.trail.len(), steps, next: 0, key });
            } else {
                self.dead_ends += 1;
                if self.dead_ends >= most {
                    return Found::GaveUp;
                }
            }
            let step = loop {
                let Some(last) = decisions.last_mut() else { return Found::Nothing { dead_ends: self.dead_ends } };
                match last.steps.get(last.next) {
                    Some(&step) => {
                        last.next += 1;
                        let len = last.len;
                        self.undo(len);
                        break step;
                    }
                    None => {
                        let last = decisions.pop().expect("it was there");
                        self.failed.insert(last.key);
                    }
                }
            };
            self.take(step);
            self.take_events();
        }
    }

    /// Takes stores that are no decision. Returns the steps that are, if there are several: all that can be
    /// the next one.
    fn decide(&mut self) -> Vec<Step> {
        loop {
            let mut steps = self.steps();
            let before = self.trail.len();
            let settled = steps.iter().any(|&step| {
                self.take(step);
                self.take_events();
                let holds = self.holds(step);
                if holds {
                    self.undo(before);
                }
                !holds
            });
            if settled {
                continue;
            }
            if self.problem.model == Model::Pso && steps.len() > 1 {
                let wanted = self.wanted();
                steps.retain(|step| match step {
                    Step::Event(_) => true,
                    Step::Arrival(store) => wanted.contains(store),
                    Step::Loss(_) => true,
                });
            }
            if steps.len() > 1 {
                steps.sort_by_cached_key(|&step| self.distance(step));
            }
            return steps;
        }
    }

    /// The number of events of a thread that have to happen before a step holds nothing, at least.
    fn distance(&self, step: Step) -> u32 {
        let stores = match step {
            Step::Event(event) => self.problem.stores_of(event as EventNumber),
            Step::Arrival(store) => store as usize..store as usize + 1,
            Step::Loss(_) => 0..0,
        };
        let slots = stores.flat_map(|store| self.problem.stores[store].slots());
        let readers = slots.flat_map(|(_, slot)| {
            &self.slot_readers
                [self.slot_readers_from[slot as usize] as usize..self.slot_readers_from[slot as usize + 1] as usize]
        });
        readers.map(|&(thread, event)| (event + 1).saturating_sub(self.next[thread as usize] as u32)).sum()
    }

    /// All steps by which stores can reach memory now.
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for thread in 0..self.problem.threads.len() {
            let next = self.next[thread];
            if next < self.problem.threads[thread].end
                && !self.problem.stores_of(next).is_empty()
                && self.may_happen(thread, next)
                && self.may_write(next)
            {
                steps.push(Step::Event(next as u32));
            }
            if self.pending[thread] > 0 {
                for store in self.pending_of(thread) {
                    if self.is_lost(store) {
                        if self.is_next(thread, store) && self.follows_order_of(store) {
                            steps.push(Step::Loss(store as u32));
                        }
                    } else if self.may_arrive(thread, store) {
                        steps.push(Step::Arrival(store as u32));
                    }
                }
            }
        }
        steps
    }

    /// The delayed stores of a thread that were made and have not reached memory; under TSO only the first.
    fn pending_of(&self, thread: usize) -> impl Iterator<Item = StoreNumber> + '_ {
        let first = self.first_unsettled[thread];
        let made = self.made(thread);
        let most = if self.problem.model == Model::Tso { 1 } else { usize::MAX };
        (first..made).filter(|&store| self.problem.stores[store].delayed && !self.arrived[store]).take(most)
    }

    /// The stores of a thread from this number on were not made.
    fn made(&self, thread: usize) -> StoreNumber {
        match self.next[thread] {
            next if next < self.problem.threads[thread].end => self.problem.stores_of(next).start,
            _ => self.problem.stores_of_thread(thread).end,
        }
    }

    /// True if the reads of an event find their sources, and it need not wait for the buffer.
    fn may_happen(&self, thread: usize, event: EventNumber) -> bool {
        if self.pending[thread] > 0 && self.problem.waits_for_buffer(event) {
            return false;
        }
        self.problem.reads_of(event).iter().all(|read| match read.own {
            Some(own) if !self.arrived[own as usize] && !self.is_lost(own as usize) => {
                self.problem.slot_stores[read.slot as usize] == Some(own)
            }
            _ => self.memory[read.cell as usize] == read.slot,
        })
    }

    /// True if the stores of an event that reaches memory at once may do so, after its reads.
    fn may_write(&self, event: EventNumber) -> bool {
        let reads = self.problem.reads_of(event);
        let is_free = |(cell, _)| {
            let slot: Slot = self.memory[cell as usize];
            let mine = reads.iter().filter(|read| read.slot == slot).count() as u32;
            self.readers[slot as usize] == mine && !self.keeps_stores(cell)
        };
        let mut stores = self.problem.stores_of(event).filter(|&store| !self.problem.stores[store].delayed);
        self.follows_order(event, None)
            && stores.all(|store| self.needs_arrived(store) && self.problem.stores[store].slots().all(is_free))
    }

    /// True if a delayed store that was made may reach memory.
    fn may_arrive(&self, thread: usize, number: StoreNumber) -> bool {
        let is_free = |(cell, _)| self.readers[self.memory[cell as usize] as usize] == 0 && !self.keeps_stores(cell);
        self.is_next(thread, number)
            && self.problem.stores[number].slots().all(is_free)
            && self.needs_arrived(number)
            && self.follows_order_of(number)
    }

    /// True if no pending store of the thread has to reach memory before a pending one.
    fn is_next(&self, thread: usize, number: StoreNumber) -> bool {
        let store = &self.problem.stores[number];
        let first = self.first_unsettled[thread];
        first == number || {
            let earlier = (first..number).filter(|&at| self.problem.stores[at].delayed && !self.arrived[at]);
            let mut earlier = earlier.map(|at| &self.problem.stores[at]);
            !earlier.any(|earlier| {
                earlier.epoch < store.epoch
                    || earlier.first_cell < store.first_cell + store.cells
                        && store.first_cell < earlier.first_cell + earlier.cells
            })
        }
    }

    /// True if a delayed store has no effect any more, because memory that it is in ended.
    #[inline]
    fn is_lost(&self, store: StoreNumber) -> bool {
        self.problem.stores[store].life.is_some_and(|(cell, slot)| self.memory[cell as usize] != slot)
    }

    /// True if a pending store that is still to be read would be lost if a cell were overwritten.
    fn keeps_stores(&self, cell: Cell) -> bool {
        let is_kept = |store: StoreNumber| {
            let store = &self.problem.stores[store];
            let is_read = || store.slots().any(|(_, slot)| self.readers[slot as usize] > 0);
            store.life == Some((cell, self.memory[cell as usize])) && is_read()
        };
        let all_pending = |thread| {
            let stores = self.first_unsettled[thread]..self.made(thread);
            stores.filter(|&store| self.problem.stores[store].delayed && !self.arrived[store])
        };
        self.has_lives && (0..self.problem.threads.len()).any(|thread| all_pending(thread).any(is_kept))
    }

    /// True if everything happened that the order has before a delayed store.
    fn follows_order_of(&self, store: StoreNumber) -> bool {
        self.follows_order(self.problem.stores[store].event as EventNumber, Some(store))
    }

    fn needs_arrived(&self, store: StoreNumber) -> bool {
        let needs = &self.needs[self.needs_from[store] as usize..self.needs_from[store + 1] as usize];
        needs.iter().all(|&own| self.arrived[own as usize])
    }

    /// True if everything happened that comes before an event, or before a delayed store of it, in the order.
    fn follows_order(&self, event: EventNumber, store: Option<StoreNumber>) -> bool {
        self.order.is_none_or(|order| order.may_follow(order.node(event, store), &self.progress))
    }

    /// True if a step made its stores hold cells.
    fn holds(&self, step: Step) -> bool {
        let stores = match step {
            Step::Event(event) => self.problem.stores_of(event as EventNumber),
            Step::Arrival(store) => store as usize..store as usize + 1,
            Step::Loss(_) => 0..0,
        };
        let arrived = stores.filter(|&store| self.arrived[store]);
        let mut slots = arrived.flat_map(|store| self.problem.stores[store].slots());
        slots.any(|(_, slot)| self.readers[slot as usize] > 0)
    }

    /// Takes all events that write nothing at once, as long as there are some.
    fn take_events(&mut self) {
        let mut idle = 0;
        let threads = self.problem.threads.len();
        let mut thread = 0;
        while idle < threads {
            idle += 1;
            loop {
                let event = self.next[thread];
                let is_plain = event < self.problem.threads[thread].end && {
                    let mut stores = self.problem.stores_of(event);
                    stores.all(|store| self.problem.stores[store].delayed)
                };
                if !is_plain || !self.may_happen(thread, event) {
                    break;
                }
                self.happen(thread, event);
                idle = 1;
            }
            thread = if thread + 1 == threads { 0 } else { thread + 1 };
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Event(event) => self.happen(self.problem.thread_of(event as EventNumber), event as EventNumber),
            Step::Arrival(store) | Step::Loss(store) => self.arrive(store as StoreNumber, step),
        }
    }

    fn happen(&mut self, thread: usize, event: EventNumber) {
        let problem = self.problem;
        for read in problem.reads_of(event) {
            self.readers[read.slot as usize] -= 1;
        }
        for store in problem.stores_of(event) {
            if problem.stores[store].delayed {
                self.pending[thread] += 1;
            } else {
                self.write(store);
            }
        }
        self.settle(thread);
        self.next[thread] += 1;
        self.advance(event, None, true);
        self.trail.push(Step::Event(event as u32));
    }

    fn arrive(&mut self, store: StoreNumber, step: Step) {
        let event = self.problem.stores[store].event as EventNumber;
        let thread = self.problem.thread_of(event);
        match step {
            Step::Loss(_) => self.arrived[store] = true,
            Step::Event(_) | Step::Arrival(_) => self.write(store),
        }
        self.pending[thread] -= 1;
        self.settle(thread);
        self.advance(event, Some(store), true);
        self.trail.push(step);
    }

    fn write(&mut self, store: StoreNumber) {
        for (cell, slot) in self.problem.stores[store].slots() {
            self.replaced.push(std::mem::replace(&mut self.memory[cell as usize], slot));
        }
        self.arrived[store] = true;
    }

    fn unwrite(&mut self, store: StoreNumber) {
        let store_data = self.problem.stores[store];
        for cell in (store_data.first_cell..store_data.first_cell + store_data.cells).rev() {
            self.memory[cell as usize] = self.replaced.pop().expect("one for each cell");
        }
        self.arrived[store] = false;
    }

    /// Moves the beginning of the stores of a thread that have not reached memory.
    fn settle(&mut self, thread: usize) {
        let end = self.problem.stores_of_thread(thread).end;
        let first = &mut self.first_unsettled[thread];
        while *first < end && self.arrived[*first] {
            *first += 1;
        }
    }

    fn advance(&mut self, event: EventNumber, store: Option<StoreNumber>, forward: bool) {
        if let Some(order) = self.order {
            let chain = order.chain(order.node(event, store));
            let progress = &mut self.progress[chain];
            *progress = if forward { *progress + 1 } else { *progress - 1 };
        }
    }

    /// Takes steps back until so many are left.
    fn undo(&mut self, len: usize) {
        while self.trail.len() > len {
            let step = self.trail.pop().expect("it is longer");
            match step {
                Step::Event(event) => {
                    let event = event as EventNumber;
                    let thread = self.problem.thread_of(event);
                    self.advance(event, None, false);
                    self.next[thread] -= 1;
                    for store in self.problem.stores_of(event).rev() {
                        if self.problem.stores[store].delayed {
                            self.pending[thread] -= 1;
                        } else {
                            self.unwrite(store);
                            self.first_unsettled[thread] = self.first_unsettled[thread].min(store);
                        }
                    }
                    for read in self.problem.reads_of(event) {
                        self.readers[read.slot as usize] += 1;
                    }
                }
                Step::Arrival(store) | Step::Loss(store) => {
                    let store = store as StoreNumber;
                    let event = self.problem.stores[store].event as EventNumber;
                    let thread = self.problem.thread_of(event);
                    self.advance(event, Some(store), false);
                    match step {
                        Step::Loss(_) => self.arrived[store] = false,
                        Step::Event(_) | Step::Arrival(_) => self.unwrite(store),
                    }
                    self.pending[thread] += 1;
                    self.first_unsettled[thread] = self.first_unsettled[thread].min(store);
                }
            }
        }
    }

    /// The pending stores that may have to reach memory before the next event of some thread.
    fn wanted(&self) -> FxHashSet<u32> {
        let problem = self.problem;
        let mut wanted = FxHashSet::default();
        let mut cells = FxHashSet::default();
        let mut open: Vec<u32> = Vec::new();
        for (thread, events) in problem.threads.iter().enumerate() {
            let next = self.next[thread];
            if next >= events.end {
                continue;
            }
            if problem.waits_for_buffer(next) {
                open.extend(self.pending_of(thread).map(|store| store as u32));
            }
            for read in problem.reads_of(next) {
                open.extend(problem.slot_stores[read.slot as usize]);
                open.extend(read.own);
            }
            let written = problem.stores_of(next).filter(|&store| !problem.stores[store].delayed);
            cells.extend(written.flat_map(|store| problem.stores[store].slots()).map(|(cell, _)| cell));
        }
        let pending: Vec<(usize, StoreNumber)> = (0..problem.threads.len())
            .flat_map(|thread| self.pending_of(thread).map(move |store| (thread, store)))
            .collect();
        let is_pending = |store: &u32| pending.iter().any(|&(_, at)| at == *store as StoreNumber);
        loop {
            open.retain(is_pending);
            let mut grew = false;
            for store in open.drain(..) {
                if wanted.insert(store) {
                    grew = true;
                    cells.extend(problem.stores[store as usize].slots().map(|(cell, _)| cell));
                }
            }
            for &(thread, store) in &pending {
                if wanted.contains(&(store as u32)) {
                    continue;
                }
                let data = &problem.stores[store];
                let precedes = |&later: &u32| {
                    let later = &problem.stores[later as usize];
                    later.event >= data.event
                        && problem.threads[thread].contains(&(later.event as EventNumber))
                        && later.epoch > data.epoch
                };
                if data.slots().any(|(cell, _)| cells.contains(&cell)) || wanted.iter().any(precedes) {
                    open.push(store as u32);
                }
            }
            if open.is_empty() && !grew {
                return wanted;
            }
        }
    }

    /// What decides whether a state has a completion.
    fn key(&self) -> Box<[u64]> {
        let problem = self.problem;
        if !self.keeps_arrivals {
            // The stores of each thread that have reached memory are a prefix.
            return self.first_unsettled.iter().map(|&first| first as u64).collect();
        }
        let mut key: Vec<u64> = self.next.iter().map(|&next| next as u64).collect();
        let words = key.len();
        key.resize(words + problem.stores.len().div_ceil(64), 0);
        for (thread, &next) in self.next.iter().enumerate() {
            // A store that nothing is to read from memory reaches it as soon as its cell is not held. Whether
            // it has is of no consequence then, unless a fence or a barrier waits for it, or it is before a
            // store that shares only a part of its cells.
            let keeps_all = !problem.is_uniform || self.last_fence[thread] > next;
            for store in problem.stores_of_thread(thread).filter(|&store| self.arrived[store]) {
                let is_read = || problem.stores[store].slots().any(|(_, slot)| self.readers[slot as usize] > 0);
                if keeps_all || is_read() {
                    key[words + store / 64] |= 1 << (store % 64);
                }
            }
        }
        key.into_boxed_slice()
    }

    fn is_complete(&self) -> bool {
        let mut threads = self.problem.threads.iter().zip(&self.next);
        threads.all(|(events, &next)| next == events.end) && self.pending.iter().all(|&pending| pending == 0)
    }

    fn witness(&self) -> Vec<WitnessStep> {
        let step = |&step: &Step| match step {
            Step::Event(event) => WitnessStep::Event(self.problem.id(event as EventNumber)),
            Step::Arrival(store) | Step::Loss(store) => {
                let store = &self.problem.stores[store as usize];
                WitnessStep::Arrival { event: self.problem.id(store.event as EventNumber), write: store.write }
            }
        };
        self.trail.iter().map(step).collect()
    }
}
