//! Functions of words of which few values are possible, by enumeration.
//!
//! The bits that tell the values apart are a code. A function of the word is, bit by bit, a function of the
//! code: Shannon's expansion, one bit of the code after the other, where codes that no value has are free.

use rmc_formula::TermId;

use super::Values;
use crate::engine::symbolic::word::Formulas;
use crate::hash::FxHashMap;

/// The values of some code bits, with the number of the row.
type Rows = [(u64, usize)];

/// The bits of a word that tell its values apart.
#[derive(Clone, Debug)]
pub struct Code {
    /// The terms of these bits, the lowest first.
    pub bits: Vec<TermId>,
    /// For each value, in ascending order, the code.
    pub codes: Vec<u64>,
}

impl Code {
    /// The code of a pair: the bits of the second above those of the first.
    #[must_use]
    pub fn pair(&self, other: &Self) -> Self {
        let shift = self.bits.len();
        let bits = self.bits.iter().chain(&other.bits).copied().collect();
        let codes = self.codes.iter().flat_map(|own| other.codes.iter().map(move |above| own | above << shift));
        Self { bits, codes: codes.collect() }
    }
}

/// The bits of a number at the ones of a mask, moved together.
#[must_use]
pub fn gather(number: u64, mask: u64) -> u64 {
    let ones = (0..64).filter(|bit| mask >> bit & 1 == 1);
    ones.enumerate().fold(0, |gathered, (at, bit)| gathered | (number >> bit & 1) << at)
}

impl Formulas {
    /// The code of a term of 64 bits that has one of these values.
    pub fn code(&mut self, bits: TermId, values: &Values) -> Code {
        let mask = values.telling();
        let ones = (0..64).filter(|bit| mask >> bit & 1 == 1);
        let terms = ones.map(|bit| self.terms.extract(bits, bit, 1)).collect();
        Code { bits: terms, codes: values.iter().map(|value| gather(value, mask)).collect() }
    }

    /// The condition that the row of a code is one for which `holds` is true.
    pub fn condition(&mut self, code: &Code, holds: &[bool]) -> TermId {
        let rows: Vec<_> = code.codes.iter().copied().zip(0..).collect();
        self.expand(&code.bits, &rows, &|row| holds[row])
    }

    /// The number of 64 bits that the row of a code has.
    pub fn decoded(&mut self, code: &Code, numbers: &[u64]) -> TermId {
        let rows: Vec<_> = code.codes.iter().copied().zip(0..).collect();
        let mut known: FxHashMap<u64, TermId> = FxHashMap::default();
        // Neighbouring bits that are one function are one part.
        let mut parts: Vec<(u64, u32)> = Vec::new();
        for bit in 0..64 {
            let column =
                numbers.iter().enumerate().fold(0, |column, (row, number)| column | (number >> bit & 1) << row);
            match parts.last_mut() {
                Some((last, count)) if *last == column => *count += 1,
                _ => parts.push((column, 1)),
            }
        }
        let mut whole: Option<TermId> = None;
        for (column, count) in parts {
            let one = match known.get(&column) {
                Some(&one) => one,
                None => self.expand(&code.bits, &rows, &|row| column >> row & 1 == 1),
            };
            known.insert(column, one);
            let part = self.terms.sign_extend(one, count);
            whole = Some(match whole {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        whole.expect("a number has bits")
    }

    /// A new variable as a term of 64 bits that is one of some values, at least one, and the condition that
    /// it is, if it may be another one. The variable is the code.
    pub fn unknown(&mut self, values: &Values) -> (TermId, Option<TermId>) {
        let telling = values.telling();
        if telling == 0 {
            return (self.terms.constant(values.iter().next().expect("a value").into(), 64), None);
        }
        let variable = self.variable(telling.count_ones());
        let bits = (0..telling.count_ones()).map(|bit| self.terms.extract(variable, bit, 1)).collect();
        let code = Code { bits, codes: values.iter().map(|value| gather(value, telling)).collect() };
        let numbers: Vec<u64> = values.iter().collect();
        let is_one = self.is_among(&code.bits, &code.codes);
        let is_any = self.terms.as_constant(is_one) == Some(1);
        (self.decoded(&code, &numbers), Some(is_one).filter(|_| !is_any))
    }

    /// The condition that some bits are one of these numbers, which differ.
    fn is_among(&mut self, bits: &[TermId], numbers: &[u64]) -> TermId {
        let Some((&bit, lower)) = bits.split_last().filter(|_| !numbers.is_empty()) else {
            return self.terms.boolean(!numbers.is_empty());
        };
        let (then, other): (Vec<_>, Vec<_>) = numbers.iter().partition(|&number| number >> lower.len() & 1 == 1);
        let (then, other) = (self.is_among(lower, &then), self.is_among(lower, &other));
        self.terms.ite(bit, then, other)
    }

    /// Shannon's expansion by the highest of some code bits.
    fn expand(&mut self, bits: &[TermId], rows: &Rows, is_one: &impl Fn(usize) -> bool) -> TermId {
        let ones = rows.iter().filter(|&&(_, row)| is_one(row)).count();
        if ones == 0 || ones == rows.len() {
            return self.terms.boolean(ones > 0);
        }
        let (&bit, lower) = bits.split_last().expect("the bits tell the rows apart");
        let (then, other): (Vec<_>, Vec<_>) = rows.iter().partition(|(code, _)| code >> lower.len() & 1 == 1);
        if then.is_empty() || other.is_empty() {
            return self.expand(lower, rows, is_one);
        }
        let (then, other) = (self.expand(lower, &then, is_one), self.expand(lower, &other, is_one));
        self.terms.ite(bit, then, other)
    }
}
