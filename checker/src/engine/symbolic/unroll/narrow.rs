//! Numbers of few bits (`--width`), as in the source (FMCAD 2016, section VI): inputs, and numbers in memory
//! of at most 32 bits, are those that two's complement has with so many bits.
//!
//! An execution in which another number is stored goes no further, so those that are left are executions of
//! the program. Numbers of which few are possible (`values/`) have few bits anyway, and are not bounded.

use rmc_formula::TermId;

use super::{Path, Stop, Unroller};
use crate::engine::symbolic::values::table::Content;
use crate::engine::symbolic::word::{Formulas, Word};

/// The largest number of bytes that is bounded.
const MOST_BYTES: u32 = 4;

/// The bits of what is in memory at a place, if they are bounded.
pub fn narrowed(width: Option<u32>, content: &Content, len: u32) -> Option<u32> {
    width.filter(|&width| content.values.is_none() && len <= MOST_BYTES && width < 8 * len)
}

impl Formulas {
    /// A new variable of `bits` bits that has a number of `width` bits.
    pub fn narrow_variable(&mut self, bits: u32, width: Option<u32>) -> TermId {
        match width.filter(|&width| width < bits) {
            Some(width) => {
                let variable = self.variable(width);
                self.terms.sign_extend(variable, bits)
            }
            None => self.variable(bits),
        }
    }

    /// Whether a word of `len` bytes is a number of `width` bits: 1 bit.
    pub fn is_narrow(&mut self, word: Word, len: u32, width: u32) -> TermId {
        let whole = self.low(word, 8 * len);
        let low = self.terms.extract(whole, 0, width);
        let extended = self.terms.sign_extend(low, 8 * len);
        self.terms.eq(whole, extended)
    }
}

impl Unroller<'_> {
    /// Whether what is written to a place has few enough bits: 1 bit. `content` is what may be there.
    pub(super) fn fits(&mut self, content: &Content, len: u32, new: Word) -> TermId {
        match narrowed(self.bounds.width, content, len) {
            Some(width) => self.formulas.is_narrow(new, len, width),
            None => self.formulas.terms.boolean(true),
        }
    }

    /// Follows the path only where what it stores has few enough bits.
    ///
    /// # Errors
    /// [`Stop::Dead`]: it never has.
    pub(super) fn assume_narrow(&mut self, path: &mut Path, address: Word, len: u32, new: Word) -> Result<(), Stop> {
        if self.bounds.width.is_none() {
            return Ok(());
        }
        let content = self.readable(path, address, len);
        let fits = self.fits(&content, len, new);
        self.assume(path, fits)
    }
}
