//! Which instructions were ever executed, for what reports say of code that no execution reaches.
//!
//! Marked is only where control arrives: at the target of a jump, in a called function, behind a call that
//! returns, and where the thread goes on after an operation on memory or the library. What lies between is
//! worked out at the end ([`Reached::instructions`]). So the search pays one store of a byte for each of
//! these.

use std::cell::Cell;

use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;

/// The marks of one worker.
#[derive(Clone, Debug)]
pub struct Reached {
    /// By function, where its instructions begin in `marks`.
    begins: Box<[usize]>,
    marks: Box<[Cell<bool>]>,
}

impl Reached {
    /// Nothing of this program was executed yet.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut all = 0;
        let begins = program.functions.iter().map(|function| {
            all += function.code.len();
            all - function.code.len()
        });
        Self { begins: begins.collect(), marks: vec![Cell::new(false); all].into() }
    }

    /// Control arrives at an instruction.
    #[inline]
    pub fn mark(&self, function: FuncId, pc: Pc) {
        self.marks[self.begins[function.index()] + pc.index()].set(true);
    }

    /// Adds what another worker executed.
    pub fn add(&mut self, other: &Self) {
        self.marks.iter().zip(&other.marks).filter(|(_, other)| other.get()).for_each(|(mark, _)| mark.set(true));
    }

    /// The marks as a list, to be saved.
    #[must_use]
    pub fn to_list(&self) -> Vec<usize> {
        self.marks.iter().enumerate().filter(|(_, mark)| mark.get()).map(|(at, _)| at).collect()
    }

    /// Adds marks that were saved; those of another program are left out.
    pub fn add_list(&mut self, marks: &[usize]) {
        marks.iter().filter_map(|&at| self.marks.get(at)).for_each(|mark| mark.set(true));
    }

    /// For each instruction of a function whether it was executed.
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

/// Whether the next instruction is always executed after this one, within one run of the interpreter. An
/// operation that goes wrong ends the execution, and with it the proof.
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
