//! The instructions that need to know something of their operands' values.
//!
//! A register may have a symbol ([`crate::ir::symbol`]) in place of a value. Moving it from one place to
//! another needs to know nothing; everything else is left to whoever knows what symbols stand for
//! (`system/inputs/evaluate.rs`).

use super::Stack;
use crate::ir::Program;
use crate::ir::ids::Operand;
use crate::ir::instr::Instr;
use crate::ir::liveness;
use crate::ir::program::Function;

/// True if the instruction needs to know something of an operand that has a symbol.
pub(super) fn needs_values(program: &Program, function: &Function, instr: &Instr, stack: &Stack) -> bool {
    let is_symbolic = |operand: Operand| stack.get(program, operand).is_symbolic();
    match *instr {
        Instr::Move { .. } | Instr::Call { .. } | Instr::Return { .. } => false,
        Instr::CallIndirect { target, .. } => is_symbolic(target),
        // With an uninitialised condition, the bits of both values are compared.
        Instr::Select { cond, a, b, .. } => {
            is_symbolic(cond) || !stack.get(program, cond).is_defined() && (is_symbolic(a) || is_symbolic(b))
        }
        Instr::Store { addr, .. } | Instr::RawStore { addr, .. } | Instr::ReadModifyWrite { addr, .. } => {
            is_symbolic(addr)
        }
        Instr::CompareExchange { site, .. } => is_symbolic(function.exchanges[site.index()].addr),
        _ => {
            let mut needs = false;
            liveness::uses(function, instr, |operand| needs |= is_symbolic(operand));
            needs
        }
    }
}
