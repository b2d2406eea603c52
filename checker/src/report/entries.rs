//! The report of several programs that differ in the function in which they begin, schema `rmc.entries.v1`.
//!
//! Tests: `tests/tests/entries.rs`.

use serde::Serialize;

use super::json::Report;

/// The name of the format.
pub const SCHEMA: &str = "rmc.entries.v1";

/// The reports of several entries, in the order in which they were checked.
#[derive(Debug, Serialize)]
pub struct Entries<'r> {
    schema: &'static str,
    entries: &'r [EntryReport],
}

/// The report of a program that begins in one of the functions.
#[derive(Debug, Serialize)]
pub struct EntryReport {
    /// The function.
    pub entry: String,
    /// The report, if the program could be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<Report>>,
    /// Else the reason why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl<'r> Entries<'r> {
    /// The whole report.
    #[must_use]
    pub const fn new(entries: &'r [EntryReport]) -> Self {
        Self { schema: SCHEMA, entries }
    }

    /// The report as JSON.
    ///
    /// # Panics
    /// Never: every field can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report can be written as JSON")
    }
}
