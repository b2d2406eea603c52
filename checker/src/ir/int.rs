//! Integer arithmetic on words with uninitialised bits.
//!
//! A result bit is uninitialised when it may depend on an uninitialised input bit. The rules are Memcheck's
//! (Seward and Nethercote, "Using Valgrind to Detect Undefined Value Errors with Bit-Precision", USENIX 2005,
//! section 2.2): exact for bitwise operations and shifts by a defined amount, upward smearing for additions;
//! equality of values that differ in initialised bits is decided. An operation with a poison operand is
//! poison.

use crate::ir::instr::{IntCmp, IntOp, IntUnary, OverflowOp, Promises};
use crate::ir::value::{Poison, Value, mask, signed};

/// The errors of an arithmetic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The least number divided by -1.
    DivisionOverflow,
    /// Division or remainder by an uninitialised or poison value, which may be 0.
    UndefinedDivisor(Value),
}

/// A binary operation on `width`-bit integers.
#[inline]
pub fn binary(op: IntOp, width: u32, a: Value, b: Value) -> Result<Value, Trap> {
    if (a.undef | b.undef) != 0 {
        return undefined_binary(op, width, a, b);
    }
    defined(op, width, a.bits, b.bits).map(|bits| match bits {
        Some(bits) => Value::new(bits & mask(width)),
        None => Value::poison(Poison::Shift),
    })
}

/// A binary operation with promises about it. If a promise does not hold, the result is poison. If an operand
/// is uninitialised, the promises are not checked.
#[inline]
pub fn promised(op: IntOp, promises: Promises, width: u32, a: Value, b: Value) -> Result<Value, Trap> {
    let result = binary(op, width, a, b)?;
    if promises.is_none() || (a.undef | b.undef | result.undef) != 0 {
        return Ok(result);
    }
    Ok(broken(op, promises, width, [a.bits, b.bits, result.bits]).map_or(result, Value::poison))
}

/// The promise about an operation on defined words that does not hold, if any.
#[inline]
fn broken(op: IntOp, promises: Promises, width: u32, [a, b, result]: [u64; 3]) -> Option<Poison> {
    if promises.has(Promises::EXACT) {
        let is_exact = match op {
            IntOp::UDiv => a.is_multiple_of(b),
            IntOp::SDiv => signed(a, width).wrapping_rem(signed(b, width)) == 0,
            _ => a & mask(u32::try_from(b).expect("a shift in range")) == 0,
        };
        return (!is_exact).then_some(Poison::Inexact);
    }
    let [sa, sb, signed_result] = [a, b, result].map(|bits| i128::from(signed(bits, width)));
    let [ua, ub, unsigned_result] = [a, b, result].map(u128::from);
    let (is_signed, is_unsigned) = match op {
        IntOp::Add => (sa + sb == signed_result, ua + ub == unsigned_result),
        IntOp::Sub => (sa - sb == signed_result, a >= b),
        IntOp::Mul => (sa * sb == signed_result, ua * ub == unsigned_result),
        _ => (signed_result >> b == sa, result >> b == a),
    };
    match (promises.has(Promises::SIGNED) && !is_signed, promises.has(Promises::UNSIGNED) && !is_unsigned) {
        (true, _) => Some(Poison::SignedOverflow),
        (_, true) => Some(Poison::UnsignedOverflow),
        _ => None,
    }
}

/// The result of an operation on defined words. `None` is a shift by too much, whose result is poison.
#[inline]
fn defined(op: IntOp, width: u32, a: u64, b: u64) -> Result<Option<u64>, Trap> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let in_range = b < u64::from(width);
    Ok(Some(match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl if in_range => a << b,
        IntOp::LShr if in_range => a >> b,
        IntOp::AShr if in_range => (sa >> b).cast_unsigned(),
        IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem if b == 0 => return Err(Trap::DivisionByZero),
        IntOp::UDiv => a / b,
        IntOp::URem => a % b,
        IntOp::SDiv | IntOp::SRem if sb == -1 && a == 1 << (width - 1) => return Err(Trap::DivisionOverflow),
        IntOp::SDiv => sa.wrapping_div(sb).cast_unsigned(),
        IntOp::SRem => sa.wrapping_rem(sb).cast_unsigned(),
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sa.min(sb).cast_unsigned(),
        IntOp::SMax => sa.max(sb).cast_unsigned(),
        IntOp::UAddSat => (u128::from(a) + u128::from(b)).min(u128::from(mask(width))) as u64,
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SAddSat => clamp(i128::from(sa) + i128::from(sb), width),
        IntOp::SSubSat => clamp(i128::from(sa) - i128::from(sb), width),
        IntOp::UShlSat if in_range => (u128::from(a) << b).min(u128::from(mask(width))) as u64,
        IntOp::SShlSat if in_range => clamp(i128::from(sa) << b, width),
        IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::UShlSat | IntOp::SShlSat => return Ok(None),
    }))
}

fn clamp(value: i128, width: u32) -> u64 {
    let top = (1_i128 << (width - 1)) - 1;
    (value.clamp(-top - 1, top) as i64).cast_unsigned()
}

