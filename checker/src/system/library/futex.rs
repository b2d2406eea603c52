//! Linux's futex. `libc/threads.c` decodes the arguments of `syscall` and calls these models. The waiting
//! threads are kept in the state (`step/parking.rs`). Which of several threads a wake-up reaches is a choice:
//! the kernel promises an order only for threads of equal priority, in the order in which they went to sleep.

use super::Call;
use super::sync::{EAGAIN, ETIMEDOUT};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::state::object_table::Parked;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// Models `__rmc_futex_wait(word, expected, bits, until)`, where `until` is the address of a time, or 0. It
/// returns 0, or an error code: `EAGAIN` if the word has another value, or `ETIMEDOUT`. In phase 0 the word
/// is compared; in phase 1 the thread waits to be woken.
pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.phase(call) == 1 {
        return goes_on(machine, call);
    }
    let [address, expected, bits] = [0, 1, 2].map(|at| machine.argument(call, at));
    let (address, expected, bits) = (address?, expected?, bits?);
    let target = machine.target(address, 4, false)?;
    machine.announce_futex(address);
    let Some(found) = machine.atomic_load(turn, &target)? else { return Ok(Next::Wait) };
    let found = machine.known_bytes(found, 4)?;
    if found.undef != 0 {
        return machine
            .fault(ViolationKind::UninitialisedArgument, "a futex waits for an uninitialised word to change");
    }
    if found.bits as u64 != expected {
        machine.announce_on(call, "the word is another one");
        return machine.give(call, EAGAIN);
    }
    machine.announce_on(call, "waits");
    machine.park(address, bits);
    machine.set_phase(turn, call, 1);
    Ok(Next::Wait)
}

fn goes_on<'p>(machine: &mut Machine<'p>, call: Call<'p>) -> Performed {
    let timed = machine.argument(call, 3)? != 0;
    let spurious = machine.config.spurious_wakeups;
    if !machine.is_parked() {
        machine.announce_on(call, "woken");
        return machine.give(call, 0);
    }
    if !timed && !spurious {
        return Ok(Next::Wait);
    }
    let times_out = timed && !(spurious && machine.choices.ask(ChoiceKind::Schedule, 2) == 1);
    if times_out {
        machine.reaches_time_of(call, 3)?;
    }
    machine.announce_own_wakeup(call.name, times_out, None);
    machine.wake(machine.running.thread);
    machine.give(call, if times_out { ETIMEDOUT } else { 0 })
}

/// Models `__rmc_futex_wake(word, most, bits)`, which returns the number of threads that it woke.
pub(super) fn wake<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [address, most, bits] = [0, 1, 2].map(|at| machine.argument(call, at));
    let (address, most, bits) = (address?, most?, bits?);
    machine.announce_futex(address);
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    let waiting: Vec<_> = machine.parked_at(address).into_iter().filter(|one| one.with & bits != 0).collect();
    let woken = choose(machine, &waiting, usize::try_from(most).unwrap_or(usize::MAX));
    machine.announce_wakeup(call.name, address, format_args!("wakes {} threads", woken.len()));
    woken.iter().for_each(|one| machine.wake(one.thread));
    machine.give(call, woken.len() as u64)
}

/// Models `__rmc_futex_requeue(word, most, moved, other, compares, expected)`. It wakes `most` of the threads
/// that wait at `word` and makes up to `moved` of the others wait at `other`. It returns the number of these
/// threads, or -1 if it compares and the word has not the expected value.
///
/// Linux returns the number of woken and moved threads for both operations (`kernel/futex/requeue.c`). By the
/// manual (futex(2)) `FUTEX_REQUEUE` returns only the number of those it woke. Both are explored.
pub(super) fn requeue<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [address, most, moved, other, compares, expected] = [0, 1, 2, 3, 4, 5].map(|at| machine.argument(call, at));
    let (address, most, moved, other) = (address?, most?, moved?, other?);
    let compares = compares? != 0;
    let target = machine.target(address, 4, false)?;
    machine.target(other, 4, false)?;
    machine.announce_futex(address);
    machine.announce_futex(other);
    if compares {
        let Some(found) = machine.atomic_load(turn, &target)? else { return Ok(Next::Wait) };
        let found = machine.known_bytes(found, 4)?;
        if found.undef != 0 {
            return machine.fault(ViolationKind::UninitialisedArgument, "a futex compares an uninitialised word");
        }
        if found.bits as u64 != expected? {
            machine.announce_on(call, "the word is another one");
            return machine.give(call, u64::MAX);
        }
    } else if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    } else {
        machine.drain()?;
    }
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let waiting = machine.parked_at(address);
    let woken = choose(machine, &waiting, number(most));
    let left: Vec<_> = waiting.into_iter().filter(|one| woken.iter().all(|it| it.thread != one.thread)).collect();
    let moves = choose(machine, &left, number(moved));
    machine.announce_wakeup(call.name, address, format_args!("wakes {} threads, moves {}", woken.len(), moves.len()));
    woken.iter().for_each(|one| machine.wake(one.thread));
    moves.iter().for_each(|one| machine.park_elsewhere(one.thread, other));
    let counts_moved = compares || moves.is_empty() || machine.choices.ask(ChoiceKind::Schedule, 2) == 0;
    machine.give(call, (woken.len() + if counts_moved { moves.len() } else { 0 }) as u64)
}

/// Chooses any `most` of the waiting threads. Each selection is explored once.
fn choose(machine: &mut Machine<'_>, waiting: &[Parked], most: usize) -> Vec<Parked> {
    let (mut left, mut chosen) = (waiting, Vec::new());
    while chosen.len() < most && !left.is_empty() {
        let needed = (most - chosen.len()).min(left.len());
        let at = machine.choices.ask(ChoiceKind::Schedule, left.len() - needed + 1);
        chosen.push(left[at]);
        left = &left[at + 1..];
    }
    chosen
}

/// Refuses `__rmc_syscall(number, operation)`, a system call that is not modelled, or an operation of one.
pub(super) fn system_call<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    const FUTEX: u64 = 202;
    let (number, operation) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    Err(StepEnd::Unsupported(match number {
        FUTEX => format!(
            "futex operation {operation} (FUTEX_WAIT, WAKE, their _BITSET, REQUEUE and CMP_REQUEUE are modelled)"
        ),
        number => format!("system call number {number}"),
    }))
}
