//! Litmus programs: threads without loops over a small array of bytes, all initially 0.

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Model {
    Sc,
    Tso,
    Pso,
}

/// All threads start together.
pub type Program = Vec<Thread>;

/// Operations in program order.
pub type Thread = Vec<Op>;

/// An operation. `addr` is the first byte, `len` (1, 2, 4 or 8) the number of bytes; values are little endian
/// and fit `len` bytes. Registers are numbered over the whole program from 0, initially 0; give each load its
/// own to tell its value in an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Store {
        addr: usize,
        len: usize,
        value: u64,
    },
    Load {
        addr: usize,
        len: usize,
        reg: usize,
    },
    /// A full fence.
    Fence,
    /// A store-store barrier; nothing but PSO needs it.
    StoreBarrier,
    /// Stores `value`; the old value goes to `reg`.
    Exchange {
        addr: usize,
        len: usize,
        value: u64,
        reg: usize,
    },
    /// Stores `new` if the old value is `expected`; the old value goes to `reg`. A full fence also if it
    /// fails.
    CompareExchange {
        addr: usize,
        len: usize,
        expected: u64,
        new: u64,
        reg: usize,
    },
    /// Adds `value`, wrapping in `len` bytes; the old value goes to `reg`.
    FetchAdd {
        addr: usize,
        len: usize,
        value: u64,
        reg: usize,
    },
    /// Skips the next `count` operations unless `reg` holds `value`. Registers belong to their thread, so the
    /// branch touches no memory.
    SkipUnless {
        reg: usize,
        value: u64,
        count: usize,
    },
}

impl Op {
    /// The bytes accessed.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        match *self {
            Op::Store { addr, len, .. }
            | Op::Load { addr, len, .. }
            | Op::Exchange { addr, len, .. }
            | Op::CompareExchange { addr, len, .. }
            | Op::FetchAdd { addr, len, .. } => addr..addr + len,
            Op::Fence | Op::StoreBarrier | Op::SkipUnless { .. } => 0..0,
        }
    }

    /// The register written.
    pub fn register(&self) -> Option<usize> {
        match *self {
            Op::Load { reg, .. }
            | Op::Exchange { reg, .. }
            | Op::CompareExchange { reg, .. }
            | Op::FetchAdd { reg, .. } => Some(reg),
            Op::Store { .. } | Op::Fence | Op::StoreBarrier | Op::SkipUnless { .. } => None,
        }
    }

    /// What a read-modify-write that finds `old` stores; `None` if nothing.
    pub fn update(&self, old: u64) -> Option<u64> {
        match *self {
            Op::Exchange { value, .. } => Some(value),
            Op::CompareExchange { expected, new, .. } => (old == expected).then_some(new),
            Op::FetchAdd { value, len, .. } => Some(old.wrapping_add(value) & (u64::MAX >> (64 - 8 * len))),
            Op::Store { .. } | Op::Load { .. } | Op::Fence | Op::StoreBarrier | Op::SkipUnless { .. } => None,
        }
    }
}

/// Bytes of memory the program uses: one more than the highest address.
pub fn memory_size(program: &[Thread]) -> usize {
    program.iter().flatten().map(|op| op.bytes().end).max().unwrap_or(0)
}

/// Registers the program uses: one more than the highest number.
pub fn register_count(program: &[Thread]) -> usize {
    program.iter().flatten().filter_map(Op::register).map(|reg| reg + 1).max().unwrap_or(0)
}
