//! Condition variables, exactly as the machine has them: a signal wakes one of the threads that wait at that
//! moment, a broadcast all of them, and nobody wakes without that, unless the time of a wait has come, which
//! may be at any moment.
//!
//! The first two bytes of a condition variable count the threads that wait, the next two the broadcasts. Each
//! thread has a word that says where it waits: the address, and above it the number of broadcasts before. A
//! signal sets such a word to 0, a broadcast makes it out of date.

use rmc_formula::TermId;

use super::waiting::{EINVAL, ETIMEDOUT};
use super::{Call, Path, Stop, Unroller, Update, Word};
use crate::engine::symbolic::unroll::events::Logged;
use crate::engine::symbolic::unroll::objects::Flag;
use crate::ir::instr::Bounds;
use crate::system::library::mutex::Kind;

/// Bytes of each of the two counts.
const COUNT: u32 = 2;
/// Bits of an address.
const ADDRESS: u32 = 48;

pub(super) fn wait(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    wait_until(unroller, path, call, None)
}

pub(super) fn timed_wait(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    wait_until_time(unroller, path, call, 2)
}

pub(super) fn clock_wait(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    wait_until_time(unroller, path, call, 3)
}

/// A wait until the time in an argument, or an error if that is no time. The mutex must be held all the same.
fn wait_until_time(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>, at: usize) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    let is_time = unroller.is_time(path, call, at)?;
    let is_none = unroller.formulas.not(is_time);
    let mut ends = Vec::with_capacity(2);
    let mut without_time = path.clone();
    if unroller.assume(&mut without_time, is_none).is_ok() {
        unroller.check_held(&mut without_time, call)?;
        ends.push((without_time, call.status(EINVAL)));
    }
    if unroller.assume(path, is_time).is_ok() {
        let (times_out, _) = unroller.input(1);
        let comes = unroller.comes(path, call, at)?;
        let times_out = unroller.formulas.terms.and(times_out, comes);
        match wait_until(unroller, path, call, Some(times_out)) {
            Ok(_) => {
                let result = unroller.formulas.choose(times_out, call.status(ETIMEDOUT), Word::ZERO);
                ends.push((path.clone(), result));
            }
            Err(Stop::Dead) => {}
            Err(stop) => return Err(stop),
        }
    }
    let (met, result) = unroller.meet(ends)?;
    *path = met;
    Ok(result)
}

/// Waits, until the time comes if `times_out` says that it does.
fn wait_until(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    times_out: Option<TermId>,
) -> Result<Word, Stop> {
    let (condition, mutex) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    unroller.refuse_kinds(path, mutex)?;
    let place = unroller.park(path, condition, mutex)?;
    if let Some(times_out) = times_out {
        unroller.wake_by_itself(path, condition, place, times_out)?;
    }
    let (waits, owner) = (Flag::Waits.of(unroller.thread), Word::number(unroller.owner()));
    let broadcasts = unroller.broadcasts_of(condition);
    unroller.update(path, &[(waits, 8), (broadcasts, COUNT), (mutex, 4)], |unroller, old| {
        let is_parked = unroller.is_parked(place, old[0], old[1]);
        let is_woken = unroller.formulas.not(is_parked);
        let is_free = unroller.is_number(old[2], 32, 0);
        let enabled = unroller.formulas.and(is_woken, is_free);
        let always = unroller.formulas.terms.boolean(true);
        let update = Update::waiting(&mut unroller.formulas, enabled, always, vec![Word::ZERO, old[1], owner]);
        let Some(_) = times_out else { return Ok(update) };
        // Nobody waits for ever whose time comes.
        let is_held = unroller.formulas.not(is_free);
        let blocked = unroller.formulas.and(is_woken, is_held);
        Ok(Update { blocked, ..update })
    })?;
    Ok(Word::ZERO)
}

/// A thread is guessed that waits, if one does.
pub(super) fn signal(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    let condition = unroller.argument(path, call, 0)?;
    let (number, word) = unroller.input(8);
    unroller.thread_numbers.push(number);
    let waits = unroller.formulas.offset(Flag::Waits.of(0), word, 64, Flag::STRIDE, Bounds::None);
    let broadcasts = unroller.broadcasts_of(condition);
    let place = unroller.place();
    let places = [(condition, COUNT), (broadcasts, COUNT), (waits, 8)];
    let (event, _) = unroller.unlogged_update(path, &places, |unroller, old| {
        let is_none = unroller.is_number(old[0], 8 * COUNT, 0);
        let wakes = unroller.formulas.not(is_none);
        let there = unroller.waiting_word(condition, old[1]);
        let (there, own) = (unroller.formulas.bits(there), unroller.formulas.bits(old[2]));
        let waits_there = unroller.formulas.terms.eq(there, own);
        let enabled = unroller.formulas.terms.or(is_none, waits_there);
        let fewer = unroller.plus(old[0], u64::MAX);
        let update = Update::conditional(&mut unroller.formulas, wakes, vec![fewer, old[1], Word::ZERO]);
        Ok(Update { enabled, ..update })
    })?;
    let condition = unroller.formulas.bits(condition);
    unroller.log(path, place, Logged::Wakeup { event, thread: number, condition });
    Ok(Word::ZERO)
}

