//! What a thread loaded lately: a loop that waits loads the same again and again.

/// The number of words of which a thread knows when it repeated a load of them.
const WORDS: usize = 32;

/// For some words, the position of the last load that was repeated.
#[derive(Debug, Default)]
pub(super) struct Rounds([(u64, u64); WORDS]);

impl Rounds {
    /// The number of accesses since a thread repeated a load of a word, which it does now after so many
    /// accesses. Very many if that is not known.
    pub fn since(&mut self, at: u64, accesses: u64) -> u64 {
        let (word, position) = std::mem::replace(&mut self.0[at as usize % WORDS], (at, accesses));
        if word == at { accesses - position } else { u64::MAX }
    }
}
