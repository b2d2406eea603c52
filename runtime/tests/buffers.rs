//! Tests of the canonical form, dying memory, the buffer bound, and termination. The values of loads are
//! checked against the textbook machine, in the workspace crate `tests`.

mod cells;

use std::collections::HashSet;

use cells::Cells;
use rmc_runtime::{Access, Buffers, Bytes, Choose, Loaded, Memory, Model, PendingStore, Source, StoreTag};

/// Gives the same answer to every question.
struct Always(usize);

impl Choose for Always {
    fn choose(&mut self, n: usize) -> usize {
        self.0.min(n - 1)
    }
}

/// Panics if asked.
struct Never;

impl Choose for Never {
    fn choose(&mut self, n: usize) -> usize {
        panic!("asked to choose one of {n}")
    }
}

const X: Access = Access { object: 1, offset: 0, len: 4 };
const Y: Access = Access { object: 1, offset: 4, len: 4 };
/// A part of `X`.
const LOW: Access = Access { object: 1, offset: 0, len: 2 };
const Z: Access = Access { object: 2, offset: 0, len: 4 };

/// Buffers and memory, with short names for the operations of threads.
#[derive(Clone)]
struct Machine {
    buffers: Buffers,
    memory: Cells,
}

impl Machine {
    fn new(model: Model) -> Self {
        Machine { buffers: Buffers::new(model), memory: Cells::default() }
    }

    fn store(&mut self, thread: usize, at: Access, value: u128) -> &mut Self {
        self.buffers.store(&mut self.memory, thread, at, Bytes::defined(value), StoreTag(value as u32));
        self
    }

    fn fence(&mut self, thread: usize) -> &mut Self {
        self.buffers.fence(&mut self.memory, thread);
        self
    }

    fn barrier(&mut self, thread: usize) -> &mut Self {
        self.buffers.store_barrier(thread);
        self
    }

    fn load(&mut self, thread: usize, at: Access, mut choose: impl Choose) -> Loaded {
        self.buffers.load(&mut self.memory, Some(thread), at, &mut choose)
    }

    fn exchange(&mut self, thread: usize, at: Access, value: u128, choose: impl Choose) -> Loaded {
        self.fence(thread);
        let loaded = self.load(thread, at, choose);
        let tag = StoreTag(value as u32);
        self.buffers.store_now(&mut self.memory, thread, at, Bytes::defined(value), tag);
        loaded
    }

    fn evict(&mut self, thread: usize, object: u32, range: Option<(u32, u32)>) -> Result<(), PendingStore> {
        self.buffers.evict(&mut self.memory, thread, object, range)
    }

    fn words(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.buffers.encode(&mut words);
        words
    }

    /// The values pending, in canonical order.
    fn pending(&self) -> Vec<u128> {
        self.buffers.pending().map(|p| p.value.bits).collect()
    }
}

#[track_caller]
fn check_round_trip(machine: &Machine) {
    let words = machine.words();
    let mut decoded = Buffers::new(machine.buffers.model());
    decoded.decode(&words);
    assert!(decoded == machine.buffers, "{decoded:?}\n{:?}", machine.buffers);
    assert!(decoded.tags().iter().all(|&tag| tag == StoreTag(0)));
    decoded.set_tags(&machine.buffers.tags());
    assert!(decoded.pending().eq(machine.buffers.pending()));
    let mut again = Vec::new();
    decoded.encode(&mut again);
    assert_eq!(words, again);
}

#[test]
fn nothing_pending_is_no_word() {
    for model in Model::ALL {
        let mut m = Machine::new(model);
        assert!(m.words().is_empty());
        m.store(0, X, 1).fence(0);
        assert!(m.words().is_empty() && m.buffers.is_empty());
        assert_eq!(m.memory.read(X), Bytes::defined(1));
        check_round_trip(&m);
    }
}

#[test]
fn narrow_stores_take_three_words() {
    let mut m = Machine::new(Model::Tso);
    m.store(0, X, 1).store(3, Y, 2);
    assert_eq!(m.words().len(), 7);
    check_round_trip(&m);
}

#[test]
fn wide_and_uninitialised_values_survive() {
    let mut m = Machine::new(Model::Pso);
    let wide = Access { object: 7, offset: 16, len: 16 };
    let tag = StoreTag(0);
    m.buffers.store(&mut m.memory, 1, wide, Bytes::defined(u128::MAX - 5), tag);
    m.buffers.store(&mut m.memory, 0, wide, Bytes { bits: 1, undef: 0xff << 96 }, tag);
    m.buffers.store(&mut m.memory, 1, X, Bytes::uninitialised(4), tag);
    m.store(1, Y, 9).barrier(1);
    check_round_trip(&m);
}

