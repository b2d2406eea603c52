//! Calls of functions whose address depends on inputs, or on what loads read.
//!
//! Each function that the address may be of is called on a path of its own, and the paths meet behind the
//! call. An address that was loaded from shared memory may be that of any function to which a pointer in
//! shared memory points. Which these are is known when all threads are unrolled, so it is taken from an
//! attempt before: the unrolling is repeated with the functions that it found, until it finds no other ones.
//!
//! Tests: `tests/programs/language/chosen_functions.c`, `tests/programs/symbolic/function_pointers.c`.

use std::collections::BTreeSet;

use rmc_formula::TermId;

use super::{Path, Stop, Unrolled, Unroller};
use crate::engine::symbolic::points::Points;
use crate::engine::symbolic::word::Word;
use crate::ir::Program;
use crate::ir::address::ObjectId;
use crate::ir::ids::{FuncId, Operand};
use crate::ir::instr::Instr;
use crate::ir::value::Value;

/// The most functions that a call may be of.
const MOST_CALLED: usize = 16;

impl Unrolled {
    /// Where the pointers in shared memory may point to.
    #[must_use]
    pub fn published(&self, program: &Program) -> Points {
        let mut published = self.objects.published().clone();
        for object in self.memory.objects() {
            for (_, len, word) in self.memory.written(object) {
                if len == 8 {
                    published.extend(&self.formulas.points(word));
                }
            }
        }
        for word in program.globals.iter().flat_map(|global| &global.pages).flatten() {
            published.extend(&Points::of_value(Value::new(*word)));
        }
        published
    }

    /// The functions to which the pointers in shared memory may point.
    #[must_use]
    pub fn published_functions(&self, program: &Program) -> BTreeSet<FuncId> {
        functions(program, &self.published(program))
    }
}

/// The functions whose addresses are among these places.
fn functions(program: &Program, places: &Points) -> BTreeSet<FuncId> {
    let begins = places.objects().filter(|(_, offsets)| offsets.within(1, 1).next().is_some());
    begins.filter_map(|(object, _)| program.function_at(object)).collect()
}

impl Unroller<'_> {
    /// Unrolls a call of the function at an address.
    pub(super) fn call_indirect(&mut self, path: &mut Path, target: Operand, instr: &Instr) -> Result<(), Stop> {
        let address = self.word(path, target);
        self.demand_defined(path, address)?;
        if matches!(address, Word::Known(_)) {
            let function = self.function_at(path, address)?;
            return self.call_from(path, function, instr);
        }
        let candidates: Vec<_> =
            self.callable(address)?.into_iter().map(|function| (function, self.is_of(address, function))).collect();
        let never = self.formulas.terms.boolean(false);
        let is_any = candidates.iter().fold(never, |any, &(_, is_it)| self.formulas.terms.or(any, is_it));
        // Other numbers may be addresses of functions, too.
        self.demand(path, is_any, true)?;
        let mut met: Option<Path> = None;
        for (at, &(function, is_it)) in candidates.iter().enumerate() {
            let mut own = path.clone();
            // The other functions wait, and the path on which calls met.
            let waiting = usize::from(self.thread == 0) * (candidates.len() - at - 1 + usize::from(met.is_some()));
            self.beginning.waiting += waiting;
            match self.assume(&mut own, is_it).and_then(|()| self.call_from(&mut own, function, instr)) {
                Ok(()) => {
                    met = Some(match met {
                        Some(met) => self.merge(met, &own),
                        None => own,
                    });
                }
                Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
            self.beginning.waiting -= waiting;
        }
        *path = met.ok_or(Stop::Dead)?;
        Ok(())
    }

    /// Whether an address is that of a function: 1 bit.
    fn is_of(&mut self, address: Word, function: FuncId) -> TermId {
        let object = ObjectId::function(function.index(), self.program.globals.len());
        self.is_number(address, 64, object.address(0))
    }

    /// The functions that an address may be of.
    fn callable(&mut self, address: Word) -> Result<BTreeSet<FuncId>, Stop> {
        let points = self.formulas.points(address);
        let mut candidates = functions(self.program, &points);
        if points.is_loaded() {
            self.calls_published = true;
            candidates.extend(&self.published_functions);
        }
        if candidates.len() > MOST_CALLED {
            return self.refuse("a call of one of more than 16 functions");
        }
        Ok(candidates)
    }
}
