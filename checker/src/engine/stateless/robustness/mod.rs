//! `--robustness`: whether every execution under the model is one of sequential consistency too.
//!
//! An execution is sequentially consistent exactly if its conflict graph (`graph.rs`) has no cycle: program
//! order in full, who read from whom, who overwrote whom, who did not see whom (Shasha and Snir, TOPLAS 1988;
//! Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory Models*, CAV 2008,
//! definitions 1 and 2). The engine explores one execution of each Shasha-Snir trace, and equal traces have
//! equal graphs, so it is enough to look at each execution once, where it ends: complete, blocked, or gone
//! wrong. The last is looked at as if its stores reached memory right afterwards, which they may do before
//! the process is gone. Where an assumption fails there is no execution.
//!
//! What counts as an operation are the engine's events: a wait for a lock is none.
//!
//! **Loops that wait.** Every load of every round counts, as in the definition: `x = 1; while (!y);` beside
//! its mirror image has a cycle, since both threads can look before the other's store is there. That no round
//! counts would be no definition: whether the first round of a loop is one that changes nothing depends on
//! which temporaries the compiler keeps in memory, and an execution may end within a round. Rounds without
//! effect are left out elsewhere (`stepper/idle_rounds.rs`); here a thread may take two of them in an
//! execution, disjoint ones, before it waits. That is enough:
//!
//! * A shortest cycle has at most two operations of each thread. If it had two pieces of one thread, program
//!   order between the first operation of one and the last of the other would make it shorter.
//! * An idle round that has no operation of a given cycle can be taken out of an execution, and the cycle
//!   stays: all else happens as before, and the relations between the other operations are the same. What is
//!   left when all such rounds were taken out has in each thread as many disjoint idle rounds as the cycle
//!   has operations there, at most two. Rounds are counted as they complete, each from the end of the one
//!   before: no other way to pick disjoint rounds gives more.
//!
//! Whether a thread waits then depends on what it did and read before, as with any step that may have to
//! wait, so each trace with two rounds is still explored once.
//!
//! A shortest cycle (`cycle.rs`) has no two operations more than it needs in any thread. All its relations
//! but one kind hold on every machine with store buffers: a store may be delayed until after the next
//! operation of its thread on the cycle. The cycle is possible as long as there is one such pair without a
//! fence; so each gets one (Shasha and Snir call the pairs delays).
//!
//! Tests: `tests/programs/robustness`, `tests/tests/robustness.rs`, the latter against the textbook machine
//! on random programs.

mod cycle;
mod graph;
mod replay;

use std::collections::BTreeSet;

use super::execution::Execution;
use crate::hash::FxHashSet;
use crate::ir::ids::{FuncId, Pc};
use crate::system::Machine;
use crate::system::buffers::BufferedStore;
pub use replay::replay;

/// A store that is in its thread's buffer when the execution ends.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    thread: usize,
    store: BufferedStore,
}

impl Pending {
    fn of(machine: &Machine<'_>) -> Vec<Self> {
        let threads = 0..machine.thread_count();
        threads.flat_map(|thread| machine.waiting(thread).iter().map(move |&store| Self { thread, store })).collect()
    }
}

/// Roughly a line of the source: the thread, where its step began, and of a buffered store which one of the
/// step's it is.
type Landmark = (usize, FuncId, Pc, Option<u32>);

/// The cycles found so far, by what their operations are.
#[derive(Debug, Default)]
pub struct Cycles {
    known: FxHashSet<BTreeSet<Landmark>>,
}

impl Cycles {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Looks for a cycle of an execution that ends here; the machine is in its last state. Of a new one, the
    /// step of the execution up to which it can be seen.
    pub fn find(&mut self, execution: &Execution, machine: &Machine<'_>) -> Option<usize> {
        let cycle = cycle::find(execution, &Pending::of(machine))?;
        let landmarks = cycle.sites().map(|site| {
            let event = execution.event(site.step);
            let (function, pc) = event.place().expect("a site is a step");
            (site.thread, function, pc, site.store.map(|store| store - event.pushed().start))
        });
        self.known.insert(landmarks.collect()).then(|| cycle.until(execution))
    }
}