#[test]
fn many_pending_stores_survive() {
    for n in [40, 41, 63, 64, 65, 130] {
        let mut m = Machine::new(Model::Tso);
        for i in 0..n {
            let at = Access { object: 0, offset: 8 * (i as u32 / 2), len: 8 };
            m.store(i % 2, at, i as u128 + 1);
        }
        m.fence(0);
        check_round_trip(&m);
        m.fence(1);
        // Both threads stored to every place, so each value that an observer sees decides one place.
        for i in 0..n.div_ceil(2) {
            let at = Access { object: 0, offset: 8 * i as u32, len: 8 };
            m.buffers.load(&mut m.memory, None, at, &mut Always(0));
            check_round_trip(&m);
        }
        assert!(m.buffers.is_empty());
    }
}

#[test]
fn equal_situations_are_equal_words_whatever_the_history() {
    let mut a = Machine::new(Model::Tso);
    a.store(0, Z, 7).fence(0).store(0, X, 1).store(1, Y, 2);
    let mut b = Machine::new(Model::Tso);
    b.store(1, Y, 2).store(0, Z, 7).store(0, X, 1);
    assert_ne!(a.words(), b.words());
    // An observer sees z=7, so it has left the buffer, and x=1 is the oldest store.
    b.buffers.load(&mut b.memory, None, Z, &mut Always(1));
    assert_eq!(a.words(), b.words());
    assert_eq!(a.memory, b.memory);
}

#[test]
fn a_barrier_counts_only_while_it_orders_something() {
    let without = Machine::new(Model::Pso).store(0, X, 1).store(1, X, 2).words();
    let barrier = Machine::new(Model::Pso).store(0, X, 1).store(1, X, 2).barrier(0).words();
    assert_ne!(without, barrier);
    let fence = |m: &mut Machine| m.store(0, X, 1).store(1, X, 2).barrier(0).fence(0).words();
    let fenced = Machine::new(Model::Pso).store(0, X, 1).store(1, X, 2).fence(0).words();
    assert_eq!(fence(&mut Machine::new(Model::Pso)), fenced);
    // TSO needs no barriers, so it has none.
    let tso = Machine::new(Model::Tso).store(0, X, 1).words();
    assert_eq!(Machine::new(Model::Tso).store(0, X, 1).barrier(0).words(), tso);
}

#[test]
fn a_barrier_survives_the_store_it_is_behind() {
    let mut m = Machine::new(Model::Pso);
    m.store(0, X, 1).store(0, Z, 2).barrier(0);
    m.evict(0, Z.object, None).expect("only own stores");
    m.store(0, Y, 3);
    assert!(m.buffers.precedes(0, 1), "x=1 stays before y=3");
}

#[test]
fn one_candidate_is_no_choice() {
    let mut m = Machine::new(Model::Tso);
    assert_eq!(m.load(0, X, Never).source, Source::Memory);
    m.store(0, X, 1);
    let loaded = m.load(0, X, Never);
    assert_eq!((loaded.value.bits, loaded.source), (1, Source::OwnBuffer(StoreTag(1))));
    // The load takes bytes from its own buffer and from memory.
    m.memory.write(Y, Bytes::defined(5));
    let both = Access { len: 8, ..X };
    let loaded = m.load(0, both, Never);
    assert_eq!((loaded.value.bits, loaded.source), (5 << 32 | 1, Source::Mixed));
    assert_eq!(m.load(1, Y, Never).value.bits, 5);
}

#[test]
fn a_choice_says_what_it_made_later() {
    let mut m = Machine::new(Model::Tso);
    m.store(0, X, 1).store(0, Y, 2);
    let mut memory_first = m.clone();
    let loaded = memory_first.load(1, X, Always(0));
    assert_eq!((loaded.value.bits, loaded.source), (0, Source::Memory));
    assert_eq!(loaded.later, [StoreTag(1)]);
    let loaded = m.load(1, Y, Always(1));
    assert_eq!(loaded.source, Source::Pending { thread: 0, tag: StoreTag(2) });
    assert_eq!((m.memory.read(X).bits, m.pending()), (1, vec![]), "x=1 was due before y=2");
}

#[test]
fn an_exchange_is_before_what_is_delayed() {
    let mut m = Machine::new(Model::Tso);
    m.store(1, X, 1);
    assert_eq!(m.exchange(0, X, 2, Always(0)).value.bits, 0);
    assert_eq!((m.memory.read(X).bits, m.pending()), (2, vec![1]));
    assert_eq!(m.exchange(0, X, 3, Always(1)).value.bits, 1);
    assert_eq!((m.memory.read(X).bits, m.pending()), (3, vec![]));
}

