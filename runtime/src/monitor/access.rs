//! The monitor's input and output: accesses, the relations between them, borderline loads.

use super::word::Mask;

/// The kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store, which may wait in a store buffer.
    Store,
    /// A read-modify-write that stored.
    Update,
    /// A full fence, also that of a compare-exchange that failed, with its load.
    Fence,
}

/// An access of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorAccess {
    /// The thread.
    pub thread: u32,
    /// The number of accesses of the thread before it.
    pub position: u64,
    /// The number of full fences of the thread before it.
    pub fences: u64,
    /// Its kind.
    pub kind: AccessKind,
    /// The place in the program, as the caller names it.
    pub site: u64,
}

/// The reason for which one access happens-before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Both are of one thread.
    ProgramOrder,
    /// The second reads what the first stored.
    ReadsFrom,
    /// The second overwrites what the first stored.
    Coherence,
    /// The second overwrites what the first read, or something newer.
    FromRead,
    /// The first creates the thread of the second, or the second waited for the end of the thread of the
    /// first.
    Synchronises,
}

/// An edge of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleEdge {
    /// The access that comes first.
    pub from: MonitorAccess,
    /// The access that comes after it.
    pub to: MonitorAccess,
    /// The reason.
    pub relation: Relation,
}

impl CycleEdge {
    /// True if a store buffer can turn the edge around: it leads from a store to a load of its thread, with
    /// no full fence between the two.
    #[must_use]
    pub fn is_delay(&self) -> bool {
        self.relation == Relation::ProgramOrder
            && self.from.fences == self.to.fences
            && self.from.kind == AccessKind::Store
            && self.to.kind == AccessKind::Load
    }
}

/// A load that may read an older value under TSO, such that the execution is not sequentially consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The load.
    pub load: MonitorAccess,
    /// The store that it may miss.
    pub missed: MonitorAccess,
}

/// Some bytes of memory, or of a space of addresses that the caller keeps for objects that synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes. The range does not go beyond the last address.
    pub len: u64,
}

impl ByteRange {
    /// The words of the range, each with its bytes in the range.
    pub(super) fn words(self) -> impl Iterator<Item = (u64, Mask)> {
        let words = self.address / WORD..(self.address + self.len).div_ceil(WORD);
        words.filter_map(move |word| Some((word, self.mask_of(word)?)))
    }

    /// The word of the range and its bytes in it, if there is one word.
    pub(super) fn only_word(self) -> Option<(u64, Mask)> {
        let Self { address, len } = self;
        let (word, first) = (address / WORD, address % WORD);
        // The common case is to be fast.
        (1..=WORD - first).contains(&len).then(|| (word, (Mask::MAX >> (WORD - len)) << first))
    }

    /// The bytes of a word that are in the range, if there are any.
    pub(super) fn mask_of(self, word: u64) -> Option<Mask> {
        let first = self.address.max(word * WORD);
        let end = (self.address + self.len).min((word + 1) * WORD);
        (first < end).then(|| (Mask::MAX >> (WORD - (end - first))) << (first - word * WORD))
    }
}

/// The bytes of a word.
pub(super) const WORD: u64 = 8;
