//! Events as one kind of access, cell by cell.
//!
//! An access is, in this order: a barrier, reads, writes. All four kinds of operation are such accesses:
//!
//! * A store with a full barrier after it, in the same step, is a full barrier and a write that goes to
//!   memory at once. Under PSO, where it could reach memory before older stores of its thread, it must have
//!   a barrier before it.
//! * An atomic operation is a full barrier, reads, and writes that go to memory at once.
//!
//! Two reductions are decided here, with what [`Sharing`] knows:
//!
//! * The reads of a cell that no other thread writes are local: under each of the models a thread sees its
//!   own latest store, in its buffer or in memory. Their values are a function of the thread's own events.
//! * Writes to a cell without reads that are not local need no memory.
//!
//! Parts of an access whose condition is the constant 0 are left out, so an access at one known place does
//! not mention others.

use rmc_formula::TermId;

use super::events::{Barrier, CellId, Event, Model, Operation, SharedProgram, Target};
use super::formula::Formula;

/// A read of one cell as a part of an access.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The event's guard holds and the access is at this cell.
    pub condition: TermId,
    /// The cell.
    pub cell: CellId,
    /// The part of the event's result that is the cell's value.
    pub result: TermId,
}

/// The write of one cell as a part of an access.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The event's guard holds and the cell is written.
    pub condition: TermId,
    /// The cell.
    pub cell: CellId,
    /// The cell's new value.
    pub value: TermId,
    /// True if some read of the cell is not local.
    pub is_shared: bool,
}

/// An event, cell by cell.
#[derive(Clone, Debug)]
pub struct Access {
    /// The event's guard.
    pub guard: TermId,
    /// The barrier before everything else.
    pub barrier: Option<Barrier>,
    /// The reads of cells that only this thread writes.
    pub local_reads: Vec<Read>,
    /// The other reads.
    pub reads: Vec<Read>,
    /// The writes, at most one for each cell.
    pub writes: Vec<Write>,
    /// True if the writes go through the buffer; otherwise they go to memory at once.
    pub is_buffered: bool,
    /// No other thread runs before the thread's next event.
    pub is_glued: bool,
    /// No other thread runs between the thread's last event that is not passed over and this one; 1 bit.
    pub follows_glue: TermId,
    /// True if the event can wait, reads what other threads write, writes what other threads read, or is
    /// one of glued events; also of full barriers if there are glued events anywhere.
    pub is_visible: bool,
    /// The condition under which the thread does not wait, of an atomic operation.
    pub enabled: Option<TermId>,
    /// The condition under which it waits for others.
    pub blocked: Option<TermId>,
}

impl Access {
    /// The writes that other threads can read.
    pub fn shared_writes(&self) -> impl Iterator<Item = &Write> {
        self.writes.iter().filter(|write| write.is_shared)
    }
}

/// The accesses of all threads.
pub fn accesses(formula: &mut Formula, program: &SharedProgram, model: Model) -> Vec<Vec<Access>> {
    let sharing = Sharing::new(formula, program);
    let mut accesses = Vec::new();
    for (thread, events) in program.threads.iter().enumerate() {
        let of = |event| access(formula, program, model, &sharing, thread, event);
        let mut events: Vec<Access> = events.events.iter().map(of).collect();
        glue(formula, &sharing, &mut events);
        accesses.push(events);
    }
    accesses
}

/// Sets what follows from the accesses of a thread together.
fn glue(f: &mut Formula, sharing: &Sharing, thread: &mut [Access]) {
    let mut is_glued = f.terms.boolean(false);
    for access in thread {
        access.follows_glue = is_glued;
        let is_glue = f.terms.boolean(access.is_glued);
        is_glued = f.terms.ite(access.guard, is_glue, is_glued);
        let is_in_glue = !f.is_false(is_glued) || !f.is_false(access.follows_glue);
        access.is_visible = !f.is_false(access.guard)
            && (is_in_glue
                || sharing.has_glue && access.barrier == Some(Barrier::Full)
                || access.enabled.is_some()
                || !access.reads.is_empty()
                || access.shared_writes().next().is_some());
    }
}

