//! The end of the process: `exit`, `abort`, failed assertions. This `exit` is that of programs which have
//! nothing to run at the end; the others get the support library's.
//!
//! Whatever other threads do before is part of the execution, so `exit` is visible; and if one thing that
//! goes wrong is not enough, so are the others.

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

pub(super) fn exit<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let status = machine.signed_argument(call, 0)?;
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    if machine.exits_last() {
        return Err(StepEnd::ExitsLast);
    }
    machine.drain()?;
    machine.observe_call("exit", status);
    machine.end_process(status);
    Err(StepEnd::Exit(status))
}

impl Machine<'_> {
    /// Whether threads leave the end of the process until no other thread can go on: the stateless engine
    /// takes it then, and says why that is enough (`engine/stateless/stateless/termination.rs`). Not where
    /// the moment of the end can be noticed, because what memory holds then is observed or searched for
    /// leaks.
    #[must_use]
    pub fn defers_exits(&self) -> bool {
        self.config.updates && !self.config.final_states && !self.looks_for_leaks()
    }

    /// Whether the running thread, which is about to end the process, leaves that to later. Not in an atomic
    /// section, in which nobody else can go on.
    fn exits_last(&self) -> bool {
        let defers = self.defers_exits() && self.memory.table.atomic.is_none();
        if defers {
            self.see_live();
        }
        defers && self.threads.live > 1
    }
}

/// Whether the process may go wrong now. Where that does not settle everything, other threads may do what
/// they have to do before.
pub(super) fn may_go_wrong(machine: &Machine<'_>, turn: &mut VisibleSlot) -> bool {
    machine.config.is_settled_by_one() || machine.may_proceed(turn)
}

pub(super) fn abort<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, _: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    machine.fault(ViolationKind::Abort, "abort was called")
}

/// `__assert_fail(expression, file, line, function)`: what `assert` calls.
pub(super) fn assertion<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    let expression = machine.argument(call, 0)?;
    let text = machine.text_at(expression)?;
    machine.fault(ViolationKind::Assertion, format!("assertion `{text}` failed"))
}

/// `__assert_perror_fail(number, file, line, function)`: what `assert_perror` calls.
pub(super) fn error_assertion<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    let number = machine.signed_argument(call, 0)?;
    machine.fault(ViolationKind::Assertion, format!("unexpected error number {number}"))
}

/// What code compiled with `-D_FORTIFY_SOURCE` or `-fstack-protector` calls.
pub(super) fn overflow<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.fault(ViolationKind::OutOfBounds, format!("a buffer is too small, says `{}`", call.name))
}
