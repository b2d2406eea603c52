//! Liveness: the registers that are live where a thread can stop.
//!
//! A stored state holds exactly the live registers, so that states that differ only in dead ones are equal. A
//! thread stops before an instruction (its own effect is still to come: live *before* it), at the start of a
//! block, or inside a call (live *after* it, the result excepted). Classic backward data flow (Aho, Lam,
//! Sethi, Ullman, *Compilers*, 2nd ed., 2006, section 9.2.5) over bit sets.

use std::ops::Range;

use super::ids::{EdgeId, Operand, Pc, Reg};
use super::instr::{Instr, IntOp, Wide};
use super::program::Function;

/// The lists of live registers, for the instructions where they matter.
#[derive(Debug, Default)]
pub struct Liveness {
    before: Vec<(u32, u32)>,
    after: Vec<(u32, u32)>,
    registers: Vec<Reg>,
    all: Vec<Reg>,
    needed: Bits,
}

impl Liveness {
    /// Registers live before `pc`, ascending.
    #[must_use]
    pub fn before(&self, pc: Pc) -> &[Reg] {
        self.list(self.before[pc.index()])
    }

    /// Registers live across the call at `pc`, ascending.
    #[must_use]
    pub fn across(&self, pc: Pc) -> &[Reg] {
        self.list(self.after[pc.index()])
    }

    /// All registers of the function, ascending.
    #[must_use]
    pub fn all(&self) -> &[Reg] {
        &self.all
    }

    /// True if anything that the function does may depend on a register: the register is read other than to
    /// compute registers that nothing depends on.
    #[must_use]
    pub fn is_needed(&self, reg: Reg) -> bool {
        self.needed.contains(reg)
    }

    fn list(&self, (from, to): (u32, u32)) -> &[Reg] {
        &self.registers[from as usize..to as usize]
    }

    fn add(&mut self, set: &Bits) -> (u32, u32) {
        let from = self.registers.len();
        self.registers.extend(set.iter());
        (Reg::new(from).0, Reg::new(self.registers.len()).0)
    }
}

/// Computes the liveness of a lowered function. `blocks` are the ranges of its blocks in the code.
#[must_use]
pub fn analyse(function: &Function, blocks: &[Range<usize>]) -> Liveness {
    let live_in = block_entry_sets(function, blocks);
    let kept = resumption_set(function, blocks, &live_in);
    let mut result = Liveness { all: (0..function.registers).map(Reg).collect(), ..Liveness::default() };
    result.needed = needed_set(function);
    let code = function.code.len();
    result.before = vec![(0, 0); code];
    result.after = vec![(0, 0); code];
    for block in blocks {
        let mut live = exit_set(function, blocks, &live_in, block);
        for pc in block.clone().rev() {
            let instr = &function.code[pc];
            definitions(function, instr, |reg| live.remove(reg));
            add_unwinding(function, blocks, &live_in, pc, &mut live);
            if matches!(instr, Instr::Call { .. } | Instr::CallIndirect { .. }) {
                result.after[pc] = result.add(&live.with(&kept));
            }
            uses(function, instr, |operand| live.insert(operand));
            let may_be_cut = pc > block.start && ends_memory(&function.code[pc - 1]);
            if can_stop(instr) || pc == block.start || may_be_cut {
                result.before[pc] = result.add(&live.with(&kept));
            }
        }
    }
    result
}

/// The registers on which something that the function does may depend, anywhere in the function. An
/// instruction that only computes a register needs its operands if that register is needed; the same holds
/// for a move on an edge. Every other instruction needs its operands.
fn needed_set(function: &Function) -> Bits {
    let mut needed = Bits::new(function.registers as usize);
    loop {
        let before = needed.clone();
        for instr in &function.code {
            if computed(instr).is_none_or(|dst| needed.contains(dst)) {
                uses(function, instr, |operand| needed.insert(operand));
            }
        }
        for edge in &function.edges {
            let moves = edge.moves.iter();
            let sources: Vec<_> = moves.filter(|(dst, _)| needed.contains(*dst)).map(|&(_, a)| a).collect();
            sources.into_iter().for_each(|source| needed.insert(source));
        }
        if needed == before {
            return needed;
        }
    }
}

/// The register that an instruction computes, if it has no other effect and cannot fail for any operands.
const fn computed(instr: &Instr) -> Option<Reg> {
    use IntOp::{Add, And, Mul, Or, Sub, Xor};
    match *instr {
        Instr::Int { op: Add | Sub | Mul | And | Or | Xor, dst, .. }
        | Instr::Move { dst, .. }
        | Instr::Compare { dst, .. }
        | Instr::Cast { dst, .. } => Some(dst),
        _ => None,
    }
}

