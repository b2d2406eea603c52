//! Delays: stores that may reach memory after a later operation of their thread, and what the thread does
//! between the two. A repair puts a fence somewhere on the way.

use super::cycle::FenceKind;

/// A position in the source, exact to the column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePoint {
    /// The file: absolute, or relative to the working directory.
    pub file: String,
    /// The line, 1 is the first.
    pub line: u32,
    /// The column in bytes, 1 is the first; 0 if unknown.
    pub column: u32,
    /// The function and the instruction in the program. Calls in the same frame have different ones.
    pub code: (u32, u32),
}

/// An operation of a thread: the positions of its frames, outermost first. Frames without a known line, such
/// as those of the support library, are left out.
pub type Stack = Vec<SourcePoint>;

/// A store that may be delayed until after a later operation of its thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delay {
    /// The weakest kind of fence that is enough between the two.
    pub kind: FenceKind,
    /// The operations of the thread from the store to the later operation, both included, in program order.
    pub path: Vec<Stack>,
    /// The variable that is stored to, and the one of the later operation; empty if unknown.
    pub variables: [String; 2],
}

/// The delays of an execution.
#[derive(Clone, Debug, Default)]
pub struct Delays {
    /// The delays of a shortest cycle: those that are most likely to matter.
    pub of_cycle: Vec<Delay>,
    /// The delays on any cycle, for each store up to the last operation that it may be delayed after. If a
    /// thread makes none of them, the execution is sequentially consistent up to the order of independent
    /// operations. Empty if the execution is that already.
    pub all: Vec<Delay>,
}
