//! One step of one thread.

pub(super) mod access;
pub(super) mod answers;
mod bound;
pub mod choices;
pub(super) mod lifetime;
mod parking;
mod raw;
mod repeats;
pub(super) mod report;
mod thread_lifetime;

use rmc_runtime::MemoryOrder;

use crate::interp::{self, Effect, Stack};
use crate::ir::ids::Pc;
use crate::ir::value::Value;
use crate::outcome::{Fault, Unknown, ViolationKind};
use crate::system::library;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::object_table::ObjectKind;
use crate::system::step::report::StepReport;

/// How a step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StepEnd {
    /// The working state is the next state.
    #[default]
    Done,
    /// The thread cannot take this step now (it waits for a mutex, say); the working state is meaningless.
    Blocked,
    /// An assumption does not hold, and no thread can go on: the execution is none of the program's.
    Pruned,
    /// The process ended with this status.
    Exit(i64),
    /// The step would end the process, which waits until no other thread can go on
    /// ([`Machine::defers_exits`]); the working state is meaningless.
    ExitsLast,
    /// The program did something wrong.
    Fault(Fault),
    /// A limit that no state can go beyond.
    Limit(Unknown),
    /// Something this version cannot run.
    Unsupported(String),
    /// An object that was taken for private was reached by another thread: local-memory detection must be
    /// switched off.
    SharingMissed,
}

/// What the thread does after an effect was performed.
pub(in crate::system) enum Next {
    /// Goes on with the next instruction.
    Advance,
    /// Goes on with the instruction where the thread stands now.
    Jumped,
    /// Goes on with the next instruction in another step: the other threads must get a chance to meet what is
    /// gone now.
    Cut,
    /// Waits before the instruction: the step ends here.
    Wait,
    /// The thread has ended.
    Ended,
}

/// The result of performing an effect; the error ends the step.
pub(in crate::system) type Performed = Result<Next, StepEnd>;

/// Jumps and calls a step may take before it is cut: a loop that touches nothing visible ends because the
/// states between its parts repeat.
pub(in crate::system) const BUDGET: u32 = 200;

/// Pieces of `memcpy` and the like that a step may perform, for the same reason, and so that limits are
/// noticed in time.
const PIECES: u32 = 4096;

/// Whether the step may still perform a visible operation.
pub(in crate::system) struct VisibleSlot {
    open: bool,
    /// Whether anything was performed.
    moved: bool,
    /// Whether something was performed though the last instruction goes on.
    progressed: bool,
    /// Pieces of bulk operations that the step may still perform.
    pieces: u32,
}

impl VisibleSlot {
    /// A turn within a visible operation that has begun.
    pub(in crate::system) const fn open() -> Self {
        Self { open: true, moved: false, progressed: false, pieces: PIECES }
    }

    /// Notes that something was performed, though the instruction goes on.
    pub(in crate::system) fn moved(&mut self) {
        self.moved = true;
        self.progressed = true;
    }

    /// Whether anything was performed.
    pub(in crate::system) const fn has_moved(&self) -> bool {
        self.moved
    }

    /// Takes one of the pieces a step may perform; false if none is left.
    pub(in crate::system) fn take_piece(&mut self) -> bool {
        self.pieces = self.pieces.saturating_sub(1);
        self.pieces > 0
    }
}

/// Whether the registers are not known that are needed before an effect, so that no step ends there.
const fn is_bound(effect: &Effect) -> bool {
    use Effect::{Alloca, CalleeObject, Fault, Limit, ThreadLocal, Unsupported, VaStart};
    matches!(
        effect,
        Alloca { .. }
            | CalleeObject { .. }
            | ThreadLocal { .. }
            | VaStart { .. }
            | Fault(_)
            | Limit(_)
            | Unsupported(_)
    )
}

