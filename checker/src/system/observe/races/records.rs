//! The data structure of data race detection: the accesses that can still race, and the carriers that know of
//! them.
//!
//! A [`Record`] is an access to memory. Its *carriers* are those that have it in their past, in the sense of
//! happens-before: threads, and the things by which knowledge passes from thread to thread. An access races
//! with a record that conflicts with it and that its thread does not know.
//!
//! Source: *Goldilocks: A Race and Transaction-Aware Java Runtime*, Tayfun Elmas, Shaz Qadeer and Serdar
//! Tasiran, PLDI 2007. It keeps a set of threads and synchronisation objects for each access instead of
//! clocks, which grow for ever. Their sets are updated lazily from a list of events; ours at once, because a
//! state has no list of events.
//!
//! The records are kept as few as possible, so that states match:
//! * A record is dropped when every live thread knows it: later threads learn it from those.
//! * A record is dropped when a later access knows it, covers it and conflicts with everything that it
//!   conflicts with (as in *`FastTrack`*, Cormac Flanagan and Stephen Freund, PLDI 2009): a carrier that
//!   knows the later access knows the earlier one too.
//! * An access is not recorded beside an earlier one of its thread that covers it, conflicts with at least as
//!   much and is known to nobody else: the two are known to the same carriers from now on.

use std::fmt;

use rmc_runtime::{Access, StoreTag};

use crate::system::state::memory::{Arrival, Fate};

/// A range of bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The object's name.
    pub object: u32,
    /// The first byte.
    pub offset: u32,
    /// The number of bytes.
    pub len: u32,
}

impl From<Access> for Range {
    fn from(at: Access) -> Self {
        Self { object: at.object, offset: at.offset, len: at.len.into() }
    }
}

impl Range {
    const fn overlaps(self, other: Self) -> bool {
        self.object == other.object && self.offset < other.offset + other.len && other.offset < self.offset + self.len
    }

    const fn covers(self, other: Self) -> bool {
        self.object == other.object && self.offset <= other.offset && other.offset + other.len <= self.offset + self.len
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// True if it writes, or reads and writes.
    pub write: bool,
    /// True if it is atomic.
    pub atomic: bool,
}

impl Kind {
    /// True if two unordered accesses of these kinds to a byte are a data race (C11 5.1.2.4, paragraphs 4 and
    /// 25).
    const fn conflicts(self, other: Self) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// True if this kind conflicts with everything that the other conflicts with.
    const fn dominates(self, other: Self) -> bool {
        (self.write || !other.write) && (!self.atomic || other.atomic)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atomic = if self.atomic { "an atomic" } else { "a plain" };
        let write = if self.write { "write" } else { "read" };
        write!(out, "{atomic} {write}")
    }
}

/// The kinds of things that can have an access in their past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A thread.
    Thread(usize),
    /// The past of a thread at its last release fence, which its relaxed stores release.
    Released(usize),
    /// Everything that a thread's relaxed loads read, which its next acquire fence acquires.
    Seen(usize),
    /// The atomic sections of `--svcomp`, which exclude each other like the holders of one lock.
    Sections,
    /// The value that memory has at a place, in a release sequence of this thread. A synchronisation object
    /// is represented by its word.
    Place(Access, Head),
    /// A reader-writer lock, by its word: what its writers released, or its readers.
    ReaderWriter(Access, Side),
    /// The value of a buffered store, in a release sequence of this thread. Between steps the tag is its
    /// number in canonical order, from 1.
    Pending(StoreTag, Head),
    /// The value that the operation under way read, in a release sequence of this thread.
    Read(Head),
}

/// Who holds a reader-writer lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Readers.
    Readers,
    /// A writer.
    Writer,
}

/// The thread whose release store begins a release sequence. Its own later stores continue the sequence,
/// those of others end it. `None` stands for a thread that is gone, or a model of a library function.
pub type Head = Option<usize>;

/// An access that can still race.
#[derive(Clone, Debug)]
pub struct Record {
    /// The bytes that it accesses.
    pub at: Range,
    /// The thread that made the access; `None` if that is gone.
    pub owner: Option<usize>,
    /// The kind of the access.
    pub kind: Kind,
    carriers: Vec<Carrier>,
}

