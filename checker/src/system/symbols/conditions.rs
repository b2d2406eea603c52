//! The sets of numbers for which comparisons with constants hold and operations with constants do not
//! overflow.

use super::ranges::{Ranges, two_complement};
use crate::ir::instr::{Cast, IntCmp, IntOp};
use crate::ir::int;
use crate::ir::value::{Value, mask, signed};

/// The least and the greatest signed number.
pub const fn bounds(width: u32) -> (i128, i128) {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

/// The numbers that compare so with a constant on the right.
pub fn meeting(op: IntCmp, width: u32, constant: u64) -> Ranges {
    let (least, most) = bounds(width);
    let number = i128::from(signed(constant, width));
    let below = |end: u64| end.checked_sub(1).map_or(Ranges::NONE, |last| Ranges::from_to(0, last));
    let equal = Ranges::from_to(constant, constant);
    match op {
        IntCmp::Eq => equal,
        IntCmp::Ne => equal.complement(mask(width)),
        IntCmp::Ult => below(constant),
        IntCmp::Ule => Ranges::from_to(0, constant),
        IntCmp::Ugt => Ranges::from_to(0, constant).complement(mask(width)),
        IntCmp::Uge => below(constant).complement(mask(width)),
        IntCmp::Slt => two_complement(least, number - 1, width),
        IntCmp::Sle => two_complement(least, number, width),
        IntCmp::Sgt => two_complement(number + 1, most, width),
        IntCmp::Sge => two_complement(number, most, width),
    }
}

/// The numbers for which an operation with a constant on its right does not overflow as a signed one. `None`:
/// no such operation overflows.
pub fn signed_operands(op: IntOp, width: u32, constant: u64) -> Option<Ranges> {
    let (least, most) = bounds(width);
    let number = i128::from(signed(constant, width));
    let (low, high) = match op {
        IntOp::Add => (least - number, most - number),
        IntOp::Sub => (least + number, most + number),
        IntOp::Mul if number == 0 => (least, most),
        IntOp::Mul if number > 0 => (-(-least / number), most / number),
        IntOp::Mul => (-(most / -number), -least / -number),
        IntOp::Shl if constant < width.into() => (least >> constant, most >> constant),
        _ => return None,
    };
    Some(two_complement(low, high, width))
}

/// Like [`signed_operands`], for unsigned numbers.
pub fn unsigned_operands(op: IntOp, width: u32, constant: u64) -> Option<Ranges> {
    let most = mask(width);
    match op {
        IntOp::Add => Some(Ranges::from_to(0, most - constant)),
        IntOp::Sub => Some(Ranges::from_to(constant, most)),
        IntOp::Mul => Some(Ranges::from_to(0, most.checked_div(constant).unwrap_or(most))),
        IntOp::Shl if constant < width.into() => Some(Ranges::from_to(0, most >> constant)),
        _ => None,
    }
}

/// The numbers whose sums with two constants compare so.
pub fn comparing_sums(op: IntCmp, width: u32, a: u64, b: u64) -> Ranges {
    // Signed numbers compare as unsigned ones do with the highest bit turned round.
    let shift = if op.is_signed() { 1 << (width - 1) } else { 0 };
    // The numbers at which a sum begins at 0 again. Between them the distance of the sums is the same.
    let starts = [a, b].map(|constant| constant.wrapping_add(shift).wrapping_neg() & mask(width));
    let mut starts = vec![0, starts[0], starts[1]];
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).map(|&start| start - 1).chain([mask(width)]);
    let compares = |&(start, _): &(u64, u64)| {
        let [a, b] = [a, b].map(|constant| Value::new(start.wrapping_add(constant) & mask(width)));
        int::compare(op, width, a, b).bits == 1
    };
    Ranges::union_of(starts.iter().copied().zip(ends).filter(compares).collect())
}

