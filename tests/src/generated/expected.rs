//! The outcomes of a random program, computed by the textbook machine.
//!
//! The meaning of the memory orders is stated here once more, independently of the checker: a release store
//! is a store-store barrier and a store, a seq_cst store is a release store and a full fence.

use std::collections::{BTreeMap, BTreeSet};

use super::program::{Order, PUBLISHED, Place, Program, Statement};
use super::{CELL_BYTES, CELLS, Outcome, digest};
use crate::harness::expectation::Model;
use crate::oracle::{self, Op};

/// Every outcome that `model` allows.
pub fn outcomes(program: &Program, model: Model) -> BTreeSet<Outcome> {
    let Translated { operations, reads } = translate(program);
    let explored = oracle::outcomes(&operations, of_the_oracle(model));
    explored.outcomes.iter().map(|outcome| observed(outcome, &reads)).collect()
}

/// The number of states of the textbook machine under PSO.
pub fn textbook_states(program: &Program) -> usize {
    oracle::outcomes(&operations(program), oracle::Model::Pso).states
}

/// Every outcome, with the least number of preemptions of an execution that has it.
pub fn least_preemptions(program: &Program, model: Model) -> BTreeMap<Outcome, u32> {
    let Translated { operations, reads } = translate(program);
    let mut least = BTreeMap::new();
    for (outcome, preemptions) in oracle::preemptions::least_preemptions(&operations, of_the_oracle(model)) {
        let known = least.entry(observed(&outcome, &reads)).or_insert(preemptions);
        *known = preemptions.min(*known);
    }
    least
}

/// True if every execution under `model` is sequentially consistent.
pub fn is_robust(program: &Program, model: Model) -> bool {
    oracle::traces::is_robust(&translate(program).operations, of_the_oracle(model))
}

/// The program as the textbook machine runs it.
pub fn operations(program: &Program) -> oracle::Program {
    translate(program).operations
}

fn of_the_oracle(model: Model) -> oracle::Model {
    match model {
        Model::Sc => oracle::Model::Sc,
        Model::Tso => oracle::Model::Tso,
        Model::Pso => oracle::Model::Pso,
    }
}

struct Translated {
    operations: oracle::Program,
    /// For each thread, the registers it reads into, in program order.
    reads: Vec<Vec<usize>>,
}

fn observed(outcome: &oracle::Outcome, reads: &[Vec<usize>]) -> Outcome {
    let digests = reads.iter().map(|registers| digest(registers.iter().map(|&reg| outcome.registers[reg])));
    let byte = |address: usize| outcome.memory.get(address).copied().unwrap_or(0);
    let cell = |cell: usize| u64::from_le_bytes(std::array::from_fn(|offset| byte(cell * CELL_BYTES + offset)));
    digests.chain((0..CELLS).map(cell)).collect()
}

fn translate(program: &Program) -> Translated {
    let mut registers = 0;
    let (mut operations, mut reads) = (Vec::new(), Vec::new());
    for (number, statements) in program.threads.iter().enumerate() {
        let mut thread = Translation { operations: Vec::new(), reads: Vec::new(), registers };
        thread.whole(program, number, statements);
        registers = thread.registers;
        operations.push(thread.operations);
        reads.push(thread.reads);
    }
    Translated { operations, reads }
}

struct Translation {
    operations: Vec<Op>,
    /// The registers that the thread reads into, so far.
    reads: Vec<usize>,
    /// The number of registers, so far.
    registers: usize,
}

impl Translation {
    fn whole(&mut self, program: &Program, number: usize, statements: &[Statement]) {
        let publication = program.publication_of(number);
        if program.finds_cells(number) {
            self.find_cells();
        }
        let branch = self.operations.len().checked_sub(1);
        for (at, statement) in statements.iter().enumerate() {
            if let Some(publication) = publication.filter(|publication| publication.after == at) {
                self.publish(publication.order);
            }
            self.add(statement);
        }
        if let Some(publication) = publication.filter(|publication| publication.after == statements.len()) {
            self.publish(publication.order);
        }
        if let Some(branch) = branch {
            let rest = self.operations.len() - branch - 1;
            let Op::SkipUnless { count, .. } = &mut self.operations[branch] else { unreachable!("find_cells ends so") };
            *count = rest;
        }
    }

    /// Adds the search for the cells. It ends in a branch over no operations yet.
    fn find_cells(&mut self) {
        let reg = self.fresh();
        self.operations.push(Op::Load { addr: PUBLISHED, len: 8, reg });
        self.operations.push(Op::SkipUnless { reg, value: 1, count: 0 });
    }

    fn publish(&mut self, order: Order) {
        self.store(PUBLISHED, 8, 1, order);
    }

    /// A new register that the thread reads into.
    fn fresh(&mut self) -> usize {
        let reg = self.unread();
        self.reads.push(reg);
        reg
    }

    /// A new register whose value is not part of the outcome.
    fn unread(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn add(&mut self, statement: &Statement) {
        match *statement {
            Statement::Store { place, value, order } => self.store(place.address(), place.len, value, order),
            Statement::Load { place: at @ Place { len, .. }, .. } => {
                let reg = self.fresh();
                self.operations.push(Op::Load { addr: at.address(), len, reg });
            }
            Statement::Fence(Order::SeqCst) => self.operations.push(Op::Fence),
            Statement::Fence(order) if order.releases() => self.operations.push(Op::StoreBarrier),
            Statement::Fence(_) => {}
            Statement::BeginSection => self.operations.push(Op::BeginSection),
            Statement::EndSection => self.operations.push(Op::EndSection),
            Statement::Exchange { place: at @ Place { len, .. }, value } => {
                let reg = self.fresh();
                self.operations.push(Op::Exchange { addr: at.address(), len, value, reg });
            }
            Statement::CompareExchange { place: at @ Place { len, .. }, expected, new } => {
                let reg = self.fresh();
                self.operations.push(Op::CompareExchange { addr: at.address(), len, expected, new, reg });
            }
            Statement::FetchAdd { place: at @ Place { len, .. }, value } => {
                let reg = self.fresh();
                self.operations.push(Op::FetchAdd { addr: at.address(), len, value, reg });
            }
            Statement::Add { place: at @ Place { len, .. }, value } => {
                let reg = self.unread();
                self.operations.push(Op::FetchAdd { addr: at.address(), len, value, reg });
            }
            Statement::Fill { place, byte } => {
                self.operations.push(Op::Fill { addr: place.address(), len: place.len, byte });
            }
            Statement::Copy { to, from } => {
                self.operations.push(Op::Copy { to: to.address(), from: from.address(), len: to.len });
            }
            Statement::When { read, ref then } => self.when(read, then),
        }
    }

    fn when(&mut self, read: u64, then: &Statement) {
        let branch = self.operations.len();
        let reg = *self.reads.last().expect("the thread has read before");
        self.operations.push(Op::SkipUnless { reg, value: read, count: 0 });
        self.add(then);
        let count = self.operations.len() - branch - 1;
        self.operations[branch] = Op::SkipUnless { reg, value: read, count };
    }

    fn store(&mut self, addr: usize, len: usize, value: u64, order: Order) {
        if order.releases() {
            self.operations.push(Op::StoreBarrier);
        }
        self.operations.push(Op::Store { addr, len, value });
        if order == Order::SeqCst {
            self.operations.push(Op::Fence);
        }
    }
}