impl Record {
    fn has(&self, carrier: Carrier) -> bool {
        self.carriers.contains(&carrier)
    }

    fn add(&mut self, carrier: Carrier) {
        if !self.has(carrier) {
            self.carriers.push(carrier);
        }
    }
}

/// The accesses that can still race.
#[derive(Clone, Debug, Default)]
pub struct Records {
    all: Vec<Record>,
}

impl Records {
    /// A record with which an access by `thread` races, if there is one.
    pub fn race(&self, at: Range, kind: Kind, thread: usize) -> Option<&Record> {
        self.all.iter().find(|record| {
            record.at.overlaps(at) && record.kind.conflicts(kind) && !record.has(Carrier::Thread(thread))
        })
    }

    /// Records an access that races with no record.
    pub fn note(&mut self, at: Range, kind: Kind, thread: usize) {
        let me = Carrier::Thread(thread);
        self.all.retain(|record| !(at.covers(record.at) && kind.dominates(record.kind) && record.has(me)));
        let same = |record: &Record| {
            record.at.covers(at)
                && record.kind.dominates(kind)
                && record.owner == Some(thread)
                && record.carriers == [me]
        };
        if !self.all.iter().any(same) {
            self.all.push(Record { at, owner: Some(thread), kind, carriers: vec![me] });
        }
    }

    /// Makes everything that `from` knows known to `to`.
    pub fn hand_on(&mut self, from: Carrier, to: Carrier) {
        self.spread(|one| (one == from).then_some(to));
    }

    /// Makes everything that a carrier knows known to the carrier that `to` returns for it, if any.
    pub fn spread(&mut self, to: impl Fn(Carrier) -> Option<Carrier>) {
        for record in &mut self.all {
            for at in 0..record.carriers.len() {
                if let Some(other) = to(record.carriers[at]) {
                    record.add(other);
                }
            }
        }
    }

    /// Handles a store that reaches memory. It continues the release sequences of its own thread, and ends
    /// those of others.
    pub fn arrive(&mut self, Arrival { thread, at, tag, fate }: Arrival) {
        let ends = |old: Access, head| old.overlaps(at) && (old != at || head != Some(thread));
        self.forget_all(|one| matches!(one, Carrier::Place(old, head) if ends(old, head)));
        let next = match fate {
            Fate::Written => {
                return self.rename(|one| match one {
                    Carrier::Pending(store, head) if store == tag => Carrier::Place(at, head),
                    other => other,
                });
            }
            Fate::Overwritten(next) => next,
        };
        if let Some((thread, next)) = next {
            self.hand_on(Carrier::Pending(tag, Some(thread)), Carrier::Pending(next, Some(thread)));
        }
        self.forget_all(|one| matches!(one, Carrier::Pending(store, _) if store == tag));
    }

    /// Removes a carrier, which then knows nothing any more.
    pub fn forget(&mut self, carrier: Carrier) {
        self.forget_all(|one| one == carrier);
    }

    /// Removes all carriers for which `gone` is true.
    pub fn forget_all(&mut self, gone: impl Fn(Carrier) -> bool) {
        self.all.iter_mut().for_each(|record| record.carriers.retain(|&one| !gone(one)));
    }

    /// True if a carrier for which `wanted` is true knows any record.
    pub fn any(&self, wanted: impl Fn(Carrier) -> bool) -> bool {
        self.all.iter().any(|record| record.carriers.iter().any(|&one| wanted(one)))
    }

    /// Renames carriers. Two may get the same name.
    pub fn rename(&mut self, name: impl Fn(Carrier) -> Carrier) {
        for record in &mut self.all {
            let old = std::mem::take(&mut record.carriers);
            old.into_iter().for_each(|one| record.add(name(one)));
        }
    }

    /// Forgets the memory of an object that is gone.
    pub fn end_object(&mut self, object: u32) {
        self.all.retain(|record| record.at.object != object);
        self.forget_all(
            |one| matches!(one, Carrier::Place(at, _) | Carrier::ReaderWriter(at, _) if at.object == object),
        );
    }

