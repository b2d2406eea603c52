//! Deadlocks in the form in which all engines report them.

use crate::outcome::{Fault, ViolationKind};
use crate::system::Machine;

/// The deadlock of a state in which no thread can take a step. The message says what each live thread waits
/// for.
#[must_use]
pub fn deadlock(machine: &mut Machine<'_>) -> Fault {
    let program = machine.program();
    let threads: Vec<_> = machine.live_threads().collect();
    let waits = threads.into_iter().map(|thread| {
        let (what, frames) = machine.wait_of(thread);
        format!("thread {thread} waits in {what} ({})", program.place(program.innermost_location(&frames)))
    });
    let mut message = waits.collect::<Vec<_>>().join("; ");
    if machine.has_disputes() {
        message += "; so it stays if the buffered stores to the same memory arrive in one of their orders";
    }
    Fault::new(ViolationKind::Deadlock, message)
}
