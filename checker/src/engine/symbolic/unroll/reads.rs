//! What loads read: variables, of which the table of values says what they may be.

use rmc_formula::TermId;

use super::narrow::narrowed;
use super::objects::FLAGS;
use super::{LIVES, Path, Unroller};
use crate::engine::symbolic::memory::{Initial, Memory};
use crate::engine::symbolic::points::Points;
use crate::engine::symbolic::values::Values;
use crate::engine::symbolic::values::table::{Content, Range};
use crate::engine::symbolic::word::{Formulas, Sum, Word};
use crate::ir::address;
use crate::ir::instr::{IntOp, Promises};
use crate::ir::value::mask;

/// The most places that a load may be at if what it reads has few values.
const MOST_PLACES: usize = 64;

/// What a load reads.
pub(super) struct Read {
    /// The word.
    pub word: Word,
    /// Its bits, as many as are read.
    pub result: TermId,
    /// Whether it is open: 1 bit.
    pub open: TermId,
    /// What it may be.
    pub content: Content,
}

impl Unroller<'_> {
    /// What a load of so many bytes reads.
    pub(super) fn read(&mut self, path: &Path, address: Word, len: u32) -> Read {
        let content = self.readable(path, address, len);
        let formulas = &mut self.formulas;
        let open = if content.is_open { formulas.variable(1) } else { formulas.terms.boolean(false) };
        let Some(values) = &content.values else {
            let result = formulas.narrow_variable(8 * len, narrowed(self.bounds.width, &content, len));
            let points = if len == 8 { Points::loaded() } else { Points::default() };
            return Read { word: formulas.word(result, open, points), result, open, content };
        };
        let (bits, is_one) = formulas.unknown(values);
        let word = formulas.word_of(bits, open, values.clone());
        let result = formulas.terms.extract(bits, 0, 8 * len);
        self.assumptions.extend(is_one);
        Read { word, result, open, content }
    }

    /// What may be at the places of a load, as far as the table has it.
    pub(super) fn readable(&mut self, path: &Path, address: Word, len: u32) -> Content {
        let Some(ranges) = self.ranges(path, address, len) else { return Content::ANY };
        let mut content = Content::NONE;
        for range in ranges {
            let own = match self.table.get(range) {
                Some(own) => own.clone(),
                None => self.initial(range),
            };
            content = content.join(&own);
        }
        match &content.values {
            // Nothing is known to be there yet. The table gets it, and there is another unrolling.
            Some(values) if values.is_empty() => Content { values: Some(Values::one(0)), ..content },
            _ => content,
        }
    }

    /// The places of an access, if they are few. More may become known later.
    fn ranges(&mut self, path: &Path, address: Word, len: u32) -> Option<Vec<Range>> {
        if let Some(values) = self.formulas.values_under(path.guard, address) {
            let places = values.iter().filter_map(address::split);
            return Some(places.map(|(object, offset)| (object, offset, len)).collect());
        }
        let points = self.formulas.points(address);
        if points.is_loaded() || points.objects().any(|(object, _)| self.objects.find(self.program, object).is_none()) {
            return None;
        }
        let places = self.objects.places(self.program, &points, len, MOST_PLACES);
        (places.len() <= MOST_PLACES && !points.is_to(LIVES))
            .then(|| places.into_iter().map(|(object, offset)| (object, offset, len)).collect())
    }

    /// What is at a place when the second thread begins.
    fn initial(&mut self, (object, offset, len): Range) -> Content {
        let zero = Content { values: Some(Values::one(0)), is_open: false };
        let memory = &self.beginning.memory;
        if object == FLAGS {
            return zero;
        }
        let Some(found) = self.objects.find(self.program, object) else { return Content::NONE };
        if u64::from(offset) + u64::from(len) > found.size.into() {
            return Content::NONE;
        }
        let word = if memory.has(object) {
            memory.load(&mut self.formulas, object, offset, len)
        } else {
            let mut fresh = Memory::default();
            fresh.add(object, std::rc::Rc::<Initial>::clone(&found.initial));
            fresh.load(&mut self.formulas, object, offset, len)
        };
        self.formulas.content(word, len)
    }

    /// Adds to the sums of the path, if what is written to a place is what was there and a number. True if it
    /// is, and the place is known.
    pub(super) fn add(&mut self, path: &mut Path, address: Word, len: u32, (old, new): (Word, Word)) -> bool {
        let Word::Term(old) = old else { return false };
        let Some(Sum { of, number, width }) = self.formulas.sum(new) else { return false };
        if of != old.bits || width != 8 * len || self.formulas.values(address).is_none() {
            return false;
        }
        for range in self.ranges(path, address, len).unwrap_or_default() {
            let sums = path.added.entry(range).or_default();
            *sums = sums.and(number, width);
            let most = self.added.entry(range).or_default().entry(self.thread).or_default();
            *most = most.join(*sums);
        }
        true
    }

    /// The word that an exchange writes where it writes: if it is the expected one and a number, the old one
    /// and that.
    pub(super) fn exchanged(&mut self, width: u32, old: Word, expected: Word, new: Word) -> Word {
        let (Word::Term(_), Word::Term(expected)) = (old, expected) else { return new };
        match self.formulas.sum(new) {
            Some(sum) if sum.of == expected.bits && sum.width == width => {
                let computed = self.formulas.int(IntOp::Add, width, Promises::NONE, old, Word::number(sum.number));
                computed.map_or(new, |computed| computed.word)
            }
            _ => new,
        }
    }
}

impl Formulas {
    /// What a word of so many bytes is.
    pub fn content(&mut self, word: Word, len: u32) -> Content {
        let open = self.open(word);
        let values = self.values(word);
        let values = values.and_then(|values| Values::of(values.iter().map(|value| value & mask(8 * len))));
        Content { values, is_open: !self.is_false(open) }
    }
}