pub(super) fn broadcast(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    let condition = unroller.argument(path, call, 0)?;
    let counts = [(condition, COUNT), (unroller.broadcasts_of(condition), COUNT)];
    unroller.update(path, &counts, |unroller, old| {
        let more = unroller.plus(old[1], 1);
        Ok(Update::unconditional(&mut unroller.formulas, vec![Word::ZERO, more]))
    })?;
    Ok(Word::ZERO)
}

impl Unroller<'_> {
    fn refuse_kinds(&mut self, path: &Path, mutex: Word) -> Result<(), Stop> {
        match self.kind(path, mutex)? {
            Kind::Normal => Ok(()),
            _ => self.refuse("waiting with a mutex that is recursive or looks for errors"),
        }
    }

    /// Releases the mutex and begins to wait. The result is the thread's word that says where it waits.
    fn park(&mut self, path: &mut Path, condition: Word, mutex: Word) -> Result<Word, Stop> {
        // One step of the machine: nobody runs between the two events.
        let counts = [(condition, COUNT), (self.broadcasts_of(condition), COUNT)];
        let old = self.update(path, &counts, |unroller, old| {
            let (more, same) = (unroller.plus(old[0], 1), old[1]);
            Ok(Update::unconditional(&mut unroller.formulas, vec![more, same]))
        })?;
        self.glue_last_event();
        let place = self.waiting_word(condition, old[1]);
        let update = Update::unconditional(&mut self.formulas, vec![place, Word::ZERO]);
        let waits = Flag::Waits.of(self.thread);
        let (_, released) = self.unlogged_update(path, &[(waits, 8), (mutex, 4)], |_, _| Ok(update))?;
        let is_held = self.is_number(released[1], 32, self.owner());
        self.demand(path, is_held, false)?;
        Ok(place)
    }

    /// Demands that the mutex of a wait is held.
    fn check_held(&mut self, path: &mut Path, call: Call<'_>) -> Result<(), Stop> {
        let mutex = self.argument(path, call, 1)?;
        self.refuse_kinds(path, mutex)?;
        let old = self.update(path, &[(mutex, 4)], |unroller, _| {
            let always = unroller.formulas.terms.boolean(true);
            Ok(Update::waiting_read(&mut unroller.formulas, always, 1))
        })?;
        let is_held = self.is_number(old[0], 32, self.owner());
        self.demand(path, is_held, false)
    }

    /// Stops waiting where the time comes before anybody wakes the thread.
    fn wake_by_itself(&mut self, path: &mut Path, condition: Word, place: Word, times_out: TermId) -> Result<(), Stop> {
        let is_woken = self.formulas.not(times_out);
        let mut other = path.clone();
        let mut ends = Vec::with_capacity(2);
        if self.assume(path, times_out).is_ok() {
            let waits = Flag::Waits.of(self.thread);
            let broadcasts = self.broadcasts_of(condition);
            let places = [(waits, 8), (broadcasts, COUNT), (condition, COUNT)];
            let event = self.update(path, &places, |unroller, old| {
                let enabled = unroller.is_parked(place, old[0], old[1]);
                let fewer = unroller.plus(old[2], u64::MAX);
                let update = Update::unconditional(&mut unroller.formulas, vec![Word::ZERO, old[1], fewer]);
                Ok(Update { enabled, ..update })
            });
            match event {
                Ok(_) => ends.push((path.clone(), Word::ZERO)),
                Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        if self.assume(&mut other, is_woken).is_ok() {
            ends.push((other, Word::ZERO));
        }
        (*path, _) = self.meet(ends)?;
        Ok(())
    }

    /// A bit: a thread that said in `place` where it waits still waits. `word` is its word now.
    fn is_parked(&mut self, place: Word, word: Word, broadcasts: Word) -> TermId {
        let zero = self.is_number(word, 64, 0);
        let bits = self.formulas.bits(place);
        let before = self.formulas.terms.extract(bits, ADDRESS, 8 * COUNT);
        let now = self.formulas.low(broadcasts, 8 * COUNT);
        let is_later = self.formulas.terms.ne(now, before);
        let is_woken = self.formulas.terms.or(zero, is_later);
        self.formulas.not(is_woken)
    }

    /// Demands that the numbers of threads that were guessed are of threads.
    pub(in super::super) fn bound_thread_numbers(&mut self) {
        let count = self.formulas.terms.constant(self.threads.len() as u128, 8);
        for &number in &self.thread_numbers {
            let is_thread = self.formulas.terms.ult(number, count);
            self.assumptions.push(is_thread);
        }
    }

    fn broadcasts_of(&mut self, condition: Word) -> Word {
        self.formulas.offset(condition, Word::number(COUNT.into()), 64, 1, Bounds::None)
    }

    /// The word of a thread that waits at a condition variable since a number of broadcasts.
    fn waiting_word(&mut self, condition: Word, broadcasts: Word) -> Word {
        let (address, count) = (self.formulas.low(condition, ADDRESS), self.formulas.low(broadcasts, 64 - ADDRESS));
        let bits = self.formulas.terms.concat(count, address);
        self.formulas.defined(bits)
    }

    /// A count and a number, which may be negative.
    fn plus(&mut self, count: Word, number: u64) -> Word {
        let bits: TermId = self.formulas.low(count, 8 * COUNT);
        let number = self.formulas.terms.constant(number.into(), 8 * COUNT);
        let sum = self.formulas.terms.add(bits, number);
        self.formulas.defined(sum)
    }
}
