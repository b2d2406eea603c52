//! Functions that let time pass or name the process. Time is not modelled: whoever sleeps may be overtaken by
//! anything, and so may whoever does not, hence sleeping returns at once. As system calls they are full
//! fences.

use super::{Call, Family};
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, VisibleSlot};

pub(super) const FAMILY: Family = &[
    ("sched_yield", pass),
    ("pthread_yield", pass),
    ("thrd_yield", pass),
    ("sleep", pass),
    ("usleep", pass),
    ("nanosleep", pass),
    ("clock_nanosleep", pass),
    ("thrd_sleep", pass),
    ("pthread_setname_np", pass),
    ("pthread_setaffinity_np", pass),
    ("sched_setaffinity", pass),
    ("pthread_setconcurrency", pass),
    ("getpid", process),
    ("getppid", parent),
    ("gettid", thread),
];

/// The number of the process, and of its main thread; other threads have the next ones.
const PROCESS: u64 = 1000;
const PARENT: u64 = 1;

/// Nothing but a full fence.
fn pass<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.full_fence(turn) { machine.give(call, 0) } else { Ok(Next::Wait) }
}

fn process<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PROCESS)
}

fn parent<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, PARENT)
}

fn thread<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.mark_asymmetric();
    machine.give(call, PROCESS + machine.running.thread as u64)
}
