//! Detection of memory accesses that tell threads apart: accesses to parts of telling words
//! ([`crate::interp::watch`]).
//!
//! Symmetry reduction renames whole words of memory when it exchanges threads. It cannot rename a part of a
//! word, nor a word that lies across two words of memory. So a program that has such an access is explored
//! without the reduction. A word that looks telling by chance is treated as if it was.
//!
//! Tests: `tests/programs/symmetry/told_apart.c`, and `tests/tests/symmetry.rs`, which compares searches with
//! and without the reduction on random programs.

use rmc_runtime::Bytes;

use super::{Content, ObjectMemory, Region};
use crate::interp::watch::{is_telling, owner_of};
use crate::ir::thread_name;

/// The maximal number of threads of a state in which threads are exchanged. The numbers of so many fit into
/// one word.
pub const MOST_EXCHANGED: usize = 16;

impl ObjectMemory<'_> {
    /// Detects an access to a part of a telling word. Constants are not renamed, so from these also a whole
    /// word that is telling must not be read.
    #[cold]
    pub(super) fn watch_part(&self, region: &Region, offset: u32, len: u8) {
        let end = offset + u32::from(len);
        let words = offset / 8..end.div_ceil(8);
        if let Content::Constant(_) = region.content {
            let mut words = words.map(|word| self.word(region, word as usize).0);
            self.asymmetric.set(self.asymmetric.get() || len >= 8 && words.any(is_telling));
            return;
        }
        let is_part = |word: u32| offset > word * 8 || end < word * 8 + 8;
        for word in words.filter(|&word| is_part(word)) {
            let (bits, _) = self.word(region, word as usize);
            // The upper three bytes of an address determine its owner. The others do not depend on it.
            let tells_owner = end > word * 8 + 5 && is_renamed(bits);
            self.asymmetric.set(self.asymmetric.get() || thread_name::is_marked(bits) || tells_owner);
        }
    }

    /// Detects a write of a telling word that will lie across two words of memory, and of undefined bits that
    /// look like a thread's name.
    pub(super) fn watch_value(&self, offset: u32, value: Bytes) {
        let words = [value.bits as u64, (value.bits >> 64) as u64];
        let split = !offset.is_multiple_of(8) && words.into_iter().any(is_telling);
        let marked = thread_name::is_marked(value.undef as u64) || thread_name::is_marked((value.undef >> 64) as u64);
        self.asymmetric.set(self.asymmetric.get() || split || marked);
    }
}

/// True if an exchange of threads may rename a word as an address: its owner is a thread that may be
/// exchanged. That thread may have ended.
const fn is_renamed(word: u64) -> bool {
    let owner = owner_of(word);
    owner > 1 && owner <= MOST_EXCHANGED as u32
}
