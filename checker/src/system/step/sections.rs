//! Atomic sections as one step.
//!
//! Nobody else does anything before a section ends, and with update events no delayed store reaches memory.
//! So the thread goes on where other steps would be cut, until the section ends, the thread waits in it, or a
//! state comes back between two parts of the step: then it goes round in a loop for ever. Only with DPOR, a
//! section that asks for the values of inputs is several steps (`inputs/named.rs`).
//!
//! With delayed flushing, where states are stored, sections are cut like everything else.

use std::hash::{Hash, Hasher};

use crate::hash::{FxHashSet, FxHasher};
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::step::report::StepFootprint;

/// The number of parts after which a step is cut in any case.
const MOST_PARTS: usize = 1 << 14;

/// The states between the parts of a step, as hashes of their vectors. If two have the same, the step ends
/// early.
#[derive(Debug, Default)]
pub(super) struct Parts {
    seen: FxHashSet<u64>,
    vector: Vec<Id>,
}

impl Parts {
    /// Adds a state. Returns false if it is there.
    fn add(&mut self) -> bool {
        let mut hasher = FxHasher::default();
        self.vector.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }
}

impl Machine<'_> {
    /// True if the thread is in an atomic section that is one step.
    pub(in crate::system) fn is_whole_section(&self) -> bool {
        self.config.updates && self.in_section()
    }

    /// The parts of a step that begins.
    pub(super) fn first_part(&mut self) -> Parts {
        let mut parts = Parts::default();
        if self.is_whole_section() {
            self.pack(&mut parts.vector);
            parts.add();
        }
        parts
    }

    /// True if a step goes on that would be cut elsewhere.
    pub(super) fn goes_on_in_section(&mut self, parts: &mut Parts) -> bool {
        if !self.is_whole_section() || parts.seen.len() >= MOST_PARTS || self.halt.reason().is_some() {
            return false;
        }
        let mut distinct = StepFootprint::new();
        for touch in std::mem::take(&mut self.report.footprint) {
            if !distinct.contains(&touch) {
                distinct.push(touch);
            }
        }
        self.report.footprint = distinct;
        self.leave();
        self.pack(&mut parts.vector);
        parts.add()
    }
}
