//! POSIX threads: creation, end, join, identity. Each is a full fence.

use rmc_runtime::Bytes;

use super::{Call, Family};
use crate::ir::address;
use crate::ir::value::Value;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::directory::ThreadState;
use crate::system::machine::Machine;
use crate::system::races::records::Carrier;
use crate::system::step::{Next, Performed, StepEnd, Turn};

pub(super) const FAMILY: Family = &[
    ("pthread_create", create),
    ("pthread_join", join),
    ("pthread_detach", detach),
    ("pthread_exit", exit),
    ("pthread_self", identity),
    ("pthread_equal", equal),
    ("sched_yield", give_way),
    ("pthread_yield", give_way),
];

/// What a `pthread_t` of a thread is: never 0.
const fn handle(thread: usize) -> u64 {
    thread as u64 + 1
}

fn create<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let [place, attributes, function] = [0, 1, 2].map(|at| machine.argument(call, at));
    let (place, attributes, function) = (place?, attributes?, function?);
    if attributes != 0 {
        return Err(StepEnd::Unsupported("`pthread_create` with attributes".to_owned()));
    }
    let argument = machine.stack.get(machine.program, call.site.args[3]);
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
    machine.drain();
    machine.publish(argument);
    let args = [argument];
    let count = machine.program.function(start).params as usize;
    let Some(thread) = machine.start_thread(start, &args[..count], ThreadState::Joinable) else {
        return Err(StepEnd::Limit(Unknown::ThreadLimit));
    };
    machine.race_order(Carrier::Thread(machine.current), Carrier::Thread(thread));
    machine.observe_call("pthread_create", format!("thread {thread} runs {}", machine.program.function(start).name));
    machine.library_store(&target, Bytes::defined(handle(thread).into()));
    machine.give(call, 0)
}

/// The thread that a handle names; an error if it cannot be joined.
fn joinable(machine: &Machine<'_>, call: Call<'_>, handle: u64) -> Result<usize, StepEnd> {
    let thread = usize::try_from(handle).ok().and_then(|handle| handle.checked_sub(1));
    let state = thread.and_then(|thread| machine.memory.directory.threads.get(thread));
    match (thread, state) {
        (Some(thread), Some(ThreadState::Joinable)) => Ok(thread),
        (Some(_), Some(ThreadState::Free | ThreadState::Detached) | None) if handle < 128 => {
            let message = format!("`{}` of a thread that is detached or already joined", call.name);
            machine.fault(ViolationKind::JoinTwice, message)
        }
        _ => {
            machine.fault(ViolationKind::InvalidArgument, format!("`{}` of {handle:#x}, which is no thread", call.name))
        }
    }
}

fn join<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let (wanted, place) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if wanted == handle(machine.current) {
        return machine.fault(ViolationKind::JoinSelf, "a thread waits for its own end");
    }
    let thread = joinable(machine, call, wanted)?;
    let Some(result) = machine.result_of(thread) else { return Ok(Next::Wait) };
    let target = if place == 0 { None } else { Some(machine.target(place, 8, true)?) };
    let visible = target.is_some_and(|target| target.region.shared);
    if if visible { !machine.may_proceed(turn) } else { !machine.full_fence(turn) } {
        return Ok(Next::Wait);
    }
    machine.race_order(Carrier::Thread(thread), Carrier::Thread(machine.current));
    if let Some(target) = target {
        machine.drain();
        machine.library_store(&target, Bytes { bits: result.bits.into(), undef: result.undef.into() });
    }
    machine.observe_call("pthread_join", format!("thread {thread}"));
    machine.release(thread);
    machine.give(call, 0)
}

fn detach<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let wanted = machine.argument(call, 0)?;
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain();
    let thread = joinable(machine, call, wanted)?;
    machine.observe_call("pthread_detach", format!("thread {thread}"));
    if machine.result_of(thread).is_some() {
        machine.release(thread);
    } else {
        machine.memory.directory.threads[thread] = ThreadState::Detached;
        machine.touch_directory();
    }
    machine.give(call, 0)
}

fn exit<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let result = call.site.args.first().map_or(Value::ZERO, |&operand| machine.stack.get(machine.program, operand));
    machine.end_thread(turn, result)
}

fn identity<'p>(machine: &mut Machine<'p>, _: &mut Turn, call: Call<'p>) -> Performed {
    machine.give(call, handle(machine.current))
}

fn equal<'p>(machine: &mut Machine<'p>, _: &mut Turn, call: Call<'p>) -> Performed {
    let same = machine.argument(call, 0)? == machine.argument(call, 1)?;
    machine.give(call, same.into())
}

/// A hint to the scheduler, which explores every schedule anyway.
fn give_way<'p>(machine: &mut Machine<'p>, _: &mut Turn, call: Call<'p>) -> Performed {
    machine.give(call, 0)
}
