//! Threads of POSIX and C11: creation, end, join, identity. All but the functions for identity are full
//! fences.
//!
//! A `pthread_t` or `thrd_t` is the thread's number plus one. A timed join of a running thread may time out
//! at any moment.

use rmc_runtime::Bytes;

use super::Call;
use super::sync::WaitMode;
use super::unwinding;
use crate::ir::address;
use crate::ir::value::{Value, mask};
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::state::object_table::ThreadState;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The bit of a `pthread_attr_t`'s attributes that is set if the thread is detached, as `libc/attributes.c`
/// writes it.
const DETACHED: u64 = 1;

/// The `pthread_t` of a thread; never 0.
const fn handle(thread: usize) -> u64 {
    thread as u64 + 1
}

pub(super) fn create_posix<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    create(machine, turn, call, Some(1), 2)
}

pub(super) fn create_c11<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    create(machine, turn, call, None, 1)
}

/// Models `void __rmc_take(void *object)`: memory that another thread gave to the running one is its own.
pub(super) fn take<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if let Some((object, 0)) = address::split(machine.argument(call, 0)?) {
        machine.take_over(object);
    }
    machine.give(call, 0)
}

/// Models `void __rmc_take_counted(void **place)`: the same for the object to which a word points, if nothing
/// refers to it any more: its first two words count strong and weak references, of which all strong ones
/// together count as a weak one.
pub(super) fn take_counted<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let place = machine.argument(call, 0)?;
    let object = machine.settled_word(place).and_then(|word| address::split(word.bits as u64));
    if let Some((object, 0)) = object {
        let counts = [0, 8].map(|offset| machine.settled_word(object.address(offset)).map(|word| word.bits));
        if counts == [Some(0), Some(1)] {
            machine.take_over(object);
        }
    }
    machine.give(call, 0)
}

/// Creates a thread. Argument number `routine` is the start routine, and the next one is its argument.
fn create<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    attributes: Option<usize>,
    routine: usize,
) -> Performed {
    let (place, function) = (machine.argument(call, 0)?, machine.argument(call, routine)?);
    let argument = machine.running.stack.get(machine.program, call.site.args[routine + 1]);
    let start = address::split(function).filter(|&(_, offset)| offset == 0);
    let start = start.and_then(|(object, _)| machine.program.function_at(object));
    if let Some(external) = start.map(|start| machine.program.function(start)).filter(|start| start.code.is_empty()) {
        return Err(StepEnd::Unsupported(format!("a thread that runs the library function `{}`", external.name)));
    }
    let Some(start) = start else {
        return machine.fault(ViolationKind::InvalidCall, format!("the start routine {function:#x} is no function"));
    };
    if machine.program.function(start).params > 1 {
        return machine.fault(ViolationKind::InvalidCall, "the start routine takes more than one argument");
    }
    let target = machine.target(place, 8, true)?;
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    machine.forget_dangling();
    let attributes = attributes.map_or(Ok(0), |at| machine.attributes(call, at))?;
    let state = if attributes & DETACHED == 0 { ThreadState::Joinable } else { ThreadState::Detached };
    machine.announce_creation(argument);
    let args = [argument];
    let count = machine.program.function(start).params as usize;
    let Some(thread) = machine.start_thread(start, &args[..count], state) else {
        return Err(StepEnd::Limit(Unknown::ThreadLimit));
    };
    machine.thread_created(call.name, thread, start);
    machine.library_store(&target, Bytes::defined(handle(thread).into()));
    machine.give_status(call, 0)
}

/// The thread that a handle names. It is an error if it cannot be joined.
fn joinable(machine: &mut Machine<'_>, call: Call<'_>, handle: u64) -> Result<usize, StepEnd> {
    let thread = usize::try_from(handle).ok().and_then(|handle| handle.checked_sub(1));
    let state = thread.and_then(|thread| machine.memory.table.threads.get(thread).copied());
    match (thread, state) {
        (Some(thread), Some(ThreadState::Joinable)) => Ok(thread),
        // It may be joined, and is like a detached thread here.
        (Some(0), _) => Err(StepEnd::Unsupported(format!("`{}` of the main thread", call.name))),
        (Some(thread), Some(ThreadState::Free | ThreadState::Detached) | None) if handle < 128 => {
            machine.announce_look_at_end(thread);
            let message = format!("`{}` of a thread that is detached or already joined", call.name);
            machine.fault(ViolationKind::JoinTwice, message)
        }
        _ => {
            machine.fault(ViolationKind::InvalidArgument, format!("`{}` of {handle:#x}, which is no thread", call.name))
        }
    }
}