#[test]
fn dying_memory_drops_own_and_committed_stores() {
    let mut m = Machine::new(Model::Tso);
    m.store(0, X, 1).store(0, Z, 2).store(1, X, 3).fence(1);
    assert_eq!(m.pending(), [1, 2, 3]);
    m.evict(0, X.object, None).expect("the store of thread 1 is committed");
    assert_eq!(m.pending(), [2]);
    assert_eq!(m.memory.read(X).bits, 0, "dead memory is not written");
}

#[test]
fn a_delayed_store_of_another_thread_is_a_use_after_free() {
    let mut m = Machine::new(Model::Pso);
    m.store(0, X, 1).store(1, Y, 2);
    let before = m.words();
    let late = m.evict(0, X.object, None).expect_err("y=2 may come after the memory has died");
    assert_eq!((late.thread, late.at, late.tag, late.committed), (1, Y, StoreTag(2), false));
    assert_eq!(m.words(), before);
    m.evict(0, X.object, Some((0, 4))).expect("only the bytes of x die");
    assert_eq!(m.pending(), [2]);
}

#[test]
fn a_store_partly_in_dying_memory_stays() {
    let mut m = Machine::new(Model::Tso);
    m.store(0, X, 1).store(0, Y, 2);
    m.evict(0, X.object, Some((2, 6))).expect("only own stores");
    assert_eq!(m.pending(), [1]);
}

#[test]
fn the_bound_commits_the_oldest_store() {
    for model in [Model::Tso, Model::Pso] {
        let mut m = Machine::new(model);
        m.store(0, X, 1).store(0, Y, 2).store(1, X, 3);
        assert_eq!(m.buffers.delayed(0), 2);
        m.buffers.commit_down_to(&mut m.memory, 0, 1);
        assert_eq!((m.buffers.delayed(0), m.pending()), (1, vec![1, 2, 3]));
        m.buffers.commit_down_to(&mut m.memory, 0, 0);
        assert_eq!((m.buffers.delayed(0), m.pending()), (0, vec![1, 3]), "y=2 has no rival");
        m.buffers.commit_down_to(&mut m.memory, 0, 0);
        assert!(m.buffers.has_pending(0) && m.buffers.overlaps(X) && !m.buffers.overlaps(Y));
    }
}

/// The number of situations when thread 0 runs `body` for ever, with all its choices, while two stores of
/// thread 1 are delayed.
fn situations_of_a_loop(model: Model, body: &[fn(&mut Machine, Always) -> Loaded]) -> usize {
    let mut start = Machine::new(model);
    start.store(1, X, 8).store(1, Y, 9);
    let (mut seen, mut stack) = (HashSet::new(), vec![(start, 0)]);
    while let Some((m, step)) = stack.pop() {
        let values = [X, Y].map(|at| m.memory.clone().read(at).bits);
        if !seen.insert((m.words(), values, step)) {
            continue;
        }
        assert!(seen.len() < 10_000, "{model}: the loop does not end");
        for answer in 0..4 {
            let mut next = m.clone();
            body[step](&mut next, Always(answer));
            stack.push((next, (step + 1) % body.len()));
        }
    }
    seen.len()
}

/// Tests deviation 1 of `settle.rs`: without it every round would leave one more committed store.
#[test]
fn storing_and_fencing_in_a_loop_ends() {
    let store_x = |m: &mut Machine, _: Always| m.store(0, X, 1).fence(0).load(0, Z, Never);
    let store_low = |m: &mut Machine, _: Always| m.store(0, LOW, 2).fence(0).load(0, Z, Never);
    let store_y = |m: &mut Machine, _: Always| m.store(0, Y, 3).load(0, Z, Never);
    let load_y = |m: &mut Machine, choose: Always| m.load(0, Y, choose);
    let exchange = |m: &mut Machine, choose: Always| m.exchange(0, X, 4, choose);
    for model in [Model::Tso, Model::Pso] {
        let counts = [
            situations_of_a_loop(model, &[store_x]),
            situations_of_a_loop(model, &[store_x, store_low]),
            situations_of_a_loop(model, &[store_y, store_x, load_y]),
            situations_of_a_loop(model, &[store_y, exchange]),
            situations_of_a_loop(model, &[store_x, store_y, exchange, load_y, store_low]),
        ];
        println!("{model}: {counts:?}");
        assert!(counts.iter().all(|&n| n < 100), "{model}: {counts:?}");
    }
}
