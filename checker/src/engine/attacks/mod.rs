//! Robustness under TSO for programs with loops, and for buffers of any length: Bouajjani, Derevenetc and
//! Meyer, *Checking and Enforcing Robustness against TSO*, ESOP 2013.
//!
//! A program is robust if every execution under TSO is sequentially consistent: its conflict graph
//! (`engine/stateless/robustness/graph.rs`) has no cycle. A program that is not robust has an *attack*. That
//! is an execution of this form:
//!
//! 1. The program runs sequentially consistently.
//! 2. One thread, the *attacker*, delays a store, and all its further stores. It runs up to a load past
//!    which the store is delayed. The other threads, the *helpers*, never delay a store.
//! 3. Only helpers take steps, and only steps that come after that load in the conflict graph. One of them
//!    touches bytes of a store that is delayed past the load. It does not see the store, so it comes before
//!    it in the graph, and the store comes before the load in program order: a cycle.
//!
//! The last step of an attack makes the cycle, whatever happens afterwards; the stores can always reach
//! memory then. So each attack is an execution that is not sequentially consistent. It is run again with
//! buffers of ordinary kind before it is reported, and its cycle is found again in its conflict graph.
//!
//! The attacker sees of its delayed stores only the newest value of each byte, and a helper sees nothing. So
//! the search keeps these values instead of a buffer ([`Machine::coalesce`]), and buffers have no length. The
//! search ends if the program has finitely many states under SC and the attackers' own states are finitely
//! many. All attacks are looked for in one search: the attacker, and what its loads mark (`marks.rs`), are
//! part of the state.
//!
//! # Each program that is not robust has an attack
//!
//! The source proves this for accesses of one size. Here accesses have bytes, and a load may read some bytes
//! of delayed stores and others from memory, as on x86 without waiting (`system/buffers/updates.rs`). So here
//! is the argument again. *Events* are steps and updates. An event *precedes* a later one of the same thread,
//! except that a load does not precede the update of an older store. It precedes a later one of another
//! thread if they conflict, where bytes that a load reads from its own buffer conflict only with writes after
//! the store that it reads reached memory. An execution stays one, with the same graph, if events are
//! reordered that do not precede each other. A store is *delayed past* an operation of its thread that
//! happens in memory between the moment of the store and its update.
//!
//! Take an execution with a cycle and as few pairs of a store delayed past an operation as possible.
//!
//! * Let a store s be delayed past e. If no chain of events, each preceding the next, leads from e to the
//!   update of s, then s and everything between that precedes it can be moved before e. That removes a pair
//!   and adds none: an update and a later step of its thread keep their order. So there is a chain. Each of
//!   its links is an edge of the graph, or a sequence of edges, in program order or between threads; so e
//!   comes before s in the graph, and s comes before e in program order.
//! * Let x be the first event at which some chain from e, which s is delayed past, reaches an event x of
//!   another thread that conflicts with s while s is delayed. Nothing after x is needed. By the choice of x,
//!   a store of a further thread that is delayed past something could reach memory before x, and be moved as
//!   above; then it is delayed past less, and x still comes after e and before s. So only one thread delays
//!   stores. For the same reason all operations past which s is delayed have chains to x, and s may be taken
//!   as its first delayed store.
//! * The last operation past which s is delayed has a chain to x that never returns to the attacker. If some
//!   event of a helper comes between and does not precede x, or comes after no operation of the attacker
//!   since s, it can be left out or moved before s. If it comes after one, before the last, and precedes no
//!   later one but the last, it can be moved behind the last one: what the last operation reads then does not
//!   matter. So in step 2 helpers take only steps that come after an operation of the attacker since s, and
//!   in step 3 only those that come after the last one.
//!
//! # What counts
//!
//! * Full fences, read-modify-writes and calls of the library wait until the thread's buffer is empty. So an
//!   attacker does not get past them, and creation and join of threads are events of helpers, with the edges
//!   that they have in the conflict graph.
//! * Everything that a step does to memory at once is an operation past which stores can be delayed: loads,
//!   but also looks at the existence of an object, and the end of a local variable that others know.
//! * Faults before an attack are violations. With delayed stores they are none: an execution up to a fault
//!   that has no cycle is sequentially consistent, so the search finds that fault before any attack.
//! * Every load of every round of a loop counts, as with the stateless engines.
//! * A loop that stores in every round is none that waits, whatever it stores, as with the stateless engines.
//!   So a thread that goes round in one is in no deadlock.
//! * An execution in which an assumption fails does not count. An attack that cannot be followed to an end
//!   where all assumptions are true is neither reported nor taken for none: the answer is `unknown`.
//! * A copy in several pieces between places that threads share is refused: its stores may come after later
//!   loads of the same copy under SC, too. A copy from or to memory that only one thread knows is not.
//! * Memory leaks, data races and final states are not looked for. PSO is refused: there stores of one thread
//!   overtake each other, and the argument above does not hold.
//!
//! Tests: in the files; `tests/tests/attacks.rs` compares with the textbook machine and with the stateless
//! engine; `tests/programs/unbounded`.
//!
//! [`Machine::coalesce`]: crate::system::Machine::coalesce

mod attack;
mod marks;
mod schedule;
mod search;
mod states;

use std::sync::atomic::Ordering;

use rmc_runtime::Model;

use self::search::Search;
use super::capabilities::{self, Capabilities};
use super::{Engine, EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::outcome::cycle::Robustness;
use crate::system::Config;

/// The engine that looks for attacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks;

impl Engine for Attacks {
    fn capabilities(&self) -> Capabilities {
        capabilities::ATTACKS
    }

    fn config(&self, config: Config) -> Config {
        Config {
            updates: true,
            robustness: true,
            buffer_bound: 0,
            bound_grows: false,
            reductions: config.reductions.of_stateless(),
            inputs: self.capabilities().inputs(),
            ..config
        }
    }

    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError> {
        let config = self.config(config);
        let mut search = Search::new(program, config, limits, progress);
        search.explore()?;
        progress.has_stopped.store(true, Ordering::Relaxed);
        let statistics = search.statistics();
        let Search { machine, findings, is_attacked, stopped, .. } = search;
        let is_bounded = findings.is_bounded(&machine);
        let outcome = findings.outcome(&machine, stopped, statistics, None);
        let robustness = match () {
            () if is_attacked => Robustness::NotRobust,
            () if config.model() == Model::Sc || outcome.complete && !is_bounded => Robustness::Robust,
            () => Robustness::Undecided,
        };
        Ok(Outcome { robustness: Some(robustness), ..outcome })
    }
}
