//! Accesses that the pass left alone: memory that no other thread can reach.
//!
//! Such memory is private even without [`Reduction::Private`], which is about memory that the pass did not
//! leave alone. An object therefore counts as private from the first such store to it on. `awaits.rs` relies
//! on that: these stores are idle, so the memory that they change has to be part of the state that the thread
//! alone knows.

use rmc_runtime::Bytes;

use crate::ir::ids::Reg;
use crate::ir::value::Value;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::step::access::{Target, bytes, words};
use crate::system::step::{Next, Performed};

impl Machine<'_> {
    pub(in crate::system) fn raw_load(&mut self, dst: Reg, addr: u64, len: u8, width: u8) -> Performed {
        let target = self.target(addr, len.into(), false)?;
        let value = self.memory.read(&target.region, target.at.offset, len);
        let is_whole = u32::from(len) * 8 == u32::from(width);
        let value = if is_whole { self.loaded_bytes(value, len) } else { self.known_bytes(value, len)? };
        let value = words(value)[0];
        self.loaded_privately(&target, value.undef == 0);
        let value = if is_whole { value } else { Value::partial(value.bits, value.undef, width.into()) };
        self.running.stack.set(dst, value);
        Ok(Next::Advance)
    }

    pub(in crate::system) fn raw_store(&mut self, addr: u64, len: u8, value: Value) -> Performed {
        let target = self.target(addr, len.into(), true)?;
        self.write_unseen(&target, len, bytes([value, Value::ZERO], len));
        Ok(Next::Advance)
    }

    /// Writes to memory of the running thread that no other thread can reach, according to the pass or to the
    /// machine.
    pub(in crate::system) fn write_unseen(&mut self, target: &Target, len: u8, value: Bytes) {
        let is_own = target.region.holder as usize == self.running.thread + 1;
        if target.region.shared && is_own && !self.config.reduces(Reduction::Private) {
            self.memory.object_mut(target.region.id).expect("the object exists").shared = false;
        }
        self.memory.write(&target.region, target.at.offset, len, value);
    }

    /// Writes for the library to memory that only the running thread uses, although others may know it.
    pub(in crate::system) fn write_unshared(&mut self, target: &Target, len: u8, value: Bytes) {
        self.announce_unshared_write(target, value);
        self.memory.write(&target.region, target.at.offset, len, value);
    }
}
