//! Sums, products and quotients.
//!
//! A sum with a constant has it as its outermost operand, so that constants meet. Terms of 1 bit use the
//! bitwise operators instead: a sum is `xor`, a product is `and`.

use crate::semantics::mask;
use crate::term::{Term, TermId, Terms};

impl Terms {
    /// Two's complement of `a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            _ if self.width(a) == 1 => a,
            Term::Neg(b) => b,
            // -!b = b + 1
            Term::Not(b) => self.add_constant(b, 1),
            Term::Add(b, constant) if self.as_constant(constant).is_some() => {
                let (b, constant) = (self.neg(b), self.neg(constant));
                self.add(b, constant)
            }
            Term::Mul(b, constant) if self.as_constant(constant).is_some() => {
                let constant = self.neg(constant);
                self.mul(b, constant)
            }
            _ => self.intern(Term::Neg(a)),
        }
    }

    /// The sum, modulo 2 to the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        let ((a, first), (b, second)) = (self.split_sum(a), self.split_sum(b));
        let sum = self.add_variable(a, b);
        self.add_constant(sum, first.wrapping_add(second))
    }

    /// The difference, modulo 2 to the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// The product, modulo 2 to the width.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        match self.as_constant(b) {
            Some(factor) => self.mul_constant(a, factor),
            None => self.intern(Term::Mul(a, b)),
        }
    }

    /// The unsigned quotient; all ones if `b` is 0.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        match self.as_constant(b) {
            Some(0) => self.constant(u128::MAX, width),
            Some(divisor) if divisor.is_power_of_two() => self.shift_right(a, divisor.trailing_zeros()),
            _ => self.intern(Term::Udiv(a, b)),
        }
    }

    /// The unsigned remainder; `a` if `b` is 0.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        match self.as_constant(b) {
            Some(0) => a,
            Some(divisor) if divisor.is_power_of_two() => {
                let rest = self.constant(divisor - 1, width);
                self.and(a, rest)
            }
            _ if a == b || self.as_constant(a) == Some(0) => self.constant(0, width),
            _ => self.intern(Term::Urem(a, b)),
        }
    }

    /// The quotient in two's complement, rounded towards 0. If `b` is 0: 1 if `a` is negative, else -1. The
    /// least number divided by -1 is the least number.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let (a, b) = (self.absolute(a), self.absolute(b));
        let quotient = self.udiv(a, b);
        let differ = self.xor(a_sign, b_sign);
        self.neg_if(differ, quotient)
    }

    /// The remainder in two's complement, with the sign of `a`; `a` if `b` is 0.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let sign = self.sign(a);
        let (a, b) = (self.absolute(a), self.absolute(b));
        let remainder = self.urem(a, b);
        self.neg_if(sign, remainder)
    }

    /// The sum with a constant, modulo 2 to the width.
    pub(super) fn add_constant(&mut self, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        let (a, known) = self.split_sum(a);
        let value = value.wrapping_add(known) & mask(width);
        let constant = self.constant(value, width);
        if value == 0 {
            return a;
        }
        if self.as_constant(a) == Some(0) {
            return constant;
        }
        self.intern(Term::Add(a, constant))
    }

    /// A term as a term without a constant summand, and that summand.
    fn split_sum(&mut self, a: TermId) -> (TermId, u128) {
        match self.get(a) {
            Term::Constant { width, value } => (self.constant(0, width), value),
            Term::Add(b, constant) => self.as_constant(constant).map_or((a, 0), |value| (b, value)),
            _ => (a, 0),
        }
    }

    /// The sum of two terms without constant summands.
    fn add_variable(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if self.as_constant(b) == Some(0) {
            return a;
        }
        let is_negation = |x, y| self.get(x) == Term::Neg(y) || self.get(y) == Term::Neg(x);
        match (self.get(a), self.get(b)) {
            _ if is_negation(a, b) => self.constant(0, self.width(a)),
            // (p - b) + b = p
            (Term::Add(p, q), _) if is_negation(p, b) || is_negation(q, b) => {
                if is_negation(p, b) {
                    q
                } else {
                    p
                }
            }
            (_, Term::Add(p, q)) if is_negation(p, a) || is_negation(q, a) => {
                if is_negation(p, a) {
                    q
                } else {
                    p
                }
            }
            _ if a == b => self.mul_constant(a, 2),
            // a + !a = -1
            _ if self.are_complements(a, b) => self.constant(u128::MAX, self.width(a)),
            _ => self.intern(Term::Add(a, b)),
        }
    }

    /// The product with a constant.
    fn mul_constant(&mut self, a: TermId, factor: u128) -> TermId {
        let width = self.width(a);
        let factor = factor & mask(width);
        match self.get(a) {
            _ if factor == 0 => return self.constant(0, width),
            _ if factor == mask(width) => return self.neg(a),
            _ if factor.is_power_of_two() => return self.shift_left(a, factor.trailing_zeros()),
            Term::Mul(b, known) if self.as_constant(known).is_some() => {
                let known = self.as_constant(known).expect("a constant");
                return self.mul_constant(b, known.wrapping_mul(factor));
            }
            Term::Neg(b) => return self.mul_constant(b, factor.wrapping_neg()),
            _ => {}
        }
        let (a, summand) = self.split_sum(a);
        let constant = self.constant(factor, width);
        let product = self.intern(Term::Mul(a, constant));
        self.add_constant(product, summand.wrapping_mul(factor))
    }

    /// The highest bit of `a`.
    pub(super) fn sign(&mut self, a: TermId) -> TermId {
        self.extract(a, self.width(a) - 1, 1)
    }

    /// The absolute value of `a` in two's complement, as an unsigned number.
    fn absolute(&mut self, a: TermId) -> TermId {
        let sign = self.sign(a);
        self.neg_if(sign, a)
    }

    /// `-a` if a condition is 1, else `a`.
    fn neg_if(&mut self, condition: TermId, a: TermId) -> TermId {
        let negated = self.neg(a);
        self.ite(condition, negated, a)
    }
}
