//! The monitor of store buffers against the textbook machine.
//!
//! The monitor watches every sequentially consistent execution of a program. It must report a load in one of
//! them exactly if the machine has a trace under TSO that it does not have under SC; in such a trace each
//! reported load must read an older value than the store that it is said to miss. Each cycle must consist of
//! edges between operations that are ordered as they say.
//!
//! * every program of two threads with up to three operations of a small alphabet;
//! * random programs of two and three threads, with mixed sizes and read-modify-writes:
//!   `RMC_MONITOR_PROGRAMS=N` tries N of each kind;
//! * programs that an earlier version or the paper gets wrong.

use std::collections::BTreeSet;

use rmc_runtime::monitor::{AccessKind, Borderline, ByteRange, CycleEdge, Monitor, MonitorAccess, Relation};
use rmc_tests::generated::expected::operations;
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program};
use rmc_tests::oracle::traces::beyond_sc;
use rmc_tests::oracle::{Model, Op, Program};

/// The state of a sequentially consistent execution.
#[derive(Clone)]
struct State {
    next: Vec<usize>,
    memory: Vec<u8>,
    registers: Vec<u64>,
}

impl State {
    fn read(&self, addr: usize, len: usize) -> u64 {
        (addr..addr + len).rev().fold(0, |value, at| value << 8 | u64::from(self.memory[at]))
    }

    fn write(&mut self, addr: usize, len: usize, value: u64) {
        self.memory[addr..addr + len].copy_from_slice(&value.to_le_bytes()[..len]);
    }

    /// Executes the next operation of a thread. Returns true if it stored.
    fn execute(&mut self, thread: usize, op: Op) -> bool {
        self.next[thread] += 1;
        match op {
            Op::Store { addr, len, value } => self.write(addr, len, value),
            Op::SkipUnless { reg, value, count } if self.registers[reg] != value => self.next[thread] += count,
            Op::Load { addr, len, reg } => self.registers[reg] = self.read(addr, len),
            Op::Exchange { addr, len, reg, .. }
            | Op::CompareExchange { addr, len, reg, .. }
            | Op::FetchAdd { addr, len, reg, .. } => {
                let old = self.read(addr, len);
                self.registers[reg] = old;
                let Some(new) = op.update(old) else { return false };
                self.write(addr, len, new);
            }
            Op::SkipUnless { .. } | Op::Fence | Op::StoreBarrier => {}
            Op::Fill { .. } | Op::Copy { .. } | Op::BeginSection | Op::EndSection => panic!("{op:?} is not generated"),
        }
        true
    }
}

/// Passes every sequentially consistent execution to `end`: the operations and whether each stored.
fn executions(
    program: &Program,
    state: &State,
    done: &mut Vec<(usize, usize, bool)>,
    end: &mut impl FnMut(&[(usize, usize, bool)]),
) {
    let mut is_complete = true;
    for thread in 0..program.len() {
        let at = state.next[thread];
        let Some(&op) = program[thread].get(at) else { continue };
        is_complete = false;
        let mut next = state.clone();
        let stored = next.execute(thread, op);
        done.push((thread, at, stored));
        executions(program, &next, done, end);
        done.pop();
        // A branch touches no memory, so it is enough to take it first.
        if matches!(op, Op::SkipUnless { .. }) {
            break;
        }
    }
    if is_complete {
        end(done);
    }
}

/// The loads that the monitor reports in an execution. The site of an access is the index of its operation.
fn watch(program: &Program, execution: &[(usize, usize, bool)]) -> Vec<(Borderline, Vec<CycleEdge>)> {
    let mut monitor = Monitor::default();
    let mut found = Vec::new();
    for &(thread, at, stored) in execution {
        let op = program[thread][at];
        let range = op.bytes();
        let bytes = ByteRange { address: range.start as u64, len: range.len() as u64 };
        let site = at as u64;
        match op {
            Op::Load { .. } => {
                let missed = monitor.load(thread, bytes, site).into_iter();
                found.extend(missed.map(|it| (it, monitor.cycle(&it).expect("nothing is forgotten"))));
            }
            Op::Store { .. } => monitor.store(thread, bytes, site),
            Op::Fence => monitor.fence(thread, site),
            Op::Exchange { .. } | Op::CompareExchange { .. } | Op::FetchAdd { .. } if stored => {
                monitor.update(thread, bytes, site);
            }
            Op::Exchange { .. } | Op::CompareExchange { .. } | Op::FetchAdd { .. } => {
                monitor.failed_update(thread, bytes, site);
            }
            _ => {}
        }
    }
    found
}

