//! Random terms against the reference and against enumeration.

mod common;

use std::rc::Rc;

use common::{Expression, Generator, assignments};
use proptest::collection::vec;
use proptest::prelude::*;
use rmc_formula::{Answer, Evaluator, Least, Session, TermId, Terms};

const SMALL: [u32; 3] = [3, 2, 2];
const WIDE: [u32; 3] = [8, 5, 1];

/// Formulas of 1 bit over variables of [`SMALL`] widths.
fn formulas(choices: &[Vec<u8>]) -> Vec<Rc<Expression>> {
    choices.iter().map(|choices| Generator::new(choices, &SMALL, 4).expression(1, 5)).collect()
}

/// The assignments under which all of some formulas are 1.
fn models(formulas: &[Rc<Expression>]) -> Vec<Vec<u128>> {
    let mut all = assignments(&SMALL);
    all.retain(|values| formulas.iter().all(|one| one.value(values) == 1));
    all
}

/// Asserts that the answer to a query is right, and the model or the failed assumptions.
#[track_caller]
fn check_query(
    session: &mut Session,
    terms: &Terms,
    asserted: &[(Rc<Expression>, TermId)],
    assumed: &[(Rc<Expression>, TermId)],
) {
    let ids: Vec<TermId> = assumed.iter().map(|(_, id)| *id).collect();
    let all: Vec<_> = asserted.iter().chain(assumed).map(|(expression, _)| Rc::clone(expression)).collect();
    match session.check(terms, &ids) {
        Answer::Sat => {
            // The arena knows the variables that are left after simplification; the others do not matter.
            let model: Vec<u128> = (0..).zip(SMALL).map(|(number, _)| model_of(session, terms, number)).collect();
            assert!(all.iter().all(|one| one.value(&model) == 1), "{model:?} is no model");
        }
        Answer::Unsat => {
            assert_eq!(models(&all), [[0; 0]; 0], "there is a model");
            let failed = session.failed();
            let is_failed = |id: &TermId| failed.contains(id);
            let core = assumed.iter().filter(|(_, id)| is_failed(id)).chain(asserted);
            let core: Vec<_> = core.map(|(expression, _)| Rc::clone(expression)).collect();
            assert_eq!(models(&core), [[0; 0]; 0], "the failed assumptions have a model");
        }
        Answer::Interrupted => panic!("nobody interrupted the query"),
    }
}

fn model_of(session: &Session, terms: &Terms, number: usize) -> u128 {
    session.value(terms, variables(terms)[number])
}

/// The variables, which [`arena`] made first.
fn variables(terms: &Terms) -> Vec<TermId> {
    terms.variables().collect()
}

fn arena() -> Terms {
    let mut terms = Terms::new();
    for (number, width) in (0..).zip(SMALL) {
        terms.variable(number, width);
    }
    terms
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplified_terms_mean_the_same(
        choices in vec(any::<u8>(), 0..120),
        width in 1_u32..=8,
        values in vec((0_u128..256, 0_u128..32, 0_u128..2), 24),
    ) {
        let expression = Generator::new(&choices, &WIDE, 8).expression(width, 6);
        let mut terms = Terms::new();
        let term = expression.build(&mut terms);
        prop_assert_eq!(terms.width(term), width);
        for (a, b, c) in values {
            let values = [a, b, c];
            let value = Evaluator::new(&terms, |number| values[number as usize]).value(term);
            prop_assert_eq!(value, expression.value(&values), "{:?} under {:?}", &expression, values);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn queries_are_answered_as_by_enumeration(choices in vec(vec(any::<u8>(), 0..60), 4)) {
        let mut terms = arena();
        let formulas = formulas(&choices);
        let ids: Vec<TermId> = formulas.iter().map(|one| one.build(&mut terms)).collect();
        let formulas: Vec<_> = formulas.into_iter().zip(ids).collect();
        let mut session = Session::new();
        for asserted in 0..formulas.len() {
            for subset in 0..1 << (formulas.len() - asserted) {
                let is_in = |at: &usize| subset >> at & 1 == 1;
                let assumed = formulas[asserted..].iter().enumerate().filter(|(at, _)| is_in(at));
                let assumed: Vec<_> = assumed.map(|(_, (one, id))| (Rc::clone(one), *id)).collect();
                check_query(&mut session, &terms, &formulas[..asserted], &assumed);
            }
            session.assert(&terms, formulas[asserted].1);
        }
        check_query(&mut session, &terms, &formulas, &[]);
    }

    #[test]
    fn the_least_value_is_that_of_enumeration(
        choices in vec(vec(any::<u8>(), 0..60), 2),
        target in vec(any::<u8>(), 0..40),
    ) {
        let mut terms = arena();
        let formulas = formulas(&choices);
        let target = Generator::new(&target, &SMALL, 4).expression(4, 4);
        let ids: Vec<TermId> = formulas.iter().map(|one| one.build(&mut terms)).collect();
        let term = target.build(&mut terms);
        let mut session = Session::new();
        session.assert(&terms, ids[0]);
        let expected = models(&formulas).iter().map(|values| target.value(values)).min();
        let least = session.least(&mut terms, term, &ids[1..]);
        prop_assert_eq!(least, expected.map_or(Least::Unsat, Least::Value));
        if let Some(expected) = expected {
            prop_assert_eq!(session.value(&terms, term), expected);
            let model: Vec<u128> = (0..SMALL.len()).map(|number| model_of(&session, &terms, number)).collect();
            prop_assert!(formulas.iter().all(|one| one.value(&model) == 1));
        }
    }
}
