//! Schedules with the values of a program's inputs.
//!
//! The schedule of a violation that was found with symbols (`system/inputs/`) answers questions about them.
//! Here it becomes one whose steps have values for the inputs and ask no such question:
//!
//! 1. The steps are run with symbols. This gives the values, and for each step its *plan*: the number of its
//!    operations and of its inputs, and its answers to other questions.
//! 2. The steps are run with the values. Where a step ends depends on what it asked
//!    (`system/inputs/given.rs`), so a planned step may take several steps with values, and may have to end
//!    before it would.
//!
//! The operations of all threads happen in the same order, with the same answers. That is all on which an
//! execution depends; computations between operations touch what their thread alone knows. If the symbols are
//! right, the second run has the violation of the first one. If it has not, there is no schedule: nothing of
//! the first run confirms a violation.
//!
//! Tests: `tests/tests/given_inputs.rs`, `tests/programs/inputs/equal_values.c` and `equal_stores.c`.

use super::counterexample::{Mismatch, run_step};
use crate::ir::Program;
use crate::outcome::{ScheduleStep, Violation, ViolationKind};
use crate::store::Id;
use crate::system::{Config, Inputs, Machine, StepEnd};

/// A schedule without symbols, and the configuration in which it is run.
pub(super) struct WithValues {
    pub config: Config,
    pub schedule: Vec<ScheduleStep>,
}

/// The schedule of a violation, with the values of inputs. It is the given one if its steps have values, or
/// if inputs are no symbols in this configuration.
///
/// # Errors
/// [`Mismatch`]: the schedule cannot be run, or has no such violation with the values that were found.
pub(super) fn with_values(program: &Program, config: Config, violation: &Violation) -> Result<WithValues, Mismatch> {
    let given = Config { inputs: Inputs::Given, ..config };
    let schedule = violation.schedule.clone();
    if schedule.iter().any(|step| !step.inputs.is_empty()) {
        return Ok(WithValues { config: given, schedule });
    }
    let (plans, mut values) = plans(program, config, &schedule)?;
    if values.is_empty() {
        return Ok(WithValues { config, schedule });
    }
    let mut run = ValueRun::new(program, given, plans.len());
    for (at, plan) in plans.into_iter().enumerate() {
        let inputs = values.drain(..plan.inputs).collect();
        run.follow(plan, inputs, violation.fault.kind).ok_or(Mismatch { step: at + 1 })?;
    }
    Ok(WithValues { config: given, schedule: run.schedule })
}

/// A step that was run with symbols.
struct Plan {
    step: ScheduleStep,
    /// The number of operations.
    operations: u32,
    /// The number of inputs that it asked for.
    inputs: usize,
    /// The answers to questions that are not about symbols, in order.
    answers: Vec<u32>,
    /// True if the step ended in the violation.
    has_fault: bool,
}

/// The plans of the steps of a schedule, and the values of the inputs: of each the one nearest to 0 with
/// which the execution takes these steps.
fn plans(program: &Program, config: Config, schedule: &[ScheduleStep]) -> Result<(Vec<Plan>, Vec<u64>), Mismatch> {
    let mut machine = Machine::new(program, config);
    if !machine.defers_inputs() {
        return Ok((Vec::new(), Vec::new()));
    }
    machine.trace_inputs();
    let (mut vector, mut plans) = (Vec::new(), Vec::new());
    machine.pack(&mut vector);
    for (at, step) in schedule.iter().enumerate() {
        machine.unpack(&vector);
        let before = machine.traced_inputs();
        let report = run_step(&mut machine, step, at + 1)?;
        plans.push(Plan {
            step: step.clone(),
            operations: report.operations,
            inputs: machine.traced_inputs() - before,
            answers: answers(&mut machine, step),
            has_fault: matches!(report.end, StepEnd::Fault(_)),
        });
        if report.end == StepEnd::Done {
            machine.pack(&mut vector);
        }
    }
    Ok((plans, machine.traced_values()))
}

