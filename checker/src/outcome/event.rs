//! The parts of a counterexample: events, and the other places that explain it.

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
    /// The number of bytes that are accessed; 0 if the event is no access.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub bytes: u32,
    /// The part of the object that is accessed: a member, an element, or the object and the distance.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub address: Text,
    /// The value read or written.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub value: Text,
    /// The function or the object, and the byte offset in it, that the value points to; for a
    /// read-modify-write, the target of the new value.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub points_to: Text,
    /// The origin of a loaded value; for a flush, the place of the store.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub source: Text,
    /// The stores that are still in a buffer after the operation, oldest first: `thread 0: x = 1`. Of more
    /// than 64 stores, only the 32 oldest and the 32 newest are listed, with the number of omitted ones
    /// between them: `8136 more`.
    #[serde(default)]
    pub buffers: Vec<Text>,
}

/// True if serde may leave out this number.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// True if serde may leave out this text.
fn is_empty(text: &Text) -> bool {
    text.is_empty()
}

impl TraceEvent {
    /// This event with its texts interned in `texts`, so that events share them.
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
    /// A description of what happened there: `freed`, `allocated (8 bytes)`.
    pub what: String,
    /// Source file, empty if unknown.
    pub file: String,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The thread that did it.
    pub thread: usize,
    /// The function in which the thread did it.
    pub function: String,
}

impl RelatedPlace {
    /// The event and its place as a clause: `freed at list.c:8 by thread 1`.
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
