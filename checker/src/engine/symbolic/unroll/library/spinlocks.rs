//! Spinlocks: 4 bytes with the thread that holds the lock, plus one; 0 if it is free.

use super::waiting::{EBUSY, WaitMode};
use super::{Call, Path, Stop, Unroller, Update, Word};

pub(super) fn lock(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    let lock = unroller.argument(path, call, 0)?;
    let (is_free, _) = unroller.take_owned(path, lock, wait_mode)?;
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
