//! POSIX spinlocks. The lower half of the `int` is the holder (thread + 1, 0 for free), the upper half marks
//! it as a spinlock. A thread that spins waits, since the turns of its loop would change nothing.

use rmc_runtime::Bytes;

use super::Call;
use super::sync::{DESTROYED, SyncKind, WaitMode};
use crate::ir::address::MAX_THREADS;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const KIND: SyncKind = SyncKind {
    name: "spinlock",
    size: 4,
    word: 0,
    len: 4,
    initialised: &[],
    violation: ViolationKind::UninitialisedSync,
};
const FREE: u64 = 0x51A0_0000;

/// The lock's memory, and its holder plus one. The result is `None` if the thread waits for its turn.
fn read(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<(Target, u64)>, StepEnd> {
    let address = machine.argument(call, 0)?;
    let Some((target, word)) = machine.sync_word(turn, &KIND, address)? else { return Ok(None) };
    let bits = word.bits as u64;
    match bits.checked_sub(FREE).filter(|&holder| holder <= MAX_THREADS as u64) {
        Some(holder) if word.undef == 0 => Ok(Some((target, holder))),
        _ => machine.not_initialised(call, &KIND, word.undef == 0 && bits == DESTROYED),
    }
}

fn write(machine: &mut Machine<'_>, target: &Target, word: u64) {
    machine.library_store(target, Bytes::defined(word.into()));
}

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some((target, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.announce_on(call, "");
    write(machine, &target, FREE);
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some((target, holder)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if let Some(thread) = holder.checked_sub(1) {
        return machine.fault(ViolationKind::DestroyHeld, format!("thread {thread} holds it"));
    }
    machine.announce_on(call, "");
    write(machine, &target, DESTROYED);
    machine.give(call, 0)
}

pub(super) fn lock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    acquire(machine, turn, call, WaitMode::Waits)
}

pub(super) fn trylock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    acquire(machine, turn, call, WaitMode::GivesUp)
}

fn acquire<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let Some((target, holder)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.announce_identity();
    let me = machine.running.thread as u64 + 1;
    if holder != 0 {
        return machine.not_now(call, wait_mode, holder == me);
    }
    machine.announce_on(call, "acquired");
    write(machine, &target, FREE + me);
    machine.give(call, 0)
}

pub(super) fn unlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some((target, holder)) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if holder != machine.running.thread as u64 + 1 {
        let holder = holder.checked_sub(1).map(|thread| format!("thread {thread} holds it"));
        return machine.fault(ViolationKind::UnlockNotHeld, holder.unwrap_or_else(|| "nobody holds it".to_owned()));
    }
    machine.announce_on(call, "");
    write(machine, &target, FREE);
    machine.give(call, 0)
}
