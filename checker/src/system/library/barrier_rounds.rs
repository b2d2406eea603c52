//! Waiting at a barrier with update events, for the stateless engine. The order of arrivals in a round does
//! not make different executions.
//!
//! A thread arrives, and then waits in another step; so does the last one to arrive. So all arrivals of a
//! round are alike, and the state after the last one does not depend on their order. Events commute as
//! follows (`footprint.rs`):
//!
//! * Two arrivals in the same round commute, unless there is room for only one of them. In that case the
//!   arrival that comes first completes the round, and the other thread is an *outsider* of it. The arrival
//!   that completes a round reads, in its footprint, of each outsider whether it arrives. Two arrivals in
//!   consecutive rounds do not commute.
//! * The departure from a round commutes with arrivals in other rounds, because those add to another round.
//!   Rounds are told apart by their number, which wraps around after 2^16 rounds. Conflicts that are only due
//!   to that are reversed like others.
//! * A departure comes after all arrivals of its round.
//!
//! *The serial thread.* Any thread of a round may be the last to arrive: those that arrived only wait, so the
//! arrival of each can be moved behind those of the others. So any thread may be the serial thread, whatever
//! else happened. It matters only to threads that read the result of the call. If some do, the lowest of them
//! asks, when it leaves, whether it is the serial thread, one of the others that read the result, or none of
//! these. The others that read their result leave after it. Leaving does nothing else, and is possible from
//! the end of the round on, so it may be the first event after it. So N threads that read the result have N
//! executions, or N + 1 if other threads of the round do not read it. There is one execution if no thread
//! reads it.
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
/// The thread waits for the end of its round, and reads the result.
const READS: u64 = 1;
/// The thread's round is complete, and it is the serial thread.
const SERIAL: u64 = 2;
/// The thread's round is complete, and it chooses the serial thread among those that read the result.
const CHOOSES: u64 = 3;
/// Like [`CHOOSES`], but the serial thread may also be one that does not read the result.
const CHOOSES_OR_NONE: u64 = 4;
/// The thread's round is complete, and the thread whose number is added to this value chooses.
const CHOICE_OF: u64 = 1 << 8;

/// The address at which a thread is parked when its round is complete. The barrier may be gone by then.
const NOWHERE: u64 = 0;

/// Phases of a wait: in `ARRIVES` the thread arrives; `IN_ROUND` plus the number of its round is the other
/// phase.
const ARRIVES: u64 = 0;
const IN_ROUND: u64 = 1;

/// The maximal number of barriers with rounds in a state.
const MOST_BARRIERS: usize = 255;

pub(super) fn wait<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    match machine.phase(call) {
        ARRIVES => arrive(machine, turn, call, address),
        phase => leave(machine, call, address, (phase - IN_ROUND) as u16),
    }
}

/// Removes the round at an address before a barrier begins or ends there. No thread may wait there.
pub(super) fn forget(machine: &mut Machine<'_>, address: u64) -> Result<(), StepEnd> {
    machine.announce_look_at_round(address, round(machine, address));
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

/// The number of rounds completed at a barrier, which is the number of the round under way.
fn round(machine: &Machine<'_>, address: u64) -> u16 {
    let known = machine.memory.table.rounds.iter().find(|(at, _)| *at == address);
    known.map_or(0, |&(_, number)| number)
}

fn set_round(machine: &mut Machine<'_>, address: u64, number: u16) -> Result<(), StepEnd> {
    let rounds = &mut machine.memory.table.rounds;
    rounds.retain(|(at, _)| *at != address);
    if number > 0 {
        if rounds.len() == MOST_BARRIERS {
            return Err(StepEnd::Unsupported(format!("more than {MOST_BARRIERS} barriers at which threads met")));
        }
        let place = rounds.partition_point(|(at, _)| *at < address);
        rounds.insert(place, (address, number));
    }
    Ok(())
}

fn arrive<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, address: u64) -> Performed {
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(Next::Wait) };
    let number = round(machine, address);
    let program = machine.program;
    let function = machine.running.stack.top().function;
    let reads = call.site.width > 0 && program.function(function).liveness.is_needed(call.site.dst);
    machine.park_unannounced(address, if reads { READS } else { IGNORES });
    let parked = machine.memory.table.parked.iter();
    let round: Vec<Parked> = parked.filter(|one| one.at == address && waits_for_round(one)).copied().collect();
    let is_last = round.len() as u64 >= found.word >> 32;
    machine.announce_round_arrival(call.name, (!is_last).then_some(round.len() - 1), address, number);
    if is_last {
        complete(machine, address, &round);
        set_round(machine, address, number.wrapping_add(1))?;
    }
    machine.set_phase(turn, call, IN_ROUND + u64::from(number));
    Ok(Next::Wait)
}

/// Completes a round after its last arrival. Threads whose result does not matter may leave, and so may the
/// lowest of the others, which chooses the serial thread.
fn complete(machine: &mut Machine<'_>, address: u64, round: &[Parked]) {
    let takes_part = |thread: usize| round.iter().any(|one| one.thread == thread);
    let threads = 0..machine.memory.table.threads.len();
    let outsiders: Vec<_> = threads.filter(|&thread| !takes_part(thread)).collect();
    machine.announce_round_end(address, &outsiders);
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

/// Lets the thread go on if its round is complete and it was told, or chooses, whether it is the serial
/// thread.
fn leave<'p>(machine: &mut Machine<'p>, call: Call<'p>, address: u64, number: u16) -> Performed {
    machine.announce_departure(address, number);
    let me = machine.running.thread;
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
    machine.announce_on(call, if is_serial { "leaves as the serial thread" } else { "leaves" });
    machine.give(call, if is_serial { SERIAL_THREAD } else { 0 })
}

/// Chooses the serial thread of the running thread's round. True if it is the running thread itself.
fn choose(machine: &mut Machine<'_>, or_none: bool) -> bool {
    let wanted = CHOICE_OF + machine.running.thread as u64;
    let is_other = |one: &Parked| one.at == NOWHERE && one.with == wanted;
    let others: Vec<usize> =
        machine.memory.table.parked.iter().filter(|one| is_other(one)).map(|one| one.thread).collect();
    let answer = machine.choices.ask(ChoiceKind::Schedule, 1 + others.len() + usize::from(or_none));
    machine.announce_serial_choice(&others);
    let chosen = answer.checked_sub(1).and_then(|at| others.get(at).copied());
    let parked = &mut machine.memory.table.parked;
    parked.retain(|one| !is_other(one) || Some(one.thread) == chosen);
    if let Some(one) = parked.iter_mut().find(|one| is_other(one)) {
        one.with = SERIAL;
    }
    answer == 0
}
