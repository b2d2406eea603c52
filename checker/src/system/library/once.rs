//! The two halves of `pthread_once` and `call_once`; between them `libc/threads.c` calls the routine. The
//! control word is 0 before, the thread that runs the routine (thread + 1) meanwhile, and `DONE` afterwards.

use rmc_runtime::{Bytes, MemoryOrder};

use super::Call;
use super::sync::SyncKind;
use crate::ir::address::MAX_THREADS;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const KIND: SyncKind = SyncKind { name: "once control", size: 4, word: 0, len: 4, initialised: &[] };
const NEVER: u64 = 0;
const DONE: u64 = 0x0D0E;

fn read(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<(Target, u64)>, StepEnd> {
    let address = machine.argument(call, 0)?;
    let Some((target, word)) = machine.sync_word(turn, &KIND, address)? else { return Ok(None) };
    let bits = word.bits as u64;
    if word.undef != 0 || (bits > MAX_THREADS as u64 && bits != DONE) {
        return machine.not_initialised(call, KIND.name, false);
    }
    Ok(Some((target, bits)))
}

/// Gives 1 to the thread that is to run the routine, 0 to those that come when it has run; others wait.
pub(super) fn begin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some((target, word)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.mark_asymmetric();
    let me = machine.running.thread as u64 + 1;
    match word {
        NEVER => {
            machine.observe_call("once", "runs the routine");
            machine.library_store(&target, Bytes::defined(me.into()));
            machine.give(call, 1)
        }
        DONE => {
            machine.race_acquire(MemoryOrder::Acquire);
            machine.give(call, 0)
        }
        runner if runner == me => machine
            .fault(ViolationKind::Relock, "the routine calls for itself to be run once, and would wait for itself"),
        _ => Ok(Next::Wait),
    }
}

pub(super) fn end<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some((target, _)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.observe_call("once", "the routine has run");
    machine.library_store(&target, Bytes::defined(DONE.into()));
    machine.give(call, 0)
}
