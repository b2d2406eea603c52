//! Sessions: what is asserted stays, what is assumed does not; limits, and misuse.

use std::sync::atomic::{AtomicU32, Ordering};

use rmc_formula::{Answer, Evaluator, Least, Session, TermId, Terms};

/// `x * y == c` for factors of half the width, neither of them 1.
fn factors(terms: &mut Terms, width: u32, product: u128) -> (TermId, TermId, TermId) {
    let (x, y) = (terms.variable(0, width / 2), terms.variable(1, width / 2));
    let (wide_x, wide_y) = (terms.zero_extend(x, width), terms.zero_extend(y, width));
    let (both, product) = (terms.mul(wide_x, wide_y), terms.constant(product, width));
    let is_product = terms.eq(both, product);
    let one = terms.constant(1, width / 2);
    let (x_above, y_above) = (terms.ult(one, x), terms.ult(one, y));
    let are_above = terms.and(x_above, y_above);
    (terms.and(is_product, are_above), x, y)
}

#[test]
fn a_product_is_factored() {
    let mut terms = Terms::new();
    let (formula, x, y) = factors(&mut terms, 24, 3989 * 4001);
    let mut session = Session::new();
    session.assert(&terms, formula);
    assert_eq!(session.least(&mut terms, x, &[]), Least::Value(3989));
    assert_eq!(session.value(&terms, y), 4001);
}

#[test]
fn a_prime_has_no_factors() {
    let mut terms = Terms::new();
    let (formula, ..) = factors(&mut terms, 16, 64007);
    assert_eq!(Session::new().check(&terms, &[formula]), Answer::Unsat);
}

#[test]
fn a_limit_interrupts_a_query_and_is_lifted() {
    let mut terms = Terms::new();
    let (formula, ..) = factors(&mut terms, 20, 1_048_573);
    let mut session = Session::new();
    session.set_conflict_limit(Some(1));
    assert_eq!(session.check(&terms, &[formula]), Answer::Interrupted);
    assert_eq!(session.least(&mut terms, formula, &[formula]), Least::Interrupted);
    session.set_conflict_limit(None);
    assert_eq!(session.check(&terms, &[formula]), Answer::Unsat);
}

#[test]
fn the_caller_interrupts_a_query() {
    let mut terms = Terms::new();
    let (formula, ..) = factors(&mut terms, 60, (1 << 60) - 173);
    let mut session = Session::new();
    let asked = AtomicU32::new(0);
    session.interrupt_when(move || asked.fetch_add(1, Ordering::Relaxed) > 3);
    assert_eq!(session.check(&terms, &[formula]), Answer::Interrupted);
}

#[test]
fn assumptions_end_with_the_query() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 8), terms.variable(1, 8));
    let (less, more) = (terms.ult(x, y), terms.ult(y, x));
    let mut session = Session::new();
    assert_eq!(session.check(&terms, &[less, more]), Answer::Unsat);
    assert_eq!(session.failed(), [less, more]);
    assert_eq!(session.check(&terms, &[more]), Answer::Sat);
    session.assert(&terms, less);
    assert_eq!(session.check(&terms, &[more]), Answer::Unsat);
    assert_eq!(session.check(&terms, &[]), Answer::Sat);
    assert!(session.value(&terms, x) < session.value(&terms, y));
    let never = terms.boolean(false);
    session.assert(&terms, never);
    assert_eq!(session.check(&terms, &[]), Answer::Unsat);
    assert_eq!(session.failed(), []);
}

#[test]
fn a_term_is_translated_once() {
    let mut terms = Terms::new();
    let (formula, x, y) = factors(&mut terms, 16, 143);
    let mut session = Session::new();
    session.check(&terms, &[formula]);
    let (variables, clauses) = (session.variables(), session.clauses());
    assert!(variables > 16 && clauses > 0);
    let (_, again, _) = factors(&mut terms, 16, 143);
    let (wide_x, wide_y) = (terms.zero_extend(again, 16), terms.zero_extend(y, 16));
    let product = terms.mul(wide_y, wide_x);
    let bit = terms.extract(product, 0, 1);
    assert_eq!((again, session.check(&terms, &[formula, bit])), (x, Answer::Sat));
    assert_eq!((session.variables(), session.clauses()), (variables, clauses));
}

#[test]
fn deep_terms_need_no_stack() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 8), terms.variable(1, 8));
    let (mut left, mut right) = (x, y);
    for number in 0..20_000 {
        let part = terms.variable(2 + number % 7, 8);
        (left, right) = (terms.add(left, part), terms.add(right, part));
        (left, right) = (terms.xor(left, part), terms.xor(right, part));
    }
    // Equality cancels what is done to both.
    let (whole, parts) = (terms.eq(left, right), terms.eq(x, y));
    assert_eq!(whole, parts);
    // With odd parts only, the lowest bit changes nowhere: x + 1 ^ 1 is even if x is.
    assert_eq!(Evaluator::new(&terms, |number| u128::from(number > 1)).value(left) % 2, 0);
    let zero = terms.constant(0, 8);
    let is_zero = terms.eq(left, zero);
    let mut session = Session::new();
    session.interrupt_when(|| true);
    assert_eq!(session.check(&terms, &[is_zero]), Answer::Interrupted);
    assert!(session.variables() > 100_000);
}

#[test]
fn earlier_queries_do_not_burden_later_ones() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 16), terms.variable(1, 16));
    let less = terms.ult(x, y);
    let mut session = Session::new();
    session.interrupt_when(|| false);
    session.assert(&terms, less);
    let mut greatest = 0;
    for number in 2..500 {
        let (other, product) = (terms.variable(number, 16), terms.constant(number.into(), 16));
        let sum = terms.add(y, other);
        let (is_sum, is_zero) = (terms.eq(sum, product), terms.eq(x, other));
        assert_eq!(session.check(&terms, &[is_sum, is_zero]), Answer::Sat);
        let [a, b, c] = [x, y, other].map(|term| session.value(&terms, term));
        assert!(a < b && a == c && (b + c) % (1 << 16) == number.into());
        let more = terms.ule(y, x);
        assert_eq!(session.check(&terms, &[more]), Answer::Unsat);
        assert_eq!(session.failed(), [more]);
        greatest = greatest.max(session.variables());
    }
    assert!(greatest < 1500, "{greatest} variables");
}

#[test]
#[should_panic(expected = "the last query found no model")]
fn values_need_a_model() {
    let mut terms = Terms::new();
    let x = terms.variable(0, 8);
    let mut session = Session::new();
    assert_eq!(session.check(&terms, &[]), Answer::Sat);
    let never = terms.boolean(false);
    session.assert(&terms, never);
    let _ = session.value(&terms, x);
}

#[test]
#[should_panic(expected = "a term of another arena")]
fn arenas_are_not_mixed() {
    let (mut terms, mut others) = (Terms::new(), Terms::new());
    let (x, y) = (terms.variable(0, 1), others.variable(0, 1));
    let mut session = Session::new();
    session.assert(&terms, x);
    session.assert(&others, y);
}

#[test]
#[should_panic(expected = "variable 0 has 8 bits, not 16")]
fn a_variable_has_one_width() {
    let mut terms = Terms::new();
    terms.variable(0, 8);
    terms.variable(0, 16);
}
