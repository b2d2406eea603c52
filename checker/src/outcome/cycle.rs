//! Executions that are not sequentially consistent, in terms of the source: a happens-before cycle, and the
//! fences that rule it out.
//!
//! Source: Shasha and Snir, *Efficient and Correct Execution of Parallel Programs that Share Memory*, TOPLAS
//! 1988: an execution is sequentially consistent exactly if its program order and the order of its
//! conflicting operations together have no cycle.

use serde::{Deserialize, Serialize};

use super::Place;

/// The answer to the question: is every execution under the model sequentially consistent?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Robustness {
    /// Every execution is sequentially consistent, up to its violation if it has one.
    Robust,
    /// Some execution is not sequentially consistent.
    NotRobust,
    /// Neither is known, because the exploration is incomplete.
    Undecided,
}

/// The executions from which a stateless engine knows whether a program is robust under TSO. In reports, a
/// text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Monitored {
    /// The sequentially consistent executions, watched by the monitor of store buffers: `exact`.
    Exact,
    /// The executions under the model, for this reason.
    Left(String),
}

/// The text of [`Monitored::Exact`].
const EXACT: &str = "exact";

impl From<String> for Monitored {
    fn from(text: String) -> Self {
        if text == EXACT { Self::Exact } else { Self::Left(text) }
    }
}

impl From<Monitored> for String {
    fn from(monitored: Monitored) -> Self {
        match monitored {
            Monitored::Exact => EXACT.to_owned(),
            Monitored::Left(reason) => reason,
        }
    }
}

/// The reason for which one operation comes before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    /// Program order: both operations are of one thread.
    #[serde(rename = "po")]
    ProgramOrder,
    /// Reads-from: the second operation read the value that the first stored.
    #[serde(rename = "rf")]
    ReadsFrom,
    /// Coherence order: the second operation overwrote the value that the first stored.
    #[serde(rename = "co")]
    Coherence,
    /// From-read: the first operation read the value that the second overwrote, or an older one.
    #[serde(rename = "fr")]
    FromRead,
    /// Both operations act on one thread or on one object of the library, in this order.
    #[serde(rename = "sync")]
    Synchronises,
}

/// An operation of a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleOperation {
    /// The thread.
    pub thread: usize,
    /// Source file, empty if unknown.
    pub file: String,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The function.
    pub function: String,
    /// `load`, `store`, the name of a library function, …
    pub operation: String,
    /// The variable and the byte offset in it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub address: String,
    /// The value read or written.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub value: String,
    /// The calls in which it happens, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<Call>,
    /// The reason for which it comes before the next operation; the last one comes before the first.
    pub before_next: Relation,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The function that calls.
    pub function: String,
    /// The place of the call.
    #[serde(flatten)]
    pub place: Place,
}

/// The weakest kind of fence that is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FenceKind {
    /// `atomic_thread_fence(memory_order_seq_cst)`.
    Full,
    /// `atomic_thread_fence(memory_order_release)`.
    StoreStore,
}

/// A place for a fence: without one, a store of the cycle can be delayed until after a later operation. If
/// both are in functions that one function calls, the places are those of the calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    /// The thread.
    pub thread: usize,
    /// The place of the store, or of the call that stores.
    pub after: Place,
    /// The place of the later operation, or of the call with it.
    pub before: Place,
    /// The weakest kind of fence that is enough here.
    pub kind: FenceKind,
}

/// A cycle, beginning with a store that was delayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycle {
    /// The operations, each before the next, and the last before the first.
    pub operations: Vec<CycleOperation>,
    /// The places that need a fence. With a fence at each of them the cycle is impossible; with one of them
    /// left out it is possible.
    pub fences: Vec<Fence>,
}
