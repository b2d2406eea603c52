//! POSIX barriers. Bytes 0 to 3 of a `pthread_barrier_t` say that it is one, 4 to 7 how many threads it holds
//! up; who waits is kept in the state (`step/parking.rs`). The last thread to arrive is the
//! one that gets `PTHREAD_BARRIER_SERIAL_THREAD`, as in glibc: which one that is depends on the schedule
//! anyway.
//!
//! With update events, where orders of arrivals are executions of their own, all that arrive in a round wait
//! for its end, and the serial thread is chosen among them afterwards: see `barrier_rounds.rs`.

use rmc_runtime::Bytes;

use super::sync::{DESTROYED, EINVAL, SyncKind};
use super::{Call, barrier_rounds};
use crate::system::analyses::races::records::Carrier;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

const BARRIER: u64 = 0x0BA2_21E2;
pub(super) const KIND: SyncKind = SyncKind { name: "barrier", size: 32, word: 0, len: 8, initialised: &[BARRIER] };
pub(super) const SERIAL_THREAD: u64 = u64::MAX;

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (address, count) = (machine.argument(call, 0)?, machine.argument(call, 2)?);
    let Some((word, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.attributes(call, 1)?;
    barrier_rounds::forget(machine, address)?;
    if count == 0 {
        return machine.give(call, EINVAL);
    }
    machine.observe_call(call.name, format_args!("for {count} threads"));
    machine.library_store(&word, Bytes::defined((BARRIER | count << 32).into()));
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    barrier_rounds::forget(machine, address)?;
    machine.observe_call(call.name, "");
    machine.library_store(&found.target, Bytes::defined(DESTROYED.into()));
    machine.give(call, 0)
}

/// In phase 0 the thread arrives; in phase 1 it waits until the last one has.
pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.config.updates {
        return barrier_rounds::wait(machine, turn, call);
    }
    if machine.phase(call) == 1 {
        return if machine.is_parked() { Ok(Next::Wait) } else { machine.give(call, 0) };
    }
    let address = machine.argument(call, 0)?;
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    machine.note_act();
    let waiting = machine.parked_at(address);
    if waiting.len() as u64 + 1 < found.word >> 32 {
        machine.observe_call(call.name, format_args!("arrives, {} wait already", waiting.len()));
        machine.park(address, 0);
        machine.set_phase(turn, call, 1);
        return Ok(Next::Wait);
    }
    machine.observe_call(call.name, "arrives last");
    let me = Carrier::Thread(machine.running.thread);
    waiting.iter().for_each(|one| machine.race_order(Carrier::Thread(one.thread), me));
    for one in waiting {
        machine.race_order(me, Carrier::Thread(one.thread));
        machine.wake(one.thread);
    }
    machine.give(call, SERIAL_THREAD)
}
