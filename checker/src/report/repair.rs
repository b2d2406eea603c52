//! The result of `--fix`: the edits, in words and as a diff, or the reason why there are none.

use std::fmt::Write;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::json::ReportedViolation;
use crate::outcome::Unknown;
use crate::outcome::cycle::FenceKind;

/// What is asked of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Every execution is sequentially consistent
    Robustness,
    /// No violation is left that sc does not have
    Assertions,
}

/// The kinds of results of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Edits were found, and the program with them was explored to its end.
    Found,
    /// The program is as it is asked for already.
    NothingToFix,
    /// The program has its violations under sc, too.
    NoFenceHelps,
    /// Fences are needed where none can be inserted.
    CannotEdit,
    /// A limit or a bound was reached first, so nothing is proposed.
    Unknown,
}

/// An edit of a repair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RepairEdit {
    /// The source file, as places name it.
    pub file: String,
    /// The line of the unchanged file.
    pub line: u32,
    /// The edit acts like a fence of this kind.
    pub kind: FenceKind,
    /// What is done there: `insert after the statement`, ...
    pub place: String,
    /// The inserted text.
    pub text: String,
    /// True if a loop is around the place.
    pub in_loop: bool,
    /// The cost; a full fence outside loops has 20.
    pub cost: u64,
    /// A delay that needs the edit.
    pub why: String,
}

/// The exploration of the program with all edits.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Verification {
    /// The number of states, if the engine explores these.
    pub states: u64,
    /// The number of executions.
    pub executions: u64,
    /// The number of events.
    pub events: u64,
}

/// The result of a repair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repair {
    /// What was asked for.
    pub goal: Goal,
    /// The kind of result.
    pub status: Status,
    /// The limit or bound that was reached, for the status `unknown`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Unknown>,
    /// The edits; none unless the status is `found`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edits: Vec<RepairEdit>,
    /// The edits as a unified diff for `patch -p1`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub diff: String,
    /// The directory in which the diff is applied, if it is not the working directory.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub directory: String,
    /// The exploration of the program with the edits, which was complete.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verification: Option<Verification>,
    /// What else there is to say: edits that do not compile, places that cannot be edited.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// A violation that no fence helps against, as it happens under sc.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub under_sc: Option<Box<ReportedViolation>>,
    /// The number of explorations.
    pub explorations: u64,
    /// The time that they took.
    pub seconds: f64,
}

/// The claim that the edits are the cheapest.
pub const CHEAPEST: &str = "no cheaper edits do, among the places between the operations in question";

impl Repair {
    /// A result without edits.
    #[must_use]
    pub const fn new(goal: Goal, status: Status) -> Self {
        Self {
            goal,
            status,
            reason: None,
            edits: Vec::new(),
            diff: String::new(),
            directory: String::new(),
            verification: None,
            notes: Vec::new(),
            under_sc: None,
            explorations: 0,
            seconds: 0.0,
        }
    }

    /// The result of a repair that something stopped.
    #[must_use]
    pub fn stopped(goal: Goal, reason: Unknown) -> Self {
        Self { reason: Some(reason), ..Self::new(goal, Status::Unknown) }
    }

    /// The result in words, for a program that was checked under a model of this name.
    #[must_use]
    pub fn describe(&self, model: &str) -> String {
        let mut out = format!("\nfix: {}\n", self.headline(model));
        for edit in &self.edits {
            let RepairEdit { file, line, place, text, in_loop, why, .. } = edit;
            let around = if *in_loop { ", in a loop" } else { "" };
            let _ = writeln!(out, "  {file}:{line}: {text}, {place}{around}");
            let _ = writeln!(out, "      {why}");
        }
        if let Some(verified) = self.verified(model) {
            let _ = writeln!(out, "  {verified}");
            let _ = writeln!(out, "  {CHEAPEST}");
        }
        if !self.directory.is_empty() {
            let _ = writeln!(out, "  apply the diff with: patch -p1 -d {}", self.directory);
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        if let Some(violation) = &self.under_sc {
            let ReportedViolation { kind, file, line, message, .. } = &**violation;
            let _ = writeln!(out, "  no fence helps against this, which happens under sc, too:");
            let _ = writeln!(out, "    {file}:{line}: {}: {message}", kind.describe());
        }
        let _ = writeln!(out, "  {} explorations, {:.2} seconds", self.explorations, self.seconds);
        out
    }

    /// The program with the edits, and the exploration that tells; `None` without edits.
    #[must_use]
    pub fn verified(&self, model: &str) -> Option<String> {
        let Verification { states, executions, events } = self.verification?;
        let explored = match states {
            0 => format!("{executions} executions, {events} events"),
            _ => format!("{states} states"),
        };
        let claim = match self.goal {
            Goal::Robustness => "robust".to_owned(),
            Goal::Assertions => format!("without violations that only {model} has"),
        };
        Some(format!("with this, the program is {claim}: it was compiled and explored again, {explored}"))
    }

    /// The kind of result in words.
    #[must_use]
    pub fn headline(&self, model: &str) -> String {
        let what = match self.goal {
            Goal::Robustness => "robust",
            Goal::Assertions => "without a violation",
        };
        match (self.status, self.reason) {
            (Status::Found, _) => {
                let edits = if self.edits.len() == 1 { "edit" } else { "edits" };
                format!("{} {edits}", self.edits.len())
            }
            (Status::NothingToFix, _) => format!("nothing to fix, the program is {what} under {model}"),
            (Status::NoFenceHelps, _) => "no fence helps, the program has its violations under sc".to_owned(),
            (Status::CannotEdit, _) => "none found, a fence is needed where none can be inserted".to_owned(),
            (Status::Unknown, Some(reason)) => format!("not known, nothing was verified: {}", reason.describe()),
            (Status::Unknown, None) => "not known, nothing was verified".to_owned(),
        }
    }
}
