//! Names of threads in the program's memory: what a `pthread_t` is, and who holds a mutex.
//!
//! ```text
//!  63       32 31        8 7        0
//! |  mark     | note       | thread+1 |
//! ```
//!
//! The mark is no part of any address and no number that programs have by chance, so names are found in
//! memory and can be exchanged (`system/analyses/symmetry/`). A `pthread_t` has note 0.

use super::address::MAX_THREADS;

/// The upper half of every name. As an address it is none, tag bits or not.
const MARK: u64 = 0xF1A7_8069;
const NOTE: u32 = 8;
const THREAD: u64 = 0xFF;

/// The most a name can note.
pub const MAX_NOTE: u64 = (1 << 24) - 1;

/// The name of a thread, never 0.
#[must_use]
pub const fn name(thread: usize, note: u64) -> u64 {
    MARK << 32 | note << NOTE | (thread as u64 + 1)
}

/// Whether a word has the mark of names.
#[inline]
#[must_use]
pub const fn is_marked(word: u64) -> bool {
    word >> 32 == MARK
}

/// The thread that a word names.
#[inline]
#[must_use]
pub const fn thread_of(word: u64) -> Option<usize> {
    let thread = word & THREAD;
    if is_marked(word) && thread > 0 && thread <= MAX_THREADS as u64 { Some(thread as usize - 1) } else { None }
}

/// What a name notes.
#[must_use]
pub const fn note_of(word: u64) -> u64 {
    word >> NOTE & MAX_NOTE
}

#[cfg(test)]
mod tests {
    use super::super::address::{ObjectId, pointee, split};
    use super::*;

    #[test]
    fn names_come_back() {
        let notes = [0, 1, 0xFF, 0x100, 0xFFFF, MAX_NOTE - 1, MAX_NOTE];
        for (thread, note) in (0..MAX_THREADS).flat_map(|thread| notes.map(|note| (thread, note))) {
            assert_eq!((thread_of(name(thread, note)), note_of(name(thread, note))), (Some(thread), note));
            assert_eq!(split(name(thread, note)), None);
            assert_eq!(pointee(name(thread, note)).map_or(0, ObjectId::owner), 0);
        }
        assert_eq!(thread_of(5), None);
    }
}
