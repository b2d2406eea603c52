//! The histories that the reads-from engine decided.

use serde::{Deserialize, Serialize};

/// Decisions whether the memory model allows a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct HistoryChecks {
    pub allowed: u64,
    pub forbidden: u64,
    /// Of the forbidden ones, those with a cycle of forced orders, for which no prefixes were searched.
    pub forbidden_by_closure: u64,
    /// Events of all these histories.
    pub events: u64,
}

impl HistoryChecks {
    /// The number of decisions.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.allowed + self.forbidden
    }

    /// The sum of the decisions of two workers.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self {
            allowed: self.allowed + other.allowed,
            forbidden: self.forbidden + other.forbidden,
            forbidden_by_closure: self.forbidden_by_closure + other.forbidden_by_closure,
            events: self.events + other.events,
        }
    }

    /// Events of a history on average.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        self.events as f64 / self.count().max(1) as f64
    }

    /// The numbers with their names, for tables.
    #[must_use]
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        vec![
            ("histories that the model allows", self.allowed.to_string()),
            ("histories that it forbids", self.forbidden.to_string()),
            ("of these, by a cycle of forced orders", self.forbidden_by_closure.to_string()),
            ("events of a history, on average", format!("{:.1}", self.mean_length())),
        ]
    }
}
