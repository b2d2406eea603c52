//! Linux's `membarrier`: a full fence of every thread of the process, which the caller waits for.
//! `libc/threads.c` finds out what `syscall` is asked for.
//!
//! The kernel interrupts the other processors one by one in no promised order, so each thread has its fence
//! in a step of its own. A thread that has no delayed store when the call begins has it then: a later one
//! would only put more stores into the past, which they may be anyway.

use rmc_runtime::Choose;

use super::Call;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// In the phase register: the call has begun. Bit n below: the fence of thread n is still to come.
const BEGUN: u64 = 1 << 63;

pub(super) fn fence_all<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.config.races {
        return Err(StepEnd::Unsupported("`membarrier` with --races: what it orders is not known".to_owned()));
    }
    if machine.config.updates {
        return Err(StepEnd::Unsupported("`membarrier` with the stateless engine".to_owned()));
    }
    machine.mark_asymmetric();
    let phase = machine.phase(call);
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    let waiting = if phase == 0 { with_delayed_stores(machine)? } else { phase & !BEGUN };
    if waiting == 0 {
        machine.observe_call(call.name, "every thread has had a full fence");
        return machine.give(call, 0);
    }
    if phase != 0 {
        let threads: Vec<usize> = (0..63).filter(|thread| waiting >> thread & 1 == 1).collect();
        let thread = threads[machine.script.choose(threads.len())];
        machine.drain_thread(thread);
        machine.observe_call(call.name, format_args!("a full fence of thread {thread}"));
        machine.set_phase(turn, call, BEGUN | (waiting & !(1 << thread)));
    } else {
        machine.observe_call(call.name, "begins");
        machine.set_phase(turn, call, BEGUN | waiting);
    }
    Ok(Next::Wait)
}

/// Bit n: thread n has delayed stores.
fn with_delayed_stores(machine: &Machine<'_>) -> Result<u64, StepEnd> {
    let threads = machine.memory.table.threads.len();
    if threads > 63 {
        return Err(StepEnd::Unsupported("`membarrier` of more than 63 threads".to_owned()));
    }
    Ok((0..threads).filter(|&thread| machine.buffers.has_delayed(thread)).fold(0, |all, thread| all | 1 << thread))
}
