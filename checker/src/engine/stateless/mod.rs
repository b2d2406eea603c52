//! Stateless exploration: engines that explore executions rather than states, and their common parts.
//!
//! * `event`, `event_index`, `execution`, `forwarding`: events, their positions and conflicts, and the
//!   happens-before relation of a sequence of events.
//! * `prefix`: the current execution with its states.
//! * `stepper`: takes steps and updates, by the machine or from caches (`state_cache`, `step_cache`).
//!   Nearly all contact with the machine is there.
//! * `learned`: facts about instructions that were found while steps were taken.
//! * `join_suffix`: the end that most executions have in common.
//! * `results`, `termination`, `final_states`, `leaks`: the results of executions.
//! * `sources`: the sources of reads, and reads-from classes.
//! * `accesses`: what a step reads and writes as histories of events know it.
//! * `budget`, `measures`, `deepening`, `estimate`: limits, counts, bounds on loops, and the progress of a
//!   search.
//! * `bits`, `variants`: sets of positions in executions, and events that differ from others in one thing.
//! * `reads_from`: one execution of each reads-from class.
//! * `dpor`: Source-DPOR and Optimal-DPOR.
//! * `robustness`: executions that are not sequentially consistent.
//!
//! Nothing outside `dpor` knows of sleep sets or wakeup trees.

pub mod dpor;
pub mod reads_from;
pub mod robustness;

mod accesses;
mod bits;
mod budget;
mod deepening;
mod estimate;
mod event;
mod event_index;
mod execution;
mod few_switches;
mod final_states;
mod forwarding;
mod join_suffix;
mod leaks;
mod learned;
mod measures;
mod prefix;
mod results;
mod sources;
mod state_cache;
mod step_cache;
mod stepper;
mod termination;
#[cfg(test)]
mod test_events;
mod variants;
