//! The answers about a history, as text and as JSON (schema `rmc.history.v1`).
//!
//! Tests: here, and `tests/command_line.rs`.

use std::fmt::Write;

use rmc_consistency::{Answer, Reason, decide};
use rmc_runtime::Model;
use serde::Serialize;

use crate::error::InputError;
use crate::explain::{self, Step};
use crate::located::{Entry, Item};
use crate::resolve::{described, resolve};

/// The schema of the JSON output.
pub const SCHEMA: &str = "rmc.history.v1";

/// The answers about a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// The file.
    pub file: String,
    /// The number of the history in the file, from 1.
    pub number: usize,
    /// The name, or `history` and the number.
    pub name: String,
    /// The line where it begins, if it is from a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The answer of each model.
    pub answers: Vec<OfModel>,
}

/// The answer of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfModel {
    /// The model.
    pub model: String,
    /// True if it allows the history.
    pub allowed: bool,
    /// The expected answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// The steps of a witness, if explanations were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<Step>>,
    /// The orderings of a cycle, if explanations were asked for: a sentence for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Vec<String>>,
    /// The number of prefixes of a witness that were tried and have no way on, if there is no cycle and
    /// explanations were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_prefixes: Option<u64>,
}

impl OfModel {
    /// True unless another answer is expected.
    #[must_use]
    pub fn is_as_expected(&self) -> bool {
        self.expected.is_none_or(|expected| expected == self.allowed)
    }
}

/// Asks some models about a history.
///
/// # Errors
/// The history means nothing.
pub fn answer(entry: Entry<'_>, models: &[Model], explains: bool) -> Result<Answers, InputError> {
    let history = resolve(entry)?;
    let answers = models.iter().map(|&model| {
        let answer = decide(&history, model).map_err(|error| described(entry, error))?;
        Ok(of_model(entry, model, &answer, explains))
    });
    Ok(Answers {
        file: entry.file.to_owned(),
        number: entry.number,
        name: entry.title(),
        line: entry.position(Item::Whole).map(|position| position.line),
        answers: answers.collect::<Result<_, _>>()?,
    })
}

fn of_model(entry: Entry<'_>, model: Model, answer: &Answer, explains: bool) -> OfModel {
    let mut told = OfModel {
        model: model.to_string(),
        allowed: answer.is_allowed(),
        expected: entry.located.recorded.expect.of(model),
        witness: None,
        cycle: None,
        exhausted_prefixes: None,
    };
    match answer {
        Answer::Allowed(steps) => told.witness = explains.then(|| explain::witness(entry, model, steps)),
        Answer::Forbidden(Reason::Exhausted { prefixes }) => {
            told.exhausted_prefixes = explains.then_some(*prefixes);
        }
        Answer::Forbidden(Reason::Cycle(cycle)) => {
            told.cycle = explains.then(|| explain::cycle(entry, model, cycle));
        }
    }
    told
}

impl Answers {
    /// True unless another answer is expected of some model.
    #[must_use]
    pub fn are_as_expected(&self) -> bool {
        self.answers.iter().all(OfModel::is_as_expected)
    }

    /// A line for each model, with its explanation below if there is one.
    #[must_use]
    pub fn text(&self, names_file: bool) -> String {
        let mut text = String::new();
        let mut add = |part: std::fmt::Arguments<'_>| text.write_fmt(part).expect("a String takes everything");
        let file = if names_file { format!("{}: ", self.file) } else { String::new() };
        for answer in &self.answers {
            let said = word(answer.allowed);
            let compared = match answer.expected {
                None => String::new(),
                Some(expected) if expected == answer.allowed => ", as expected".to_owned(),
                Some(expected) => format!(", but expected to be {}", word(expected)),
            };
            add(format_args!("{file}{}: {} {said}{compared}\n", self.name, answer.model));
            for (number, step) in answer.witness.iter().flatten().enumerate() {
                add(format_args!("  {:3}  {:8}  {}\n", number + 1, step.event, step.text));
            }
            for sentence in answer.cycle.iter().flatten() {
                add(format_args!("  {sentence}\n"));
            }
            if let Some(prefixes) = answer.exhausted_prefixes {
                add(format_args!("  All prefixes of a witness were tried; {prefixes} of them have no way on.\n"));
            }
        }
        text
    }
}

const fn word(is_allowed: bool) -> &'static str {
    if is_allowed { "allowed" } else { "forbidden" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::located::Located;

    #[test]
    fn prefixes_are_counted_where_there_is_no_cycle() {
        let located = Located::default();
        let entry = Entry { file: "a.hist", number: 2, located: &located };
        let answer = Answer::Forbidden(Reason::Exhausted { prefixes: 12 });
        let of = |explains| Answers {
            file: "a.hist".to_owned(),
            number: 2,
            name: entry.title(),
            line: None,
            answers: vec![of_model(entry, Model::Sc, &answer, explains)],
        };
        assert_eq!(of(false).text(false), "history 2: sc forbidden\n");
        let explained =
            "a.hist: history 2: sc forbidden\n  All prefixes of a witness were tried; 12 of them have no way on.\n";
        assert_eq!(of(true).text(true), explained);
    }
}
