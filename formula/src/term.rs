//! The arena of terms.
//!
//! A term is made once: the arena returns the old id for a term that is there. The operands of a term have
//! smaller ids than the term, so the ids are a topological order and no traversal needs recursion.
//!
//! The kinds of [`Term`] are a kernel. The constructors of `build` express the other operators with them:
//! `or` with `And` and `Not`, `sub` with `Add` and `Neg`, `zero_extend` with `Concat`, signed division with
//! unsigned division.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::semantics;

/// The greatest width of a term in bits. Twice the width of C's integers lets a caller express the overflow
/// of a 64-bit product.
pub const MAX_WIDTH: u32 = 128;

/// A term of the arena that made it. Ids of different arenas must not be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);

/// A kind of term with its operands. Booleans are terms of 1 bit. Unless something else is said, operands
/// and results have one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A number.
    Constant {
        /// The width in bits.
        width: u32,
        /// The value; bits above the width are 0.
        value: u128,
    },
    /// An unknown number.
    Variable {
        /// The width in bits.
        width: u32,
        /// The name of the variable.
        number: u32,
    },
    /// All bits inverted.
    Not(TermId),
    /// Bitwise conjunction.
    And(TermId, TermId),
    /// Bitwise exclusive disjunction.
    Xor(TermId, TermId),
    /// Two's complement.
    Neg(TermId),
    /// The sum, modulo 2 to the width.
    Add(TermId, TermId),
    /// The product, modulo 2 to the width.
    Mul(TermId, TermId),
    /// The unsigned quotient; all ones if the divisor is 0.
    Udiv(TermId, TermId),
    /// The unsigned remainder; the dividend if the divisor is 0.
    Urem(TermId, TermId),
    /// The first operand shifted left by the second; 0 if that is not below the width.
    Shl(TermId, TermId),
    /// The first operand shifted right by the second; 0 if that is not below the width.
    Lshr(TermId, TermId),
    /// The first operand shifted right by the second, filled with its sign, also if the amount is not below
    /// the width.
    Ashr(TermId, TermId),
    /// Equality; 1 bit.
    Eq(TermId, TermId),
    /// Less, of unsigned numbers; 1 bit.
    Ult(TermId, TermId),
    /// Less, of numbers in two's complement; 1 bit.
    Slt(TermId, TermId),
    /// The second operand if the first, of 1 bit, is 1, else the third.
    Ite(TermId, TermId, TermId),
    /// The bits of the first operand above those of the second.
    Concat(TermId, TermId),
    /// Some bits of an operand.
    Extract {
        /// The operand.
        term: TermId,
        /// The lowest bit.
        low: u32,
        /// The number of bits.
        width: u32,
    },
    /// The operand with its highest bit repeated above it.
    SignExtend {
        /// The operand.
        term: TermId,
        /// The width of the result.
        width: u32,
    },
}

impl Term {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let operands = match self {
            Self::Constant { .. } | Self::Variable { .. } => [None; 3],
            Self::Not(a) | Self::Neg(a) | Self::Extract { term: a, .. } | Self::SignExtend { term: a, .. } => {
                [Some(a), None, None]
            }
            Self::And(a, b) | Self::Xor(a, b) | Self::Add(a, b) | Self::Mul(a, b) | Self::Udiv(a, b) => {
                [Some(a), Some(b), None]
            }
            Self::Urem(a, b) | Self::Shl(a, b) | Self::Lshr(a, b) | Self::Ashr(a, b) => [Some(a), Some(b), None],
            Self::Eq(a, b) | Self::Ult(a, b) | Self::Slt(a, b) | Self::Concat(a, b) => [Some(a), Some(b), None],
            Self::Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// True of constants and variables.
    fn is_leaf(self) -> bool {
        matches!(self, Self::Constant { .. } | Self::Variable { .. })
    }
}

/// The arena of terms. Its constructors are in `build`.
#[derive(Debug)]
pub struct Terms {
    /// The term with each id.
    terms: Vec<Term>,
    /// The width of each term, in bits.
    widths: Vec<u32>,
    /// The inverse of `terms`.
    ids: FxHashMap<Term, TermId>,
    /// The term of each variable.
    variables: FxHashMap<u32, TermId>,
    /// A number that no other arena of the process has.
    stamp: u64,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An arena without terms.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            terms: Vec::new(),
            widths: Vec::new(),
            ids: FxHashMap::default(),
            variables: FxHashMap::default(),
            stamp: NEXT.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if there are no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A number that no other arena of the process has.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The kind and the operands of a term.
    #[must_use]
    pub fn get(&self, term: TermId) -> Term {
        self.terms[term.0 as usize]
    }

