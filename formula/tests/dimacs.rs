//! The clauses as text, read by a small parser and decided by the solver.

use cadical::Solver;
use rmc_formula::{Terms, dimacs};

/// The text of the clauses for `x * y == product` and `1 < x`, with 4 bits.
fn clauses(product: u128) -> String {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 4), terms.variable(7, 4));
    let (both, product, one) = (terms.mul(x, y), terms.constant(product, 4), terms.constant(1, 4));
    let (is_product, is_above) = (terms.eq(both, product), terms.ult(one, x));
    let even = terms.constant(2, 4);
    let is_even = terms.eq(x, even);
    let mut text = Vec::new();
    dimacs::write(&terms, &[is_product, is_above, is_even], &mut text).expect("writing to memory");
    String::from_utf8(text).expect("text")
}

/// The numbers in a line.
fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// The solver with the clauses of a text, whose header must be right.
fn read(text: &str) -> Solver {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header = lines.next().expect("a header").strip_prefix("p cnf ").expect("the header of a CNF");
    let clauses: Vec<Vec<i32>> = lines.map(numbers).collect();
    let greatest = clauses.iter().flatten().map(|number| number.abs()).max().expect("a variable");
    let count = i32::try_from(clauses.len()).expect("few clauses");
    assert_eq!(numbers(header), [greatest, count]);
    let mut solver = Solver::new();
    for clause in clauses {
        let (end, literals) = clause.split_last().expect("the end of a clause");
        assert!(*end == 0 && !literals.contains(&0));
        solver.add_clause(literals.iter().copied());
    }
    solver
}

/// The value of a variable that a comment names.
fn value(text: &str, solver: &Solver, number: u32) -> u32 {
    let name = format!("c variable {number}: ");
    let bits = text.lines().find_map(|line| line.strip_prefix(&name)).expect("a comment");
    numbers(bits).iter().rev().fold(0, |value, &bit| value * 2 + u32::from(solver.value(bit) == Some(true)))
}

#[test]
fn comments_name_the_bits_of_a_model() {
    let text = clauses(6);
    let mut solver = read(&text);
    assert_eq!(solver.solve(), Some(true));
    let (x, y) = (value(&text, &solver, 0), value(&text, &solver, 7));
    assert_eq!((x, x * y % 16), (2, 6));
}

#[test]
fn clauses_without_a_model() {
    // Twice a number is not odd.
    assert_eq!(read(&clauses(7)).solve(), Some(false));
}