/// The registers that are live after some call that may return once more (`setjmp`). They are live everywhere
/// in the function, since such a return may happen whenever the function, or one it called, runs.
fn resumption_set(function: &Function, blocks: &[Range<usize>], live_in: &[Bits]) -> Bits {
    let mut kept = Bits::new(function.registers as usize);
    for block in blocks.iter().filter(|block| function.resumes.iter().any(|pc| block.contains(&pc.index()))) {
        let mut live = exit_set(function, blocks, live_in, block);
        for pc in block.clone().rev() {
            let instr = &function.code[pc];
            definitions(function, instr, |reg| live.remove(reg));
            add_unwinding(function, blocks, live_in, pc, &mut live);
            if function.resumes.contains(&Pc::new(pc)) {
                kept.union(&live);
            }
            uses(function, instr, |operand| live.insert(operand));
        }
    }
    kept
}

/// True if a step may end right after the instruction because memory died in it, or in a function that it
/// called.
fn ends_memory(instr: &Instr) -> bool {
    use Instr::{Call, CallIndirect, LandingPad, Library, LifetimeEnd};
    matches!(instr, Library { .. } | LifetimeEnd { .. } | Call { .. } | CallIndirect { .. } | LandingPad { .. })
}

/// True if a thread can stop before the instruction, or inside it if it takes several steps.
fn can_stop(instr: &Instr) -> bool {
    match instr {
        Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::ReadModifyWrite { .. }
        | Instr::CompareExchange { .. }
        | Instr::Fence { .. }
        | Instr::Copy { .. }
        | Instr::Fill { .. }
        | Instr::LifetimeStart { .. }
        | Instr::LifetimeEnd { .. }
        | Instr::Library { .. }
        | Instr::Return { .. }
        | Instr::Alloca { .. }
        | Instr::CalleeObject { .. }
        | Instr::RawLoad { .. }
        | Instr::RawStore { .. } => true,
        Instr::Move { .. }
        | Instr::Int { .. }
        | Instr::Unary { .. }
        | Instr::Overflow { .. }
        | Instr::Compare { .. }
        | Instr::Cast { .. }
        | Instr::Float { .. }
        | Instr::FloatMulAdd { .. }
        | Instr::FloatCompare { .. }
        | Instr::Select { .. }
        | Instr::Offset { .. }
        | Instr::Near { .. }
        | Instr::Range { .. }
        | Instr::Assume { .. }
        | Instr::Wide { .. }
        | Instr::Jump { .. }
        | Instr::Branch { .. }
        | Instr::Switch { .. }
        | Instr::Call { .. }
        | Instr::CallIndirect { .. }
        | Instr::VaStart { .. }
        | Instr::ThreadLocal { .. }
        | Instr::LandingPad { .. }
        | Instr::Unreachable
        | Instr::Mismatch { .. }
        | Instr::Unsupported { .. } => false,
    }
}

fn block_entry_sets(function: &Function, blocks: &[Range<usize>]) -> Vec<Bits> {
    let mut live_in = vec![Bits::new(function.registers as usize); blocks.len()];
    loop {
        let mut changed = false;
        for (at, block) in blocks.iter().enumerate().rev() {
            let mut live = exit_set(function, blocks, &live_in, block);
            for pc in block.clone().rev() {
                definitions(function, &function.code[pc], |reg| live.remove(reg));
                add_unwinding(function, blocks, &live_in, pc, &mut live);
                uses(function, &function.code[pc], |operand| live.insert(operand));
            }
            if live != live_in[at] {
                live_in[at] = live;
                changed = true;
            }
        }
        if !changed {
            return live_in;
        }
    }
}

/// The registers live at the end of a block, before its terminator: those that the edges' moves read and
/// those that the targets need.
fn exit_set(function: &Function, blocks: &[Range<usize>], live_in: &[Bits], block: &Range<usize>) -> Bits {
    let mut live = Bits::new(function.registers as usize);
    for edge in function.edges_of(&function.code[block.end - 1]) {
        live.union(&edge_set(function, blocks, live_in, edge));
    }
    live
}

/// The registers that are live where an edge is taken.
fn edge_set(function: &Function, blocks: &[Range<usize>], live_in: &[Bits], edge: EdgeId) -> Bits {
    let edge = function.edge(edge);
    let target = blocks.partition_point(|b| b.start < edge.target.index());
    let mut through = live_in[target].clone();
    edge.moves.iter().for_each(|&(dst, _)| through.remove(dst));
    edge.moves.iter().for_each(|&(_, source)| through.insert(source));
    through
}

