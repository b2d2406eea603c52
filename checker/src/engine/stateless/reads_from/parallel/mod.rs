//! Several workers of one search.
//!
//! Each worker has an execution, a stepper and histories of its own, and explores what is below some branch by
//! itself. If another one has nothing to do, it *shares* its nodes from the outermost one to the first one that
//! has branches left ([`worker`]), and makes half of these branches tasks for all ([`pool`]). A branch that some
//! worker finds for a shared node from then on is its own, and is no branch if its name was known there, whoever
//! found it.
//!
//! So each branch of a node is followed once, by one worker, as with one worker. What follows from that, that
//! each class is explored once, does not depend on the order in which branches are followed, and the counts of
//! classes and executions are the same. The number of executions that are no class may differ.
//!
//! Numbers of histories are the numbers of one worker. In names that are compared they are replaced by the
//! numbers of a table of all workers ([`super::sequences`]), and a branch is handed over as the steps that it has
//! beyond its node ([`shared_node`]), which the worker that takes it adds to its histories ([`handover`]). Threads
//! have the same numbers for all ([`crate::system::ThreadNumbers`]), since events name them.

mod handover;
mod merge;
mod numbers;
mod pool;
mod search;
mod shared_node;
mod worker;
mod written;

pub(super) use merge::merged;
pub(super) use search::{Counts, SharedSearch};
pub(super) use worker::Worker;
