//! The check of `--robustness`: every execution under the model must be sequentially consistent.
//!
//! An execution is sequentially consistent exactly if its conflict graph (`graph.rs`) has no cycle. The edges
//! of the graph are full program order, reads-from, coherence order and from-read (Shasha and Snir, TOPLAS
//! 1988; Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory Models*, CAV 2008,
//! definitions 1 and 2). The engine explores one execution of each Shasha-Snir trace, and equal traces have
//! equal graphs, so it is enough to check each execution once, where it ends: complete, blocked, or with a
//! violation. In the last case it is checked as if its stores reached memory right afterwards, which they may
//! do before the process is gone. An execution in which an assumption fails does not count.
//!
//! The operations are the engine's events: waiting for a lock is none.
//!
//! **Loops that wait.** Every load of every round counts, as in the definition: `x = 1; while (!y);` beside
//! its mirror image has a cycle, since both threads can look before the other's store has reached memory.
//! Ignoring all rounds would be no definition: whether the first round of a loop changes nothing depends on
//! the temporaries that the compiler keeps in memory, and an execution may end within a round. Elsewhere idle
//! rounds are left out (`stepper/idle_rounds.rs`). Here a thread may take two disjoint idle rounds in an
//! execution before it waits. That is enough:
//!
//! * A shortest cycle has at most two operations of each thread. If it had two separate parts of one thread,
//!   program order between the first operation of one and the last of the other would make it shorter.
//! * An idle round that has no operation of a given cycle can be removed from an execution, and the cycle
//!   stays: everything else happens as before, and the relations between the other operations are the same.
//!   After all such rounds are removed, each thread has as many disjoint idle rounds as the cycle has
//!   operations there, at most two. Rounds are counted as they complete, each from the end of the one before:
//!   no other choice of disjoint rounds gives more.
//!
//! Whether a thread then waits depends on its earlier steps and on what it read, as with any step that may
//! have to wait. So each trace with two rounds is still explored once.
//!
//! A shortest cycle (`cycle.rs`) has no more than two operations in any thread. All its relations but one
//! kind hold on every machine with store buffers: a store may be delayed until after the next operation of
//! its thread on the cycle. The cycle is possible as long as one such pair has no fence, so each pair gets
//! one (Shasha and Snir call the pairs delays).
//!
//! Tests: `tests/programs/robustness`, `tests/tests/robustness.rs`. The latter compares with the textbook
//! machine on random programs.

mod cycle;
mod delays;
mod graph;
pub mod overtaking;
mod replay;
pub mod sequential;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::execution::Execution;
use crate::hash::{FxHashSet, FxHasher};
use crate::ir::ids::{FuncId, Pc};
use crate::system::Machine;
use crate::system::buffers::BufferedStore;
pub use delays::delays;
pub use replay::{has_cycle, replay};

/// A store that is in its thread's buffer when the execution ends.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    thread: usize,
    store: BufferedStore,
}

impl Pending {
    /// The stores in the buffers of a machine.
    pub fn of(machine: &Machine<'_>) -> Vec<Self> {
        let threads = 0..machine.thread_count();
        threads.flat_map(|thread| machine.waiting(thread).iter().map(move |&store| Self { thread, store })).collect()
    }
}

/// An approximation of a source line: the thread, the place where its step began, a name of the calls around
/// it, and for a buffered store its index among those of the step.
type Landmark = (usize, (FuncId, Pc), u64, Option<u32>);

/// A name of the innermost calls in which a thread is. Calls further out are not told apart.
pub fn name_of_calls(machine: &Machine<'_>, thread: usize) -> u64 {
    const TOLD_APART: usize = 16;
    let mut hasher = FxHasher::default();
    machine.calls(thread).take(TOLD_APART).for_each(|call| call.hash(&mut hasher));
    hasher.finish()
}

/// The cycles found so far, identified by the landmarks of their operations.
#[derive(Debug, Default)]
pub struct Cycles {
    known: FxHashSet<BTreeSet<Landmark>>,
    /// True if an execution with a cycle was found that is none of those explored.
    is_confirmed: bool,
}

impl Cycles {
    /// True if there are no cycles.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && !self.is_confirmed
    }

    /// Notes that an execution with a cycle was found that is none of those explored.
    pub const fn note_confirmed(&mut self) {
        self.is_confirmed = true;
    }

    /// Looks for a cycle of an execution that ends here, with these stores in buffers. For a new cycle,
    /// returns the number of events of the execution up to which it can be seen. `calls` names the calls in
    /// which a thread is before a step.
    pub fn find(
        &mut self,
        execution: &Execution,
        pending: &[Pending],
        mut calls: impl FnMut(usize, usize) -> u64,
    ) -> Option<usize> {
        let cycle = cycle::find(execution, pending)?;
        let landmarks = cycle.sites().map(|site| {
            let event = execution.event(site.step);
            let place = event.place().expect("a site is a step");
            let store = site.store.map(|store| store - event.pushed().start);
            (site.thread, place, calls(site.thread, site.step), store)
        });
        self.known.insert(landmarks.collect()).then(|| cycle.until(execution))
    }
}
