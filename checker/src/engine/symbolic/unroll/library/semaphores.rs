//! Semaphores: 4 bytes with the value.

use rmc_formula::TermId;

use super::waiting::WaitMode;
use super::{Call, Path, Stop, Unroller, Update, Word};

/// The error code of an attempt that would have to wait.
const EAGAIN: u64 = 11;

pub(super) fn init(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (semaphore, value) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 2)?);
    unroller.set_words(path, &[(semaphore, 4)], vec![value])
}

pub(super) fn wait(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    let semaphore = unroller.argument(path, call, 0)?;
    let failure = match wait_mode {
        WaitMode::GivesUp => Word::number(EAGAIN),
        _ => unroller.failure(path, call, wait_mode)?,
    };
    let old = unroller.update(path, &[(semaphore, 4)], |unroller, old| {
        let is_positive = unroller.is_positive(old[0]);
        let enabled = wait_mode.enabled(unroller, is_positive);
        let fewer = unroller.added(old[0], u128::MAX);
        Ok(Update::waiting(&mut unroller.formulas, enabled, is_positive, vec![fewer]))
    })?;
    let is_positive = unroller.is_positive(old[0]);
    Ok(unroller.formulas.choose(is_positive, Word::ZERO, failure))
}

pub(super) fn post(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let semaphore = unroller.argument(path, call, 0)?;
    unroller.update(path, &[(semaphore, 4)], |unroller, old| {
        let more = unroller.added(old[0], 1);
        Ok(Update::unconditional(&mut unroller.formulas, vec![more]))
    })?;
    Ok(Word::ZERO)
}

/// Writes the value to the place in the second argument, in one step.
pub(super) fn value(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (semaphore, place) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    unroller.update(path, &[(semaphore, 4), (place, 4)], |unroller, old| {
        Ok(Update::unconditional(&mut unroller.formulas, vec![old[0], old[0]]))
    })?;
    Ok(Word::ZERO)
}

impl Unroller<'_> {
    fn is_positive(&mut self, value: Word) -> TermId {
        let is_zero = self.is_number(value, 32, 0);
        self.formulas.not(is_zero)
    }

    fn added(&mut self, value: Word, number: u128) -> Word {
        let (value, number) = (self.formulas.low(value, 32), self.formulas.terms.constant(number, 32));
        let sum = self.formulas.terms.add(value, number);
        self.formulas.defined(sum)
    }
}
