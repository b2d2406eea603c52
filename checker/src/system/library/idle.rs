//! Functions that let time pass or name the process. Time is not modelled: other threads may overtake a
//! thread that sleeps, and just as well one that does not. So sleeping returns at once. As system calls these
//! functions are full fences.

use super::Call;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

/// The number of the process and of its main thread. Other threads have the next numbers.
pub const PROCESS: u64 = 1000;
/// The number of the process that started it.
pub const PARENT: u64 = 1;

/// Models a function that is only a full fence.
pub(super) fn pass<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.full_fence(turn) { machine.give(call, 0) } else { Ok(Next::Wait) }
}

/// Models `long __rmc_processors(void)`: the number of processors, 0 if the user did not say one.
pub(super) fn processors<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, machine.config.processors.unwrap_or(0).into())
}

pub(super) fn process<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PROCESS)
}

pub(super) fn parent<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PARENT)
}

pub(super) fn thread<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.announce_identity();
    machine.give(call, PROCESS + machine.running.thread as u64)
}
