//! Small random programs, with and without data races: as C for the checker, and for a separate machine.
//!
//! * [`Program`]: the data type of programs.
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
    /// True if an operation of this order acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// True if an operation of this order releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// The number of atomic variables, of four bytes each; they come first in memory.
pub const FLAGS: usize = 2;

/// The number of bytes of memory: the flags, then eight bytes of data.
pub const MEMORY: usize = 4 * FLAGS + 8;

/// Some bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The first byte.
    pub offset: usize,
    /// The number of bytes: 1, 2, 4 or 8.
    pub len: usize,
}

impl Place {
    /// The place of a whole flag.
    pub fn flag(number: usize) -> Place {
        Place { offset: 4 * number, len: 4 }
    }

    /// True if two places share a byte.
    pub fn overlaps(self, other: Place) -> bool {
        self.offset < other.offset + other.len && other.offset < self.offset + self.len
    }
}

/// A statement. Values are below 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Statement {
    /// Plain accesses; values that are read are not used.
    Read(Place),
    Write(Place),
    /// Atomic accesses of a flag. The value read becomes the thread's last value.
    Load(usize, Order),
    Store(usize, u64, Order),
    Add(usize, u64, Order),
    /// Stores the second value if the first is found. The order of failure is acquire if that of success
    /// acquires, else relaxed.
    CompareExchange(usize, [u64; 2], Order),
    Fence(Order),
    /// The operations of the only mutex. Statements between them do not wait for anything else.
    Lock,
    Unlock,
    /// Skips the next statement, which is no `Lock` or `Unlock`, unless the last value is this.
    When(u64),
}

/// The statements of each thread. All memory is 0 at first; all threads start together.
pub type Program = Vec<Vec<Statement>>;
