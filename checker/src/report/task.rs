//! The comparison of a verdict with the one that the competition expects.

use serde::{Deserialize, Serialize};

use crate::outcome::{Outcome, Verdict};
use crate::property::{formula_name, formula_of};
use crate::task::Task;

/// A task and its verdicts, in the competition's words: `true`, `false`, or `false(valid-free)` with the
/// formula that is violated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskReport {
    /// The task file.
    pub file: String,
    /// The property by name, empty if there is none.
    pub property: String,
    /// The expected verdict, if the task has one. It is meant for the memory model `sc`.
    pub expected_verdict: Option<String>,
    /// The verdict that was found; it may be `unknown`.
    pub verdict: String,
    /// True if the two agree; null if one of them is missing.
    pub agrees: Option<bool>,
    /// The data model that the task asks for: `LP64` or `ILP32`.
    pub data_model: String,
    /// The data model that was checked: always `LP64`.
    pub checked_data_model: String,
}

impl TaskReport {
    /// The comparison for an outcome.
    #[must_use]
    pub fn new(task: &Task, outcome: &Outcome) -> Self {
        let expected = task.expected.as_ref();
        // Without the formula in the task, any violation of the property is the expected one.
        let detailed = expected.is_none_or(|expected| expected.subproperty.is_some());
        let verdict = verdict(task, outcome, detailed);
        let expected_verdict = expected.map(|expected| match &expected.subproperty {
            Some(formula) if !expected.verdict => format!("false({formula})"),
            _ => expected.verdict.to_string(),
        });
        let agrees = expected_verdict.as_ref().filter(|_| verdict != "unknown").map(|expected| *expected == verdict);
        Self {
            file: task.file.clone(),
            property: task.property.to_string(),
            expected_verdict,
            verdict,
            agrees,
            data_model: task.data_model.clone(),
            checked_data_model: "LP64".to_owned(),
        }
    }

    /// The lines about the comparison, for people.
    #[must_use]
    pub fn describe(&self, model: &str) -> String {
        let property = if self.property.is_empty() { "no property" } else { &self.property };
        let comparison = match (&self.expected_verdict, self.agrees) {
            (None, _) => "the task expects no verdict".to_owned(),
            (Some(expected), None) => format!("expected under sc: {expected}"),
            (Some(expected), Some(true)) => format!("as expected under sc: {expected}"),
            (Some(expected), Some(false)) => format!("DIFFERS from what is expected under sc: {expected}"),
        };
        let mut text = format!("  {property}: {} under {model}; {comparison}\n", self.verdict);
        if self.data_model != self.checked_data_model {
            let (asked, checked) = (&self.data_model, &self.checked_data_model);
            text += &format!(
                "  the task is for {asked}; it was checked as {checked}, where long and pointers have 64 bits\n"
            );
        }
        text
    }
}

fn verdict(task: &Task, outcome: &Outcome, detailed: bool) -> String {
    match outcome.verdict {
        Verdict::Holds => "true".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
        Verdict::Violated => {
            let kind = outcome.violations.first().map(|violation| violation.fault.kind);
            let formula = kind.and_then(formula_of).filter(|&formula| detailed && task.property.has(formula));
            formula.map_or_else(|| "false".to_owned(), |formula| format!("false({})", formula_name(formula)))
        }
    }
}
