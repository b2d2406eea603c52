//! Events and final values in JSON: which fields there are, and which belong to which kind.
//!
//! Tests: `tests/round_trip.rs`, `tests/messages.rs`.

use serde::{Deserialize, Serialize};

use crate::error::Problem;
use crate::recorded::{Bytes, EventName, Load, Operation, Origin, Part, SourceName, Store};

/// The kinds of events.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Op {
    #[serde(rename = "r")]
    Load,
    #[serde(rename = "w")]
    Store,
    #[serde(rename = "rmw")]
    Update,
    #[serde(rename = "failed-cas")]
    FailedExchange,
    #[serde(rename = "fence")]
    Fence,
    #[serde(rename = "stbar")]
    StoreBarrier,
    #[serde(rename = "lock")]
    Lock,
    #[serde(rename = "unlock")]
    Unlock,
}

/// An event. The fields that are there depend on its kind.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventJson {
    op: Op,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    variable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    mutex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bytes: Option<u32>,
    /// The value that is read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reads: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    from: Option<FromJson>,
    /// The value that is stored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    value: Option<u64>,
}

/// A final value.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinalJson {
    variable: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bytes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reads: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    from: Option<FromJson>,
}

/// Sources: one of all bytes, or several with their bytes.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FromJson {
    One(String),
    Several(Vec<OriginJson>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OriginJson {
    source: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bytes: Option<u32>,
}

impl Op {
    /// The name of the kind, and the fields of events of this kind.
    const fn fields(self) -> (&'static str, &'static str) {
        match self {
            Self::Load => ("r", "`variable`, `reads` or `from`, and may have `offset` and `bytes`"),
            Self::Store => ("w", "`variable`, and may have `value`, `offset` and `bytes`"),
            Self::Update => ("rmw", "`variable`, `reads` or `from`, and may have `value`, `offset` and `bytes`"),
            Self::FailedExchange => ("failed-cas", "`variable`, `reads` or `from`, and may have `offset` and `bytes`"),
            Self::Fence => ("fence", "no further field"),
            Self::StoreBarrier => ("stbar", "no further field"),
            Self::Lock => ("lock", "`mutex` and `from`"),
            Self::Unlock => ("unlock", "`mutex`"),
        }
    }
}

impl EventJson {
    /// An event as JSON.
    pub fn of(operation: &Operation) -> Self {
        let empty = |op| Self {
            op,
            variable: None,
            mutex: None,
            offset: None,
            bytes: None,
            reads: None,
            from: None,
            value: None,
        };
        let on = |op, part: &Part| Self {
            variable: Some(part.variable.clone()),
            offset: part.bytes.map(|bytes| bytes.offset),
            bytes: part.bytes.map(|bytes| bytes.len),
            ..empty(op)
        };
        let loading =
            |op, load: &Load| Self { reads: load.value, from: FromJson::of(&load.from), ..on(op, &load.part) };
        match operation {
            Operation::Load(load) => loading(Op::Load, load),
            Operation::Store(Store { part, value }) => Self { value: *value, ..on(Op::Store, part) },
            Operation::Update(load, value) => Self { value: *value, ..loading(Op::Update, load) },
            Operation::FailedExchange(load) => loading(Op::FailedExchange, load),
            Operation::Fence => empty(Op::Fence),
            Operation::StoreBarrier => empty(Op::StoreBarrier),
            Operation::Lock { mutex, from } => {
                Self { mutex: Some(mutex.clone()), from: Some(FromJson::One(source_text(from))), ..empty(Op::Lock) }
            }
            Operation::Unlock { mutex } => Self { mutex: Some(mutex.clone()), ..empty(Op::Unlock) },
        }
    }

    /// The event.
    ///
    /// # Errors
    /// A field is missing, or does not belong to the kind.
    pub fn operation(self) -> Result<Operation, Problem> {
        let (op, fields) = self.op.fields();
        let wrong = |what: &str| Problem::EventFields { op, what: what.to_owned(), fields };
        let is_on_variable = matches!(self.op, Op::Load | Op::Store | Op::Update | Op::FailedExchange);
        let is_on_mutex = matches!(self.op, Op::Lock | Op::Unlock);
        let reads = matches!(self.op, Op::Load | Op::Update | Op::FailedExchange);
        let there = [
            ("variable", self.variable.is_some(), is_on_variable),
            ("mutex", self.mutex.is_some(), is_on_mutex),
            ("offset", self.offset.is_some(), is_on_variable),
            ("bytes", self.bytes.is_some(), is_on_variable),
            ("reads", self.reads.is_some(), reads),
            ("from", self.from.is_some(), reads || matches!(self.op, Op::Lock)),
            ("value", self.value.is_some(), matches!(self.op, Op::Store | Op::Update)),
        ];
        if let Some((name, ..)) = there.iter().find(|&&(_, is_there, may_be)| is_there && !may_be) {
            return Err(wrong(&format!("has the field `{name}`")));
        }
        let mutex = || self.mutex.clone().ok_or_else(|| wrong("has no `mutex`"));
        let part = || {
            let variable = self.variable.clone().ok_or_else(|| wrong("has no `variable`"))?;
            part(variable, self.offset, self.bytes)
        };
        let load = || load(part()?, self.reads, self.from.as_ref(), op);
        Ok(match self.op {
            Op::Load => Operation::Load(load()?),
            Op::Store => Operation::Store(Store { part: part()?, value: self.value }),
            Op::Update => Operation::Update(load()?, self.value),
            Op::FailedExchange => Operation::FailedExchange(load()?),
            Op::Fence => Operation::Fence,
            Op::StoreBarrier => Operation::StoreBarrier,
            Op::Lock => {
                let mutex = mutex()?;
                match &self.from {
                    Some(FromJson::One(from)) => Operation::Lock { from: source(from)?, mutex },
                    Some(FromJson::Several(_)) => return Err(wrong("has several sources")),
                    None => return Err(Problem::NoUnlock(mutex)),
                }
            }
            Op::Unlock => Operation::Unlock { mutex: mutex()? },
        })
    }
}

impl FinalJson {
    /// A final value as JSON.
    pub fn of(load: &Load) -> Self {
        Self {
            variable: load.part.variable.clone(),
            offset: load.part.bytes.map(|bytes| bytes.offset),
            bytes: load.part.bytes.map(|bytes| bytes.len),
            reads: load.value,
            from: FromJson::of(&load.from),
        }
    }

    /// The final value.
    ///
    /// # Errors
    /// There is neither a value nor a source.
    pub fn load(self) -> Result<Load, Problem> {
        load(part(self.variable, self.offset, self.bytes)?, self.reads, self.from.as_ref(), "final")
    }
}

impl FromJson {
    fn of(from: &[Origin]) -> Option<Self> {
        match from {
            [] => None,
            [Origin { source, part: None }] => Some(Self::One(source_text(source))),
            several => Some(Self::Several(
                several
                    .iter()
                    .map(|Origin { source, part }| {
                        let bytes = part.as_ref().and_then(|part| part.bytes);
                        OriginJson {
                            source: source_text(source),
                            offset: bytes.map(|bytes| bytes.offset),
                            bytes: bytes.map(|bytes| bytes.len),
                        }
                    })
                    .collect(),
            )),
        }
    }
}

fn load(part: Part, value: Option<u64>, from: Option<&FromJson>, op: &str) -> Result<Load, Problem> {
    let from = match from {
        None => Vec::new(),
        Some(FromJson::One(text)) => vec![Origin { source: source(text)?, part: None }],
        Some(FromJson::Several(several)) => {
            let origin = |origin: &OriginJson| {
                let part = self::part(part.variable.clone(), origin.offset, origin.bytes)?;
                Ok(Origin { source: source(&origin.source)?, part: Some(part) })
            };
            several.iter().map(origin).collect::<Result<_, Problem>>()?
        }
    };
    if value.is_none() && from.is_empty() {
        return Err(Problem::NothingRead(format!("{op} {part}")));
    }
    Ok(Load { part, value, from })
}

fn part(variable: String, offset: Option<u32>, len: Option<u32>) -> Result<Part, Problem> {
    let bytes = match (offset, len) {
        (None, None) => None,
        (Some(offset), None) => return Err(Problem::NoPartSize(format!("{variable}+{offset}"))),
        (offset, Some(len)) => Some(Bytes { offset: offset.unwrap_or(0), len }),
    };
    Ok(Part { variable, bytes })
}

/// A source: `init`, or the name of a thread, a colon and a number.
fn source(text: &str) -> Result<SourceName, Problem> {
    if text == "init" {
        return Ok(SourceName::Initial);
    }
    let event = text
        .rsplit_once(':')
        .and_then(|(thread, number)| Some(EventName { thread: thread.to_owned(), number: number.parse().ok()? }));
    event.map(SourceName::Event).ok_or_else(|| Problem::BadSource(text.to_owned()))
}

/// A source as [`source`] reads it, without quotes.
fn source_text(source: &SourceName) -> String {
    match source {
        SourceName::Initial => "init".to_owned(),
        SourceName::Event(EventName { thread, number }) => format!("{thread}:{number}"),
    }
}