pub(super) fn join<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    join_with(machine, turn, call, WaitMode::Waits)
}

pub(super) fn tryjoin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    join_with(machine, turn, call, WaitMode::GivesUp)
}

pub(super) fn timedjoin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    join_with(machine, turn, call, WaitMode::Until(2))
}

pub(super) fn clockjoin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 2, |machine| join_with(machine, turn, call, WaitMode::Until(3)))
}

fn join_with<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let (wanted, place) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if machine.exchanges() {
        // `main` may wait for threads that are permuted. The engine checks that before each of its steps: see
        // `symmetry/joins.rs`.
        if turn.has_moved() {
            return Ok(Next::Wait);
        }
        let is_plain = machine.running.thread == 0 && wait_mode == WaitMode::Waits && place == 0;
        if !is_plain {
            machine.announce_identity();
        }
    }
    if wanted == handle(machine.running.thread) {
        return machine.fault(ViolationKind::JoinSelf, "a thread waits for its own end");
    }
    let thread = joinable(machine, call, wanted)?;
    // Nobody ends while the section lasts: who waits in it waits for ever.
    if machine.in_section() && !machine.facts.ends_are_seen {
        return Err(StepEnd::EndSeen);
    }
    let waits = wait_mode == WaitMode::Waits && !machine.in_section();
    machine.announce_look_at_end(thread);
    let Some(result) = machine.result_of(thread) else {
        // A thread that does not wait looks at the other thread now, which is a visible operation.
        if wait_mode == WaitMode::Waits || !machine.may_proceed(turn) {
            return Ok(Next::Wait);
        }
        machine.drain()?;
        return machine.not_now(call, wait_mode, false);
    };
    let len = if call.function.is_c11 { 4 } else { 8 };
    let target = if place == 0 { None } else { Some(machine.target(place, len, true)?) };
    let visible = machine.facts.joins_are_seen
        || wait_mode != WaitMode::Waits
        || target.is_some_and(|target| target.region.shared);
    if if visible { !machine.may_proceed(turn) } else { !machine.full_fence(turn) } {
        return Ok(Next::Wait);
    }
    machine.announce_join(thread);
    machine.drain()?;
    if let Some(target) = target {
        let whole = mask(u32::from(target.at.len) * 8);
        if result.is_poison() {
            return machine.undefined_argument(result, format!("the result of thread {thread}"));
        }
        let value = Bytes { bits: (result.bits & whole).into(), undef: (result.undef & whole).into() };
        machine.library_store(&target, value);
    }
    machine.thread_joined(call.name, thread, waits);
    machine.release(thread, true);
    machine.give_status(call, 0)
}

pub(super) fn detach<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let wanted = machine.argument(call, 0)?;
    machine.announce_identity();
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    let thread = joinable(machine, call, wanted)?;
    machine.announce_detachment(call.name, thread);
    if machine.result_of(thread).is_some() {
        machine.release(thread, false);
    } else {
        machine.memory.table.threads[thread] = ThreadState::Detached;
    }
    machine.give_status(call, 0)
}

pub(super) fn exit<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    unwinding::refuse_pads(machine, call)?;
    let result =
        call.site.args.first().map_or(Value::ZERO, |&operand| machine.running.stack.get(machine.program, operand));
    machine.end_thread(turn, result)
}

pub(super) fn identity<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.announce_identity();
    machine.give(call, handle(machine.running.thread))
}

pub(super) fn equal<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let same = machine.argument(call, 0)? == machine.argument(call, 1)?;
    machine.give(call, same.into())
}
