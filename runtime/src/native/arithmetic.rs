//! The operations of `atomicrmw`, on values of 1 to 16 bytes.

use rmc_abi::RmwOp;

/// The result of operation `op` on `old` and `operand`, both `len` bytes. `None` for floating point of a
/// width other than 4 and 8.
pub(super) fn apply(op: RmwOp, len: u8, old: u128, operand: u128) -> Option<u128> {
    let bits = 8 * u32::from(len);
    let signed = |value: u128| (value << (128 - bits)) as i128;
    let new = match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => pick(signed(old) >= signed(operand), old, operand),
        RmwOp::Min => pick(signed(old) <= signed(operand), old, operand),
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
        RmwOp::FAdd => float(len, old, operand, |a, b| a + b, |a, b| a + b)?,
        RmwOp::FSub => float(len, old, operand, |a, b| a - b, |a, b| a - b)?,
        RmwOp::FMax => float(len, old, operand, f32::max, f64::max)?,
        RmwOp::FMin => float(len, old, operand, f32::min, f64::min)?,
        RmwOp::IncWrap => pick(old >= operand, 0, old.wrapping_add(1)),
        RmwOp::DecWrap => pick(old == 0 || old > operand, operand, old.wrapping_sub(1)),
    };
    Some(new & (u128::MAX >> (128 - bits)))
}

fn pick(first: bool, a: u128, b: u128) -> u128 {
    if first { a } else { b }
}

fn float(len: u8, a: u128, b: u128, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> Option<u128> {
    match len {
        4 => Some(single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into()),
        8 => Some(double(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{RmwOp, apply};

    #[track_caller]
    fn check(op: RmwOp, len: u8, old: u128, operand: u128, new: u128) {
        assert_eq!(apply(op, len, old, operand), Some(new));
    }

    #[test]
    fn operations_wrap_in_their_width() {
        check(RmwOp::Exchange, 1, 7, 9, 9);
        check(RmwOp::Add, 1, 0xff, 2, 1);
        check(RmwOp::Sub, 2, 0, 1, 0xffff);
        check(RmwOp::And, 4, 0b110, 0b011, 0b010);
        check(RmwOp::Nand, 1, 0b110, 0b011, 0xfd);
        check(RmwOp::Or, 8, 0b110, 0b011, 0b111);
        check(RmwOp::Xor, 16, u128::MAX, 1, u128::MAX - 1);
        check(RmwOp::IncWrap, 1, 3, 3, 0);
        check(RmwOp::IncWrap, 1, 2, 3, 3);
        check(RmwOp::DecWrap, 1, 0, 9, 9);
        check(RmwOp::DecWrap, 1, 10, 9, 9);
        check(RmwOp::DecWrap, 1, 9, 9, 8);
    }

    #[test]
    fn comparisons_know_their_sign() {
        check(RmwOp::Max, 1, 0xff, 1, 1);
        check(RmwOp::Min, 1, 0xff, 1, 0xff);
        check(RmwOp::UMax, 1, 0xff, 1, 0xff);
        check(RmwOp::UMin, 1, 0xff, 1, 1);
    }

    #[test]
    fn floats_have_two_widths() {
        let (a, b) = (1.5f64.to_bits().into(), 2.0f64.to_bits().into());
        check(RmwOp::FAdd, 8, a, b, 3.5f64.to_bits().into());
        check(RmwOp::FSub, 8, a, b, (-0.5f64).to_bits().into());
        check(RmwOp::FMax, 4, 1f32.to_bits().into(), 2f32.to_bits().into(), 2f32.to_bits().into());
        check(RmwOp::FMin, 8, a, b, a);
        assert_eq!(apply(RmwOp::FAdd, 2, 0, 0), None);
    }
}
