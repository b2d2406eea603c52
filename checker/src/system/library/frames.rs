//! `__builtin_return_address`: the address at which a function continues its caller when it returns.
//!
//! The value is an address in the object of the function that made the call, at an offset for the call's
//! place. No two calls have the same address. Nothing can be read there, and it cannot be called. The
//! function with which a thread begins has no caller in the program.

use super::Call;
use crate::ir::address::ObjectId;
use crate::system::machine::Machine;
use crate::system::step::{Performed, StepEnd, VisibleSlot};

/// The first offset after those of labels in the object that stands for a function.
const BEHIND_LABELS: u32 = 1 << 24;

/// Models `__rmc_return_address(depth)`: that of the running function for 0, of its caller for 1, and so on.
pub(super) fn return_address<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let depth = machine.argument(call, 0)? as usize;
    while machine.running.stack.frames().len() < depth + 2 && machine.running.stack.below > 0 {
        machine.fetch_caller();
    }
    let caller = machine.running.stack.frames().iter().rev().nth(depth + 1).copied();
    let Some(caller) = caller else {
        let what = "the return address of a function that no function of the program called";
        return Err(StepEnd::Unsupported(what.to_owned()));
    };
    let address =
        ObjectId::function(caller.function.index(), machine.program.globals.len()).address(BEHIND_LABELS + caller.pc.0);
    machine.give(call, address)
}
