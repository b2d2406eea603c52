//! Waiting at a barrier where stores reach memory by update events, for the stateless engine: no order of
//! arrivals is an execution of its own.
//!
//! A thread arrives, and then waits in another step, as the last one to arrive does, too. So all arrivals of
//! a round are alike, and whatever their order, the state after the last one is the same. Which events
//! commute (`footprint.rs`):
//!
//! * Two arrivals in the same round, unless there is room for one of them only: then whoever arrives
//!   completes the round, and the other is an *outsider* of it. The one that completes a round reads, as it
//!   were, of each thread that is an outsider, whether it arrives. Two arrivals in rounds that follow each
//!   other do not commute.
//! * What leaves after a round, and arrivals in others: those add to another round. Rounds are told apart by
//!   their number. It begins anew after 2^16 rounds; what is then taken for a conflict is reversed like
//!   others.
//! * What leaves comes after all arrivals of its round.
//!
//! *The serial thread.* Any of the threads of a round may be the last to arrive: those that arrived only
//! wait, so the arrival of each can be put behind those of the others. So any may be the serial thread,
//! whatever else happened. It matters only to threads that read the result of the call. If some do, the
//! lowest of them asks which one is the serial thread, or whether it is another one, when it leaves, and the
//! others that read their result leave after it. Leaving does nothing else, and is possible from the end of
//! the round on, so it may be the first thing after it. N threads that read it so have N executions, and one
//! if nobody does.
//!
//! A thread stays parked, as [`Parked::with`](crate::system::state::object_table::Parked) says, until its
//! round is complete and the serial thread is chosen as far as it matters to the thread.

use super::barrier::{KIND, SERIAL_THREAD};
use super::{Call, VisibleSlot};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::state::object_table::Parked;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd};

/// The thread waits for the end of its round, and does not read the result of the call.
const IGNORES: u64 = 0;
/// It waits for the end of its round, and reads the result.
const READS: u64 = 1;
/// Its round is complete, and it is the serial thread.
const SERIAL: u64 = 2;
/// Its round is complete, and it chooses the serial thread among those that read the result.
const CHOOSES: u64 = 3;
/// As [`CHOOSES`], or the serial thread is one that does not read the result.
const CHOOSES_OR_NONE: u64 = 4;
/// Its round is complete, and the thread whose number is added to this chooses.
const CHOICE_OF: u64 = 1 << 8;

/// Where a thread is parked when its round is complete: the barrier may be gone by then.
const NOWHERE: u64 = 0;

/// The phase of a wait in which the thread arrives; what is added to the number of its round is the other.
const ARRIVES: u64 = 0;
const IN_ROUND: u64 = 1;

/// Barriers with rounds that a state can have.
const MOST: usize = 255;

pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    match machine.phase(call) {
        ARRIVES => arrive(machine, turn, call, address),
        phase => leave(machine, call, address, (phase - IN_ROUND) as u16),
    }
}

/// What was at an address before a barrier begins or ends there, at which nobody may wait.
pub(super) fn forget(machine: &mut Machine<'_>, address: u64) -> Result<(), StepEnd> {
    let parked = machine.parked_at(address);
    let waits = |one: &&Parked| !machine.config.updates || waits_for_round(one);
    if let Some(one) = parked.iter().find(waits) {
        return machine.fault(ViolationKind::DestroyWaited, format!("thread {} waits at it", one.thread));
    }
    set_round(machine, address, 0)
}

fn waits_for_round(one: &Parked) -> bool {
    matches!(one.with, IGNORES | READS)
}

/// How many rounds were completed at a barrier: the number of the one under way.
fn round(machine: &Machine<'_>, address: u64) -> u16 {
    let known = machine.memory.table.rounds.iter().find(|(at, _)| *at == address);
    known.map_or(0, |&(_, number)| number)
}

fn set_round(machine: &mut Machine<'_>, address: u64, number: u16) -> Result<(), StepEnd> {
    let rounds = &mut machine.memory.table.rounds;
    rounds.retain(|(at, _)| *at != address);
    if number > 0 {
        if rounds.len() == MOST {
            return Err(StepEnd::Unsupported(format!("more than {MOST} barriers at which threads met")));
        }
        let place = rounds.partition_point(|(at, _)| *at < address);
        rounds.insert(place, (address, number));
    }
    Ok(())
}

