//! Loads and stores: checks of bounds and lifetime, visibility, and the calls of the memory model.

use rmc_runtime::{Access, Barrier, Bytes, Loaded, MemoryOrder, Model, Source};

use crate::ir::address::{self, ObjectId};
use crate::ir::ids::Reg;
use crate::ir::value::{Value, mask};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::observe::StorePath;
use crate::system::reductions::Reduction;
use crate::system::state::memory::{Content, Region};
use crate::system::step::lifetime::gone_kind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// A checked access.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct Target {
    pub region: Region,
    pub at: Access,
}

/// Joins the words of a value of up to 16 bytes.
pub(in crate::system) fn bytes(words: [Value; 2], len: u8) -> Bytes {
    let width = u32::from(len) * 8;
    let join = |low: u64, high: u64| {
        let high = if width > 64 { u128::from(high & mask(width - 64)) } else { 0 };
        u128::from(low & mask(width)) | high << 64
    };
    Bytes { bits: join(words[0].bits, words[1].bits), undef: join(words[0].undef, words[1].undef) }
}

/// The words of a value of up to 16 bytes.
pub(in crate::system) const fn words(bytes: Bytes) -> [Value; 2] {
    [
        Value { bits: bytes.bits as u64, undef: bytes.undef as u64 },
        Value { bits: (bytes.bits >> 64) as u64, undef: (bytes.undef >> 64) as u64 },
    ]
}

