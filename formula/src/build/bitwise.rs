//! Bitwise operators, and the choice between two terms.

use crate::semantics::mask;
use crate::term::{Term, TermId, Terms};

impl Terms {
    /// All bits of `a` inverted.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Not(b) => b,
            // -b = !b + 1
            Term::Neg(b) => self.add_constant(b, u128::MAX),
            Term::Xor(b, constant) if self.as_constant(constant).is_some() => {
                let inverse = self.intern(Term::Not(constant));
                self.intern(Term::Xor(b, inverse))
            }
            _ => self.intern(Term::Not(a)),
        }
    }

    /// Bitwise conjunction.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_constant(b) {
            return self.and_constant(a, value);
        }
        if a == b || self.is_within(a, b) {
            return a;
        }
        if self.is_within(b, a) {
            return b;
        }
        if self.are_disjoint(a, b) || self.are_disjoint(b, a) {
            return self.constant(0, self.width(a));
        }
        self.intern(Term::And(a, b))
    }

    /// Bitwise disjunction.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.and(a, b);
        self.not(both)
    }

    /// Bitwise exclusive disjunction.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(0, width);
        }
        match (self.get(a), self.get(b)) {
            (Term::Not(a), Term::Not(b)) => self.xor(a, b),
            (Term::Not(inner), _) | (_, Term::Not(inner)) => {
                let other = if self.get(a) == Term::Not(inner) { b } else { a };
                let differ = self.xor(inner, other);
                self.not(differ)
            }
            (_, Term::Constant { value: 0, .. }) => a,
            (_, Term::Constant { .. }) if self.is_all_ones(b) => self.not(a),
            (Term::Xor(inner, known), Term::Constant { .. }) if self.as_constant(known).is_some() => {
                let constant = self.xor(known, b);
                self.xor(inner, constant)
            }
            (Term::Xor(p, q), _) if p == b || q == b => {
                if p == b {
                    q
                } else {
                    p
                }
            }
            (_, Term::Xor(p, q)) if p == a || q == a => {
                if p == a {
                    q
                } else {
                    p
                }
            }
            _ => self.intern(Term::Xor(a, b)),
        }
    }

    /// `then` if `condition` is 1, else `other`.
    ///
    /// # Panics
    /// If `condition` has more than 1 bit, or the widths of the others differ.
    pub fn ite(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        assert!(self.width(condition) == 1, "a condition of {} bits", self.width(condition));
        let width = self.common_width(then, other);
        if then == other {
            return then;
        }
        match self.get(condition) {
            Term::Constant { value, .. } => return if value == 1 { then } else { other },
            Term::Not(inverse) => return self.ite(inverse, other, then),
            _ => {}
        }
        // A choice by the same condition inside is decided.
        let then = self.branch(condition, then, true);
        let other = self.branch(condition, other, false);
        if width == 1 { self.ite_boolean(condition, then, other) } else { self.ite_wide(condition, then, other) }
    }

    /// The bits of `a` that are set in `mask`.
    fn and_constant(&mut self, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        if let Term::And(inner, known) = self.get(a)
            && let Some(known) = self.as_constant(known)
        {
            return self.and_constant(inner, known & value);
        }
        if value == 0 || value == mask(width) {
            return if value == 0 { self.constant(0, width) } else { a };
        }
        let (low, bits) = (value.trailing_zeros(), value.count_ones());
        if value >> low == mask(bits) {
            let part = self.extract(a, low, bits);
            let part = self.zero_extend(part, width - low);
            return self.append_zeros(part, low);
        }
        let constant = self.constant(value, width);
        self.intern(Term::And(a, constant))
    }

    /// True if `a` is a conjunction with `b`, or `b` a disjunction with `a`: all bits of `a` are in `b`.
    fn is_within(&self, a: TermId, b: TermId) -> bool {
        if let Term::And(p, q) = self.get(a)
            && (p == b || q == b)
        {
            return true;
        }
        // A disjunction is an inverted conjunction of inverted terms.
        let Term::Not(inner) = self.get(b) else { return false };
        matches!(self.get(inner), Term::And(p, q) if self.are_complements(p, a) || self.are_complements(q, a))
    }

    /// True if `a` is the inversion of `b`, or of a term that has all bits of `b`.
    fn are_disjoint(&self, a: TermId, b: TermId) -> bool {
        if self.are_complements(a, b) {
            return true;
        }
        if let Term::And(p, q) = self.get(a) {
            return self.are_complements(p, b) || self.are_complements(q, b);
        }
        matches!(self.get(a), Term::Not(inner) if self.is_within(b, inner))
    }

    /// The branch that a term is when a condition is known.
    fn branch(&self, condition: TermId, term: TermId, value: bool) -> TermId {
        match self.get(term) {
            Term::Ite(same, then, other) if same == condition => {
                if value {
                    then
                } else {
                    other
                }
            }
            _ => term,
        }
    }

    /// A choice between booleans.
    fn ite_boolean(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        if self.are_complements(then, other) {
            return self.eq(condition, then);
        }
        let inverse = self.not(condition);
        // The condition itself is known in a branch.
        let value_of = |branch, known: u128| match self.as_constant(branch) {
            _ if branch == condition => Some(known),
            _ if branch == inverse => Some(1 - known),
            value => value,
        };
        match (value_of(then, 1), value_of(other, 0)) {
            _ if then == other => then,
            (Some(1), _) => self.or(condition, other),
            (Some(_), _) => self.and(inverse, other),
            (_, Some(1)) => self.or(inverse, then),
            (_, Some(_)) => self.and(condition, then),
            _ => self.intern(Term::Ite(condition, then, other)),
        }
    }

    /// A choice between terms of more than 1 bit.
    fn ite_wide(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        match (self.get(then), self.get(other)) {
            _ if then == other => then,
            // Equal parts do not depend on the condition.
            (Term::Concat(high, a), Term::Concat(same, b)) if high == same => {
                let low = self.ite(condition, a, b);
                self.concat(high, low)
            }
            (Term::Concat(a, low), Term::Concat(b, same)) if low == same => {
                let high = self.ite(condition, a, b);
                self.concat(high, low)
            }
            _ => self.intern(Term::Ite(condition, then, other)),
        }
    }
}
