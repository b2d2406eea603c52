//! Memory that is never freed, with `--leaks`: heap objects that are no longer reachable, or that are left
//! when the process ends.
//!
//! A pointer that makes an object reachable may be in: global variables, local and thread-local variables in
//! memory, registers that their thread may still use, the results of threads that nobody joined yet, pending
//! stores, and heap objects that are themselves reachable. A word counts as a pointer wherever it begins and
//! into whichever byte of the object it points, tag bits included. A pointer in another disguise (two of them
//! combined by exclusive or, or its halves apart) is not seen, so the object is reported. A dead local
//! variable (liveness of registers, `crate::ir::liveness`) holds nothing, even if its function has not
//! returned; `exit` is a function that does not return.
//!
//! The check is made after every step, so that memory lost in an endless loop is found too, and when the
//! process ends; on request only then.
//!
//! Delayed stores: the value of a pending store makes its object reachable, and so does the value that it
//! will overwrite. But every store may reach memory at once, and does so in the end. So after a step it is
//! also checked whether something is lost if all stores reach memory, in any order that the model allows; if
//! fewer do, no more is lost. A thread that waits for ever or goes round in a loop need not do anything else
//! that decides when its stores reach memory (`tests/programs/leaks/overwritten_while_waiting.c`).
//!
//! Where the process ends, or has a violation, the step decides which stores reached memory, in every way
//! that the model allows (`finals.rs`). A value that was overwritten then makes nothing reachable. A store
//! that did not reach memory is in its thread's buffer to the end, and makes its object reachable as in any
//! other state.

use rmc_runtime::{Bytes, Choose, PendingStore};

use crate::hash::FxHashSet;
use crate::ir::address::{self, ObjectId};
use crate::outcome::{Fault, ViolationKind};
use crate::system::config::Leaks;
use crate::system::machine::Machine;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::memory::Region;
use crate::system::state::object_table::{Object, ObjectKind};
use crate::system::state::threads;
use crate::system::step::StepEnd;
use crate::system::step::choices::{ChoiceKind, ChoiceSequence};

const LOST: &str = "was not freed, and nothing leads to it any more";

/// Answers that make every delayed store reach memory.
struct All;

impl Choose for All {
    fn choose(&mut self, n: usize) -> usize {
        n - 1
    }
}