impl Machine<'_> {
    /// Finds the object of an access and checks its bounds.
    pub(in crate::system) fn target(&self, addr: u64, len: u64, writes: bool) -> Result<Target, StepEnd> {
        let Some((id, offset)) = address::split(addr) else {
            let kind = if addr < 4096 { ViolationKind::NullDereference } else { ViolationKind::WildPointer };
            return self.fault(kind, format!("the address is {addr:#x}"));
        };
        // Objects are far apart, so an offset this large is an address right before the next object.
        if u64::from(offset) > address::MAX_OBJECT {
            return self.before_object(ObjectId(id.0 + 1), offset);
        }
        let Some(region) = self.memory.region(id) else {
            self.announce_use_of_gone(id, offset, len, writes);
            return self.no_object(id, addr);
        };
        let end = u64::from(offset).saturating_add(len);
        if (end > u64::from(region.size) || region.grows) && !self.is_stored(&region, offset, len)? {
            let message = format!("{len} bytes at offset {offset} of {}", self.describe(&region));
            return self.fault_at(ViolationKind::OutOfBounds, addr, message);
        }
        if writes && matches!(region.content, Content::Constant(_)) {
            return self.fault(ViolationKind::WriteToConstant, self.describe(&region));
        }
        let dead = |at: usize| self.memory.table.objects[at].dead;
        if id.owner() != 0 && self.memory.table.find(id).is_some_and(dead) {
            self.announce_use_of_gone(id, offset, len, writes);
            let message = format!("{} is out of scope", self.describe(&region));
            return self.fault_at(ViolationKind::UseAfterReturn, addr, message);
        }
        self.announce_use(&region, offset, len, writes);
        // Accesses of the memory model are at most 16 bytes. Longer ranges are only checked.
        let len = u8::try_from(len).unwrap_or(16).min(16);
        Ok(Target { region, at: Access { object: id.0, offset, len } })
    }

    fn before_object<T>(&self, id: ObjectId, offset: u32) -> Result<T, StepEnd> {
        let before = (1 << address::OFFSET_BITS) - offset;
        match self.memory.region(id) {
            Some(region) => {
                let message = format!("{before} bytes before {}", self.describe(&region));
                self.fault_at(ViolationKind::OutOfBounds, id.address(0), message)
            }
            None => self.fault(ViolationKind::WildPointer, format!("{before} bytes before memory that does not exist")),
        }
    }

    fn no_object<T>(&self, id: ObjectId, addr: u64) -> Result<T, StepEnd> {
        if id.owner() != 0 {
            let message = self.gone(id, addr);
            return self.fault_at(gone_kind(id), addr, message);
        }
        let Some(at) = id.global_index() else { return self.fault(ViolationKind::WildPointer, format!("{addr:#x}")) };
        if let Some(global) = self.program.globals.get(at).filter(|global| !global.defined) {
            let what = format!("global variable `{}`, which no input defines", global.shown_name());
            return Err(StepEnd::Unsupported(what));
        }
        self.fault(ViolationKind::WildPointer, format!("{addr:#x} is the address of no variable"))
    }

    /// True if other threads may reach the object. It is an error if an object that was taken for private
    /// turns out to be known. Where only what the pass found to be unreachable is private, a pointer to it
    /// is one to memory that had its name before.
    pub(in crate::system) fn is_shared(&self, region: &Region) -> Result<bool, StepEnd> {
        let own = region.holder as usize == self.running.thread + 1;
        if region.shared || own {
            return Ok(region.shared);
        }
        if self.config.reduces(Reduction::Private) || !self.memory.table.is_dangling(region.id) {
            return Err(StepEnd::SharingMissed);
        }
        let message = format!("memory that has ended, and whose name {} has now", self.describe(region));
        self.fault_at(gone_kind(region.id), region.id.address(0), message)
    }

    /// True if accesses to the object go straight to memory. Other threads see none of them before they learn
    /// its address, and the store that publishes the address comes later. That argument needs stores in
    /// order, so under PSO only loads profit.
    fn bypasses(&self, shared: bool, at: Access) -> bool {
        match self.config.model() {
            // Nothing of another thread reaches memory meanwhile.
            _ if self.config.updates && self.in_section() => true,
            Model::Sc => self.config.updates || !self.buffers.overlaps(at),
            Model::Tso => !shared || (self.is_alone() && self.buffers.is_empty()),
            Model::Pso => self.is_alone() && self.buffers.is_empty(),
        }
    }

    /// Loads from memory. The result is `None` if the thread waits.
    pub(in crate::system) fn load(
        &mut self,
        turn: &mut VisibleSlot,
        target: &Target,
        order: MemoryOrder,
    ) -> Result<Option<Bytes>, StepEnd> {
        // A constant never changes, so reading it commutes with everything.
        if matches!(target.region.content, Content::Constant(_)) {
            return Ok(Some(self.memory.read(&target.region, target.at.offset, target.at.len)));
        }
        let shared = self.is_shared(&target.region)?;
        let guarded = shared && self.is_guarded(target);
        if shared && !guarded && !self.may_proceed(turn) {
            return Ok(None);
        }
        self.announce_load(target, shared, order)?;
        if self.bypasses(shared, target.at) {
            let value = self.memory.read(&target.region, target.at.offset, target.at.len);
            self.loaded(target, &Loaded { value, source: Source::Memory, later: Vec::new() }, order);
            return Ok(Some(value));
        }
        if !shared {
            return Ok(Some(self.peek(target)));
        }
        if guarded {
            let value = self.peek(target);
            self.loaded_guarded(target, value);
            return Ok(Some(value));
        }
        self.announce_decision();
        let Self { buffers, memory, choices, running, .. } = self;
        let loaded = buffers.load(memory, Some(running.thread), target.at, choices);
        self.loaded(target, &loaded, order);
        Ok(Some(loaded.value))
    }

    /// The value that the running thread would read without a choice: for each byte its newest pending store,
    /// else memory.
    pub(in crate::system) fn peek(&self, target: &Target) -> Bytes {
        let value = self.memory.read(&target.region, target.at.offset, target.at.len);
        let own =
            self.buffers.pending().filter(|store| store.thread == self.running.thread && store.at.overlaps(target.at));
        own.fold(value, |value, store| value.overlaid(target.at, store.value, store.at))
    }

    /// Reads for the running thread now, within a visible operation or from private memory.
    pub(in crate::system) fn read_now(&mut self, target: &Target) -> Result<Bytes, StepEnd> {
        let value = self.read_open(target)?;
        self.known_bytes(value, target.at.len)
    }

    /// Reads as [`Self::read_now`] does; the value may depend on inputs.
    pub(in crate::system) fn read_open(&mut self, target: &Target) -> Result<Bytes, StepEnd> {
        if !self.announce_library_read(target)? {
            return Ok(self.peek(target));
        }
        let Self { buffers, memory, choices, running, .. } = self;
        Ok(buffers.load(memory, Some(running.thread), target.at, choices).value)
    }

    /// True if other threads may be writing the memory.
    pub(in crate::system) fn is_visible(&self, target: &Target) -> Result<bool, StepEnd> {
        Ok(!matches!(target.region.content, Content::Constant(_)) && self.is_shared(&target.region)?)
    }

    /// Stores a value. The result is false if the thread waits.
    pub(in crate::system) fn store(
        &mut self,
        turn: &mut VisibleSlot,
        target: &Target,
        value: Bytes,
        order: MemoryOrder,
    ) -> Result<bool, StepEnd> {
        let shared = self.is_shared(&target.region)?;
        let rules = self.config.rules;
        let full = rules.after_store(order) == Barrier::Full;
        if self.config.updates && full {
            return self.store_at_once(turn, target, value, order);
        }
        let buffered = !self.bypasses(shared, target.at);
        let fences = full && (buffered || self.buffers.has_delayed(self.running.thread));
        let bound = self.config.buffer_bound;
        let in_section = self.in_section();
        let overflows = buffered && !in_section && self.buffers.is_full(self.running.thread, bound);
        let writes_now = shared && (self.config.model() == Model::Sc || in_section);
        if overflows && self.config.updates {
            self.announce_full_buffer();
            // This is simpler than to wait for one update, and no proof is claimed any more.
            if !self.full_fence(turn) {
                return Ok(false);
            }
        }
        let overflows = overflows && !self.config.updates;
        let is_visible = shared && (writes_now || !self.config.reduces(Reduction::Stores)) && !self.is_guarded(target);
        let is_repeated = buffered && !in_section && !fences && self.repeats_newest(target, value);
        let overflows = overflows && !is_repeated;
        if (fences || overflows || is_visible) && !self.may_proceed(turn) {
            return Ok(false);
        }
        if is_repeated {
            if rules.before_store(order) == Barrier::StoreStore {
                self.store_barrier();
            }
            self.announce_repeated_store(target, value);
            return Ok(true);
        }
        let path = match (buffered && !in_section, writes_now) {
            (true, _) => StorePath::Buffered,
            (false, true) => StorePath::Immediate,
            (false, false) => StorePath::Unobservable,
        };
        if rules.before_store(order) == Barrier::StoreStore {
            self.announce_decision();
            self.store_barrier();
        }
        let store = self.announce_store(target, value, order, path)?;
        if buffered && in_section {
            self.announce_decision();
            let Self { buffers, memory, choices, running, .. } = self;
            buffers.store_in_section(memory, running.thread, (target.at, value, store.tag), choices);
        } else if buffered {
            self.push(target.at, value, store.tag, overflows, bound);
        } else {
            rmc_runtime::Memory::arrives(&mut self.memory, self.running.thread, target.at, store.tag);
            self.memory.write(&target.region, target.at.offset, target.at.len, value);
        }
        if fences {
            self.buffers.fence(&mut self.memory, self.running.thread);
        }
        self.stored(store);
        Ok(true)
    }

    /// Makes a store followed by a full fence, with update events. Nobody can tell it from a write to memory
    /// with an empty buffer.
    fn store_at_once(
        &mut self,
        turn: &mut VisibleSlot,
        target: &Target,
        value: Bytes,
        order: MemoryOrder,
    ) -> Result<bool, StepEnd> {
        if !self.full_fence(turn) {
            return Ok(false);
        }
        let store = self.announce_store_at_once(target, value, order);
        self.atomic_store(target, value, store.tag);
        self.stored(store);
        Ok(true)
    }

    pub(in crate::system) fn load_effect(
        &mut self,
        turn: &mut VisibleSlot,
        dst: Reg,
        addr: u64,
        len: u8,
        order: MemoryOrder,
    ) -> Performed {
        let target = self.target(addr, len.into(), false)?;
        let instruction = self.announce_load_instruction(&target);
        let Some(value) = self.load(turn, &target, order)? else { return Ok(Next::Wait) };
        let value = self.loaded_bytes(value, len);
        self.load_instruction_made(instruction, &target, value.undef == 0);
        self.set_words(dst, value, len);
        Ok(Next::Advance)
    }

    pub(in crate::system) fn set_words(&mut self, dst: Reg, value: Bytes, len: u8) {
        let [low, high] = words(value);
        self.running.stack.set(dst, low);
        if len > 8 {
            self.running.stack.set(Reg(dst.0 + 1), high);
        }
    }

    pub(in crate::system) fn store_effect(
        &mut self,
        turn: &mut VisibleSlot,
        addr: u64,
        len: u8,
        value: [Value; 2],
        order: MemoryOrder,
    ) -> Performed {
        let target = self.target(addr, len.into(), true)?;
        let stored = self.store(turn, &target, bytes(value, len), order)?;
        Ok(if stored { Next::Advance } else { Next::Wait })
    }
}
