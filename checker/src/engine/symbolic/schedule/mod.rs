//! Executions of threads that share memory, as constraints: the lower half of the engine.
//!
//! Sources: O. Inverso, E. Tomasco, B. Fischer, S. La Torre, G. Parlato, "Bounded Model Checking of
//! Multi-threaded C Programs via Lazy Sequentialization", CAV 2014, for rounds; E. Tomasco, T. L. Nguyen,
//! O. Inverso, B. Fischer, S. La Torre, G. Parlato, "Lazy Sequentialization for TSO and PSO via Shared Memory
//! Abstractions", FMCAD 2016, for memory.
//!
//! An execution is a prefix: each thread stops somewhere. Of events that are not executed nothing is
//! demanded. Within the bounds every execution is a model of the constraints and every model is an
//! execution, with two liberties that are explained where they are taken: invisible events come right after
//! the visible one before them (`rounds.rs`), and a fence may wait for its thread's next visible event
//! (`memory/times.rs`).
//!
//! * `events`: the input,
//! * `access`: events cell by cell, and which cells need memory,
//! * `local`: values that are a function of a thread's own events,
//! * `rounds`: the interleavings,
//! * `memory`: the memory models,
//! * `waiting`: who waits at the end of an execution,
//! * `actions`: an execution from a model of the constraints,
//! * `formula`: constraints under construction.
//!
//! Sizes, in variables and clauses, of store buffering in a circle: each thread stores unknown numbers to
//! its own cell of 32 bits and reads the next thread's. 3 nodes and 3 times; queues have 3 places.
//!
//! | threads | stores | rounds |            SC |           eTSO |             queues |
//! |--------:|-------:|-------:|--------------:|---------------:|-------------------:|
//! |       2 |      1 |      2 |      354, 978 |     618, 1,914 |        710,  2,783 |
//! |       2 |      4 |      4 |  1,623, 6,823 |  6,336, 29,007 |    29,805, 171,852 |
//! |       3 |      1 |      4 |    958, 3,627 |   2,178, 8,560 |      2,981, 14,712 |
//! |       3 |      4 |      4 |  2,365, 9,819 |  9,240, 42,018 |    62,495, 362,817 |
//! |       4 |      1 |      6 |  1,884, 7,870 |  4,658, 19,586 |      7,686, 40,155 |
//! |       4 |      4 |      6 | 4,617, 20,881 | 19,006, 89,279 | 174,841, 1,023,052 |
//!
//! 3 threads of 60 random accesses to 12 cells of 32 bits, 4 rounds: 30,500 variables and 132,000 clauses
//! for SC, 114,000 and 515,000 for eTSO and ePSO, which take 0.1 s to make and 0.3 to 0.8 s to decide for a
//! question about store buffering, with a model or without (6 rounds: 170,000 and 790,000, 0.8 to 1.7 s).
//!
//! Tried and removed, since neither changed the time to decide these: that each time is that of some store,
//! which excludes renumberings of the times; and clauses instead of gates for an equality that holds under a
//! condition, with which there are 40 % fewer variables and 25 % fewer clauses.
//!
//! Tests: `tests/`, which compare with a textbook machine. Nothing here knows programs.

mod access;
mod actions;
mod events;
mod formula;
mod local;
mod memory;
mod rounds;
#[cfg(test)]
mod tests;
mod waiting;

pub use actions::Encoded;
pub use events::{Action, Barrier, Bounds, Cell, CellId, Event, Model, Operation, SharedProgram, Target, Thread};
pub use formula::NewVariables;
pub use waiting::Waiting;

use rmc_formula::Terms;

use access::{Access, accesses};
use formula::Formula;
use memory::{CellOrder, Memory, ProgramOrder, SequentialMemory, Slot, WriteLists, useful_times};
use rounds::Rounds;

/// The executions of a program under a model, within bounds.
pub fn encode(
    terms: &mut Terms,
    variables: &mut NewVariables,
    program: &SharedProgram,
    model: Model,
    bounds: Bounds,
) -> Encoded {
    let mut f = Formula::new(terms, variables);
    let accesses = accesses(&mut f, program, model);
    let rounds = Rounds::new(&mut f, &accesses, bounds);
    // With one time every store reaches memory at once.
    let count = useful_times(&accesses).min(bounds.max_clock.max(1));
    let executed = rounds.executed(&mut f);
    let (times, waiting) = if model == Model::Sc || count == 1 {
        let mut memory = SequentialMemory::new(program);
        assert_steps(&mut f, &mut memory, &accesses, &rounds);
        (None, Waiting::new(&mut f, &accesses, &executed, &memory))
    } else {
        let bounds = (count, bounds.writes);
        let mut lists = match model {
            Model::Tso => WriteLists::new(&mut f, &ProgramOrder, program, &accesses, &rounds, bounds),
            _ => WriteLists::new(&mut f, &CellOrder, program, &accesses, &rounds, bounds),
        };
        let times = lists.times();
        assert_steps(&mut f, &mut lists, &accesses, &rounds);
        (Some(times), Waiting::new(&mut f, &accesses, &executed, &lists))
    };
    assert_program_order(&mut f, program, &accesses, &rounds);
    Encoded { constraints: f.into_constraints(), executed, waiting, times, accesses, rounds, model }
}

/// The executions of a program under TSO by queues. It has no actions.
#[cfg(test)]
fn encode_plain_tso(
    terms: &mut Terms,
    variables: &mut NewVariables,
    program: &SharedProgram,
    bounds: Bounds,
) -> Encoded {
    let mut f = Formula::new(terms, variables);
    let accesses = accesses(&mut f, program, Model::Tso);
    let rounds = Rounds::new(&mut f, &accesses, bounds);
    let mut memory = memory::plain_tso::QueueMemory::new(&mut f, program, &accesses, bounds.writes);
    assert_steps(&mut f, &mut memory, &accesses, &rounds);
    assert_program_order(&mut f, program, &accesses, &rounds);
    let executed = rounds.executed(&mut f);
    let waiting = Waiting::default();
    Encoded { constraints: f.into_constraints(), executed, waiting, times: None, accesses, rounds, model: Model::Tso }
}

/// Gives the reads from shared memory their values, in the order of rounds, threads and events.
fn assert_steps(f: &mut Formula, memory: &mut impl Memory, accesses: &[Vec<Access>], rounds: &Rounds) {
    for round in 0..rounds.count() {
        for (thread, events) in accesses.iter().enumerate() {
            for (event, access) in events.iter().enumerate().filter(|(_, access)| access.is_visible) {
                let is_now = rounds.within(round, thread, event).expect("a visible event is in a round");
                for case in memory.step(f, &Slot { thread, event, is_now, access }) {
                    let read = &access.reads[case.read];
                    let is_value = f.terms.eq(read.result, case.value);
                    f.assert_implied(&[is_now, read.condition, case.condition], is_value);
                }
            }
        }
    }
}

/// Gives local reads their values, and demands that atomic operations that are executed are possible.
fn assert_program_order(f: &mut Formula, program: &SharedProgram, accesses: &[Vec<Access>], rounds: &Rounds) {
    local::assert_local_reads(f, program, accesses);
    let executed = rounds.executed(f);
    for (access, &executed) in accesses.iter().flatten().zip(executed.iter().flatten()) {
        if let Some(enabled) = access.enabled {
            f.assert_implied(&[executed, access.guard], enabled);
        }
    }
}
