//! POSIX semaphores without names. Bytes 0 to 3 of a `sem_t` mark it as a semaphore, bytes 4 to 7 are its
//! value. A waiting thread can take its step when the value is positive, so any of the waiting threads may be
//! first. Posts commute: none depends on the value, as long as it is far from the greatest.
//!
//! Functions that may fail set `errno` in C (`libc/threads.c`), and have private names here.

use rmc_runtime::Bytes;

use super::Call;
use super::sync::{EAGAIN, SyncKind, SyncObject, WaitMode};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const SEMAPHORE: u64 = 0x5E3A_F02E;
const KIND: SyncKind = SyncKind {
    name: "semaphore",
    size: 32,
    word: 0,
    len: 8,
    initialised: &[SEMAPHORE],
    violation: ViolationKind::UninitialisedSync,
};
/// The largest value of a semaphore in glibc.
const SEM_VALUE_MAX: u64 = 0x7FFF_FFFF;

fn find(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<SyncObject>, StepEnd> {
    let address = machine.argument(call, 0)?;
    machine.sync_object(turn, call, &KIND, address)
}

/// The word of a semaphore with this value.
fn word(value: u64) -> Bytes {
    Bytes::defined((SEMAPHORE | value << 32).into())
}

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (address, value) = (machine.argument(call, 0)?, machine.argument(call, 2)?);
    if value > SEM_VALUE_MAX {
        return machine.fault(ViolationKind::InvalidArgument, format!("a semaphore of value {value}"));
    }
    let Some((target, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.announce_on(call, value);
    machine.library_store(&target, word(value));
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.end_object(turn, call, &KIND)
}

pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, WaitMode::Waits)
}

pub(super) fn trywait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, WaitMode::GivesUp)
}

pub(super) fn timedwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, WaitMode::Until(1))
}

pub(super) fn clockwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 1, |machine| take(machine, turn, call, WaitMode::Until(2)))
}

fn take<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    match found.word >> 32 {
        0 if wait_mode == WaitMode::GivesUp => {
            machine.announce_on(call, "the value is 0");
            machine.give(call, EAGAIN)
        }
        0 => machine.not_now(call, wait_mode, false),
        value => {
            machine.announce_on(call, format_args!("{value} -> {}", value - 1));
            machine.library_store(&found.target, word(value - 1));
            machine.give(call, 0)
        }
    }
}

pub(super) fn post<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    let value = found.word >> 32;
    if value == SEM_VALUE_MAX {
        return machine.fault(ViolationKind::InvalidArgument, "the semaphore has its greatest value already");
    }
    machine.announce_on(call, format_args!("{value} -> {}", value + 1));
    if value < SEM_VALUE_MAX / 2 {
        machine.library_count(&found.target, word(value + 1));
    } else {
        machine.library_store(&found.target, word(value + 1));
    }
    machine.give(call, 0)
}

/// Models `sem_getvalue`: stores the value at the address in the second argument. The value is 0 where
/// threads wait.
pub(super) fn value<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let place = machine.target(machine.argument(call, 1)?, 4, true)?;
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.announce_on(call, found.word >> 32);
    machine.library_store(&place, Bytes::defined((found.word >> 32).into()));
    machine.give(call, 0)
}
