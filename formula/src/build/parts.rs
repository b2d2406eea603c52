//! Concatenation, extraction, extension, and shifts.
//!
//! A concatenation is a list: its first operand is no concatenation. Neighbours that are constants, or
//! adjacent parts of one term, are one. So a number that is cut into bytes and put together again is the
//! number. Shifts by constants are concatenations.

use crate::semantics::{mask, sign_bit};
use crate::term::{Term, TermId, Terms};

impl Terms {
    /// The bits of `high` above those of `low`. The width is the sum of their widths.
    ///
    /// # Panics
    /// If the result has more than [`MAX_WIDTH`](crate::MAX_WIDTH) bits.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        if let Term::Concat(first, second) = self.get(high) {
            let low = self.concat(second, low);
            return self.concat(first, low);
        }
        if let Some(joined) = self.join(high, low) {
            return joined;
        }
        if let Term::Concat(middle, rest) = self.get(low)
            && let Some(joined) = self.join(high, middle)
        {
            return self.concat(joined, rest);
        }
        self.intern(Term::Concat(high, low))
    }

    /// `width` bits of `a`, from bit `low` upwards; bit 0 is the lowest.
    ///
    /// # Panics
    /// If `width` is 0 or `a` has fewer than `low + width` bits.
    pub fn extract(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        let whole = self.width(a);
        assert!(width > 0 && low < whole && width <= whole - low, "bits {low}, {width} upwards, of {whole}");
        if width == whole {
            return a;
        }
        match self.get(a) {
            Term::Extract { term, low: below, .. } => self.extract(term, below + low, width),
            Term::Not(b) => {
                let part = self.extract(b, low, width);
                self.not(part)
            }
            Term::Concat(first, second) => self.extract_of_list(first, second, low, width),
            Term::SignExtend { term, .. } => self.extract_of_extended(term, low, width),
            Term::Ite(condition, then, other) if self.are_constants(then, other) => {
                let (then, other) = (self.extract(then, low, width), self.extract(other, low, width));
                self.ite(condition, then, other)
            }
            _ => self.intern(Term::Extract { term: a, low, width }),
        }
    }

    /// `a` with zeros above it.
    ///
    /// # Panics
    /// If `width` is below the width of `a` or above [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        let old = self.width(a);
        assert!(width >= old, "{old} bits extended to {width}");
        if width == old {
            return a;
        }
        let zeros = self.constant(0, width - old);
        self.concat(zeros, a)
    }

    /// `a` with its highest bit repeated above it.
    ///
    /// # Panics
    /// If `width` is below the width of `a` or above [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub fn sign_extend(&mut self, a: TermId, width: u32) -> TermId {
        let old = self.width(a);
        assert!(width >= old, "{old} bits extended to {width}");
        if width == old {
            return a;
        }
        if let Term::SignExtend { term, .. } = self.get(a) {
            return self.sign_extend(term, width);
        }
        let sign = self.sign(a);
        match self.as_constant(sign) {
            Some(0) => self.zero_extend(a, width),
            Some(_) => {
                let ones = self.constant(u128::MAX, width - old);
                self.concat(ones, a)
            }
            None => self.intern(Term::SignExtend { term: a, width }),
        }
    }

    /// `a` shifted left by `amount`; 0 if that is not below the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn shl(&mut self, a: TermId, amount: TermId) -> TermId {
        self.common_width(a, amount);
        match self.shift_amount(amount) {
            Some(amount) => self.shift_left(a, amount),
            None if self.as_constant(a) == Some(0) => a,
            None => self.intern(Term::Shl(a, amount)),
        }
    }

    /// `a` shifted right by `amount`, filled with zeros; 0 if `amount` is not below the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.common_width(a, amount);
        match self.shift_amount(amount) {
            Some(amount) => self.shift_right(a, amount),
            None if self.as_constant(a) == Some(0) => a,
            None => self.intern(Term::Lshr(a, amount)),
        }
    }

    /// `a` shifted right by `amount`, filled with its highest bit, also if `amount` is not below the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.common_width(a, amount);
        match self.shift_amount(amount) {
            Some(amount) => {
                let amount = amount.min(width - 1);
                let part = self.extract(a, amount, width - amount);
                self.sign_extend(part, width)
            }
            None if self.as_constant(a) == Some(0) || self.is_all_ones(a) => a,
            None => self.intern(Term::Ashr(a, amount)),
        }
    }

    /// `a` shifted left by a known amount.
    pub(super) fn shift_left(&mut self, a: TermId, amount: u32) -> TermId {
        let width = self.width(a);
        if amount >= width {
            return self.constant(0, width);
        }
        let part = self.extract(a, 0, width - amount);
        self.append_zeros(part, amount)
    }

    /// `a` shifted right by a known amount, filled with zeros.
    pub(super) fn shift_right(&mut self, a: TermId, amount: u32) -> TermId {
        let width = self.width(a);
        if amount >= width {
            return self.constant(0, width);
        }
        let part = self.extract(a, amount, width - amount);
        self.zero_extend(part, width)
    }

    /// `a` with some zeros below it.
    pub(super) fn append_zeros(&mut self, a: TermId, zeros: u32) -> TermId {
        if zeros == 0 {
            return a;
        }
        let zeros = self.constant(0, zeros);
        self.concat(a, zeros)
    }

    /// True if both terms are constants.
    pub(super) fn are_constants(&self, a: TermId, b: TermId) -> bool {
        self.as_constant(a).is_some() && self.as_constant(b).is_some()
    }

    /// The amount of a shift that is known, at most the width.
    fn shift_amount(&self, amount: TermId) -> Option<u32> {
        let width = self.width(amount);
        let limit = |value| u32::try_from(value).map_or(width, |value| value.min(width));
        self.as_constant(amount).map(limit)
    }

    /// Two neighbours as one term: constants, and adjacent parts of one term.
    fn join(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if self.are_constants(high, low) {
            return Some(self.intern(Term::Concat(high, low)));
        }
        let Term::Extract { term, low: start, width } = self.get(high) else { return None };
        match self.get(low) {
            Term::Extract { term: same, low: below, width: lower } if same == term && below + lower == start => {
                Some(self.extract(term, below, lower + width))
            }
            _ => None,
        }
    }

    /// Some bits of the concatenation of two terms.
    fn extract_of_list(&mut self, first: TermId, second: TermId, low: u32, width: u32) -> TermId {
        let split = self.width(second);
        if low >= split {
            return self.extract(first, low - split, width);
        }
        if low + width <= split {
            return self.extract(second, low, width);
        }
        let high = self.extract(first, 0, low + width - split);
        let low = self.extract(second, low, split - low);
        self.concat(high, low)
    }

    /// Some bits of a term that is extended with its sign.
    fn extract_of_extended(&mut self, term: TermId, low: u32, width: u32) -> TermId {
        let inner = self.width(term);
        if low + width <= inner {
            return self.extract(term, low, width);
        }
        let low = low.min(inner - 1);
        let part = self.extract(term, low, inner - low);
        self.sign_extend(part, width)
    }

    /// The lowest `inner` bits of `value`, if `value` of `width` bits is their extension with the sign.
    pub(super) fn without_extension(value: u128, inner: u32, width: u32) -> Option<u128> {
        let low = value & mask(inner);
        let above = mask(width) & !mask(inner);
        let sign = if low & sign_bit(inner) == 0 { 0 } else { above };
        (value & above == sign).then_some(low)
    }
}