/// The access of an event.
fn access(
    f: &mut Formula,
    program: &SharedProgram,
    model: Model,
    sharing: &Sharing,
    thread: usize,
    event: &Event,
) -> Access {
    let mut access = Access {
        guard: event.guard,
        barrier: None,
        local_reads: Vec::new(),
        reads: Vec::new(),
        writes: Vec::new(),
        is_buffered: false,
        is_glued: event.is_glued,
        follows_glue: f.terms.boolean(false),
        is_visible: false,
        enabled: None,
        blocked: None,
    };
    if f.is_false(event.guard) {
        return access;
    }
    let reads = |f: &mut Formula, targets: &[Target], result| {
        let reads = parts(f, program, event.guard, targets, result).into_iter();
        let reads = reads.map(|(condition, cell, result)| Read { condition, cell, result });
        reads.partition(|read| sharing.is_local(thread, read.cell))
    };
    match &event.operation {
        Operation::Load { targets, result } => (access.local_reads, access.reads) = reads(f, targets, *result),
        Operation::Store { targets, value, before, after_full } => {
            let is_last = !after_full || before.is_some() || model != Model::Pso;
            assert!(is_last, "a store with a full barrier after it and none before it");
            access.is_buffered = !after_full;
            access.barrier = if *after_full { Some(Barrier::Full) } else { *before };
            access.writes = writes(f, program, sharing, event.guard, targets, *value);
        }
        Operation::Fence(barrier) => access.barrier = Some(*barrier),
        Operation::Atomic { targets, result, enabled, stores, value, blocked } => {
            access.barrier = Some(Barrier::Full);
            (access.local_reads, access.reads) = reads(f, targets, *result);
            let condition = f.terms.and(event.guard, *stores);
            access.writes = writes(f, program, sharing, condition, targets, *value);
            access.enabled = Some(*enabled);
            access.blocked = Some(*blocked);
        }
    }
    access
}

/// The writes of an access with this condition, one for each cell.
fn writes(
    f: &mut Formula,
    program: &SharedProgram,
    sharing: &Sharing,
    condition: TermId,
    targets: &[Target],
    value: TermId,
) -> Vec<Write> {
    let mut writes: Vec<Write> = Vec::new();
    for (condition, cell, value) in parts(f, program, condition, targets, value) {
        match writes.iter_mut().find(|write| write.cell == cell) {
            Some(write) => {
                write.condition = f.terms.or(write.condition, condition);
                write.value = f.terms.ite(condition, value, write.value);
            }
            None => writes.push(Write { condition, cell, value, is_shared: sharing.is_shared(cell) }),
        }
    }
    writes
}

/// The cells of an access: when it is there, and the part of `value` that is there.
fn parts(
    f: &mut Formula,
    program: &SharedProgram,
    guard: TermId,
    targets: &[Target],
    value: TermId,
) -> Vec<(TermId, CellId, TermId)> {
    let mut parts = Vec::new();
    for target in targets {
        let condition = f.terms.and(guard, target.condition);
        if f.is_false(condition) {
            continue;
        }
        let mut low = 0;
        for &cell in &target.cells {
            let width = program.cells[cell.index()].width;
            parts.push((condition, cell, f.terms.extract(value, low, width)));
            low += width;
        }
    }
    parts
}

/// The threads that write and read a cell.
#[derive(Clone, Debug, Default)]
struct Users {
    writers: Vec<usize>,
    readers: Vec<usize>,
}

/// The threads that use each cell, and whether there are glued events.
#[derive(Debug)]
struct Sharing {
    users: Vec<Users>,
    has_glue: bool,
}

impl Sharing {
    fn new(f: &Formula, program: &SharedProgram) -> Self {
        let mut users = vec![Users::default(); program.cells.len()];
        for (thread, events) in program.threads.iter().enumerate() {
            for event in events.events.iter().filter(|event| !f.is_false(event.guard)) {
                let (targets, reads, writes): (&[Target], bool, bool) = match &event.operation {
                    Operation::Load { targets, .. } => (targets, true, false),
                    Operation::Store { targets, .. } => (targets, false, true),
                    Operation::Fence(_) => (&[], false, false),
                    Operation::Atomic { targets, stores, .. } => (targets, true, !f.is_false(*stores)),
                };
                let possible = targets.iter().filter(|target| !f.is_false(target.condition));
                for cell in possible.flat_map(|target| &target.cells) {
                    let users = &mut users[cell.index()];
                    users.readers.extend(reads.then_some(thread));
                    users.writers.extend(writes.then_some(thread));
                }
            }
        }
        let mut events = program.threads.iter().flat_map(|thread| &thread.events);
        Self { users, has_glue: events.any(|event| event.is_glued) }
    }

    /// True if no other thread writes the cell.
    fn is_local(&self, thread: usize, cell: CellId) -> bool {
        self.users[cell.index()].writers.iter().all(|&writer| writer == thread)
    }

    /// True if some thread reads the cell and another one writes it.
    fn is_shared(&self, cell: CellId) -> bool {
        self.users[cell.index()].readers.iter().any(|&reader| !self.is_local(reader, cell))
    }
}
