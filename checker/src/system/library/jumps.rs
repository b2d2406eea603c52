//! `setjmp` and `longjmp` (C11, 7.13) within a thread.
//!
//! A call of `setjmp` leaves a *mark* in its frame: a small object of the frame with the place of the call
//! and the address of the `jmp_buf` that it filled. The `jmp_buf` names the mark. The mark dies with the
//! frame, so `longjmp` finds out whether the frame still exists. Names of objects are reused, but a mark of
//! another call has another `jmp_buf`; if it has the same one, that call filled it again.
//!
//! Local variables that changed since `setjmp` and are not `volatile` keep the value of either moment, as C
//! allows. Signal masks are not kept. Only a program that raises signals can notice that: in such a program
//! `sigsetjmp` and `siglongjmp` are refused while signals are blocked.

use rmc_runtime::{Bytes, MemoryOrder};

use super::Call;
use crate::ir::address::ObjectId;
use crate::ir::ids::{GlobalId, Pc};
use crate::ir::instr::Instr;
use crate::ir::value::{Value, mask};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::state::object_table::{Object, ObjectKind};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The size of a `jmp_buf` in bytes.
const BUFFER: u64 = 200;
/// The size in bytes of the buffer that `pthread_cleanup_push` fills, which has no room for signals.
const SHORT_BUFFER: u64 = 72;
/// The upper half of a filled `jmp_buf`'s first word; the lower half names the mark.
const FILLED: u64 = 0x6A6D_7062;
/// The size in bytes of a mark: [`MARK`], the address of the `jmp_buf`, the instruction.
const MARK_SIZE: u32 = 24;
const MARK: u64 = 0x9D3A_51C7_E2F0_8B64;

/// A mark that was found.
struct Mark {
    object: Object,
    buffer: u64,
    pc: Pc,
}

pub(super) fn set<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let buffer = machine.argument(call, 0)?;
    let keeps_mask = call.function.keeps_signal_mask;
    let is_short = keeps_mask && machine.argument(call, 1)? == 0;
    if keeps_mask && !is_short {
        refuse_blocked_signals(machine, call)?;
    }
    machine.target(buffer, if is_short { SHORT_BUFFER } else { BUFFER }, true)?;
    let target = machine.target(buffer, 8, true)?;
    machine.announce_identity();
    let (depth, owner) = (machine.running.stack.depth(), machine.running.thread + 1);
    let own = |object: &&Object| object.id.owner() as usize == owner && object.depth == depth;
    let objects: Vec<_> = machine.memory.table.objects.iter().filter(own).map(|object| object.id).collect();
    let known = objects.into_iter().find(|&id| mark(machine, id).is_some_and(|mark| mark.buffer == buffer));
    let id = match known {
        Some(id) => id,
        None => {
            let address = machine.allocate(MARK_SIZE.into(), ObjectKind::Stack, depth, false)?;
            crate::ir::address::split(address).expect("a fresh object has an address").0
        }
    };
    let filled = Bytes::defined(u128::from(FILLED << 32 | u64::from(id.0)));
    if !machine.store(turn, &target, filled, MemoryOrder::Plain)? {
        if known.is_none() {
            machine.remove_object(id)?;
        }
        return Ok(Next::Wait);
    }
    for (offset, word) in [(0, MARK), (8, buffer), (16, machine.running.stack.top().pc.0.into())] {
        let place = machine.target(id.address(offset), 8, true)?;
        machine.write_unseen(&place, 8, Bytes::defined(word.into()));
    }
    machine.give(call, 0)
}

/// Refuses a jump while signals are blocked in a program that raises some, since their mask would have to be
/// kept.
fn refuse_blocked_signals(machine: &mut Machine<'_>, call: Call<'_>) -> Result<(), StepEnd> {
    let program = machine.program;
    let raises = program.functions.iter().any(|function| function.name == "raise" && !function.code.is_empty());
    let is_mask = |global: &&GlobalId| program.globals[global.index()].name == "__rmc_signal_mask";
    let Some(&mask) = program.thread_locals.iter().find(is_mask).filter(|_| raises) else { return Ok(()) };
    let target = machine.target(machine.own_thread_local(mask).address(0), 8, false)?;
    match machine.read_now(&target)?.bits {
        0 => Ok(()),
        _ => Err(StepEnd::Unsupported(format!("`{}` while signals are blocked, as in a handler", call.name))),
    }
}

