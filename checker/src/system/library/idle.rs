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

/// The headers of the C++ library whose waits with a time the support library ends in each possible way, and
/// has the clocks go on: they read clocks only to tell whether the time of such a wait is over. Other headers
/// wait for the clock itself, or give what they read to the program.
const TIMED_HEADERS: [&str; 4] = ["condition_variable", "mutex", "shared_mutex", "bits/atomic_futex.h"];

/// Models a function that is only a full fence.
pub(super) fn pass<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.full_fence(turn) { machine.give(call, 0) } else { Ok(Next::Wait) }
}

/// Models `__rmc_read_clock()`, which every clock of the support library calls when it is read. Time stands
/// still, so what the program does when it passes is left out, unless [`TIMED_HEADERS`] read the clock. A
/// loop that waits for time to pass must not be taken for one that waits for ever.
pub(super) fn read_clock<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.fetch_place();
    if !is_timed_header(machine.file_of_operation()) {
        machine.note_left_out(Unknown::Clock);
        machine.announce_reading_of_clock();
    }
    machine.give(call, 0)
}

/// True if a file is one of [`TIMED_HEADERS`], of whatever version of the library.
fn is_timed_header(file: &str) -> bool {
    let header = file.split_once("/include/c++/").and_then(|(_, rest)| rest.split_once('/'));
    header.is_some_and(|(_, name)| TIMED_HEADERS.contains(&name))
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
