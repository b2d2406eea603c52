//! Functions that let time pass or name the process. Time is not modelled: other threads may overtake a
//! thread that sleeps, and just as well one that does not. So sleeping returns at once. As system calls these
//! functions are full fences.

use super::Call;
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

/// The number of the process and of its main thread. Other threads have the next numbers.
pub const PROCESS: u64 = 1000;
/// The number of the process that started it.
pub const PARENT: u64 = 1;

/// Part of the names of the C++ library's headers.
const CXX_HEADERS: &str = "/include/c++/";

/// Models a function that is only a full fence.
pub(super) fn pass<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.full_fence(turn) { machine.give(call, 0) } else { Ok(Next::Wait) }
}

/// Models what every clock of the support library calls when it is read. Its time stands still, so what the
/// program does when time passes is left out.
///
/// The headers of the C++ library read clocks around waits, and only to tell whether the time of the wait is
/// over. The support library answers that in each possible way, so nothing is left out there.
pub(super) fn read_clock<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    while machine.place_of_step().line == 0 && machine.fetch_caller() {}
    if !machine.place_of_step().file.contains(CXX_HEADERS) {
        machine.note_left_out(Unknown::Clock);
    }
    machine.announce_reading_of_clock();
    machine.give(call, 0)
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
