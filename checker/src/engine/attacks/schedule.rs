//! The executions of attacks: their schedules, and whether they can go on to an end.

use super::states::Move;
use crate::engine::counterexample::run_step;
use crate::engine::stateless::robustness;
use crate::halt::Halt;
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::outcome::ScheduleStep;
use crate::store::Id;
use crate::system::{AnswerRuns, Config, Machine, StepEnd, library};

/// The maximal number of states through which an execution is followed to its end.
const MOST_STATES: usize = 1 << 18;

/// The result of following an execution of an attack to its end.
pub enum Completion {
    /// It can end, or go on for ever, with all its assumptions true.
    Found,
    /// No end was found where all its assumptions are true.
    NotFound,
}

/// The schedule of an execution in which these moves are made.
///
/// The machine keeps all stores and their numbers here. So the moves lead to an execution of the program, and
/// not only of the search.
///
/// # Panics
/// If the moves cannot be made.
pub fn of_moves(program: &Program, config: Config, moves: &[Move]) -> Vec<ScheduleStep> {
    let mut machine = Machine::new(program, config);
    let (mut vector, mut schedule) = (Vec::new(), Vec::new());
    machine.pack(&mut vector);
    for by in moves {
        machine.unpack(&vector);
        let step = match *by {
            Move::Step(thread, ref answers) => ScheduleStep::of(thread, answers.to_vec()),
            Move::Update(thread, at) => {
                let number = machine.waiting(thread)[at].number;
                ScheduleStep { update: Some(number), ..ScheduleStep::of(thread, Vec::new()) }
            }
            Move::Delay(_) => continue,
        };
        let report = run_step(&mut machine, &step, schedule.len() + 1).expect("a move that was made is possible");
        schedule.push(step);
        if report.end == StepEnd::Done {
            machine.pack(&mut vector);
        }
    }
    schedule
}

/// Follows the execution of an attack until all its assumptions turned out to be true. A program without
/// assumptions is not followed.
///
/// # Panics
/// If the execution is sequentially consistent.
pub fn completion(program: &Program, config: Config, schedule: &[ScheduleStep], halt: &Halt) -> Completion {
    let has_cycle = robustness::has_cycle(program, config, schedule).expect("the schedule was run before");
    assert!(has_cycle, "the execution of an attack is not sequentially consistent");
    if !library::may_assume(program) {
        return Completion::Found;
    }
    let mut machine = Machine::new(program, config);
    let mut vector = Vec::new();
    machine.pack(&mut vector);
    for (at, step) in schedule.iter().enumerate() {
        machine.unpack(&vector);
        let report = run_step(&mut machine, step, at + 1).expect("the schedule was run before");
        match report.end {
            StepEnd::Done => machine.pack(&mut vector),
            // The last event ends the execution.
            _ => return Completion::Found,
        }
    }
    machine.unpack(&vector);
    pack_settled(&mut machine, &mut vector);
    complete(&mut machine, vector, halt)
}

/// Follows the sequentially consistent continuations of a state, depth first.
fn complete(machine: &mut Machine<'_>, first: Vec<Id>, halt: &Halt) -> Completion {
    let (mut known, mut open) = (FxHashSet::default(), vec![first]);
    while let Some(vector) = open.pop() {
        if !known.insert(vector.clone()) {
            continue;
        }
        if known.len() > MOST_STATES || halt.reason().is_some() {
            return Completion::NotFound;
        }
        machine.unpack(&vector);
        let threads: Vec<_> = machine.schedulable_threads().collect();
        let (mut goes_on, mut after) = (false, Vec::new());
        for thread in threads {
            let mut runs = AnswerRuns::new(&vector, thread);
            while let Some(report) = runs.run_next(machine) {
                match report.end {
                    StepEnd::Blocked | StepEnd::ExitsLast => continue,
                    StepEnd::Pruned => {}
                    StepEnd::Done => {
                        pack_settled(machine, &mut after);
                        open.push(after.clone());
                    }
                    _ => return Completion::Found,
                }
                goes_on = true;
            }
        }
        if !goes_on {
            return Completion::Found;
        }
    }
    Completion::NotFound
}

/// Lets all stores reach memory, and packs the state.
fn pack_settled(machine: &mut Machine<'_>, out: &mut Vec<Id>) {
    for thread in 0..machine.thread_count() {
        loop {
            let next = machine.ready(thread).next().map(|store| store.number);
            let Some(number) = next else { break };
            machine.update(thread, number);
        }
    }
    machine.restart_store_numbers();
    machine.pack(out);
}
