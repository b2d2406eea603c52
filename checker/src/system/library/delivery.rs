//! Writes the text of a `printf` call to memory, like `memcpy`: in pieces that other threads can come
//! between.

use rmc_runtime::{Bytes, MemoryOrder};

use super::Call;
use crate::ir::address;
use crate::system::bulk::Pieces;
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectKind;
use crate::system::step::{Next, Performed, VisibleSlot};

/// Stores the text in an object of the running frame to which only the call's phase points: first the number
/// of bytes that the call returns, then those that fit.
pub(super) fn begin<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    at: usize,
    size: Option<usize>,
    text: &[u8],
) -> Performed {
    let to = machine.argument(call, at)?;
    let room = size.map_or(Ok(u64::MAX), |size| machine.argument(call, size))?;
    if room == 0 {
        return machine.give(call, text.len() as u64);
    }
    let kept = text.len().min(usize::try_from(room - 1).unwrap_or(usize::MAX));
    machine.target(to, kept as u64 + 1, true)?;
    let bytes = [&(text.len() as u64).to_le_bytes()[..], &text[..kept], &[0]].concat();
    let aside = machine.allocate(bytes.len() as u64, ObjectKind::Stack, machine.running.stack.depth(), false)?;
    for (offset, &byte) in (0..).zip(&bytes) {
        let target = machine.target(aside + offset, 1, true)?;
        machine.write_unseen(&target, 1, Bytes::defined(byte.into()));
    }
    machine.set_phase(turn, call, aside + 8);
    go_on(machine, turn, call, to)
}

/// Copies the stored text, from the address in the phase on.
pub(super) fn go_on<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, to: u64) -> Performed {
    loop {
        let next = machine.phase(call);
        let (aside, offset) = address::split(next).expect("the phase is an address");
        let region = machine.memory.region(aside).expect("what was put aside is there");
        let left = region.size - offset;
        if left == 0 {
            let length = machine.memory.read(&region, 0, 8).bits as u64;
            machine.remove_object(aside)?;
            return machine.give(call, length);
        }
        if !turn.take_piece() {
            return Ok(Next::Wait);
        }
        let len = Pieces::new(left.into(), [Some(to + u64::from(offset) - 8), None]).size_from(0);
        let value = machine.memory.read(&region, offset, len);
        let target = machine.target(to + u64::from(offset) - 8, len.into(), true)?;
        if !machine.store(turn, &target, value, MemoryOrder::Plain)? {
            return Ok(Next::Wait);
        }
        machine.set_phase(turn, call, next + u64::from(len));
    }
}