    /// Handles that the number of a thread becomes free. Its accesses stay only in the pasts of the carriers
    /// that know them.
    pub fn end_thread(&mut self, thread: usize) {
        self.all.iter_mut().filter(|record| record.owner == Some(thread)).for_each(|record| record.owner = None);
        self.forget_all(|one| one == Carrier::Thread(thread) || is_fence_of(one, thread));
        self.rename(|one| match one {
            Carrier::Place(at, Some(head)) if head == thread => Carrier::Place(at, None),
            Carrier::Pending(tag, Some(head)) if head == thread => Carrier::Pending(tag, None),
            other => other,
        });
    }

    /// Drops records and carriers that cannot matter any more. `live` are the threads that run.
    pub fn tidy(&mut self, live: &[usize]) {
        self.all.retain(|record| !live.iter().all(|&thread| record.has(Carrier::Thread(thread))));
        for record in &mut self.all {
            let known: Vec<_> = live.iter().copied().filter(|&thread| record.has(Carrier::Thread(thread))).collect();
            record.carriers.retain(|&one| match one {
                Carrier::Read(_) => false,
                Carrier::Seen(thread) => live.contains(&thread) && !known.contains(&thread),
                Carrier::Released(thread) => live.contains(&thread),
                _ => true,
            });
        }
    }

    /// Appends the canonical form to `out`: records in the order of their words, each as
    ///
    /// ```text
    /// object << 32 | offset,   carriers << 44 | write << 43 | atomic << 42 | (owner + 1) << 32 | len,   a word for each carrier, ascending
    /// ```
    pub fn encode(&self, out: &mut Vec<u64>) {
        let mut records: Vec<Vec<u64>> = self.all.iter().map(Record::words).collect();
        records.sort_unstable();
        records.dedup();
        out.extend(records.into_iter().flatten());
    }

    /// The inverse of [`Records::encode`].
    pub fn decode(&mut self, words: &[u64]) {
        self.all.clear();
        let mut words = words.iter().copied();
        while let (Some(place), Some(what)) = (words.next(), words.next()) {
            let at = Range { object: (place >> 32) as u32, offset: place as u32, len: what as u32 };
            let owner = (what >> 32 & 0x3FF).checked_sub(1).map(|owner| owner as usize);
            let kind = Kind { write: what >> 43 & 1 == 1, atomic: what >> 42 & 1 == 1 };
            let carriers = words.by_ref().take((what >> 44) as usize).map(Carrier::from_word).collect();
            self.all.push(Record { at, owner, kind, carriers });
        }
    }
}

fn is_fence_of(carrier: Carrier, thread: usize) -> bool {
    carrier == Carrier::Released(thread) || carrier == Carrier::Seen(thread)
}

impl Record {
    fn words(&self) -> Vec<u64> {
        let owner = self.owner.map_or(0, |owner| owner as u64 + 1);
        let kind = u64::from(self.kind.write) << 43 | u64::from(self.kind.atomic) << 42;
        let what = (self.carriers.len() as u64) << 44 | kind | owner << 32 | u64::from(self.at.len);
        let mut carriers: Vec<u64> = self.carriers.iter().map(|one| one.word()).collect();
        carriers.sort_unstable();
        [u64::from(self.at.object) << 32 | u64::from(self.at.offset), what].into_iter().chain(carriers).collect()
    }
}

/// The positions of the fields of a carrier's word: its kind, its head plus one, and below them 21 bits of
/// object, 6 of length and 26 of offset, or a number.
const KIND: u32 = 61;
const HEAD: u32 = 53;
const OBJECT: u32 = 32;
const LEN: u32 = 26;

impl Carrier {
    /// # Panics
    /// For [`Carrier::Read`], which is part of no state.
    fn word(self) -> u64 {
        let place = |at: Access| u64::from(at.object) << OBJECT | u64::from(at.len) << LEN | u64::from(at.offset);
        let of = |head: Head| head.map_or(0, |thread| thread as u64 + 1) << HEAD;
        let (kind, rest) = match self {
            Self::Thread(thread) => (0, thread as u64),
            Self::Released(thread) => (1, thread as u64),
            Self::Seen(thread) => (2, thread as u64),
            Self::Sections => (3, 0),
            Self::Place(at, head) => (4, of(head) | place(at)),
            Self::Pending(tag, head) => (5, of(head) | u64::from(tag.0)),
            Self::ReaderWriter(at, Side::Readers) => (6, place(at)),
            Self::ReaderWriter(at, Side::Writer) => (7, place(at)),
            Self::Read(_) => unreachable!("what an operation read is forgotten with it"),
        };
        kind << KIND | rest
    }

