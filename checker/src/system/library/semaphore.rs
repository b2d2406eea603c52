//! POSIX semaphores without names. Bytes 0 to 3 of a `sem_t` say that it is one, 4 to 7 are its value. A
//! thread that waits can take its step when the value is positive, so any of those that wait may be first.
//! Posts commute: none looks at the value, far from the greatest.
//!
//! Functions that may fail set `errno` in C (`libc/threads.c`), and are here under private names.

use rmc_runtime::Bytes;

use super::Call;
use super::sync::{EAGAIN, Patience, SyncKind, SyncObject};
use crate::outcome::ViolationKind;
use crate::system::Commuting;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const SEMAPHORE: u64 = 0x5E3A_F02E;
const KIND: SyncKind = SyncKind { name: "semaphore", size: 32, word: 0, len: 8, initialised: &[SEMAPHORE] };
/// `SEM_VALUE_MAX`.
const MOST: u64 = 0x7FFF_FFFF;

fn find(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<SyncObject>, StepEnd> {
    let address = machine.argument(call, 0)?;
    machine.sync_object(turn, call, &KIND, address)
}

fn set(machine: &mut Machine<'_>, found: &SyncObject, value: u64) {
    machine.library_store(&found.target, Bytes::defined((SEMAPHORE | value << 32).into()));
}

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (address, value) = (machine.argument(call, 0)?, machine.argument(call, 2)?);
    if value > MOST {
        return machine.fault(ViolationKind::InvalidArgument, format!("a semaphore of value {value}"));
    }
    let Some((target, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.observe_call(call.name, value);
    set(machine, &SyncObject { target, word: 0 }, value);
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.end_object(turn, call, &KIND)
}

pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, Patience::Waits)
}

pub(super) fn trywait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, Patience::GivesUp)
}

pub(super) fn timedwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, Patience::Until(1))
}

pub(super) fn clockwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    take(machine, turn, call, Patience::Until(2))
}

fn take<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, patience: Patience) -> Performed {
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    match found.word >> 32 {
        0 if patience == Patience::GivesUp => {
            machine.observe_call(call.name, "the value is 0");
            machine.give(call, EAGAIN)
        }
        0 => machine.not_now(call, patience, false),
        value => {
            machine.observe_call(call.name, format_args!("{value} -> {}", value - 1));
            set(machine, &found, value - 1);
            machine.give(call, 0)
        }
    }
}

pub(super) fn post<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    let value = found.word >> 32;
    if value == MOST {
        return machine.fault(ViolationKind::InvalidArgument, "the semaphore has its greatest value already");
    }
    machine.observe_call(call.name, format_args!("{value} -> {}", value + 1));
    set(machine, &found, value + 1);
    if value < MOST / 2 {
        machine.combine_with(found.target.at, Commuting::Count);
    }
    machine.give(call, 0)
}

/// The value, or 0 where threads wait, is stored where the second argument says.
pub(super) fn value<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let place = machine.target(machine.argument(call, 1)?, 4, true)?;
    let Some(found) = find(machine, turn, call)? else { return Ok(Next::Wait) };
    machine.observe_call(call.name, found.word >> 32);
    machine.library_store(&place, Bytes::defined((found.word >> 32).into()));
    machine.give(call, 0)
}
