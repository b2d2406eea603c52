//! The names of steps: the history of the thread before a step, the sources of its reads, and its answers to
//! questions.
//!
//! A source is the history of the thread that wrote it. So names are different if anything on which the step
//! depends is. Where each read of the step has one source, the places of the sources are those of its
//! accesses, and are not named: the first place follows from the history, and each of the next ones from that
//! and the sources before. They are named where the step reads stores of its own thread: its accesses are
//! others once these are in memory.

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::histories::{HistoryId, Origin};
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::Event;

/// A name, as words: a head, the writers, their places unless they follow from the accesses, and the answers.
pub type Name = SmallVec<[u64; 16]>;

/// A writer in a name: the history of its thread with its step, and the number of the store plus one if the
/// write is a delayed store. 0 is the writer of what is initial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedWriter(u64);

impl NamedWriter {
    fn of(origin: Option<Origin>) -> Self {
        let store = |origin: &Origin| origin.store.map_or(0, |store| u64::from(store) + 1);
        Self(origin.map_or(0, |origin| u64::from(origin.history) << 32 | store(&origin)))
    }

    /// The history of its thread with its step, or 0.
    pub const fn history(self) -> HistoryId {
        (self.0 >> 32) as HistoryId
    }

    /// The number of its store in its step, if it is a delayed store.
    pub const fn store(self) -> Option<u32> {
        (self.0 as u32).checked_sub(1)
    }

    /// The writer with another number for the history.
    const fn renamed(self, history: HistoryId) -> Self {
        Self((history as u64) << 32 | self.0 & u32::MAX as u64)
    }
}

/// The bit of the head that says that the places are not named.
const PLACES_FOLLOW: u64 = 1 << 63;

/// The name of a step after a history, which reads these places from these writers.
pub fn name(
    before: HistoryId,
    event: &Event,
    accesses: &Accesses,
    parts: impl Iterator<Item = (Place, Option<Origin>)> + Clone,
) -> Name {
    let is_own = |origin: &Origin| origin.step.thread as usize == event.action.thread && origin.store.is_some();
    let mut name = Name::new();
    name.push(0);
    let mut touches = accesses.reads.iter().map(|touch| touch.place);
    let mut places_follow = true;
    for (place, origin) in parts.clone() {
        name.push(NamedWriter::of(origin).0);
        places_follow &= touches.next() == Some(place) && !origin.is_some_and(|origin| is_own(&origin));
    }
    name[0] = u64::from(before) | (name.len() as u64 - 1) << 32;
    if places_follow && touches.next().is_none() {
        name[0] |= PLACES_FOLLOW;
    } else {
        for (Place { object, offset, len }, _) in parts {
            name.extend_from_slice(&[u64::from(object) << 32 | u64::from(offset), len.into()]);
        }
    }
    for &answer in event.answers() {
        name.push(answer.into());
    }
    name
}

/// The history before the step of a name.
pub const fn before(name: &[u64]) -> HistoryId {
    name[0] as HistoryId
}

/// The writers in a name, in order.
pub fn writers(name: &[u64]) -> impl ExactSizeIterator<Item = NamedWriter> + '_ {
    name[1..][..count(name)].iter().map(|&word| NamedWriter(word))
}

/// The places of the writers in the name of a step with these accesses.
pub fn places(name: &[u64], accesses: &Accesses) -> SmallVec<[Place; 4]> {
    if name[0] & PLACES_FOLLOW != 0 {
        return accesses.reads.iter().map(|touch| touch.place).collect();
    }
    let count = count(name);
    let words = name[1 + count..][..2 * count].as_chunks().0.iter();
    words.map(|&[at, len]| Place::new((at >> 32) as u32, at as u32, len as u32)).collect()
}

/// The name with other numbers for the histories in it.
pub fn renamed(name: &[u64], number: impl Fn(HistoryId) -> HistoryId) -> Name {
    let mut renamed = Name::from_slice(name);
    renamed[0] = u64::from(number(before(name))) | name[0] >> 32 << 32;
    for (word, writer) in renamed[1..].iter_mut().zip(writers(name)) {
        *word = writer.renamed(number(writer.history())).0;
    }
    renamed
}

/// The number of writers.
const fn count(name: &[u64]) -> usize {
    ((name[0] & !PLACES_FOLLOW) >> 32) as usize
}
