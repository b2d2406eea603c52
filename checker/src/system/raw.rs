//! Accesses that the pass left alone: memory that no other thread can reach.

use super::access::{bytes, words};
use super::machine::Machine;
use super::step::{Next, Performed};
use crate::ir::ids::Reg;
use crate::ir::value::Value;

impl Machine<'_> {
    pub(super) fn raw_load(&mut self, dst: Reg, addr: u64, len: u8, width: u8) -> Performed {
        let target = self.target(addr, len.into(), false)?;
        let value = words(self.memory.read(&target.region, target.at.offset, len))[0];
        if value.undef != 0 {
            self.note_unwritten(target.region.id);
        }
        self.stack.set(dst, Value::partial(value.bits, value.undef, width.into()));
        Ok(Next::Advance)
    }

    pub(super) fn raw_store(&mut self, addr: u64, len: u8, value: Value) -> Performed {
        let target = self.target(addr, len.into(), true)?;
        self.memory.write(&target.region, target.at.offset, len, bytes([value, Value::ZERO], len));
        Ok(Next::Advance)
    }
}
