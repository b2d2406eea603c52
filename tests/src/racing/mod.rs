//! Small random programs and whether they have a data race: in C for the checker, and on a machine of their
//! own.
//!
//! * [`Program`]: what a program is, as data.
//! * [`random`]: programs from seeds, about as many with a race as without.
//! * [`c_source`]: one C program that holds several of them and chooses one.
//! * [`clocks`]: the textbook machine with vector clocks; it shares nothing with the checker but the
//!   definition.

pub mod c_source;
pub mod clocks;
pub mod random;

/// A memory order of an atomic access or a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether what was handed on is learnt.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether what is known is handed on.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// Atomic variables of four bytes each; they come first in memory.
pub const FLAGS: usize = 2;

/// Bytes of memory: the flags, then eight bytes of data.
pub const MEMORY: usize = 4 * FLAGS + 8;

/// Some bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The first.
    pub offset: usize,
    /// How many: 1, 2, 4 or 8.
    pub len: usize,
}

impl Place {
    /// A whole flag.
    pub fn flag(number: usize) -> Place {
        Place { offset: 4 * number, len: 4 }
    }

    /// Whether two places share a byte.
    pub fn overlaps(self, other: Place) -> bool {
        self.offset < other.offset + other.len && other.offset < self.offset + self.len
    }
}

/// A statement. Values are below 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Statement {
    /// Plain accesses; what is read is not used.
    Read(Place),
    Write(Place),
    /// Atomic accesses of a flag. What is read is the thread's last value.
    Load(usize, Order),
    Store(usize, u64, Order),
    Add(usize, u64, Order),
    /// Stores the second value if the first is found. The order of failure is acquire if that of success
    /// acquires, else relaxed.
    CompareExchange(usize, [u64; 2], Order),
    Fence(Order),
    /// The one mutex. Statements between do not wait for anything else.
    Lock,
    Unlock,
    /// The next statement, no `Lock` or `Unlock`, is skipped unless the last value is this.
    When(u64),
}

/// Per thread its statements. All memory is 0 at first; all threads start together.
pub type Program = Vec<Vec<Statement>>;
