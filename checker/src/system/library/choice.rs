//! Models of `rmc_choose` and `rmc_assume` (include/rmc.h), with which a program leaves an input open.
//!
//! A call of `rmc_choose(n)` is explored with each of its `n` results. The step asks the
//! [`ChoiceSequence`](crate::system::step::choices::ChoiceSequence) for the result, as a load asks which
//! store it reads, and the engine repeats the step once for each answer. Only the program stores the result.
//! So two states are equal once the program has forgotten the results in which they differ.
//!
//! A choice after another one waits for the thread's next step. So if a thread chooses several values and
//! forgets each before it chooses the next, the numbers of successors add up. In one step they would
//! multiply.

use super::Call;
use crate::ir::Program;
use crate::ir::instr::LibrarySite;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};
use crate::system::symbols::ranges::Ranges;

/// The largest number of results that are tried one by one. More of them are an input like that of `rmc_int`.
pub const MOST_RESULTS: u64 = 1 << 16;

/// True if a call of `rmc_choose` has more results than are tried one by one, as far as its argument is a
/// constant. A program in which only other calls have as many keeps no inputs, and is not decided there.
pub(super) fn is_wide(program: &Program, site: &LibrarySite) -> bool {
    match site.args[0].resolve() {
        Ok(_) => false,
        Err(constant) => program.constants[constant].bits > MOST_RESULTS,
    }
}

/// Models `unsigned rmc_choose(unsigned n)`, which returns every value below `n`. If they are few, each is
/// chosen in an execution of its own.
pub(super) fn choose<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let count = machine.argument(call, 0)?;
    if count == 0 {
        return machine.fault(ViolationKind::InvalidArgument, "rmc_choose(0): there is nothing to choose");
    }
    if count > MOST_RESULTS {
        if !machine.keeps_inputs() {
            return Err(StepEnd::Limit(Unknown::Nondet));
        }
        return machine.give_input(turn, call, Ranges::from_to(0, count - 1), false);
    }
    let Some(value) = machine.choose(turn, count) else { return Ok(Next::Wait) };
    machine.announce_call(call.name, value);
    machine.give(call, value)
}

/// Models `void rmc_assume(_Bool condition)`. An execution in which the condition is false is discarded.
pub(super) fn assume<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.argument(call, 0)? == 0 { Err(StepEnd::Pruned) } else { machine.give(call, 0) }
}

impl Machine<'_> {
    /// Chooses a number below `count`, which must not be 0 and must fit in 32 bits. Other models use this for
    /// an input, or for whether a call fails. The result is `None` if the step performed something already
    /// and made a choice; the caller then returns `Next::Wait`, and the call begins again in the thread's
    /// next step.
    pub(super) fn choose(&mut self, turn: &VisibleSlot, count: u64) -> Option<u64> {
        if self.asks_later(turn) {
            return None;
        }
        let count = usize::try_from(count).expect("a count fits in 32 bits");
        Some(self.choices.ask(ChoiceKind::Data, count) as u64)
    }

    /// True if a choice waits for the thread's next step.
    pub(super) fn asks_later(&self, turn: &VisibleSlot) -> bool {
        turn.is_spent() || turn.has_moved() && self.choices.has_branched() && !self.is_whole_section()
    }
}
