//! POSIX barriers. Bytes 0 to 3 of a `pthread_barrier_t` mark it as a barrier, bytes 4 to 7 are the number of
//! threads that it holds up. The waiting threads are kept in the state (`step/parking.rs`). The last thread
//! to arrive gets `PTHREAD_BARRIER_SERIAL_THREAD`, as in glibc. Which thread that is depends on the schedule
//! anyway.
//!
//! With update events, where different orders of arrivals would be different executions, all threads that
//! arrive in a round wait for its end, and the serial thread is chosen among them afterwards: see
//! `barrier_rounds.rs`.

use rmc_runtime::Bytes;

use super::sync::{DESTROYED, EINVAL, SyncKind};
use super::{Call, barrier_rounds};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

const BARRIER: u64 = 0x0BA2_21E2;
pub(super) const KIND: SyncKind = SyncKind {
    name: "barrier",
    size: 32,
    word: 0,
    len: 8,
    initialised: &[BARRIER],
    violation: ViolationKind::UninitialisedSync,
};
pub(super) const SERIAL_THREAD: u64 = u64::MAX;

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (address, count) = (machine.argument(call, 0)?, machine.argument(call, 2)?);
    let Some((word, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.attributes(call, 1)?;
    barrier_rounds::forget(machine, address)?;
    if count == 0 {
        return machine.give(call, EINVAL);
    }
    machine.announce_on(call, format_args!("for {count} threads"));
    machine.library_store(&word, Bytes::defined((BARRIER | count << 32).into()));
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    barrier_rounds::forget(machine, address)?;
    machine.announce_on(call, "");
    machine.library_store(&found.target, Bytes::defined(DESTROYED.into()));
    machine.give(call, 0)
}

/// Models the wait at a barrier. In phase 0 the thread arrives. In phase 1 it waits until the last one has
/// arrived.
pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.config.updates {
        return barrier_rounds::wait(machine, turn, call);
    }
    if machine.phase(call) == 1 {
        return if machine.is_parked() { Ok(Next::Wait) } else { machine.give(call, 0) };
    }
    let address = machine.argument(call, 0)?;
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    let waiting = machine.parked_at(address);
    if waiting.len() as u64 + 1 < found.word >> 32 {
        machine.announce_arrival(call.name, address, waiting.len());
        machine.park(address, 0);
        machine.set_phase(turn, call, 1);
        return Ok(Next::Wait);
    }
    machine.announce_last_arrival(call.name, address, &waiting);
    waiting.iter().for_each(|one| machine.wake(one.thread));
    machine.give(call, SERIAL_THREAD)
}
