//! Names of threads in the program's memory: the values of `pthread_t`, and the owners of mutexes.
//!
//! A name is a word of 64 bits:
//!
//! ```text
//!  63       32 31        8 7        0
//! |  mark     | note       | thread+1 |
//! ```
//!
//! *mark* distinguishes names from other words: no address has it, and programs are unlikely to compute it by
//! chance. Symmetry reduction finds names in memory by it, and exchanges them (`system/analyses/symmetry/`).
//! *note* is how often the thread has locked the mutex, and 0 in a `pthread_t`.

use super::address::MAX_THREADS;

/// The upper half of every name. No address has it, even if a program sets tag bits in the address.
const MARK: u64 = 0xF1A7_8069;
/// The position of the mark's lowest bit.
const MARK_SHIFT: u32 = 32;
/// The position of the note's lowest bit.
const NOTE_SHIFT: u32 = 8;
/// The bits of the thread's number plus one.
const THREAD_MASK: u64 = 0xFF;

/// The largest note: it has 24 bits.
pub const MAX_NOTE: u64 = (1 << 24) - 1;

/// The name of a thread, with a note of at most [`MAX_NOTE`]. It is never 0.
#[must_use]
pub const fn name(thread: usize, note: u64) -> u64 {
    MARK << MARK_SHIFT | note << NOTE_SHIFT | (thread as u64 + 1)
}

/// True if a word has the mark of names.
#[inline]
#[must_use]
pub const fn is_marked(word: u64) -> bool {
    word >> MARK_SHIFT == MARK
}

/// The number of the thread that a word names, if the word is a name.
#[inline]
#[must_use]
pub const fn thread_of(word: u64) -> Option<usize> {
    let thread_plus_one = word & THREAD_MASK;
    let is_name = is_marked(word) && thread_plus_one > 0 && thread_plus_one <= MAX_THREADS as u64;
    if is_name { Some(thread_plus_one as usize - 1) } else { None }
}

/// The note of a name.
#[must_use]
pub const fn note_of(word: u64) -> u64 {
    word >> NOTE_SHIFT & MAX_NOTE
}

#[cfg(test)]
mod tests {
    use super::super::address::{ObjectId, pointee, split};
    use super::*;

    #[test]
    fn a_name_has_its_thread_and_note_and_is_no_address() {
        let notes = [0, 1, 0xFF, 0x100, 0xFFFF, MAX_NOTE - 1, MAX_NOTE];
        for (thread, note) in (0..MAX_THREADS).flat_map(|thread| notes.map(|note| (thread, note))) {
            assert_eq!((thread_of(name(thread, note)), note_of(name(thread, note))), (Some(thread), note));
            assert_eq!(split(name(thread, note)), None);
            assert_eq!(pointee(name(thread, note)).map_or(0, ObjectId::owner), 0);
        }
        assert_eq!(thread_of(5), None);
    }
}
