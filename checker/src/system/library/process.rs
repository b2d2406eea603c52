//! The end of the process: `exit`, `abort`, failed assertions.

use super::{Call, Family};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, Turn};

pub(super) const FAMILY: Family =
    &[("exit", exit), ("_exit", exit), ("_Exit", exit), ("abort", abort), ("__assert_fail", assertion)];

fn exit<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let status = machine.signed_argument(call, 0)?;
    if machine.program.has_destructors {
        return Err(StepEnd::Unsupported("destructor functions, which run when the process ends".to_owned()));
    }
    // Whatever other threads do before is part of the execution, so this is visible.
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain();
    machine.observe_call("exit", status.to_string());
    if machine.config.final_states {
        machine.observe_final_state(status);
    }
    Err(StepEnd::Exit(status))
}

fn abort<'p>(machine: &mut Machine<'p>, _: &mut Turn, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::Abort, "abort was called")
}

/// `__assert_fail(expression, file, line, function)`: what `assert` calls.
fn assertion<'p>(machine: &mut Machine<'p>, _: &mut Turn, call: Call<'p>) -> Performed {
    let expression = machine.argument(call, 0)?;
    let text = machine.text_at(expression)?;
    machine.fault(ViolationKind::Assertion, format!("assertion `{text}` failed"))
}
