//! Executes operations on values of several words.

use super::Effect;
use super::{Flow, Interpreter, arithmetic_fault, stop};
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::{Elements, Format, Wide};
use crate::ir::value::{Poison, Value};
use crate::ir::wide;

impl Interpreter<'_> {
    pub(super) fn wide(&mut self, site: SiteId) -> Flow {
        match self.function.wides[site.index()] {
            Wide::Int { op, width, promises, dst, a, b } => {
                let (a, b) = (self.words(a, width), self.words(b, width));
                match wide::promised(op, promises, width, &a, &b) {
                    Ok(words) => {
                        self.note_disguised(&[a, b].concat(), &words);
                        self.put_words(dst, &words)
                    }
                    Err(trap) => arithmetic_fault(trap),
                }
            }
            Wide::Unary { op, width, dst, a } => {
                let a = self.words(a, width);
                let words = wide::unary(op, width, &a);
                self.note_disguised(&a, &words);
                self.put_words(dst, &words)
            }
            Wide::Compare { op, width, dst, a, b } => {
                self.put_words(dst, &[wide::compare(op, width, &self.words(a, width), &self.words(b, width))])
            }
            Wide::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.words(a, width), self.words(b, width));
                let (mut words, overflowed) = wide::overflow(op, width, &a, &b);
                self.note_disguised(&[a, b].concat(), &words);
                words.push(overflowed);
                self.put_words(dst, &words)
            }
            Wide::Cast { op, from, to, dst, a } => {
                let a = self.words(a, from.bits());
                let words = wide::convert(op, from, to, &a);
                self.note_disguised(&a, &words);
                self.put_words(dst, &words)
            }
            Wide::Float { op, format, dst, a, b } => self.wide_float(op, format, dst, a, b),
            Wide::FloatCompare { accept, format, dst, a, b } => {
                let (a, b) = (self.words(a, format.bits()), self.words(b, format.bits()));
                self.put_words(dst, &[wide::float_compare(accept, format, &a, &b)])
            }
            Wide::Repack { dst, a, from, to } => {
                let a = self.run(a, from);
                let words = wide::repack(from, to, &a);
                self.note_disguised(&a, &words);
                self.put_words(dst, &words)
            }
            Wide::Insert { dst, a, index, value, elements } => self.insert(dst, a, index, value, elements),
            Wide::Extract { dst, a, index, elements } => self.extract(dst, a, index, elements),
            Wide::Triple { .. } => Flow::Next,
        }
    }

    fn wide_float(&mut self, op: crate::ir::instr::FloatOp, format: Format, dst: Reg, a: Operand, b: Operand) -> Flow {
        let (a, b) = (self.words(a, format.bits()), self.words(b, format.bits()));
        match wide::float(op, format, &a, &b) {
            Some(words) => self.put_words(dst, &words),
            None => stop(Effect::Unsupported(format!("{op:?} of a {format:?} number"))),
        }
    }

    fn insert(&mut self, dst: Reg, a: Operand, index: Operand, value: Operand, elements: Elements) -> Flow {
        let mut whole = self.run(a, elements);
        match self.element(index, elements) {
            Some(at) => {
                let part: Vec<_> = (0..elements.words()).map(|k| self.get(value.word(k))).collect();
                whole[at * elements.words()..][..elements.words()].copy_from_slice(&part);
            }
            None => whole.fill(self.no_element(index)),
        }
        self.put_words(dst, &whole)
    }

    fn extract(&mut self, dst: Reg, a: Operand, index: Operand, elements: Elements) -> Flow {
        let words = match self.element(index, elements) {
            Some(at) => (0..elements.words()).map(|k| self.get(a.word(at * elements.words() + k))).collect(),
            None => vec![self.no_element(index); elements.words()],
        };
        self.put_words(dst, &words)
    }

    /// The index of a vector's element; `None` if it is undefined or out of range.
    fn element(&self, index: Operand, elements: Elements) -> Option<usize> {
        let index = self.get(index);
        (index.is_defined() && index.bits < u64::from(elements.count)).then_some(index.bits as usize)
    }

    /// The value for an element whose index is undefined or out of range.
    fn no_element(&self, index: Operand) -> Value {
        let index = self.get(index);
        if index.is_poison() { index } else { Value::poison(Poison::Element) }
    }

    fn words(&self, operand: Operand, width: u32) -> Vec<Value> {
        (0..width.div_ceil(64) as usize).map(|k| self.get(operand.word(k))).collect()
    }

    fn run(&self, operand: Operand, elements: Elements) -> Vec<Value> {
        (0..elements.words() * elements.count as usize).map(|k| self.get(operand.word(k))).collect()
    }

    fn put_words(&mut self, dst: Reg, words: &[Value]) -> Flow {
        words.iter().enumerate().for_each(|(k, &word)| self.stack.set(Reg::new(dst.index() + k), word));
        Flow::Next
    }
}
