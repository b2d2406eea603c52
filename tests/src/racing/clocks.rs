//! The textbook machine with vector clocks; it decides whether some execution has a data race.
//!
//! Each thread has a buffer of stores (none under SC, first in first out under TSO, per location and
//! store-store barrier under PSO). All interleavings of statements and arrivals of stores are tried.
//! Happens-before is computed with vector clocks (Friedemann Mattern, *Virtual Time and Global States of
//! Distributed Systems*, 1989): a clock has, per thread, the number of its statements in the past. A store
//! carries the clock that an acquire load of it learns, through the buffer to memory: one for each thread
//! whose release sequence it is in.

use std::collections::HashSet;

use super::{MEMORY, Order, Place, Program, Statement};
use crate::oracle::Model;

type Clock = Vec<usize>;

/// For each thread, the clock that its release sequence passes on to acquire loads.
type Sequences = Vec<Clock>;

/// True if an execution of the program under the model has a data race.
pub fn races(program: &Program, model: Model) -> bool {
    let zero = vec![0; program.len()];
    let threads = vec![Thread::new(&zero); program.len()];
    let initial = State {
        threads: threads.into_iter().enumerate().map(|(number, thread)| thread.numbered(number)).collect(),
        memory: vec![0; MEMORY],
        carried: vec![vec![zero.clone(); program.len()]; MEMORY],
        holder: None,
        lock: zero,
        accesses: Vec::new(),
    };
    let mut seen = HashSet::from([initial.clone()]);
    let mut stack = vec![initial];
    while let Some(state) = stack.pop() {
        let Some(successors) = state.successors(program, model) else { return true };
        stack.extend(successors.into_iter().filter(|next| seen.insert(next.clone())));
    }
    false
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    memory: Vec<u8>,
    /// For each byte, the clocks carried by the store that it comes from.
    carried: Vec<Sequences>,
    /// The thread that holds the mutex.
    holder: Option<usize>,
    /// The clock of the last unlock.
    lock: Clock,
    accesses: Vec<Access>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    next: usize,
    last: u64,
    clock: Clock,
    /// The clock at the last release fence.
    released: Clock,
    /// The joined clocks of the stores that relaxed loads read.
    seen: Clock,
    barriers: usize,
    buffer: Vec<Store>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Store {
    place: Place,
    value: u64,
    carries: Clock,
    barriers: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Access {
    thread: usize,
    /// The thread's own time.
    time: usize,
    place: Place,
    write: bool,
    atomic: bool,
}

impl Thread {
    fn new(zero: &Clock) -> Thread {
        let (clock, released, seen) = (zero.clone(), zero.clone(), zero.clone());
        Thread { next: 0, last: 0, clock, released, seen, barriers: 0, buffer: Vec::new() }
    }

    fn numbered(mut self, number: usize) -> Thread {
        self.clock[number] = 1;
        self
    }

    fn acquire(&mut self, carried: &Clock, order: Order) {
        join(if order.acquires() { &mut self.clock } else { &mut self.seen }, carried);
    }

    fn carries(&self, order: Order) -> Clock {
        if order.releases() { self.clock.clone() } else { self.released.clone() }
    }
}

fn joined(sequences: &Sequences) -> Clock {
    let mut all = sequences[0].clone();
    sequences[1..].iter().for_each(|clock| join(&mut all, clock));
    all
}

fn join(clock: &mut Clock, other: &Clock) {
    clock.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
}

impl State {
    /// The successors; `None` if the next statement of a thread races.
    fn successors(&self, program: &Program, model: Model) -> Option<Vec<State>> {
        let mut successors = Vec::new();
        for (me, statements) in program.iter().enumerate() {
            for at in 0..self.threads[me].buffer.len() {
                if self.may_arrive(me, at, model) {
                    let mut next = self.clone();
                    let store = next.threads[me].buffer.remove(at);
                    next.arrive(me, &store);
                    successors.push(next);
                }
            }
            if let Some(&statement) = statements.get(self.threads[me].next)
                && !self.waits(me, statement)
            {
                let mut next = self.clone();
                next.threads[me].next += 1;
                if !next.execute(me, statement, model) {
                    return None;
                }
                next.threads[me].clock[me] += 1;
                successors.push(next);
            }
        }
        Some(successors)
    }

    fn may_arrive(&self, me: usize, at: usize, model: Model) -> bool {
        let (older, rest) = self.threads[me].buffer.split_at(at);
        let stays = |one: &Store| one.place.overlaps(rest[0].place) || one.barriers != rest[0].barriers;
        match model {
            Model::Sc | Model::Tso => older.is_empty(),
            Model::Pso => !older.iter().any(stays),
        }
    }

    /// Makes a thread's store reach memory. It continues its thread's own release sequence and ends those of
    /// others.
    fn arrive(&mut self, me: usize, store: &Store) {
        let Place { offset, len } = store.place;
        self.memory[offset..offset + len].copy_from_slice(&store.value.to_le_bytes()[..len]);
        for carried in &mut self.carried[offset..offset + len] {
            let others = carried.iter_mut().enumerate().filter(|&(thread, _)| thread != me);
            others.for_each(|(_, clock)| clock.fill(0));
            join(&mut carried[me], &store.carries);
        }
    }

    /// True if the statement must wait for an empty buffer or the mutex.
    fn waits(&self, me: usize, statement: Statement) -> bool {
        let fences = match statement {
            Statement::Add(..) | Statement::CompareExchange(..) | Statement::Lock | Statement::Unlock => true,
            Statement::Fence(order) => order == Order::SeqCst,
            _ => false,
        };
        fences && !self.threads[me].buffer.is_empty() || statement == Statement::Lock && self.holder.is_some()
    }

    /// Executes a statement; false if it races.
    fn execute(&mut self, me: usize, statement: Statement, model: Model) -> bool {
        match statement {
            Statement::Read(place) => self.access(me, place, false, false),
            Statement::Write(place) => {
                let nothing = vec![0; self.threads.len()];
                let free = self.access(me, place, true, false);
                self.store(me, place, 0x0101_0101_0101_0101 >> (64 - 8 * place.len), nothing, model);
                free
            }
            Statement::Load(flag, order) => {
                let free = self.access(me, Place::flag(flag), false, true);
                self.read(me, flag, order);
                free
            }
            Statement::Store(flag, value, order) => {
                let free = self.access(me, Place::flag(flag), true, true);
                self.threads[me].barriers += usize::from(order.releases());
                let carries = self.threads[me].carries(order);
                self.store(me, Place::flag(flag), value, carries, model);
                self.drain_after(me, order);
                free
            }
            Statement::Add(flag, value, order) => {
                let free = self.access(me, Place::flag(flag), true, true);
                let old = self.read(me, flag, order);
                self.update(me, flag, old.wrapping_add(value), order);
                free
            }
            Statement::CompareExchange(flag, [expected, new], order) => {
                let old = self.value(me, Place::flag(flag)).0;
                let free = self.access(me, Place::flag(flag), old == expected, true);
                let failure = if order.acquires() { Order::Acquire } else { Order::Relaxed };
                self.read(me, flag, if old == expected { order } else { failure });
                if old == expected {
                    self.update(me, flag, new, order);
                }
                free
            }
            Statement::Fence(order) => {
                self.fence(me, order);
                true
            }
            Statement::Lock => {
                self.holder = Some(me);
                let lock = self.lock.clone();
                join(&mut self.threads[me].clock, &lock);
                true
            }
            Statement::Unlock => {
                self.holder = None;
                self.lock = self.threads[me].clock.clone();
                true
            }
            Statement::When(value) => {
                self.threads[me].next += usize::from(self.threads[me].last != value);
                true
            }
        }
    }

    fn fence(&mut self, me: usize, order: Order) {
        let thread = &mut self.threads[me];
        if order.acquires() {
            let seen = thread.seen.clone();
            join(&mut thread.clock, &seen);
        }
        if order.releases() {
            thread.released = thread.clock.clone();
            thread.barriers += 1;
        }
    }

    /// Records an access; false if it races with an earlier one.
    fn access(&mut self, me: usize, place: Place, write: bool, atomic: bool) -> bool {
        let clock = &self.threads[me].clock;
        let races = |other: &Access| {
            let conflicts = (write || other.write) && !(atomic && other.atomic) && other.place.overlaps(place);
            conflicts && other.thread != me && clock[other.thread] < other.time
        };
        let free = !self.accesses.iter().any(races);
        self.accesses.push(Access { thread: me, time: clock[me], place, write, atomic });
        self.accesses.sort_by_key(|access| (access.thread, access.time));
        free
    }

    fn store(&mut self, me: usize, place: Place, value: u64, carries: Clock, model: Model) {
        let store = Store { place, value, carries, barriers: self.threads[me].barriers };
        if model == Model::Sc { self.arrive(me, &store) } else { self.threads[me].buffer.push(store) }
    }

    /// Makes a sequentially consistent store of a thread, and all stores before it, reach memory at once.
    /// Executions in which the earlier ones arrived before are explored, too.
    fn drain_after(&mut self, me: usize, order: Order) {
        if order == Order::SeqCst {
            let stores = std::mem::take(&mut self.threads[me].buffer);
            stores.iter().for_each(|store| self.arrive(me, store));
        }
    }

    /// The value of a place as a thread sees it, and the clock that its first byte carries; the bytes of an
    /// atomic access come from one store.
    fn value(&self, me: usize, place: Place) -> (u64, Clock) {
        let byte = |offset: usize| {
            let one = Place { offset, len: 1 };
            match self.threads[me].buffer.iter().rev().find(|store| store.place.overlaps(one)) {
                Some(store) => (store.value.to_le_bytes()[offset - store.place.offset], store.carries.clone()),
                None => (self.memory[offset], joined(&self.carried[offset])),
            }
        };
        let bytes = (place.offset..place.offset + place.len).rev();
        (bytes.fold(0, |value, offset| value << 8 | u64::from(byte(offset).0)), byte(place.offset).1)
    }

    fn read(&mut self, me: usize, flag: usize, order: Order) -> u64 {
        let (value, carried) = self.value(me, Place::flag(flag));
        let thread = &mut self.threads[me];
        thread.last = value;
        thread.acquire(&carried, order);
        value
    }

    /// The write of a read-modify-write; it continues all release sequences.
    fn update(&mut self, me: usize, flag: usize, value: u64, order: Order) {
        let Place { offset, len } = Place::flag(flag);
        let before = self.carried[offset..offset + len].to_vec();
        let carries = self.threads[me].carries(order);
        self.arrive(me, &Store { place: Place { offset, len }, value, carries, barriers: 0 });
        for (now, before) in self.carried[offset..offset + len].iter_mut().zip(&before) {
            now.iter_mut().zip(before).for_each(|(now, before)| join(now, before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: Place = Place { offset: 8, len: 8 };

    #[track_caller]
    fn check(program: &Program, expected: [bool; 3]) {
        let found = [Model::Sc, Model::Tso, Model::Pso].map(|model| races(program, model));
        assert_eq!(found, expected, "under sc, tso, pso");
    }

    fn publication(store: Order, load: Order) -> Program {
        use Statement::{Load, Read, Store, When, Write};
        vec![vec![Write(DATA), Store(0, 1, store)], vec![Load(0, load), When(1), Read(DATA)]]
    }

    #[test]
    fn a_flag_orders_with_release_and_acquire_only() {
        check(&publication(Order::Release, Order::Acquire), [false; 3]);
        check(&publication(Order::Relaxed, Order::Acquire), [true; 3]);
        check(&publication(Order::Release, Order::Relaxed), [true; 3]);
    }

    #[test]
    fn own_stores_continue_a_release_sequence_and_those_of_others_end_it() {
        use Statement::{Load, Read, Store, When, Write};
        let read = || vec![Load(0, Order::Acquire), When(2), Read(DATA)];
        let own = vec![Write(DATA), Store(0, 1, Order::Release), Store(0, 2, Order::Relaxed)];
        check(&vec![own.clone(), read()], [false; 3]);
        check(&vec![own, read(), vec![Store(0, 3, Order::Relaxed)]], [true; 3]);
    }

    #[test]
    fn store_buffers_let_both_in() {
        use Statement::{Load, Store, When, Write};
        let side = |own, other| vec![Store(own, 1, Order::Release), Load(other, Order::Acquire), When(0), Write(DATA)];
        check(&vec![side(0, 1), side(1, 0)], [false, true, true]);
    }
}
