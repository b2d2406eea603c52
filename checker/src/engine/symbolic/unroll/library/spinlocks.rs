//! Spinlocks: 4 bytes with the thread that holds the lock, plus one; 0 if it is free.

use super::waiting::{EBUSY, WaitMode};
use super::{Call, Path, Stop, Unroller, Update, Word};

pub(super) fn lock(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    acquire(unroller, path, call, WaitMode::Waits)
}

pub(super) fn try_lock(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    acquire(unroller, path, call, WaitMode::GivesUp)
}

fn acquire(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>, wait_mode: WaitMode) -> Result<Word, Stop> {
    let (lock, owner) = (unroller.argument(path, call, 0)?, unroller.owner());
    let old = unroller.update(path, &[(lock, 4)], |unroller, old| {
        let is_free = unroller.is_number(old[0], 32, 0);
        // A thread that holds the lock itself does not wait, which is a violation.
        let own = unroller.is_number(old[0], 32, owner);
        let goes_on = unroller.formulas.terms.or(is_free, own);
        let enabled = wait_mode.enabled(unroller, goes_on);
        Ok(Update::waiting(&mut unroller.formulas, enabled, is_free, vec![Word::number(owner)]))
    })?;
    let is_free = unroller.is_number(old[0], 32, 0);
    if wait_mode == WaitMode::Waits {
        unroller.demand(path, is_free, false)?;
    }
    Ok(unroller.formulas.choose(is_free, Word::ZERO, Word::number(EBUSY)))
}

pub(super) fn unlock(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (lock, owner) = (unroller.argument(path, call, 0)?, unroller.owner());
    let update = Update::unconditional(&mut unroller.formulas, vec![Word::ZERO]);
    let old = unroller.update(path, &[(lock, 4)], |_, _| Ok(update))?;
    let is_held = unroller.is_number(old[0], 32, owner);
    unroller.demand(path, is_held, false)?;
    Ok(Word::ZERO)
}
