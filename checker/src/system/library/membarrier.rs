//! Linux's `membarrier`: a full fence of every thread of the process, for which the caller waits.
//! `libc/threads.c` decodes the arguments of `syscall`.
//!
//! The kernel interrupts the other processors one by one in no promised order, so each thread has its fence
//! in a step of its own. A thread that has no delayed store when the call begins has its fence at that
//! moment: a later fence would only put more stores into the past, which is possible without it, too.

use rmc_runtime::Choose;

use super::Call;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The flag in the phase register that is set when the call has begun. Bit n below it is set while the fence
/// of thread n is still to come.
const BEGUN: u64 = 1 << 63;

pub(super) fn fence_all<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.config.races {
        return Err(StepEnd::Unsupported("`membarrier` with --races: what it orders is not known".to_owned()));
    }
    if machine.config.updates {
        return Err(StepEnd::Unsupported("`membarrier` with the stateless engine".to_owned()));
    }
    if machine.in_section() {
        return Err(StepEnd::Unsupported("`membarrier` in an atomic section".to_owned()));
    }
    machine.announce_identity();
    let phase = machine.phase(call);
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    let waiting = if phase == 0 { with_delayed_stores(machine)? } else { phase & !BEGUN };
    if waiting == 0 {
        machine.announce_call(call.name, "every thread has had a full fence");
        return machine.give(call, 0);
    }
    if phase != 0 {
        let threads: Vec<usize> = (0..63).filter(|thread| waiting >> thread & 1 == 1).collect();
        let thread = threads[machine.choices.choose(threads.len())];
        machine.drain_thread(thread);
        machine.announce_call(call.name, format_args!("a full fence of thread {thread}"));
        machine.set_phase(turn, call, BEGUN | (waiting & !(1 << thread)));
    } else {
        machine.announce_call(call.name, "begins");
        machine.set_phase(turn, call, BEGUN | waiting);
    }
    Ok(Next::Wait)
}

/// A set of threads: bit n is set if thread n has delayed stores.
fn with_delayed_stores(machine: &Machine<'_>) -> Result<u64, StepEnd> {
    let threads = machine.memory.table.threads.len();
    if threads > 63 {
        return Err(StepEnd::Unsupported("`membarrier` of more than 63 threads".to_owned()));
    }
    Ok((0..threads).filter(|&thread| machine.buffers.has_delayed(thread)).fold(0, |all, thread| all | 1 << thread))
}