/// The answers of the step that was just run to the questions that it asks with values, too.
fn answers(machine: &mut Machine<'_>, step: &ScheduleStep) -> Vec<u32> {
    if step.update.is_some() {
        return Vec::new();
    }
    // A comparison of words is a question with values: 0 is the answer that they differ.
    let compared = machine.take_comparisons().into_iter().map(|(at, differ)| (at, u32::from(!differ)));
    let mut answers: Vec<_> = compared.collect();
    answers.extend(machine.choices.answers_but_of_inputs());
    // Comparisons come first among those with the same number of answers before them.
    answers.sort_by_key(|&(at, _)| at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// A run with values.
struct ValueRun<'p> {
    machine: Machine<'p>,
    vector: Vec<Id>,
    schedule: Vec<ScheduleStep>,
    /// The number of steps without an operation that may still be added. Such a step computes as long as one
    /// step may, as the planned ones did.
    idle_steps: usize,
    has_fault: bool,
}

/// The part of a plan that is left.
struct Rest {
    operations: u32,
    inputs: Vec<u64>,
    answers: Vec<u32>,
    creates: Vec<usize>,
}

impl Rest {
    fn is_done(&self) -> bool {
        self.operations == 0 && self.inputs.is_empty() && self.answers.is_empty()
    }
}

/// The result of a step that was run with values.
struct Taken {
    end: StepEnd,
    operations: u32,
    inputs: usize,
    answers: Vec<u32>,
    creates: usize,
}

impl Taken {
    /// True if the step does nothing but what is planned, whose end is a fault of this kind if `has_fault`.
    fn follows(&self, rest: &Rest, has_fault: bool, kind: ViolationKind) -> bool {
        let is_planned = match &self.end {
            StepEnd::Done => true,
            StepEnd::Fault(fault) => has_fault && fault.kind == kind,
            _ => false,
        };
        is_planned && self.operations <= rest.operations
    }
}

impl<'p> ValueRun<'p> {
    fn new(program: &'p Program, config: Config, steps: usize) -> Self {
        let mut machine = Machine::new(program, config);
        let mut vector = Vec::new();
        machine.pack(&mut vector);
        Self { machine, vector, schedule: Vec::new(), idle_steps: 2 * steps, has_fault: false }
    }

    /// Takes the steps of a plan. `None`: they cannot be taken.
    fn follow(&mut self, plan: Plan, inputs: Vec<u64>, kind: ViolationKind) -> Option<()> {
        if self.has_fault {
            return Some(());
        }
        let Plan { step, operations, answers, has_fault, .. } = plan;
        if step.update.is_some() {
            self.machine.unpack(&self.vector);
            run_step(&mut self.machine, &step, 0).ok()?;
            self.machine.pack(&mut self.vector);
            self.schedule.push(step);
            return Some(());
        }
        let mut rest = Rest { operations, inputs, answers, creates: step.creates };
        loop {
            let (taken, limit) = self.take(step.thread, &rest, has_fault, kind)?;
            if taken.operations == 0 {
                self.idle_steps = self.idle_steps.checked_sub(1)?;
            }
            rest.operations -= taken.operations;
            self.schedule.push(ScheduleStep {
                inputs: rest.inputs.drain(..taken.inputs).collect(),
                creates: rest.creates.drain(..taken.creates).collect(),
                operations: limit,
                ..ScheduleStep::of(step.thread, rest.answers.drain(..taken.answers.len()).collect())
            });
            if matches!(taken.end, StepEnd::Fault(_)) {
                self.has_fault = true;
                return Some(());
            }
            self.machine.pack(&mut self.vector);
            if !has_fault && rest.is_done() {
                return Some(());
            }
        }
    }

    /// Takes one step: as far as it goes by itself, or else with a limit.
    fn take(
        &mut self,
        thread: usize,
        rest: &Rest,
        has_fault: bool,
        kind: ViolationKind,
    ) -> Option<(Taken, Option<u32>)> {
        let free = self.run(thread, rest, None);
        let is_blocked = free.as_ref().is_some_and(|taken| taken.end == StepEnd::Blocked);
        if let Some(taken) = free.filter(|taken| taken.follows(rest, has_fault, kind)) {
            return Some((taken, None));
        }
        // With symbols, a step that asked of them is one although its operation is blocked. What that did
        // before it was blocked stays: it may have emptied the buffer.
        let limit = rest.operations + u32::from(is_blocked);
        let taken = self.run(thread, rest, Some(limit))?;
        let asks_all = taken.end != StepEnd::Done || taken.answers.len() == rest.answers.len();
        (asks_all && taken.follows(rest, has_fault, kind)).then_some((taken, Some(limit)))
    }

    /// Runs one step with the rest of a plan. `None`: it asks for more than the plan has.
    fn run(&mut self, thread: usize, rest: &Rest, limit: Option<u32>) -> Option<Taken> {
        let machine = &mut self.machine;
        machine.unpack(&self.vector);
        if !machine.schedulable_threads().any(|other| other == thread) {
            return None;
        }
        machine.choices.prescribe(&rest.answers);
        machine.prescribe_numbers(&rest.creates);
        machine.give_inputs(&rest.inputs, limit);
        let report = machine.step(thread);
        let answers = machine.choices.answers().to_vec();
        if answers.len() > rest.answers.len() || !machine.choices.is_in_range() {
            return None;
        }
        let creates = rest.creates.len() - machine.prescribed_numbers();
        Some(Taken {
            end: report.end,
            operations: report.operations,
            inputs: machine.inputs_taken()?,
            answers,
            creates,
        })
    }
}
