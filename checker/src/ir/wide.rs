//! Values of more than one word: wide integers, half, x87 and quad precision, and bits cut into other
//! elements.
//!
//! These are rare, so they are computed with libraries (`num-bigint`, `rustc_apfloat`). An uninitialised bit
//! makes a wide result uninitialised as a whole, except where bits are only moved. A poison word makes all
//! words of the result poison.

#[cfg(test)]
mod tests;

use num_bigint::{BigInt, BigUint, Sign};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::int::Trap;
use crate::ir::instr::{Cast, Elements, FloatOp, Format, IntCmp, IntOp, IntUnary, OverflowOp, Promises};
use crate::ir::value::{Poison, Value};

/// True if every word is initialised.
#[must_use]
pub fn is_defined(words: &[Value]) -> bool {
    words.iter().all(|word| word.is_defined())
}

/// An uninitialised value of `width` bits.
#[must_use]
pub fn undefined(width: u32) -> Vec<Value> {
    (0..width.div_ceil(64)).map(|word| Value::undefined((width - word * 64).min(64))).collect()
}

/// The result of `width` bits for operands that are not all initialised: poison if one of their words is
/// poison.
fn undefined_by(width: u32, operands: &[&[Value]]) -> Vec<Value> {
    let poison = operands.iter().find_map(|words| Value::poison_of(words));
    poison.map_or_else(|| undefined(width), |poison| vec![poison; width.div_ceil(64) as usize])
}

fn poison(width: u32, why: Poison) -> Vec<Value> {
    vec![Value::poison(why); width.div_ceil(64) as usize]
}

fn natural(words: &[Value]) -> BigUint {
    let digits = words.iter().flat_map(|word| [word.bits as u32, (word.bits >> 32) as u32]).collect();
    BigUint::new(digits)
}

fn modulus(width: u32) -> BigUint {
    BigUint::from(1_u8) << width
}

fn integer(words: &[Value], width: u32) -> BigInt {
    let value = natural(words);
    let negative = width > 0 && value.bit(u64::from(width) - 1);
    let value = BigInt::from(value);
    if negative { value - BigInt::from(modulus(width)) } else { value }
}

fn cut(value: &BigInt, width: u32) -> Vec<Value> {
    let modulus = BigInt::from(modulus(width));
    let remainder = ((value % &modulus) + &modulus) % &modulus;
    let mut digits = remainder.to_u64_digits().1;
    digits.resize(width.div_ceil(64) as usize, 0);
    digits.into_iter().map(Value::new).collect()
}

/// A binary operation with promises on integers of any width; see [`super::int::promised`].
pub fn promised(op: IntOp, promises: Promises, width: u32, a: &[Value], b: &[Value]) -> Result<Vec<Value>, Trap> {
    let result = int(op, width, a, b)?;
    if promises.is_none() || !is_defined(a) || !is_defined(b) || !is_defined(&result) {
        return Ok(result);
    }
    let exact = |read: fn(&[Value], u32) -> BigInt| {
        let (a, b, result) = (read(a, width), read(b, width), read(&result, width));
        match op {
            IntOp::Add => a + b == result,
            IntOp::Sub => a - b == result,
            IntOp::Mul => a * b == result,
            IntOp::Shl => u32::try_from(&b).is_ok_and(|by| result >> by == a),
            IntOp::UDiv | IntOp::SDiv => result * b == a,
            _ => u32::try_from(&b).is_ok_and(|by| result << by == a),
        }
    };
    let unsigned = |words: &[Value], _| BigInt::from(natural(words));
    let why = if promises.has(Promises::EXACT) {
        let is_signed = matches!(op, IntOp::SDiv | IntOp::AShr);
        (!if is_signed { exact(integer) } else { exact(unsigned) }).then_some(Poison::Inexact)
    } else if promises.has(Promises::SIGNED) && !exact(integer) {
        Some(Poison::SignedOverflow)
    } else {
        (promises.has(Promises::UNSIGNED) && !exact(unsigned)).then_some(Poison::UnsignedOverflow)
    };
    Ok(why.map_or(result, |why| poison(width, why)))
}