/// Adds the registers that an exception needs which leaves the call at `pc`.
fn add_unwinding(function: &Function, blocks: &[Range<usize>], live_in: &[Bits], pc: usize, live: &mut Bits) {
    if let Some(landing) = function.landing(Pc::new(pc)) {
        live.union(&edge_set(function, blocks, live_in, landing.edge));
    }
}

/// Calls `f` with every register the instruction writes.
pub fn definitions(function: &Function, instr: &Instr, mut f: impl FnMut(Reg)) {
    let mut span = |dst: Reg, words: usize| (0..words).for_each(|k| f(Reg::new(dst.index() + k)));
    match *instr {
        Instr::Move { dst, .. }
        | Instr::Int { dst, .. }
        | Instr::Unary { dst, .. }
        | Instr::Overflow { dst, .. }
        | Instr::Compare { dst, .. }
        | Instr::Cast { dst, .. }
        | Instr::Float { dst, .. }
        | Instr::FloatMulAdd { dst, .. }
        | Instr::FloatCompare { dst, .. }
        | Instr::Select { dst, .. }
        | Instr::Offset { dst, .. }
        | Instr::Near { dst, .. }
        | Instr::Range { dst, .. }
        | Instr::Alloca { dst, .. }
        | Instr::CalleeObject { dst, .. }
        | Instr::ThreadLocal { dst, .. }
        | Instr::RawLoad { dst, .. } => span(dst, 1),
        Instr::Load { dst, len, .. }
        | Instr::ReadModifyWrite { dst, len, .. }
        | Instr::CompareExchange { dst, len, .. } => {
            span(dst, usize::from(len).div_ceil(8));
        }
        Instr::Call { site, .. } | Instr::CallIndirect { site, .. } => {
            let call = function.call(site);
            span(call.dst, call.words as usize);
        }
        Instr::Library { site } => {
            let library = &function.library[site.index()];
            span(library.dst, usize::from(library.width > 0));
        }
        Instr::Wide { site } => {
            let (dst, words) = wide_result(&function.wides[site.index()]);
            span(dst, words);
        }
        Instr::LandingPad { dst } => span(dst, 2),
        Instr::Jump { .. }
        | Instr::Branch { .. }
        | Instr::Switch { .. }
        | Instr::Return { .. }
        | Instr::VaStart { .. }
        | Instr::RawStore { .. }
        | Instr::Store { .. }
        | Instr::Fence { .. }
        | Instr::Copy { .. }
        | Instr::Fill { .. }
        | Instr::LifetimeStart { .. }
        | Instr::LifetimeEnd { .. }
        | Instr::Assume { .. }
        | Instr::Unreachable
        | Instr::Mismatch { .. }
        | Instr::Unsupported { .. } => {}
    }
}

fn wide_result(wide: &Wide) -> (Reg, usize) {
    let words = |width: u32| width.div_ceil(64) as usize;
    match *wide {
        Wide::Int { width, dst, .. } | Wide::Unary { width, dst, .. } => (dst, words(width)),
        Wide::Overflow { width, dst, .. } => (dst, words(width) + 1),
        Wide::Compare { dst, .. } | Wide::FloatCompare { dst, .. } => (dst, 1),
        Wide::Cast { to, dst, .. } => (dst, words(to.bits())),
        Wide::Float { format, dst, .. } => (dst, words(format.bits())),
        Wide::Repack { dst, to, .. } => (dst, to.words() * to.count as usize),
        Wide::Insert { dst, elements, .. } => (dst, elements.words() * elements.count as usize),
        Wide::Extract { dst, elements, .. } => (dst, elements.words()),
        Wide::Triple { .. } => (Reg(0), 0),
    }
}

