//! Litmus programs: threads without loops over a small array of bytes, all initially 0.

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Model {
    Sc,
    Tso,
    Pso,
}

/// The threads of a program; all of them start together.
pub type Program = Vec<Thread>;

/// Operations in program order.
pub type Thread = Vec<Op>;

/// An operation. `addr` is the first byte, `len` (1, 2, 4 or 8) the number of bytes; values are little endian
/// and fit `len` bytes. Registers are numbered over the whole program from 0, initially 0; a load needs a
/// register of its own if its value is to be distinguished in an outcome.
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
    /// `memset`: the stores of its pieces, in any order.
    Fill {
        addr: usize,
        len: usize,
        byte: u8,
    },
    /// `memcpy` between ranges without a common byte: each piece is loaded and then stored; the order is free
    /// otherwise.
    Copy {
        to: usize,
        from: usize,
        len: usize,
    },
    /// A full fence.
    Fence,
    /// Begins an atomic section, with a full fence. Until it ends, no other thread executes an operation, and
    /// no store of another thread reaches memory.
    BeginSection,
    /// Ends an atomic section, with a full fence.
    EndSection,
    /// A store-store barrier; it has an effect only under PSO.
    StoreBarrier,
    /// Stores `value`; the old value goes to `reg`.
    Exchange {
        addr: usize,
        len: usize,
        value: u64,
        reg: usize,
    },
    /// Stores `new` if the old value is `expected`; the old value goes to `reg`. It is a full fence even if
    /// it fails.
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
    /// The range of bytes accessed.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        match *self {
            Op::Store { addr, len, .. }
            | Op::Load { addr, len, .. }
            | Op::Exchange { addr, len, .. }
            | Op::CompareExchange { addr, len, .. }
            | Op::FetchAdd { addr, len, .. } => addr..addr + len,
            Op::Fill { addr, len, .. } => addr..addr + len,
            Op::Copy { to, from, len } => 0..to.max(from) + len,
            Op::Fence | Op::BeginSection | Op::EndSection | Op::StoreBarrier | Op::SkipUnless { .. } => 0..0,
        }
    }

    /// The register written, if any.
    pub fn register(&self) -> Option<usize> {
        match *self {
            Op::Load { reg, .. }
            | Op::Exchange { reg, .. }
            | Op::CompareExchange { reg, .. }
            | Op::FetchAdd { reg, .. } => Some(reg),
            Op::Store { .. }
            | Op::Fill { .. }
            | Op::Copy { .. }
            | Op::Fence
            | Op::BeginSection
            | Op::EndSection
            | Op::StoreBarrier
            | Op::SkipUnless { .. } => None,
        }
    }

    /// The pieces of a fill or a copy: offset and bytes of each. They are words from the first byte on, and
    /// 4, 2 and 1 bytes at the end; none goes beyond an aligned word of 8 bytes of the memory it is in.
    pub fn pieces(&self) -> Vec<(usize, usize)> {
        let (bases, len) = match *self {
            Op::Fill { addr, len, .. } => ([addr, addr], len),
            Op::Copy { to, from, len } => ([to, from], len),
            _ => return Vec::new(),
        };
        let mut cuts: Vec<usize> = (0..len / 8).map(|word| 8 * (word + 1)).collect();
        for size in [4, 2, 1].into_iter().filter(|size| len & size != 0) {
            cuts.push(cuts.last().unwrap_or(&0) + size);
        }
        cuts.extend((1..len).filter(|cut| bases.iter().any(|base| (base + cut).is_multiple_of(8))));
        cuts.push(0);
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| (cut[0], cut[1] - cut[0])).collect()
    }

    /// The value that a read-modify-write stores if it finds `old`; `None` if it stores nothing.
    pub fn update(&self, old: u64) -> Option<u64> {
        match *self {
            Op::Exchange { value, .. } => Some(value),
            Op::CompareExchange { expected, new, .. } => (old == expected).then_some(new),
            Op::FetchAdd { value, len, .. } => Some(old.wrapping_add(value) & (u64::MAX >> (64 - 8 * len))),
            Op::Store { .. }
            | Op::Load { .. }
            | Op::Fill { .. }
            | Op::Copy { .. }
            | Op::Fence
            | Op::BeginSection
            | Op::EndSection
            | Op::StoreBarrier
            | Op::SkipUnless { .. } => None,
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
