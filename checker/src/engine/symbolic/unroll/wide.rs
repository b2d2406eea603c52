//! Instructions on values of several words: elements are moved about; what computes needs known words.

use super::{Path, Stop, Unroller};
use crate::engine::symbolic::word::Word;
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::{Elements, Wide};
use crate::ir::value::{Poison, Value};
use crate::ir::wide;

impl Unroller<'_> {
    /// Follows an instruction on values of several words.
    pub(super) fn wide(&mut self, path: &mut Path, site: SiteId) -> Result<(), Stop> {
        let (function, _) = self.place();
        let instruction = self.program.function(function).wides[site.index()].clone();
        let (dst, words) = match instruction {
            Wide::Insert { dst, a, index, value, elements } => {
                let mut whole = self.words(path, a, elements.words() * elements.count as usize);
                let at = self.element(path, index, elements)?;
                match at {
                    Some(at) => {
                        let part = self.words(path, value, elements.words());
                        whole[at * elements.words()..][..elements.words()].copy_from_slice(&part);
                    }
                    None => whole.fill(NO_ELEMENT),
                }
                (dst, whole)
            }
            Wide::Extract { dst, a, index, elements } => {
                let words = match self.element(path, index, elements)? {
                    Some(at) => self.words(path, a.word(at * elements.words()), elements.words()),
                    None => vec![NO_ELEMENT; elements.words()],
                };
                (dst, words)
            }
            Wide::Triple { .. } => return Ok(()),
            computes => self.compute_wide(path, &computes)?,
        };
        for (at, word) in words.into_iter().enumerate() {
            path.registers[dst.index() + at] = word;
        }
        Ok(())
    }

    /// The result of an instruction on known words.
    fn compute_wide(&mut self, path: &mut Path, instruction: &Wide) -> Result<(Reg, Vec<Word>), Stop> {
        let count = |bits: u32| bits.div_ceil(64) as usize;
        let (dst, values) = match *instruction {
            Wide::Int { op, width, promises, dst, a, b } => {
                let (a, b) = (self.known_words(path, a, count(width))?, self.known_words(path, b, count(width))?);
                match wide::promised(op, promises, width, &a, &b) {
                    Ok(values) => (dst, values),
                    Err(_) => return self.fail(path),
                }
            }
            Wide::Unary { op, width, dst, a } => {
                (dst, wide::unary(op, width, &self.known_words(path, a, count(width))?))
            }
            Wide::Compare { op, width, dst, a, b } => {
                let (a, b) = (self.known_words(path, a, count(width))?, self.known_words(path, b, count(width))?);
                (dst, vec![wide::compare(op, width, &a, &b)])
            }
            Wide::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.known_words(path, a, count(width))?, self.known_words(path, b, count(width))?);
                let (mut values, overflowed) = wide::overflow(op, width, &a, &b);
                values.push(overflowed);
                (dst, values)
            }
            Wide::Cast { op, from, to, dst, a } => {
                (dst, wide::convert(op, from, to, &self.known_words(path, a, count(from.bits()))?))
            }
            Wide::Float { op, format, dst, a, b } => {
                let (a, b) = (
                    self.known_words(path, a, count(format.bits()))?,
                    self.known_words(path, b, count(format.bits()))?,
                );
                match wide::float(op, format, &a, &b) {
                    Some(values) => (dst, values),
                    None => return self.refuse(format!("{op:?} of a {format:?} number")),
                }
            }
            Wide::FloatCompare { accept, format, dst, a, b } => {
                let (a, b) = (
                    self.known_words(path, a, count(format.bits()))?,
                    self.known_words(path, b, count(format.bits()))?,
                );
                (dst, vec![wide::float_compare(accept, format, &a, &b)])
            }
            Wide::Repack { dst, a, from, to } => {
                let values = self.known_words(path, a, from.words() * from.count as usize)?;
                (dst, wide::repack(from, to, &values))
            }
            Wide::Insert { .. } | Wide::Extract { .. } | Wide::Triple { .. } => {
                unreachable!("these compute nothing")
            }
        };
        Ok((dst, values.into_iter().map(Word::Known).collect()))
    }

    fn words(&self, path: &Path, operand: Operand, count: usize) -> Vec<Word> {
        (0..count).map(|at| self.word(path, operand.word(at))).collect()
    }

    fn known_words(&self, path: &Path, operand: Operand, count: usize) -> Result<Vec<Value>, Stop> {
        let mut values = Vec::with_capacity(count);
        for word in self.words(path, operand, count) {
            match word {
                Word::Known(value) => values.push(value),
                Word::Term(_) => {
                    return self.refuse("a number of more than 64 bits, or a vector, whose value is not known");
                }
            }
        }
        Ok(values)
    }

    /// The index of an element; `None` if there is no such element.
    fn element(&self, path: &Path, index: Operand, elements: Elements) -> Result<Option<usize>, Stop> {
        match self.word(path, index) {
            Word::Known(index) => {
                let is_there = index.is_defined() && index.bits < u64::from(elements.count);
                Ok(is_there.then_some(index.bits as usize))
            }
            Word::Term(_) => self.refuse("an element of a vector whose index is not known"),
        }
    }
}

/// An element that the vector does not have.
const NO_ELEMENT: Word = Word::Known(Value::poison(Poison::Element));