#[cold]
fn undefined_binary(op: IntOp, width: u32, a: Value, b: Value) -> Result<Value, Trap> {
    let either = a.undef | b.undef;
    if matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem) && !b.is_defined() {
        return Err(Trap::UndefinedDivisor(b));
    }
    if let Some(poison) = Value::poison_of(&[a, b]) {
        return Ok(poison);
    }
    Ok(match op {
        IntOp::And => {
            let zero = (!a.bits & !a.undef) | (!b.bits & !b.undef);
            Value::partial(a.bits & b.bits, either & !zero, width)
        }
        IntOp::Or => Value::partial(a.bits | b.bits, either & !(a.bits | b.bits), width),
        IntOp::Xor => Value::partial(a.bits ^ b.bits, either, width),
        IntOp::Add | IntOp::Sub | IntOp::Mul => {
            let bits = defined(op, width, a.bits, b.bits)?.unwrap_or(0);
            Value::partial(bits, smear_up(either), width)
        }
        IntOp::Shl | IntOp::LShr | IntOp::AShr if b.is_defined() => match defined(op, width, a.bits, b.bits)? {
            Some(bits) => Value::partial(bits, defined(op, width, a.undef, b.bits)?.unwrap_or(0), width),
            None => Value::poison(Poison::Shift),
        },
        IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem if b.is_defined() && b.bits == 0 => {
            return Err(Trap::DivisionByZero);
        }
        _ => Value::undefined(width),
    })
}

/// The lowest set bit and everything above it.
const fn smear_up(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

/// A comparison: a 1-bit value.
#[inline]
#[must_use]
pub fn compare(op: IntCmp, width: u32, a: Value, b: Value) -> Value {
    let undef = a.undef | b.undef;
    if undef != 0 {
        if let Some(poison) = Value::poison_of(&[a, b]) {
            return poison;
        }
        let differ = (a.bits ^ b.bits) & !undef != 0;
        return match op {
            IntCmp::Eq if differ => Value::new(0),
            IntCmp::Ne if differ => Value::new(1),
            _ => Value::undefined(1),
        };
    }
    let (sa, sb) = (signed(a.bits, width), signed(b.bits, width));
    Value::new(u64::from(match op {
        IntCmp::Eq => a.bits == b.bits,
        IntCmp::Ne => a.bits != b.bits,
        IntCmp::Ugt => a.bits > b.bits,
        IntCmp::Uge => a.bits >= b.bits,
        IntCmp::Ult => a.bits < b.bits,
        IntCmp::Ule => a.bits <= b.bits,
        IntCmp::Sgt => sa > sb,
        IntCmp::Sge => sa >= sb,
        IntCmp::Slt => sa < sb,
        IntCmp::Sle => sa <= sb,
    }))
}

/// An operation of one operand.
#[must_use]
pub fn unary(op: IntUnary, width: u32, a: Value) -> Value {
    let flip = |bits: u64| match op {
        IntUnary::ByteSwap => bits.swap_bytes() >> (64 - width),
        _ => bits.reverse_bits() >> (64 - width),
    };
    match op {
        _ if a.is_poison() => a,
        // The interpreter does not get here with an uninitialised value.
        IntUnary::Freeze => a,
        IntUnary::ByteSwap | IntUnary::BitReverse => Value::partial(flip(a.bits), flip(a.undef), width),
        _ if !a.is_defined() => Value::undefined(width),
        IntUnary::LeadingZerosOfNonzero | IntUnary::TrailingZerosOfNonzero if a.bits == 0 => {
            Value::poison(Poison::ZerosOfZero)
        }
        IntUnary::AbsOfOther if a.bits == 1 << (width - 1) => Value::poison(Poison::LeastNumber),
        IntUnary::PopCount => Value::new(u64::from(a.bits.count_ones())),
        IntUnary::LeadingZeros | IntUnary::LeadingZerosOfNonzero => {
            Value::new(u64::from(a.bits.leading_zeros() - (64 - width)))
        }
        IntUnary::TrailingZeros | IntUnary::TrailingZerosOfNonzero => {
            Value::new(u64::from(a.bits.trailing_zeros().min(width)))
        }
        IntUnary::Abs | IntUnary::AbsOfOther => Value::new(signed(a.bits, width).unsigned_abs() & mask(width)),
    }
}

/// Result and overflow bit of an arithmetic operation.
#[must_use]
pub fn overflow(op: OverflowOp, width: u32, a: Value, b: Value) -> (Value, Value) {
    if (a.undef | b.undef) != 0 {
        let poison = Value::poison_of(&[a, b]);
        return (poison.unwrap_or(Value::undefined(width)), poison.unwrap_or(Value::undefined(1)));
    }
    let (ua, ub) = (i128::from(a.bits), i128::from(b.bits));
    let (sa, sb) = (i128::from(signed(a.bits, width)), i128::from(signed(b.bits, width)));
    let (exact, is_signed) = match op {
        OverflowOp::SAdd => (sa + sb, true),
        OverflowOp::SSub => (sa - sb, true),
        OverflowOp::SMul => (sa * sb, true),
        OverflowOp::UAdd => (ua + ub, false),
        OverflowOp::USub => (ua - ub, false),
        OverflowOp::UMul => (ua.wrapping_mul(ub), false),
    };
    let bits = exact as u64 & mask(width);
    let back = if is_signed { i128::from(signed(bits, width)) } else { i128::from(bits) };
    (Value::new(bits), Value::new(u64::from(back != exact)))
}

/// Sign extension from `from` to `to` bits, both at most 64.
#[inline]
#[must_use]
pub fn sign_extend(a: Value, from: u32, to: u32) -> Value {
    if a.is_defined() {
        return Value::new(signed(a.bits, from).cast_unsigned() & mask(to));
    }
    if a.is_poison() {
        return a;
    }
    let undef = signed(a.undef, from).cast_unsigned();
    Value::partial(signed(a.bits, from).cast_unsigned(), undef, to)
}
