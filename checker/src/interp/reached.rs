//! The instructions that were ever executed, from which reports list the code that no execution reaches.
//!
//! Only the instructions to which control is transferred are marked: the target of a jump, the start of a
//! called function, the instruction behind a call that returns, and the one after an operation on memory or
//! the library. The instructions between follow from these marks ([`Reached::instructions`]). So the search
//! pays one store of a byte for each transfer.

use std::cell::Cell;

use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;

/// The marks of one worker.
#[derive(Clone, Debug)]
pub struct Reached {
    /// By function, the position of its first instruction in `marks`.
    begins: Box<[usize]>,
    marks: Box<[Cell<bool>]>,
}

impl Reached {
    /// Marks for this program, none of them set.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut all = 0;
        let begins = program.functions.iter().map(|function| {
            all += function.code.len();
            all - function.code.len()
        });
        Self { begins: begins.collect(), marks: vec![Cell::new(false); all].into() }
    }

    /// Marks an instruction to which control is transferred.
    #[inline]
    pub fn mark(&self, function: FuncId, pc: Pc) {
        self.marks[self.begins[function.index()] + pc.index()].set(true);
    }

    /// Adds the marks of another worker.
    pub fn add(&mut self, other: &Self) {
        self.marks.iter().zip(&other.marks).filter(|(_, other)| other.get()).for_each(|(mark, _)| mark.set(true));
    }

    /// The marks as a list for a checkpoint.
    #[must_use]
    pub fn to_list(&self) -> Vec<usize> {
        self.marks.iter().enumerate().filter(|(_, mark)| mark.get()).map(|(at, _)| at).collect()
    }

    /// Adds the marks of a checkpoint; those that are out of range are ignored.
    pub fn add_list(&mut self, marks: &[usize]) {
        marks.iter().filter_map(|&at| self.marks.get(at)).for_each(|mark| mark.set(true));
    }

    /// One entry for each instruction of a function: true if it was executed.
    #[must_use]
    pub fn instructions(&self, program: &Program, function: FuncId) -> Vec<bool> {
        let code = &program.function(function).code;
        let mut reached = Vec::with_capacity(code.len());
        let mut goes_on = false;
        for (at, instr) in code.iter().enumerate() {
            let is_reached = goes_on || self.marks[self.begins[function.index()] + at].get();
            reached.push(is_reached);
            goes_on = is_reached && falls_through(instr);
        }
        reached
    }
}

/// True if the next instruction is always executed after this one, within one run of the interpreter. An
/// operation with a violation ends the execution, and then coverage is not reported.
const fn falls_through(instr: &Instr) -> bool {
    match instr {
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
        | Instr::Wide { .. } => true,
        Instr::Jump { .. }
        | Instr::Branch { .. }
        | Instr::Switch { .. }
        | Instr::Call { .. }
        | Instr::CallIndirect { .. }
        | Instr::Mismatch { .. }
        | Instr::Return { .. }
        | Instr::LandingPad { .. }
        | Instr::Unreachable
        | Instr::Unsupported { .. }
        | Instr::Alloca { .. }
        | Instr::CalleeObject { .. }
        | Instr::ThreadLocal { .. }
        | Instr::Fence { .. }
        | Instr::Copy { .. }
        | Instr::Fill { .. }
        | Instr::Library { .. }
        | Instr::VaStart { .. }
        | Instr::RawLoad { .. }
        | Instr::RawStore { .. }
        | Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::ReadModifyWrite { .. }
        | Instr::CompareExchange { .. }
        | Instr::LifetimeStart { .. }
        | Instr::LifetimeEnd { .. } => false,
    }
}
