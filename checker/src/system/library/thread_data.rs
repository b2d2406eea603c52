//! Misuse of thread-specific data, whose functions are C (`libc/threads.c`).

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Performed, VisibleSlot};

/// Models `__rmc_invalid_key(key)`: a violation, because the key was never made or is deleted.
pub(super) fn invalid<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let key = machine.argument(call, 0)?;
    machine.fault(ViolationKind::InvalidKey, format!("key {key}"))
}
