//! Cached steps: their events and successors ([`crate::engine::memo`]).
//!
//! Steps that ask a question or have a violation are not kept; of those that ask, the events are.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::event::Event;
use super::state_cache;
use super::stepper::Wait;
use crate::engine::memo::{self, Origin};
use crate::store::{Change, Id};

/// Cached steps, found by the items that they read.
pub type StepCache = memo::Memo<Key, Rc<CachedStep>>;

/// The events of steps that asked questions, found by the items that they read and their answers. Each is
/// there once, so that it can be told by its address.
pub type AskedEvents = memo::Memo<(Key, Box<[u32]>), Rc<Event>>;

/// The parts of a state on which a step depends in any case: its action (the thread, and for an update the
/// number of the store plus one), its thread's two components (not used for an update), the thread's buffer,
/// the component of threads and objects, and the component of the number of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    words: [u64; 4],
}

impl Key {
    /// A key of these things.
    pub fn new(action: (u32, u32), thread: [Id; 2], queue: Id, whole: [Id; 2]) -> Self {
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        Self { words: [pair(action.0, action.1), pair(thread[0], thread[1]), queue.into(), pair(whole[0], whole[1])] }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The length is not hashed, and the words are hashed one by one.
        self.words.iter().for_each(|&word| state.write_u64(word));
    }
}

/// A step that was taken, and its result.
#[derive(Debug)]
pub struct CachedStep {
    /// The event that the step was.
    pub event: Rc<Event>,
    /// The result.
    pub result: StepResult,
    /// True if the step leads to another state.
    pub changes_state: bool,
}

impl CachedStep {
    /// The step with this event and this result.
    pub fn new(event: Rc<Event>, result: StepResult) -> Self {
        let repeats = |reached: &Reached| !event.is_update() && reached.is_same();
        let changes_state = matches!(&result, StepResult::Reaches(reached) if !repeats(reached));
        Self { changes_state, event, result }
    }

    /// True if it leads to another state and is certainly no round of a loop that only waits.
    #[inline]
    pub fn leads_on(&self) -> bool {
        self.changes_state && !self.event.is_idle()
    }
}

/// The result of a step.
#[derive(Debug)]
pub enum StepResult {
    /// It has to wait. The event is the attempt.
    Waits(Wait),
    /// The process ended with this status and the memory of the state before, or in a final state that is
    /// known.
    Ends(Option<i64>),
    /// Another state.
    Reaches(Reached),
}

/// The difference between the states before and after a step.
#[derive(Debug)]
pub enum Reached {
    /// The state differs in these components.
    Changed(Box<[Change]>),
    /// The state is made of these parts.
    Made(Box<[Origin]>),
}

impl Reached {
    /// True if the step leads to the same state.
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Changed(changes) if changes.is_empty())
    }

    /// Writes the vector after the step to `after`, and returns its hash, computed from that of the vector
    /// before.
    pub fn apply_hashed(&self, before: &[Id], hash: u64, after: &mut Vec<Id>) -> u64 {
        self.apply(before, after);
        match self {
            Self::Changed(changes) => {
                let change = |hash, &(at, id): &Change| state_cache::rehash(hash, at as usize, before[at as usize], id);
                changes.iter().fold(hash, change)
            }
            Self::Made(_) => state_cache::hash(after),
        }
    }

    /// Writes the vector after the step to `after`.
    pub fn apply(&self, before: &[Id], after: &mut Vec<Id>) {
        match self {
            Self::Changed(changes) => memo::apply_changes(changes, before, after),
            Self::Made(parts) => memo::apply(parts, before, after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_applied_to_other_states() {
        let changed = Reached::Changed(memo::changes(&[10, 20, 30], &[10, 21, 30]));
        let mut after = vec![5; 7];
        changed.apply(&[7, 20, 9], &mut after);
        assert_eq!(after, [7, 21, 9]);
        assert!(!changed.is_same() && Reached::Changed(memo::changes(&[10], &[10])).is_same());
    }
}
