//! Sizes of objects that are symbols.
//!
//! An object of such a size ([`Extent::Open`]) stores as many bytes as accesses needed so far, at first none.
//! An access up to byte `end` that needs more asks whether the size is at least `end`. With yes, so many bytes
//! are stored (`state/memory/growth.rs`), and the operation is repeated; with no, it is out of bounds. So the
//! sizes are divided at the ends of accesses, and the bytes behind those are in no state.
//!
//! An allocation asks whether the size is one that an object can have. Larger ones end the execution as a
//! number does that is too large, or fail. Sizes with few values are still chosen one by one.
//!
//! # Why this is exact
//!
//! For each value of the size, what is stored is at most the object, since each access that made it grow was
//! answered so. A byte that is not stored was never accessed, so it has what the allocation gave it:
//! [`Object::zeroed`] says what. Two accesses that make an object grow may come in either order; the state is
//! the same then.
//!
//! # Named answers
//!
//! With update events (`named.rs`) every step asks anew for each object that it accesses, however much is
//! stored, because that depends on others. These questions are asked within the operation, and even by
//! modelled functions, whose conflicts might then depend on the answer. But after a no nothing follows: the
//! execution ends with a violation or a limit, so nothing is proved. And among the executions in which all
//! such answers are yes, an operation has the same conflicts as if it had not asked.
//!
//! # What is refused
//!
//! Whoever else has to know where an object ends, as a function without [`LibraryFunction::resumes`] that
//! finds less stored than it needs, gets [`Unknown::Nondet`].
//!
//! [`LibraryFunction::resumes`]: crate::system::library::LibraryFunction::resumes
//!
//! Tests: `tests/programs/inputs/sizes*.c`; random programs in `tests/tests/nondet_differential.rs`.

use super::passing::MOST_WHOLE;
use crate::ir::address::{self, MAX_OBJECT, ObjectId};
use crate::ir::ids;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::state::object_table::{Extent, Object};
use crate::system::step::StepEnd;
use crate::system::symbols::operation::OperationKind;

/// The width of sizes in bits.
const WIDTH: u32 = 64;

/// The size of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum Size {
    /// This number.
    Known(u64),
    /// The value of a symbol. Once it is [bounded](Machine::bounded_size), an object can have that size.
    Open(Symbol),
    /// So much that the allocation fails.
    Fails,
}

/// A number of bytes that an access needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    id: ObjectId,
    offset: u32,
    len: u32,
}

