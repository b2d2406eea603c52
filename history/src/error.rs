//! Errors in an input: the place, the problem, and the way out.
//!
//! Tests: `tests/messages.rs` holds the messages word by word.

use std::fmt::{self, Display, Formatter};

use crate::recorded::{EventName, Name, Part};

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A problem and its place.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct InputError {
    /// The file, and the place in it: line and column, or the history and the event.
    pub place: String,
    /// The problem.
    pub problem: Problem,
}

/// Problems of an input. Each message ends with a line that says the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// The file is no text.
    #[error("this is no text in UTF-8\n  histories are written as text or as JSON; see --help")]
    NotText,
    /// The file is no JSON of this form.
    #[error("{0}\n  the JSON format is described by an example in history/src/json/mod.rs")]
    Json(String),
    /// A JSON event lacks what its kind needs, or has what its kind has not.
    #[error("an event `{op}` {what}\n  {op} has {fields}")]
    EventFields {
        /// The kind.
        op: &'static str,
        /// The problem.
        what: String,
        /// The fields of this kind.
        fields: &'static str,
    },
    /// A source in JSON is none.
    #[error("`{0}` is no source\n  a source is `init`, or a thread and the number of its event, from 1: `T2:3`")]
    BadSource(String),
    /// A file without histories.
    #[error("there is no history here\n  a history has threads with events: `T1: w x 1; r y 0`")]
    NoHistory,
    /// A statement begins with an unknown word.
    #[error(
        "`{0}` is neither an event nor a statement\n  events are r, w, rmw, failed-cas, fence, stbar, lock and unlock; statements are history, size, init, final and expect; `T1:` begins a thread"
    )]
    UnknownWord(String),
    /// An event outside of a thread.
    #[error("this event is in no thread\n  write the name of its thread before it: `T1: {0}`")]
    NoThread(String),
    /// Something else should be here.
    #[error("expected {expected}, found {found}\n  as in `{example}`")]
    Expected {
        /// The words that are possible here.
        expected: &'static str,
        /// The word that is here.
        found: String,
        /// How it should be.
        example: &'static str,
    },
    /// A number that is too large, or none.
    #[error("`{0}` is no number of at most {1} bits\n  numbers are decimal (`12`) or hexadecimal (`0xC`)")]
    BadNumber(String, u32),
    /// Something is said a second time.
    #[error("{0} is given a second time\n  leave one of them out")]
    Twice(String),
    /// A part without a size.
    #[error("`{0}` does not say how many bytes\n  a part is a variable, a distance and a size: `{0}/1` is one byte")]
    NoPartSize(String),
    /// A read without value and source.
    #[error(
        "`{0}` says neither what it reads nor from where\n  give the value (`{0} 1`) or the source (`{0} from T1:1`, `{0} from init`)"
    )]
    NothingRead(String),
    /// A lock without source.
    #[error("`lock {mutex}` does not say which unlock is before it\n  give it: `lock {mutex} from T1:2`, or `lock {mutex} from init` if there is none", mutex = Name(.0))]
    NoUnlock(String),
    /// A thread that does not exist.
    #[error("there is no thread {name}\n  the threads are {1}", name = Name(.0))]
    NoSuchThread(String, String),
    /// An event that does not exist.
    #[error("there is no event {0}\n  thread {name} has {1}; the first has number 1", name = Name(&.0.thread))]
    NoSuchEvent(EventName, String),
    /// A source that does not store what is read from it.
    #[error(
        "{source_event} does not store to {part}\n  `from` names a store or a read-modify-write of all bytes that are read from it; `for` divides them: `from T1:1 for x/1, T2:1 for x+1/1`"
    )]
    StoresElsewhere {
        /// The source with its text.
        source_event: String,
        /// The part that is read from it.
        part: Part,
    },
    /// Nothing stores a value.
    #[error(
        "no store gives {part} the value {value}, and initially it is {initial}\n  a value that no store explains is forbidden by every model; if a store is missing, add it"
    )]
    NoSuchValue {
        /// The bytes.
        part: Part,
        /// The value that is read there.
        value: u64,
        /// The initial value there.
        initial: u64,
    },
    /// Several stores give the value that is read.
    #[error("{part} has the value {value} from {first} and from {second}, so the value does not tell the source\n  name the source: `{example}`", part = .0.part, value = .0.value, first = .0.first, second = .0.second, example = .0.example)]
    Ambiguous(Box<Ambiguity>),
    /// A read by value of something that is stored without one.
    #[error(
        "{part} is read by its value, but {source_event} stores no value there\n  give the store a value, or the read a source: `{example}`"
    )]
    ValueUnknown {
        /// The bytes.
        part: Part,
        /// The store without a value.
        source_event: String,
        /// The event with a source.
        example: String,
    },
    /// A value that its source does not have.
    #[error("{part} is {value} here, but {stored} in {source_event}\n  one of the values or the source is wrong")]
    OtherValue {
        /// The bytes.
        part: Part,
        /// The value that is read there.
        value: u64,
        /// The value that is stored there.
        stored: u64,
        /// The source.
        source_event: String,
    },
    /// A value that is too large for its bytes.
    #[error("the value {value} does not fit into {part}, which has {}\n  give the variable another size: `size {}=8`", count(u64::from(*.len), "byte"), Name(&.part.variable))]
    TooWide {
        /// The value.
        value: u64,
        /// The bytes.
        part: Part,
        /// Their number.
        len: u32,
    },
    /// Bytes outside of the variable.
    #[error("{part} is not inside of {name}, which has {}\n  give the variable another size: `size {name}={end}`", count(u64::from(*.size), "byte"), name = Name(&.part.variable))]
    Outside {
        /// The bytes.
        part: Part,
        /// The size of the variable.
        size: u32,
        /// The size that would be enough.
        end: u64,
    },
    /// No bytes at all.
    #[error("{0} has no bytes\n  sizes are at least 1")]
    NoBytes(Part),
    /// A mutex that is accessed like a variable.
    #[error("`{}` is a mutex, and an event reads or writes it\n  mutexes are only locked and unlocked; to record how one is made, use rmw and w instead of lock and unlock", Name(.0))]
    MutexAccessed(String),
    /// A lock that reads from something else than an unlock.
    #[error("{0} does not unlock `{name}`\n  a lock reads from the unlock before it, or from init", name = Name(.1))]
    NotAnUnlock(String, String),
    /// A division of a read among sources that is none.
    #[error(
        "{0} of `{1}` has {2}\n  `for` divides a read among its sources: `r x/2 from T1:1 for x/1, T2:1 for x+1/1`"
    )]
    BadDivision(Part, String, &'static str),
    /// Several sources without their bytes.
    #[error(
        "`{0}` has several sources and does not say which bytes are from which\n  say it with `for`: `r x/2 from T1:1 for x/1, T2:1 for x+1/1`"
    )]
    NotDivided(String),
    /// Too many variables, threads or events.
    #[error("the history has too many {0}\n  at most 4,294,967,295 are possible")]
    TooMany(&'static str),
    /// The decision refused the history.
    #[error("{0}\n  this is a bug in rmc-history; please report it with the input")]
    Undecidable(rmc_consistency::HistoryError),
    /// A report of `rmc-check`.
    #[error(
        "this is a report of rmc-check, whose traces do not say enough to be histories: locks have no object there, atomic updates no source, and writes of library functions are left out\n  write down the events of interest as a history; see --help"
    )]
    Report,
}

/// A value that several stores give.
#[derive(Debug)]
pub struct Ambiguity {
    /// The bytes.
    pub part: Part,
    /// The value that is read there.
    pub value: u64,
    /// A source with its text and line.
    pub first: String,
    /// Another one.
    pub second: String,
    /// The event with a source.
    pub example: String,
}

/// A number of things.
#[must_use]
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
