//! The conflict graph of an execution: its operations, their program order, and the relations reads-from,
//! coherence and from-read between them.
//!
//! An operation is everything that a step does to memory at once, or a buffered store. *Memory order* gives
//! each access a moment:
//!
//! * The moment of accesses that a step makes at once is the step.
//! * The moment of a buffered store is its update. A store that is still in its buffer when the execution
//!   ends comes after everything, as if the machine continued for a moment longer. A store that is dropped
//!   when its memory ends comes right before that end: nobody can look in between.
//! * The moment of a load is the step, except for bytes that it takes from its thread's buffer. It reads
//!   those right after that store reaches memory, whenever that is. So stores of other threads to them are
//!   older if they precede that, and newer if they follow.
//!
//! The pieces of one copy have no program order among themselves (`system/bulk`): within a copy, only the
//! load of a piece comes before that piece's store, and before the stores to bytes that it loads. What
//! precedes the copy precedes all its pieces, and what follows it follows them.
//!
//! So every relation between different threads goes forward in memory order, and only program order can go
//! back. Things without an address (e.g. the beginning and end of a thread) are related like bytes. The
//! address that an allocation returns is treated as arbitrary among the free ones: a `free` comes before the
//! owner's later allocations, but no allocation comes before a `free` for that reason. The same holds for the
//! numbers of threads.

use super::Pending;
use crate::engine::stateless::execution::Execution;
use crate::hash::FxHashMap;
use crate::outcome::cycle::Relation;
use crate::system::buffers::BufferedStore;
use crate::system::{FootprintEntry, PieceLoad};

/// The place of an operation in its execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The thread.
    pub thread: usize,
    /// The position of the step that makes the operation, or buffers the store.
    pub step: usize,
    /// For a buffered store, its number among those of the thread.
    pub store: Option<u32>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The place of the operation in its execution.
    pub site: Site,
    /// The copy of its thread of which it is a piece.
    copy: Option<CopyName>,
    /// One of the ranges that it touches.
    pub touch: FootprintEntry,
    /// The number of events after which all its ranges have their place in memory order.
    pub until: usize,
}

/// The name of a copy among those of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopyName {
    /// The copy whose stores have this number ([`BufferedStore::copy`]).
    Buffered(u32),
    /// A copy to memory that only the thread can know: its number among those.
    Private(u32),
}

/// A moment of memory order: a position, then before (0), at (1) or after (2) the event there, then fields
/// that distinguish stores without an event of their own.
type Moment = (usize, u8, usize, u32, bool);

struct Access {
    operation: usize,
    touch: FootprintEntry,
    moment: Moment,
}

/// The graph.
#[derive(Default)]
pub struct Graph {
    operations: Vec<Operation>,
    /// For each thread, its operations in program order.
    threads: Vec<Vec<usize>>,
    /// For each operation, its index in `threads`.
    place: Vec<usize>,
    /// For the load of a piece of a copy, the stores of the copy that come after it.
    within_copy: FxHashMap<usize, Vec<usize>>,
    /// For each thread, the number of its copies to private memory so far.
    private_copies: Vec<u32>,
    /// For each operation, the operations of other threads that come after it, with the relations.
    later: Vec<Vec<(usize, Relation)>>,
    accesses: Vec<Access>,
}

impl Graph {
    /// The graph of an execution with these stores still in buffers at its end.
    pub fn new(execution: &Execution, pending: &[Pending]) -> Self {
        let mut graph = Self::default();
        let outcomes = StoreOutcomes::new(execution, pending);
        let mut creations = Vec::new();
        for at in 0..execution.len() {
            if !execution.event(at).is_update() {
                graph.add_step(at, &outcomes, &mut creations);
            }
        }
        graph.later = vec![Vec::new(); graph.operations.len()];
        graph.relate_copies();
        graph.relate_creations(&creations);
        graph.relate_accesses();
        graph
    }

    /// An operation.
    pub fn operation(&self, operation: usize) -> &Operation {
        &self.operations[operation]
    }

