//! Random programs from seeds: the same seed always gives the same program.

use super::program::{Home, Order, Place, Program, Publication, Statement};
use super::{CELL_BYTES, CELLS};

/// A generator of random numbers. Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014 (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("usize has at most 64 bits");
        usize::try_from(self.next() % n).expect("it is below a usize")
    }

    /// One of `options`.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The largest number of operations of a program; the textbook machine explores as many in well under a
/// second.
const OPERATIONS: usize = 9;

/// A program of `threads` threads of 2 to 5 statements.
pub fn program(random: &mut Random, home: Home, threads: usize) -> Program {
    let most = OPERATIONS / threads + 1;
    let mut rest = OPERATIONS;
    let mut bodies = Vec::new();
    for _ in 0..threads {
        let length = (2 + random.below(most.min(5) - 1)).min(rest).max(2);
        rest = rest.saturating_sub(length);
        bodies.push(length);
    }
    // Half of the programs race for whole cells, half for parts of them.
    let mixed = random.one_in(2);
    let threads: Vec<_> = bodies.into_iter().map(|length| thread(random, length, mixed)).collect();
    let publication = home.is_published().then(|| Publication {
        after: random.below(threads[0].len() + 1),
        order: random.pick(&[Order::Relaxed, Order::Release, Order::SeqCst]),
    });
    Program { home, publication, threads }
}

/// A program in which up to two threads fill or copy several pieces once, in place of a store.
pub fn program_with_copies(random: &mut Random, home: Home, threads: usize) -> Program {
    let mut program = program(random, home, threads);
    for statements in program.threads.iter_mut().take(2) {
        let stores = statements.iter_mut().filter(|statement| matches!(statement, Statement::Store { .. }));
        if let Some(statement) = stores.last() {
            *statement = if random.one_in(2) { fill(random) } else { copy(random) };
        }
    }
    program
}

/// A program in which up to two threads fill several pieces once, in place of a store.
pub fn program_with_fills(random: &mut Random, home: Home, threads: usize) -> Program {
    let mut program = program(random, home, threads);
    for statements in program.threads.iter_mut().take(2) {
        let stores = statements.iter_mut().filter(|statement| matches!(statement, Statement::Store { .. }));
        if let Some(statement) = stores.last() {
            *statement = fill(random);
        }
    }
    program
}

/// A program, with two threads maybe with copies, in which each thread but one, or each, has an atomic
/// section of up to four statements.
pub fn program_with_sections(random: &mut Random, home: Home, threads: usize) -> Program {
    let make = if threads == 2 && random.one_in(3) { program_with_copies } else { program };
    let program = make(random, home, threads);
    with_sections(random, program)
}

/// A program without copies in which each thread but one, or each, has an atomic section of up to four
/// statements.
pub fn program_with_sections_alone(random: &mut Random, home: Home, threads: usize) -> Program {
    let program = program(random, home, threads);
    with_sections(random, program)
}

fn with_sections(random: &mut Random, mut program: Program) -> Program {
    let threads = program.threads.len();
    let without = random.below(2 * threads);
    for (_, statements) in program.threads.iter_mut().enumerate().filter(|&(thread, _)| thread != without) {
        let from = random.below(statements.len());
        let to = (from + 1 + random.below(4)).min(statements.len());
        statements.insert(to, Statement::EndSection);
        statements.insert(from, Statement::BeginSection);
    }
    program
}

fn fill(random: &mut Random) -> Statement {
    let place = odd_place(random);
    Statement::Fill { place, byte: u8::try_from(1 + random.below(4)).expect("a small number") }
}

fn copy(random: &mut Random) -> Statement {
    let to = odd_place(random);
    let from = Place { cell: (to.cell + 1) % 2, offset: random.below(CELL_BYTES - to.len + 1), len: to.len };
    Statement::Copy { to, from }
}

/// Bytes of one of the first two cells that make two or three pieces.
fn odd_place(random: &mut Random) -> Place {
    let len = random.pick(&[3, 5, 6, 7]);
    Place { cell: random.below(2), offset: random.below(CELL_BYTES - len + 1), len }
}

/// Numbers of stores among twelve accesses that are not read-modify-writes. The effects of store order are
/// most visible if one thread mostly stores and another one mostly loads.
const LEANINGS: [usize; 3] = [2, 6, 10];

fn thread(random: &mut Random, length: usize, mixed: bool) -> Vec<Statement> {
    let stores = random.pick(&LEANINGS);
    let mut statements: Vec<Statement> = Vec::new();
    for _ in 0..length {
        let next = if statements.iter().any(Statement::reads) && random.one_in(6) {
            let place = place(random, mixed);
            Statement::When { read: value(random, place), then: Box::new(silent(random, place)) }
        } else {
            statement(random, mixed, stores)
        };
        statements.push(next);
    }
    statements
}

fn statement(random: &mut Random, mixed: bool, stores: usize) -> Statement {
    let place = place(random, mixed);
    match random.below(18) {
        0..=11 if random.below(12) < stores => store(random, place),
        0..=11 => load(random, place),
        12 => fence(random),
        _ if !place.is_aligned() => load(random, place),
        13 => Statement::Exchange { place, value: value(random, place) },
        14 => {
            let (old, new) = (value(random, place), value(random, place));
            let expected = random.pick(&[0, old]);
            Statement::CompareExchange { place, expected, new }
        }
        15 => Statement::FetchAdd { place, value: value(random, place) },
        _ => Statement::Add { place, value: value(random, place) },
    }
}

/// A statement that reads nothing.
fn silent(random: &mut Random, place: Place) -> Statement {
    if random.one_in(4) { fence(random) } else { store(random, place) }
}

fn store(random: &mut Random, place: Place) -> Statement {
    let order = match random.below(8) {
        0 | 1 if place.is_aligned() => Order::Release,
        2 if place.is_aligned() => Order::SeqCst,
        3 if place.is_aligned() => Order::Relaxed,
        _ => Order::Plain,
    };
    Statement::Store { place, value: value(random, place), order }
}

fn load(random: &mut Random, place: Place) -> Statement {
    let orders = [Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst];
    Statement::Load { place, order: if place.is_aligned() { random.pick(&orders) } else { Order::Plain } }
}

fn fence(random: &mut Random) -> Statement {
    Statement::Fence(random.pick(&[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]))
}

fn place(random: &mut Random, mixed: bool) -> Place {
    if !mixed {
        // The last cell is rare: with few cells threads interact more often.
        let cell = if random.one_in(8) { CELLS - 1 } else { random.below(CELLS - 1) };
        return Place { cell, offset: 0, len: CELL_BYTES };
    }
    // Most accesses are of the same cell, since parts of cells would seldom overlap otherwise.
    let cell = if random.one_in(4) { 1 } else { 0 };
    let len = random.pick(&[1, 2, 2, 4, 4, 8]);
    Place { cell, offset: random.below(CELL_BYTES - len + 1), len }
}

/// One of few values, all bytes the same. Values of different stores are usually different, but sometimes
/// equal.
fn value(random: &mut Random, place: Place) -> u64 {
    let byte = u64::try_from(1 + random.below(4)).expect("a small number");
    byte * (0x0101_0101_0101_0101 & (u64::MAX >> (64 - 8 * place.len)))
}
