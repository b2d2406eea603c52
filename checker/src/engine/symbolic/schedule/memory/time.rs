//! Times in unary: as many ones, from the lowest bit, as the time. All terms of a formula have as many bits
//! as there are times, and the time that has all bits is never reached.
//!
//! There are few times, and chains of comparisons between unknown ones. In unary each bit of a comparison
//! is a clause of its own, so what is known of one time reaches all others of the chain; and a comparison
//! with a known time is one bit. In binary the solver has to learn that: all results of a random program of
//! 8 events in 7 rounds took 38 s, with 7 times, and take 6 s.

use rmc_formula::{MAX_WIDTH, TermId};

use crate::engine::symbolic::schedule::formula::Formula;

/// The greatest number of times.
pub const MAX_TIMES: u32 = MAX_WIDTH - 1;

/// The first time.
pub fn first(f: &mut Formula, times: u32) -> TermId {
    f.terms.constant(0, times)
}

/// The time that is never reached.
pub fn never(f: &mut Formula, times: u32) -> TermId {
    f.terms.constant(u128::MAX, times)
}

/// A time that is not known and is reached.
pub fn fresh(f: &mut Formula, times: u32) -> TermId {
    let ones = f.fresh(times - 1);
    for bit in 2..times {
        let (lower, higher) = (f.terms.extract(ones, bit - 2, 1), f.terms.extract(ones, bit - 1, 1));
        f.assert_implied(&[higher], lower);
    }
    f.terms.zero_extend(ones, times)
}

/// `first <= second`.
pub fn is_not_after(f: &mut Formula, first: TermId, second: TermId) -> TermId {
    let is_later = is_before(f, second, first);
    f.terms.not(is_later)
}

/// `first < second`.
pub fn is_before(f: &mut Formula, first: TermId, second: TermId) -> TermId {
    let rest = f.terms.not(first);
    let between = f.terms.and(second, rest);
    let none = f.terms.constant(0, f.terms.width(between));
    f.terms.ne(between, none)
}

/// Demands `first <= second` if the premises hold.
pub fn assert_not_after(f: &mut Formula, premises: &[TermId], first: TermId, second: TermId) {
    for bit in 0..f.terms.width(first) {
        let (first, second) = (f.terms.extract(first, bit, 1), f.terms.extract(second, bit, 1));
        let rest = f.terms.not(first);
        let is_ordered = f.terms.or(rest, second);
        f.assert_implied(premises, is_ordered);
    }
}
