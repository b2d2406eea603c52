//! Terms to clauses, bit by bit.
//!
//! Each term has one literal per bit, the lowest first. A term is translated once for all calls, and its
//! operands before it.
//!
//! * `arithmetic`: adders, the multiplier, the divider, comparisons,
//! * `shifts`: barrel shifters.
//!
//! Tests: `formula/tests/operators.rs` compares every operator with its values at small widths.

mod arithmetic;
mod shifts;

use rustc_hash::FxHashMap;

use crate::gates::{Gates, Literal};
use crate::term::{Term, TermId, Terms};

/// The bits of all terms that were translated.
#[derive(Debug)]
pub(crate) struct Blaster {
    gates: Gates,
    bits: FxHashMap<TermId, Box<[Literal]>>,
    /// The term of each variable that was translated.
    variables: FxHashMap<u32, TermId>,
}

impl Blaster {
    pub(crate) fn new() -> Self {
        Self { gates: Gates::new(), bits: FxHashMap::default(), variables: FxHashMap::default() }
    }

    /// The bits of a term, the lowest first. Clauses are made for what is new.
    pub(crate) fn bits(&mut self, terms: &Terms, term: TermId) -> &[Literal] {
        for one in terms.cone(term, |known| self.bits.contains_key(&known)) {
            let bits = self.translate(terms, one);
            debug_assert_eq!(bits.len(), terms.width(one) as usize);
            self.bits.insert(one, bits.into());
        }
        &self.bits[&term]
    }

    /// The literal of a term of 1 bit.
    ///
    /// # Panics
    /// If the term has more than 1 bit.
    pub(crate) fn literal(&mut self, terms: &Terms, term: TermId) -> Literal {
        let &[literal] = self.bits(terms, term) else { panic!("a formula of {} bits", terms.width(term)) };
        literal
    }

    /// The bits of the variable with a number, if it was translated.
    pub(crate) fn variable(&self, number: u32) -> Option<&[Literal]> {
        self.variables.get(&number).map(|term| &self.bits[term][..])
    }

    /// The numbers of the variables that were translated, in order.
    pub(crate) fn variables(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.variables.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// The number of variables of the clauses.
    pub(crate) fn variable_count(&self) -> usize {
        self.gates.variables()
    }

    /// The gates.
    pub(crate) fn gates(&mut self) -> &mut Gates {
        &mut self.gates
    }

    /// The bits of a term whose operands are translated.
    fn translate(&mut self, terms: &Terms, term: TermId) -> Vec<Literal> {
        let (bits, gates) = (&self.bits, &mut self.gates);
        let of = |operand: TermId| &bits[&operand][..];
        match terms.get(term) {
            Term::Constant { width, value } => (0..width).map(|bit| Literal::constant(value >> bit & 1 == 1)).collect(),
            Term::Variable { width, number } => {
                self.variables.insert(number, term);
                (0..width).map(|_| gates.fresh()).collect()
            }
            Term::Not(a) => of(a).iter().map(|&bit| !bit).collect(),
            Term::And(a, b) => zip(of(a), of(b), |a, b| gates.and(a, b)),
            Term::Xor(a, b) => zip(of(a), of(b), |a, b| gates.xor(a, b)),
            Term::Neg(a) => gates.negate(of(a)),
            Term::Add(a, b) => match (terms.get(a), terms.get(b)) {
                (Term::Neg(a), _) => gates.subtract(of(b), of(a)),
                (_, Term::Neg(b)) => gates.subtract(of(a), of(b)),
                _ => gates.add(of(a), of(b), Literal::FALSE),
            },
            Term::Mul(a, b) => gates.multiply(of(a), of(b)),
            Term::Udiv(a, b) => gates.divide(of(a), of(b)).0,
            Term::Urem(a, b) => gates.divide(of(a), of(b)).1,
            Term::Shl(a, b) => gates.shift_left(of(a), of(b)),
            Term::Lshr(a, b) => gates.shift_right(of(a), of(b), Literal::FALSE),
            Term::Ashr(a, b) => gates.shift_right(of(a), of(b), *of(a).last().expect("a bit")),
            Term::Eq(a, b) => {
                let equal = zip(of(a), of(b), |a, b| !gates.xor(a, b));
                vec![gates.all(equal)]
            }
            Term::Ult(a, b) => vec![gates.is_less(of(a), of(b))],
            Term::Slt(a, b) => vec![gates.is_less(&with_inverted_sign(of(a)), &with_inverted_sign(of(b)))],
            Term::Ite(condition, a, b) => {
                let condition = of(condition)[0];
                zip(of(a), of(b), |a, b| gates.multiplexer(condition, a, b))
            }
            Term::Concat(high, low) => [of(low), of(high)].concat(),
            Term::Extract { term, low, width } => of(term)[low as usize..(low + width) as usize].to_vec(),
            Term::SignExtend { term, width } => {
                let mut bits = of(term).to_vec();
                bits.resize(width as usize, *bits.last().expect("a bit"));
                bits
            }
        }
    }
}

/// A gate for each pair of bits.
fn zip(a: &[Literal], b: &[Literal], mut gate: impl FnMut(Literal, Literal) -> Literal) -> Vec<Literal> {
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

/// The bits with the highest one inverted: the order of numbers in two's complement becomes that of unsigned
/// numbers.
fn with_inverted_sign(bits: &[Literal]) -> Vec<Literal> {
    let mut bits = bits.to_vec();
    let sign = bits.last_mut().expect("a bit");
    *sign = !*sign;
    bits
}
