//! Read-modify-writes, and the atomic accesses of modelled functions.

use rmc_runtime::{Bytes, StoreTag};

use crate::interp::{ExchangeOperands, Update, atomic};
use crate::ir::ids::Reg;
use crate::ir::instr::{RmwOp, combining};
use crate::ir::value::Value;
use crate::ir::wide;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::observe::CombiningUpdate;
use crate::system::step::access::{Target, bytes, words};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Makes the full fence and the load of a read-modify-write. The result is `None` if the thread waits.
    pub(in crate::system) fn atomic_load(
        &mut self,
        turn: &mut VisibleSlot,
        target: &Target,
    ) -> Result<Option<Bytes>, StepEnd> {
        let shared = self.is_shared(&target.region)?;
        self.announce_atomic_load(target, shared);
        let fences = self.buffers.has_delayed(self.running.thread);
        let may_proceed = if self.config.updates {
            self.full_fence(turn)
        } else {
            let is_visible = shared && !self.is_guarded(target) || fences && !self.fences_unseen();
            !is_visible || self.may_proceed(turn)
        };
        if !may_proceed {
            return Ok(None);
        }
        self.announce_decision();
        if fences {
            self.buffers.fence(&mut self.memory, self.running.thread);
        }
        let Self { buffers, memory, choices, running, .. } = self;
        let loaded = buffers.load(memory, Some(running.thread), target.at, choices);
        self.atomically_loaded(target, &loaded);
        Ok(Some(loaded.value))
    }

    /// Makes the write of a read-modify-write right after its load. `tag` names it in a report.
    pub(in crate::system) fn atomic_store(&mut self, target: &Target, value: Bytes, tag: StoreTag) {
        self.announce_write(target, value);
        self.write_at_once(target, value, tag);
    }

    fn write_at_once(&mut self, target: &Target, value: Bytes, tag: StoreTag) {
        let Self { buffers, memory, running, .. } = self;
        buffers.store_now(memory, running.thread, target.at, value, tag);
    }

    /// Makes an atomic write by a modelled function that has an event of its own.
    pub(in crate::system) fn library_store(&mut self, target: &Target, value: Bytes) {
        let tag = self.announce_library_store(target, value);
        self.atomic_store(target, value, tag);
    }

    /// Like [`Self::library_store`], for a write that counts up or down.
    pub(in crate::system) fn library_count(&mut self, target: &Target, value: Bytes) {
        self.library_store(target, value);
        self.counted(target);
    }

    pub(in crate::system) fn read_modify_write(
        &mut self,
        turn: &mut VisibleSlot,
        dst: Reg,
        addr: u64,
        len: u8,
        update: Update,
    ) -> Performed {
        let Update { op, operand, order } = update;
        let target = self.target(addr, len.into(), true)?;
        let Some(old) = self.atomic_load(turn, &target)? else { return Ok(Next::Wait) };
        let (old, operand, symbol) = self.update_operands(op, len, old, operand)?;
        let new = if let Some(new) = symbol {
            bytes([new, Value::ZERO], len)
        } else if len <= 8 {
            let width = u32::from(len) * 8;
            bytes([atomic::combine(op, width, words(old)[0], operand[0]), Value::ZERO], len)
        } else {
            wide_combine(op, old, operand).ok_or_else(|| StepEnd::Unsupported(format!("atomic {op:?} of 16 bytes")))?
        };
        let combining = CombiningUpdate { op, operand: bytes(operand, len), old, new };
        let tag = self.announce_combining_update(&target, combining, order)?;
        if let Some(kind) = self.commuting(&target, dst, old, &update) {
            self.announce_commuting_write(&target, new, kind);
            self.write_at_once(&target, new, tag);
            self.set_words(dst, Bytes::defined(0), len);
        } else {
            self.atomic_store(&target, new, tag);
            self.set_words(dst, old, len);
        }
        Ok(Next::Advance)
    }

    /// The operands of a read-modify-write with the symbols that it needs to know replaced by values, and the
    /// result if that is a symbol.
    fn update_operands(
        &mut self,
        op: RmwOp,
        len: u8,
        old: Bytes,
        operand: [Value; 2],
    ) -> Result<(Bytes, [Value; 2], Option<Value>), StepEnd> {
        if !self.is_symbolic(old) && (op == RmwOp::Exchange || !self.is_symbolic(bytes(operand, len))) {
            return Ok((old, operand, None));
        }
        let old = self.loaded_symbols(old, len)?;
        if op == RmwOp::Exchange {
            return Ok((old, operand, None));
        }
        let operand = words(self.loaded_symbols(bytes(operand, len), len)?);
        if len <= 8
            && let Some(new) = self.updated_symbol(op, len, old, operand[0])?
        {
            return Ok((old, operand, Some(new)));
        }
        let operand = words(self.known_bytes(bytes(operand, len), len)?);
        Ok((self.known_bytes(old, len)?, operand, None))
    }

    pub(in crate::system) fn compare_exchange(
        &mut self,
        turn: &mut VisibleSlot,
        dst: Reg,
        addr: u64,
        len: u8,
        ExchangeOperands { expected, new, success, failure }: ExchangeOperands,
    ) -> Performed {
        let target = self.target(addr, len.into(), true)?;
        let Some(old) = self.atomic_load(turn, &target)? else { return Ok(Next::Wait) };
        let expected = bytes(expected, len);
        if self.names_answers() && (self.is_symbolic(old) || self.is_symbolic(expected)) {
            self.announce_possible_write(&target);
        }
        let (old, is_equal) = match self.compared_symbols(old, expected, len)? {
            Some(compared) => compared,
            None if (old.undef | expected.undef) != 0 => {
                let message = "a compare-exchange compares uninitialised memory";
                return self.fault(ViolationKind::UninitialisedBranch, message);
            }
            None => (old, old.bits == expected.bits),
        };
        let new = is_equal.then(|| bytes(new, len));
        let order = if new.is_some() { success } else { failure };
        let tag = self.announce_update(&target, old, new, order)?;
        if let Some(new) = new {
            self.atomic_store(&target, new, tag);
        }
        self.set_words(dst, old, len);
        Ok(Next::Advance)
    }
}

/// The result of a read-modify-write of 16 bytes. Only integers are so wide.
fn wide_combine(op: RmwOp, old: Bytes, operand: [Value; 2]) -> Option<Bytes> {
    let op = match op {
        RmwOp::Exchange => return Some(bytes(operand, 16)),
        RmwOp::Nand => {
            let both = wide_combine(RmwOp::And, old, operand)?;
            return Some(Bytes { bits: !both.bits & !both.undef, undef: both.undef });
        }
        other => combining(other)?,
    };
    let result = wide::int(op, 128, &words(old), &operand).ok()?;
    Some(bytes([result[0], result[1]], 16))
}
