//! What no execution of a program reached.

use serde::{Deserialize, Serialize};

use super::Place;

/// What was reached of the user's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// How many assertions the program has.
    pub assertions: u64,
    /// Those that no execution reaches.
    pub missed_assertions: Vec<Place>,
    /// How many lines have code.
    pub lines: u64,
    /// Those that no execution reaches.
    pub missed_lines: Vec<Place>,
    /// The functions that are never called.
    pub uncalled: Vec<UncalledFunction>,
}

/// A function that is never called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncalledFunction {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
}

impl Coverage {
    /// Whether the program has assertions and none of them is reached.
    #[must_use]
    pub fn asserts_nothing(&self) -> bool {
        self.assertions > 0 && self.missed_assertions.len() as u64 == self.assertions
    }
}
