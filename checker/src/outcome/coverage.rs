//! Coverage: the assertions, lines and functions that no execution of a program reached.

use serde::{Deserialize, Serialize};

use super::Place;

/// The coverage of the user's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The number of assertions in the program.
    pub assertions: u64,
    /// The assertions that no execution reaches.
    pub missed_assertions: Vec<Place>,
    /// The number of lines that have code.
    pub lines: u64,
    /// The lines with code that no execution reaches.
    pub missed_lines: Vec<Place>,
    /// The functions that are never called.
    pub uncalled: Vec<UncalledFunction>,
}

/// A function that is never called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncalledFunction {
    /// Its name.
    pub name: String,
    /// The place of its definition.
    pub place: Place,
}

impl Coverage {
    /// True if the program has assertions and no execution reaches any of them.
    #[must_use]
    pub fn asserts_nothing(&self) -> bool {
        self.assertions > 0 && self.missed_assertions.len() as u64 == self.assertions
    }
}
