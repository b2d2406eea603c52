//! With `--robustness`: executions that are not sequentially consistent are violations.

use super::search::Search;
use crate::outcome::{Fault, Violation, ViolationKind};

impl Search<'_> {
    /// Looks at the execution, which ends here; the machine is in its last state.
    pub(super) fn check_robustness(&mut self) {
        let Some(cycles) = &mut self.cycles else { return };
        if let Some(until) = cycles.find(&self.execution, &self.machine) {
            let schedule = self.schedule(until);
            self.findings.add(Violation { fault: Fault::new(ViolationKind::NotRobust, ""), schedule });
        }
    }
}
