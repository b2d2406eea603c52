//! The reads-from engine: one execution of each reads-from class, under SC, TSO and PSO.
//!
//! Two executions are of one class if their threads take the same steps and each read has the same source.
//! There are as many executions as dependencies of data: the order of stores that nobody tells apart is
//! explored only once. Source of the equivalence, and of the idea to decide by histories which classes a
//! model allows: Bui, Chatterjee, Gautam, Pavlogiannis, Toman, *The Reads-From Equivalence for the TSO and
//! PSO Memory Models*, OOPSLA 2021.
//!
//! # The search
//!
//! A *graph* is a set of steps, closed under program order and sources, with the source of each read. A graph
//! grows by the next step of the first thread that can go on. If that step has reads, it is a *node*, and
//! there is a branch for each source:
//!
//! * *Forward.* A source that is in the graph.
//! * *Revisit.* A write `w` that a later step of the search does. The branch is the node's graph, with all
//!   that `w` depends on, and `w`; if `w` depends on the step itself, there is none. Such branches are found
//!   while others are explored, and each is named by its content: the histories of the threads, and the
//!   source. A content that was met at this node before is no branch.
//!
//! A graph is followed only if the model allows it, and a step at the end of a witness extends it. So no
//! execution ends without having been a class. Mostly the current execution shows what is allowed: in some
//! order of its events the sources of the step are in memory ([`rearrangement`], [`merging`]), and what is
//! not where it was is taken again ([`insertion`]), unless the step only loads ([`in_place`]). A source is
//! out of the question if a step that comes before, in every execution with these sources, hides it
//! ([`order`]), and needs no execution if it is known what the step does with it ([`outcomes`]). Only what is
//! left is decided as a history (`rmc_consistency`).
//!
//! *Each class is explored once.* Let `T` be a class. At each node whose graph is in `T`, the step has one
//! source in `T`, and what that source depends on is determined by `T`. So `T` is below exactly one branch.
//!
//! *Each class is explored.* The argument is that for TruSt (Kokologiannakis, Marmanis, Gladstein,
//! Vafeiadis, *Truly Stateless, Optimal Dynamic Partial Order Reduction*, POPL 2022), whose revisits are a
//! part of these: there, a read is revisited only if what is removed can be found again from the result
//! alone. Here all revisits are tried, and contents tell which are the same. TruSt stores nothing, and this
//! search the names of the branches of the current nodes; but whether a revisit is one of TruSt's costs
//! several decisions of the model, and looking up a name does not.
//!
//! # Read-modify-writes and locks
//!
//! A read-modify-write `u` that reads `s`, as another one in the graph does, makes a graph that no model
//! allows. But the other one may be revisited by it: then `u` reads `s`, and the other one reads `u`. So
//! branches that are allowed without the writes of the step are tried for that purpose
//! ([`search`]). A step that has to wait if it reads `u`, like the lock of a mutex that `u`
//! took, is no step of the branch; it is a node again when it can be taken.
//!
//! # Loops that wait
//!
//! A step that would complete an idle round (`stepper/idle_rounds.rs`) is not taken. If some source makes it
//! wait, there is one branch more of its node, in which its thread never goes on. The writes of that branch
//! revisit the node as those of the others do, so the classes in which the step reads another source are
//! found from there. At the end of the branch it is decided whether the thread can wait for ever
//! ([`waiting`]). If it cannot, the execution is no class. Such executions are the price of not knowing
//! beforehand who waits for what; Kokologiannakis, Ren and Vafeiadis (*Dynamic Partial Order Reductions for
//! Spinloops*, FMCAD 2021) pay it, too.
//!
//! # Queues and barriers
//!
//! Queues of waiting threads and rounds of barriers are bytes that the steps read and write which depend on
//! them (`system/observe/footprint.rs`), so their order is part of the class. A woken thread waits for a
//! mutex, too, so its step has several sources with which it waits. Where it waits, the others are followed
//! without it; a branch of its node that has the same graph as a part is then none, since whatever is found
//! from it is found from that part ([`node::Node::waits`]).
//!
//! Steps that read more than they write, as the lock of a mutex does, are in [`written`].
//!
//! # Final states
//!
//! Where final states are asked for, the process may end at every moment, and the step that ends it reads all
//! globals. So the executions that end with different memory are of different classes.
//!
//! # Leaks
//!
//! Where leaks are looked for, the process may end at every moment, too, and what is lost then depends on how
//! far each thread has come. So each step changes the position of its thread, and the step that ends the
//! process reads the positions of all. What memory holds besides is no part of the class ([`losses`]).
//!
//! # Limits
//!
//! Steps that depend on others in a way that is no read are refused by name (`accesses.rs`).

mod alternatives;
mod attempts;
mod branches;
mod candidate;
mod clock;
mod delay;
mod final_memory;
mod histories;
mod in_place;
mod insertion;
mod late_stores;
mod losses;
mod memory;
mod merging;
mod names;
mod node;
mod nodes;
mod occurrences;
mod order;
mod outcomes;
mod parallel;
mod rearrangement;
mod removal;
mod run;
mod search;
mod sections;
mod sequences;
mod trace;
mod waiting;
mod witness;
mod written;

use crate::engine::capabilities::{self, Capabilities};
use crate::engine::{Engine, EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::Config;

/// The reads-from engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadsFrom;

impl Engine for ReadsFrom {
    fn capabilities(&self) -> Capabilities {
        capabilities::READS_FROM
    }

    fn config(&self, config: Config) -> Config {
        let reductions = config.reductions.of_stateless();
        Config { updates: true, reads_from: true, reductions, inputs: self.capabilities().inputs(), ..config }
    }

    fn run(
        &self,
        program: &Program,
        config: Config,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Outcome, EngineError> {
        run::run(program, self.config(config), limits, progress)
    }
}