impl Machine<'_> {
    /// The symbol that an operand is, if it may stay one as a size.
    pub(in crate::system) fn open_size_in(&self, operand: ids::Operand) -> Option<Symbol> {
        if !self.defers_inputs() {
            return None;
        }
        let word = self.running.stack.get(self.program, operand);
        let symbol = Symbol::of_whole(word, WIDTH)?;
        let is_size = self.memory.table.symbols.width(symbol) == WIDTH && !self.has_few_values(symbol, MOST_WHOLE);
        is_size.then_some(symbol)
    }

    /// The size that `unit` times another one is, if an object can have it.
    ///
    /// # Errors
    /// No object is as large.
    pub(in crate::system) fn bounded_size(&mut self, size: Size, unit: u64) -> Result<Size, StepEnd> {
        match size {
            Size::Known(count) => Ok(count.checked_mul(unit).map_or(Size::Fails, Size::Known)),
            Size::Open(count) => self.asking_of_sizes(|machine| machine.open_size(count, unit)),
            Size::Fails => Ok(Size::Fails),
        }
    }

    /// The size that `unit` times a symbol is.
    ///
    /// # Errors
    /// No object is as large.
    pub(super) fn open_size(&mut self, count: Symbol, unit: u64) -> Result<Size, StepEnd> {
        const LIMIT: StepEnd = StepEnd::Limit(Unknown::AllocationLimit);
        if unit == 0 {
            return Ok(Size::Known(0));
        }
        if !self.is_between(count, 0, MAX_OBJECT / unit)? {
            // With named answers an execution that goes on must not depend on the answer.
            let fails = !self.names_answers() && !self.is_between(count, 0, i64::MAX.cast_unsigned() / unit)?;
            return if fails { Ok(Size::Fails) } else { Err(LIMIT) };
        }
        let bytes = if unit == 1 { count } else { self.with(count, OperationKind::Multiply(unit))? };
        let known = if self.names_answers() { None } else { self.memory.table.symbols.value(bytes) };
        Ok(known.map_or(Size::Open(bytes), Size::Known))
    }

    /// True if an object of which not all bytes are stored has at least `end` bytes, and they are stored.
    ///
    /// # Errors
    /// [`StepEnd::Grows`]: it has to be asked for, or to grow.
    #[cold]
    pub(in crate::system) fn is_stored(&self, region: &Region, offset: u32, len: u64) -> Result<bool, StepEnd> {
        let end = u64::from(offset).saturating_add(len);
        let Some(object) = self.memory.object(region.id) else { return Ok(end <= region.size.into()) };
        if end > object.most_bytes().into() {
            return Ok(false);
        }
        let end = u32::try_from(end).expect("objects are small");
        let is_answered = !self.names_answers()
            || end == 0
            || object.extent.symbol().is_none()
            || self.named.sizes.iter().any(|&(id, known)| id == region.id && end <= known);
        if is_answered && end <= region.size {
            return Ok(true);
        }
        Err(StepEnd::Grows(Growth { id: region.id, offset, len: end - offset }))
    }

    /// Makes an object store the bytes that an access needs.
    ///
    /// # Errors
    /// The access is out of bounds, or the operation cannot be repeated.
    #[cold]
    pub(in crate::system) fn grow(&mut self, Growth { id, offset, len }: Growth) -> Result<(), StepEnd> {
        if self.called_function().is_some_and(|function| !function.resumes) {
            return Err(StepEnd::Limit(Unknown::Nondet));
        }
        let object = *self.memory.object(id).expect("the object exists");
        let end = offset + len;
        if let Extent::Open(size) = object.extent
            && !self.reaches(size, end)?
        {
            let region = self.memory.region(id).expect("the object exists");
            let message = format!("{len} bytes at offset {offset} of {}", self.describe(&region));
            return self.fault_at(ViolationKind::OutOfBounds, id.address(offset), message);
        }
        self.store_bytes(id.address(0), end);
        Ok(())
    }

    /// True if a size is at least `end`.
    fn reaches(&mut self, size: Symbol, end: u32) -> Result<bool, StepEnd> {
        self.asking_of_sizes(|machine| machine.is_between(size, end.into(), mask(WIDTH)))
    }

    /// Makes an object that is known to have so many bytes store them.
    pub(in crate::system) fn store_bytes(&mut self, address: u64, end: u32) {
        let (id, _) = address::split(address).expect("this is the address of an object");
        let Some(object) = self.memory.object(id).filter(|object| object.extent != Extent::Stored) else { return };
        if object.size < end {
            self.memory.grow(id, end);
        }
        self.named.sizes.push((id, end));
    }

    /// The size of the object that `realloc` makes of another one, and the number of bytes that are copied.
    /// The new object has no zeros in place of those that are not.
    ///
    /// # Errors
    /// The number depends on which size it is, and there are too many.
    pub(in crate::system) fn kept_bytes(&mut self, old: &Object, size: Size) -> Result<(Size, u32), StepEnd> {
        const UNKNOWN: StepEnd = StepEnd::Limit(Unknown::Nondet);
        let new = match size {
            Size::Open(symbol) if self.reaches(symbol, old.size)? => None,
            Size::Open(_) if self.names_answers() => return Err(UNKNOWN),
            Size::Open(symbol) => Some(self.value_of(symbol)?),
            Size::Known(bytes) => Some(bytes),
            Size::Fails => unreachable!("such an allocation fails"),
        };
        let kept = new.map_or(old.size, |new| u32::try_from(new).unwrap_or(u32::MAX).min(old.size));
        let keeps_zeros = old.zeroed && old.extent != Extent::Stored && new.is_none_or(|new| new > old.size.into());
        if keeps_zeros {
            return Err(UNKNOWN);
        }
        self.named.sizes.push((old.id, u32::MAX));
        Ok((new.map_or(size, Size::Known), kept))
    }
}