fn id(access: MonitorAccess) -> (usize, usize) {
    (access.thread as usize, usize::try_from(access.site).expect("a small program"))
}

/// Compares the monitor with the machine. Returns true if the program is robust.
#[track_caller]
fn check(program: &Program) -> bool {
    let beyond = beyond_sc(program, Model::Tso);
    let initial = State { next: vec![0; program.len()], memory: vec![0; 64], registers: vec![0; 64] };
    let mut misses = BTreeSet::new();
    executions(program, &initial, &mut Vec::new(), &mut |execution| {
        for (borderline, cycle) in watch(program, execution) {
            check_cycle(program, execution, &borderline, &cycle);
            misses.insert((id(borderline.load), id(borderline.missed)));
        }
    });
    assert_eq!(misses.is_empty(), beyond.is_empty(), "{misses:?} in {program:#?}");
    for (load, store) in misses {
        let addr = program[load.0][load.1].bytes().start;
        let is_missed = beyond.iter().any(|trace| trace.misses(load, addr, store));
        assert!(is_missed, "{load:?} never misses {store:?} in {program:#?}");
    }
    beyond.is_empty()
}

#[track_caller]
fn check_cycle(program: &Program, execution: &[(usize, usize, bool)], borderline: &Borderline, cycle: &[CycleEdge]) {
    let Borderline { load, missed } = borderline;
    let context = || format!("{cycle:#?} in {execution:?} of {program:#?}");
    let place = |access| execution.iter().position(|&(thread, at, _)| (thread, at) == id(access));
    assert_eq!(cycle[0], CycleEdge { from: *load, to: *missed, relation: Relation::FromRead }, "{}", context());
    let next = cycle.iter().cycle().skip(1);
    for (edge, next) in cycle.iter().zip(next) {
        let CycleEdge { from, to, relation } = *edge;
        assert_eq!(to, next.from, "{}", context());
        assert!(edge == &cycle[0] || place(from) < place(to), "{}", context());
        let op = |access| {
            let (thread, at) = id(access);
            program[thread][at].bytes()
        };
        let overlaps = op(from).start < op(to).end && op(to).start < op(from).end;
        let [reads, writes] = [
            [from, to].map(|access| access.kind != AccessKind::Store),
            [from, to].map(|access| matches!(access.kind, AccessKind::Store | AccessKind::Update)),
        ];
        let fits = match relation {
            Relation::ProgramOrder => from.thread == to.thread,
            Relation::ReadsFrom => overlaps && writes[0] && reads[1],
            Relation::Coherence => overlaps && writes == [true, true],
            Relation::FromRead => overlaps && reads[0] && writes[1],
            Relation::Synchronises => false,
        };
        assert!(fits, "{edge:?} of {}", context());
    }
    assert!(cycle.iter().any(CycleEdge::is_delay), "{}", context());
}

const X: usize = 0;
const Y: usize = 8;

fn st(addr: usize) -> Op {
    Op::Store { addr, len: 8, value: 1 }
}

fn ld(addr: usize, reg: usize) -> Op {
    Op::Load { addr, len: 8, reg }
}

#[test]
fn store_buffering() {
    assert!(!check(&vec![vec![st(X), ld(Y, 0)], vec![st(Y), ld(X, 1)]]));
    assert!(!check(&vec![vec![st(X), Op::Fence, ld(Y, 0)], vec![st(Y), ld(X, 1)]]));
    assert!(check(&vec![vec![st(X), Op::Fence, ld(Y, 0)], vec![st(Y), Op::Fence, ld(X, 1)]]));
}

#[test]
fn own_stores_order_no_load() {
    // x = 1; a = x; b = y beside y = 1; x = 2.
    assert!(!check(&vec![vec![st(X), ld(X, 0), ld(Y, 1)], vec![st(Y), st(X)]]));
}