/// A binary operation on integers of any width.
pub fn int(op: IntOp, width: u32, a: &[Value], b: &[Value]) -> Result<Vec<Value>, Trap> {
    let divides = matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem);
    if let (true, Some(&word)) = (divides, b.iter().find(|word| !word.is_defined())) {
        return Err(Trap::UndefinedDivisor(word));
    }
    if a.iter().chain(b).any(|word| word.is_poison()) {
        return Ok(undefined_by(width, &[a, b]));
    }
    let bitwise = matches!(op, IntOp::And | IntOp::Or | IntOp::Xor);
    if bitwise {
        return a.iter().zip(b).map(|(&a, &b)| super::int::binary(op, 64, a, b)).collect();
    }
    if is_defined(b) && !is_defined(a) && matches!(op, IntOp::Shl | IntOp::LShr | IntOp::AShr) {
        return Ok(shift_partial(op, width, a, b));
    }
    if !is_defined(a) || !is_defined(b) {
        return Ok(undefined(width));
    }
    let (ua, ub) = (BigInt::from(natural(a)), BigInt::from(natural(b)));
    let (sa, sb) = (integer(a, width), integer(b, width));
    let zero = BigInt::from(0);
    let result = match op {
        IntOp::Add => ua + ub,
        IntOp::Sub => ua - ub,
        IntOp::Mul => ua * ub,
        IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem if ub == zero => return Err(Trap::DivisionByZero),
        IntOp::SDiv | IntOp::SRem if sb == BigInt::from(-1) && sa == -(BigInt::from(1) << (width - 1)) => {
            return Err(Trap::DivisionOverflow);
        }
        IntOp::UDiv => ua / ub,
        IntOp::URem => ua % ub,
        IntOp::SDiv => sa / sb,
        IntOp::SRem => sa % sb,
        IntOp::Shl | IntOp::LShr | IntOp::AShr => match u32::try_from(&ub).ok().filter(|&by| by < width) {
            Some(by) if op == IntOp::Shl => ua << by,
            Some(by) if op == IntOp::LShr => ua >> by,
            Some(by) => sa >> by,
            None => return Ok(poison(width, Poison::Shift)),
        },
        IntOp::UMin => ua.min(ub),
        IntOp::UMax => ua.max(ub),
        IntOp::SMin => sa.min(sb),
        IntOp::SMax => sa.max(sb),
        IntOp::UAddSat => (ua + ub).min(BigInt::from(modulus(width)) - 1),
        IntOp::USubSat => (ua - ub).max(zero),
        IntOp::SAddSat => clamp(&(sa + sb), width),
        IntOp::SSubSat => clamp(&(sa - sb), width),
        IntOp::UShlSat | IntOp::SShlSat => match u32::try_from(&ub).ok().filter(|&by| by < width) {
            Some(by) if op == IntOp::UShlSat => (ua << by).min(BigInt::from(modulus(width)) - 1),
            Some(by) => clamp(&(sa << by), width),
            None => return Ok(poison(width, Poison::Shift)),
        },
        IntOp::And | IntOp::Or | IntOp::Xor => unreachable!("handled above"),
    };
    Ok(cut(&result, width))
}

/// A shift of partly initialised bits: it moves uninitialised bits along with the others.
fn shift_partial(op: IntOp, width: u32, a: &[Value], b: &[Value]) -> Vec<Value> {
    let part = |f: fn(&Value) -> u64| a.iter().map(|word| Value::new(f(word))).collect::<Vec<_>>();
    let shifted = |words: Vec<Value>| int(op, width, &words, b).unwrap_or_else(|_| undefined(width));
    let (bits, undef) = (shifted(part(|word| word.bits)), shifted(part(|word| word.undef)));
    bits.iter().zip(&undef).map(|(bits, undef)| Value::partial(bits.bits, undef.bits | bits.undef, 64)).collect()
}

fn clamp(value: &BigInt, width: u32) -> BigInt {
    let top: BigInt = (BigInt::from(1) << (width - 1)) - 1;
    let bottom: BigInt = -top.clone() - 1;
    value.clone().clamp(bottom, top)
}

/// A comparison of integers of any width.
#[must_use]
pub fn compare(op: IntCmp, width: u32, a: &[Value], b: &[Value]) -> Value {
    if !is_defined(a) || !is_defined(b) {
        return undefined_by(1, &[a, b])[0];
    }
    let unsigned = natural(a).cmp(&natural(b));
    let signed = integer(a, width).cmp(&integer(b, width));
    Value::new(u64::from(match op {
        IntCmp::Eq => unsigned.is_eq(),
        IntCmp::Ne => unsigned.is_ne(),
        IntCmp::Ugt => unsigned.is_gt(),
        IntCmp::Uge => unsigned.is_ge(),
        IntCmp::Ult => unsigned.is_lt(),
        IntCmp::Ule => unsigned.is_le(),
        IntCmp::Sgt => signed.is_gt(),
        IntCmp::Sge => signed.is_ge(),
        IntCmp::Slt => signed.is_lt(),
        IntCmp::Sle => signed.is_le(),
    }))
}

