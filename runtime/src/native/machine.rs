//! The textbook machine over the memory of the running program: a buffer per thread, and random choices.
//!
//! TSO: only the oldest store of a buffer may leave. PSO: a store may leave if no older one shares a byte
//! with it, and no store-store barrier is between it and an older one. A load takes each byte from its own
//! thread's newest pending store that covers it, else from memory.

use super::random::Random;
use super::raw;
use crate::{Barrier, MemoryOrder, Model, OrderRules};

/// The largest number of pending stores of a thread; before one more, the oldest leaves.
pub(super) const BUFFER_BOUND: usize = 32;
/// The inverse of the probability with which another own store leaves, before each access and after each
/// store that left.
const LEAVE_ONE_IN: u64 = 4;
/// The inverse of the probability with which a store of another thread leaves before an access.
const HELP_ONE_IN: u64 = 16;
/// The inverse of the probability with which the thread yields after an access.
const YIELD_ONE_IN: u64 = 8;

/// The index of a buffer. `None` is a thread whose thread-local variables are gone; its stores are not
/// delayed.
pub(super) type Thread = Option<usize>;

#[derive(Clone, Copy, Debug)]
struct Pending {
    addr: usize,
    len: u8,
    value: u128,
    /// The number of store-store barriers before it in its thread.
    barriers: u64,
}

impl Pending {
    fn overlaps(&self, addr: usize, len: usize) -> bool {
        self.addr < addr.saturating_add(len) && addr < self.addr + usize::from(self.len)
    }
}

#[derive(Debug, Default)]
struct Buffer {
    /// The pending stores, oldest first.
    stores: Vec<Pending>,
    barriers: u64,
    is_free: bool,
}

/// All buffers.
#[derive(Debug)]
pub(super) struct NativeMachine {
    rules: OrderRules,
    random: Random,
    buffers: Vec<Buffer>,
}

impl NativeMachine {
    pub(super) fn new(model: Model, seed: u64) -> Self {
        NativeMachine {
            rules: OrderRules { model, weak_release: false },
            random: Random::new(seed),
            buffers: Vec::new(),
        }
    }

    /// A buffer for a thread that starts.
    pub(super) fn register(&mut self) -> usize {
        match self.buffers.iter().position(|buffer| buffer.is_free) {
            Some(free) => {
                self.buffers[free].is_free = false;
                free
            }
            None => {
                self.buffers.push(Buffer::default());
                self.buffers.len() - 1
            }
        }
    }

    /// Ends a thread: its stores reach memory.
    pub(super) fn unregister(&mut self, buffer: usize) {
        self.drain(Some(buffer));
        self.buffers[buffer].is_free = true;
    }

    /// In a process that a thread has made by `fork`, it is the only one. What other threads stored, and had
    /// not reached memory, is not in its memory.
    pub(super) fn goes_on_alone(&mut self, thread: Thread) {
        let others = self.buffers.iter_mut().enumerate().filter(|&(buffer, _)| Some(buffer) != thread);
        others.for_each(|(_, buffer)| *buffer = Buffer { is_free: true, ..Buffer::default() });
    }

    /// Makes random stores leave before a call.
    pub(super) fn some_stores_leave(&mut self, thread: Thread) {
        let Some(own) = thread else { return };
        while !self.buffers[own].stores.is_empty() && self.random.one_in(LEAVE_ONE_IN) {
            self.one_leaves(own);
        }
        if self.random.one_in(HELP_ONE_IN) {
            let other = self.random.below(self.buffers.len());
            self.one_leaves(other);
        }
    }

    /// True if the thread is to yield after this call.
    pub(super) fn wants_to_yield(&mut self) -> bool {
        self.random.one_in(YIELD_ONE_IN)
    }

    pub(super) fn load(&self, thread: Thread, addr: usize, len: u8) -> u128 {
        let own = thread.map_or(&[][..], |own| &self.buffers[own].stores);
        let seen = own.iter().filter(|p| p.overlaps(addr, usize::from(len)));
        let mut bytes = raw::read(addr, len).to_le_bytes();
        for pending in seen {
            for (i, byte) in bytes.iter_mut().take(usize::from(len)).enumerate() {
                if pending.overlaps(addr + i, 1) {
                    *byte = pending.value.to_le_bytes()[addr + i - pending.addr];
                }
            }
        }
        u128::from_le_bytes(bytes)
    }

    pub(super) fn store(&mut self, thread: Thread, addr: usize, len: u8, value: u128, order: MemoryOrder) {
        self.barrier(thread, self.rules.before_store(order));
        match thread {
            Some(own) if self.rules.model != Model::Sc => self.push(own, addr, len, value),
            _ => raw::write(addr, len, value),
        }
        self.barrier(thread, self.rules.after_store(order));
    }

    pub(super) fn fence(&mut self, thread: Thread, order: MemoryOrder) {
        self.barrier(thread, self.rules.fence(order));
    }

    /// Executes a read-modify-write: `update` gives the new value from the old one, if any is to be stored.
    /// Returns the old value.
    pub(super) fn rmw(&mut self, thread: Thread, addr: usize, len: u8, update: impl Fn(u128) -> Option<u128>) -> u128 {
        self.drain(thread);
        raw::update(addr, len, update).0
    }

    /// Makes all stores of the thread reach memory.
    pub(super) fn drain(&mut self, thread: Thread) {
        let Some(own) = thread else { return };
        for Pending { addr, len, value, .. } in self.buffers[own].stores.drain(..) {
            raw::write(addr, len, value);
        }
    }

