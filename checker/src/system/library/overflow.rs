//! Overflow of signed arithmetic, with `--overflow`: the functions that clang's sanitizer calls where a
//! result does not fit.
//!
//! The compiler knows which operations C calls signed, so it inserts the checks
//! (`-fsanitize=signed-integer-overflow`), and the checker has nothing to do without the option. Left shifts
//! are not checked. The names are from <https://clang.llvm.org/docs/UndefinedBehaviorSanitizer.html> and its
//! run-time library.

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Performed, VisibleSlot};

/// Options for clang that insert the checks.
pub const COMPILER_OPTIONS: [&str; 2] =
    ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=signed-integer-overflow"];

pub(super) fn add<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::SignedOverflow, "a sum does not fit in its signed type")
}

pub(super) fn subtract<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::SignedOverflow, "a difference does not fit in its signed type")
}

pub(super) fn multiply<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::SignedOverflow, "a product does not fit in its signed type")
}

pub(super) fn negate<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::SignedOverflow, "the least number of a signed type has no opposite")
}

pub(super) fn divide<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, _: Call<'p>) -> Performed {
    machine.fault(ViolationKind::DivisionOverflow, "the least number is divided by -1")
}
