//! Operations on symbols whose results are symbols again, and what a condition on the result says of the
//! operand.
//!
//! The inverse image of a set under an operation is a set of ranges; it is computed exactly or not at all.
//! The image is a superset of the results: it only serves to bound inverse images, and to count.

use super::ranges::Ranges;
use crate::ir::value::{mask, signed};

/// An operation on one number, with its operand's width and its result's width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The kind, with its constant.
    pub kind: OperationKind,
    /// The width of the operand.
    pub from: u32,
    /// The width of the result.
    pub to: u32,
}

/// The kinds of operations. A constant has the operand's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationKind {
    /// The sum with a constant, which wraps.
    Add(u64),
    /// Every bit is turned round: the number subtracted from the greatest one.
    Not,
    /// The product with a constant other than 0. For an operand that it does not overflow for.
    Multiply(u64),
    /// The quotient of the number by a constant other than 0, both unsigned.
    Divide(u64),
    /// The remainder of the number by a constant other than 0, both unsigned.
    Remainder(u64),
    /// Zero extension.
    ZeroExtend,
    /// Sign extension.
    SignExtend,
    /// The lowest bits.
    Truncate,
}

/// Repetitions of a period that an inverse image may have.
const MOST_PERIODS: u64 = 64;

impl Operation {
    /// The result for a number.
    #[must_use]
    pub const fn apply(self, number: u64) -> u64 {
        let result = match self.kind {
            OperationKind::Add(constant) => number.wrapping_add(constant),
            OperationKind::Not => !number,
            OperationKind::Multiply(constant) => number.wrapping_mul(constant),
            OperationKind::Divide(constant) => number / constant,
            OperationKind::Remainder(constant) => number % constant,
            OperationKind::ZeroExtend | OperationKind::Truncate => number,
            OperationKind::SignExtend => signed(number, self.from).cast_unsigned(),
        };
        result & mask(self.to)
    }

    /// A set that has the result for every number of a set.
    #[must_use]
    pub fn image(self, operands: &Ranges) -> Ranges {
        let most = mask(self.from);
        operands.map(|low, high| match self.kind {
            OperationKind::Add(constant) => rotated(low, high, constant, most),
            OperationKind::Not => vec![(most - high, most - low)],
            // The operands for which the product overflows are none of those that there are.
            OperationKind::Multiply(constant) => match high.checked_mul(constant).filter(|&high| high <= most) {
                Some(high) => vec![(low * constant, high)],
                None => vec![(0, most)],
            },
            OperationKind::Divide(constant) => vec![(low / constant, high / constant)],
            OperationKind::Remainder(period) => within_period(low, high, period - 1, |number| number % period),
            OperationKind::ZeroExtend => vec![(low, high)],
            OperationKind::SignExtend => {
                let half = 1 << (self.from - 1);
                let up = mask(self.to) & !most;
                [(low, high.min(half - 1)), (low.max(half) | up, high | up)]
                    .into_iter()
                    .zip([low < half, high >= half])
                    .filter_map(|(range, is_there)| is_there.then_some(range))
                    .collect()
            }
            OperationKind::Truncate => within_period(low, high, mask(self.to), |number| number & mask(self.to)),
        })
    }

    /// The numbers of a set whose results are in another one. `None`: they are too many ranges.
    #[must_use]
    pub fn inverse_image(self, results: &Ranges, operands: &Ranges) -> Option<Ranges> {
        let most = mask(self.from);
        let inverse = match self.kind {
            OperationKind::Add(constant) => {
                results.map(|low, high| rotated(low, high, constant.wrapping_neg() & most, most))
            }
            OperationKind::Not => results.map(|low, high| [(most - high, most - low)]),
            OperationKind::Multiply(constant) => results.map(|low, high| {
                (low.div_ceil(constant) <= high / constant).then(|| (low.div_ceil(constant), high / constant))
            }),
            OperationKind::Divide(constant) => results.map(|low, high| {
                let first = low.checked_mul(constant).filter(|&first| first <= most);
                let last = high.checked_mul(constant).and_then(|last| last.checked_add(constant - 1));
                first.map(|first| (first, last.unwrap_or(most).min(most)))
            }),
            OperationKind::Remainder(period) => periodic(results, operands, period.into())?,
            OperationKind::Truncate => periodic(results, operands, 1 << self.to)?,
            OperationKind::ZeroExtend => results.clone(),
            OperationKind::SignExtend => {
                let half = 1 << (self.from - 1);
                let up = mask(self.to) & !most;
                let low = results.and(&Ranges::from_to(0, half - 1));
                let high = results.and(&Ranges::from_to(half | up, mask(self.to)));
                let ranges = low.ranges().iter().copied();
                Ranges::union_of(
                    ranges.chain(high.ranges().iter().map(|&(low, high)| (low & most, high & most))).collect(),
                )
            }
        };
        Some(inverse.and(operands))
    }

