//! A random program as data.
//!
//! Threads access a few cells of eight bytes, in whole or in part. Where the cells are, the [`Home`], is not
//! part of what the textbook machine knows: it must not matter.

use super::{CELL_BYTES, CELLS};

/// A memory order of C. `Plain` is an access that is not atomic; only such ones may be unaligned.
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
    /// Does a fence or store of this order keep earlier stores before later ones, if not more?
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
    /// 1, 2, 4 or 8 bytes, or any number of a fill or copy; they do not go beyond the cell.
    pub len: usize,
}

impl Place {
    /// The first byte of the place in a memory that is the cells one after the other.
    pub fn address(self) -> usize {
        self.cell * CELL_BYTES + self.offset
    }

    /// May an atomic access have this place?
    pub fn is_aligned(self) -> bool {
        self.offset.is_multiple_of(self.len)
    }
}

/// The address, behind the cells, at which the textbook machine keeps whether the cells are published.
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
    /// The same, but nobody uses the result.
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
    /// `then`, a statement that reads nothing, if the thread's last read gave `read`. The thread has read
    /// before.
    When {
        read: u64,
        then: Box<Statement>,
    },
}

impl Statement {
    /// Does it read a value?
    pub fn reads(&self) -> bool {
        match self {
            Statement::Load { .. }
            | Statement::Exchange { .. }
            | Statement::CompareExchange { .. }
            | Statement::FetchAdd { .. } => true,
            Statement::Store { .. }
            | Statement::Fence(_)
            | Statement::Add { .. }
            | Statement::Fill { .. }
            | Statement::Copy { .. }
            | Statement::When { .. } => false,
        }
    }
}

/// Where the cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A global variable each.
    Globals,
    /// An array, with an index that the thread computes.
    Array,
    /// A structure on the stack of `main`, whose address the threads get as their argument.
    Stack,
    /// A heap object that `main` allocates before it creates the threads.
    Heap,
    /// A heap object that the first thread allocates and publishes; the others find it or find a null
    /// pointer, and then end.
    Published,
}

impl Home {
    /// All of them.
    pub const ALL: [Home; 5] = [Home::Globals, Home::Array, Home::Stack, Home::Heap, Home::Published];
}

/// The publication of the cells by the first thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// How many of its statements come before.
    pub after: usize,
    /// Relaxed, release or seq_cst.
    pub order: Order,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Where the cells are.
    pub home: Home,
    /// Only with [`Home::Published`].
    pub publication: Option<Publication>,
    /// Per thread its statements.
    pub threads: Vec<Vec<Statement>>,
}

impl Program {
    /// When the thread publishes the cells.
    pub fn publication_of(&self, thread: usize) -> Option<Publication> {
        self.publication.filter(|_| thread == 0)
    }

    /// Is there a fill or a copy? An optimiser may remove them, or divide them otherwise.
    pub fn has_copies(&self) -> bool {
        let copies = |statement: &Statement| matches!(statement, Statement::Fill { .. } | Statement::Copy { .. });
        self.threads.iter().flatten().any(copies)
    }

    /// Must the thread find the cells first?
    pub fn finds_cells(&self, thread: usize) -> bool {
        self.publication.is_some() && thread > 0
    }
}
