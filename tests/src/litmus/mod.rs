//! The litmus suite: shapes as data, their variants, and a C program for each shape that holds all of its
//! variants.
//!
//! `shape` reads `tests/litmus/shapes.txt`, `variant` places fences and exchanges, `c_program` writes the C
//! that the checker gets, `expected` asks the textbook machine for the outcomes. An outcome is a list of
//! numbers in an order that `Layout` defines, the same on both sides.

pub mod c_program;
pub mod expected;
pub mod shape;
pub mod variant;

use shape::Operation;
use variant::Test;

/// The result of an execution: for each thread the digits of the values it read, then the final values of the
/// variables.
pub type Outcome = Vec<u64>;

/// Base of the digits: more than any value a shape stores.
pub const DIGIT: u64 = 8;

/// The names of the entries of an [`Outcome`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of threads.
    pub threads: usize,
    /// The variables, in alphabetical order.
    pub variables: Vec<char>,
}

impl Layout {
    /// The layout of all outcomes of `test`.
    pub fn of(test: &Test) -> Layout {
        let mut variables: Vec<char> = test.threads.iter().flatten().filter_map(Operation::variable).collect();
        variables.sort_unstable();
        variables.dedup();
        Layout { threads: test.threads.len(), variables }
    }

    /// Names of global variables in the C program, in the order of an outcome.
    pub fn globals(&self) -> Vec<String> {
        let results = (0..self.threads).map(|thread| format!("result{thread}"));
        results.chain(self.variables.iter().map(char::to_string)).collect()
    }
}

/// The values that a thread read as one number, one digit for each value, the first one in the highest digit.
pub fn digits(read: impl IntoIterator<Item = u64>) -> u64 {
    read.into_iter().fold(0, |number, value| number * DIGIT + value)
}
