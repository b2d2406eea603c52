//! Programs as text, for messages of tests that fail.

use rmc_formula::{Term, TermId, Terms};

use super::super::{Operation, SharedProgram, Target};

/// The program, an event a line.
pub fn describe(terms: &Terms, program: &SharedProgram) -> String {
    Text(terms).program(program)
}

struct Text<'a>(&'a Terms);

impl Text<'_> {
    fn program(&self, program: &SharedProgram) -> String {
        let mut text = String::new();
        for (number, thread) in program.threads.iter().enumerate() {
            text += &format!("thread {number}\n");
            for event in &thread.events {
                let glue = if event.is_glued { ", glued" } else { "" };
                text += &format!("  [{}] {}{glue}\n", self.term(event.guard), self.operation(&event.operation));
            }
        }
        text
    }

    fn operation(&self, operation: &Operation) -> String {
        match operation {
            Operation::Load { targets, result } => format!("{} = load {}", self.term(*result), self.targets(targets)),
            Operation::Store { targets, value, before, after_full } => {
                let (targets, value) = (self.targets(targets), self.term(*value));
                format!("store {targets} {value}, before: {before:?}, after_full: {after_full}")
            }
            Operation::Fence(barrier) => format!("fence {barrier:?}"),
            Operation::Atomic { targets, result, enabled, stores, value, .. } => {
                let [result, enabled, stores, value] = [result, enabled, stores, value].map(|&term| self.term(term));
                let targets = self.targets(targets);
                format!("{result} = atomic {targets} if {enabled}, stores {value} if {stores}")
            }
        }
    }

    fn targets(&self, targets: &[Target]) -> String {
        let of = |target: &Target| format!("{:?} if {}", target.cells, self.term(target.condition));
        format!("[{}]", targets.iter().map(of).collect::<Vec<_>>().join(", "))
    }

    fn term(&self, term: TermId) -> String {
        let term = self.0.get(term);
        match term {
            Term::Constant { value, .. } => value.to_string(),
            Term::Variable { number, .. } => format!("v{number}"),
            Term::Not(inner) => format!("!{}", self.term(inner)),
            Term::Eq(a, b) => format!("({} == {})", self.term(a), self.term(b)),
            _ => format!("{term:?}({})", term.operands().map(|one| self.term(one)).collect::<Vec<_>>().join(", ")),
        }
    }
}