/// The mark with this name, if the object is one.
fn mark(machine: &Machine<'_>, id: ObjectId) -> Option<Mark> {
    let object = machine.memory.table.objects[machine.memory.table.find(id)?];
    if object.kind != ObjectKind::Stack || object.size != MARK_SIZE {
        return None;
    }
    let region = machine.memory.region(id)?;
    let [first, buffer, pc] = [0, 8, 16].map(|offset| machine.memory.read(&region, offset, 8));
    let is_mark = first == Bytes::defined(MARK.into());
    is_mark.then_some(Mark { object, buffer: buffer.bits as u64, pc: Pc(pc.bits as u32) })
}

pub(super) fn jump<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (buffer, value) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if machine.phase(call) == 0 {
        if call.function.keeps_signal_mask {
            refuse_blocked_signals(machine, call)?;
        }
        let target = machine.target(buffer, 8, false)?;
        let Some(filled) = machine.load(turn, &target, MemoryOrder::Plain)? else { return Ok(Next::Wait) };
        let filled = machine.known_bytes(filled, target.at.len)?;
        if filled.undef != 0 || filled.bits as u64 >> 32 != FILLED {
            let message = format!("`{}` with a jmp_buf that setjmp did not fill", call.name);
            return machine.fault(ViolationKind::InvalidArgument, message);
        }
        machine.set_phase(turn, call, filled.bits as u64);
    }
    let found = destination(machine, call, ObjectId(machine.phase(call) as u32), buffer)?;
    if !may_leave_frames(machine, turn, found.object.depth) {
        return Ok(Next::Wait);
    }
    machine.announce_call(call.name, value);
    let next = leave_frames(machine, found.object.depth)?;
    machine.running.stack.jump(found.pc);
    give_again(machine, if value as u32 == 0 { 1 } else { value });
    Ok(next)
}

/// True if objects die that other threads may know when the running thread leaves its frames above number
/// `depth`.
fn shares_frames(machine: &Machine<'_>, depth: u32) -> bool {
    let owner = machine.running.thread + 1;
    let dies = |object: &&Object| {
        object.kind == ObjectKind::Stack && object.id.owner() as usize == owner && object.depth > depth
    };
    machine.memory.table.objects.iter().filter(dies).any(|object| object.shared)
}

/// True if the running thread may leave its frames above number `depth` in this step.
pub(super) fn may_leave_frames(machine: &Machine<'_>, turn: &mut VisibleSlot, depth: u32) -> bool {
    !shares_frames(machine, depth) || machine.may_proceed(turn)
}

/// Leaves the frames of the running thread above number `depth`. The result is the continuation behind the
/// instruction to which the caller then jumps.
pub(super) fn leave_frames(machine: &mut Machine<'_>, depth: u32) -> Result<Next, StepEnd> {
    let next = if shares_frames(machine, depth) { machine.cut() } else { Next::Advance };
    machine.end_frames(depth + 1)?;
    while machine.running.stack.below >= depth {
        machine.fetch_caller();
    }
    machine.running.stack.unwind(depth);
    Ok(next)
}

/// The mark to jump to. It is a violation if its frame has returned.
fn destination(machine: &Machine<'_>, call: Call<'_>, id: ObjectId, buffer: u64) -> Result<Mark, StepEnd> {
    if id.owner() as usize != machine.running.thread + 1 {
        let message = format!("`{}` to a function of another thread", call.name);
        return machine.fault(ViolationKind::DeadJump, message);
    }
    match mark(machine, id) {
        Some(found) if found.buffer == buffer => Ok(found),
        Some(_) => {
            let what = format!("`{}` with a jmp_buf that is a copy, or whose function has returned", call.name);
            Err(StepEnd::Unsupported(what))
        }
        None => machine.fault(ViolationKind::DeadJump, format!("`{}` to a function that has returned", call.name)),
    }
}

/// Makes the call of `setjmp` at which the running frame is return once more, with this value.
fn give_again(machine: &mut Machine<'_>, value: u64) {
    let frame = machine.running.stack.top();
    let function = machine.program.function(frame.function);
    let Instr::Library { site } = function.code[frame.pc.index()] else {
        unreachable!("a mark names a call of setjmp")
    };
    let site = &function.library[site.index()];
    if site.width > 0 {
        machine.running.stack.set(site.dst, Value::new(value & mask(site.width.into())));
    }
}
