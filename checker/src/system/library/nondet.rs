//! Nondeterministic values: `__VERIFIER_nondet_*` of the software verification competition, with `--svcomp`,
//! and `rmc_int`.
//!
//! The value of an integer is chosen where the program tells values apart (`system/inputs/`), if the engine
//! defers inputs. Otherwise it is chosen at the call:
//!
//! All values of a type of at most 16 bits are tried. A wider type has too many values. With `--nondet-range`
//! the values in that range are tried, which is then an assumption about the program and keeps the verdict
//! from being `holds`. Without it, the execution is not followed further, which makes the verdict `unknown`.
//! A floating-point type takes the whole numbers of the range; a pointer has no range.
//!
//! The limit is 16 bits because each value makes a successor of the state. All values of a `short` take a
//! tenth of a second, those of an `int` would take hours.

use super::Call;
use super::svcomp::require;
use crate::ir::value::{Value, mask, signed};
use crate::outcome::{Unknown, ViolationKind};
use crate::system::config::DataRange;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};
use crate::system::symbols::ranges::{Ranges, two_complement};

/// The type of a value.
#[derive(Clone, Copy)]
pub(super) enum Type {
    /// Integers of so many bits.
    Signed(u32),
    Unsigned(u32),
    Float,
    Double,
    Pointer,
}

/// The maximal number of bits of a type whose values are all tried.
const WIDEST: u32 = 16;

/// The types that functions return, with the functions' names.
macro_rules! types {
    ($($name:literal $ty:expr,)*) => {
        pub(super) const TYPES: &[(&str, Type)] = &[$((concat!("__VERIFIER_nondet_", $name), $ty)),*];
    };
}

types! {
    "bool" Type::Unsigned(1),
    "char" Type::Signed(8),
    "schar" Type::Signed(8),
    "S8" Type::Signed(8),
    "uchar" Type::Unsigned(8),
    "u8" Type::Unsigned(8),
    "U8" Type::Unsigned(8),
    "short" Type::Signed(16),
    "S16" Type::Signed(16),
    "ushort" Type::Unsigned(16),
    "u16" Type::Unsigned(16),
    "U16" Type::Unsigned(16),
    "int" Type::Signed(32),
    "S32" Type::Signed(32),
    "uint" Type::Unsigned(32),
    "unsigned" Type::Unsigned(32),
    "u32" Type::Unsigned(32),
    "U32" Type::Unsigned(32),
    "long" Type::Signed(64),
    "ulong" Type::Unsigned(64),
    "longlong" Type::Signed(64),
    "ulonglong" Type::Unsigned(64),
    "u64" Type::Unsigned(64),
    "size_t" Type::Unsigned(64),
    "loff_t" Type::Signed(64),
    "sector_t" Type::Unsigned(64),
    "float" Type::Float,
    "double" Type::Double,
    "pointer" Type::Pointer,
    "pchar" Type::Pointer,
    "charp" Type::Pointer,
}

pub(super) fn nondet<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    require(machine, call)?;
    if let Some(done) = machine.later(turn, call)? {
        return Ok(done);
    }
    let Some(value) = machine.any_value(turn, type_of(call.name))? else { return Ok(Next::Wait) };
    let bits = match type_of(call.name) {
        Type::Float => u64::from((value as f32).to_bits()),
        Type::Double => (value as f64).to_bits(),
        // Two's complement is used. `give` cuts off the bits beyond the type's width.
        Type::Signed(_) | Type::Unsigned(_) | Type::Pointer => (value as i64).cast_unsigned(),
    };
    machine.announce_input(call.name, value, bits);
    machine.give(call, bits)
}

/// Models `long rmc_int(long least, long most)` (include/rmc.h), which returns every value from `least` to
/// `most`.
pub(super) fn interval<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [least, most] = [0, 1].map(|at| machine.argument(call, at));
    let [least, most] = [least?, most?].map(|bits| i128::from(signed(bits, 64)));
    if least > most {
        let message = format!("rmc_int({least}, {most}): there is nothing to choose");
        return machine.fault(ViolationKind::InvalidArgument, message);
    }
    if machine.keeps_inputs() && call.site.width == 64 {
        return machine.give_input(turn, call, two_complement(least, most, 64), true);
    }
    if most - least >= 1 << WIDEST {
        return Err(StepEnd::Limit(Unknown::Nondet));
    }
    let Some(index) = machine.choose(turn, (most - least + 1) as u64) else { return Ok(Next::Wait) };
    let value = least + i128::from(index);
    let bits = (value as i64).cast_unsigned();
    machine.announce_input(call.name, value, bits);
    machine.give(call, bits)
}

/// The width in bits of the integers that a function of the competition returns, and whether they are signed.
/// `None`: it returns no integers.
#[must_use]
pub fn input_type(name: &str) -> Option<(u32, bool)> {
    match TYPES.iter().find(|(known, _)| *known == name)?.1 {
        Type::Signed(bits) => Some((bits, true)),
        Type::Unsigned(bits) => Some((bits, false)),
        Type::Float | Type::Double | Type::Pointer => None,
    }
}

