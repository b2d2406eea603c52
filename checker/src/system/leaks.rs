//! Memory that is never freed, with `--leaks`: heap objects that nothing leads to any more, or that are left when the process ends.
//!
//! What a pointer may be in, and so leads to an object: global variables, local and thread-local variables in memory, registers that their thread may still
//! use, the results of threads that nobody joined yet, pending stores, and heap objects that are themselves reachable. A word counts as a pointer
//! wherever it begins and into whichever byte of the object it points, tag bits included; a pointer in another disguise (two of them combined by exclusive or, the halves
//! apart) is not seen, so the object is reported. A local variable that is used no more (liveness of registers, `crate::ir::liveness`) holds nothing, though its
//! function has not returned; `exit` is a function that does not return.
//!
//! The check is made after every step, so that memory lost in a loop without end is found too, and when the process ends; on request then only.
//!
//! Delayed stores: after a step, every value that is still pending leads to what it points to, so a leak is one whichever stores reach memory, and when. Where
//! the process ends, or goes wrong, it is decided which did, and which of those to the same place came last, in every way that the model allows (`finals.rs`).
//! What was overwritten then leads nowhere. A store that did not reach memory is in its thread's buffer to the end, and leads to what it points to, as it does in any
//! other state.

use fxhash::FxHashSet;
use rmc_runtime::Bytes;

use super::config::Leaks;
use super::directory::{Object, ObjectKind};
use super::machine::Machine;
use super::memory::Region;
use super::step::StepEnd;
use super::threads;
use crate::ir::address::{self, ObjectId};
use crate::outcome::{Fault, ViolationKind};

impl Machine<'_> {
    /// What a step ends in when memory is leaked by it. The running thread's frames must be packed.
    pub(super) fn check_leaks(&mut self, end: StepEnd) -> StepEnd {
        let exits = matches!(end, StepEnd::Exit(_));
        let is_asked = match end {
            StepEnd::Exit(_) => true,
            StepEnd::Blocked | StepEnd::Unsupported(_) | StepEnd::SharingMissed => false,
            StepEnd::Done | StepEnd::Pruned | StepEnd::Fault(_) | StepEnd::Limit(_) => !self.leaks_at_end,
        };
        if !self.looks_for_leaks() || !is_asked {
            return end;
        }
        if !exits && end != StepEnd::Done {
            self.decide_stores();
        }
        let Some(first) = self.heap().next() else { return end };
        if exits && self.config.leaks == Leaks::All {
            return self.leak(first, "is still there when the process ends");
        }
        match self.lost() {
            Some(lost) => self.leak(lost, "was not freed, and nothing leads to it any more"),
            None => end,
        }
    }

    /// Whether leaks are violations.
    #[must_use]
    pub fn looks_for_leaks(&self) -> bool {
        self.config.leaks != Leaks::Ignored
    }

    /// Whether nothing leads to some heap object in the state the machine is in.
    #[must_use]
    pub fn has_lost_memory(&self) -> bool {
        self.lost().is_some()
    }

    fn heap(&self) -> impl Iterator<Item = &Object> {
        self.memory.directory.objects.iter().filter(|object| object.kind == ObjectKind::Heap)
    }

    fn lost(&self) -> Option<&Object> {
        self.heap().next()?;
        let reached = self.reachable();
        self.heap().find(|object| !reached.contains(&object.id))
    }

    fn leak(&self, object: &Object, what: &str) -> StepEnd {
        let region = self.memory.region(object.id).expect("the object exists");
        let message = format!("{} {what}", self.describe(&region));
        StepEnd::Fault(Fault::new(ViolationKind::MemoryLeak, message).about(object.id.address(0)))
    }

    /// The dynamic objects that something leads to.
    fn reachable(&self) -> FxHashSet<ObjectId> {
        let mut found = Found::default();
        let threads = self.threads.iter().flat_map(|&slots| threads::words(&self.memory.components, slots));
        threads.for_each(|word| found.word(word));
        let stores = self.buffers.pending().chain(self.lost_stores.iter().copied());
        stores.for_each(|store| found.bytes(store.value, 16));
        for &global in &self.program.shared_globals {
            let region = self.memory.region(self.program.globals[global.index()].object).expect("a global exists");
            self.scan(&region, &mut found);
        }
        for object in self.memory.directory.objects.iter().filter(|object| object.kind != ObjectKind::Heap) {
            found.object(object.id);
        }
        while let Some(id) = found.unread.pop() {
            if let Some(region) = self.memory.region(id) {
                self.scan(&region, &mut found);
            }
        }
        found.all
    }

    fn scan(&self, region: &Region, found: &mut Found) {
        for offset in (0..region.size).step_by(8) {
            let len = (region.size - offset).min(15) as u8;
            found.bytes(self.memory.read(region, offset, len), len);
        }
    }
}

/// What was found, and what of it was not looked through yet.
#[derive(Default)]
struct Found {
    all: FxHashSet<ObjectId>,
    unread: Vec<ObjectId>,
}

impl Found {
    fn object(&mut self, id: ObjectId) {
        if self.all.insert(id) {
            self.unread.push(id);
        }
    }

    fn word(&mut self, word: u64) {
        if let Some(id) = address::pointee(word).filter(|id| id.owner() != 0) {
            self.object(id);
        }
    }

    /// Every word that begins at one of the bytes.
    fn bytes(&mut self, value: Bytes, len: u8) {
        if value.bits != 0 {
            (0..=len.saturating_sub(8)).for_each(|at| self.word((value.bits >> (u32::from(at) * 8)) as u64));
        }
    }
}
