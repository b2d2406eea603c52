//! The operations of `atomicrmw`, on values of 1 to 16 bytes.
//!
//! Numbers are those of `rmc.abi.v1`; meanings are those of the LLVM 16 language reference, "atomicrmw
//! Instruction".

/// The new value: operation `op` of `old` and `operand`, both `len` bytes. `None` for a number that is no
/// operation, and floating point of a width other than 4 and 8.
pub(super) fn apply(op: u32, len: u8, old: u128, operand: u128) -> Option<u128> {
    let bits = 8 * u32::from(len);
    let signed = |value: u128| (value << (128 - bits)) as i128;
    let new = match op {
        0 => operand,
        1 => old.wrapping_add(operand),
        2 => old.wrapping_sub(operand),
        3 => old & operand,
        4 => !(old & operand),
        5 => old | operand,
        6 => old ^ operand,
        7 => pick(signed(old) >= signed(operand), old, operand),
        8 => pick(signed(old) <= signed(operand), old, operand),
        9 => old.max(operand),
        10 => old.min(operand),
        11 => float(len, old, operand, |a, b| a + b, |a, b| a + b)?,
        12 => float(len, old, operand, |a, b| a - b, |a, b| a - b)?,
        13 => float(len, old, operand, f32::max, f64::max)?,
        14 => float(len, old, operand, f32::min, f64::min)?,
        15 => pick(old >= operand, 0, old.wrapping_add(1)),
        16 => pick(old == 0 || old > operand, operand, old.wrapping_sub(1)),
        _ => return None,
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
    use super::apply;

    #[track_caller]
    fn check(op: u32, len: u8, old: u128, operand: u128, new: u128) {
        assert_eq!(apply(op, len, old, operand), Some(new));
    }

    #[test]
    fn operations_wrap_in_their_width() {
        check(0, 1, 7, 9, 9);
        check(1, 1, 0xff, 2, 1);
        check(2, 2, 0, 1, 0xffff);
        check(3, 4, 0b110, 0b011, 0b010);
        check(4, 1, 0b110, 0b011, 0xfd);
        check(5, 8, 0b110, 0b011, 0b111);
        check(6, 16, u128::MAX, 1, u128::MAX - 1);
        check(15, 1, 3, 3, 0);
        check(15, 1, 2, 3, 3);
        check(16, 1, 0, 9, 9);
        check(16, 1, 10, 9, 9);
        check(16, 1, 9, 9, 8);
    }

    #[test]
    fn comparisons_know_their_sign() {
        check(7, 1, 0xff, 1, 1);
        check(8, 1, 0xff, 1, 0xff);
        check(9, 1, 0xff, 1, 0xff);
        check(10, 1, 0xff, 1, 1);
    }

    #[test]
    fn floats_have_two_widths() {
        let (a, b) = (1.5f64.to_bits().into(), 2.0f64.to_bits().into());
        check(11, 8, a, b, 3.5f64.to_bits().into());
        check(12, 8, a, b, (-0.5f64).to_bits().into());
        check(13, 4, 1f32.to_bits().into(), 2f32.to_bits().into(), 2f32.to_bits().into());
        check(14, 8, a, b, a);
        assert_eq!(apply(11, 2, 0, 0), None);
        assert_eq!(apply(17, 4, 0, 0), None);
    }
}
