//! Every operator, with all values of its operands at small widths: constants fold to the reference's value,
//! terms evaluate to it, and the solver knows exactly it.

mod common;

use common::{BINARY, Binary, modulus, signed, wrap};
use rmc_formula::{Answer, Evaluator, Session, TermId, Terms};

/// The term `x <operator> y` over variables 0 and 1, in its own arena.
struct Operation {
    terms: Terms,
    x: TermId,
    y: TermId,
    result: TermId,
}

fn operation(operator: &Binary, width: u32) -> Operation {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, width), terms.variable(1, width));
    let result = (operator.build)(&mut terms, x, y);
    Operation { terms, x, y, result }
}

/// All pairs of values of a width.
fn pairs(width: u32) -> impl Iterator<Item = (u128, u128)> {
    (0..modulus(width)).flat_map(move |a| (0..modulus(width)).map(move |b| (a, b)))
}

/// Asserts that with `inputs`, all equations, a term has one value in all models.
#[track_caller]
fn check_only_value(session: &mut Session, terms: &mut Terms, inputs: &[(TermId, u128)], term: TermId, value: u128) {
    let mut equation = |term, value| {
        let value = terms.constant(value, terms.width(term));
        terms.eq(term, value)
    };
    let mut assumptions: Vec<TermId> = inputs.iter().map(|&(term, value)| equation(term, value)).collect();
    let is_value = equation(term, value);
    assumptions.push(is_value);
    assert_eq!(session.check(terms, &assumptions), Answer::Sat, "{inputs:?} -> {value}");
    assert_eq!(session.value(terms, term), value);
    assumptions.pop();
    let is_other = terms.not(is_value);
    assumptions.push(is_other);
    assert_eq!(session.check(terms, &assumptions), Answer::Unsat, "{inputs:?} -> {value} only");
}

#[test]
fn constants_fold_and_terms_evaluate() {
    for operator in &BINARY {
        for width in 1..=5 {
            let Operation { mut terms, x, y, result } = operation(operator, width);
            for (a, b) in pairs(width) {
                let expected = (operator.value)(a, b, width);
                let values = [a, b];
                let (a, b) = (terms.constant(a, width), terms.constant(b, width));
                let folded = (operator.build)(&mut terms, a, b);
                assert_eq!(terms.as_constant(folded), Some(expected), "{} {values:?} {width}", operator.name);
                let half = [(operator.build)(&mut terms, x, b), (operator.build)(&mut terms, a, y), result];
                let mut evaluator = Evaluator::new(&terms, |number| values[number as usize]);
                for term in half {
                    assert_eq!(evaluator.value(term), expected, "{} {values:?} {width}", operator.name);
                }
            }
        }
    }
}

#[test]
fn the_solver_knows_the_value() {
    for operator in &BINARY {
        for width in 1..=4 {
            let Operation { mut terms, x, y, result } = operation(operator, width);
            let mut session = Session::new();
            for (a, b) in pairs(width) {
                let expected = (operator.value)(a, b, width);
                check_only_value(&mut session, &mut terms, &[(x, a), (y, b)], result, expected);
            }
        }
    }
}

#[test]
fn the_solver_knows_the_value_with_a_constant() {
    let width = 3;
    for operator in &BINARY {
        let Operation { mut terms, x, y, .. } = operation(operator, width);
        let mut session = Session::new();
        for (a, b) in pairs(width) {
            let expected = (operator.value)(a, b, width);
            let (left, right) = (terms.constant(a, width), terms.constant(b, width));
            let of_x = (operator.build)(&mut terms, x, right);
            check_only_value(&mut session, &mut terms, &[(x, a)], of_x, expected);
            let of_y = (operator.build)(&mut terms, left, y);
            check_only_value(&mut session, &mut terms, &[(y, b)], of_y, expected);
        }
    }
}

#[test]
fn operators_with_one_operand() {
    for width in 1..=4 {
        let mut terms = Terms::new();
        let mut session = Session::new();
        let x = terms.variable(0, width);
        let (not, neg) = (terms.not(x), terms.neg(x));
        for value in 0..modulus(width) {
            let inputs = [(x, value)];
            check_only_value(&mut session, &mut terms, &inputs, not, modulus(width) - 1 - value);
            check_only_value(&mut session, &mut terms, &inputs, neg, wrap(-(value as i128), width));
            for wider in width..=width + 2 {
                let (zeros, signs) = (terms.zero_extend(x, wider), terms.sign_extend(x, wider));
                check_only_value(&mut session, &mut terms, &inputs, zeros, value);
                check_only_value(&mut session, &mut terms, &inputs, signs, wrap(signed(value, width), wider));
            }
            for low in 0..width {
                for bits in 1..=width - low {
                    let part = terms.extract(x, low, bits);
                    check_only_value(&mut session, &mut terms, &inputs, part, value >> low & (modulus(bits) - 1));
                }
            }
        }
    }
}

#[test]
fn choices_and_concatenations() {
    let mut terms = Terms::new();
    let mut session = Session::new();
    let (c, x, y) = (terms.variable(2, 1), terms.variable(0, 2), terms.variable(1, 2));
    let (choice, both) = (terms.ite(c, x, y), terms.concat(x, y));
    for (a, b) in pairs(2) {
        check_only_value(&mut session, &mut terms, &[(x, a), (y, b)], both, a * 4 + b);
        for condition in 0..2 {
            let chosen = if condition == 1 { a } else { b };
            check_only_value(&mut session, &mut terms, &[(c, condition), (x, a), (y, b)], choice, chosen);
        }
    }
}

#[test]
fn wide_numbers() {
    let (a, b) = (0x9e37_79b9_7f4a_7c15_u64, 0x0000_0001_d2b5_4a33_u64);
    let (first, second) = (a.cast_signed(), b.cast_signed());
    let expected = [
        ("mul", a.wrapping_mul(b)),
        ("udiv", a / b),
        ("urem", a % b),
        ("sdiv", (first / second).cast_unsigned()),
        ("srem", (first % second).cast_unsigned()),
        ("sub", b.wrapping_sub(a).wrapping_neg()),
    ];
    for (name, expected) in expected {
        let operator = BINARY.iter().find(|one| one.name == name).expect("an operator");
        let Operation { mut terms, x, y, result } = operation(operator, 64);
        let mut session = Session::new();
        check_only_value(&mut session, &mut terms, &[(x, a.into()), (y, b.into())], result, expected.into());
    }
}

#[test]
fn the_widest_numbers() {
    let mut terms = Terms::new();
    let mut session = Session::new();
    let (x, y) = (terms.variable(0, 64), terms.variable(1, 64));
    let (wide_x, wide_y) = (terms.zero_extend(x, 128), terms.zero_extend(y, 128));
    let product = terms.mul(wide_x, wide_y);
    let (a, b) = (u128::from(u64::MAX), u128::from(u64::MAX - 58));
    check_only_value(&mut session, &mut terms, &[(x, a), (y, b)], product, a * b);
    let z = terms.variable(2, 128);
    let (negated, inverted) = (terms.neg(z), terms.not(z));
    let shifted = terms.ashr(z, wide_x);
    let inputs = [(z, u128::MAX - 5), (x, 127)];
    check_only_value(&mut session, &mut terms, &inputs, negated, 6);
    check_only_value(&mut session, &mut terms, &inputs, inverted, 5);
    check_only_value(&mut session, &mut terms, &inputs, shifted, u128::MAX);
}

#[test]
#[should_panic(expected = "operands of 8 and 16 bits")]
fn operands_have_one_width() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 8), terms.variable(1, 16));
    terms.add(x, y);
}
