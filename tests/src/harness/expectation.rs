//! The expectation that a test program carries in its first lines.
//!
//! One line per variant, without the line break:
//!
//! ```text
//! // check: OPTION... sc=EXPECTED tso=EXPECTED pso=EXPECTED
//!           [at=LINE] [related=LINE,...] [states=sc:N,tso:N,pso:N]
//! ```
//!
//! Options are passed to `rmc-check` unchanged (no spaces, no quoting). EXPECTED is one of `holds`,
//! `violated(KIND)` with the report's kind of violation, `unknown` or `unknown(REASON)` with the report's
//! reason, `refused(WORD)` with a word of the message on standard error. A model that is left out is not run.
//! The other fields are compared if they are given: `at` is the line of the violation, `related` are the
//! lines of the other places it names, in the report's order (`related=none`: there are none); both hold for
//! every model of the variant that is `violated`.

use std::fmt;

/// A memory model as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
}

impl Model {
    /// All models, strongest first.
    pub const ALL: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

    /// The name on the command line and in expectations.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
        }
    }

    fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// The expected end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Exit code 0.
    Holds,
    /// Exit code 1, and the first violation is of this kind.
    Violated(String),
    /// Exit code 3 and this reason of the report, if any.
    Unknown(Option<String>),
    /// Exit code 2 and a message with this word.
    Refused(String),
}

impl Expected {
    /// The exit code that goes with the expectation.
    pub fn exit_code(&self) -> i32 {
        match self {
            Expected::Holds => 0,
            Expected::Violated(_) => 1,
            Expected::Refused(_) => 2,
            Expected::Unknown(_) => 3,
        }
    }

    fn parse(text: &str) -> Option<Expected> {
        let (verdict, detail) = match text.split_once('(') {
            Some((verdict, rest)) => (verdict, Some(rest.strip_suffix(')')?.to_owned())),
            None => (text, None),
        };
        match (verdict, detail) {
            ("holds", None) => Some(Expected::Holds),
            ("violated", Some(kind)) => Some(Expected::Violated(kind)),
            ("unknown", reason) => Some(Expected::Unknown(reason)),
            ("refused", Some(word)) => Some(Expected::Refused(word)),
            _ => None,
        }
    }
}

/// A set of options for checking a program, with its expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The index of its line.
    pub line: usize,
    /// The options passed to `rmc-check` before the input.
    pub options: Vec<String>,
    /// The expectations, at most one per model.
    pub expected: Vec<(Model, Expected)>,
    /// The line of the violation.
    pub at: Option<u64>,
    /// The lines of the other places that the violation names.
    pub related: Option<Vec<u64>>,
    /// Known numbers of states; models may be missing.
    pub states: Vec<(Model, u64)>,
}

impl Variant {
    /// The recorded number of states under `model`.
    pub fn states(&self, model: Model) -> Option<u64> {
        self.states.iter().find(|(of, _)| *of == model).map(|(_, states)| *states)
    }
}

/// Writes the line, without its comment mark.
impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "check:")?;
        for option in &self.options {
            write!(out, " {option}")?;
        }
        for (model, expected) in &self.expected {
            write!(out, " {}={expected}", model.name())?;
        }
        if let Some(line) = self.at {
            write!(out, " at={line}")?;
        }
        if let Some(lines) = &self.related {
            let lines: Vec<_> = lines.iter().map(u64::to_string).collect();
            write!(out, " related={}", if lines.is_empty() { "none".to_owned() } else { lines.join(",") })?;
        }
        for (index, (model, states)) in self.states.iter().enumerate() {
            let before = if index == 0 { " states=" } else { "," };
            write!(out, "{before}{}:{states}", model.name())?;
        }
        Ok(())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Holds => write!(out, "holds"),
            Expected::Violated(kind) => write!(out, "violated({kind})"),
            Expected::Unknown(None) => write!(out, "unknown"),
            Expected::Unknown(Some(word)) => write!(out, "unknown({word})"),
            Expected::Refused(word) => write!(out, "refused({word})"),
        }
    }
}

/// The prefix of a line with an expectation.
pub const MARK: &str = "// check:";

/// All variants in the leading comment of `source`.
///
/// # Errors
/// A line with the mark that cannot be read, or none at all.
pub fn variants(source: &str) -> Result<Vec<Variant>, String> {
    let comment = source.lines().enumerate().take_while(|(_, line)| line.starts_with("//"));
    let stated = comment.filter_map(|(index, line)| Some((index, line.strip_prefix(MARK)?)));
    let found = stated.map(|(index, text)| variant(index, text)).collect::<Result<Vec<_>, _>>()?;
    if found.is_empty() { Err(format!("no line begins with `{MARK}`")) } else { Ok(found) }
}

fn variant(line: usize, text: &str) -> Result<Variant, String> {
    let (options, expected, states) = (Vec::new(), Vec::new(), Vec::new());
    let mut variant = Variant { line, options, expected, at: None, related: None, states };
    for word in text.split_whitespace() {
        read_word(&mut variant, word).ok_or_else(|| format!("line {}: cannot read `{word}`", line + 1))?;
    }
    if variant.expected.is_empty() { Err(format!("line {}: nothing is expected", line + 1)) } else { Ok(variant) }
}

fn read_word(variant: &mut Variant, word: &str) -> Option<()> {
    if word.starts_with('-') {
        variant.options.push(word.to_owned());
        return Some(());
    }
    let (name, value) = word.split_once('=')?;
    match name {
        "at" => variant.at = Some(value.parse().ok()?),
        "related" if value == "none" => variant.related = Some(Vec::new()),
        "related" => variant.related = Some(value.split(',').map(|line| line.parse().ok()).collect::<Option<_>>()?),
        "states" => variant.states = value.split(',').map(read_count).collect::<Option<_>>()?,
        _ => variant.expected.push((Model::from_name(name)?, Expected::parse(value)?)),
    }
    Some(())
}

fn read_count(text: &str) -> Option<(Model, u64)> {
    let (model, count) = text.split_once(':')?;
    Some((Model::from_name(model)?, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "// check: -DX --cflags=-O2 sc=holds tso=violated(assertion) pso=unknown(buffer) at=9 related=7,3 states=sc:12,tso:7";

    #[test]
    fn a_line_is_read_and_written_again() {
        let found = variants(&format!("{LINE}\n// check: sc=refused(fopen) tso=unknown\n\nint main;\n")).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].options, ["-DX", "--cflags=-O2"]);
        assert_eq!(found[0].expected[1], (Model::Tso, Expected::Violated("assertion".into())));
        assert_eq!((found[0].at, found[0].related.as_deref()), (Some(9), Some(&[7, 3][..])));
        assert_eq!(found[0].states(Model::Tso), Some(7));
        assert_eq!(found[0].states(Model::Pso), None);
        assert_eq!(format!("// {}", found[0]), LINE);
        assert_eq!(found[1].expected[0].1.exit_code(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = variants("// check: sc=fine\n").unwrap_err();
        assert!(error.contains("line 1") && error.contains("sc=fine"), "{error}");
        assert!(variants("// check: -DX\n").unwrap_err().contains("nothing is expected"));
        assert!(variants("int main;\n").is_err());
    }
}