    fn from_word(word: u64) -> Self {
        let rest = word & ((1 << HEAD) - 1);
        let head = (word >> HEAD & 0xFF).checked_sub(1).map(|thread| thread as usize);
        let thread = rest as usize;
        let place = Access {
            object: (rest >> OBJECT) as u32,
            offset: (rest & ((1 << LEN) - 1)) as u32,
            len: (rest >> LEN & 0x3F) as u8,
        };
        match word >> KIND {
            0 => Self::Thread(thread),
            1 => Self::Released(thread),
            2 => Self::Seen(thread),
            3 => Self::Sections,
            4 => Self::Place(place, head),
            5 => Self::Pending(StoreTag(rest as u32), head),
            6 => Self::ReaderWriter(place, Side::Readers),
            _ => Self::ReaderWriter(place, Side::Writer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Range = Range { object: 7, offset: 4, len: 4 };
    const WRITE: Kind = Kind { write: true, atomic: false };
    const READ: Kind = Kind { write: false, atomic: false };
    const ATOMIC_WRITE: Kind = Kind { write: true, atomic: true };

    fn access(object: u32) -> Access {
        Access { object, offset: 12, len: 8 }
    }

    #[test]
    fn knowledge_travels_with_a_store() {
        let mut records = Records::default();
        records.note(X, WRITE, 0);
        assert!(records.race(X, READ, 1).is_some());
        let (store, flag) = (Carrier::Pending(StoreTag(3), Some(0)), Carrier::Place(access(9), Some(0)));
        records.hand_on(Carrier::Thread(0), store);
        records.rename(|one| if one == store { flag } else { one });
        assert!(records.race(X, READ, 1).is_some());
        records.hand_on(flag, Carrier::Thread(1));
        assert!(records.race(X, READ, 1).is_none());
        assert!(records.race(X, READ, 2).is_some());
    }

    #[test]
    fn only_conflicting_kinds_and_common_bytes_race() {
        let mut records = Records::default();
        records.note(X, ATOMIC_WRITE, 0);
        assert!(records.race(X, ATOMIC_WRITE, 1).is_none());
        assert!(records.race(X, READ, 1).is_some());
        assert!(records.race(Range { offset: 0, ..X }, WRITE, 1).is_none());
        assert!(records.race(Range { offset: 1, ..X }, WRITE, 1).is_some());
    }

    #[test]
    fn a_later_access_stands_for_the_known_ones_before() {
        let mut records = Records::default();
        records.note(X, READ, 0);
        records.note(X, WRITE, 0);
        assert_eq!(records.all.len(), 1);
        records.note(X, READ, 0);
        assert_eq!(records.all.len(), 1, "nobody knows more of the write than of the read");
        records.hand_on(Carrier::Thread(0), Carrier::Sections);
        records.note(X, READ, 0);
        assert_eq!(records.all.len(), 2, "the read is not handed on");
    }

    #[test]
    fn what_all_know_is_dropped_and_the_rest_comes_back() {
        let mut records = Records::default();
        records.note(X, WRITE, 0);
        records.note(Range { offset: 40, ..X }, WRITE, 1);
        let (place, pending) = (Carrier::Place(access(9), Some(125)), Carrier::Pending(StoreTag(2), None));
        let lock = Carrier::ReaderWriter(access(9), Side::Writer);
        for to in [Carrier::Thread(1), Carrier::Released(0), place, pending, lock] {
            records.hand_on(Carrier::Thread(0), to);
        }
        let mut words = Vec::new();
        records.encode(&mut words);
        let mut back = Records::default();
        back.decode(&words);
        let mut again = Vec::new();
        back.encode(&mut again);
        assert_eq!(words, again);
        assert!(back.any(|one| one == place) && back.any(|one| one == pending));
        back.tidy(&[0, 1]);
        assert_eq!(back.all.len(), 1);
        back.end_thread(1);
        assert!(back.race(Range { offset: 40, ..X }, READ, 1).is_some(), "the number belongs to another thread now");
    }
}
