//! Histories as they are written down: names, values and sources, before they are resolved.
//!
//! `Display` gives each item in the text format (`text/mod.rs` describes it), which messages use too.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use rmc_runtime::Model;
use serde::{Deserialize, Serialize};

/// A history as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The name.
    pub name: Option<String>,
    /// The sizes of variables in bytes. The others have [`USUAL_SIZE`].
    pub sizes: BTreeMap<String, u32>,
    /// Initial values. The others are 0.
    pub initial: BTreeMap<String, u64>,
    /// The threads, each with its events in program order. No two have the same name.
    pub threads: Vec<Thread>,
    /// The values in memory after all events, when all stores have reached it.
    pub finals: Vec<Load>,
    /// The expected answers.
    pub expect: Expectation,
}

/// The number of bytes of a variable whose size is not given.
pub const USUAL_SIZE: u32 = 8;

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The name.
    pub name: String,
    /// The events in program order.
    pub events: Vec<Operation>,
}

/// The expected answers: true where the model should allow the history, `None` where nothing is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Under SC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sc: Option<bool>,
    /// Under TSO.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tso: Option<bool>,
    /// Under PSO.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pso: Option<bool>,
}

impl Expectation {
    /// The expected answer of a model.
    #[must_use]
    pub const fn of(&self, model: Model) -> Option<bool> {
        match model {
            Model::Sc => self.sc,
            Model::Tso => self.tso,
            Model::Pso => self.pso,
        }
    }

    /// The place for the expected answer of a model.
    pub const fn of_mut(&mut self, model: Model) -> &mut Option<bool> {
        match model {
            Model::Sc => &mut self.sc,
            Model::Tso => &mut self.tso,
            Model::Pso => &mut self.pso,
        }
    }

    /// True if nothing is expected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        Model::ALL.iter().all(|&model| self.of(model).is_none())
    }
}

/// An event of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A load.
    Load(Load),
    /// A store.
    Store(Store),
    /// A read-modify-write: a load and a store of the same part, with the new value if it is known.
    Update(Load, Option<u64>),
    /// A compare-exchange that failed: a fence and a load.
    FailedExchange(Load),
    /// A full fence.
    Fence,
    /// A store-store barrier.
    StoreBarrier,
    /// A mutex is locked, after the unlock that is given, or as the first one.
    Lock {
        /// The mutex.
        mutex: String,
        /// The unlock before it.
        from: SourceName,
    },
    /// A mutex is unlocked.
    Unlock {
        /// The mutex.
        mutex: String,
    },
}

impl Operation {
    /// The load of the operation, if it reads.
    #[must_use]
    pub const fn load(&self) -> Option<&Load> {
        match self {
            Self::Load(load) | Self::Update(load, _) | Self::FailedExchange(load) => Some(load),
            Self::Store(_) | Self::Fence | Self::StoreBarrier | Self::Lock { .. } | Self::Unlock { .. } => None,
        }
    }

    /// The part of a variable that the operation stores to, and the value if it is known.
    #[must_use]
    pub const fn stores(&self) -> Option<(&Part, Option<u64>)> {
        match self {
            Self::Store(store) => Some((&store.part, store.value)),
            Self::Update(load, value) => Some((&load.part, *value)),
            _ => None,
        }
    }

    /// The mutex that the operation locks or unlocks.
    #[must_use]
    pub const fn mutex(&self) -> Option<&String> {
        match self {
            Self::Lock { mutex, .. } | Self::Unlock { mutex } => Some(mutex),
            _ => None,
        }
    }
}

/// A part of a variable that was read, with the value or the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The bytes.
    pub part: Part,
    /// Their value, little-endian.
    pub value: Option<u64>,
    /// Their sources. If there are none, the value tells.
    pub from: Vec<Origin>,
}

/// A part of a variable that was stored to, with the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The bytes.
    pub part: Part,
    /// Their value, little-endian.
    pub value: Option<u64>,
}

/// A variable, or bytes of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The variable.
    pub variable: String,
    /// The bytes, if it is not the whole variable.
    pub bytes: Option<Bytes>,
}

/// Bytes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bytes {
    /// The first byte.
    pub offset: u32,
    /// The number of bytes.
    pub len: u32,
}

/// The source of some or all bytes of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The source.
    pub source: SourceName,
    /// The bytes that have this source; all of the read if it is the only one.
    pub part: Option<Part>,
}

/// The name of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceName {
    /// The initial memory.
    Initial,
    /// An event.
    Event(EventName),
}

/// The name of an event: its thread, and its number there, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventName {
    /// The thread.
    pub thread: String,
    /// The number, from 1.
    pub number: u32,
}

/// A name as the text format has it: quoted like a string of JSON where it is no plain word.
pub struct Name<'a>(pub &'a str);

/// True for the characters of names without quotes, of which the first is no digit and no dot.
#[must_use]
pub const fn is_name_character(one: char) -> bool {
    one.is_ascii_alphanumeric() || one == '_' || one == '.'
}

/// True for a name that needs no quotes.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_') && name.chars().all(is_name_character)
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain_name(self.0) { f.write_str(self.0) } else { write!(f, "{}", serde_json::Value::from(self.0)) }
    }
}

impl Display for EventName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Name(&self.thread), self.number)
    }
}

impl Display for SourceName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("init"),
            Self::Event(event) => event.fmt(f),
        }
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Name(&self.variable).fmt(f)?;
        match self.bytes {
            None => Ok(()),
            Some(Bytes { offset: 0, len }) => write!(f, "/{len}"),
            Some(Bytes { offset, len }) => write!(f, "+{offset}/{len}"),
        }
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)?;
        self.part.iter().try_for_each(|part| write!(f, " for {part}"))
    }
}

impl Display for Load {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)?;
        self.value.iter().try_for_each(|value| write!(f, " {value}"))?;
        let separators = std::iter::once(" from ").chain(std::iter::repeat(", "));
        self.from.iter().zip(separators).try_for_each(|(origin, separator)| write!(f, "{separator}{origin}"))
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(load) => write!(f, "r {load}"),
            Self::Store(Store { part, value }) => {
                write!(f, "w {part}")?;
                value.iter().try_for_each(|value| write!(f, " {value}"))
            }
            Self::Update(load, value) => {
                write!(f, "rmw {load}")?;
                value.iter().try_for_each(|value| write!(f, " -> {value}"))
            }
            Self::FailedExchange(load) => write!(f, "failed-cas {load}"),
            Self::Fence => f.write_str("fence"),
            Self::StoreBarrier => f.write_str("stbar"),
            Self::Lock { mutex, from } => write!(f, "lock {} from {from}", Name(mutex)),
            Self::Unlock { mutex } => write!(f, "unlock {}", Name(mutex)),
        }
    }
}
