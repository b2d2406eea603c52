//! Facts about instructions that are found while steps are taken.
//!
//! A search may rely on these facts when it leaves something out. A new fact can make an earlier decision
//! wrong, so the search then starts over with the known facts. There are finitely many instructions.

use std::mem::Discriminant;

use super::event::Event;
use crate::hash::{FxHashMap, FxHashSet};
use crate::ir::ids::{FuncId, Pc};
use crate::system::Commuting;

/// Instructions, by function and position in it.
pub type Places = FxHashSet<(FuncId, Pc)>;

/// Facts about instructions.
#[derive(Default)]
pub struct Learned {
    /// Instructions at which a thread had to wait for others.
    pub may_block: Places,
    /// Instructions at which a step had another effect than elsewhere.
    pub footprint_varies: Places,
    /// The kinds of things that the first step seen at an instruction touched.
    first_kinds: FxHashMap<(FuncId, Pc), FootprintKinds>,
    /// True if a fact was added since the search began, so that earlier decisions may be wrong.
    pub must_restart: bool,
}

/// The kinds of things that a step read and wrote. Memory is one of the kinds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FootprintKinds {
    /// One bit for each kind.
    reads: u128,
    writes: u128,
    /// The kind of the first commuting write.
    commuting: Option<Discriminant<Commuting>>,
    in_section: bool,
}

impl FootprintKinds {
    fn of(event: &Event) -> Self {
        let kinds = |write| {
            let touches = event.footprint.iter().filter(|touch| touch.write == write && !touch.hypothetical);
            touches.fold(0, |kinds, touch| kinds | 1 << touch.kind())
        };
        let commuting = event.footprint.iter().find_map(|touch| touch.commuting.as_ref().map(std::mem::discriminant));
        Self { reads: kinds(false), writes: kinds(true), commuting, in_section: event.in_section() }
    }
}

impl Learned {
    /// The facts of earlier searches.
    pub fn new(may_block: Places, footprint_varies: Places) -> Self {
        Self { may_block, footprint_varies, ..Self::default() }
    }

    /// Records that a step at this instruction had to wait for other threads.
    pub fn blocked_at(&mut self, place: (FuncId, Pc)) {
        self.must_restart |= self.may_block.insert(place);
    }

    /// Records that steps at this instruction do not all have the same effect.
    pub fn varies_at(&mut self, place: (FuncId, Pc)) {
        self.must_restart |= self.footprint_varies.insert(place);
    }

    /// Observes a step that was taken. If another step at its instruction touched other kinds of things, the
    /// instruction varies.
    pub fn observe(&mut self, event: &Event) {
        let Some(place) = event.place().filter(|_| !event.footprint.is_empty() && !event.ends()) else { return };
        let kinds = FootprintKinds::of(event);
        if *self.first_kinds.entry(place).or_insert(kinds) != kinds {
            self.varies_at(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{PLACE, read, update, write};

    #[test]
    fn an_instruction_varies_if_it_writes_only_sometimes() {
        let mut learned = Learned::default();
        learned.observe(&read(0, 1));
        learned.observe(&read(1, 2));
        learned.observe(&update(1, 0, 2));
        assert!(!learned.must_restart);
        learned.observe(&write(0, 1));
        assert!(learned.must_restart && learned.footprint_varies.contains(&PLACE));
    }

    #[test]
    fn a_known_fact_is_no_reason_to_start_over() {
        let mut learned = Learned::new([PLACE].into_iter().collect(), Places::default());
        learned.blocked_at(PLACE);
        assert!(!learned.must_restart);
    }
}
