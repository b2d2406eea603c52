//! Functions that read memory byte by byte, first to last. `memcmp`, `memchr`, `strlen`, `strcmp` and
//! `strncmp` of the support library (`libc/string.c`) call them for bytes that no other thread changes, or of
//! which they made a copy. Each byte is a load of the memory model, so other threads can run in between. The
//! progress of a call is in its phase register.

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::bulk::Span;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The maximal number of bytes that are copied before they are read.
const MOST_COPIED_BYTES: u64 = 4096;

/// Models `__rmc_contested(bytes, most)`. It returns the number of the bytes, as far as their object goes,
/// that must be copied before they are read, because other threads may change some of them; 0 if none may
/// change them. The order in which bytes are read matters only in that case. It returns 0 where the engine
/// follows one order only, and with `--races`: a concurrent change is a violation in any order, and the bytes
/// of a copy that are not needed would have races of their own.
pub(super) fn contested<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (start, most) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    let target = match machine.target(start, 1, false) {
        Ok(target) => target,
        // A later read there, if there is one, finds the violation.
        Err(StepEnd::Fault(_)) => return machine.give(call, 0),
        Err(other) => return Err(other),
    };
    if machine.config.races || machine.config.texts_in_order || !machine.is_observed(&target)? {
        return machine.give(call, 0);
    }
    let most = u32::try_from(most.min(MOST_COPIED_BYTES)).expect("this is a small number");
    let part = machine.room(target.region.id, target.at.offset, most)?.into();
    let is_contested = machine.may_be_changed(start, part)?;
    machine.give(call, if is_contested { part } else { 0 })
}

/// Models `__rmc_copy_both(to, left, right, len)`: copies `len` bytes at `left` and then as many at `right`
/// to `to`, without any order among them.
pub(super) fn copy_both<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (to, len) = (machine.argument(call, 0)?, machine.argument(call, 3)?);
    let (left, right) = (machine.argument(call, 1)?, machine.argument(call, 2)?);
    let spans = [Span { to, from: left, len }, Span { to: to + len, from: right, len }];
    for span in spans {
        machine.target(span.from, len, false)?;
        machine.target(span.to, len, true)?;
    }
    machine.copy_unordered(turn, &spans, call.site.phase)
}

/// Loads a byte. The result is `None` if the thread waits.
fn byte(
    machine: &mut Machine<'_>,
    turn: &mut VisibleSlot,
    call: Call<'_>,
    address: u64,
) -> Result<Option<u8>, StepEnd> {
    let target = machine.target(address, 1, false)?;
    if !turn.take_piece() {
        return Ok(None);
    }
    let loaded = machine.load(turn, &target, rmc_runtime::MemoryOrder::Plain)?;
    match loaded.map(|value| machine.known_bytes(value, 1)).transpose()? {
        None => Ok(None),
        Some(value) if value.undef == 0 => Ok(Some(value.bits as u8)),
        Some(_) => {
            let message = format!("`{}` reads an uninitialised byte", call.name.trim_start_matches("__rmc_"));
            machine.fault(ViolationKind::UninitialisedArgument, message)
        }
    }
}

pub(super) fn strlen<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
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

pub(super) fn memchr<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
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

pub(super) fn memcmp<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let len = machine.argument(call, 2)?;
    compare(machine, turn, call, len, false)
}

pub(super) fn strncmp<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let len = machine.argument(call, 2)?;
    compare(machine, turn, call, len, true)
}

/// Finds the first difference within `len` bytes, or up to a zero byte if `stops`. The phase is `bytes done
/// << 9 | left byte loaded << 8 | left byte`.
fn compare<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, len: u64, stops: bool) -> Performed {
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
