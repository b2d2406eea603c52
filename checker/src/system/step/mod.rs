//! One step of one thread.

pub(super) mod access;
pub(super) mod answers;
mod atomics;
mod bound;
pub mod choices;
mod dangling;
mod fences;
pub(super) mod kept_names;
mod lifetime;
mod parking;
mod raw;
mod repeats;
pub(super) mod report;
mod sections;
mod thread_lifetime;

use rmc_runtime::{Barrier, Model};

use crate::interp::{self, Effect, Stack};
use crate::ir::value::Value;
use crate::outcome::{Fault, Unknown, ViolationKind};
use crate::system::inputs::Growth;
use crate::system::library;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::object_table::ObjectKind;
use crate::system::step::report::StepReport;

/// The kinds of ends of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StepEnd {
    /// The working state is the next state.
    #[default]
    Done,
    /// The thread cannot take this step now, for example because it waits for a mutex. The working state is
    /// meaningless.
    Blocked,
    /// An assumption is false, and no thread can go on. The execution is discarded.
    Pruned,
    /// The process ended with this status.
    Exit(i64),
    /// The step would end the process, which is delayed until no other thread can go on
    /// ([`Machine::defers_exits`]). The working state is meaningless.
    ExitsLast,
    /// The program has a fault.
    Fault(Fault),
    /// The step reached a limit that no state can exceed.
    Limit(Unknown),
    /// The program uses something that this version cannot run.
    Unsupported(String),
    /// Another thread reached an object that was taken for private. The search must be repeated without
    /// [`Reduction::Private`].
    SharingMissed,
    /// An atomic section waits for the end of a thread, which was taken for an end that nobody looks at. The
    /// search must be repeated with [`Config::sees_ends`](crate::system::Config::sees_ends).
    EndSeen,
    /// An access needs bytes of an object of which fewer are stored. It is no end: the loop of the step asks
    /// whether the object has them, and repeats the operation.
    Grows(Growth),
}

/// The continuations of a thread after an effect was performed.
pub(in crate::system) enum Next {
    /// It continues with the next instruction.
    Advance,
    /// It continues with the instruction at which the thread now is.
    Jumped,
    /// It continues with the next instruction in another step. Other threads must get a chance to meet the
    /// end of the object before that.
    Cut,
    /// It waits before the instruction, and the step ends here.
    Wait,
    /// The thread has ended.
    Ended,
}

/// The result of performing an effect; the error ends the step.
pub(in crate::system) type Performed = Result<Next, StepEnd>;

/// The number of jumps and calls of a step before it is cut. A loop that touches nothing visible ends because
/// the states between its parts repeat.
pub(in crate::system) const BUDGET: u32 = 200;

/// The number of pieces of `memcpy` and similar functions that a step may perform. The reasons are the same,
/// and that limits are noticed in time.
const PIECES_PER_STEP: u32 = 4096;

/// The right of a step to perform a visible operation.
pub(in crate::system) struct VisibleSlot {
    open: bool,
    /// True if anything was performed.
    moved: bool,
    /// True if something was performed although the last instruction is not finished.
    progressed: bool,
    /// True if something was performed that others may notice. They may go on after that.
    noticed: bool,
    /// The number of pieces of bulk operations that the step may still perform.
    pieces: u32,
    /// The operations, and parts of operations, that were performed. Those before which no step may end are
    /// not counted.
    operations: u32,
    /// The number of operations after which the step ends, if the schedule has one.
    limit: Option<u32>,
}

impl VisibleSlot {
    /// A slot within a visible operation that has begun.
    pub(in crate::system) const fn open() -> Self {
        Self {
            open: true,
            moved: false,
            progressed: false,
            noticed: false,
            pieces: PIECES_PER_STEP,
            operations: 0,
            limit: None,
        }
    }

    /// Records that something was performed, although the instruction is not finished.
    pub(in crate::system) fn moved(&mut self) {
        self.moved = true;
        self.progressed = true;
        self.operations += 1;
    }

    /// True if the schedule lets the step perform no more operations.
    pub(in crate::system) fn is_spent(&self) -> bool {
        self.limit.is_some_and(|limit| self.operations >= limit)
    }

    /// True if anything was performed.
    pub(in crate::system) const fn has_moved(&self) -> bool {
        self.moved
    }

    /// Takes one of the pieces that a step may perform. The result is false if none is left.
    pub(in crate::system) fn take_piece(&mut self) -> bool {
        self.pieces = self.pieces.saturating_sub(1);
        self.pieces > 0 && !self.is_spent()
    }
}

/// True if no step may end before the effect, because the registers needed there are not known.
const fn is_bound(effect: &Effect) -> bool {
    use Effect::{Alloca, CalleeObject, Fault, Limit, Symbol, ThreadLocal, Unsupported, VaStart};
    matches!(
        effect,
        Alloca { .. }
            | CalleeObject { .. }
            | ThreadLocal { .. }
            | VaStart { .. }
            | Fault(_)
            | Limit(_)
            | Unsupported(_)
            | Symbol
    )
}