    /// All operations.
    pub fn operations(&self) -> std::ops::Range<usize> {
        0..self.operations.len()
    }

    /// The operations of the same thread that come later in program order, nearest first.
    pub fn later_own(&self, operation: usize) -> impl Iterator<Item = usize> {
        let Operation { site, copy, .. } = self.operations[operation];
        let listed = self.threads[site.thread][self.place[operation] + 1..].iter().copied();
        listed.filter(move |&other| {
            let is_own = copy.is_some() && self.operations[other].copy == copy;
            !is_own || self.within_copy.get(&operation).is_some_and(|later| later.contains(&other))
        })
    }

    /// Those of [`Self::later_own`] that include the immediate successors: the remaining operations of the
    /// same copy, then the next operation or copy. All others come after one of these.
    pub fn next_own(&self, operation: usize) -> impl Iterator<Item = usize> {
        let copy = self.operations[operation].copy;
        let mut entered = None;
        self.later_own(operation).take_while(move |&next| {
            let of = self.operations[next].copy;
            let is_rest = copy.is_some() && of == copy;
            is_rest
                || *entered.get_or_insert((next, of)) == (next, of)
                || of.is_some() && entered.is_some_and(|e| e.1 == of)
        })
    }

    /// The operations of other threads that come later because of common ranges.
    pub fn later_foreign(&self, operation: usize) -> &[(usize, Relation)] {
        &self.later[operation]
    }

