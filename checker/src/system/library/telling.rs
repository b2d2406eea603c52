//! Analysis whether a program may tell one address of memory from another.
//!
//! It does so if it compares addresses with each other, in registers or in memory, or computes other numbers
//! from them. Comparisons with a constant, as with a null pointer, do not count. Words have no types here, so
//! each instruction on 64 bits counts that would do that if its operands were addresses. Addresses that are
//! printed, or compared byte by byte, are not considered.

use crate::ir::Program;
use crate::ir::ids::Operand;
use crate::ir::instr::{Instr, IntOp, RmwOp, Wide};
use crate::ir::program::Function;
use crate::ir::reachable::reachable_functions;

/// The width of an address in bits.
const ADDRESS: u8 = 64;

/// True if the program may tell addresses apart.
pub(super) fn tells_addresses(program: &Program) -> bool {
    let functions = reachable_functions(program);
    let mut functions = functions.iter().map(|&function| program.function(function));
    functions.any(|function| function.code.iter().any(|instr| tells(function, instr)))
}

fn tells(function: &Function, instr: &Instr) -> bool {
    let are_registers = |a: Operand, b: Operand| a.resolve().is_ok() && b.resolve().is_ok();
    match *instr {
        Instr::Compare { width, a, b, .. } => width == ADDRESS && are_registers(a, b),
        Instr::CompareExchange { len, .. } => len >= ADDRESS / 8,
        Instr::ReadModifyWrite { op, len, .. } => len >= ADDRESS / 8 && compares(op),
        Instr::Int { op, width, a, b, .. } => width == ADDRESS && makes_numbers(op, a, b),
        Instr::Cast { from, to, .. } => from == ADDRESS && to < ADDRESS,
        Instr::Overflow { width, .. } => width == ADDRESS,
        Instr::Wide { site } => {
            let wide = &function.wides[site.index()];
            matches!(wide, Wide::Compare { .. } | Wide::Int { .. } | Wide::Unary { .. } | Wide::Overflow { .. })
        }
        _ => false,
    }
}

const fn compares(op: RmwOp) -> bool {
    matches!(op, RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin)
}

/// True if the result of an operation on addresses is another number, from which they can be told.
fn makes_numbers(op: IntOp, a: Operand, b: Operand) -> bool {
    let (a, b) = (a.resolve().is_ok(), b.resolve().is_ok());
    match op {
        IntOp::Add => false,
        IntOp::Sub => b,
        IntOp::And | IntOp::Or => a && b,
        _ => a || b,
    }
}
