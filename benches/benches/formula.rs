//! The cost of deciding formulas: many small queries in one session, and one product. Each answer is checked.

#![allow(missing_docs)] // criterion_group makes a public function.

use criterion::{Criterion, criterion_group, criterion_main};
use rmc_formula::{Answer, Session, TermId, Terms};

/// The queries `x + y < c` and `x < c` for many `c`, of 32 bits, in one session.
fn small_queries(terms: &mut Terms, queries: u32) {
    let (x, y) = (terms.variable(0, 32), terms.variable(1, 32));
    let sum = terms.add(x, y);
    let mut session = Session::new();
    for number in 1..=queries {
        let bound = terms.constant(u128::from(number * 7919), 32);
        let assumptions = [terms.ult(sum, bound), terms.ult(x, bound)];
        assert_eq!(session.check(terms, &assumptions), Answer::Sat);
    }
}

/// `x * y == product` with 32 bits and factors of 16 bits.
fn product(terms: &mut Terms, product: u128) -> TermId {
    let (x, y) = (terms.variable(0, 16), terms.variable(1, 16));
    let (x, y) = (terms.zero_extend(x, 32), terms.zero_extend(y, 32));
    let (both, product) = (terms.mul(x, y), terms.constant(product, 32));
    terms.eq(both, product)
}

fn formulas(c: &mut Criterion) {
    c.bench_function("1000 small queries", |b| b.iter(|| small_queries(&mut Terms::new(), 1000)));
    let mut terms = Terms::new();
    let formula = product(&mut terms, 46_337 * 46_349);
    c.bench_function("factors of 16 bits", |b| {
        b.iter(|| assert_eq!(Session::new().check(&terms, &[formula]), Answer::Sat));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = formulas
}
criterion_main!(benches);
