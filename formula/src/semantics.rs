//! The value of one operator, given the values of its operands.
//!
//! This is the only place that says what an operator means: constructors fold constants with it, models are
//! evaluated with it. Values are unsigned; the bits above a term's width are 0.
//!
//! Tests: `formula/tests/operators.rs` compares with arithmetic of its own.

use crate::term::{MAX_WIDTH, Term, TermId, Terms};

/// The number with the lowest `width` bits set.
///
/// # Panics
/// If the width is not within 1 to [`MAX_WIDTH`].
pub(crate) fn mask(width: u32) -> u128 {
    assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bits");
    u128::MAX >> (MAX_WIDTH - width)
}

/// The number of `width` bits whose highest bit alone is set: the least in two's complement.
pub(crate) fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// The meaning of `width` bits in two's complement.
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    (value << (MAX_WIDTH - width)).cast_signed() >> (MAX_WIDTH - width)
}

/// The value of `term`, from the values of its operands and of variables.
pub(crate) fn apply(
    terms: &Terms,
    term: Term,
    value_of: impl Fn(TermId) -> u128,
    variable: impl Fn(u32) -> u128,
) -> u128 {
    let all = |one: TermId| mask(terms.width(one));
    let signed_of = |one: TermId| signed(value_of(one), terms.width(one));
    match term {
        Term::Constant { value, .. } => value,
        Term::Variable { width, number } => variable(number) & mask(width),
        Term::Not(a) => !value_of(a) & all(a),
        Term::And(a, b) => value_of(a) & value_of(b),
        Term::Xor(a, b) => value_of(a) ^ value_of(b),
        Term::Neg(a) => value_of(a).wrapping_neg() & all(a),
        Term::Add(a, b) => value_of(a).wrapping_add(value_of(b)) & all(a),
        Term::Mul(a, b) => value_of(a).wrapping_mul(value_of(b)) & all(a),
        Term::Udiv(a, b) => value_of(a).checked_div(value_of(b)).unwrap_or(all(a)),
        Term::Urem(a, b) => value_of(a).checked_rem(value_of(b)).unwrap_or(value_of(a)),
        Term::Shl(a, b) => amount(terms, b, value_of(b)).map_or(0, |by| (value_of(a) << by) & all(a)),
        Term::Lshr(a, b) => amount(terms, b, value_of(b)).map_or(0, |by| value_of(a) >> by),
        Term::Ashr(a, b) => {
            let by = amount(terms, b, value_of(b)).unwrap_or(terms.width(a) - 1);
            (signed_of(a) >> by).cast_unsigned() & all(a)
        }
        Term::Eq(a, b) => (value_of(a) == value_of(b)).into(),
        Term::Ult(a, b) => (value_of(a) < value_of(b)).into(),
        Term::Slt(a, b) => (signed_of(a) < signed_of(b)).into(),
        Term::Ite(condition, a, b) => value_of(if value_of(condition) == 1 { a } else { b }),
        Term::Concat(high, low) => value_of(high) << terms.width(low) | value_of(low),
        Term::Extract { term, low, width } => value_of(term) >> low & mask(width),
        Term::SignExtend { term, width } => signed_of(term).cast_unsigned() & mask(width),
    }
}

/// The amount of a shift; `None` if it is not below the width.
fn amount(terms: &Terms, by: TermId, value: u128) -> Option<u32> {
    u32::try_from(value).ok().filter(|&value| value < terms.width(by))
}
