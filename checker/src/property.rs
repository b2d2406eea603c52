//! The properties of the software verification competition, and the meaning of each kind of violation for
//! them.
//!
//! Source: <https://sv-comp.sosy-lab.org>, "Rules", sections "Properties" and "Specification"; the names are
//! those of its property files. These violations count:
//!
//! | property | violated by |
//! |---|---|
//! | `unreach-call` | a call of `reach_error` (or `__VERIFIER_error`) |
//! | `valid-free`, `valid-deref`, `valid-memtrack`, together `valid-memsafety` | free of a pointer that is no allocation; an access outside live memory; memory that no pointer leads to any more |
//! | `valid-memcleanup` | memory that is not freed at the end |
//! | `no-overflow` | overflow of signed arithmetic |
//! | `no-data-race` | a data race |
//!
//! Violations that do not count are of two sorts. `abort`, a failed assertion and a deadlock are defined: the
//! execution ends or blocks there, without a violation of the property. All others are undefined behaviour,
//! after which C promises nothing: they are reported, and the property is never claimed to hold.
//!
//! Tests: `tests/programs/svcomp`, `tests/tests/tasks.rs`.

use std::fmt;
use std::str::FromStr;

use crate::outcome::ViolationKind as Kind;

/// One formula of a property file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)] // the names are the competition's
pub enum Formula {
    UnreachCall,
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    NoDataRace,
}

/// Formulas by name, with their text in a property file.
const FORMULAS: [(Formula, &str, &str); 7] = [
    (Formula::UnreachCall, "unreach-call", "G ! call(reach_error())"),
    (Formula::ValidFree, "valid-free", "G valid-free"),
    (Formula::ValidDeref, "valid-deref", "G valid-deref"),
    (Formula::ValidMemtrack, "valid-memtrack", "G valid-memtrack"),
    (Formula::ValidMemcleanup, "valid-memcleanup", "G valid-memcleanup"),
    (Formula::NoOverflow, "no-overflow", "G ! overflow"),
    (Formula::NoDataRace, "no-data-race", "G ! data-race"),
];

const MEMORY_SAFETY: &str = "valid-memsafety";

/// A conjunction of formulas. The empty one is no property of the competition: then all violations count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// A bit set: bit n is formula n of [`FORMULAS`].
    set: u8,
}

/// The meaning of a violation for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The property is violated.
    Violates,
    /// The execution ends here, without a violation of the property.
    Ends,
    /// The program's behaviour is undefined from here on, so the property cannot be claimed.
    Undefined,
}

/// The reasons for which a text is not a property that can be checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// The name of no property.
    #[error(
        "unknown property `{0}`; there are unreach-call, valid-memsafety, valid-free, valid-deref, valid-memtrack, valid-memcleanup, no-overflow and no-data-race, or give a .prp file"
    )]
    Unknown(String),
    /// The name of a property that is known but cannot be checked.
    #[error("unsupported property `{0}`: only violations that a finite execution shows are found")]
    Unsupported(String),
    /// A line of a property file that cannot be read.
    #[error("line {line}: cannot read `{text}`; a line is CHECK( init(main()), LTL(...) )")]
    Line {
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A line with a formula that is not supported.
    #[error("line {line}: unsupported formula `{formula}`")]
    Formula {
        /// The line, from 1.
        line: usize,
        /// The formula.
        formula: String,
    },
    /// A property file without a formula.
    #[error("no line is CHECK( init(main()), LTL(...) )")]
    Empty,
}

impl Property {
    /// No property: all violations count.
    pub const NONE: Self = Self { set: 0 };

    /// True if it is a property of the competition.
    #[must_use]
    pub const fn is_some(self) -> bool {
        self.set != 0
    }

    /// True if it contains this formula.
    #[must_use]
    pub const fn has(self, formula: Formula) -> bool {
        self.set & 1 << formula as u8 != 0
    }

    /// This property with one more formula.
    #[must_use]
    const fn with(self, formula: Formula) -> Self {
        Self { set: self.set | 1 << formula as u8 }
    }

    /// Reads a property file.
    ///
    /// # Errors
    /// [`PropertyError`] with the line.
    pub fn from_file_text(text: &str) -> Result<Self, PropertyError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut property = Self::default();
        for (number, line) in lines {
            let bad = || PropertyError::Line { line: number + 1, text: line.trim().to_owned() };
            let words: String = line.split_whitespace().collect();
            let inner = words.strip_prefix("CHECK(init(main()),LTL(").and_then(|rest| rest.strip_suffix("))"));
            property = property.with(formula(inner.ok_or_else(bad)?, number + 1)?);
        }
        if property.is_some() { Ok(property) } else { Err(PropertyError::Empty) }
    }

    /// Its formulas as the lines of a property file.
    #[must_use]
    pub fn specification(self) -> String {
        let lines = self.formulas().map(|(_, text)| format!("CHECK( init(main()), LTL({text}) )"));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn formulas(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        FORMULAS.into_iter().filter(move |&(formula, ..)| self.has(formula)).map(|(_, name, text)| (name, text))
    }

    /// The meaning of a violation of this kind.
    #[must_use]
    pub fn meaning(self, kind: Kind) -> Meaning {
        match formula_of(kind) {
            _ if !self.is_some() => Meaning::Violates,
            // Lost memory is not freed at the end either.
            Some(Formula::ValidMemtrack) if self.has(Formula::ValidMemcleanup) => Meaning::Violates,
            Some(formula) if self.has(formula) => Meaning::Violates,
            _ if matches!(
                kind,
                Kind::Assertion
                    | Kind::Abort
                    | Kind::UncaughtException
                    | Kind::Panic
                    | Kind::ReachError
                    | Kind::Deadlock
                    | Kind::MemoryLeak
            ) =>
            {
                Meaning::Ends
            }
            _ => Meaning::Undefined,
        }
    }
}

