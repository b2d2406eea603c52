//! Functions that read memory byte by byte. Each byte is a load of the memory model, so other threads can run
//! in between; how far the call is lies in its phase register. Bytes are read first to last, though real
//! implementations read wide registers: executions in which a later byte is read before an earlier one are
//! not explored.

use super::{Call, Family};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, Turn};

pub(super) const FAMILY: Family = &[
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("strlen", strlen),
    ("strcmp", strcmp),
    ("strncmp", strncmp),
];

/// Loads a byte; `None`: the thread waits.
fn byte(machine: &mut Machine<'_>, turn: &mut Turn, call: Call<'_>, address: u64) -> Result<Option<u8>, StepEnd> {
    let target = machine.target(address, 1, false)?;
    if !turn.take_piece() {
        return Ok(None);
    }
    match machine.load(turn, &target, rmc_runtime::MemoryOrder::Plain)? {
        None => Ok(None),
        Some(value) if value.undef == 0 => Ok(Some(value.bits as u8)),
        Some(_) => {
            let message = format!("`{}` reads an uninitialised byte", call.name);
            machine.fault(ViolationKind::UninitialisedArgument, message)
        }
    }
}

fn strlen<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let start = machine.argument(call, 0)?;
    loop {
        let done = machine.phase(call);
        match byte(machine, turn, call, start.wrapping_add(done))? {
            None => return Ok(Next::Wait),
            Some(0) => return machine.give(call, done),
            Some(_) => machine.set_phase(turn, call, done + 1),
        }
    }
}

fn memchr<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let (start, wanted, len) = (machine.argument(call, 0)?, machine.argument(call, 1)?, machine.argument(call, 2)?);
    loop {
        let done = machine.phase(call);
        if done >= len {
            return machine.give(call, 0);
        }
        match byte(machine, turn, call, start + done)? {
            None => return Ok(Next::Wait),
            Some(found) if u64::from(found) == wanted & 0xFF => return machine.give(call, start + done),
            Some(_) => machine.set_phase(turn, call, done + 1),
        }
    }
}

fn memcmp<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let len = machine.argument(call, 2)?;
    compare(machine, turn, call, len, false)
}

fn strcmp<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    compare(machine, turn, call, u64::MAX, true)
}

fn strncmp<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let len = machine.argument(call, 2)?;
    compare(machine, turn, call, len, true)
}

/// The first difference within `len` bytes; `stops` at a zero byte. The phase is `bytes done << 9 | left byte loaded << 8 | left byte`.
fn compare<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>, len: u64, stops: bool) -> Performed {
    let (left, right) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    loop {
        let phase = machine.phase(call);
        let (done, loaded, a) = (phase >> 9, phase >> 8 & 1 == 1, phase as u8);
        if done >= len {
            return machine.give(call, 0);
        }
        let Some(found) = byte(machine, turn, call, if loaded { right + done } else { left + done })? else {
            return Ok(Next::Wait);
        };
        if !loaded {
            machine.set_phase(turn, call, done << 9 | 1 << 8 | u64::from(found));
        } else if a != found {
            return machine.give(call, (i64::from(a) - i64::from(found)).cast_unsigned());
        } else if stops && a == 0 {
            return machine.give(call, 0);
        } else {
            machine.set_phase(turn, call, (done + 1) << 9);
        }
    }
}
