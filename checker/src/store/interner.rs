//! Components: word sequences stored once each, named by small ids in order of first appearance.

use super::Id;
use super::measure::TableMeasure;
use super::table::{Index, hash};

/// A table of distinct word sequences.
#[derive(Default)]
pub struct Interner {
    words: Vec<u64>,
    /// Where each component ends in `words`; it begins where the one before ends.
    ends: Vec<usize>,
    index: Index,
}

impl Interner {
    /// The id of these words.
    ///
    /// # Panics
    /// If there were 2^32 - 1 different components: memory ends long before.
    pub fn intern(&mut self, words: &[u64]) -> Id {
        let new_id = Id::try_from(self.ends.len()).expect("component ids are exhausted");
        let Self { words: stored, ends, index } = self;
        let found = index.find_or_insert(hash(words), new_id, |id| slice(stored, ends, id) == words);
        found.unwrap_or_else(|| {
            stored.extend_from_slice(words);
            ends.push(stored.len());
            new_id
        })
    }

    /// The words of a component.
    #[inline]
    #[must_use]
    pub fn get(&self, id: Id) -> &[u64] {
        slice(&self.words, &self.ends, id)
    }

    /// How many components there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Its measures.
    #[must_use]
    pub fn measure(&self) -> TableMeasure {
        let bytes = self.words.capacity() * 8 + self.ends.capacity() * 8;
        TableMeasure { what: "components", bytes, index: self.index.measure() }
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.ends.capacity() * 8 + self.index.bytes()
    }
}

#[inline]
fn slice<'a>(words: &'a [u64], ends: &[usize], id: Id) -> &'a [u64] {
    let at = id as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &words[start..ends[at]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_have_equal_ids() {
        let mut interner = Interner::default();
        let all: Vec<Vec<u64>> = (0..100).map(|n| (0..n).collect()).collect();
        let ids: Vec<_> = all.iter().map(|words| interner.intern(words)).collect();
        assert_eq!(ids, (0..100).collect::<Vec<Id>>());
        for (words, &id) in all.iter().zip(&ids) {
            assert_eq!(interner.intern(words), id);
            assert_eq!(interner.get(id), words);
        }
        assert_eq!(interner.len(), 100);
    }
}
