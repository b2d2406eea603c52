//! Allocated memory that is freed.
//!
//! Each object has a byte in an object of its own, [`LIVES`], which `free` sets. An access through a pointer
//! that may lead to allocated memory is preceded by a load of that byte. Memory is never used again here, so
//! a byte that is set stays so: where the load finds it set, the access is one of freed memory. The byte may
//! be set between the load and the access; in another schedule the load comes later and finds it.
//!
//! Here `free` empties the thread's buffer, which on the machine it does not. That leaves out executions. And
//! on the machine another allocation may get the name of freed memory, so that a pointer to it is good again:
//! the claims are doubtful.

use super::access::Update;
use super::events::Action;
use super::reads::Read;
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::points::{Offsets, Points};
use crate::engine::symbolic::word::Word;
use crate::ir::Program;
use crate::ir::address::{OFFSET_BITS, ObjectId};
use crate::ir::value::{Value, mask};
use crate::system::library;

/// The object with a byte for each allocated object, at the offset that is its number.
pub const LIVES: ObjectId = ObjectId::new(127, 2);

/// True if a program may free memory.
pub(super) fn frees(program: &Program) -> bool {
    let mut calls = program.functions.iter().flat_map(|function| &function.library);
    calls.any(|call| library::function(call.function).frees)
}

impl Unroller<'_> {
    /// Frees the object at an address, unless that is null.
    pub(super) fn free(&mut self, path: &mut Path, pointer: Word) -> Result<(), Stop> {
        let is_null = self.formulas.is_value(pointer, 0);
        let mut with_null = path.clone();
        let mut ends = Vec::with_capacity(2);
        if self.assume(&mut with_null, is_null).is_ok() {
            self.log_silently(&with_null);
            ends.push(with_null);
        }
        let is_other = self.formulas.not(is_null);
        if self.assume(path, is_other).is_ok() {
            match self.free_object(path, pointer) {
                Ok(()) => ends.push(path.clone()),
                Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        let mut ends = ends.into_iter();
        *path = ends.next().ok_or(Stop::Dead)?;
        for end in ends {
            *path = self.merge(path.clone(), &end);
        }
        Ok(())
    }

    /// Frees the object at an address that is not null.
    fn free_object(&mut self, path: &mut Path, pointer: Word) -> Result<(), Stop> {
        let offset = self.formulas.low(pointer, OFFSET_BITS);
        let zero = self.formulas.terms.constant(0, OFFSET_BITS);
        let is_begin = self.formulas.terms.eq(offset, zero);
        self.demand(path, is_begin, false)?;
        let life = self.life_of(pointer);
        let update = Update::unconditional(&mut self.formulas, vec![Word::number(1)]);
        let old = self.update(path, &[(life, 1)], |_, _| Ok(update))?;
        let was_alive = self.is_number(old[0], 8, 0);
        self.demand(path, was_alive, true)
    }

    /// Demands that the memory of an access is not freed, if it may be.
    pub(super) fn demand_alive(&mut self, path: &mut Path, address: Word) -> Result<(), Stop> {
        let points = self.formulas.points(address);
        let may_be_freed = points.is_loaded()
            || points.objects().any(|(object, _)| {
                // A later thread may allocate what is not known yet.
                self.objects.is_allocated(object) || self.objects.find(self.program, object).is_none()
            });
        if !self.frees || !may_be_freed {
            return Ok(());
        }
        let life = self.life_of(address);
        let found = match life {
            Word::Known(life) if self.beginning.is_going_on => {
                if !self.objects.is_allocated(ObjectId((life.bits & mask(OFFSET_BITS)) as u32)) {
                    return Ok(());
                }
                self.load_directly(path, Word::Known(life), 1)?
            }
            Word::Term(_) if self.beginning.is_going_on => {
                return self.refuse("a pointer that is not known, to memory that may be freed, before threads exist");
            }
            _ => {
                let Read { word, result, open, content } = self.read(path, life, 1);
                let place = self.place();
                self.unlogged_event(path, Action::Load { address: life, len: 1, result, open, content }, place)?;
                word
            }
        };
        let is_alive = self.is_number(found, 8, 0);
        self.demand(path, is_alive, true)
    }

    /// The address of the byte for the object that a pointer leads to. A load of the byte for an object that
    /// was not allocated reads 0 (`resolve.rs`).
    fn life_of(&mut self, pointer: Word) -> Word {
        let life = |pointer: u64| Value::new(LIVES.address(0).wrapping_add(pointer >> OFFSET_BITS));
        if let Word::Term(_) = pointer
            && let Some(address) = self.formulas.mapped(pointer, life)
        {
            return address;
        }
        let bits = self.formulas.bits(pointer);
        let number = self.formulas.terms.extract(bits, OFFSET_BITS, 64 - OFFSET_BITS);
        let number = self.formulas.terms.zero_extend(number, 64);
        let base = self.formulas.terms.constant(LIVES.address(0).into(), 64);
        let address = self.formulas.terms.add(base, number);
        let open = self.formulas.terms.boolean(false);
        self.formulas.word(address, open, Points::to(LIVES, Offsets { first: 0, stride: 1 }))
    }
}
