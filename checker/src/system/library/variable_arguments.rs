//! The arguments in a `va_list`, for library functions that take one.

use rmc_abi::va_list::{self, NextPlaces};
use rmc_runtime::Bytes;

use super::Call;
use crate::outcome::{Fault, ViolationKind};
use crate::system::machine::Machine;
use crate::system::step::StepEnd;

/// The place of the next argument of each kind.
#[derive(Clone, Copy)]
pub(super) struct VariableArguments {
    next: NextPlaces,
    /// The address of the register save area.
    saved: u64,
    /// The address of the next argument on the stack.
    overflow: u64,
}

impl VariableArguments {
    /// Reads the `va_list` that is argument number `at` of a call.
    pub(super) fn of(machine: &mut Machine<'_>, call: Call<'_>, at: usize) -> Result<Self, StepEnd> {
        let list = machine.argument(call, at)?;
        let general = field(machine, list, va_list::GENERAL)? as u32;
        let vector = field(machine, list, va_list::VECTOR)? as u32;
        let (overflow, saved) = (field(machine, list, va_list::OVERFLOW)?, field(machine, list, va_list::SAVED)?);
        Ok(Self { next: NextPlaces { general, vector }, saved, overflow })
    }

    /// The address of the next integer or pointer.
    pub(super) fn integer(&mut self) -> u64 {
        match self.next.take_general(1) {
            Some(place) => self.saved.wrapping_add(place.into()),
            None => self.on_stack(8),
        }
    }

    /// The address of the next floating-point number of `width` bits.
    pub(super) fn float(&mut self, width: u8) -> u64 {
        if width == 80 {
            return self.on_stack(16);
        }
        match self.next.take_vector() {
            Some(place) => self.saved.wrapping_add(place.into()),
            None => self.on_stack(8),
        }
    }

    fn on_stack(&mut self, size: u64) -> u64 {
        let at = self.overflow.wrapping_add(size - 1) & !(size - 1);
        self.overflow = at.wrapping_add(size);
        at
    }
}

fn field(machine: &mut Machine<'_>, list: u64, (offset, len): (u32, u8)) -> Result<u64, StepEnd> {
    let target = machine.target(list.wrapping_add(offset.into()), len.into(), false)?;
    let value = machine.read_now(&target)?;
    if value.undef != 0 {
        return machine.fault(ViolationKind::UninitialisedArgument, "the va_list is not initialised");
    }
    Ok(value.bits as u64)
}

/// The eight bytes of an argument, if one is given there.
pub(super) fn argument_at(machine: &mut Machine<'_>, at: u64) -> Result<Option<Bytes>, StepEnd> {
    match machine.target(at, 8, false) {
        Ok(target) => Ok(Some(machine.read_now(&target)?)),
        Err(StepEnd::Fault(Fault { kind: ViolationKind::OutOfBounds, .. })) => Ok(None),
        Err(other) => Err(other),
    }
}