/// True if all numbers of a range of `to` bits are those that come back by an extension of their `from`
/// lowest bits.
pub const fn is_kept(extension: Cast, from: u32, to: u32, low: u64, high: u64) -> bool {
    match extension {
        Cast::ZeroExtend => high <= mask(from),
        _ => {
            let (least, most) = bounds(from);
            let (low, high) = (signed(low, to) as i128, signed(high, to) as i128);
            least <= low && low <= high && high <= most
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::instr::Promises;

    const WIDTH: u32 = 4;
    const COMPARISONS: [IntCmp; 10] = [
        IntCmp::Eq,
        IntCmp::Ne,
        IntCmp::Ult,
        IntCmp::Ule,
        IntCmp::Ugt,
        IntCmp::Uge,
        IntCmp::Slt,
        IntCmp::Sle,
        IntCmp::Sgt,
        IntCmp::Sge,
    ];

    #[test]
    fn conditions_are_what_the_interpreter_says_of_every_number() {
        for (op, constant) in COMPARISONS.into_iter().flat_map(|op| (0..=mask(WIDTH)).map(move |one| (op, one))) {
            let numbers = meeting(op, WIDTH, constant);
            for number in 0..=mask(WIDTH) {
                let result = int::compare(op, WIDTH, Value::new(number), Value::new(constant));
                assert_eq!(numbers.contains(number), result.bits == 1, "{number} {op:?} {constant}");
                let swapped = int::compare(op.swapped(), WIDTH, Value::new(constant), Value::new(number));
                assert_eq!(swapped, result, "{number} {op:?} {constant}");
            }
        }
    }

    #[test]
    fn sums_compare_as_the_interpreter_says_of_every_number() {
        for (op, a) in COMPARISONS.into_iter().flat_map(|op| (0..=mask(WIDTH)).map(move |one| (op, one))) {
            for b in 0..=mask(WIDTH) {
                let numbers = comparing_sums(op, WIDTH, a, b);
                for number in 0..=mask(WIDTH) {
                    let sums = [a, b].map(|constant| Value::new((number + constant) & mask(WIDTH)));
                    let result = int::compare(op, WIDTH, sums[0], sums[1]);
                    assert_eq!(numbers.contains(number), result.bits == 1, "{number} + {a} {op:?} {number} + {b}");
                }
            }
        }
    }

    #[test]
    fn extensions_keep_what_comes_back() {
        let all = (0..=mask(6)).flat_map(|low| (low..=mask(6)).map(move |high| (low, high)));
        for (low, high) in all {
            let comes_back = |number: u64| signed(number & 15, 4).cast_unsigned() & mask(6) == number;
            let is_signed = (low..=high).all(comes_back) && signed(low, 6) <= signed(high, 6);
            assert_eq!(is_kept(Cast::SignExtend, 4, 6, low, high), is_signed, "{low} to {high}");
            assert_eq!(is_kept(Cast::ZeroExtend, 4, 6, low, high), (low..=high).all(|number| number & 15 == number));
        }
    }

    #[test]
    fn overflows_are_those_of_the_interpreter() {
        for op in [IntOp::Add, IntOp::Sub, IntOp::Mul, IntOp::Shl] {
            for constant in (0..=mask(WIDTH)).filter(|&one| op != IntOp::Shl || one < u64::from(WIDTH)) {
                for (promise, operands) in
                    [(Promises::SIGNED, signed_operands as fn(_, _, _) -> _), (Promises::UNSIGNED, unsigned_operands)]
                {
                    let numbers: Ranges = operands(op, WIDTH, constant).expect("it may overflow");
                    for number in 0..=mask(WIDTH) {
                        let result = int::promised(op, promise, WIDTH, Value::new(number), Value::new(constant));
                        let is_poison = result.expect("no division").is_poison();
                        assert_eq!(numbers.contains(number), !is_poison, "{number} {op:?} {constant} {promise:?}");
                    }
                }
            }
        }
    }
}