/// An operation of one operand.
#[must_use]
pub fn unary(op: IntUnary, width: u32, a: &[Value]) -> Vec<Value> {
    if !is_defined(a) {
        return undefined_by(width, &[a]);
    }
    let value = natural(a);
    let number = |n: u64| cut(&BigInt::from(n), width);
    match op {
        IntUnary::LeadingZerosOfNonzero | IntUnary::TrailingZerosOfNonzero if value.bits() == 0 => {
            poison(width, Poison::ZerosOfZero)
        }
        IntUnary::AbsOfOther if value == BigUint::from(1_u8) << (width - 1) => poison(width, Poison::LeastNumber),
        IntUnary::PopCount => number(value.count_ones()),
        IntUnary::LeadingZeros | IntUnary::LeadingZerosOfNonzero => number(u64::from(width) - value.bits()),
        IntUnary::TrailingZeros | IntUnary::TrailingZerosOfNonzero => {
            number(value.trailing_zeros().unwrap_or(u64::from(width)))
        }
        IntUnary::Abs | IntUnary::AbsOfOther => {
            cut(&BigInt::from_biguint(Sign::Plus, integer(a, width).magnitude().clone()), width)
        }
        IntUnary::ByteSwap | IntUnary::BitReverse => {
            let group = if op == IntUnary::ByteSwap { 8 } else { 1 };
            let count = u64::from(width) / group;
            let mut flipped = BigUint::default();
            for at in (0..u64::from(width)).filter(|&at| value.bit(at)) {
                flipped.set_bit((count - 1 - at / group) * group + at % group, true);
            }
            cut(&BigInt::from(flipped), width)
        }
        IntUnary::Freeze => a.to_vec(),
    }
}

/// Result words and overflow bit.
#[must_use]
pub fn overflow(op: OverflowOp, width: u32, a: &[Value], b: &[Value]) -> (Vec<Value>, Value) {
    if !is_defined(a) || !is_defined(b) {
        return (undefined_by(width, &[a, b]), undefined_by(1, &[a, b])[0]);
    }
    let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
    let read = |words: &[Value]| if signed { integer(words, width) } else { BigInt::from(natural(words)) };
    let (x, y) = (read(a), read(b));
    let exact = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => x + y,
        OverflowOp::SSub | OverflowOp::USub => x - y,
        OverflowOp::SMul | OverflowOp::UMul => x * y,
    };
    let result = cut(&exact, width);
    let overflowed = read(&result) != exact;
    (result, Value::new(u64::from(overflowed)))
}

/// Runs `$body` with `$f` as the type of a floating-point format.
macro_rules! with_format {
    ($format:expr, $f:ident => $body:expr) => {
        match $format {
            Format::Half => {
                type $f = Half;
                $body
            }
            Format::BFloat => {
                type $f = BFloat;
                $body
            }
            Format::Single => {
                type $f = Single;
                $body
            }
            Format::Double => {
                type $f = Double;
                $body
            }
            Format::X87 => {
                type $f = X87DoubleExtended;
                $body
            }
            Format::Quad => {
                type $f = Quad;
                $body
            }
            Format::Int(_) => unreachable!("a floating-point format"),
        }
    };
}

fn bits(words: &[Value]) -> u128 {
    words.iter().rev().fold(0, |value, word| value << 64 | u128::from(word.bits))
}

fn words(bits: u128, width: u32) -> Vec<Value> {
    (0..width.div_ceil(64)).map(|word| Value::new((bits >> (word * 64)) as u64)).collect()
}

/// A floating-point operation; `None` for an operation that only native formats have.
#[must_use]
pub fn float(op: FloatOp, format: Format, a: &[Value], b: &[Value]) -> Option<Vec<Value>> {
    if !is_defined(a) || !is_defined(b) {
        return Some(undefined_by(format.bits(), &[a, b]));
    }
    with_format!(format, F => {
        let (x, y) = (F::from_bits(bits(a)), F::from_bits(bits(b)));
        let result = match op {
            FloatOp::Add => (x + y).value,
            FloatOp::Sub => (x - y).value,
            FloatOp::Mul => (x * y).value,
            FloatOp::Div => (x / y).value,
            FloatOp::Rem => x.c_fmod(y).value,
            FloatOp::Neg => -x,
            FloatOp::Abs => x.abs(),
            FloatOp::CopySign => x.copy_sign(y),
            FloatOp::Min => x.min(y),
            FloatOp::Max => x.max(y),
            FloatOp::Floor => x.round_to_integral(Round::TowardNegative).value,
            FloatOp::Ceil => x.round_to_integral(Round::TowardPositive).value,
            FloatOp::Trunc => x.round_to_integral(Round::TowardZero).value,
            FloatOp::Round => x.round_to_integral(Round::NearestTiesToAway).value,
            FloatOp::RoundEven => x.round_to_integral(Round::NearestTiesToEven).value,
            FloatOp::Sqrt | FloatOp::MulAdd => return None,
        };
        Some(words(result.to_bits(), format.bits()))
    })
}