impl Machine<'_> {
    /// Runs a step of `thread` from the working state just loaded.
    pub fn step(&mut self, thread: usize) -> StepReport {
        let section = self.memory.table.atomic;
        let may_lose = self.may_lose_by_pending_stores();
        self.report = StepReport { in_section: section.is_some(), ..StepReport::default() };
        self.running.stack.turns.begin();
        let end = self.run_step(thread);
        if !matches!(end, StepEnd::Done | StepEnd::Blocked | StepEnd::ExitsLast) {
            self.check_guards_at_end();
        }
        if matches!(end, StepEnd::Exit(_)) && self.threads.live > 1 && self.config.final_states {
            self.break_guards();
        }
        self.report.acted |= self.memory.table.atomic != section;
        let end = self.check_leaks(end, may_lose);
        let in_section = self.was_in_section();
        StepReport { end, in_section, ..std::mem::take(&mut self.report) }
    }

    fn run_step(&mut self, thread: usize) -> StepEnd {
        self.script.rewind();
        self.observers.guards.get_mut().passed = false;
        self.enter(thread);
        self.begin_races();
        let mut turn = VisibleSlot::open();
        let mut budget = BUDGET;
        loop {
            let effect = interp::run(self.program, &mut self.running.stack, &mut budget, &self.tally.reached);
            if matches!(effect, Effect::Budget) || self.cuts_before(&effect, &turn) {
                self.leave();
                return StepEnd::Done;
            }
            let footprint = (self.report.footprint.len(), self.report.fenced);
            turn.progressed = false;
            match self.perform(effect, &mut turn) {
                Ok(Next::Advance) => self.running.stack.advance(),
                Ok(Next::Jumped) => {}
                Ok(Next::Cut) => {
                    self.running.stack.advance();
                    self.leave();
                    return StepEnd::Done;
                }
                Ok(Next::Wait) if !turn.moved => return StepEnd::Blocked,
                Ok(Next::Wait) => {
                    // What was not performed belongs to the next step.
                    if !turn.progressed {
                        self.report.footprint.truncate(footprint.0);
                        self.report.fenced = footprint.1;
                    }
                    self.leave();
                    return StepEnd::Done;
                }
                Ok(Next::Ended) if self.threads.live > 0 => return StepEnd::Done,
                // The last thread's end is the process's, with status 0.
                Ok(Next::Ended) => return StepEnd::Exit(0),
                Err(end) => {
                    self.leave();
                    return end;
                }
            }
            // What follows must not hide the step's first effect, a buffered store say, from the other
            // threads.
            turn.moved = true;
            turn.open = false;
        }
    }

    /// Whether every operation is a step of its own, and another one was performed already. Not before those
    /// where the registers needed are not known.
    fn cuts_before(&self, effect: &Effect, turn: &VisibleSlot) -> bool {
        turn.moved && !is_bound(effect) && !self.config.reduces(Reduction::Paths)
    }

    /// Brings a thread that begins to its first effect. What it does before that is in registers, and
    /// commutes with everything. So a loop that waits is at its beginning from the first round on, as the
    /// steps of its later rounds begin there, and the first is seen to be idle like the others (`awaits.rs`).
    pub(in crate::system) fn run_up(&self, stack: &mut Stack) {
        let (mut ahead, mut budget) = (stack.clone(), BUDGET);
        let effect = interp::run(self.program, &mut ahead, &mut budget, &self.tally.reached);
        if !is_bound(&effect) {
            *stack = ahead;
        }
    }

    fn perform(&mut self, effect: Effect, turn: &mut VisibleSlot) -> Performed {
        self.begin_race_operation();
        let performed = self.perform_effect(effect, turn)?;
        self.race_verdict()?;
        Ok(performed)
    }

    fn perform_effect(&mut self, effect: Effect, turn: &mut VisibleSlot) -> Performed {
        match effect {
            Effect::RawLoad { dst, addr, len, width } => self.raw_load(dst, addr, len, width),
            Effect::RawStore { addr, len, value } => self.raw_store(addr, len, value),
            Effect::Load { dst, addr, len, order } => self.load_effect(turn, dst, addr, len, order),
            Effect::Store { addr, len, value, order } => self.store_effect(turn, addr, len, value, order),
            Effect::ReadModifyWrite { dst, addr, len, update } => self.read_modify_write(turn, dst, addr, len, update),
            Effect::CompareExchange { dst, addr, len, exchange } => {
                self.compare_exchange(turn, dst, addr, len, exchange)
            }
            Effect::Fence { order } => self.fence_effect(turn, order),
            Effect::Copy { site } => self.copy(turn, site),
            Effect::Fill { site } => self.fill(turn, site),
            Effect::Alloca { dst, bytes, site } => self.alloca(dst, bytes, site),
            Effect::CalleeObject { dst, size, variadic } => self.callee_object(dst, size, variadic),
            Effect::VaStart { list, area } => self.va_start(list, area),
            Effect::ThreadLocal { dst, global } => self.thread_local(dst, global),
            Effect::LifetimeStart { addr, len } => self.lifetime_start(addr, len),
            Effect::LifetimeEnd { addr, len } => self.lifetime_end(turn, addr, len),
            Effect::Library { site } => library::call(self, turn, site),
            Effect::Return => self.return_effect(turn),
            Effect::Budget => Ok(Next::Wait),
            Effect::Fault(fault) => Err(StepEnd::Fault(fault)),
            Effect::Limit(limit) => Err(StepEnd::Limit(limit)),
            Effect::Unsupported(what) => Err(StepEnd::Unsupported(what)),
        }
    }

    /// Whether a visible operation may be performed now: the first one of a step may, and any while no other
    /// thread lives.
    pub(in crate::system) fn may_proceed(&self, turn: &mut VisibleSlot) -> bool {
        self.is_alone()
            || self.memory.table.atomic == Some(self.running.thread)
            || std::mem::replace(&mut turn.open, false)
    }

    /// Whether the step under way began in an atomic section, or is in one.
    pub(in crate::system) fn was_in_section(&self) -> bool {
        self.report.in_section || self.memory.table.atomic.is_some()
    }

    /// Whether stores may reach memory at once because nobody can look: the thread is in an atomic section,
    /// which it entered with an empty buffer.
    pub(in crate::system) fn in_section(&self) -> bool {
        self.config.updates && self.memory.table.atomic == Some(self.running.thread)
    }

    /// A full fence of the running thread. It is visible only if a delayed store is pending. False: the
    /// thread waits.
    pub(in crate::system) fn full_fence(&mut self, turn: &mut VisibleSlot) -> bool {
        if self.config.updates {
            // Always in a step of its own, so that where a step ends does not depend on what was pending.
            self.report.fenced = true;
            let passes = !self.buffers.has_delayed(self.running.thread) && self.may_proceed(turn);
            if passes && self.buffers.is_full(self.running.thread, 1) {
                self.buffers.fence(&mut self.memory, self.running.thread);
            }
            return passes;
        }
        if !self.buffers.has_delayed(self.running.thread) {
            return true;
        }
        self.may_proceed(turn) && self.drain().is_ok()
    }

    /// A full fence as part of a visible operation that may proceed.
    ///
    /// # Errors
    /// [`StepEnd::Blocked`]: the thread waits for the updates of its stores.
    pub(in crate::system) fn drain(&mut self) -> Result<(), StepEnd> {
        self.report.fenced = true;
        if self.config.updates && self.buffers.has_delayed(self.running.thread) {
            return Err(StepEnd::Blocked);
        }
        self.drain_thread(self.running.thread);
        Ok(())
    }

    /// A full fence of any thread, which another makes it have. With update events, its buffer is empty.
    pub(in crate::system) fn drain_thread(&mut self, thread: usize) {
        self.observe_before();
        self.buffers.fence(&mut self.memory, thread);
    }

    fn fence_effect(&mut self, turn: &mut VisibleSlot, order: MemoryOrder) -> Performed {
        use rmc_runtime::Barrier;
        let waits = match self.config.rules.fence(order) {
            Barrier::None => false,
            Barrier::StoreStore if !self.config.reduces(Reduction::Stores) && !self.may_proceed(turn) => true,
            Barrier::StoreStore => {
                self.store_barrier();
                false
            }
            Barrier::Full => !self.full_fence(turn),
        };
        if waits {
            return Ok(Next::Wait);
        }
        self.race_fence(order);
        self.observe_fence(order);
        Ok(Next::Advance)
    }

    pub(in crate::system) fn store_barrier(&mut self) {
        self.buffers.store_barrier(self.running.thread);
    }

    /// Return from a frame that owns stack objects, or whose caller is not at hand, or that is the thread's
    /// first.
    fn return_effect(&mut self, turn: &mut VisibleSlot) -> Performed {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        let crate::ir::Instr::Return { value, words } = function.code[frame.pc.index()] else {
            unreachable!("the effect of a return comes from a return")
        };
        if !self.running.stack.has_caller() && !self.fetch_caller() {
            let result = if words > 0 { self.running.stack.get(self.program, value) } else { Value::ZERO };
            return self.end_thread(turn, result);
        }
        let mut next = Next::Advance;
        if function.has_objects {
            let depth = self.running.stack.depth();
            if self.are_known(|object| object.kind == ObjectKind::Stack && object.depth >= depth) {
                if !self.may_proceed(turn) {
                    return Ok(Next::Wait);
                }
                next = self.cut();
            }
            self.end_frames(depth)?;
        }
        self.running.stack.pop(self.program, value, words);
        Ok(next)
    }

    /// How to go on after memory died that others may know: they must meet that it is gone before its name is
    /// given away again.
    pub(in crate::system) fn cut(&self) -> Next {
        if self.is_alone() { Next::Advance } else { Next::Cut }
    }

    /// The running thread ends with a value: a full fence, then its memory dies. Before that, it runs what
    /// the support library has for its end.
    pub(in crate::system) fn end_thread(&mut self, turn: &mut VisibleSlot, value: Value) -> Performed {
        if let Some(epilogue) = self.program.thread_end
            && self.outermost_function() != epilogue
        {
            self.restart_in(epilogue, value);
            return Ok(Next::Jumped);
        }
        if !self.may_end(turn)? {
            return Ok(Next::Wait);
        }
        self.publish(value);
        if self.program.epilogue.is_some() {
            self.touch_last_end();
        }
        self.see_live();
        if let Some(epilogue) = self.program.epilogue.filter(|_| self.threads.live == 1) {
            return self.run_epilogue(epilogue);
        }
        self.end_thread_objects()?;
        self.observe_end();
        self.end_current(value);
        if self.threads.live == 0 {
            self.end_process(0);
        }
        Ok(Next::Ended)
    }

    /// The fence of a thread's end. Where others can tell that the thread lives, by its memory or by asking,
    /// the end is visible even if nothing is delayed. So it is where leaks are looked for: memory that only
    /// the thread knows is not leaked if the process ends before the thread does.
    fn may_end(&mut self, turn: &mut VisibleSlot) -> Result<bool, StepEnd> {
        let visible = self.facts.ends_are_seen
            || self.looks_for_leaks()
            || self.are_known(|object| object.kind != ObjectKind::Heap);
        if self.config.updates || !visible {
            return Ok(self.full_fence(turn));
        }
        if !self.may_proceed(turn) {
            return Ok(false);
        }
        self.drain().map(|()| true)
    }

    /// The last thread goes on as if `main` had returned 0, to run what is to run at the end of the process.
    fn run_epilogue(&mut self, epilogue: Pc) -> Performed {
        self.end_frames(1)?;
        self.observe_end();
        let entry = self.program.entry.expect("the loader adds an entry function");
        self.running.stack.clear();
        self.running.rest = self.nothing_below();
        self.running.stack.push_bare(entry, epilogue, self.program.function(entry).registers);
        Ok(Next::Jumped)
    }

    pub(in crate::system) fn fault<T>(&self, kind: ViolationKind, message: impl Into<String>) -> Result<T, StepEnd> {
        Err(StepEnd::Fault(Fault::new(kind, message)))
    }

    /// A fault about the memory at an address.
    pub(in crate::system) fn fault_at<T>(
        &self,
        kind: ViolationKind,
        address: u64,
        message: impl Into<String>,
    ) -> Result<T, StepEnd> {
        Err(StepEnd::Fault(Fault::new(kind, message).about(address)))
    }
}
