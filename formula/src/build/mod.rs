//! The constructors of terms.
//!
//! Each constructor returns a term with the meaning that its doc comment says, simplified by rules that look
//! at the operands and at most at their operands. Constants fold. Operands of commutative operators are
//! ordered: a constant is the second, otherwise the older term is the first. No rule recurses deeper than
//! the width of a term.
//!
//! * `bitwise`: not, and, or, xor, ite,
//! * `arithmetic`: sums, products, quotients,
//! * `parts`: concatenation, extraction, extension, shifts,
//! * `comparison`: equality and orders.
//!
//! Tests: `formula/tests/shapes.rs` lets every rule meet its operands; `formula/tests/random.rs`;
//! `formula/tests/simplification.rs` says what is simplified.

mod arithmetic;
mod bitwise;
mod comparison;
mod parts;

use crate::semantics::mask;
use crate::term::{Term, TermId, Terms};

impl Terms {
    /// The width of two operands.
    ///
    /// # Panics
    /// If their widths differ.
    #[track_caller]
    fn common_width(&self, a: TermId, b: TermId) -> u32 {
        let (width, other) = (self.width(a), self.width(b));
        assert!(width == other, "operands of {width} and {other} bits");
        width
    }

    /// The operands of a commutative operator in canonical order.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |term| (self.as_constant(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// True if the term is the constant with all bits set.
    fn is_all_ones(&self, term: TermId) -> bool {
        self.as_constant(term) == Some(mask(self.width(term)))
    }

    /// True if each term is the inversion of the other.
    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.get(a) == Term::Not(b) || self.get(b) == Term::Not(a)
    }
}
