//! An explorer over `rmc_runtime::Buffers` for the programs of the oracle: it computes the outcomes that the
//! memory model of the project allows.
//!
//! Stores and store-store barriers are executed at once, since they commute with every other step; every
//! other operation is a scheduling point. The stores of a fill are one group; under SC a fence ends it, in a
//! step of its own. These programs have no copies, because the checker implements the loads of a copy. States
//! are matched by the canonical form of the buffers. Final memory is the memory that an observer loads after
//! every thread has executed a fence.

use std::collections::{BTreeSet, HashSet};

use rmc_runtime::{Access, Buffers, Bytes, Choose, Memory, Model, StoreTag};

use crate::oracle::program::{memory_size, register_count};
use crate::oracle::{Explored, Op, Outcome, Program};

/// Every outcome that the runtime allows for `program` under `model`.
///
/// # Panics
/// If the canonical form does not survive a round trip.
pub fn outcomes(program: &Program, model: Model) -> Explored {
    let mut explorer = Explorer { program, buffers: Buffers::new(model), seen: HashSet::new(), stack: Vec::new() };
    explorer.visit(State {
        next_op: vec![0; program.len()],
        filling: vec![false; program.len()],
        registers: vec![0; register_count(program)],
        memory: Cells(vec![0; memory_size(program)]),
        pending: Vec::new(),
    });
    let mut outcomes = BTreeSet::new();
    while let Some(state) = explorer.stack.pop() {
        if !explorer.expand(&state) {
            outcomes.extend(
                explorer
                    .final_memories(&state)
                    .into_iter()
                    .map(|memory| Outcome { registers: state.registers.clone(), memory }),
            );
        }
    }
    Explored { outcomes, states: explorer.seen.len() }
}

/// The oracle's name of a model.
pub fn oracle_model(model: Model) -> crate::oracle::Model {
    match model {
        Model::Sc => crate::oracle::Model::Sc,
        Model::Tso => crate::oracle::Model::Tso,
        Model::Pso => crate::oracle::Model::Pso,
    }
}

/// The program's memory: object 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cells(pub Vec<u8>);

impl Memory for Cells {
    fn read(&mut self, at: Access) -> Bytes {
        let mut bytes = [0; 16];
        bytes[..usize::from(at.len)].copy_from_slice(&self.0[range(at)]);
        Bytes::defined(u128::from_le_bytes(bytes))
    }

    fn write(&mut self, at: Access, value: Bytes) {
        self.0[range(at)].copy_from_slice(&value.bits.to_le_bytes()[..usize::from(at.len)]);
    }
}

fn range(at: Access) -> std::ops::Range<usize> {
    at.offset as usize..at.offset as usize + usize::from(at.len)
}

/// `len` bytes at `addr` of the program's memory.
pub fn access(addr: usize, len: usize) -> Access {
    Access { object: 0, offset: addr as u32, len: len as u8 }
}

/// Gives one fixed answer, and records the number of alternatives.
#[derive(Debug)]
pub struct Answer {
    /// The answer given.
    pub pick: usize,
    /// The number of alternatives; 1 if the question was not asked.
    pub alternatives: usize,
}

impl Choose for Answer {
    fn choose(&mut self, n: usize) -> usize {
        assert!(n >= 2 && self.alternatives == 1, "one question, with at least two answers");
        self.alternatives = n;
        self.pick
    }
}

