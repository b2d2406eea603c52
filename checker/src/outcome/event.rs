//! What a counterexample is made of: events, and the other places that explain it.

use serde::{Deserialize, Serialize};

use super::text::{Text, Texts};

/// One line of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEvent {
    /// The step of the schedule, from 1.
    pub step: usize,
    /// The thread that acts, or whose store reaches memory.
    pub thread: usize,
    /// Source file, empty if unknown.
    pub file: Text,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The function that this line is in.
    pub function: Text,
    /// `load`, `store`, `flush`, `fence`, the name of a library function, …
    pub operation: Text,
    /// The variable or other object that is accessed, allocated or freed.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub object: Text,
    /// The distance from the object's begin, in bytes.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub offset: u32,
    /// Bytes that are accessed; 0 if it is no access.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub bytes: u32,
    /// The part of the object that is accessed: a member, an element, or the object and the distance.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub address: Text,
    /// The value read or written.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub value: Text,
    /// The function or the object, and the byte offset in it, at the address that the value is; of a
    /// read-modify-write, the new value.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub points_to: Text,
    /// Where a loaded value came from; for a flush, where the store is.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub source: Text,
    /// Stores that are still in a buffer after the operation, oldest first: `thread 0: x = 1`. Of more than
    /// 64, the 32 oldest and newest, and between them how many there are: `8136 more`.
    #[serde(default)]
    pub buffers: Vec<Text>,
}

/// For serde: whether a number goes without saying.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// For serde: whether a text goes without saying.
fn is_empty(text: &Text) -> bool {
    text.is_empty()
}

impl TraceEvent {
    /// The event with texts that it shares with others.
    #[must_use]
    pub(crate) fn sharing(mut self, texts: &mut Texts) -> Self {
        let Self { file, function, operation, object, address, value, points_to, source, .. } = &mut self;
        for text in [file, function, operation, object, address, value, points_to, source] {
            texts.share(text);
        }
        self.buffers.iter_mut().for_each(|text| texts.share(text));
        self
    }
}

/// A place in the program that explains a violation elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedPlace {
    /// What happened there, in words: `freed`, `allocated (8 bytes)`.
    pub what: String,
    /// Source file, empty if unknown.
    pub file: String,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The thread that did it.
    pub thread: usize,
    /// The function it did it in.
    pub function: String,
}

impl RelatedPlace {
    /// What happened and where, in a sentence: `freed at list.c:8 by thread 1`.
    pub(crate) fn clause(&self) -> String {
        let Self { what, file, line, thread, function } = self;
        let file = file.rsplit('/').next().unwrap_or_default();
        let place = match (*line, function.as_str()) {
            (0, "") => String::new(),
            (0, function) => format!(" in {function}"),
            (line, _) => format!(" at {file}:{line}"),
        };
        format!("{what}{place} by thread {thread}")
    }
}