impl Machine<'_> {
    /// From now on, looks for lost memory only when the process ends, or else after every step.
    pub const fn look_for_leaks_at_end(&mut self, at_end: bool) {
        self.observers.leaks_at_end = at_end;
    }

    /// The end of a step with end `end`, after the check for leaks. The running thread's frames must be
    /// packed. `may_lose` is true if pending stores could have lost memory before the step already.
    pub(in crate::system) fn check_leaks(&mut self, end: StepEnd, may_lose: bool) -> StepEnd {
        let exits = matches!(end, StepEnd::Exit(_));
        let is_asked = match end {
            StepEnd::Exit(_) => true,
            StepEnd::Blocked
            | StepEnd::ExitsLast
            | StepEnd::Unsupported(_)
            | StepEnd::SharingMissed
            | StepEnd::EndSeen => false,
            StepEnd::Grows(_) => unreachable!("a step repeats what makes an object grow"),
            StepEnd::Done | StepEnd::Pruned | StepEnd::Fault(_) | StepEnd::Limit(_) => !self.observers.leaks_at_end,
        };
        if !self.looks_for_leaks() || !is_asked {
            return end;
        }
        if !exits && end != StepEnd::Done {
            self.decide_stores();
        }
        let Some(first) = self.heap().next() else { return end };
        if exits && self.config.leaks == Leaks::All {
            return StepEnd::Fault(self.leak(first, "is still there when the process ends"));
        }
        match self.lost_memory() {
            Some(lost) => StepEnd::Fault(lost),
            None if end == StepEnd::Done && !may_lose => self.ask_for_loss(),
            None => end,
        }
    }

    /// True if memory is lost when all pending stores reach memory now, in some order.
    pub(in crate::system) fn may_lose_by_pending_stores(&mut self) -> bool {
        self.looks_for_leaks() && !self.observers.leaks_at_end && self.losing_order().is_some()
    }

    /// Asks after a step whether all pending stores reach memory now, if that may lose an object.
    fn ask_for_loss(&mut self) -> StepEnd {
        let Some(order) = self.losing_order() else { return StepEnd::Done };
        if self.choices.ask(ChoiceKind::Flush, 2) == 0 {
            return StepEnd::Done;
        }
        self.announce_decision();
        self.flush_all(&mut ChoiceSequence::prescribed(&order));
        self.stores_decided();
        StepEnd::Fault(self.lost_memory().expect("this order loses something"))
    }

    /// The answers with which all pending stores reach memory in an order that loses an object, if there are
    /// such.
    fn losing_order(&mut self) -> Option<Vec<u32>> {
        if self.buffers.has_updates() || !self.pending_stores_hide_pointers() {
            return None;
        }
        self.memory.intern_dirty_pages();
        let pages = self.memory.pages.clone();
        let (buffers, arrivals) = (self.buffers.clone(), self.memory.arrivals.take());
        let mut order = ChoiceSequence::default();
        let found = loop {
            order.rewind();
            self.flush_all(&mut order);
            let found = self.lost().is_some();
            self.memory.reset(&pages);
            self.buffers.clone_from(&buffers);
            if found || !order.advance() {
                break found;
            }
        };
        self.memory.arrivals = arrivals;
        found.then(|| order.answers().to_vec())
    }

    /// Lets all pending stores reach memory. `order` decides which come last.
    pub(super) fn flush_all(&mut self, order: &mut ChoiceSequence) {
        self.buffers.finish(&mut self.memory, &mut All, |_| true);
        self.order_stores(order);
    }

    /// True if a pending store overwrites a pointer to a dynamic object, in memory or of another pending
    /// store. Otherwise no pending store can lose anything.
    fn pending_stores_hide_pointers(&self) -> bool {
        let mut found = Reachable::default();
        let pending: Vec<PendingStore> = self.buffers.pending().collect();
        for (at, store) in pending.iter().enumerate() {
            if pending.iter().enumerate().any(|(other, one)| other != at && one.at.overlaps(store.at)) {
                found.bytes(store.value, 16);
            }
            let Some(region) = self.memory.region(ObjectId(store.at.object)) else { continue };
            let begin = store.at.offset.saturating_sub(7);
            let end = (store.at.offset + u32::from(store.at.len) + 7).min(region.size);
            for offset in begin..end.saturating_sub(7) {
                found.bytes(self.memory.read(&region, offset, 8), 8);
            }
        }
        !found.all.is_empty()
    }

    /// True if leaks are violations.
    #[must_use]
    pub fn looks_for_leaks(&self) -> bool {
        self.config.leaks != Leaks::Ignored
    }

    /// The violation that some heap object is unreachable in the machine's state, if there is one.
    #[must_use]
    pub fn lost_memory(&self) -> Option<Fault> {
        self.lost().map(|object| self.leak(object, LOST))
    }

    /// The memory in which pointers make objects reachable, as far as it can be written; nothing if no object
    /// is left that can be lost.
    #[must_use]
    pub fn memory_that_leads_on(&self) -> Vec<FootprintEntry> {
        if self.heap().next().is_none() {
            return Vec::new();
        }
        let globals = self.program.shared_globals.iter().map(|global| &self.program.globals[global.index()]);
        let globals = globals.filter(|global| !global.constant).map(|global| (global.object, global.size));
        let objects = self.memory.table.objects.iter().map(|object| (object.id, object.size));
        globals.chain(objects).map(|(object, size)| FootprintEntry::range(object.0, 0, size.max(1), false)).collect()
    }

    fn heap(&self) -> impl Iterator<Item = &Object> {
        self.memory.table.objects.iter().filter(|object| object.kind == ObjectKind::Heap)
    }

    fn lost(&self) -> Option<&Object> {
        self.heap().next()?;
        let reached = self.reachable();
        self.heap().find(|object| !reached.contains(&object.id))
    }

    fn leak(&self, object: &Object, what: &str) -> Fault {
        let region = self.memory.region(object.id).expect("the object exists");
        let message = format!("{} {what}", self.describe(&region));
        Fault::new(ViolationKind::MemoryLeak, message).about(object.id.address(0))
    }

    /// The reachable dynamic objects.
    fn reachable(&self) -> FxHashSet<ObjectId> {
        let mut found = Reachable::default();
        let threads = self.threads.slots.iter().flat_map(|&slots| threads::words(&self.memory.components, slots));
        threads.for_each(|word| found.word(word));
        let stores = self.buffers.pending().chain(self.report.lost_stores.iter().copied());
        stores.for_each(|store| found.bytes(store.value, 16));
        for &global in &self.program.shared_globals {
            let region = self.memory.region(self.program.globals[global.index()].object).expect("a global exists");
            self.scan(&region, &mut found);
        }
        for object in self.memory.table.objects.iter().filter(|object| object.kind != ObjectKind::Heap) {
            found.object(object.id);
        }
        while let Some(id) = found.unread.pop() {
            if let Some(region) = self.memory.region(id) {
                self.scan(&region, &mut found);
            }
        }
        found.all
    }

    /// Adds the objects to which words of a region point.
    pub(in crate::system) fn scan(&self, region: &Region, found: &mut Reachable) {
        for offset in (0..region.size).step_by(8) {
            let len = (region.size - offset).min(15) as u8;
            found.bytes(self.memory.read(region, offset, len), len);
        }
    }
}

/// The objects found so far, and those of them that were not scanned yet.
#[derive(Default)]
pub(in crate::system) struct Reachable {
    pub all: FxHashSet<ObjectId>,
    unread: Vec<ObjectId>,
}

impl Reachable {
    fn object(&mut self, id: ObjectId) {
        if self.all.insert(id) {
            self.unread.push(id);
        }
    }

    pub fn word(&mut self, word: u64) {
        if let Some(id) = address::pointee(word).filter(|id| id.owner() != 0) {
            self.object(id);
        }
    }

    /// Adds every word that begins at one of the bytes.
    pub fn bytes(&mut self, value: Bytes, len: u8) {
        if value.bits != 0 {
            (0..=len.saturating_sub(8)).for_each(|at| self.word((value.bits >> (u32::from(at) * 8)) as u64));
        }
    }
}
