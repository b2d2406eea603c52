//! Random small programs against the machine.

use rmc_formula::TermId;

use super::super::{Barrier, Bounds, CellId, Event, Model, Operation, Target};
use super::builder::{Builder, WIDTH};
use super::compare::{check, check_within};

/// The numbers of G. Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A program under construction.
struct Maker {
    random: Random,
    builder: Builder,
    cells: u32,
    /// The percentage of glued events.
    glue: u64,
    /// The results of the thread so far, each with the guard of its event.
    results: Vec<(TermId, TermId)>,
}

fn program(seed: u64) -> Builder {
    let mut random = Random::new(seed);
    random.below(1);
    let (cells, threads) = (2 + random.below(2) as u32, 2 + random.below(2) as usize);
    // Glued events change how fences are encoded, so most programs have none.
    let glue = if random.chance(30) { 30 } else { 0 };
    let mut maker = Maker { random, builder: Builder::new(cells, threads), cells, glue, results: Vec::new() };
    for thread in 0..threads {
        maker.results.clear();
        // More than two threads, and each event more, multiply the interleavings.
        let events = 1 + maker.random.below(if threads == 2 { 4 } else { 2 });
        for _ in 0..events {
            maker.event(thread);
        }
    }
    maker.builder
}

impl Maker {
    fn event(&mut self, thread: usize) {
        let guard = self.condition(25);
        let (operation, result) = match self.random.below(10) {
            0..4 => self.load(),
            4..8 => (self.store(), None),
            8 => (Operation::Fence(self.barrier()), None),
            _ => self.atomic(),
        };
        let is_glued = self.random.chance(self.glue);
        self.builder.program.threads[thread].events.push(Event { guard, operation, is_glued });
        self.results.extend(result.map(|result| (result, guard)));
    }

    fn barrier(&mut self) -> Barrier {
        if self.random.chance(50) { Barrier::Full } else { Barrier::StoreStore }
    }

    /// A condition: usually 1, else that an earlier result is (or is not) a small number. It is 0 if the
    /// event of that result was passed over.
    fn condition(&mut self, percent: u64) -> TermId {
        if self.results.is_empty() || !self.random.chance(percent) {
            return self.builder.terms.boolean(true);
        }
        let (result, guard) = self.results[self.random.below(self.results.len() as u64) as usize];
        let is = self.is_small(result);
        self.builder.terms.and(guard, is)
    }

    fn is_small(&mut self, result: TermId) -> TermId {
        let terms = &mut self.builder.terms;
        let number = terms.constant(self.random.below(3).into(), WIDTH);
        let low = terms.extract(result, 0, WIDTH);
        let is = terms.eq(low, number);
        if self.random.chance(50) { is } else { terms.not(is) }
    }

    /// Places of an access, and its width.
    fn targets(&mut self) -> (Vec<Target>, u32) {
        let count = if self.random.chance(25) { 2 } else { 1 };
        let condition = self.condition(30);
        let mut targets = vec![Target { condition, cells: self.cells_of(count) }];
        if self.builder.terms.as_constant(condition).is_none() {
            let other = self.builder.terms.not(condition);
            targets.push(Target { condition: other, cells: self.cells_of(count) });
        }
        (targets, WIDTH * count)
    }

    /// Neighbouring cells.
    fn cells_of(&mut self, count: u32) -> Vec<CellId> {
        let first = self.random.below((self.cells - count + 1).into()) as u32;
        (first..first + count).map(CellId).collect()
    }

    /// A small number in each cell, or an earlier result and 1.
    fn value(&mut self, width: u32) -> TermId {
        let terms = &mut self.builder.terms;
        if let Some(&(result, guard)) = self.results.last()
            && self.random.chance(30)
        {
            let zero = terms.constant(0, WIDTH);
            let low = terms.extract(result, 0, WIDTH);
            let low = terms.ite(guard, low, zero);
            let one = terms.constant(1, WIDTH);
            let next = terms.add(low, one);
            return if width == WIDTH { next } else { terms.concat(low, next) };
        }
        let low = 1 + self.random.below(2);
        let high = 1 + self.random.below(2);
        terms.constant((high << 8 | low).into(), width)
    }

    fn load(&mut self) -> (Operation, Option<TermId>) {
        let (targets, width) = self.targets();
        let result = self.builder.fresh(width);
        (Operation::Load { targets, result }, Some(result))
    }

    fn store(&mut self) -> Operation {
        let (targets, width) = self.targets();
        let value = self.value(width);
        let after_full = self.random.chance(15);
        let before = if after_full || self.random.chance(20) { Some(self.barrier()) } else { None };
        Operation::Store { targets, value, before, after_full }
    }

    fn atomic(&mut self) -> (Operation, Option<TermId>) {
        let (targets, width) = self.targets();
        let value = self.value(width);
        let result = self.builder.fresh(width);
        let yes = self.builder.terms.boolean(true);
        let enabled = if self.random.chance(40) { self.is_small(result) } else { yes };
        let stores = if self.random.chance(30) { self.is_small(result) } else { yes };
        let blocked = self.builder.terms.not(enabled);
        (Operation::Atomic { targets, result, enabled, stores, value, blocked }, Some(result))
    }
}

fn check_seeds(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        check(&mut program(seed));
    }
}

#[test]
fn equal_sets_of_results_1() {
    check_seeds(0..200);
}

#[test]
fn equal_sets_of_results_2() {
    check_seeds(200..400);
}

/// Small bounds leave executions out and add none. They are not all left out.
#[test]
fn no_more_results_within_small_bounds() {
    let mut ends = 0;
    for seed in 1000..1100 {
        let bounds =
            Bounds { rounds: 1 + seed as u32 % 3, max_clock: 1 + seed as u32 / 3 % 3, writes: 2 + seed as u32 % 2 };
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            ends += check_within(&mut program(seed), model, bounds);
        }
    }
    assert!(ends > 500, "{ends}");
}
