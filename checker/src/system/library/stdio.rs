//! Output except `printf`. Output is collected when an execution is shown; it is no part of a state.
//!
//! These models are for the three standard streams; files are the support library's (`libc/files.c`,
//! `libc/streams.c`). A stream is a `FILE` of the support library, identified by its place in the array
//! there; no function looks into it. Reading from memory that other threads may know is one visible operation
//! for the whole text.

use super::Call;
use crate::ir::address;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The longest text read from memory, in bytes. A longer one is not followed, so that a step stays short.
const MOST_TEXT_BYTES: u64 = 1 << 20;
/// The support library's array of `FILE`s, and the size of one.
const STREAMS: &str = "__rmc_streams";
const STREAM_SIZE: u32 = 216;

pub(super) fn puts<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !may_read(machine, turn, call, 0)? {
        return Ok(Next::Wait);
    }
    let mut text = machine.bytes_at(machine.argument(call, 0)?, u64::MAX)?;
    text.push(b'\n');
    machine.announce_output(&text);
    machine.give(call, text.len() as u64)
}

pub(super) fn fputs<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.output_stream(call, 1)?;
    if !may_read(machine, turn, call, 0)? {
        return Ok(Next::Wait);
    }
    let text = machine.bytes_at(machine.argument(call, 0)?, u64::MAX)?;
    machine.announce_output(&text);
    machine.give(call, 1)
}

pub(super) fn putchar<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let byte = machine.argument(call, 0)? as u8;
    machine.announce_output(&[byte]);
    machine.give(call, byte.into())
}

pub(super) fn fputc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.output_stream(call, 1)?;
    putchar(machine, turn, call)
}

pub(super) fn fwrite<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.output_stream(call, 3)?;
    let (size, count) = (machine.argument(call, 1)?, machine.argument(call, 2)?);
    if size == 0 || count == 0 {
        return machine.give(call, 0);
    }
    if !may_read(machine, turn, call, 0)? {
        return Ok(Next::Wait);
    }
    let bytes = machine.block_at(machine.argument(call, 0)?, size.saturating_mul(count))?;
    machine.announce_output(&bytes);
    machine.give(call, count)
}

pub(super) fn write<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.output_descriptor(call, 0)?;
    let len = machine.argument(call, 2)?;
    if len > 0 && !may_read(machine, turn, call, 1)? {
        return Ok(Next::Wait);
    }
    let bytes = machine.block_at(machine.argument(call, 1)?, len)?;
    machine.announce_output(&bytes);
    machine.give(call, len)
}

/// Models `fflush`. Output is never delayed.
pub(super) fn flush<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if machine.argument(call, 0)? != 0 {
        machine.stream(call, 0)?;
    }
    machine.give(call, 0)
}

pub(super) fn descriptor<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let stream = machine.stream(call, 0)?;
    machine.give(call, stream.into())
}

/// Models status functions of a stream. The standard streams never fail and never end, and their buffering
/// cannot be seen.
pub(super) fn no_error<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.stream(call, 0)?;
    machine.give(call, 0)
}

/// True if the memory that argument number `at` points to may be read now. The call needs its turn if others
/// may be writing that memory.
fn may_read(machine: &Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>, at: usize) -> Result<bool, StepEnd> {
    let target = machine.target(machine.argument(call, at)?, 1, false)?;
    Ok(!machine.is_visible(&target)? || machine.may_proceed(turn))
}

impl Machine<'_> {
    /// The number of the standard stream in argument number `at`: 0, 1 or 2.
    fn stream(&self, call: Call<'_>, at: usize) -> Result<u32, StepEnd> {
        let value = self.argument(call, at)?;
        let split = address::split(value);
        let found = split.and_then(|(id, offset)| {
            let global = &self.program.globals[self.program.global_at(id)?.index()];
            (global.name == STREAMS && offset.is_multiple_of(STREAM_SIZE)).then_some(offset / STREAM_SIZE)
        });
        found.map_or_else(
            || self.fault(ViolationKind::InvalidArgument, format!("`{}` of {value:#x}, which is no stream", call.name)),
            Ok,
        )
    }

    /// Checks that argument number `at` is a stream that can be written to.
    pub(super) fn output_stream(&self, call: Call<'_>, at: usize) -> Result<(), StepEnd> {
        match self.stream(call, at)? {
            1 | 2 => Ok(()),
            _ => self.fault(ViolationKind::InvalidArgument, format!("`{}` to standard input", call.name)),
        }
    }

    /// Checks that argument number `at` is a descriptor of standard output or standard error.
    pub(super) fn output_descriptor(&self, call: Call<'_>, at: usize) -> Result<(), StepEnd> {
        match self.argument(call, at)? {
            1 | 2 => Ok(()),
            other => Err(StepEnd::Unsupported(format!("`{}` to descriptor {other}", call.name))),
        }
    }

    /// The zero-terminated text at an address, as the running thread sees it now. Bytes that are no UTF-8 are
    /// replaced.
    pub(in crate::system) fn text_at(&mut self, address: u64) -> Result<String, StepEnd> {
        Ok(String::from_utf8_lossy(&self.bytes_at(address, u64::MAX)?).into_owned())
    }

    /// The bytes at an address up to a zero, at most `longest` of them, as the running thread sees them now.
    pub(super) fn bytes_at(&mut self, address: u64, longest: u64) -> Result<Vec<u8>, StepEnd> {
        let mut bytes = Vec::new();
        for offset in 0..longest {
            if offset == MOST_TEXT_BYTES {
                return Err(StepEnd::Limit(Unknown::TextLength));
            }
            match self.byte_at(address.wrapping_add(offset))? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// `len` bytes at an address, as the running thread sees them now.
    pub(super) fn block_at(&mut self, address: u64, len: u64) -> Result<Vec<u8>, StepEnd> {
        if len > 0 {
            self.target(address, len, false)?;
        }
        (0..len).map(|offset| self.byte_at(address + offset)).collect()
    }

    fn byte_at(&mut self, address: u64) -> Result<u8, StepEnd> {
        let target = self.target(address, 1, false)?;
        let value = self.read_now(&target)?;
        if value.undef != 0 {
            return self.fault(ViolationKind::UninitialisedArgument, "a text has an uninitialised byte");
        }
        Ok(value.bits as u8)
    }
}
