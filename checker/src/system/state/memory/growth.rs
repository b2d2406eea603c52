//! Objects of which only the first bytes are stored.
//!
//! An object whose size is a symbol (`system/inputs/sizes.rs`) has as many bytes stored as accesses needed so
//! far. The others are uninitialised, or zero if the object was allocated so; no access has changed them, so
//! they need no place. When more bytes are needed, the object's pages get new slots, and those before stay
//! without an owner until the state is packed, as those of objects that died.

use super::ObjectMemory;
use crate::ir::address::{ObjectId, PAGE_BYTES};
use crate::ir::value::mask;
use crate::store::Id;
use crate::system::state::object_table::{Extent, page_words, pages};

impl ObjectMemory<'_> {
    /// Stores the first `size` bytes of an object of which less are stored.
    ///
    /// # Panics
    /// If there is no such object, or more of it is stored.
    pub fn grow(&mut self, id: ObjectId, size: u32) {
        let object = *self.object(id).expect("the object exists");
        assert!(size >= object.size, "no byte that is stored is forgotten");
        self.log_content(id);
        self.intern_dirty_pages();
        let (before, after) = (pages(object.size), pages(size));
        let mut content = self.pages[object.base..object.base + before].to_vec();
        if let Some(last) = before.checked_sub(1) {
            content[last] = self.grown_page(content[last], (object.size, size), last, object.zeroed);
        }
        for page in before..after {
            let bytes = (size - page as u32 * PAGE_BYTES).min(PAGE_BYTES);
            content.push(self.fresh_page(bytes, object.zeroed));
        }
        let base = self.pages.len();
        self.pages.extend(content);
        self.dirty_of.resize(self.pages.len(), 0);
        let object = self.object_mut(id).expect("the object exists");
        (object.base, object.size) = (base, size);
        if object.extent == Extent::Known(size) {
            object.extent = Extent::Stored;
        }
    }

    /// The component of the last page of an object, with this index, when the object has grown from one size
    /// to the other.
    fn grown_page(&mut self, id: Id, (before, after): (u32, u32), page: usize, zeroed: bool) -> Id {
        let (words, grown) = (page_words(before, page), page_words(after, page));
        let content = self.components.get(id);
        let mut data = content[..words].to_vec();
        let mut undef = content[words..].to_vec();
        data.resize(grown, 0);
        undef.resize(grown, 0);
        if !zeroed {
            let begin = page as u32 * PAGE_BYTES;
            // The place of the end of an object within a word of the page, in bits.
            let end_in = |size: u32, word: usize| (size - begin).saturating_sub(word as u32 * 8).min(8) * 8;
            for (word, undef) in undef.iter_mut().enumerate() {
                *undef |= mask(end_in(after, word)) & !mask(end_in(before, word));
            }
        }
        if undef.iter().any(|&word| word != 0) {
            data.extend(undef);
        }
        self.components.intern(&data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Program;
    use crate::store::Interner;
    use crate::system::state::form::Form;
    use crate::system::state::object_table::{Object, ObjectKind};
    use rmc_runtime::Bytes;

    /// An object of `sizes[0]` bytes that grows to each of the others, with a byte written before each time,
    /// has the content of one that has the last size from the beginning.
    fn check(program: &Program, sizes: &[u32], zeroed: bool) {
        let id = ObjectId::new(1, 1);
        let object = |size| Object {
            id,
            size,
            extent: Extent::Known(u32::MAX),
            zeroed,
            kind: ObjectKind::Heap,
            form: Form::C,
            shared: false,
            taker: 0,
            dead: false,
            depth: 0,
            base: 0,
        };
        let mut grown = ObjectMemory::new(program, Interner::default());
        let mut whole = ObjectMemory::new(program, Interner::default());
        let last = *sizes.last().expect("there are sizes");
        for (memory, size) in [(&mut grown, sizes[0]), (&mut whole, last)] {
            let pages = memory.fresh_pages(size, zeroed);
            memory.add(object(size), &pages);
        }
        for pair in sizes.windows(2) {
            if pair[0] > 0 {
                for memory in [&mut grown, &mut whole] {
                    let region = memory.region(id).expect("the object exists");
                    memory.write(&region, pair[0] - 1, 1, Bytes::defined(u128::from(pair[0] & 0xFF)));
                }
            }
            grown.grow(id, pair[1]);
        }
        let [words, expected] = [&mut grown, &mut whole].map(|memory| {
            memory.intern_dirty_pages();
            let base = memory.object(id).expect("the object exists").base;
            memory.pages[base..base + pages(last)]
                .iter()
                .map(|&id| memory.components.get(id).to_vec())
                .collect::<Vec<_>>()
        });
        assert_eq!(words, expected, "{sizes:?}, {zeroed}");
    }

    #[test]
    fn what_grew_is_what_was_there_from_the_beginning() {
        let program = Program::default();
        for zeroed in [false, true] {
            for first in 0..20 {
                for last in first..140 {
                    check(&program, &[first, last], zeroed);
                }
            }
            check(&program, &[0, 3, 7, 8, 61, 64, 65, 200], zeroed);
        }
    }
}
