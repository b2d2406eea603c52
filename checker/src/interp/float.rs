//! Floating-point arithmetic on `float` and `double`. It is the host's, which is IEEE 754 like that of the
//! checked program.
//!
//! A result that depends on an uninitialised bit is uninitialised as a whole, and poison if an operand is
//! poison.

use crate::ir::instr::{Cast, FloatOp};
use crate::ir::value::{Poison, Value, mask, signed};

/// A number of 32 or 64 bits as a double (exact for both).
fn number(width: u32, a: Value) -> f64 {
    if width == 32 { f64::from(f32::from_bits(a.bits as u32)) } else { f64::from_bits(a.bits) }
}

fn single(a: Value) -> f32 {
    f32::from_bits(a.bits as u32)
}

/// An operation on two numbers (one-operand operations ignore the second).
#[must_use]
pub fn binary(op: FloatOp, width: u32, a: Value, b: Value) -> Value {
    if (a.undef | b.undef) != 0 {
        return Value::poison_of(&[a, b]).unwrap_or(Value::undefined(width));
    }
    // Each format is computed directly, because a detour through `double` would round twice.
    Value::new(if width == 32 {
        u64::from(binary32(op, single(a), single(b)).to_bits())
    } else {
        binary64(op, f64::from_bits(a.bits), f64::from_bits(b.bits)).to_bits()
    })
}

macro_rules! operations {
    ($name:ident, $ty:ty) => {
        fn $name(op: FloatOp, a: $ty, b: $ty) -> $ty {
            match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
                FloatOp::Neg => -a,
                FloatOp::Abs => a.abs(),
                FloatOp::Sqrt => a.sqrt(),
                FloatOp::Floor => a.floor(),
                FloatOp::Ceil => a.ceil(),
                FloatOp::Trunc => a.trunc(),
                FloatOp::Round => a.round(),
                FloatOp::RoundEven => a.round_ties_even(),
                FloatOp::CopySign => a.copysign(b),
                FloatOp::Min => a.min(b),
                FloatOp::Max => a.max(b),
                FloatOp::MulAdd => a * b,
            }
        }
    };
}

operations!(binary32, f32);
operations!(binary64, f64);

/// `a * b + c`, rounded once.
#[must_use]
pub fn multiply_add(width: u32, a: Value, b: Value, c: Value) -> Value {
    if (a.undef | b.undef | c.undef) != 0 {
        return Value::poison_of(&[a, b, c]).unwrap_or(Value::undefined(width));
    }
    Value::new(if width == 32 {
        u64::from(single(a).mul_add(single(b), single(c)).to_bits())
    } else {
        f64::from_bits(a.bits).mul_add(f64::from_bits(b.bits), f64::from_bits(c.bits)).to_bits()
    })
}

/// Compares two numbers: a 1-bit value, set if their relation is in `accept`: bit 0 equal, 1 greater, 2 less,
/// 3 unordered.
#[must_use]
pub fn compare(accept: u8, width: u32, a: Value, b: Value) -> Value {
    // The predicates "never" and "always" need no operands.
    if accept == 0 || accept == 15 {
        return Value::new(u64::from(accept == 15));
    }
    if (a.undef | b.undef) != 0 {
        return Value::poison_of(&[a, b]).unwrap_or(Value::undefined(1));
    }
    let relation = match number(width, a).partial_cmp(&number(width, b)) {
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        Some(std::cmp::Ordering::Less) => 4,
        None => 8,
    };
    Value::new(u64::from(accept & relation != 0))
}

/// A conversion with a floating-point format on at least one side; `from` and `to` are widths.
#[must_use]
pub fn convert(op: Cast, from: u32, to: u32, a: Value) -> Value {
    if !a.is_defined() {
        return if a.is_poison() { a } else { Value::undefined(to) };
    }
    let encode = |double: f64, single: f32| if to == 32 { u64::from(single.to_bits()) } else { double.to_bits() };
    let x = number(from, a);
    let bits = match op {
        Cast::FloatToSigned => {
            let limit = 2_f64.powi(i32::try_from(to).expect("at most 64") - 1);
            if !(x.trunc() >= -limit && x.trunc() < limit) {
                return Value::poison(Poison::Conversion);
            }
            (x as i64).cast_unsigned() & mask(to)
        }
        Cast::FloatToUnsigned => {
            let limit = 2_f64.powi(i32::try_from(to).expect("at most 64"));
            if !(x.trunc() >= 0.0 && x.trunc() < limit) {
                return Value::poison(Poison::Conversion);
            }
            x as u64
        }
        Cast::FloatToSignedSat => {
            let top = i128::from(mask(to) >> 1);
            ((x as i128).clamp(-top - 1, top) as i64).cast_unsigned() & mask(to)
        }
        Cast::FloatToUnsignedSat => (x as u64).min(mask(to)),
        Cast::SignedToFloat => encode(signed(a.bits, from) as f64, signed(a.bits, from) as f32),
        Cast::UnsignedToFloat => encode(a.bits as f64, a.bits as f32),
        Cast::FloatToFloat => encode(x, x as f32),
        Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend => a.bits,
    };
    Value::new(bits)
}
