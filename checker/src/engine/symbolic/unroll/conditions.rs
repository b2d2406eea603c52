//! Condition variables, exactly as the machine has them: a signal wakes one of the threads that wait at that
//! moment, a broadcast all of them, and nobody wakes without that.
//!
//! The first two bytes of a condition variable count the threads that wait, the next two the broadcasts. Each
//! thread has a word that says where it waits: the address, and above it the number of broadcasts before. A
//! signal sets such a word to 0, a broadcast makes it out of date.

use rmc_formula::TermId;

use super::access::Update;
use super::events::Logged;
use super::objects::Flag;
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::word::Word;
use crate::ir::instr::{Bounds, LibrarySite};

/// Bytes of each of the two counts.
const COUNT: u32 = 2;
/// Bits of an address.
const ADDRESS: u32 = 48;

impl Unroller<'_> {
    /// `pthread_cond_wait`.
    pub(super) fn wait_condition(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        self.end_beginning(path)?;
        let (condition, mutex) = (self.argument(path, site, 0)?, self.argument(path, site, 1)?);
        let waits = Flag::Waits.of(self.thread);
        let always = self.formulas.terms.boolean(true);
        // One step of the machine: nobody runs between the two events.
        let counts = [(condition, COUNT), (self.broadcasts_of(condition), COUNT)];
        let old = self.update(path, &counts, |unroller, old| {
            let (more, same) = (unroller.plus(old[0], 1), old[1]);
            Ok(Update { enabled: always, stores: always, new: vec![more, same] })
        })?;
        self.glue_last_event();
        let place = self.waiting_word(condition, old[1]);
        let update = Update { enabled: always, stores: always, new: vec![place, Word::ZERO] };
        let (_, released) = self.unlogged_update(path, &[(waits, 8), (mutex, 4)], |_, _| Ok(update))?;
        let is_held = self.is_number(released[1], 32, self.thread as u64 + 1);
        self.demand(path, is_held, false)?;
        let owner = self.owner();
        let broadcasts = self.broadcasts_of(condition);
        self.update(path, &[(waits, 8), (broadcasts, COUNT), (mutex, 4)], |unroller, old| {
            let zero = unroller.is_number(old[0], 64, 0);
            let now = unroller.waiting_word(condition, old[1]);
            let (now, before) = (unroller.formulas.bits(now), unroller.formulas.bits(place));
            let is_later = unroller.formulas.terms.ne(now, before);
            let is_woken = unroller.formulas.terms.or(zero, is_later);
            let is_free = unroller.is_number(old[2], 32, 0);
            let enabled = unroller.formulas.and(is_woken, is_free);
            Ok(Update { enabled, stores: always, new: vec![Word::ZERO, old[1], owner] })
        })?;
        Ok(Word::ZERO)
    }

    /// `pthread_cond_signal`: a thread is guessed that waits, if one does.
    pub(super) fn signal(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        self.end_beginning(path)?;
        let condition = self.argument(path, site, 0)?;
        let (number, word) = self.input(8);
        self.thread_numbers.push(number);
        let waits = self.formulas.offset(Flag::Waits.of(0), word, 64, Flag::STRIDE, Bounds::None);
        let broadcasts = self.broadcasts_of(condition);
        let place = self.place();
        let places = [(condition, COUNT), (broadcasts, COUNT), (waits, 8)];
        let (event, _) = self.unlogged_update(path, &places, |unroller, old| {
            let is_none = unroller.is_number(old[0], 8 * COUNT, 0);
            let wakes = unroller.formulas.not(is_none);
            let there = unroller.waiting_word(condition, old[1]);
            let (there, own) = (unroller.formulas.bits(there), unroller.formulas.bits(old[2]));
            let waits_there = unroller.formulas.terms.eq(there, own);
            let enabled = unroller.formulas.terms.or(is_none, waits_there);
            let fewer = unroller.plus(old[0], u64::MAX);
            Ok(Update { enabled, stores: wakes, new: vec![fewer, old[1], Word::ZERO] })
        })?;
        let condition = self.formulas.bits(condition);
        self.log(path, place, Logged::Wakeup { event, thread: number, condition });
        Ok(Word::ZERO)
    }

    /// `pthread_cond_broadcast`.
    pub(super) fn broadcast(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        self.end_beginning(path)?;
        let condition = self.argument(path, site, 0)?;
        let always = self.formulas.terms.boolean(true);
        let counts = [(condition, COUNT), (self.broadcasts_of(condition), COUNT)];
        self.update(path, &counts, |unroller, old| {
            let more = unroller.plus(old[1], 1);
            Ok(Update { enabled: always, stores: always, new: vec![Word::ZERO, more] })
        })?;
        Ok(Word::ZERO)
    }

    /// Demands that the numbers of threads that were guessed are of threads.
    pub(super) fn bound_thread_numbers(&mut self) {
        let count = self.formulas.terms.constant(self.threads.len() as u128, 8);
        for &number in &self.thread_numbers {
            let is_thread = self.formulas.terms.ult(number, count);
            self.assumptions.push(is_thread);
        }
    }

    fn broadcasts_of(&mut self, condition: Word) -> Word {
        self.formulas.offset(condition, Word::number(COUNT.into()), 64, 1, Bounds::None)
    }

    /// What a thread's word says that waits at a condition variable after so many broadcasts.
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
