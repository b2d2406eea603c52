//! Several workers of one search.
//!
//! Each worker has an execution, a stepper and histories of its own, and explores what is below some branch by
//! itself. A worker without work asks the others, and one of them *shares* its nodes from the outermost one to
//! the first one that has branches left ([`worker`]). The branches of shared nodes are tasks for all
//! ([`pool`]), those that are found later as well: a revisit that some worker finds for a shared node becomes
//! a task unless its name was known there, whoever found it first.
//!
//! So each branch of a node is followed once, by one worker, as with one worker. What follows from that, that
//! each class is explored once, does not depend on the order in which branches are followed, and the counts of
//! classes and executions are the same. The number of executions that are no class may differ.
//!
//! Numbers of histories are the numbers of one worker. In names that are compared they are replaced by the
//! numbers of a table of all workers ([`super::sequences`]), and a branch is handed over as the steps that it has
//! beyond its node ([`shared_node`]), which the worker that takes it adds to its histories ([`handover`]).

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