/// Runs `step` once for each answer to the question it may ask.
pub fn for_each_answer(mut step: impl FnMut(&mut Answer)) {
    let mut pick = 0;
    loop {
        let mut answer = Answer { pick, alternatives: 1 };
        step(&mut answer);
        pick += 1;
        if pick == answer.alternatives {
            return;
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    next_op: Vec<usize>,
    /// Under SC: true if the thread's next operation is a fill of which all stores were buffered.
    filling: Vec<bool>,
    registers: Vec<u64>,
    memory: Cells,
    /// The words of `Buffers::encode`.
    pending: Vec<u64>,
}

struct Explorer<'p> {
    program: &'p Program,
    buffers: Buffers,
    seen: HashSet<State>,
    stack: Vec<State>,
}

impl Explorer<'_> {
    /// Runs stores and barriers, then adds the state if it is new.
    fn visit(&mut self, mut state: State) {
        self.buffers.decode(&state.pending);
        let before = self.buffers.clone();
        for (thread, ops) in self.program.iter().enumerate() {
            while let Some(op) = ops.get(state.next_op[thread]) {
                match *op {
                    Op::Store { addr, len, value } if self.buffers.model() != Model::Sc => {
                        let value = Bytes::defined(value.into());
                        self.buffers.store(&mut state.memory, thread, access(addr, len), value, StoreTag(0));
                    }
                    Op::StoreBarrier => self.buffers.store_barrier(thread),
                    Op::Fill { addr, byte, .. } if !state.filling[thread] => {
                        let stores = op.pieces().into_iter().map(|(offset, len)| {
                            let bits = u128::from_le_bytes([byte; 16]) & ((1 << (8 * len)) - 1);
                            (access(addr + offset, len), Bytes::defined(bits), StoreTag(0))
                        });
                        self.buffers.store_group(thread, stores);
                        if self.buffers.model() == Model::Sc {
                            state.filling[thread] = true;
                            break;
                        }
                    }
                    _ => break,
                }
                state.next_op[thread] += 1;
            }
        }
        if self.buffers != before {
            state.pending.clear();
            self.buffers.encode(&mut state.pending);
        }
        if self.seen.insert(state.clone()) {
            self.stack.push(state);
        }
    }

    /// Visits the successors; false if there are none.
    fn expand(&mut self, state: &State) -> bool {
        let mut any = false;
        for thread in 0..self.program.len() {
            let Some(op) = self.program[thread].get(state.next_op[thread]) else {
                continue;
            };
            any = true;
            for_each_answer(|answer| {
                let mut next = state.clone();
                next.next_op[thread] += 1;
                self.buffers.decode(&state.pending);
                self.execute(&mut next, thread, op, answer);
                next.pending.clear();
                self.buffers.encode(&mut next.pending);
                self.visit(next);
            });
        }
        any
    }

    fn execute(&mut self, state: &mut State, thread: usize, op: &Op, answer: &mut Answer) {
        let State { memory, registers, .. } = state;
        let at = access(op.bytes().start, op.bytes().len());
        match *op {
            Op::Load { reg, .. } => {
                registers[reg] = self.buffers.load(memory, Some(thread), at, answer).value.bits as u64;
            }
            Op::Store { value, .. } => {
                self.buffers.store(memory, thread, at, Bytes::defined(value.into()), StoreTag(0));
            }
            Op::Fence => self.buffers.fence(memory, thread),
            Op::Fill { .. } => {
                self.buffers.fence(memory, thread);
                state.filling[thread] = false;
            }
            Op::Copy { .. } | Op::BeginSection | Op::EndSection => {
                unreachable!("no program of this explorer has copies or sections")
            }
            Op::SkipUnless { reg, value, count } => {
                state.next_op[thread] += if registers[reg] == value { 0 } else { count };
            }
            Op::StoreBarrier => self.buffers.store_barrier(thread),
            Op::Exchange { reg, .. } | Op::CompareExchange { reg, .. } | Op::FetchAdd { reg, .. } => {
                self.buffers.fence(memory, thread);
                registers[reg] = self.buffers.load(memory, Some(thread), at, answer).value.bits as u64;
                if let Some(new) = op.update(registers[reg]) {
                    self.buffers.store_now(memory, thread, at, Bytes::defined(new.into()), StoreTag(0));
                }
            }
        }
    }

    fn final_memories(&mut self, state: &State) -> BTreeSet<Vec<u8>> {
        let mut open = vec![(state.memory.clone(), state.pending.clone(), 0)];
        let mut memories = BTreeSet::new();
        while let Some((memory, pending, addr)) = open.pop() {
            if addr == memory.0.len() {
                assert!(pending.is_empty(), "an observer that has seen every byte has decided everything");
                memories.insert(memory.0);
                continue;
            }
            for_each_answer(|answer| {
                let mut memory = memory.clone();
                self.buffers.decode(&pending);
                for thread in 0..self.program.len() {
                    self.buffers.fence(&mut memory, thread);
                }
                self.buffers.load(&mut memory, None, access(addr, 1), answer);
                let mut pending = Vec::new();
                self.buffers.encode(&mut pending);
                open.push((memory, pending, addr + 1));
            });
        }
        memories
    }
}
