//! `memcpy`, `memmove` and `memset`, piece by piece.
//!
//! C says nothing about the size of the accesses these functions make. Here a piece has 8 bytes, or 4, 2, 1 at the end, so that a
//! pointer or a 64-bit counter is copied whole, and larger things can be seen half copied. Each piece is a plain load and a plain store of the memory
//! model; what is done so far is kept in registers of the frame, so that other threads can run between pieces.

use rmc_runtime::{Bytes, MemoryOrder};

use super::access::{bytes, words};
use super::machine::Machine;
use super::step::{Next, Performed, StepEnd, Turn};
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::value::Value;
use crate::outcome::ViolationKind;

/// The bytes of the next piece when `rest` bytes are left.
pub(super) const fn piece(rest: u64) -> u8 {
    match rest {
        8.. => 8,
        4.. => 4,
        2.. => 2,
        _ => 1,
    }
}

impl Machine<'_> {
    pub(super) fn copy(&mut self, turn: &mut Turn, site: SiteId) -> Performed {
        let function = self.program.function(self.stack.top().function);
        let copy = function.copies[site.index()];
        let [to, from, len] = self.range([copy.to, copy.from, copy.len])?;
        if len == 0 {
            return Ok(Next::Advance);
        }
        self.target(from, len, false)?;
        self.target(to, len, true)?;
        // A structure may be assigned to itself, so the same place is no overlap.
        if !copy.overlap && to != from && to.abs_diff(from) < len {
            let message = format!("`memcpy` of {len} bytes to a place {} bytes away", to.abs_diff(from));
            return self.fault(ViolationKind::InvalidArgument, message);
        }
        let backward = copy.overlap && to > from && to - from < len;
        loop {
            let progress = self.stack.register(self.stack.top(), copy.progress).bits;
            let (done, loaded) = (progress / 2, progress % 2 == 1);
            if done == len {
                return Ok(Next::Advance);
            }
            if !turn.take_piece() {
                return Ok(Next::Wait);
            }
            let size = piece(len - done);
            let offset = if backward { len - done - u64::from(size) } else { done };
            if !loaded {
                let Some(value) = self.load_piece(turn, from + offset, size, copy.from_local)? else {
                    return Ok(Next::Wait);
                };
                self.stack.set(copy.piece, words(value)[0]);
                self.set_progress(turn, copy.progress, progress + 1);
                continue;
            }
            let value = self.stack.register(self.stack.top(), copy.piece);
            if !self.store_piece(turn, to + offset, size, bytes([value, Value::ZERO], size), copy.to_local)? {
                return Ok(Next::Wait);
            }
            self.stack.set(copy.piece, Value::ZERO);
            self.set_progress(turn, copy.progress, 2 * (done + u64::from(size)));
        }
    }

    pub(super) fn fill(&mut self, turn: &mut Turn, site: SiteId) -> Performed {
        let function = self.program.function(self.stack.top().function);
        let fill = function.fills[site.index()];
        let [to, byte, len] = self.range([fill.to, fill.byte, fill.len])?;
        if len == 0 {
            return Ok(Next::Advance);
        }
        self.target(to, len, true)?;
        let pattern = u128::from(byte & 0xFF) * 0x0101_0101_0101_0101;
        loop {
            let done = self.stack.register(self.stack.top(), fill.progress).bits;
            if done == len {
                return Ok(Next::Advance);
            }
            if !turn.take_piece() {
                return Ok(Next::Wait);
            }
            let size = piece(len - done);
            let value = Bytes::defined(pattern & ((1 << (u32::from(size) * 8)) - 1));
            if !self.store_piece(turn, to + done, size, value, fill.to_local)? {
                return Ok(Next::Wait);
            }
            self.set_progress(turn, fill.progress, done + u64::from(size));
        }
    }

    fn range(&self, operands: [Operand; 3]) -> Result<[u64; 3], StepEnd> {
        let values = operands.map(|operand| self.stack.get(self.program, operand));
        if let Some(&value) = values.iter().find(|value| !value.is_defined()) {
            return self.undefined_argument(value, "an argument of a memory function".to_owned());
        }
        Ok(values.map(|value| value.bits))
    }

    fn set_progress(&mut self, turn: &mut Turn, progress: Reg, value: u64) {
        self.stack.set(progress, Value::new(value));
        turn.moved();
    }

    fn load_piece(&mut self, turn: &mut Turn, addr: u64, len: u8, local: bool) -> Result<Option<Bytes>, StepEnd> {
        let target = self.target(addr, len.into(), false)?;
        if local {
            return Ok(Some(self.memory.read(&target.region, target.at.offset, len)));
        }
        self.load(turn, &target, MemoryOrder::Plain)
    }

    fn store_piece(&mut self, turn: &mut Turn, addr: u64, len: u8, value: Bytes, local: bool) -> Result<bool, StepEnd> {
        let target = self.target(addr, len.into(), true)?;
        if local {
            self.memory.write(&target.region, target.at.offset, len, value);
            return Ok(true);
        }
        self.store(turn, &target, value, MemoryOrder::Plain)
    }
}
