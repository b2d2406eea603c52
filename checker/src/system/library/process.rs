//! The end of the process: `exit`, `abort`, failed assertions; and reports of the support library. This
//! `exit` is for programs that have nothing to run at the end; the others get the support library's.
//!
//! Operations of other threads before the end are part of the execution, so `exit` is visible. Violations
//! here are visible, too, if one violation does not answer everything that is asked for.

use super::Call;
use crate::outcome::{Unknown, ViolationKind};
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
    machine.announce_call("exit", status);
    machine.end_process(status);
    Err(StepEnd::Exit(status))
}

impl Machine<'_> {
    /// True if threads delay the end of the process until no other thread can go on. The stateless engine
    /// then takes the end, and `engine/stateless/termination.rs` proves that this is enough. False where the
    /// moment of the end can be noticed, because the content of memory at that moment is observed or searched
    /// for leaks.
    #[must_use]
    pub fn defers_exits(&self) -> bool {
        self.config.updates && !self.config.final_states && !self.looks_for_leaks()
    }

    /// True if the running thread, which is about to end the process, delays that. In an atomic section it
    /// does not, since no other thread can go on there.
    fn exits_last(&self) -> bool {
        let defers = self.defers_exits() && self.memory.table.atomic.is_none();
        if defers {
            self.announce_look_at_others();
        }
        defers && self.threads.live > 1
    }
}

/// True if the process may have a violation now. If one violation does not answer everything that is asked
/// for, other threads may first take their steps.
pub(super) fn may_go_wrong(machine: &Machine<'_>, turn: &mut VisibleSlot) -> bool {
    machine.config.is_settled_by_one() || machine.may_proceed(turn)
}

/// Like [`may_go_wrong`], of a violation whose text is at this address, if it has one. Others may be writing
/// there.
pub(super) fn may_go_wrong_with(
    machine: &Machine<'_>,
    turn: &mut VisibleSlot,
    text: Option<u64>,
) -> Result<bool, StepEnd> {
    let is_visible = match text {
        Some(text) => machine.is_visible(&machine.target(text, 1, false)?)?,
        None => false,
    };
    Ok(if is_visible { machine.may_proceed(turn) } else { may_go_wrong(machine, turn) })
}

pub(super) fn abort<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, _: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    machine.fault(ViolationKind::Abort, "abort was called")
}

/// Models `__assert_fail(expression, file, line, function)`, which `assert` calls.
pub(super) fn assertion<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    let expression = machine.argument(call, 0)?;
    let text = machine.text_at(expression)?;
    machine.fault(ViolationKind::Assertion, format!("assertion `{text}` failed"))
}

/// Models `__rmc_panic(text, length)`, with which the panics of Rust end.
pub(super) fn panic<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (text, length) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if !may_go_wrong_with(machine, turn, (length > 0).then_some(text))? {
        return Ok(Next::Wait);
    }
    let text = machine.block_at(text, length)?;
    machine.fault(ViolationKind::Panic, format!("panicked at `{}`", String::from_utf8_lossy(&text)))
}

/// Models `__rmc_use_hashes()`: what the program does with other random hashes is left out
/// (`pass/src/rust.rs`).
pub(super) fn use_hashes<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.fetch_place();
    machine.note_left_out(Unknown::Hashes);
    machine.give(call, 0)
}

/// Models `__assert_perror_fail(number, file, line, function)`, which `assert_perror` calls.
pub(super) fn error_assertion<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    let number = machine.signed_argument(call, 0)?;
    machine.fault(ViolationKind::Assertion, format!("unexpected error number {number}"))
}

/// Models the functions that code compiled with `-D_FORTIFY_SOURCE` or `-fstack-protector` calls.
pub(super) fn overflow<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.fault(ViolationKind::OutOfBounds, format!("a buffer is too small, says `{}`", call.name))
}
