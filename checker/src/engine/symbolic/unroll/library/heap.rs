//! Allocated memory.

use super::{Call, Path, Stop, Unroller, Word};
use crate::engine::symbolic::memory::Initial;
use crate::system::library;

pub(super) fn malloc(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let size = unroller.argument(path, call, 0)?;
    unroller.allocate(path, size, Initial::Undefined)
}

pub(super) fn calloc(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (count, size) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    match (count, size) {
        (Word::Known(count), Word::Known(size)) => {
            unroller.allocate(path, Word::number(count.bits.saturating_mul(size.bits)), Initial::Zero)
        }
        _ => unroller.refuse("an allocation whose size is not known"),
    }
}

pub(super) fn free(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let pointer = unroller.argument(path, call, 0)?;
    unroller.free(path, pointer)?;
    Ok(Word::ZERO)
}

/// Models `__rmc_is_replaced(function)`.
pub(super) fn is_replaced(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    match unroller.argument(path, call, 0)? {
        Word::Known(function) => Ok(Word::number(library::is_replaced(unroller.program, function.bits).into())),
        Word::Term(_) => unroller.refuse("a form of `operator new` that is not known"),
    }
}

impl Unroller<'_> {
    fn allocate(&mut self, path: &mut Path, size: Word, initial: Initial) -> Result<Word, Stop> {
        if self.config.malloc_may_fail {
            return self.refuse("--malloc-may-fail");
        }
        let Word::Known(size) = size else { return self.refuse("an allocation whose size is not known") };
        self.log_silently(path);
        let object = self.make(path, size.bits, initial)?;
        self.objects.allocated(object);
        Ok(Word::number(object.address(0)))
    }
}