/// A floating-point comparison; see [`crate::interp::float::compare`].
#[must_use]
pub fn float_compare(accept: u8, format: Format, a: &[Value], b: &[Value]) -> Value {
    if !is_defined(a) || !is_defined(b) {
        return undefined_by(1, &[a, b])[0];
    }
    let relation = with_format!(format, F => match F::from_bits(bits(a)).partial_cmp(&F::from_bits(bits(b))) {
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        Some(std::cmp::Ordering::Less) => 4,
        None => 8,
    });
    Value::new(u64::from(accept & relation != 0))
}

/// A conversion between any two formats.
#[must_use]
pub fn convert(op: Cast, from: Format, to: Format, a: &[Value]) -> Vec<Value> {
    let (from_width, to_width) = (from.bits(), to.bits());
    match op {
        _ if a.iter().any(|word| word.is_poison()) => return undefined_by(to_width, &[a]),
        Cast::Truncate => {
            return a
                .iter()
                .take(to_width.div_ceil(64) as usize)
                .enumerate()
                .map(|(k, &word)| narrow(word, k, to_width))
                .collect();
        }
        Cast::ZeroExtend => {
            let mut result = a.to_vec();
            result.resize(to_width.div_ceil(64) as usize, Value::ZERO);
            return result;
        }
        _ if !is_defined(a) => return undefined(to_width),
        _ => {}
    }
    match op {
        Cast::SignExtend => cut(&integer(a, from_width), to_width),
        Cast::FloatToSigned | Cast::FloatToUnsigned | Cast::FloatToSignedSat | Cast::FloatToUnsignedSat => {
            with_format!(from, F => {
            let x = F::from_bits(bits(a));
            let mut exact = false;
            let width = to_width as usize;
            let is_signed = matches!(op, Cast::FloatToSigned | Cast::FloatToSignedSat);
            let result = if is_signed {
                x.to_i128_r(width, Round::TowardZero, &mut exact).map(i128::cast_unsigned)
            } else {
                x.to_u128_r(width, Round::TowardZero, &mut exact)
            };
            // The result of a number that does not fit is the nearest one that does; the result of NaN is 0.
            let saturates = matches!(op, Cast::FloatToSignedSat | Cast::FloatToUnsignedSat);
            if !saturates && result.status.contains(rustc_apfloat::Status::INVALID_OP) {
                return poison(to_width, Poison::Conversion);
            }
            let value = if width == 128 { result.value } else { result.value & ((1 << width) - 1) };
            words(value, to_width)
            })
        }
        Cast::SignedToFloat => with_format!(to, F => {
            let value = i128::try_from(&integer(a, from_width)).unwrap_or(i128::MAX);
            words(F::from_i128(value).value.to_bits(), to_width)
        }),
        Cast::UnsignedToFloat => with_format!(to, F => {
            words(F::from_u128(bits(a)).value.to_bits(), to_width)
        }),
        Cast::FloatToFloat => {
            // Every format converts exactly to quad precision, which then rounds once.
            let mut loses = false;
            let quad: Quad = with_format!(from, F => F::from_bits(bits(a)).convert(&mut loses).value);
            with_format!(to, F => {
                let result: F = quad.convert(&mut loses).value;
                words(result.to_bits(), to_width)
            })
        }
        Cast::Truncate | Cast::ZeroExtend => unreachable!("handled above"),
    }
}

fn narrow(word: Value, k: usize, width: u32) -> Value {
    let rest = width - u32::try_from(k).expect("few words") * 64;
    Value::partial(word.bits, word.undef, rest.min(64))
}

/// The bits of `from`, cut into elements as in `to`. An element with a bit of poison is poison.
#[must_use]
pub fn repack(from: Elements, to: Elements, a: &[Value]) -> Vec<Value> {
    let mut out = vec![Value::ZERO; to.words() * to.count as usize];
    let mut poisoned = vec![None; to.count as usize];
    for bit in 0..from.count * from.width {
        let place = |run: Elements| {
            let (element, within) = (bit / run.width, bit % run.width);
            (element as usize * run.words() + within as usize / 64, within % 64)
        };
        let ((word, at), (target, to_at)) = (place(from), place(to));
        out[target].bits |= (a[word].bits >> at & 1) << to_at;
        out[target].undef |= (a[word].undef >> at & 1) << to_at;
        if a[word].is_poison() {
            poisoned[(bit / to.width) as usize] = Some(a[word]);
        }
    }
    for (element, poison) in out.chunks_mut(to.words()).zip(poisoned) {
        if let Some(poison) = poison {
            element.fill(poison);
        }
    }
    out
}