    /// A number of a set for which the result is this one: the one nearest to 0 where they are few ranges.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn operand(self, operands: &Ranges, result: u64) -> u64 {
        if let Some(inverse) = self.inverse_image(&Ranges::from_to(result, result), operands)
            && let Some(operand) = inverse.simplest(self.from)
        {
            return operand;
        }
        // There are too many periods to list them all.
        let period = match self.kind {
            OperationKind::Remainder(period) => u128::from(period),
            _ => 1 << self.to,
        };
        let first = operands.ranges().iter().find_map(|&(low, high)| {
            let begin = u128::from(low) / period * period + u128::from(result);
            let number = if begin < u128::from(low) { begin + period } else { begin };
            (number <= u128::from(high)).then_some(number as u64)
        });
        first.expect("the result has an operand")
    }

    /// True if the image of a set is exactly the set of the results.
    #[must_use]
    pub const fn has_exact_image(self) -> bool {
        !matches!(self.kind, OperationKind::Multiply(_))
    }
}

/// The numbers of a range with a constant added, modulo `most + 1`.
fn rotated(low: u64, high: u64, by: u64, most: u64) -> Vec<(u64, u64)> {
    let (from, to) = (low.wrapping_add(by) & most, high.wrapping_add(by) & most);
    if from <= to && high - low == to - from { vec![(from, to)] } else { vec![(0, to), (from, most)] }
}

/// The image of a range under a function that counts from 0 to `greatest` again and again.
fn within_period(low: u64, high: u64, greatest: u64, at: impl Fn(u64) -> u64) -> Vec<(u64, u64)> {
    if high - low >= greatest {
        return vec![(0, greatest)];
    }
    let (from, to) = (at(low), at(high));
    if from <= to { vec![(from, to)] } else { vec![(0, to), (from, greatest)] }
}