#[test]
fn sizes_are_mixed() {
    let byte = |addr| Op::Store { addr, len: 1, value: 1 };
    let wide = |addr, reg| Op::Load { addr, len: 2, reg };
    assert!(!check(&vec![vec![byte(0), wide(0, 0)], vec![byte(1), wide(0, 1)]]));
    // The wide loads see the thread's own byte before it reaches memory, the other byte as it is.
    assert!(!check(&vec![vec![byte(0), wide(0, 0)], vec![byte(1), Op::Fence, Op::Load { addr: 0, len: 1, reg: 1 }]]));
    assert!(check(&vec![vec![byte(0), Op::Load { addr: 0, len: 1, reg: 0 }], vec![byte(1), wide(0, 1)]]));
}

/// Every thread of one to three of these operations.
fn threads(alphabet: &[Op]) -> Vec<Vec<Op>> {
    let mut all: Vec<Vec<Op>> = alphabet.iter().map(|&op| vec![op]).collect();
    for _ in 0..2 {
        let longer: Vec<_> =
            all.iter().flat_map(|thread| alphabet.iter().map(|&op| [&thread[..], &[op]].concat())).collect();
        all.extend(longer);
        all.sort_unstable_by_key(|thread| format!("{thread:?}"));
        all.dedup();
    }
    all
}

/// Gives each load a register of its own, so that traces tell them apart.
fn with_registers(mut program: Program) -> Program {
    let loads = program.iter_mut().flatten().filter_map(|op| match op {
        Op::Load { reg, .. } | Op::Exchange { reg, .. } => Some(reg),
        _ => None,
    });
    loads.zip(0..).for_each(|(reg, number)| *reg = number);
    program
}

#[test]
fn all_small_programs() {
    let alphabet = [st(X), st(Y), ld(X, 0), ld(Y, 0), Op::Exchange { addr: X, len: 8, value: 2, reg: 0 }];
    let threads = threads(&alphabet);
    assert_eq!(threads.len(), 155);
    let (mut robust, mut others) = (0, 0);
    for (number, first) in threads.iter().enumerate() {
        for second in &threads[number..] {
            if check(&with_registers(vec![first.clone(), second.clone()])) { robust += 1 } else { others += 1 }
        }
    }
    assert_eq!(robust + others, 155 * 156 / 2);
    assert!(others > 500, "{others} are not robust");
}

/// The number of random programs of each kind in an ordinary run.
const PROGRAMS: usize = 400;

fn random_programs(threads: usize, seed: u64) {
    let asked = std::env::var("RMC_MONITOR_PROGRAMS").ok();
    let count = asked.map_or(PROGRAMS, |count| count.parse().expect("RMC_MONITOR_PROGRAMS is a number"));
    let mut random = Random::new(seed);
    let robust = (0..count).filter(|_| check(&operations(&program(&mut random, Home::ALL[0], threads)))).count();
    assert!(robust > count / 20 && robust < count - count / 20, "{robust} of {count} are robust");
}

#[test]
fn random_programs_of_two_threads() {
    random_programs(2, 3_000_000);
}

#[test]
fn random_programs_of_three_threads() {
    random_programs(3, 3_000_001);
}

fn word(number: u64) -> ByteRange {
    ByteRange { address: 8 * number, len: 8 }
}

#[test]
fn creation_and_end_of_threads_are_fences_and_order_them() {
    let mut monitor = Monitor::default();
    monitor.store(0, word(1), 0);
    monitor.create(0, 1, 1);
    monitor.store(1, word(2), 2);
    assert_eq!(monitor.load(1, word(1), 3), []);
    monitor.store(1, word(3), 4);
    monitor.join(0, 1, 5);
    assert_eq!(monitor.load(0, word(2), 6), []);
    assert_eq!(monitor.load(0, word(3), 7), []);
}

#[test]
fn locks_are_read_modify_writes() {
    let lock = word(9);
    // Both threads store to their own word and load the other's, under a lock or without.
    let run = |is_locked: bool| {
        let mut monitor = Monitor::default();
        let mut found = 0;
        for (thread, [own, other]) in [[1, 2], [2, 1]].into_iter().enumerate() {
            let locks = |monitor: &mut Monitor| is_locked.then(|| monitor.update(thread, lock, 0));
            locks(&mut monitor);
            monitor.store(thread, word(own), 1);
            found += monitor.load(thread, word(other), 2).len();
            locks(&mut monitor);
        }
        found
    };
    assert_eq!((run(false), run(true)), (1, 0));
}
