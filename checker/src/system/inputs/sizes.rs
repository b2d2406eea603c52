//! Sizes of objects that are symbols.
//!
//! An object of such a size ([`Extent::Open`]) stores as many bytes as accesses needed so far, at first none.
//! An access up to byte `end` that needs more asks whether the size is at least `end`. With yes, so many
//! bytes are stored (`state/memory/growth.rs`), and the operation is repeated; with no, it is out of bounds.
//! So the sizes are divided at the ends of accesses, and the bytes behind those are in no state.
//!
//! An allocation asks whether the size is one that an object can have. Larger ones end the execution as a
//! number does that is too large, or fail.
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
//! A function without [`LibraryFunction::resumes`] that finds less stored than it needs gets
//! [`Unknown::Nondet`]. Where more has to be known of a size, it is chosen if it has few values; not with
//! named answers.
//!
//! [`LibraryFunction::resumes`]: crate::system::library::LibraryFunction::resumes
//!
//! Tests: `tests/programs/inputs/sizes*.c`; random programs in `tests/tests/nondet_differential.rs`.

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
        Some(symbol).filter(|&symbol| self.memory.table.symbols.width(symbol) == WIDTH)
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

    /// A number of bytes that an object does not exceed, as far as conditions may be looked at.
    pub(super) fn most_bytes(&self, region: &Region) -> u64 {
        let Some(object) = self.memory.object(region.id) else { return region.size.into() };
        let symbol = object.extent.symbol().filter(|_| !self.names_answers());
        let greatest = symbol.and_then(|symbol| self.memory.table.symbols.values(symbol).greatest());
        greatest.unwrap_or(u64::MAX).min(object.most_bytes().into())
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
    /// Where the new object has bytes that are not copied, they are uninitialised.
    ///
    /// # Errors
    /// The number depends on which size it is, and there are too many, or none may be chosen here.
    pub(in crate::system) fn kept_bytes(&mut self, old: ObjectId, size: Size) -> Result<(Size, u32), StepEnd> {
        let object = |machine: &Self| *machine.memory.object(old).expect("the object exists");
        let Object { zeroed, extent, size: stored, .. } = object(self);
        let ends_before = matches!(size, Size::Known(new) if new <= stored.into());
        if zeroed && extent != Extent::Stored && !ends_before {
            // How many zeros are copied depends on the size.
            self.settle_size(old)?;
        }
        let stored = object(self).size;
        let new = match size {
            Size::Open(symbol) if self.reaches(symbol, stored)? => None,
            Size::Open(symbol) => Some(self.chosen_size(symbol)?),
            Size::Known(bytes) => Some(bytes),
            Size::Fails => unreachable!("such an allocation fails"),
        };
        self.named.sizes.push((old, u32::MAX));
        let kept = new.map_or(stored, |new| u32::try_from(new).unwrap_or(u32::MAX).min(stored));
        Ok((new.map_or(size, Size::Known), kept))
    }

    /// Makes an object store all its bytes: each number of them that it may have.
    fn settle_size(&mut self, id: ObjectId) -> Result<(), StepEnd> {
        let extent = self.memory.object(id).expect("the object exists").extent;
        let size = match extent {
            Extent::Stored => return Ok(()),
            Extent::Known(size) => size,
            Extent::Open(symbol) => u32::try_from(self.chosen_size(symbol)?).expect("objects are small"),
        };
        self.memory.object_mut(id).expect("the object exists").extent = Extent::Known(size);
        self.memory.grow(id, size);
        Ok(())
    }

    /// Each size that a symbol may be, if the operation does the same with all of them where answers have
    /// names.
    fn chosen_size(&mut self, symbol: Symbol) -> Result<u64, StepEnd> {
        if self.names_answers() { Err(StepEnd::Limit(Unknown::Nondet)) } else { self.value_of(symbol) }
    }

    /// The number of bytes from an offset of an object to its end, or `most` if there are more.
    ///
    /// # Errors
    /// The number depends on which size it is, and there are too many, or none may be chosen here.
    pub(in crate::system) fn room(&mut self, id: ObjectId, offset: u32, most: u32) -> Result<u32, StepEnd> {
        let region = self.memory.region(id).expect("the object exists");
        if !region.grows || offset + most <= region.size && !self.names_answers() {
            return Ok((region.size - offset).min(most));
        }
        let extent = self.memory.object(id).expect("the object exists").extent;
        match extent {
            Extent::Open(symbol) if self.reaches(symbol, offset + most)? => {
                self.store_bytes(id.address(0), offset + most);
                Ok(most)
            }
            _ => {
                self.settle_size(id)?;
                Ok((self.memory.object(id).expect("the object exists").size - offset).min(most))
            }
        }
    }
}
