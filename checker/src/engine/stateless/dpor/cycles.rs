//! The check of `--robustness`: executions that are not sequentially consistent are violations.

use crate::engine::findings::Findings;
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::robustness::Cycles;
use crate::engine::stateless::stepper::Stepper;
use crate::outcome::{Fault, Violation, ViolationKind};

/// Looks for a cycle of the execution, which ends here. The machine is in the last state of the execution.
pub(super) fn check_robustness(cycles: &mut Cycles, stepper: &Stepper<'_>, prefix: &Prefix, findings: &mut Findings) {
    if let Some(until) = cycles.find(&prefix.execution, &stepper.machine) {
        let schedule = stepper.schedule(prefix, until);
        findings.add(Violation { fault: Fault::new(ViolationKind::NotRobust, ""), schedule, preemptions: None });
    }
}