    /// True if an operation comes before another one, by any number of relations.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut reached, mut waiting) = (vec![false; self.operations.len()], vec![from]);
        while let Some(at) = waiting.pop() {
            for next in self.next_own(at).chain(self.later[at].iter().map(|&(other, _)| other)) {
                if !std::mem::replace(&mut reached[next], true) {
                    waiting.push(next);
                }
            }
        }
        reached[to]
    }

    fn add_step(&mut self, at: usize, outcomes: &StoreOutcomes<'_>, creations: &mut Vec<(usize, usize, usize)>) {
        let event = outcomes.execution.event(at);
        let thread = event.action.thread;
        let mut stored = event.pushed().start;
        let touches: Vec<_> = event.footprint.iter().filter(|touch| !touch.hypothetical).collect();
        let places = places(&touches, stored);
        let touches: Vec<_> = touches.into_iter().zip(places).collect();
        for parts in touches.chunk_by(|(a, here), (b, there)| here == there && a.piece == b.piece) {
            let (first, here) = parts[0];
            self.add_stores(thread, at, stored..here, outcomes);
            stored = stored.max(here);
            let accesses = parts.iter().filter_map(|(touch, _)| Some((**touch, outcomes.moment(at, touch)?)));
            let accesses: Vec<_> = accesses.collect();
            let copy = first.piece.map(|piece| self.copy_of(thread, piece, outcomes));
            if let Some(operation) = self.add(Site { thread, step: at, store: None }, copy, &accesses) {
                let created = accesses.iter().filter_map(|(touch, _)| touch.created());
                creations.extend(created.map(|thread| (operation, thread, at)));
            }
        }
        self.add_stores(thread, at, stored..event.pushed().end, outcomes);
    }

    fn add_stores(&mut self, thread: usize, at: usize, stores: std::ops::Range<u32>, outcomes: &StoreOutcomes<'_>) {
        for store in stores {
            if let Some((touch, moment)) = outcomes.of(thread, store) {
                let copy = Some(outcomes.copy(thread, store)).filter(|&copy| copy != 0).map(CopyName::Buffered);
                self.add(Site { thread, step: at, store: Some(store) }, copy, &[(touch, moment)]);
            }
        }
    }

    /// The name of the copy with this load.
    fn copy_of(&mut self, thread: usize, piece: PieceLoad, outcomes: &StoreOutcomes<'_>) -> CopyName {
        if let Some(store) = piece.store {
            return CopyName::Buffered(outcomes.copy(thread, store));
        }
        if self.private_copies.len() <= thread {
            self.private_copies.resize(thread + 1, 0);
        }
        self.private_copies[thread] += u32::from(piece.begins);
        CopyName::Private(self.private_copies[thread])
    }

    fn add(&mut self, site: Site, copy: Option<CopyName>, accesses: &[(FootprintEntry, Moment)]) -> Option<usize> {
        let touch = accesses.first()?.0;
        let until = accesses.iter().map(|(_, moment)| moment.0 + 1).max()?.max(site.step + 1);
        let operation = self.operations.len();
        self.operations.push(Operation { site, copy, touch, until });
        if self.threads.len() <= site.thread {
            self.threads.resize(site.thread + 1, Vec::new());
        }
        self.place.push(self.threads[site.thread].len());
        self.threads[site.thread].push(operation);
        self.accesses.extend(accesses.iter().map(|&(touch, moment)| Access { operation, touch, moment }));
        Some(operation)
    }

    /// Orders each load of a piece before the stores of its copy that come after it.
    fn relate_copies(&mut self) {
        let is_load = |access: &&Access| access.touch.piece.is_some();
        for load in self.accesses.iter().filter(is_load) {
            let Operation { site, copy, .. } = self.operations[load.operation];
            let listed = self.threads[site.thread][self.place[load.operation] + 1..].iter().copied();
            let rest = listed.take_while(|&other| self.operations[other].copy == copy);
            let later = rest.filter(|&other| {
                let Operation { site, touch, .. } = &self.operations[other];
                let own = load.touch.piece.and_then(|piece| piece.store);
                site.store.is_some() && (site.store == own || load.touch.overlaps(touch))
            });
            self.within_copy.entry(load.operation).or_default().extend(later);
        }
    }

    fn relate_creations(&mut self, creations: &[(usize, usize, usize)]) {
        for &(creation, thread, at) in creations {
            let own = self.threads.get(thread).into_iter().flatten();
            let first = own.copied().find(|&operation| self.operations[operation].site.step > at);
            self.later[creation].extend(first.map(|first| (first, Relation::Synchronises)));
        }
    }

    fn relate_accesses(&mut self) {
        let mut accesses = std::mem::take(&mut self.accesses);
        accesses.sort_by_key(|access| (access.touch.object, access.moment));
        for object in accesses.chunk_by(|a, b| a.touch.object == b.touch.object) {
            for at in 1..object.len() {
                if object[at].touch.write {
                    self.relate_write(&object[..at], &object[at]);
                } else {
                    self.relate_load(&object[..at], &object[at]);
                }
            }
        }
    }

    /// Relates a write to all writes and reads of its bytes before it.
    fn relate_write(&mut self, earlier: &[Access], write: &Access) {
        for access in earlier.iter().filter(|access| access.touch.overlaps(&write.touch)) {
            match access.touch.write {
                true if write.touch.is_names() || !access.touch.conflicts(&write.touch) => {}
                true => self.relate(access, write, Relation::Coherence),
                false => self.relate(access, write, Relation::FromRead),
            }
        }
    }

    /// Relates a load to the stores whose bytes it reads.
    fn relate_load(&mut self, earlier: &[Access], load: &Access) {
        if load.touch.is_names() {
            return;
        }
        let mut rest = bytes(&load.touch, &load.touch);
        for write in earlier.iter().rev().filter(|access| access.touch.write) {
            let read = bytes(&write.touch, &load.touch) & rest;
            if read != 0 {
                self.relate(write, load, Relation::ReadsFrom);
                // A sum is read from all operations that added to it.
                rest &= if write.touch.commuting.is_some() { u128::MAX } else { !read };
            }
        }
    }

    /// Adds a relation, unless both operations are of one thread. Program order already relates those.
    fn relate(&mut self, first: &Access, second: &Access, relation: Relation) {
        let [one, other] = [first, second].map(|access| self.operations[access.operation].site.thread);
        let relation = if first.touch.is_no_memory() { Relation::Synchronises } else { relation };
        if one != other {
            self.later[first.operation].push((second.operation, relation));
        }
    }
}

