//! The parts of `pthread_once` and `call_once`. Between the last two `libc/threads.c` calls the routine. The
//! control word is 0 before, then the thread that runs the routine (thread + 1), and `DONE` afterwards.
//!
//! Where the routine has run, a call is an acquire load and no fence: POSIX has it synchronise memory only
//! in the first call of a thread, C++ (`thread.once.callonce`) only with the call that ran the routine, and
//! glibc only loads.

use rmc_runtime::{Bytes, MemoryOrder};

use super::Call;
use super::sync::SyncKind;
use crate::ir::address::MAX_THREADS;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const KIND: SyncKind = SyncKind {
    name: "once control",
    size: 4,
    word: 0,
    len: 4,
    initialised: &[],
    violation: ViolationKind::UninitialisedSync,
};
const NEVER: u64 = 0;
const DONE: u64 = 0x0D0E;

fn read(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<(Target, u64)>, StepEnd> {
    let address = machine.argument(call, 0)?;
    let Some((target, word)) = machine.sync_word(turn, &KIND, address)? else { return Ok(None) };
    let bits = word.bits as u64;
    if word.undef != 0 || (bits > MAX_THREADS as u64 && bits != DONE) {
        return machine.not_initialised(call, &KIND, false);
    }
    Ok(Some((target, bits)))
}

/// Returns 1 if the routine has run, else 0.
pub(super) fn has_run<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let target = machine.target(address, KIND.len, false)?;
    let Some(word) = machine.load(turn, &target, MemoryOrder::Acquire)? else { return Ok(Next::Wait) };
    // The call that follows reports a word that is no control.
    let has_run = word.undef == 0 && word.bits as u64 == DONE;
    machine.give(call, has_run.into())
}

/// Begins a call. It returns 1 to the thread that has to run the routine, and 0 to those that come after it
/// has run. Others wait.
pub(super) fn begin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some((target, word)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.announce_identity();
    let me = machine.running.thread as u64 + 1;
    match word {
        NEVER => {
            machine.announce_call("once", "runs the routine");
            machine.library_store(&target, Bytes::defined(me.into()));
            machine.give(call, 1)
        }
        DONE => {
            machine.announce_once_done();
            machine.give(call, 0)
        }
        runner if runner == me => machine
            .fault(ViolationKind::Relock, "the routine calls for itself to be run once, and would wait for itself"),
        _ => Ok(Next::Wait),
    }
}

pub(super) fn end<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    leave(machine, turn, call, "the routine has run", DONE)
}

/// Ends a call whose routine threw an exception: another call runs the routine again.
pub(super) fn undo<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    leave(machine, turn, call, "the routine threw an exception", NEVER)
}

fn leave<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, what: &str, word: u64) -> Performed {
    let Some((target, _)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.announce_call("once", what);
    machine.library_store(&target, Bytes::defined(word.into()));
    machine.give(call, 0)
}
