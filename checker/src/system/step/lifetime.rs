//! The lifetime of memory objects: local variables, thread-local variables, the heap. It also decides which
//! of them other threads may know.

use rmc_abi::va_list::{self, NextPlaces};
use rmc_runtime::{Choose, PendingStore};

use crate::ir::address::{self, MAX_OBJECT, ObjectId};
use crate::ir::ids::{GlobalId, Reg, SiteId};
use crate::ir::symbol::Symbol;
use crate::ir::value::Value;
use crate::outcome::{Fault, Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::form::Form;
use crate::system::state::object_table::{Extent, Object, ObjectKind};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Adds a new object of the running thread, whose content is all uninitialised or all zero. Returns its
    /// address.
    pub(in crate::system) fn allocate(
        &mut self,
        bytes: u64,
        kind: ObjectKind,
        depth: u32,
        zeroed: bool,
    ) -> Result<u64, StepEnd> {
        let size = u32::try_from(bytes).ok().filter(|_| bytes <= MAX_OBJECT);
        let size = size.ok_or(StepEnd::Limit(Unknown::AllocationLimit))?;
        let content = self.memory.fresh_pages(size, zeroed);
        let id = self.add_object(self.running.thread, (size, Extent::Stored), kind, depth, &content)?;
        Ok(id.address(0))
    }

    /// Like [`Self::allocate`], of as many bytes as a symbol says, of which none are stored.
    pub(in crate::system) fn allocate_open(
        &mut self,
        bytes: Symbol,
        kind: ObjectKind,
        depth: u32,
        zeroed: bool,
    ) -> Result<u64, StepEnd> {
        let id = self.add_object(self.running.thread, (0, Extent::Open(bytes)), kind, depth, &[])?;
        self.memory.object_mut(id).expect("the object exists").zeroed = zeroed;
        Ok(id.address(0))
    }

    fn add_object(
        &mut self,
        thread: usize,
        (size, extent): (u32, Extent),
        kind: ObjectKind,
        depth: u32,
        content: &[crate::store::Id],
    ) -> Result<ObjectId, StepEnd> {
        let known = matches!(extent, Extent::Stored).then_some(size);
        let id = self.next_name(thread, kind, known).ok_or(StepEnd::Limit(Unknown::AllocationLimit))?;
        let holder = thread + 1;
        let is_taken = id.owner() as usize != holder;
        let shared = !self.config.reduces(Reduction::Private)
            || kind == ObjectKind::Heap && self.memory.table.is_dangling(id)
            || is_taken && holder > Object::MOST_TAKER;
        let taker = if is_taken && !shared { holder as u8 } else { 0 };
        let form = Form::default();
        let object = Object { id, size, extent, zeroed: false, kind, form, shared, taker, dead: false, depth, base: 0 };
        self.memory.add(object, content);
        self.object_born(id, kind, object.most_bytes());
        Ok(id)
    }

    /// Adds a new thread's copies of the thread-local variables. They are the first of its objects outside
    /// the heap.
    pub(in crate::system) fn make_thread_locals(&mut self, thread: usize) {
        for &global in &self.program.thread_locals {
            let global = &self.program.globals[global.index()];
            let content = self.memory.intern_pages(&global.pages);
            let added = self.add_object(thread, (global.size, Extent::Stored), ObjectKind::ThreadLocal, 0, &content);
            assert!(added.is_ok(), "the loader bounds the number of globals");
        }
    }

    pub(in crate::system) fn thread_local(&mut self, dst: Reg, global: GlobalId) -> Performed {
        self.running.stack.set(dst, Value::new(self.own_thread_local(global).address(0)));
        Ok(Next::Advance)
    }

    /// The running thread's copy of a thread-local variable.
    pub(in crate::system) fn own_thread_local(&self, global: GlobalId) -> ObjectId {
        let nth =
            self.program.thread_locals.iter().position(|&other| other == global).expect("a thread-local variable");
        let owner = u32::try_from(self.running.thread).expect("few threads") + 1;
        let own = self
            .memory
            .table
            .objects
            .iter()
            .filter(|object| object.id.owner() == owner && object.kind == ObjectKind::ThreadLocal);
        own.map(|object| object.id).nth(nth).expect("every thread has its thread-local variables")
    }

    pub(in crate::system) fn alloca(&mut self, dst: Reg, bytes: u64, site: SiteId) -> Performed {
        let address = self.allocate(bytes, ObjectKind::Stack, self.running.stack.depth(), false)?;
        self.variable_born(address, site);
        self.running.stack.set(dst, Value::new(address));
        Ok(Next::Advance)
    }

    pub(in crate::system) fn callee_object(&mut self, dst: Reg, size: u32, variadic: bool) -> Performed {
        let address = self.allocate(size.into(), ObjectKind::Stack, self.running.stack.depth() + 1, false)?;
        self.argument_born(address, variadic);
        self.running.stack.set(dst, Value::new(address));
        Ok(Next::Advance)
    }

    /// Initialises a `va_list` for the arguments in the memory at `area`.
    pub(in crate::system) fn va_start(&mut self, list: u64, area: u64, first: NextPlaces) -> Performed {
        self.target(list, va_list::BYTES.into(), true)?;
        let fields = [
            (va_list::GENERAL, first.general.into()),
            (va_list::VECTOR, first.vector.into()),
            (va_list::OVERFLOW, area + u64::from(va_list::VECTOR_END)),
            (va_list::SAVED, area),
        ];
        for ((offset, len), value) in fields {
            let target = self.target(list + u64::from(offset), len.into(), true)?;
            self.write_unshared(&target, len, rmc_runtime::Bytes::defined(u128::from(value)));
        }
        Ok(Next::Advance)
    }

    pub(in crate::system) fn lifetime_start(&mut self, addr: u64, _len: u64) -> Performed {
        if let Some((id, 0)) = address::split(addr)
            && let Some(object) = self.memory.object_mut(id)
        {
            object.dead = false;
            let region = self.memory.region(id).expect("the object exists");
            self.announce_revival(&region);
            self.memory.forget_content(&region);
        }
        Ok(Next::Advance)
    }

    /// Handles a local variable that goes out of scope, or whose function is about to return.
    pub(in crate::system) fn lifetime_end(&mut self, turn: &mut VisibleSlot, addr: u64, _len: u64) -> Performed {
        let Some((id, 0)) = address::split(addr) else { return Ok(Next::Advance) };
        let Some(object) = self.memory.object(id).copied().filter(|object| !object.dead) else {
            return Ok(Next::Advance);
        };
        if object.shared && !self.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        self.evict(id)?;
        if self.config.reduces(Reduction::Dead) {
            let region = self.memory.region(id).expect("the object exists");
            self.memory.forget_content(&region);
        }
        self.memory.object_mut(id).expect("the object exists").dead = true;
        self.object_died(id);
        Ok(if object.shared { self.cut() } else { Next::Advance })
    }

    /// Ends the stack objects of the frames with numbers from `depth` on. The thread's first frame has number
    /// 1.
    pub(in crate::system) fn end_frames(&mut self, depth: u32) -> Result<(), StepEnd> {
        self.end_objects(|object| object.kind == ObjectKind::Stack && object.depth >= depth)
    }

    /// Ends the stack and thread-local objects of the ending thread.
    pub(in crate::system) fn end_thread_objects(&mut self) -> Result<(), StepEnd> {
        self.end_objects(|object| object.kind != ObjectKind::Heap)
    }

    /// True if others may know an object with a name of the running thread for which `which` is true.
    pub(in crate::system) fn are_known(&self, which: impl Fn(&Object) -> bool) -> bool {
        let owner = u32::try_from(self.running.thread).expect("few threads") + 1;
        let is_known = |object: &Object| object.shared || object.holder() != owner;
        self.memory.table.objects.iter().any(|object| object.id.owner() == owner && is_known(object) && which(object))
    }

    fn end_objects(&mut self, dies: impl Fn(&Object) -> bool) -> Result<(), StepEnd> {
        let owner = u32::try_from(self.running.thread).expect("few threads") + 1;
        let dies = |object: &Object| object.id.owner() == owner && dies(object);
        let mut at = 0;
        while let Some(object) = self.memory.table.objects.get(at).copied() {
            if dies(&object) {
                self.remove_object(object.id)?;
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    /// Removes an object that dies. Pending stores to it are dropped. A store of another thread that may
    /// still come is a violation.
    pub(in crate::system) fn remove_object(&mut self, id: ObjectId) -> Result<(), StepEnd> {
        self.evict(id)?;
        self.memory.log_content(id);
        let at = self.memory.table.find(id).expect("the object exists");
        let object = self.memory.table.objects.remove(at);
        self.leaves_pointers(&object);
        self.object_died(id);
        Ok(())
    }

    fn evict(&mut self, id: ObjectId) -> Result<(), StepEnd> {
        self.announce_death(id);
        if self.buffers.is_empty() {
            return Ok(());
        }
        self.await_stores(id)?;
        self.announce_decision();
        match self.buffers.evict(&mut self.memory, self.running.thread, id.0) {
            Ok(()) => {
                self.stores_dropped();
                Ok(())
            }
            Err(late) => self.late_store(id, &late),
        }
    }

    /// Decides whether a delayed store of another thread to an object that is about to die arrives before
    /// that, or is late, which is a violation. This is a question of the step; with update events it is
    /// known.
    pub(in crate::system) fn await_stores(&mut self, id: ObjectId) -> Result<(), StepEnd> {
        if self.buffers.has_updates() {
            let is_late = |store: &PendingStore| store.at.object == id.0 && store.thread != self.running.thread;
            let late = self.buffers.pending().find(is_late);
            return late.map_or(Ok(()), |late| self.late_store(id, &late));
        }
        let may_be_late =
            |store: &PendingStore| store.at.object == id.0 && store.thread != self.running.thread && !store.committed;
        let Some(late) = self.buffers.pending().find(may_be_late) else { return Ok(()) };
        self.announce_decision();
        if self.buffers.holds(id.0) || self.choices.choose(2) == 0 {
            return self.late_store(id, &late);
        }
        self.buffers.arrive(&mut self.memory, id.0);
        Ok(())
    }

    /// True if a violation of the step just taken is a store of another thread that comes too late for memory
    /// that ends, and not a use of memory that is gone.
    #[must_use]
    pub fn is_late_store(&self, fault: &Fault) -> bool {
        let subject = fault.subject.and_then(address::split).map(|(id, _)| id);
        subject.is_some_and(|id| fault.kind == gone_kind(id) && self.memory.region(id).is_some())
    }

    fn late_store(&mut self, id: ObjectId, late: &PendingStore) -> Result<(), StepEnd> {
        let region = self.memory.region(id).expect("the object exists");
        let what = self.describe(&region);
        let message = format!("a store of thread {} to {what} is still buffered when its memory dies", late.thread);
        self.announce_late_store(late.tag);
        self.fault_at(gone_kind(id), id.address(0), message)
    }
}

/// The kind of violation of a use of a dead object with this name.
pub(in crate::system) const fn gone_kind(id: ObjectId) -> ViolationKind {
    if ObjectKind::is_heap_name(id) { ViolationKind::UseAfterFree } else { ViolationKind::UseAfterReturn }
}
