//! Functions that let time pass or name the process. Time is not modelled: whoever sleeps may be overtaken by
//! anything, and so may whoever does not, hence sleeping returns at once. As system calls they are full
//! fences.

use super::Call;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

/// The number of the process, and of its main thread; other threads have the next ones.
const PROCESS: u64 = 1000;
const PARENT: u64 = 1;

/// Nothing but a full fence.
pub(super) fn pass<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.full_fence(turn) { machine.give(call, 0) } else { Ok(Next::Wait) }
}

pub(super) fn process<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PROCESS)
}

pub(super) fn parent<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PARENT)
}

pub(super) fn thread<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.mark_asymmetric();
    machine.give(call, PROCESS + machine.running.thread as u64)
}
