//! States and steps of the textbook machine, and the set of outcomes it can reach.

use std::collections::{BTreeSet, HashSet};

use super::program::{Model, Op, Thread, memory_size, register_count};
use super::traces::{Id, Trace};

/// The observable result of a complete execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Registers, by number.
    pub registers: Vec<u64>,
    /// Memory when every thread has ended and every store has reached it.
    pub memory: Vec<u8>,
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Every outcome the model allows.
    pub outcomes: BTreeSet<Outcome>,
    /// Number of distinct states visited.
    pub states: usize,
}

/// Every outcome `model` allows for `program`.
pub fn outcomes(program: &[Thread], model: Model) -> Explored {
    let mut outcomes = BTreeSet::new();
    let states = explore(program, model, None, |state| {
        outcomes.insert(state.outcome());
    });
    Explored { outcomes, states }
}

/// The traces of all executions.
pub fn traces(program: &[Thread], model: Model) -> BTreeSet<Trace> {
    let mut traces = BTreeSet::new();
    explore(program, model, Some(Trace::default()), |state| {
        traces.extend(state.trace);
    });
    traces
}

/// Passes every final state to `end`, and returns the number of distinct states.
fn explore(program: &[Thread], model: Model, trace: Option<Trace>, mut end: impl FnMut(State)) -> usize {
    let initial = State { trace, ..State::initial(program) };
    let mut seen = HashSet::from([initial.clone()]);
    let mut stack = vec![initial];
    while let Some(state) = stack.pop() {
        let successors = state.successors(program, model);
        if successors.is_empty() {
            end(state);
        }
        stack.extend(successors.into_iter().filter(|next| seen.insert(next.clone())));
    }
    seen.len()
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// For each thread, the index of its next operation.
    next_op: Vec<usize>,
    /// For each thread, the set of pieces of its next operation that were loaded and buffered, if that is a
    /// fill or a copy.
    copied: Vec<u8>,
    /// For each thread, the number of store-store barriers executed.
    barriers: Vec<usize>,
    /// The thread that is in an atomic section.
    section: Option<usize>,
    /// For each thread, its pending stores, oldest first.
    buffers: Vec<Vec<Pending>>,
    memory: Vec<u8>,
    registers: Vec<u64>,
    /// The trace so far, if traces are to be distinguished.
    trace: Option<Trace>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pending {
    /// The operation.
    by: Id,
    addr: usize,
    len: usize,
    value: u64,
    /// The number of store-store barriers before it in its thread.
    barriers: usize,
}

impl Pending {
    fn byte(&self, addr: usize) -> Option<u8> {
        (self.addr..self.addr + self.len).contains(&addr).then(|| self.value.to_le_bytes()[addr - self.addr])
    }

    fn overlaps(&self, other: &Pending) -> bool {
        self.addr < other.addr + other.len && other.addr < self.addr + self.len
    }
}

impl State {
    /// The state before the first step. No trace is kept.
    pub(super) fn initial(program: &[Thread]) -> State {
        State {
            next_op: vec![0; program.len()],
            copied: vec![0; program.len()],
            barriers: vec![0; program.len()],
            section: None,
            buffers: vec![Vec::new(); program.len()],
            memory: vec![0; memory_size(program)],
            registers: vec![0; register_count(program)],
            trace: None,
        }
    }

    /// What is observed of the state if it is a final one.
    pub(super) fn outcome(&self) -> Outcome {
        Outcome { registers: self.registers.clone(), memory: self.memory.clone() }
    }

    /// True if the thread has an operation left.
    pub(super) fn has_next(&self, thread: usize, ops: &Thread) -> bool {
        self.next_op[thread] < ops.len()
    }

    /// The states after a store of the thread has reached memory.
    pub(super) fn updates(&self, thread: usize, model: Model) -> impl Iterator<Item = State> {
        let may_reach = move |&entry: &usize| self.may_reach_memory(thread, entry, model);
        (0..self.buffers[thread].len()).filter(may_reach).map(move |entry| {
            let mut next = self.clone();
            let Pending { by, addr, len, value, .. } = next.buffers[thread].remove(entry);
            next.write(by, addr, len, value);
            next
        })
    }

    fn successors(&self, program: &[Thread], model: Model) -> Vec<State> {
        let mut successors = Vec::new();
        let may_act = |thread: &usize| self.section.is_none_or(|inside| inside == *thread);
        for (thread, ops) in program.iter().enumerate().filter(|(thread, _)| may_act(thread)) {
            successors.extend(self.updates(thread, model));
            successors.extend(self.execute(thread, ops, model));
            successors.extend(self.copy_pieces(thread, ops, model));
        }
        successors
    }

    /// True if the entry may reach memory. TSO: the oldest store of the buffer, or one of its fill or copy.
    /// PSO: a store that shares no byte with an older one and is not separated from an older one by a
    /// barrier.
    fn may_reach_memory(&self, thread: usize, entry: usize, model: Model) -> bool {
        let (older, rest) = self.buffers[thread].split_at(entry);
        match model {
            Model::Sc | Model::Tso => older.iter().all(|o| o.by == rest[0].by),
            Model::Pso => older.iter().all(|o| !o.overlaps(&rest[0]) && o.barriers == rest[0].barriers),
        }
    }

    /// The state after the thread's next operation, if there is one that can be executed now.
    pub(super) fn execute(&self, thread: usize, ops: &Thread, model: Model) -> Option<State> {
        let by = (thread, self.next_op[thread]);
        let op = ops.get(by.1).filter(|op| op.pieces().is_empty())?;
        let mut next = self.clone();
        next.next_op[thread] += 1;
        match *op {
            Op::Store { addr, len, value } if model == Model::Sc => next.write(by, addr, len, value),
            Op::Store { addr, len, value } => {
                next.buffers[thread].push(Pending { by, addr, len, value, barriers: self.barriers[thread] });
            }
            Op::Load { addr, len, reg } => next.registers[reg] = next.read(by, addr, len),
            Op::StoreBarrier => next.barriers[thread] += 1,
            Op::SkipUnless { reg, value, count } => {
                next.next_op[thread] += if self.registers[reg] == value { 0 } else { count };
            }
            Op::Fence if self.buffers[thread].is_empty() => {}
            Op::BeginSection if self.buffers[thread].is_empty() => next.section = Some(thread),
            Op::EndSection if self.buffers[thread].is_empty() => next.section = None,
            Op::Exchange { addr, len, reg, .. }
            | Op::CompareExchange { addr, len, reg, .. }
            | Op::FetchAdd { addr, len, reg, .. }
                if self.buffers[thread].is_empty() =>
            {
                let old = next.read(by, addr, len);
                next.registers[reg] = old;
                if let Some(new) = op.update(old) {
                    next.write(by, addr, len, new);
                }
            }
            // A fence waits until the buffer is empty.
            Op::Fence
            | Op::BeginSection
            | Op::EndSection
            | Op::Exchange { .. }
            | Op::CompareExchange { .. }
            | Op::FetchAdd { .. } => return None,
            Op::Fill { .. } | Op::Copy { .. } => unreachable!("they have pieces"),
        }
        Some(next)
    }

    /// The states after a part of the thread's next operation, if that is a fill or a copy: after one of the
    /// pieces that are left, or after its end. Under SC it ends when all its stores have reached memory.
    fn copy_pieces(&self, thread: usize, ops: &Thread, model: Model) -> Vec<State> {
        let by = (thread, self.next_op[thread]);
        let Some(op) = ops.get(by.1) else { return Vec::new() };
        let pieces = op.pieces();
        let copied = self.copied[thread];
        let mut successors = Vec::new();
        for (number, &(offset, len)) in pieces.iter().enumerate().filter(|(number, _)| copied >> number & 1 == 0) {
            let mut next = self.clone();
            let (addr, value) = match *op {
                Op::Copy { to, from, .. } => (to + offset, next.read(by, from + offset, len)),
                Op::Fill { addr, byte, .. } => {
                    (addr + offset, u64::from_le_bytes([byte; 8]) & u64::MAX >> (64 - 8 * len))
                }
                _ => unreachable!("it has pieces"),
            };
            next.copied[thread] |= 1 << number;
            next.buffers[thread].push(Pending { by, addr, len, value, barriers: self.barriers[thread] });
            successors.push(next);
        }
        if successors.is_empty() && !pieces.is_empty() && (model != Model::Sc || self.buffers[thread].is_empty()) {
            let mut next = self.clone();
            next.next_op[thread] += 1;
            next.copied[thread] = 0;
            successors.push(next);
        }
        successors
    }

    fn read(&mut self, by: Id, addr: usize, len: usize) -> u64 {
        let newest = |addr| self.buffers[by.0].iter().rev().find(|pending| pending.byte(addr).is_some());
        if let Some(trace) = &mut self.trace {
            let from = |addr| newest(addr).map(|pending| pending.by).or_else(|| trace.writer(addr));
            let from = (addr..addr + len).map(from).collect();
            trace.read(by, addr, from);
        }
        let newest = |addr| self.buffers[by.0].iter().rev().find_map(|pending| pending.byte(addr));
        let byte = |addr| newest(addr).unwrap_or(self.memory[addr]);
        (addr..addr + len).rev().fold(0, |value, addr| value << 8 | u64::from(byte(addr)))
    }

    fn write(&mut self, by: Id, addr: usize, len: usize, value: u64) {
        if let Some(trace) = &mut self.trace {
            (addr..addr + len).for_each(|addr| trace.write(addr, by));
        }
        self.memory[addr..addr + len].copy_from_slice(&value.to_le_bytes()[..len]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: usize = 0;
    const Y: usize = 1;

    fn w(addr: usize, value: u64) -> Op {
        Op::Store { addr, len: 1, value }
    }

    fn r(addr: usize, reg: usize) -> Op {
        Op::Load { addr, len: 1, reg }
    }

    #[track_caller]
    fn check(program: &[Thread], registers: [u64; 2], allowed: [bool; 3]) {
        let got = [Model::Sc, Model::Tso, Model::Pso]
            .map(|model| outcomes(program, model).outcomes.iter().any(|o| o.registers == registers));
        assert_eq!(got, allowed, "under sc, tso, pso");
    }

    #[test]
    fn store_buffering() {
        check(&[vec![w(X, 1), r(Y, 0)], vec![w(Y, 1), r(X, 1)]], [0, 0], [false, true, true]);
        let fenced = [vec![w(X, 1), Op::Fence, r(Y, 0)], vec![w(Y, 1), Op::Fence, r(X, 1)]];
        check(&fenced, [0, 0], [false, false, false]);
    }

    #[test]
    fn message_passing() {
        let reader = vec![r(Y, 0), r(X, 1)];
        check(&[vec![w(X, 1), w(Y, 1)], reader.clone()], [1, 0], [false, false, true]);
        check(&[vec![w(X, 1), Op::StoreBarrier, w(Y, 1)], reader], [1, 0], [false, false, false]);
    }

    #[test]
    fn a_fill_goes_in_any_order_and_keeps_its_place() {
        let fill = Op::Fill { addr: 0, len: 3, byte: 1 };
        check(&[vec![fill], vec![r(2, 0), r(0, 1)]], [1, 0], [true, true, true]);
        check(&[vec![fill], vec![r(0, 0), r(2, 1)]], [1, 0], [true, true, true]);
        check(&[vec![w(3, 1), fill], vec![r(2, 0), r(3, 1)]], [1, 0], [false, false, true]);
        check(&[vec![fill, w(3, 1)], vec![r(3, 0), r(2, 1)]], [1, 0], [false, false, true]);
        check(&[vec![fill, r(4, 0)], vec![w(4, 1), r(2, 1)]], [0, 0], [false, true, true]);
    }

    #[test]
    fn a_copy_loads_in_any_order() {
        let copy = Op::Copy { to: 8, from: 0, len: 3 };
        let copied = [Op::Load { addr: 8, len: 1, reg: 0 }, Op::Load { addr: 10, len: 1, reg: 1 }];
        let copier = vec![copy, copied[0], copied[1]];
        check(&[vec![w(0, 1), w(2, 1)], copier.clone()], [0, 1], [true, true, true]);
        check(&[vec![w(2, 1), w(0, 1)], copier], [1, 0], [true, true, true]);
    }

    #[test]
    fn nothing_happens_in_a_section_of_another_thread() {
        let reader = vec![Op::BeginSection, r(X, 0), r(X, 1), Op::EndSection];
        check(&[vec![w(X, 1)], reader.clone()], [0, 1], [false, false, false]);
        check(&[vec![w(X, 1)], reader], [1, 1], [true, true, true]);
        let pairs = |x, y| vec![Op::BeginSection, r(x, 0), r(y, 1), Op::EndSection];
        check(&[vec![w(X, 1), w(Y, 1)], pairs(X, Y)], [0, 1], [false, false, true]);
        check(&[vec![w(X, 1), w(Y, 1)], pairs(Y, X)], [1, 0], [false, false, true]);
    }

    #[test]
    fn load_buffering_never_shows() {
        check(&[vec![r(X, 0), w(Y, 1)], vec![r(Y, 1), w(X, 1)]], [1, 1], [false, false, false]);
    }

    #[test]
    fn a_branch_skips_unless_the_value_was_read() {
        let branch = Op::SkipUnless { reg: 0, value: 1, count: 2 };
        let program = [vec![w(X, 1)], vec![r(X, 0), branch, w(Y, 1), Op::Fence, r(Y, 1)]];
        check(&program, [1, 1], [true, true, true]);
        check(&program, [0, 0], [true, true, true]);
        check(&program, [1, 0], [false, false, false]);
        check(&program, [0, 1], [false, false, false]);
    }

    #[test]
    fn a_load_mixes_its_own_bytes_with_those_of_memory() {
        let wide = Op::Load { addr: X, len: 2, reg: 0 };
        let program = [vec![w(X, 1), wide], vec![w(Y, 2), r(X, 1)]];
        check(&program, [0x0001, 0], [false, true, true]);
        check(&program, [0x0201, 0], [true, true, true]);
    }
}
