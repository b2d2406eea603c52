//! Repairs: a cheapest set of edits of the source that forbids the executions found so far.
//!
//! An execution that is to go gives a set of edits, of which a repair needs one ([`Requirements::add`]). A
//! cheapest hitting set of all of them is the next proposal ([`Requirements::cheapest`]); whoever runs the
//! program with it adds what is found then, until nothing is. As every set is necessary, the cost of the
//! cheapest hitting set is a lower bound all the time, and the proposal after which nothing is found is a
//! cheapest one, among the edits that [`candidates`] offers.
//!
//! Sources: this is the loop of Abdulla, Atig, Chen, Leonardsson and Rezine, *Counter-Example Guided Fence
//! Insertion under TSO*, TACAS 2012, section 4 (there with sets of all minimal solutions), and the costs of
//! fences and the hitting set those of Bouajjani, Derevenetc and Meyer, *Checking and Enforcing Robustness
//! against TSO*, ESOP 2013, section 5 (there as an integer linear program). Both place fences in automata;
//! here they are edits of C text, which may be impossible (`edit.rs`).
//!
//! This room reads texts and computes; it runs nothing and knows no program. Tests: here,
//! `tests/tests/fix.rs`.

pub mod apply;
pub mod candidates;
pub mod diff;
pub mod edit;
pub mod hitting_set;
pub mod lex;
pub mod macros;
pub mod source;
pub mod syntax;

use candidates::{Edit, EditKind};
use edit::Spot;

use crate::hash::{FxHashMap, FxHashSet};

/// The factor between costs, which leaves room for preferences among sets of the same cost.
const SCALE: u64 = 1 << 20;
/// The largest preference of an edit.
const MOST_PREFERENCE: u64 = 1 << 10;

/// The sets of edits of which a repair needs a member each.
#[derive(Default)]
pub struct Requirements {
    /// All edits that were offered.
    pub edits: Vec<Edit>,
    known: FxHashMap<(String, Spot, EditKind), usize>,
    sets: Vec<Vec<usize>>,
    /// Edits that do not compile.
    discarded: FxHashSet<usize>,
    /// For each edit, how often it is on the way of a delay of a cycle: these are likely to help.
    preference: Vec<u64>,
}

impl Requirements {
    /// The number of an edit.
    pub fn number(&mut self, edit: Edit) -> usize {
        let next = self.edits.len();
        let number = *self.known.entry(edit.identity()).or_insert(next);
        if number == next {
            self.edits.push(edit);
            self.preference.push(0);
        }
        number
    }

    /// Notes that an edit is likely to help.
    pub fn prefer(&mut self, edit: usize) {
        self.preference[edit] = (self.preference[edit] + 1).min(MOST_PREFERENCE);
    }

    /// Requires one of these edits, but for those that are made already and did not help. Returns false if
    /// none is left then, so that there is no repair.
    pub fn add(&mut self, edits: impl IntoIterator<Item = usize>, made: &[usize]) -> bool {
        let mut set: Vec<_> = edits.into_iter().filter(|edit| !made.contains(edit)).collect();
        set.sort_unstable();
        set.dedup();
        let is_possible = set.iter().any(|edit| !self.discarded.contains(edit));
        if !self.sets.contains(&set) {
            self.sets.push(set);
        }
        is_possible
    }

    /// Leaves out an edit from now on.
    pub fn discard(&mut self, edit: usize) {
        self.discarded.insert(edit);
    }

    /// The cheapest edits that hit all sets, by their numbers; none if there are none, or if `is_over` says
    /// that there is no more time.
    #[must_use]
    pub fn cheapest(&self, is_over: &dyn Fn() -> bool) -> Option<Vec<usize>> {
        let left = |set: &Vec<usize>| set.iter().copied().filter(|edit| !self.discarded.contains(edit)).collect();
        let sets: Vec<Vec<usize>> = self.sets.iter().map(left).collect();
        let cost = |(edit, preference): (&Edit, &u64)| edit.cost() * SCALE - preference;
        let costs: Vec<_> = self.edits.iter().zip(&self.preference).map(cost).collect();
        hitting_set::cheapest(&sets, &costs, is_over)
    }
}
