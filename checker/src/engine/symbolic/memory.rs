//! Memory that one thread alone uses, on one path: entries at known offsets of objects.
//!
//! Local variables are here, and all memory as long as there is one thread. Content is copied on write and
//! shared between paths.

use std::collections::BTreeMap;
use std::rc::Rc;

use rmc_formula::TermId;

use super::word::{Formulas, Word};
use crate::ir::address::{ObjectId, PAGE_BYTES};
use crate::ir::value::Value;

/// The content that an object has before anything is written to it.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Nothing.
    Undefined,
    /// Zeros.
    Zero,
    /// Pages of words, as globals have them.
    Pages(Vec<Vec<u64>>),
}

/// The content of an object.
#[derive(Clone, Debug)]
struct Content {
    initial: Rc<Initial>,
    /// The words that were written: by the offset, the length in bytes (1 to 8) and the word. They do not
    /// overlap.
    entries: BTreeMap<u32, (u32, Word)>,
    /// The content where the object was not accessed yet, if it exists on such paths. There it is not in
    /// memory.
    before: Option<Rc<Self>>,
}

/// Objects and their content.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: BTreeMap<ObjectId, Rc<Content>>,
}

impl Initial {
    /// The 8 bytes at an offset that is a multiple of 8, or 0 where nothing is known.
    #[must_use]
    pub fn word(&self, at: u32) -> u64 {
        match self {
            Self::Undefined | Self::Zero => 0,
            Self::Pages(pages) => {
                let page = pages.get((at / PAGE_BYTES) as usize);
                page.and_then(|page| page.get((at % PAGE_BYTES / 8) as usize)).copied().unwrap_or(0)
            }
        }
    }

    fn byte(&self, at: u32) -> Value {
        match self {
            Self::Undefined => Value::undefined(8),
            Self::Zero => Value::ZERO,
            Self::Pages(_) => Value::new(self.word(at) >> (8 * (at % 8)) & 0xFF),
        }
    }
}

impl Content {
    const fn new(initial: Rc<Initial>) -> Self {
        Self { initial, entries: BTreeMap::new(), before: None }
    }

    /// The entries that have some of these bytes.
    fn overlapping(&self, offset: u32, len: u32) -> Vec<(u32, u32, Word)> {
        let before = self.entries.range(..offset).next_back().filter(|&(&at, &(has, _))| at + has > offset);
        let within = self.entries.range(offset..offset + len);
        before.into_iter().chain(within).map(|(&at, &(has, word))| (at, has, word)).collect()
    }

    fn load(&self, formulas: &mut Formulas, offset: u32, len: u32) -> Word {
        if let Some(&(has, word)) = self.entries.get(&offset)
            && has == len
        {
            return word;
        }
        let parts = self.overlapping(offset, len);
        let bytes: Vec<_> = (offset..offset + len)
            .map(|at| match parts.iter().find(|&&(begin, has, _)| (begin..begin + has).contains(&at)) {
                Some(&(begin, _, word)) => formulas.byte(word, at - begin),
                None => Word::Known(self.initial.byte(at)),
            })
            .collect();
        formulas.join(&bytes)
    }

    fn store(&mut self, formulas: &mut Formulas, offset: u32, len: u32, word: Word) {
        for (begin, has, old) in self.overlapping(offset, len) {
            self.entries.remove(&begin);
            for at in (begin..begin + has).filter(|at| !(offset..offset + len).contains(at)) {
                let byte = formulas.byte(old, at - begin);
                self.entries.insert(at, (1, byte));
            }
        }
        self.entries.insert(offset, (len, word));
    }

    /// The content if `condition`, else that of `other`, an object of the same name.
    fn merge(&self, formulas: &mut Formulas, condition: TermId, other: &Self) -> Self {
        let mut merged = self.clone();
        let places = self.entries.iter().chain(&other.entries).map(|(&at, &(len, _))| (at, len));
        for (offset, len) in places {
            let (a, b) = (self.load(formulas, offset, len), other.load(formulas, offset, len));
            if a != b || !merged.entries.contains_key(&offset) {
                let word = formulas.choose(condition, a, b);
                merged.store(formulas, offset, len, word);
            }
        }
        merged
    }
}

impl Memory {
    /// Adds an object that was made on this path. Other paths do not have it.
    pub fn add(&mut self, object: ObjectId, initial: Rc<Initial>) {
        self.objects.insert(object, Rc::new(Content::new(initial)));
    }

    /// Adds an object that exists on all paths, as it is in an earlier memory, or with its first content if it
    /// is not there.
    pub fn add_from(&mut self, earlier: &Self, object: ObjectId, initial: Rc<Initial>) {
        let before = match earlier.objects.get(&object) {
            Some(content) => Rc::clone(content),
            None => Rc::new(Content::new(initial)),
        };
        self.objects.insert(object, Rc::new(Content { before: Some(Rc::clone(&before)), ..(*before).clone() }));
    }

    /// True if the object is here.
    #[must_use]
    pub fn has(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }

    /// Some bytes of an object, at most 8. They must lie within it.
    pub fn load(&self, formulas: &mut Formulas, object: ObjectId, offset: u32, len: u32) -> Word {
        self.objects[&object].load(formulas, offset, len)
    }

