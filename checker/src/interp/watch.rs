//! Watches for programs to which it makes a difference which number a thread has, so that exchanging threads
//! (`system/analyses/symmetry/`) would be wrong.
//!
//! A word is *telling* if it may tell a thread's number: its name ([`crate::ir::thread_name`]), or an address
//! of memory that a thread other than the first allocated. Telling words may be moved, compared for equality
//! and followed, and an address may be changed within its object: all that is the same for every number. What
//! is not is noticed here: other arithmetic and comparisons with telling words, and telling words that come
//! from arithmetic. Parts of telling words in memory are watched in `system/state/memory.rs`, what functions
//! of the library do with them where they are called.

use super::Stack;
use crate::ir::Program;
use crate::ir::address::{self, MAX_THREADS};
use crate::ir::ids::Operand;
use crate::ir::instr::{Cast, Instr, IntCmp, IntOp};
use crate::ir::liveness;
use crate::ir::program::Function;
use crate::ir::thread_name;

/// Whether a word may tell a thread's number.
#[inline]
#[must_use]
pub const fn is_telling(word: u64) -> bool {
    thread_name::is_marked(word) || owner_of(word) > 1
}

/// The owner of the object that a word is an address of; 0 if it is none, or that of a global.
#[inline]
#[must_use]
pub const fn owner_of(word: u64) -> u32 {
    match address::split(word) {
        Some((object, _)) if object.owner() <= MAX_THREADS as u32 => object.owner(),
        _ => 0,
    }
}

/// Whether two words are addresses of the same object.
const fn are_together(a: u64, b: u64) -> bool {
    match (address::split(a), address::split(b)) {
        (Some((a, _)), Some((b, _))) => a.0 == b.0,
        _ => false,
    }
}

/// Whether the instruction that is about to run tells threads apart by what it reads: those that do not just
/// compute.
#[must_use]
pub fn tells_before(program: &Program, function: &Function, instr: &Instr, stack: &Stack) -> bool {
    let telling = |operand: Operand| is_telling(stack.get(program, operand).bits);
    match *instr {
        Instr::Switch { site } => telling(function.switches[site.index()].value),
        Instr::Alloca { count, .. } => telling(count),
        Instr::Store { value, len, .. } | Instr::RawStore { value, len, .. } => len < 8 && telling(value),
        Instr::ReadModifyWrite { value, len, .. } => len < 8 && telling(value),
        Instr::CompareExchange { site, len, .. } => {
            let exchange = &function.exchanges[site.index()];
            len < 8 && (telling(exchange.expected) || telling(exchange.new))
        }
        Instr::Copy { site } => {
            let copy = &function.copies[site.index()];
            telling(copy.len) || copy.lanes.is_some_and(|lanes| telling(lanes.mask))
        }
        Instr::Fill { site } => telling(function.fills[site.index()].len) || telling(function.fills[site.index()].byte),
        Instr::LifetimeStart { len, .. } | Instr::LifetimeEnd { len, .. } => telling(len),
        _ => false,
    }
}

/// Whether the instruction that has run told threads apart by what it computed.
#[must_use]
pub fn tells_after(program: &Program, function: &Function, instr: &Instr, stack: &Stack) -> bool {
    let value = |operand: Operand| stack.get(program, operand);
    let word = |operand: Operand| value(operand).bits;
    match *instr {
        Instr::Int { op, dst, a, b, .. } => arithmetic_tells(op, word(a), word(b), word(Operand::reg(dst))),
        Instr::Offset { dst, base, index, .. } => {
            is_telling(word(index)) || arithmetic_tells(IntOp::Add, word(base), 0, word(Operand::reg(dst)))
        }
        Instr::Compare { op, width, a, b, .. } => {
            let (a, b) = (word(a), word(b));
            let is_equality = width == 64 && matches!(op, IntCmp::Eq | IntCmp::Ne);
            (is_telling(a) || is_telling(b)) && !is_equality && !are_together(a, b)
        }
        // Whether a pointer is null tells nothing; its range goes from 1 to 0.
        Instr::Range { dst, high, .. } => word(high) != 0 && is_telling(word(Operand::reg(dst))),
        Instr::Select { cond, a, b, .. } => value(cond).undef != 0 && (is_telling(word(a)) || is_telling(word(b))),
        // Between addresses and integers, which changes nothing.
        Instr::Cast { op: Cast::ZeroExtend, from: 64, to: 64, .. } => false,
        Instr::Unary { .. }
        | Instr::Overflow { .. }
        | Instr::Cast { .. }
        | Instr::Float { .. }
        | Instr::FloatMulAdd { .. }
        | Instr::FloatCompare { .. }
        | Instr::Wide { .. } => {
            let mut tells = false;
            liveness::uses(function, instr, |operand| tells |= is_telling(word(operand)));
            liveness::definitions(function, instr, |reg| tells |= is_telling(word(Operand::reg(reg))));
            tells
        }
        _ => false,
    }
}

/// Whether an operation on integers with this result tells threads apart. Distances and other places in an
/// object do not.
fn arithmetic_tells(op: IntOp, a: u64, b: u64, result: u64) -> bool {
    let telling = [a, b, result].map(is_telling);
    if telling == [false; 3] {
        return false;
    }
    if [a, b, result].into_iter().any(thread_name::is_marked) {
        return true;
    }
    let is_distance = op == IntOp::Sub && are_together(a, b) && !telling[2];
    let is_place = |address: u64, other_tells: bool| are_together(address, result) && !other_tells;
    !is_distance && !is_place(a, telling[1]) && !is_place(b, telling[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::address::ObjectId;

    #[test]
    fn only_places_in_an_object_are_harmless() {
        let (one, other) = (ObjectId::new(2, 5).address(8), ObjectId::new(3, 5).address(8));
        let name = thread_name::name(1, 0);
        assert!(!arithmetic_tells(IntOp::Add, one, 8, one + 8));
        assert!(!arithmetic_tells(IntOp::Sub, one + 8, one, 8));
        assert!(!arithmetic_tells(IntOp::And, u64::MAX - 7, one + 3, one));
        assert!(!arithmetic_tells(IntOp::Add, 5, 6, 11));
        assert!(arithmetic_tells(IntOp::Sub, other, one, other - one));
        assert!(arithmetic_tells(IntOp::LShr, one, 4, one >> 4));
        assert!(arithmetic_tells(IntOp::Add, name, 0, name));
        assert!(arithmetic_tells(IntOp::Shl, 2, 40, 2 << 40));
    }
}