    /// The width of a term in bits.
    #[must_use]
    pub fn width(&self, term: TermId) -> u32 {
        self.widths[term.0 as usize]
    }

    /// The value of a term that is a constant.
    #[must_use]
    pub fn as_constant(&self, term: TermId) -> Option<u128> {
        match self.get(term) {
            Term::Constant { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The constant with the lowest `width` bits of `value`.
    ///
    /// # Panics
    /// If the width is not within 1 to [`MAX_WIDTH`].
    pub fn constant(&mut self, value: u128, width: u32) -> TermId {
        self.insert(Term::Constant { width, value: value & semantics::mask(width) })
    }

    /// The constant of 1 bit.
    pub fn boolean(&mut self, value: bool) -> TermId {
        self.constant(value.into(), 1)
    }

    /// The variable with a number; the same term each time.
    ///
    /// # Panics
    /// If the width is not within 1 to [`MAX_WIDTH`], or the variable was made with another width.
    pub fn variable(&mut self, number: u32, width: u32) -> TermId {
        let term = self.insert(Term::Variable { width, number });
        let known = *self.variables.entry(number).or_insert(term);
        assert!(known == term, "variable {number} has {} bits, not {width}", self.width(known));
        term
    }

    /// The variables that were made, in their order.
    pub fn variables(&self) -> impl Iterator<Item = TermId> {
        let mut variables: Vec<TermId> = self.variables.values().copied().collect();
        variables.sort_unstable();
        variables.into_iter()
    }

    /// The terms that are needed for the value of `root` and that are not yet known, operands first: `root`
    /// and, for each of them, its operands. Operands of known terms are not visited.
    pub fn cone(&self, root: TermId, is_known: impl Fn(TermId) -> bool) -> Vec<TermId> {
        if is_known(root) {
            return Vec::new();
        }
        let mut seen = FxHashSet::default();
        seen.insert(root);
        let mut cone = vec![root];
        let mut next = 0;
        while let Some(&term) = cone.get(next) {
            next += 1;
            cone.extend(self.get(term).operands().filter(|&operand| !is_known(operand) && seen.insert(operand)));
        }
        // The ids are a topological order.
        cone.sort_unstable();
        cone
    }

    /// The id of a term, which is made if it is new; a constant if all operands are constants.
    pub(crate) fn intern(&mut self, term: Term) -> TermId {
        let is_constant = |operand| self.as_constant(operand).is_some();
        if term.is_leaf() || !term.operands().all(is_constant) {
            return self.insert(term);
        }
        let value_of = |operand| self.as_constant(operand).expect("a constant");
        let value = semantics::apply(self, term, value_of, |_| unreachable!("variables are leaves"));
        self.constant(value, self.width_of(term))
    }

    fn insert(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let width = self.width_of(term);
        assert!((1..=MAX_WIDTH).contains(&width), "a term of {width} bits");
        let id = TermId(u32::try_from(self.terms.len()).expect("fewer than 2^32 terms"));
        self.terms.push(term);
        self.widths.push(width);
        self.ids.insert(term, id);
        id
    }

    /// The width that a term has, from its kind and its operands' widths.
    fn width_of(&self, term: Term) -> u32 {
        match term {
            Term::Constant { width, .. } | Term::Variable { width, .. } => width,
            Term::Extract { width, .. } | Term::SignExtend { width, .. } => width,
            Term::Not(a) | Term::Neg(a) | Term::And(a, _) | Term::Xor(a, _) => self.width(a),
            Term::Add(a, _) | Term::Mul(a, _) | Term::Udiv(a, _) | Term::Urem(a, _) => self.width(a),
            Term::Shl(a, _) | Term::Lshr(a, _) | Term::Ashr(a, _) | Term::Ite(_, a, _) => self.width(a),
            Term::Eq(..) | Term::Ult(..) | Term::Slt(..) => 1,
            Term::Concat(high, low) => self.width(high) + self.width(low),
        }
    }
}
