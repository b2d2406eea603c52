//! Integer instructions on terms of bit-vectors: what `int.rs` computes of values, for solvers.
//!
//! Shifts by too much and divisions by 0 are the caller's.
//!
//! Tests: `engine/symbolic/arithmetic.rs`, `system/symbols/solver.rs`, against the interpreter.

use rmc_formula::{TermId, Terms};

use super::instr::{IntOp, OverflowOp};

/// The result of an operation on terms of the same width. `None`: saturating arithmetic has no term.
pub fn binary(terms: &mut Terms, op: IntOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        IntOp::Add => terms.add(a, b),
        IntOp::Sub => terms.sub(a, b),
        IntOp::Mul => terms.mul(a, b),
        IntOp::UDiv => terms.udiv(a, b),
        IntOp::SDiv => terms.sdiv(a, b),
        IntOp::URem => terms.urem(a, b),
        IntOp::SRem => terms.srem(a, b),
        IntOp::Shl => terms.shl(a, b),
        IntOp::LShr => terms.lshr(a, b),
        IntOp::AShr => terms.ashr(a, b),
        IntOp::And => terms.and(a, b),
        IntOp::Or => terms.or(a, b),
        IntOp::Xor => terms.xor(a, b),
        IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => {
            let is_unsigned = matches!(op, IntOp::UMin | IntOp::UMax);
            let is_less = if is_unsigned { terms.ult(a, b) } else { terms.slt(a, b) };
            let takes_less = matches!(op, IntOp::UMin | IntOp::SMin);
            let (then, other) = if takes_less { (a, b) } else { (b, a) };
            terms.ite(is_less, then, other)
        }
        IntOp::UAddSat | IntOp::SAddSat | IntOp::USubSat | IntOp::SSubSat | IntOp::UShlSat | IntOp::SShlSat => {
            return None;
        }
    })
}

/// A bit: the exact result of an operation is not its result in the width of the operands.
pub fn overflows(terms: &mut Terms, op: OverflowOp, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    let (op, is_signed) = op.parts();
    let result = binary(terms, op, a, b).expect("it is no saturating operation");
    let wide = if op == IntOp::Mul { 2 * width } else { width + 1 };
    let [a, b, result] = [a, b, result]
        .map(|term| if is_signed { terms.sign_extend(term, wide) } else { terms.zero_extend(term, wide) });
    let exact = binary(terms, op, a, b).expect("it is no saturating operation");
    terms.ne(exact, result)
}
