//! Pointers that are accessed in part, or written where no aligned word has them: addresses in disguise
//! ([`crate::interp::disguise`]).

use rmc_runtime::Bytes;

use super::ObjectMemory;
use crate::interp::disguise::{allocated, may_be_address};
use crate::ir::address::ObjectId;

impl ObjectMemory<'_> {
    /// Notes that a part of a word is read.
    #[inline]
    pub(super) fn note_part(&self, word: u64) {
        if may_be_address(word) {
            self.note_pointer(word);
        }
    }

    /// Notes that a value is written so that no aligned word has its first one.
    #[cold]
    pub(super) fn note_misaligned(&self, value: Bytes) {
        [value.bits as u64, (value.bits >> 64) as u64].into_iter().for_each(|word| self.note_part(word));
    }

    #[cold]
    fn note_pointer(&self, word: u64) {
        self.disguised.borrow_mut().extend(allocated(word));
    }

    /// The objects to which such pointers point, since this was called last.
    pub(in crate::system) fn take_disguised(&mut self) -> Vec<ObjectId> {
        std::mem::take(self.disguised.get_mut())
    }
}
