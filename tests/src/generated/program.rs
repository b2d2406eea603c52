//! A random program as data.
//!
//! Threads access a few cells of eight bytes, in whole or in part. The textbook machine does not know the
//! place of the cells, the [`Home`], because it must not matter.

use super::{CELL_BYTES, CELLS};

/// A memory order of C. `Plain` is a non-atomic access; only plain accesses may be unaligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// True if a fence or store of this order keeps at least earlier stores before later ones.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// Some bytes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the cell, below [`CELLS`].
    pub cell: usize,
    /// The first byte in it.
    pub offset: usize,
    /// The number of bytes: 1, 2, 4 or 8, or any number for a fill or copy; the place does not go beyond the
    /// cell.
    pub len: usize,
}

impl Place {
    /// The address of the first byte in a memory that consists of the cells one after the other.
    pub fn address(self) -> usize {
        self.cell * CELL_BYTES + self.offset
    }

    /// True if an atomic access may have this place.
    pub fn is_aligned(self) -> bool {
        self.offset.is_multiple_of(self.len)
    }
}

/// The address, behind the cells, of the textbook machine's flag that the cells are published.
pub const PUBLISHED: usize = CELLS * CELL_BYTES;

/// A statement. Values fit the bytes of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Statement {
    Store {
        place: Place,
        value: u64,
        order: Order,
    },
    Load {
        place: Place,
        order: Order,
    },
    Fence(Order),
    /// `__VERIFIER_atomic_begin`, which --svcomp gives a meaning.
    BeginSection,
    /// `__VERIFIER_atomic_end`.
    EndSection,
    Exchange {
        place: Place,
        value: u64,
    },
    CompareExchange {
        place: Place,
        expected: u64,
        new: u64,
    },
    FetchAdd {
        place: Place,
        value: u64,
    },
    /// A read-modify-write whose result is not used.
    Add {
        place: Place,
        value: u64,
    },
    /// `memset` with the value of each byte.
    Fill {
        place: Place,
        byte: u8,
    },
    /// `memcpy` to a place of the same length in another cell.
    Copy {
        to: Place,
        from: Place,
    },
    /// `then`, a statement that reads nothing, if the thread's last read returned `read`. The thread has read
    /// before.
    When {
        read: u64,
        then: Box<Statement>,
    },
}

impl Statement {
    /// True if it reads a value.
    pub fn reads(&self) -> bool {
        match self {
            Statement::Load { .. }
            | Statement::Exchange { .. }
            | Statement::CompareExchange { .. }
            | Statement::FetchAdd { .. } => true,
            Statement::Store { .. }
            | Statement::Fence(_)
            | Statement::BeginSection
            | Statement::EndSection
            | Statement::Add { .. }
            | Statement::Fill { .. }
            | Statement::Copy { .. }
            | Statement::When { .. } => false,
        }
    }
}

/// The place of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A global variable for each cell.
    Globals,
    /// An array, with an index that the thread computes.
    Array,
    /// A structure on the stack of `main`; the threads get its address as their argument.
    Stack,
    /// A heap object that `main` allocates before it creates the threads.
    Heap,
    /// A heap object that the first thread allocates and publishes. The others find it, or find a null
    /// pointer and end.
    Published,
    /// As before, but the others find a number that the address is computed from. The first thread stores the
    /// address itself at its end, where only `main` reads it.
    Disguised,
}

impl Home {
    /// The homes that seeds take in turn.
    pub const ALL: [Home; 5] = [Home::Globals, Home::Array, Home::Stack, Home::Heap, Home::Published];

    /// True if the first thread makes the cells and publishes them.
    pub fn is_published(self) -> bool {
        matches!(self, Home::Published | Home::Disguised)
    }
}

/// The publication of the cells by the first thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The number of its statements that come before.
    pub after: usize,
    /// The memory order: relaxed, release or seq_cst.
    pub order: Order,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The place of the cells.
    pub home: Home,
    /// The publication, if the cells are published.
    pub publication: Option<Publication>,
    /// The statements of each thread.
    pub threads: Vec<Vec<Statement>>,
}

impl Program {
    /// The publication of the cells, if this thread makes it.
    pub fn publication_of(&self, thread: usize) -> Option<Publication> {
        self.publication.filter(|_| thread == 0)
    }

    /// True if there is a fill or a copy. An optimiser may remove them, or divide them differently.
    pub fn has_copies(&self) -> bool {
        let copies = |statement: &Statement| matches!(statement, Statement::Fill { .. } | Statement::Copy { .. });
        self.threads.iter().flatten().any(copies)
    }

    /// True if the thread must find the cells first.
    pub fn finds_cells(&self, thread: usize) -> bool {
        self.publication.is_some() && thread > 0
    }
}
