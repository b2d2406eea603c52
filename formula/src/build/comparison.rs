//! Equality and orders.
//!
//! A comparison with a constant has the constant as its second operand: `c < x` is `!(x < c + 1)`. The
//! comparison moves inwards through operators that have an inverse, until it meets another one.

use crate::semantics::{mask, sign_bit, signed};
use crate::term::{Term, TermId, Terms};

impl Terms {
    /// Equality; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.common_width(a, b);
        let (a, b) = self.without_common_operators(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.boolean(true);
        }
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        match self.as_constant(b) {
            Some(value) => self.eq_constant(a, value),
            None => self.eq_variable(a, b),
        }
    }

    /// Inequality; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Less, of unsigned numbers; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if a == b {
            return self.boolean(false);
        }
        if width == 1 {
            let zero = self.not(a);
            return self.and(zero, b);
        }
        if let Some(bound) = self.as_constant(b) {
            return self.ult_constant(a, bound);
        }
        if let Some(value) = self.as_constant(a) {
            return if value == mask(width) { self.boolean(false) } else { self.not_ult_constant(b, value + 1) };
        }
        match (self.get(a), self.get(b)) {
            (Term::Not(a), Term::Not(b)) => self.ult(b, a),
            (Term::Concat(high, a), Term::Concat(same, b)) if high == same => self.ult(a, b),
            (Term::Concat(a, low), Term::Concat(b, same)) if low == same => self.ult(a, b),
            (Term::SignExtend { term: a, .. }, Term::SignExtend { term: b, .. }) if self.width(a) == self.width(b) => {
                self.ult(a, b)
            }
            _ => self.intern(Term::Ult(a, b)),
        }
    }

    /// Less or equal, of unsigned numbers; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.ult(b, a);
        self.not(above)
    }

    /// Less, of numbers in two's complement; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if a == b {
            return self.boolean(false);
        }
        if width == 1 {
            let zero = self.not(b);
            return self.and(a, zero);
        }
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        match (self.as_constant(a_sign), self.as_constant(b_sign)) {
            (Some(first), Some(second)) if first == second => return self.ult(a, b),
            (Some(first), Some(_)) => return self.boolean(first == 1),
            _ => {}
        }
        if let Some(bound) = self.as_constant(b) {
            return self.slt_constant(a, bound);
        }
        if let Some(value) = self.as_constant(a) {
            let greatest = sign_bit(width) - 1;
            return if value == greatest { self.boolean(false) } else { self.not_slt_constant(b, value) };
        }
        match (self.get(a), self.get(b)) {
            (Term::Not(a), Term::Not(b)) => self.slt(b, a),
            (Term::SignExtend { term: a, .. }, Term::SignExtend { term: b, .. }) if self.width(a) == self.width(b) => {
                self.slt(a, b)
            }
            _ => self.intern(Term::Slt(a, b)),
        }
    }

    /// Less or equal, of numbers in two's complement; 1 bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.slt(b, a);
        self.not(above)
    }

    /// Equality with a constant.
    fn eq_constant(&mut self, mut a: TermId, mut value: u128) -> TermId {
        loop {
            let width = self.width(a);
            value &= mask(width);
            let constant_of = |term| self.as_constant(term);
            (a, value) = match self.get(a) {
                Term::Constant { value: known, .. } => return self.boolean(known == value),
                _ if width == 1 => return if value == 1 { a } else { self.not(a) },
                Term::Not(b) => (b, !value),
                Term::Neg(b) => (b, value.wrapping_neg()),
                Term::Add(b, summand) if let Some(summand) = constant_of(summand) => (b, value.wrapping_sub(summand)),
                Term::Xor(b, other) if let Some(other) = constant_of(other) => (b, value ^ other),
                Term::And(_, known)
                    if let Some(known) = constant_of(known)
                        && value & !known != 0 =>
                {
                    return self.boolean(false);
                }
                Term::SignExtend { term, .. } => match Self::without_extension(value, self.width(term), width) {
                    Some(low) => (term, low),
                    None => return self.boolean(false),
                },
                Term::Concat(high, low) => {
                    let high = self.eq_constant(high, value >> self.width(low));
                    let low = self.eq_constant(low, value);
                    return self.and(high, low);
                }
                Term::Ite(condition, then, other) if self.are_constants(then, other) => {
                    let is_value = |term| self.as_constant(term) == Some(value);
                    let (then, other) = (is_value(then), is_value(other));
                    let (then, other) = (self.boolean(then), self.boolean(other));
                    return self.ite(condition, then, other);
                }
                _ => {
                    let constant = self.constant(value, width);
                    return self.intern(Term::Eq(a, constant));
                }
            };
        }
    }

    /// Two terms that are equal if and only if `a` and `b` are: both without an operator that has an inverse
    /// and is applied to both, as often as there is one.
    fn without_common_operators(&self, mut a: TermId, mut b: TermId) -> (TermId, TermId) {
        loop {
            (a, b) = match (self.get(a), self.get(b)) {
                _ if a == b => return (a, b),
                (Term::Not(a), Term::Not(b)) | (Term::Neg(a), Term::Neg(b)) => (a, b),
                (Term::Add(p, q), Term::Add(r, s)) | (Term::Xor(p, q), Term::Xor(r, s)) if p == r => (q, s),
                (Term::Add(p, q), Term::Add(r, s)) | (Term::Xor(p, q), Term::Xor(r, s)) if q == s => (p, r),
                (Term::SignExtend { term: p, .. }, Term::SignExtend { term: r, .. })
                    if self.width(p) == self.width(r) =>
                {
                    (p, r)
                }
                _ => return (a, b),
            }
        }
    }

    /// Equality of two terms of more than 1 bit that are no constants and have no operator in common.
    fn eq_variable(&mut self, a: TermId, b: TermId) -> TermId {
        let is_sum = |sum, of| matches!(self.get(sum), Term::Add(x, y) if x == of && self.as_constant(y).is_some());
        match (self.get(a), self.get(b)) {
            _ if self.are_complements(a, b) || is_sum(a, b) || is_sum(b, a) => self.boolean(false),
            (Term::Concat(p, q), Term::Concat(r, s)) if self.width(q) == self.width(s) => {
                let (high, low) = (self.eq(p, r), self.eq(q, s));
                self.and(high, low)
            }
            _ => self.intern(Term::Eq(a, b)),
        }
    }

    /// `a < bound`, of unsigned numbers.
    fn ult_constant(&mut self, a: TermId, bound: u128) -> TermId {
        let width = self.width(a);
        if width == 1 || bound <= 1 {
            // Nothing is below 0; only 0 is below 1.
            return if bound == 0 { self.boolean(false) } else { self.eq_constant(a, 0) };
        }
        if bound == mask(width) {
            let equal = self.eq_constant(a, bound);
            return self.not(equal);
        }
        if let Term::Concat(high, low) = self.get(a) {
            let split = self.width(low);
            let (high_bound, low_bound) = (bound >> split, bound & mask(split));
            if low_bound == 0 {
                return self.ult_constant(high, high_bound);
            }
            match self.as_constant(high) {
                Some(value) if value == high_bound => return self.ult_constant(low, low_bound),
                Some(value) => return self.boolean(value < high_bound),
                None => {}
            }
        }
        let constant = self.constant(bound, width);
        self.intern(Term::Ult(a, constant))
    }

    /// `a >= bound`, of unsigned numbers.
    fn not_ult_constant(&mut self, a: TermId, bound: u128) -> TermId {
        let below = self.ult_constant(a, bound);
        self.not(below)
    }

    /// `a < bound`, in two's complement, of more than 1 bit.
    fn slt_constant(&mut self, a: TermId, bound: u128) -> TermId {
        let width = self.width(a);
        let least = sign_bit(width);
        if bound == 0 {
            return self.sign(a);
        }
        if bound == least {
            return self.boolean(false);
        }
        if bound == least + 1 {
            return self.eq_constant(a, least);
        }
        if bound == least - 1 {
            let equal = self.eq_constant(a, bound);
            return self.not(equal);
        }
        if let Term::SignExtend { term, .. } = self.get(a) {
            let inner = self.width(term);
            let Some(low) = Self::without_extension(bound, inner, width) else {
                return self.boolean(signed(bound, width) > 0);
            };
            let low = self.constant(low, inner);
            return self.slt(term, low);
        }
        let constant = self.constant(bound, width);
        self.intern(Term::Slt(a, constant))
    }

    /// `value < b`, in two's complement, where `value` is not the greatest number.
    fn not_slt_constant(&mut self, b: TermId, value: u128) -> TermId {
        let next = value.wrapping_add(1) & mask(self.width(b));
        let below = self.slt_constant(b, next);
        self.not(below)
    }
}
