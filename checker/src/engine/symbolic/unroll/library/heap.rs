//! Allocated memory.

use super::{Call, Path, Stop, Unroller, Word};
use crate::engine::symbolic::memory::Initial;

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
