//! Why a model forbids a history.

use crate::history::EventId;

/// The reason for which there is no witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A cycle of orderings that each witness would have to respect: each node is before that of the next
    /// entry, and the last one before the first.
    Cycle(Vec<Ordering>),
    /// Every prefix of a witness was tried; so many of them end without completion.
    Exhausted {
        /// The number of these prefixes.
        prefixes: u64,
    },
}

/// A node of a cycle, and why it is before the next node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// The node.
    pub node: Node,
    /// The reason why it is before the next one.
    pub cause: Cause<Node>,
}

/// Something that happens in a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An event; stores of it that are not delayed reach memory.
    Event(EventId),
    /// A delayed store reaches memory: that of an event's write of this number.
    Arrival {
        /// The event.
        event: EventId,
        /// The number of the write in it.
        write: u32,
    },
}

/// The reasons for which one node is before another one. Some depend on a third node, of type `N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause<N = u32> {
    /// They are in program order, or the model keeps stores of one thread in order.
    ProgramOrder,
    /// A store reaches memory after it was made.
    Delay,
    /// A fence, or an event that is one, waits for the store.
    Fence,
    /// A store-store barrier is between the stores.
    Barrier,
    /// They are stores of one thread to the same bytes.
    SameBytes,
    /// The second reads from the first.
    ReadsFrom,
    /// The first reads the initial memory, which the second overwrites.
    ReadsInitial,
    /// The first is a store that hides the initial memory from this event of its thread, which reads it.
    HidesInitial(N),
    /// This event reads from the second, and the first is a store of the reader's thread before the event.
    OwnBefore(N),
    /// This event reads from the second, and the first reaches the same bytes before that event.
    BeforeRead(N),
    /// The first reads from this store, and the second reaches the same bytes after it.
    AfterSource(N),
}

impl<N> Cause<N> {
    /// The cause with another name for the third node.
    pub(crate) fn map<M>(self, name: impl FnOnce(N) -> M) -> Cause<M> {
        match self {
            Self::ProgramOrder => Cause::ProgramOrder,
            Self::Delay => Cause::Delay,
            Self::Fence => Cause::Fence,
            Self::Barrier => Cause::Barrier,
            Self::SameBytes => Cause::SameBytes,
            Self::ReadsFrom => Cause::ReadsFrom,
            Self::ReadsInitial => Cause::ReadsInitial,
            Self::HidesInitial(node) => Cause::HidesInitial(name(node)),
            Self::OwnBefore(node) => Cause::OwnBefore(name(node)),
            Self::BeforeRead(node) => Cause::BeforeRead(name(node)),
            Self::AfterSource(node) => Cause::AfterSource(name(node)),
        }
    }
}
