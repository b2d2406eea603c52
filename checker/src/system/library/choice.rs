//! Data choices of the program: `rmc_choose` and `rmc_assume` of include/rmc.h, and what
//! `__VERIFIER_nondet_*` shares with them.
//!
//! A choice is a question of the step, like which of several stores a load sees: the step is run once for
//! each value. Nothing else remembers which value was chosen, so states in which it is not needed any more
//! are equal. A second choice waits for the next step, so that the values of several choices add up where
//! earlier ones are not needed any more, instead of multiplying.

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// `unsigned rmc_choose(unsigned n)`: each value below `n`.
pub(super) fn choose<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let values = machine.argument(call, 0)?;
    if values == 0 {
        return machine.fault(ViolationKind::InvalidArgument, "rmc_choose(0): there is nothing to choose");
    }
    let Some(value) = machine.choose(turn, values) else { return Ok(Next::Wait) };
    machine.observe_call(call.name, value);
    machine.give(call, value)
}

/// `void rmc_assume(_Bool condition)`: an execution where it does not hold is none.
pub(super) fn assume<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.argument(call, 0)? == 0 { Err(StepEnd::Pruned) } else { machine.give(call, 0) }
}

impl Machine<'_> {
    /// A number below `values`, which is not 0 and fits in 32 bits. `None`: the step already asked something,
    /// so the thread waits for its next one.
    pub(super) fn choose(&mut self, turn: &VisibleSlot, values: u64) -> Option<u64> {
        if turn.has_moved() && self.script.has_branched() {
            return None;
        }
        let values = usize::try_from(values).expect("addresses have 64 bits");
        Some(self.script.ask(ChoiceKind::Data, values) as u64)
    }
}