/// For each range of a step's footprint, the number of its thread's stores before it in program order; for a
/// load that is no piece of a copy, as far as other ranges tell. `stored` is that number at the step's
/// beginning. A write that is in memory at once has the number of stores before it.
fn places(touches: &[&FootprintEntry], stored: u32) -> Vec<u32> {
    let mut stored = stored;
    let place = |touch: &&FootprintEntry| {
        let here = match touch.piece {
            Some(piece) => piece.place,
            None if touch.write => touch.own.unwrap_or(stored),
            None => stored,
        };
        let after = touch.piece.and_then(|piece| piece.store).map_or(here, |store| store + 1);
        stored = stored.max(after);
        here
    };
    touches.iter().map(place).collect()
}

/// The bytes of a load that another access has, one bit each. A load has at most 16 bytes.
fn bytes(access: &FootprintEntry, load: &FootprintEntry) -> u128 {
    let has = |at: &u32| (access.offset..access.offset + access.len).contains(&(load.offset + at));
    let common = if access.object == load.object { load.len } else { 0 };
    (0..common).filter(has).fold(0, |bits, at| bits | 1 << at)
}

/// The moments at which buffered stores reached memory, for those that did.
struct StoreOutcomes<'e> {
    execution: &'e Execution,
    pending: &'e [Pending],
    /// For each store that was dropped with its memory, the position.
    dropped: FxHashMap<(usize, u32), (usize, BufferedStore)>,
}

impl<'e> StoreOutcomes<'e> {
    fn new(execution: &'e Execution, pending: &'e [Pending]) -> Self {
        let mut dropped = FxHashMap::default();
        for at in 0..execution.len() {
            let event = execution.event(at);
            for store in event.dropped() {
                dropped.insert((event.action.thread, store.number), (at, *store));
            }
        }
        Self { execution, pending, dropped }
    }

    /// The bytes of a store, and the moment at which it is in memory. The result is `None` if it never was,
    /// and only its thread knew the place.
    fn of(&self, thread: usize, store: u32) -> Option<(FootprintEntry, Moment)> {
        if let Some(at) = self.execution.update_of(thread, store) {
            return Some((self.execution.event(at).footprint[0], (at, 1, 0, 0, false)));
        }
        let (at, waited) = self.without_update(thread, store)?;
        Some((FootprintEntry::of(waited.at, true), (at, 0, thread, store, false)))
    }

    /// A store that was dropped, or is still in its buffer, and the position at which it counts as made.
    fn without_update(&self, thread: usize, store: u32) -> Option<(usize, BufferedStore)> {
        let pending = || self.pending.iter().find(|pending| (pending.thread, pending.store.number) == (thread, store));
        let dropped = self.dropped.get(&(thread, store)).copied();
        dropped.or_else(|| Some((self.execution.len(), pending()?.store)))
    }

    /// The number of the copy of which a store is a piece, or 0.
    fn copy(&self, thread: usize, store: u32) -> u32 {
        let update = self.execution.update_of(thread, store).and_then(|at| self.execution.event(at).as_update());
        let waited = || self.without_update(thread, store).map(|(_, waited)| waited.copy);
        update.map(|update| update.copy).or_else(waited).unwrap_or(0)
    }

    /// The moment at which a touched range has its place in memory order.
    fn moment(&self, at: usize, touch: &FootprintEntry) -> Option<Moment> {
        let now = (at, 1, 0, 0, false);
        let thread = self.execution.event(at).action.thread;
        let Some(store) = touch.own.filter(|_| !touch.write) else { return Some(now) };
        let (_, (update, when, thread, store, _)) = self.of(thread, store)?;
        match when {
            0 => Some((update, 0, thread, store, true)),
            _ if update > at => Some((update, 2, 0, 0, true)),
            _ => Some(now),
        }
    }
}