/// Calls `f` with every operand the instruction reads.
pub fn uses(function: &Function, instr: &Instr, mut f: impl FnMut(Operand)) {
    let mut all = |operands: &[Operand]| operands.iter().for_each(|&operand| f(operand));
    match *instr {
        Instr::Move { a, .. } | Instr::Unary { a, .. } | Instr::Cast { a, .. } => all(&[a]),
        Instr::Int { a, b, .. }
        | Instr::Overflow { a, b, .. }
        | Instr::Compare { a, b, .. }
        | Instr::Float { a, b, .. }
        | Instr::FloatCompare { a, b, .. } => all(&[a, b]),
        Instr::Select { cond, a, b, .. } => all(&[cond, a, b]),
        Instr::Offset { base, index, .. } => all(&[base, index]),
        Instr::Near { dst, base } => all(&[Operand::reg(dst), base]),
        Instr::Range { dst, low, high, .. } => all(&[Operand::reg(dst), low, high]),
        Instr::Assume { cond } => all(&[cond]),
        Instr::FloatMulAdd { args: site, .. } | Instr::Wide { site } => wide_uses(&function.wides[site.index()], all),
        Instr::Branch { cond, .. } => all(&[cond]),
        Instr::Switch { site } => all(&[function.switches[site.index()].value]),
        Instr::Call { site, .. } => all(&function.call(site).args),
        Instr::CallIndirect { target, site } => {
            all(&[target]);
            all(&function.call(site).args);
        }
        Instr::Return { value, words } => (0..words as usize).for_each(|k| all(&[value.word(k)])),
        Instr::Alloca { count, .. } => all(&[count]),
        Instr::VaStart { list, area, .. } => all(&[list, area]),
        Instr::RawLoad { addr, .. } | Instr::Load { addr, .. } => all(&[addr]),
        Instr::RawStore { addr, value, .. } => all(&[addr, value]),
        Instr::Store { addr, value, len, .. } | Instr::ReadModifyWrite { addr, value, len, .. } => {
            all(&[addr]);
            (0..usize::from(len).div_ceil(8)).for_each(|k| all(&[value.word(k)]));
        }
        Instr::CompareExchange { site, len, .. } => {
            let exchange = &function.exchanges[site.index()];
            all(&[exchange.addr]);
            (0..usize::from(len).div_ceil(8)).for_each(|k| all(&[exchange.expected.word(k), exchange.new.word(k)]));
        }
        Instr::Copy { site } => {
            let copy = &function.copies[site.index()];
            all(&[copy.to, copy.from, copy.len, Operand::reg(copy.progress), Operand::reg(copy.piece)]);
            copy.lanes.iter().for_each(|lanes| all(&[lanes.mask]));
        }
        Instr::Fill { site } => {
            let fill = &function.fills[site.index()];
            all(&[fill.to, fill.byte, fill.len, Operand::reg(fill.progress)]);
        }
        Instr::LifetimeStart { addr, len } | Instr::LifetimeEnd { addr, len } => all(&[addr, len]),
        Instr::Library { site } => {
            let library = &function.library[site.index()];
            all(&library.args);
            all(&[Operand::reg(library.phase)]);
        }
        Instr::CalleeObject { .. }
        | Instr::ThreadLocal { .. }
        | Instr::Jump { .. }
        | Instr::Fence { .. }
        | Instr::LandingPad { .. }
        | Instr::Unreachable
        | Instr::Mismatch { .. }
        | Instr::Unsupported { .. } => {}
    }
}

fn wide_uses(wide: &Wide, mut all: impl FnMut(&[Operand])) {
    let mut span = |operand: Operand, words: usize| (0..words).for_each(|k| all(&[operand.word(k)]));
    let words = |width: u32| width.div_ceil(64) as usize;
    match *wide {
        Wide::Int { width, a, b, .. } | Wide::Compare { width, a, b, .. } | Wide::Overflow { width, a, b, .. } => {
            span(a, words(width));
            span(b, words(width));
        }
        Wide::Unary { width, a, .. } => span(a, words(width)),
        Wide::Cast { from, a, .. } => span(a, words(from.bits())),
        Wide::Float { format, a, b, .. } | Wide::FloatCompare { format, a, b, .. } => {
            span(a, words(format.bits()));
            span(b, words(format.bits()));
        }
        Wide::Repack { a, from, .. } => span(a, from.words() * from.count as usize),
        Wide::Insert { a, index, value, elements, .. } => {
            span(a, elements.words() * elements.count as usize);
            span(index, 1);
            span(value, elements.words());
        }
        Wide::Extract { a, index, elements, .. } => {
            span(a, elements.words() * elements.count as usize);
            span(index, 1);
        }
        Wide::Triple { a, b, c } => [a, b, c].into_iter().for_each(|operand| span(operand, 1)),
    }
}

/// A set of registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(registers: usize) -> Self {
        Self(vec![0; registers.div_ceil(64)])
    }

    fn insert(&mut self, operand: Operand) {
        if let Some(reg) = operand.as_reg() {
            self.0[reg.index() / 64] |= 1 << (reg.index() % 64);
        }
    }

    fn contains(&self, reg: Reg) -> bool {
        self.0.get(reg.index() / 64).is_some_and(|word| word >> (reg.index() % 64) & 1 == 1)
    }

    fn remove(&mut self, reg: Reg) {
        self.0[reg.index() / 64] &= !(1 << (reg.index() % 64));
    }

    fn union(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.union(other);
        both
    }

    fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        let bits = |(at, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| Reg::new(at * 64 + bit))
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}