/// True if the fault is the use of memory, or of a thread, that is gone. It is found before the operation has
/// any effect.
const fn is_about_what_is_gone(fault: &Fault) -> bool {
    use ViolationKind::{DoubleFree, JoinTwice, UseAfterFree, UseAfterReturn};
    matches!(fault.kind, DoubleFree | JoinTwice | UseAfterFree | UseAfterReturn)
}

impl Machine<'_> {
    /// Runs a step of `thread` from the working state just loaded.
    pub fn step(&mut self, thread: usize) -> StepReport {
        let section = self.memory.table.atomic;
        let may_lose = self.may_lose_by_pending_stores();
        self.report = StepReport { in_section: section.is_some(), ..StepReport::default() };
        self.running.stack.turns.begin();
        let end = self.run_step(thread);
        self.step_ended(&end);
        self.report.acted |= self.memory.table.atomic != section;
        let end = self.check_leaks(end, may_lose);
        // After a step that ends everything, there is nothing that a section could keep others from.
        let in_section = section.is_some() || matches!(end, StepEnd::Done) && self.memory.table.atomic.is_some();
        StepReport { end, in_section, ..std::mem::take(&mut self.report) }
    }

    fn run_step(&mut self, thread: usize) -> StepEnd {
        self.choices.rewind();
        self.enter(thread);
        self.announce_step();
        self.begin_questions();
        let mut turn = VisibleSlot { limit: self.given.operations(), ..VisibleSlot::open() };
        let end = self.run_operations(&mut turn);
        self.note_needed(&end);
        self.report.operations += turn.operations;
        end
    }

    fn run_operations(&mut self, turn: &mut VisibleSlot) -> StepEnd {
        let mut budget = BUDGET;
        let mut parts = self.first_part();
        // True if the operation was begun before, and only asked for the size of an object.
        let mut repeats = false;
        loop {
            let mut effect = interp::run(self.program, &mut self.running.stack, &mut budget, &self.tally.reached);
            self.share_disguised();
            if matches!(effect, Effect::Symbol) {
                match self.evaluate(&mut budget) {
                    Ok(Some(performs)) => effect = performs,
                    Ok(None) if budget > 0 => continue,
                    evaluated => {
                        self.leave();
                        return evaluated.err().unwrap_or(StepEnd::Done);
                    }
                }
            }
            if matches!(effect, Effect::Budget) && self.goes_on_in_section(&mut parts) {
                budget = BUDGET;
                continue;
            }
            let revives = turn.noticed && self.revives_dangling(&effect);
            if matches!(effect, Effect::Budget) || !repeats && (revives || self.cuts_before(&effect, turn)) {
                self.leave();
                return StepEnd::Done;
            }
            repeats = false;
            let footprint = (self.report.footprint.len(), self.report.fenced);
            turn.progressed = false;
            let open = turn.open;
            let is_separate = self.separates(turn, &effect);
            let counts = !is_bound(&effect);
            turn.noticed |= !self.goes_unnoticed(&effect);
            match self.perform(effect, turn) {
                Ok(Next::Advance) => self.running.stack.advance(),
                Ok(Next::Jumped) => {}
                Ok(Next::Cut) => {
                    turn.operations += u32::from(counts);
                    self.running.stack.advance();
                    self.leave();
                    return StepEnd::Done;
                }
                // What the step asked of inputs stays: for other values the thread need not be blocked. A
                // schedule with their values limits such a step.
                // A step that asked of sizes is tried anew, so it asks again.
                Ok(Next::Wait) if !turn.moved && self.has_asked_of_sizes() => return StepEnd::Blocked,
                Ok(Next::Wait) if !turn.moved && (self.choices.has_asked_of_inputs() || turn.limit.is_some()) => {
                    self.leave();
                    return StepEnd::Done;
                }
                Ok(Next::Wait) if !turn.moved => return StepEnd::Blocked,
                Ok(Next::Wait) => {
                    self.leave_before(footprint, turn);
                    return StepEnd::Done;
                }
                Ok(Next::Ended) if self.threads.live > 0 => {
                    turn.operations += u32::from(counts);
                    return StepEnd::Done;
                }
                // The end of the last thread is the end of the process, with status 0.
                Ok(Next::Ended) => return StepEnd::Exit(0),
                Err(StepEnd::Grows(growth)) => match self.grow(growth) {
                    Ok(()) => {
                        repeats = true;
                        turn.open = if turn.progressed { turn.open } else { open };
                        continue;
                    }
                    Err(end) => {
                        self.leave();
                        return end;
                    }
                },
                Err(StepEnd::Fault(fault)) if is_separate && is_about_what_is_gone(&fault) => {
                    self.leave_before(footprint, turn);
                    return StepEnd::Done;
                }
                Err(end) => {
                    self.leave();
                    return end;
                }
            }
            // Later operations must not hide the step's first effect, for example a buffered store, from the
            // other threads.
            turn.moved = true;
            turn.open = false;
            turn.operations += u32::from(counts);
        }
    }

    /// True if an operation that finds what it uses gone is a step of its own, as it is in executions in
    /// which it is there: so the step before does not depend on whether it is. A delayed store is no step of
    /// its own there, and an atomic section is one step. With delayed flushing that matters if the search
    /// goes on after a violation: before the operation, others may make new memory with the name.
    fn separates(&self, turn: &VisibleSlot, effect: &Effect) -> bool {
        let rules = self.config.rules;
        let is_delayed = rules.model != Model::Sc
            && match effect {
                Effect::Store { order, .. } => rules.after_store(*order) != Barrier::Full,
                Effect::Fill { .. } => true,
                _ => false,
            };
        let is_step = if self.config.updates { !is_delayed } else { !self.config.is_settled_by_one() };
        is_step && turn.moved && !self.in_section()
    }

    /// Ends the step before an operation that was begun, if it had no effect yet: its touches belong to the
    /// next step. `footprint` is what the step had touched before.
    fn leave_before(&mut self, (touches, fenced): (usize, bool), turn: &VisibleSlot) {
        if !turn.progressed {
            self.report.footprint.truncate(touches);
            self.report.fenced = fenced;
        }
        self.leave();
    }

    /// True if every operation is a step of its own, and another one was performed already, or if the
    /// schedule ends the step here. False before operations for which the registers needed are not known.
    fn cuts_before(&self, effect: &Effect, turn: &VisibleSlot) -> bool {
        !is_bound(effect)
            && (turn.is_spent()
                || turn.moved && !self.config.reduces(Reduction::Paths)
                || self.has_asked_of_symbols() && !(self.config.reads_from && self.is_whole_section()))
    }

    /// Runs a thread that begins up to its first effect. Everything before that is in registers and commutes
    /// with everything. So a loop that waits is at its beginning from the first round on, where the steps of
    /// its later rounds begin, and the first round is found to be idle like the others (`awaits.rs`).
    pub(in crate::system) fn run_up(&self, stack: &mut Stack) {
        let (mut ahead, mut budget) = (stack.clone(), BUDGET);
        let effect = interp::run(self.program, &mut ahead, &mut budget, &self.tally.reached);
        if !is_bound(&effect) {
            *stack = ahead;
        }
    }

    fn perform(&mut self, effect: Effect, turn: &mut VisibleSlot) -> Performed {
        self.announce_operation();
        self.begin_operation(matches!(effect, Effect::Library { .. } | Effect::Copy { .. } | Effect::Fill { .. }));
        let performed = self.perform_effect(effect, turn);
        self.begin_operation(false);
        let performed = performed?;
        self.operation_made()?;
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
            Effect::VaStart { list, area, first } => self.va_start(list, area, first),
            Effect::ThreadLocal { dst, global } => self.thread_local(dst, global),
            Effect::LifetimeStart { addr, len } => self.lifetime_start(addr, len),
            Effect::LifetimeEnd { addr, len } => self.lifetime_end(turn, addr, len),
            Effect::Library { site } => library::call(self, turn, site),
            Effect::Return => self.return_effect(turn),
            Effect::Budget => Ok(Next::Wait),
            Effect::Symbol => unreachable!("the loop of the step evaluates symbols"),
            Effect::Fault(fault) => Err(StepEnd::Fault(fault)),
            Effect::Limit(limit) => Err(StepEnd::Limit(limit)),
            Effect::Unsupported(what) => Err(StepEnd::Unsupported(what)),
        }
    }

    /// True if a visible operation may be performed now. The first one of a step may, and all while no other
    /// thread lives or the thread is in an atomic section.
    pub(in crate::system) fn may_proceed(&self, turn: &mut VisibleSlot) -> bool {
        self.is_alone()
            || self.memory.table.atomic == Some(self.running.thread)
            || std::mem::replace(&mut turn.open, false)
    }

    /// True if the step under way began in an atomic section, or is in one.
    pub(in crate::system) fn was_in_section(&self) -> bool {
        self.report.in_section || self.memory.table.atomic.is_some()
    }

    /// True if nobody can look: the thread is in an atomic section, which it entered with an empty buffer.
    pub(in crate::system) fn in_section(&self) -> bool {
        self.memory.table.atomic == Some(self.running.thread)
    }

    /// Returns from a frame that owns stack objects, whose caller is not decoded, or that is the thread's
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

    /// The continuation after memory died that others may know. They must be able to meet its absence before
    /// its name is reused.
    pub(in crate::system) fn cut(&self) -> Next {
        if self.is_alone() { Next::Advance } else { Next::Cut }
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
