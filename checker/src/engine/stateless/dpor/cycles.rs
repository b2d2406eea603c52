//! The check of `--robustness`: executions that are not sequentially consistent are violations.

use crate::engine::findings::Findings;
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::robustness::sequential::{self, Reason};
use crate::engine::stateless::robustness::{Cycles, Pending, name_of_calls, overtaking};
use crate::engine::stateless::stepper::Stepper;
use crate::outcome::{Fault, Violation, ViolationKind};

/// Looks for a cycle of the execution, which ends here. The machine is in the last state of the execution.
pub(super) fn check_robustness(
    cycles: &mut Cycles,
    stepper: &mut Stepper<'_>,
    prefix: &Prefix,
    findings: &mut Findings,
) {
    let pending = Pending::of(&stepper.machine);
    let calls = |thread: usize, step: usize| {
        stepper.load(prefix.states[step]);
        name_of_calls(&stepper.machine, thread)
    };
    let found = cycles.find(&prefix.execution, &pending, calls);
    stepper.load_last(prefix);
    if let Some(until) = found {
        let schedule = stepper.schedule(prefix, until);
        findings.add(Violation { fault: Fault::new(ViolationKind::NotRobust, ""), schedule, preemptions: None });
    }
}

/// Looks for a borderline load of a sequentially consistent execution, which ends here, and reports an
/// execution under TSO in which the load overtakes a store.
///
/// # Errors
/// The reason for which sequentially consistent executions do not say whether the program is robust.
pub(super) fn watch(
    cycles: &mut Cycles,
    stepper: &Stepper<'_>,
    prefix: &Prefix,
    findings: &mut Findings,
) -> Result<(), Reason> {
    let found = sequential::borderline_loads(&prefix.execution)?;
    if found.is_empty() {
        return Ok(());
    }
    let (program, config) = (stepper.machine.program(), *stepper.machine.config());
    let schedule = found.iter().find_map(|overtaking| {
        let sequential = stepper.schedule(prefix, overtaking.load + 1);
        overtaking::schedule(program, config, &sequential, *overtaking)
    });
    let schedule = schedule.ok_or(Reason::Unconfirmed)?;
    cycles.note_confirmed();
    findings.add(Violation { fault: Fault::new(ViolationKind::NotRobust, ""), schedule, preemptions: None });
    Ok(())
}
