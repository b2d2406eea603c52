//! Watches for operations whose result depends on the number of a thread. In a program with such operations
//! the exchange of threads (`system/analyses/symmetry/`) would be wrong.
//!
//! A word is *telling* if it may reveal a thread's number: it is the thread's name
//! ([`crate::ir::thread_name`]), or an address of memory that a thread other than the first allocated.
//! Telling words may be moved, compared for equality and dereferenced, and an address may be changed within
//! its object: the results are the same for every thread number. Other arithmetic and comparisons with
//! telling words, and telling words that result from arithmetic, are detected here.
//! `system/state/memory/watch.rs` watches accesses to parts of telling words; functions of the library are
//! watched where they are called.

use super::Stack;
use crate::ir::Program;
use crate::ir::address::{self, MAX_THREADS};
use crate::ir::ids::Operand;
use crate::ir::instr::{Cast, Instr, IntCmp, IntOp};
use crate::ir::liveness;
use crate::ir::program::Function;
use crate::ir::thread_name;

/// True if a word may reveal a thread's number.
#[inline]
#[must_use]
pub const fn is_telling(word: u64) -> bool {
    thread_name::is_marked(word) || owner_of(word) > 1
}

/// The owner of the object that a word is an address of; 0 if the word is no address, or that of a global.
#[inline]
#[must_use]
pub const fn owner_of(word: u64) -> u32 {
    match address::split(word) {
        Some((object, _)) if object.owner() <= MAX_THREADS as u32 => object.owner(),
        _ => 0,
    }
}

/// True if two words are addresses of the same object.
const fn are_together(a: u64, b: u64) -> bool {
    match (address::split(a), address::split(b)) {
        (Some((a, _)), Some((b, _))) => a.0 == b.0,
        _ => false,
    }
}

/// True if the instruction that is about to run distinguishes threads by its operands. Instructions that only
/// compute are checked by [`tells_after`].
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

/// True if the instruction that has run distinguished threads by its operands and result.
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
        // The test for null does not distinguish threads; its range goes from 1 to 0.
        Instr::Range { dst, high, .. } => word(high) != 0 && is_telling(word(Operand::reg(dst))),
        Instr::Select { cond, a, b, .. } => value(cond).undef != 0 && (is_telling(word(a)) || is_telling(word(b))),
        // A cast between addresses and integers changes nothing.
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

/// True if an operation on integers with this result distinguishes threads. Distances within an object and
/// addresses of other bytes of it do not.
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