/// The formula that a violation of this kind is about, if any.
#[must_use]
pub fn formula_of(kind: Kind) -> Option<Formula> {
    Some(match kind {
        Kind::ReachError => Formula::UnreachCall,
        Kind::DoubleFree | Kind::InvalidFree => Formula::ValidFree,
        Kind::OutOfBounds
        | Kind::UseAfterFree
        | Kind::UseAfterReturn
        | Kind::NullDereference
        | Kind::WildPointer
        | Kind::UninitialisedDereference => Formula::ValidDeref,
        Kind::MemoryLeak => Formula::ValidMemtrack,
        Kind::DataRace => Formula::NoDataRace,
        Kind::DivisionOverflow | Kind::SignedOverflow => Formula::NoOverflow,
        _ => return None,
    })
}

/// The name of a formula.
#[must_use]
pub fn formula_name(formula: Formula) -> &'static str {
    FORMULAS[formula as usize].1
}

fn formula(text: &str, line: usize) -> Result<Formula, PropertyError> {
    // Older property files name the function that `reach_error` replaced.
    let text = text.replace("__VERIFIER_error", "reach_error");
    let squeezed = |formula: &str| formula.split_whitespace().collect::<String>();
    let known = FORMULAS.iter().find(|(_, _, known)| squeezed(known) == text);
    known.map(|&(formula, ..)| formula).ok_or(PropertyError::Formula { line, formula: text })
}

impl FromStr for Property {
    type Err = PropertyError;

    /// Reads a property from names that are separated by commas.
    fn from_str(names: &str) -> Result<Self, PropertyError> {
        let mut property = Self::default();
        for name in names.split(',') {
            let memory = |formula| {
                name == MEMORY_SAFETY
                    && matches!(formula, Formula::ValidFree | Formula::ValidDeref | Formula::ValidMemtrack)
            };
            let before = property;
            for (formula, known, _) in FORMULAS {
                if known == name || memory(formula) {
                    property = property.with(formula);
                }
            }
            if name == "termination" {
                return Err(PropertyError::Unsupported(name.to_owned()));
            }
            if property == before {
                return Err(PropertyError::Unknown(name.to_owned()));
            }
        }
        Ok(property)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if MEMORY_SAFETY.parse().is_ok_and(|memory: Self| memory == *self) {
            return out.write_str(MEMORY_SAFETY);
        }
        out.write_str(&self.formulas().map(|(name, _)| name).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Property {
        name.parse().unwrap()
    }

    #[test]
    fn formulas_are_where_their_numbers_say() {
        FORMULAS.iter().enumerate().for_each(|(at, (formula, ..))| assert_eq!(*formula as usize, at));
    }

    #[test]
    fn names_and_files_say_the_same() {
        for name in ["unreach-call", "valid-memsafety", "valid-memcleanup", "no-overflow", "no-data-race", "valid-free"]
        {
            assert_eq!(named(name).to_string(), name);
            assert_eq!(Property::from_file_text(&named(name).specification()).unwrap(), named(name));
        }
        assert!(named("valid-memsafety").has(Formula::ValidMemtrack));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str| Property::from_file_text(text).unwrap_err().to_string();
        assert!(error("\nCHECK( init(main()), LTL(F end) )\n").contains("line 2: unsupported formula `Fend`"));
        assert!(error("G valid-free\n").contains("line 1: cannot read `G valid-free`"));
        assert!(error("\n").contains("no line"));
        assert!("termination".parse::<Property>().unwrap_err().to_string().contains("unsupported property"));
        assert!("fine".parse::<Property>().unwrap_err().to_string().contains("`fine`"));
    }

    #[test]
    fn only_undefined_behaviour_spoils_a_proof() {
        let property = named("unreach-call");
        assert_eq!(property.meaning(Kind::ReachError), Meaning::Violates);
        assert_eq!(property.meaning(Kind::Abort), Meaning::Ends);
        assert_eq!(property.meaning(Kind::OutOfBounds), Meaning::Undefined);
        assert_eq!(named("valid-memsafety").meaning(Kind::ReachError), Meaning::Ends);
        assert_eq!(named("valid-memcleanup").meaning(Kind::MemoryLeak), Meaning::Violates);
        assert_eq!(Property::default().meaning(Kind::Abort), Meaning::Violates);
    }
}