fn type_of(name: &str) -> Type {
    TYPES.iter().find(|(known, _)| *known == name).expect("the table of functions has these names").1
}

/// The values to try, both ends included, and true if the type has others too. The result is `None` if there
/// are too many.
fn values(ty: Type, range: Option<DataRange>) -> Option<(DataRange, bool)> {
    let whole = match ty {
        Type::Signed(bits) => DataRange { min: -(1 << (bits - 1)), max: (1 << (bits - 1)) - 1 },
        Type::Unsigned(bits) => DataRange { min: 0, max: (1 << bits) - 1 },
        Type::Float | Type::Double => return range.map(|range| (range, true)),
        Type::Pointer => return None,
    };
    if whole.max - whole.min < 1 << WIDEST {
        return Some((whole, false));
    }
    range.map(|range| (DataRange { min: range.min.max(whole.min), max: range.max.min(whole.max) }, true))
}

/// The bits of an integer that a function returns: `None` of other types, and of those that have only two
/// values anyway.
fn deferred_bits(ty: Type) -> Option<u32> {
    match ty {
        Type::Signed(bits) | Type::Unsigned(bits) if bits > 1 => Some(bits),
        _ => None,
    }
}

/// True if the value that a function of this name returns may be chosen late.
pub(super) fn may_be_deferred(name: &str) -> bool {
    TYPES.iter().find(|(known, _)| *known == name).is_none_or(|&(_, ty)| deferred_bits(ty).is_some())
}

const fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Signed(_))
}

impl Machine<'_> {
    /// Returns an input whose value is chosen later, or is given. `None`: its value is chosen here.
    fn later(&mut self, turn: &VisibleSlot, call: Call<'_>) -> Result<Option<Next>, StepEnd> {
        let ty = type_of(call.name);
        let Some(width) = deferred_bits(ty).filter(|&width| width == u32::from(call.site.width)) else {
            return Ok(None);
        };
        if !self.keeps_inputs() {
            return Ok(None);
        }
        let values = match values(ty, self.config.nondet_range) {
            Some((range, true)) => {
                self.note_left_out(Unknown::DataRange);
                if is_signed(ty) {
                    two_complement(range.min, range.max, width)
                } else {
                    Ranges::from_to(range.min as u64, range.max as u64)
                }
            }
            _ => Ranges::from_to(0, mask(width)),
        };
        if values.is_empty() {
            return Err(StepEnd::Pruned);
        }
        self.give_input(turn, call, values, is_signed(ty)).map(Some)
    }

    /// Returns an input that has one of these values, which is chosen later or given, from a function. The
    /// thread waits if the step asked something before.
    pub(super) fn give_input(
        &mut self,
        turn: &VisibleSlot,
        call: Call<'_>,
        values: Ranges,
        is_signed: bool,
    ) -> Result<Next, StepEnd> {
        // As with choices: what was asked of other inputs must not multiply.
        if self.asks_later(turn) {
            return Ok(Next::Wait);
        }
        let width = call.site.width.into();
        let value = match self.given_input(&values)? {
            Some(value) => Value::new(value),
            None => self.input(width, values)?,
        };
        let number = if is_signed { i128::from(signed(value.bits, width)) } else { value.bits.into() };
        self.announce_call(call.name, number);
        self.running.stack.set(call.site.dst, value);
        Ok(Next::Advance)
    }

    /// A value of the type; every value is one answer. The result is `None` if the thread waits for its next
    /// step.
    fn any_value(&mut self, turn: &VisibleSlot, ty: Type) -> Result<Option<i128>, StepEnd> {
        let (values, partial) = values(ty, self.config.nondet_range).ok_or(StepEnd::Limit(Unknown::Nondet))?;
        if partial {
            self.note_left_out(Unknown::DataRange);
        }
        let count = values.max - values.min + 1;
        if count <= 0 {
            // The range has no value of this type. By assumption the execution does not get here.
            return Err(StepEnd::Pruned);
        }
        let index = self.choose(turn, u64::try_from(count).expect("the command line bounds the range"));
        Ok(index.map(|index| values.min + i128::from(index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_type_and_never_taken_for_all_of_it() {
        let range = Some(DataRange { min: -3, max: 5 });
        assert_eq!(values(Type::Unsigned(32), range), Some((DataRange { min: 0, max: 5 }, true)));
        assert_eq!(values(Type::Signed(64), range), Some((DataRange { min: -3, max: 5 }, true)));
        assert_eq!(values(Type::Signed(8), range), Some((DataRange { min: -128, max: 127 }, false)));
        assert_eq!(values(Type::Unsigned(16), None), Some((DataRange { min: 0, max: 65535 }, false)));
        assert_eq!(values(Type::Signed(32), None), None);
        assert_eq!(values(Type::Pointer, range), None);
    }
}
