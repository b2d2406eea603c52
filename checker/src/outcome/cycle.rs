//! Executions that are not sequentially consistent, in the words of the source: a happens-before cycle, and
//! the fences that rule it out.
//!
//! Source: Shasha and Snir, *Efficient and Correct Execution of Parallel Programs that Share Memory*, TOPLAS
//! 1988: an execution is sequentially consistent exactly if its program order and the order of its
//! conflicting operations together have no cycle.

use serde::{Deserialize, Serialize};

use super::Place;

/// Whether every execution under the model is one of sequential consistency too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Robustness {
    /// Every one is, up to where it goes wrong.
    Robust,
    /// One is not.
    NotRobust,
    /// Neither is known: not everything was explored.
    Undecided,
}

/// Why one operation comes before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    /// The program says so; both are of one thread.
    #[serde(rename = "po")]
    ProgramOrder,
    /// The second read what the first stored.
    #[serde(rename = "rf")]
    ReadsFrom,
    /// The second overwrote what the first stored.
    #[serde(rename = "co")]
    Coherence,
    /// The first read what was there before the second stored.
    #[serde(rename = "fr")]
    FromRead,
    /// They did something to one thread, or to one thing of the library, in this order.
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
    /// Why it comes before the next one; the last one comes before the first.
    pub before_next: Relation,
}

/// What a fence must at least be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FenceKind {
    /// `atomic_thread_fence(memory_order_seq_cst)`.
    Full,
    /// `atomic_thread_fence(memory_order_release)`.
    StoreStore,
}

/// Where a store of the cycle can be delayed until after a later operation, unless a fence is between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    /// The thread.
    pub thread: usize,
    /// Where the store is.
    pub after: Place,
    /// Where the later operation is.
    pub before: Place,
    /// What is enough.
    pub kind: FenceKind,
}

/// A cycle, beginning with a store that was delayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycle {
    /// The operations, each before the next, and the last before the first.
    pub operations: Vec<CycleOperation>,
    /// The places of which each must have a fence, and then the cycle is impossible. Where only one of them
    /// has none, it is possible.
    pub fences: Vec<Fence>,
}
