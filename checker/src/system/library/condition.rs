//! Condition variables of POSIX and C11.
//!
//! An initialised condition variable is all zero, even if threads wait: these are kept in the state
//! (`step/parking.rs`). A wait has parts, told apart by the call's phase: the thread releases the mutex and
//! parks; when another thread has woken it, or its time has come, it takes the mutex again. Each part is one
//! visible operation. The thread that a signal wakes is a choice. A timed wait may time out at any moment,
//! unless its time is one to which no clock comes; no thread wakes up spuriously unless `--spurious-wakeups`
//! is given, and then not from a wait whose time was over when it began (POSIX, `pthread_cond_timedwait`).

use rmc_runtime::Bytes;

use super::Call;
use super::mutex::{self, Mutex};
use super::sync::{Coming, EINVAL, EPERM, ETIMEDOUT, SyncKind};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const KIND: SyncKind = SyncKind {
    name: "condition variable",
    size: 48,
    word: 0,
    len: 8,
    initialised: &[0],
    violation: ViolationKind::UninitialisedSync,
};

/// Phases of a wait.
const BEGINS: u64 = 0;
const PARKED: u64 = 1;
const TIMED_OUT: u64 = 2;
/// Parked, and the time is over.
const PARKED_OVER: u64 = 3;
/// Parked, and the time never comes.
const PARKED_FOR_EVER: u64 = 4;

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some((word, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    if call.site.args.len() > 1 {
        machine.attributes(call, 1)?;
    }
    machine.check_no_waiters(address)?;
    machine.announce_on(call, "");
    machine.library_store(&word, Bytes::defined(0));
    machine.give_status(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.end_object(turn, call, &KIND)
}

pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    wait_until(machine, turn, call, None)
}

pub(super) fn timedwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    wait_until(machine, turn, call, Some(2))
}

pub(super) fn clockwait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 2, |machine| wait_until(machine, turn, call, Some(3)))
}

/// Waits, until the time in argument number `time` if there is one.
fn wait_until<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, time: Option<usize>) -> Performed {
    match machine.phase(call) {
        BEGINS => begin(machine, turn, call, time),
        phase if phase != TIMED_OUT && machine.is_parked() => wake_by_itself(machine, turn, call, time),
        phase => end(machine, turn, call, if phase == TIMED_OUT { ETIMEDOUT } else { 0 }),
    }
}

fn begin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, time: Option<usize>) -> Performed {
    let (address, with) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    let mutex = both(machine, call, address, with)?;
    if !mutex.is_held_by(machine.running.thread) {
        if mutex.checks_errors() {
            return machine.give_status(call, EPERM);
        }
        return machine.fault(ViolationKind::WaitWithoutMutex, mutex.holder());
    }
    let parked = match time {
        None => PARKED,
        Some(at) => match machine.coming(call, at)? {
            None => return machine.give_status(call, EINVAL),
            Some(Coming::AtAnyMoment) => PARKED,
            Some(Coming::Over) => PARKED_OVER,
            Some(Coming::Never) => PARKED_FOR_EVER,
        },
    };
    if let Some(other) = machine.parked_at(address).iter().find(|other| other.with != with) {
        let message = format!("thread {} waits at the same condition variable with another mutex", other.thread);
        return machine.fault(ViolationKind::WaitTwoMutexes, message);
    }
    machine.announce_mutex_release(call.name, "waits and releases the mutex", mutex.place());
    mutex::release(machine, &mutex);
    machine.park(address, with);
    machine.set_phase(turn, call, parked);
    Ok(Next::Wait)
}

/// Checks the condition variable and reads the mutex, in one visible operation.
fn both(machine: &mut Machine<'_>, call: Call<'_>, address: u64, with: u64) -> Result<Mutex, StepEnd> {
    machine.sync_object(&mut VisibleSlot::open(), call, &KIND, address)?;
    let mutex = mutex::read(machine, &mut VisibleSlot::open(), call, with)?;
    Ok(mutex.expect("the turn is open"))
}

/// Lets a thread that nobody has woken go on anyway, if it may.
fn wake_by_itself<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    time: Option<usize>,
) -> Performed {
    let phase = machine.phase(call);
    let spurious = machine.config.spurious_wakeups && phase != PARKED_OVER;
    let time = time.filter(|_| phase != PARKED_FOR_EVER);
    let times_out = time.is_some() && !(spurious && machine.choices.ask(ChoiceKind::Schedule, 2) == 1);
    if !times_out && !spurious {
        return Ok(Next::Wait);
    }
    if let Some(at) = time.filter(|_| times_out) {
        machine.reaches_time_of(call, at)?;
    }
    machine.announce_own_wakeup(call.name, times_out, Some(machine.argument(call, 0)?));
    machine.wake(machine.running.thread);
    machine.set_phase(turn, call, if times_out { TIMED_OUT } else { PARKED });
    Ok(Next::Wait)
}

/// Lets a woken thread take the mutex again.
fn end<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, status: u64) -> Performed {
    let with = machine.argument(call, 1)?;
    let Some(mutex) = mutex::read(machine, turn, call, with)? else { return Ok(Next::Wait) };
    if !mutex.is_free_for(machine.running.thread) {
        return Ok(Next::Wait);
    }
    machine.announce_mutex_taken(call.name, "woken, acquired the mutex", mutex.place(), true);
    mutex::take(machine, &mutex);
    machine.give_status(call, status)
}

pub(super) fn signal<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    if machine.sync_object(turn, call, &KIND, address)?.is_none() {
        return Ok(Next::Wait);
    }
    let waiting = machine.parked_at(address);
    let woken = if waiting.is_empty() {
        None
    } else {
        Some(waiting[machine.choices.ask(ChoiceKind::Schedule, waiting.len())].thread)
    };
    let detail = woken.map_or("nobody waits".to_owned(), |thread| format!("wakes thread {thread}"));
    machine.announce_wakeup(call.name, address, detail);
    if let Some(thread) = woken {
        machine.wake(thread);
    }
    machine.give_status(call, 0)
}

pub(super) fn broadcast<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    if machine.sync_object(turn, call, &KIND, address)?.is_none() {
        return Ok(Next::Wait);
    }
    let waiting = machine.parked_at(address);
    machine.announce_wakeup(call.name, address, format_args!("wakes {} threads", waiting.len()));
    for one in waiting {
        machine.wake(one.thread);
    }
    machine.give_status(call, 0)
}