/// The numbers of a set whose place in their period is in `places`.
fn periodic(places: &Ranges, numbers: &Ranges, period: u128) -> Option<Ranges> {
    let (mut found, places) = (Vec::new(), places.and(&Ranges::from_to(0, (period - 1) as u64)));
    for &(low, high) in numbers.ranges() {
        let (first, last) = (u128::from(low) / period, u128::from(high) / period);
        if last - first >= u128::from(MOST_PERIODS) {
            let is_all = places.contains(0) && places.ranges() == [(0, (period - 1) as u64)];
            if is_all {
                found.push((low, high));
                continue;
            }
            return None;
        }
        for at in first..=last {
            let place = |place: u64| at * period + u128::from(place);
            let ends = places.ranges().iter().map(|&(from, to)| (place(from), place(to)));
            // The last period may end beyond the numbers of 64 bits.
            let ends = ends.map(|(from, to)| (from.max(low.into()), to.min(high.into())));
            found.extend(ends.filter(|(from, to)| from <= to).map(|(from, to)| (from as u64, to as u64)));
        }
    }
    Some(Ranges::union_of(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some sets of numbers of so many bits.
    fn sets(width: u32) -> Vec<Ranges> {
        let most = mask(width);
        let some = [(0, most), (0, 0), (most, most), (1, 5), (3, most / 2), (most / 2 + 1, most), (most / 2, most - 1)];
        let mut sets: Vec<_> = some.iter().map(|&(low, high)| Ranges::from_to(low.min(most), high.min(most))).collect();
        sets.push(Ranges::union_of(vec![(0, 1), (4, 6), (most - 1, most)]));
        sets
    }

    fn check(kind: OperationKind, from: u32, to: u32) {
        let operation = Operation { kind, from, to };
        for operands in sets(from) {
            if let OperationKind::Multiply(constant) = kind
                && operands.greatest().is_some_and(|greatest| greatest * constant > mask(from))
            {
                continue;
            }
            let numbers = || (0..=mask(from)).filter(|&number| operands.contains(number));
            let image = operation.image(&operands);
            assert!(numbers().all(|number| image.contains(operation.apply(number))), "{operation:?} of {operands:?}");
            if operation.has_exact_image() {
                let results: std::collections::BTreeSet<_> = numbers().map(|number| operation.apply(number)).collect();
                assert_eq!(image.count(), results.len() as u128, "{operation:?} of {operands:?}: {image:?}");
            }
            for results in sets(to) {
                let inverse = operation.inverse_image(&results, &operands).expect("few ranges");
                let expected = numbers().filter(|&number| results.contains(operation.apply(number)));
                let all = (0..=mask(from)).filter(|&number| inverse.contains(number));
                assert!(all.eq(expected), "{operation:?} of {operands:?} in {results:?}: {inverse:?}");
            }
        }
    }

    #[test]
    fn images_are_what_every_single_number_becomes() {
        for constant in 0..16 {
            check(OperationKind::Add(constant), 4, 4);
            check(OperationKind::Add(constant * 3), 6, 6);
        }
        for constant in 1..16 {
            check(OperationKind::Multiply(constant), 6, 6);
            check(OperationKind::Divide(constant), 6, 6);
            check(OperationKind::Remainder(constant), 6, 6);
        }
        for width in [3, 4, 6] {
            check(OperationKind::Not, width, width);
            check(OperationKind::ZeroExtend, width, 7);
            check(OperationKind::SignExtend, width, 7);
            check(OperationKind::Truncate, 7, width);
        }
    }

    #[test]
    fn an_operand_is_found_for_every_result() {
        let all = Ranges::from_to(5, u64::MAX - 3);
        let remainder = Operation { kind: OperationKind::Remainder(10), from: 64, to: 64 };
        let low = Operation { kind: OperationKind::Truncate, from: 64, to: 32 };
        for (operation, result) in (0..10).map(|result| (remainder, result)).chain([(low, 0), (low, 4), (low, 77)]) {
            let operand = operation.operand(&all, result);
            assert!(all.contains(operand));
            assert_eq!(operation.apply(operand), result);
        }
    }

    #[test]
    fn numbers_of_64_bits_do_not_overflow() {
        let all = Ranges::from_to(0, u64::MAX);
        let operation = |kind| Operation { kind, from: 64, to: 64 };
        let top = Ranges::from_to(u64::MAX, u64::MAX);
        assert_eq!(operation(OperationKind::Add(1)).inverse_image(&Ranges::from_to(0, 0), &all), Some(top.clone()));
        assert_eq!(operation(OperationKind::Not).inverse_image(&Ranges::from_to(0, 0), &all), Some(top));
        let halves = operation(OperationKind::Divide(2));
        assert_eq!(halves.inverse_image(&Ranges::from_to(1 << 63, u64::MAX), &all), Some(Ranges::NONE));
        let last = halves.inverse_image(&Ranges::from_to(u64::MAX >> 1, u64::MAX), &all);
        assert_eq!(last, Some(Ranges::from_to(u64::MAX - 1, u64::MAX)));
        let last = u64::MAX - 20..=u64::MAX;
        for (divisor, rest) in (2..12).flat_map(|divisor| (0..divisor).map(move |rest| (divisor, rest))) {
            let remainder = operation(OperationKind::Remainder(divisor));
            let operands = Ranges::from_to(*last.start(), *last.end());
            let inverse = remainder.inverse_image(&Ranges::from_to(rest, rest), &operands).expect("few periods");
            assert!(last.clone().all(|number| inverse.contains(number) == (number % divisor == rest)), "{divisor}");
        }
        assert_eq!(operation(OperationKind::Remainder(10)).inverse_image(&Ranges::from_to(1, 1), &all), None);
        assert_eq!(operation(OperationKind::Remainder(10)).inverse_image(&Ranges::from_to(0, 9), &all), Some(all));
    }
}
