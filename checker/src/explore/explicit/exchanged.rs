//! The way to a state where threads were exchanged: each state on the way stands for one that the program can be in, with other numbers of threads.
//!
//! Which threads take the steps is known, so the program is run along, beside the states that stand for its own. The answers to the questions of a step may have another order
//! under other numbers: those are taken that lead to a state which looks alike ([`Machine::likeness`]). What is found this way is an execution of the program. If none is found,
//! or it does not end in the violation, the search is made again without exchanges.

use super::Search;
use crate::explore::EngineError;
use crate::outcome::{Fault, ScheduleStep, Violation};
use crate::store::Id;
use crate::system::{Exchange, Machine, Prospect, StepEnd};

/// A state of the program and the one that stands for it.
pub(super) struct Along {
    /// The program's own state.
    vector: Vec<Id>,
    /// The numbers of threads in it.
    numbers: Exchange,
    schedule: Vec<ScheduleStep>,
}

impl Search<'_> {
    /// An execution to the last of these states.
    ///
    /// # Errors
    /// [`EngineError::ThreadsTold`] if none is found.
    pub(super) fn follow(&mut self, path: &[Id]) -> Result<Along, EngineError> {
        self.store.take(path[0]);
        let mut along = Along { vector: self.store.vector().to_vec(), numbers: Exchange::none(), schedule: Vec::new() };
        for pair in path.windows(2) {
            self.follow_step(&mut along, pair[0], pair[1])?;
        }
        Ok(along)
    }

    fn follow_step(&mut self, along: &mut Along, from: Id, to: Id) -> Result<(), EngineError> {
        let (step, reached, exchange) = self.exchanged_step(from, to);
        let thread = along.numbers.of(step.thread);
        let wanted = self.machine.likeness(&reached, step.thread);
        let mut own = Vec::new();
        let found = answers(&mut self.machine, &along.vector, thread, &step.choices, |machine, end| {
            *end == StepEnd::Done && {
                machine.pack(&mut own);
                machine.likeness(&own, thread) == wanted
            }
        });
        let choices = found.ok_or(EngineError::ThreadsTold)?;
        along.vector = own;
        along.schedule.push(ScheduleStep { thread, choices, update: None });
        along.numbers = along.numbers.after_undoing(&exchange);
        Ok(())
    }

    /// The step between two states that stand for others: where it led, and the exchange that was made then.
    fn exchanged_step(&mut self, from: Id, to: Id) -> (ScheduleStep, Vec<Id>, Exchange) {
        let mut vector_of = |state| {
            self.store.take(state);
            self.store.vector().to_vec()
        };
        let (target, source) = (vector_of(to), vector_of(from));
        self.machine.unpack(&source);
        let threads: Vec<_> = self.machine.schedulable_threads().collect();
        let (mut reached, mut exchanged) = (Vec::new(), Vec::new());
        for thread in threads {
            self.machine.script.clear();
            loop {
                self.machine.unpack(&source);
                if self.machine.step(thread) == StepEnd::Done {
                    self.machine.pack(&mut reached);
                    exchanged.clone_from(&reached);
                    let symmetry = self.symmetry.as_mut().expect("threads are exchanged");
                    let exchange = self.machine.exchange(symmetry, &mut exchanged);
                    if exchanged == target {
                        let choices = self.machine.script.answers().to_vec();
                        let step = ScheduleStep { thread, choices, update: None };
                        return (step, reached, exchange.unwrap_or_else(Exchange::none));
                    }
                }
                if !self.machine.script.advance() {
                    break;
                }
            }
        }
        unreachable!("a state is the successor of its parent")
    }

    /// The execution that goes on from `along` and ends in a fault of this kind.
    ///
    /// # Errors
    /// [`EngineError::ThreadsTold`] if there is none.
    pub(super) fn end_in_fault(
        &mut self,
        along: Along,
        thread: usize,
        choices: &[u32],
        fault: &Fault,
    ) -> Result<Violation, EngineError> {
        let Along { vector, numbers, mut schedule } = along;
        let thread = numbers.of(thread);
        let mut found = None;
        let choices = answers(&mut self.machine, &vector, thread, choices, |_, end| {
            if let StepEnd::Fault(own) = end
                && own.kind == fault.kind
            {
                found = Some(own.clone());
            }
            found.is_some()
        });
        let (Some(choices), Some(fault)) = (choices, found) else { return Err(EngineError::ThreadsTold) };
        schedule.push(ScheduleStep { thread, choices, update: None });
        Ok(Violation { fault, schedule })
    }

    /// The execution that ends in a deadlock; the machine is in its last state.
    ///
    /// # Errors
    /// [`EngineError::ThreadsTold`] if it does not.
    pub(super) fn end_in_deadlock(&mut self, along: Along) -> Result<Vec<ScheduleStep>, EngineError> {
        if self.machine.prospect(&along.vector, self.store.len()) != Prospect::Stuck {
            return Err(EngineError::ThreadsTold);
        }
        self.machine.unpack(&along.vector);
        Ok(along.schedule)
    }
}

/// The answers with which a step ends as it should, those of another run of it first. The machine is where the step led.
fn answers(
    machine: &mut Machine<'_>,
    vector: &[Id],
    thread: usize,
    first: &[u32],
    mut is_right: impl FnMut(&mut Machine<'_>, &StepEnd) -> bool,
) -> Option<Vec<u32>> {
    machine.script.prescribe(first);
    machine.unpack(vector);
    let end = machine.step(thread);
    if machine.script.is_consistent() && is_right(machine, &end) {
        return Some(first.to_vec());
    }
    machine.script.clear();
    loop {
        machine.unpack(vector);
        let end = machine.step(thread);
        if is_right(machine, &end) {
            return Some(machine.script.answers().to_vec());
        }
        if !machine.script.advance() {
            return None;
        }
    }
}