    /// Ends the life of the `len` bytes at `addr`: the thread's own stores to them need not reach memory any
    /// more. If a store is only partly inside, all stores of the thread reach memory.
    pub(super) fn forget(&mut self, thread: Thread, addr: usize, len: usize) {
        let Some(own) = thread else { return };
        let stores = &mut self.buffers[own].stores;
        let is_inside = |p: &Pending| addr <= p.addr && p.addr + usize::from(p.len) <= addr.saturating_add(len);
        if stores.iter().any(|p| p.overlaps(addr, len) && !is_inside(p)) {
            self.drain(thread);
        } else {
            stores.retain(|p| !is_inside(p));
        }
    }

    fn barrier(&mut self, thread: Thread, barrier: Barrier) {
        match (barrier, thread) {
            (Barrier::Full, _) => self.drain(thread),
            (Barrier::StoreStore, Some(own)) => self.buffers[own].barriers += 1,
            (Barrier::StoreStore, None) | (Barrier::None, _) => {}
        }
    }

    fn push(&mut self, own: usize, addr: usize, len: u8, value: u128) {
        if self.buffers[own].stores.len() == BUFFER_BOUND {
            self.leave(own, 0);
        }
        let barriers = self.buffers[own].barriers;
        self.buffers[own].stores.push(Pending { addr, len, value, barriers });
    }

    /// Makes a random one of the stores that may leave the buffer reach memory; does nothing if it is empty.
    fn one_leaves(&mut self, buffer: usize) {
        let may_leave = |i: &usize| self.may_leave(&self.buffers[buffer].stores, *i);
        let candidates = (0..self.buffers[buffer].stores.len()).filter(may_leave).count();
        if candidates > 0 {
            let pick = self.random.below(candidates);
            let may_leave = |i: &usize| self.may_leave(&self.buffers[buffer].stores, *i);
            let store = (0..self.buffers[buffer].stores.len()).filter(may_leave).nth(pick);
            self.leave(buffer, store.expect("one of the candidates"));
        }
    }

    fn may_leave(&self, stores: &[Pending], i: usize) -> bool {
        let (older, store) = (&stores[..i], &stores[i]);
        match self.rules.model {
            Model::Sc | Model::Tso => older.is_empty(),
            Model::Pso => {
                older.iter().all(|o| o.barriers == store.barriers && !o.overlaps(store.addr, usize::from(store.len)))
            }
        }
    }

    fn leave(&mut self, buffer: usize, store: usize) {
        let Pending { addr, len, value, .. } = self.buffers[buffer].stores.remove(store);
        raw::write(addr, len, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of real memory, and its address. It is not a `Box`: moving a `Box` asserts that no other
    /// pointer to it is in use.
    fn cell() -> (Vec<u64>, usize) {
        let mut cell = vec![0];
        let addr = cell.as_mut_ptr().expose_provenance();
        (cell, addr)
    }

    #[test]
    fn loads_mix_own_bytes_with_memory() {
        let (_cell, addr) = cell();
        raw::write(addr, 8, 0x8877_6655_4433_2211);
        let mut machine = NativeMachine::new(Model::Tso, 1);
        let (a, b) = (Some(machine.register()), Some(machine.register()));
        machine.store(a, addr + 1, 2, 0xbbaa, MemoryOrder::Plain);
        machine.store(a, addr + 2, 1, 0xcc, MemoryOrder::Plain);
        assert_eq!(machine.load(a, addr, 8), 0x8877_6655_44cc_aa11);
        assert_eq!(machine.load(a, addr + 2, 1), 0xcc);
        assert_eq!(machine.load(b, addr, 8), 0x8877_6655_4433_2211);
        machine.unregister(0);
        assert_eq!(machine.load(b, addr, 8), 0x8877_6655_44cc_aa11);
    }

    /// The orders in which two stores leave, with many seeds: (in order, out of order).
    fn orders(model: Model, order: MemoryOrder) -> (bool, bool) {
        let mut seen = (false, false);
        for seed in 0..64 {
            let ((_x, x), (_y, y)) = (cell(), cell());
            let mut machine = NativeMachine::new(model, seed);
            let own = Some(machine.register());
            machine.store(own, x, 8, 1, MemoryOrder::Plain);
            machine.store(own, y, 8, 1, order);
            machine.one_leaves(0);
            seen.0 |= raw::read(x, 8) == 1;
            seen.1 |= raw::read(x, 8) == 0 && raw::read(y, 8) == 1;
        }
        seen
    }

    #[test]
    fn stores_leave_in_the_orders_of_the_model() {
        assert_eq!(orders(Model::Sc, MemoryOrder::Plain), (true, false));
        assert_eq!(orders(Model::Tso, MemoryOrder::Plain), (true, false));
        assert_eq!(orders(Model::Pso, MemoryOrder::Plain), (true, true));
        assert_eq!(orders(Model::Pso, MemoryOrder::Release), (true, false));
    }

    #[test]
    fn dying_memory_is_not_written() {
        let (_cell, addr) = cell();
        let mut machine = NativeMachine::new(Model::Tso, 1);
        let own = Some(machine.register());
        machine.store(own, addr, 4, 1, MemoryOrder::Plain);
        machine.forget(own, addr, 8);
        machine.drain(own);
        assert_eq!(raw::read(addr, 8), 0);
        machine.store(own, addr, 8, 2, MemoryOrder::Plain);
        machine.forget(own, addr, 4);
        assert_eq!(raw::read(addr, 8), 2, "a store that is partly elsewhere is not lost");
    }

    #[test]
    fn a_buffer_is_bounded() {
        let (_cell, addr) = cell();
        let mut machine = NativeMachine::new(Model::Tso, 1);
        let own = Some(machine.register());
        for value in 0..=BUFFER_BOUND as u128 + 4 {
            machine.store(own, addr, 8, value, MemoryOrder::Plain);
        }
        assert_eq!(raw::read(addr, 8), 4);
    }
}
