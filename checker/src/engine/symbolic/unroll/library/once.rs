//! The parts of `pthread_once` and `call_once`; the support library calls the routine between the last two.
//! The control word is 0 before, then the thread that runs the routine, plus one, and [`DONE`] afterwards.

use super::{Call, Path, Stop, Unroller, Update, Word};

const DONE: u64 = 0x0D0E;

/// The result is 1 if the routine has run.
pub(super) fn has_run(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let control = unroller.argument(path, call, 0)?;
    let word = unroller.load(path, control, 4)?;
    let is_done = unroller.is_number(word, 32, DONE);
    Ok(unroller.formulas.choose(is_done, Word::number(1), Word::ZERO))
}

/// The result is 1 for the thread that has to run the routine.
pub(super) fn begin(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (control, owner) = (unroller.argument(path, call, 0)?, unroller.owner());
    let old = unroller.update(path, &[(control, 4)], |unroller, old| {
        let is_first = unroller.is_number(old[0], 32, 0);
        let [is_done, own] = [DONE, owner].map(|number| unroller.is_number(old[0], 32, number));
        // A routine that calls for itself does not wait, which is a violation.
        let goes_on = unroller.formulas.terms.or(is_done, own);
        let enabled = unroller.formulas.terms.or(is_first, goes_on);
        Ok(Update::waiting(&mut unroller.formulas, enabled, is_first, vec![Word::number(owner)]))
    })?;
    let own = unroller.is_number(old[0], 32, owner);
    let is_other = unroller.formulas.not(own);
    unroller.demand(path, is_other, false)?;
    let is_first = unroller.is_number(old[0], 32, 0);
    Ok(unroller.formulas.choose(is_first, Word::number(1), Word::ZERO))
}

pub(super) fn end(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let control = unroller.argument(path, call, 0)?;
    unroller.set_words(path, &[(control, 4)], vec![Word::number(DONE)])
}