    /// Writes some bytes of an object, at most 8. They must lie within it.
    pub fn store(&mut self, formulas: &mut Formulas, object: ObjectId, offset: u32, len: u32, word: Word) {
        let content = self.objects.get_mut(&object).expect("an object that is here");
        Rc::make_mut(content).store(formulas, offset, len, word);
    }

    /// The words of an object that were written, with their offsets and lengths.
    pub fn written(&self, object: ObjectId) -> impl Iterator<Item = (u32, u32, Word)> + '_ {
        self.objects[&object].entries.iter().map(|(&at, &(len, word))| (at, len, word))
    }

    /// The objects.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.keys().copied()
    }

    /// This memory if `condition`, else another one.
    #[must_use]
    pub fn merge(mut self, formulas: &mut Formulas, condition: TermId, other: &Self) -> Self {
        for (&object, content) in &other.objects {
            match (self.objects.get_mut(&object), &content.before) {
                (Some(own), _) if Rc::ptr_eq(own, content) => {}
                (Some(own), _) => *own = Rc::new(own.merge(formulas, condition, content)),
                (None, Some(before)) => {
                    let mut merged = before.merge(formulas, condition, content);
                    merged.before = Some(Rc::clone(before));
                    self.objects.insert(object, Rc::new(merged));
                }
                // The other path made it, and this one knows no address of it.
                (None, None) => drop(self.objects.insert(object, Rc::clone(content))),
            }
        }
        for (object, own) in &mut self.objects {
            if let (Some(before), false) = (own.before.clone(), other.objects.contains_key(object)) {
                *own = Rc::new(own.merge(formulas, condition, &before));
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rmc_formula::Evaluator;

    use super::*;

    const SIZE: u32 = 16;

    /// A store of some bytes of a number, which is a variable or known.
    type Store = (u32, u32, u64, bool);

    fn stores() -> impl Strategy<Value = Vec<Store>> {
        let store = (0..SIZE, 1..=8_u32, any::<u64>(), any::<bool>());
        let within = store.prop_map(|(at, len, value, known)| (at.min(SIZE - len), len, value, known));
        prop::collection::vec(within, 0..5)
    }

    /// The memory after stores, and its bytes. The values of new variables are appended to `values`.
    fn after(
        formulas: &mut Formulas,
        values: &mut Vec<u64>,
        (mut memory, mut bytes): (Memory, Vec<u8>),
        stores: &[Store],
    ) -> (Memory, Vec<u8>) {
        for &(at, len, value, is_known) in stores {
            let value = value & crate::ir::value::mask(8 * len);
            let word = if is_known {
                Word::number(value)
            } else {
                let bits = formulas.variable(64);
                values.push(value);
                formulas.defined(bits)
            };
            memory.store(formulas, ObjectId::new(1, 1), at, len, word);
            let range = at as usize..(at + len) as usize;
            bytes[range].copy_from_slice(&value.to_le_bytes()[..len as usize]);
        }
        (memory, bytes)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Property: merged memory has the bytes of the path that was taken, in pieces of any size.
        #[test]
        fn memory_is_that_of_the_path(
            before in stores(),
            yes in stores(),
            no in stores(),
            taken in any::<bool>(),
            is_accessed_before in any::<bool>(),
            at in 0..SIZE,
            len in 1..=8_u32,
        ) {
            let (mut formulas, mut values) = (Formulas::default(), Vec::new());
            let condition = formulas.variable(1);
            values.push(taken.into());
            let object = ObjectId::new(1, 1);
            let initial = Rc::new(Initial::Pages(vec![vec![0x0706_0504_0302_0100]]));
            let mut beginning = Memory::default();
            beginning.add(object, Rc::clone(&initial));
            let bytes = (0..SIZE as u8).map(|at| if at < 8 { at } else { 0 }).collect();
            let (beginning, bytes) = after(&mut formulas, &mut values, (beginning, bytes), &before);
            let accessed = |memory: &mut Memory| memory.add_from(&beginning, object, Rc::clone(&initial));
            let mut common = Memory::default();
            if is_accessed_before {
                accessed(&mut common);
            }
            let mut path = |stores: &[Store]| {
                let mut memory = common.clone();
                if !stores.is_empty() && !memory.has(object) {
                    accessed(&mut memory);
                }
                after(&mut formulas, &mut values, (memory, bytes.clone()), stores)
            };
            let ((memory, if_yes), (other, if_no)) = (path(&yes), path(&no));
            let mut merged = memory.merge(&mut formulas, condition, &other);
            if !merged.has(object) {
                accessed(&mut merged);
            }
            let at = at.min(SIZE - len);
            let word = merged.load(&mut formulas, ObjectId::new(1, 1), at, len);
            let (bits, open) = (formulas.bits(word), formulas.open(word));
            let mut evaluator = Evaluator::new(&formulas.terms, |number| values[number as usize].into());
            let expected = if taken { if_yes } else { if_no };
            let expected = (0..len).rev().fold(0, |value, byte| value << 8 | u128::from(expected[(at + byte) as usize]));
            prop_assert_eq!(evaluator.value(open), 0);
            prop_assert_eq!(evaluator.value(bits), expected);
        }
    }
}