fn arrive<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, address: u64) -> Performed {
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    machine.note_act();
    let number = round(machine, address);
    machine.touch_arrival(address, number);
    let program = machine.program;
    let function = machine.running.stack.top().function;
    let reads = call.site.width > 0 && program.function(function).liveness.is_needed(call.site.dst);
    machine.park_untouched(address, if reads { READS } else { IGNORES });
    let parked = machine.memory.table.parked.iter();
    let round: Vec<Parked> = parked.filter(|one| one.at == address && waits_for_round(one)).copied().collect();
    let is_last = round.len() as u64 >= found.word >> 32;
    machine.observe_call(call.name, if is_last { "arrives last".to_owned() } else { arrival(&round) });
    if is_last {
        complete(machine, address, &round);
        set_round(machine, address, number.wrapping_add(1))?;
    }
    machine.set_phase(turn, call, IN_ROUND + u64::from(number));
    Ok(Next::Wait)
}

fn arrival(round: &[Parked]) -> String {
    format!("arrives, {} wait already", round.len() - 1)
}

/// The last thread of a round arrived: those whose result does not matter may leave, and so may the lowest of
/// the others, to choose the serial thread.
fn complete(machine: &mut Machine<'_>, address: u64, round: &[Parked]) {
    let takes_part = |thread: usize| round.iter().any(|one| one.thread == thread);
    let threads = 0..machine.memory.table.threads.len();
    let outsiders: Vec<_> = threads.filter(|&thread| !takes_part(thread)).collect();
    outsiders.into_iter().for_each(|thread| machine.touch_outsider(address, thread));
    let mut readers = round.iter().filter(|one| one.with == READS).map(|one| one.thread);
    let chooser = readers.next();
    let has_others = round.iter().any(|one| one.with == IGNORES);
    let parked = &mut machine.memory.table.parked;
    parked.retain(|one| !takes_part(one.thread) || one.with == READS);
    for one in parked.iter_mut().filter(|one| takes_part(one.thread)) {
        one.at = NOWHERE;
        one.with = match chooser {
            Some(chooser) if chooser != one.thread => CHOICE_OF + chooser as u64,
            _ if has_others => CHOOSES_OR_NONE,
            _ => CHOOSES,
        };
    }
}

/// The thread goes on if its round is complete and it is told, or chooses, whether it is the serial thread.
fn leave<'p>(machine: &mut Machine<'p>, call: Call<'p>, address: u64, number: u16) -> Performed {
    machine.touch_release(address, number);
    let me = machine.running.thread;
    machine.touch_parked(me, false);
    let own = machine.memory.table.parked.iter().find(|one| one.thread == me).copied();
    let is_serial = match own.map(|own| own.with) {
        None => false,
        Some(SERIAL) => true,
        Some(how @ (CHOOSES | CHOOSES_OR_NONE)) => choose(machine, how == CHOOSES_OR_NONE),
        Some(_) => return Ok(Next::Wait),
    };
    if own.is_some() {
        machine.memory.table.parked.retain(|one| one.thread != me);
    }
    machine.observe_call(call.name, if is_serial { "leaves as the serial thread" } else { "leaves" });
    machine.give(call, if is_serial { SERIAL_THREAD } else { 0 })
}

/// The running thread chooses the serial thread of its round: whether it is that itself.
fn choose(machine: &mut Machine<'_>, or_none: bool) -> bool {
    let wanted = CHOICE_OF + machine.running.thread as u64;
    let is_other = |one: &Parked| one.at == NOWHERE && one.with == wanted;
    let others: Vec<usize> =
        machine.memory.table.parked.iter().filter(|one| is_other(one)).map(|one| one.thread).collect();
    let answer = machine.script.ask(ChoiceKind::Schedule, 1 + others.len() + usize::from(or_none));
    others.iter().for_each(|&thread| machine.touch_parked(thread, true));
    let chosen = answer.checked_sub(1).and_then(|at| others.get(at).copied());
    let parked = &mut machine.memory.table.parked;
    parked.retain(|one| !is_other(one) || Some(one.thread) == chosen);
    if let Some(one) = parked.iter_mut().find(|one| is_other(one)) {
        one.with = SERIAL;
    }
    answer == 0
}
