//! The nondeterministic values of the software verification competition, `__VERIFIER_nondet_*`, with
//! `--svcomp`.
//!
//! Of a type of at most 16 bits every value is tried. A wider type has too many: with `--nondet-range` the
//! values in that range are tried, which is then an assumption about the program and keeps the verdict from
//! being `holds`; without, the execution is not followed further, which makes the verdict `unknown`. A
//! floating-point type takes the whole numbers of the range; a pointer has no range.
//!
//! Why 16 bits: each value makes a successor of the state. All values of a `short` take a tenth of a second,
//! those of an `int` would take hours.

use rmc_runtime::Bytes;

use super::Call;
use super::svcomp::require;
use crate::outcome::Unknown;
use crate::system::config::DataRange;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

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

/// Types of more bits are too wide to try every value.
const WIDEST: u32 = 16;

/// The types that functions return, by the functions' names.
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
    let Some(value) = machine.any_value(turn, type_of(call.name))? else { return Ok(Next::Wait) };
    machine.observe_call(call.name, value);
    let bits = match type_of(call.name) {
        Type::Float => u64::from((value as f32).to_bits()),
        Type::Double => (value as f64).to_bits(),
        // Two's complement; what is beyond the type's width is cut off by `give`.
        Type::Signed(_) | Type::Unsigned(_) | Type::Pointer => (value as i64).cast_unsigned(),
    };
    machine.watch_value(Bytes::defined(bits.into()));
    machine.give(call, bits)
}

fn type_of(name: &str) -> Type {
    TYPES.iter().find(|(known, _)| *known == name).expect("the table of functions has these names").1
}

/// The values to try, both ends included, and whether the type has others too. `None`: too many.
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

impl Machine<'_> {
    /// A value of the type, every one if the engine asks often enough. `None`: the thread waits for its next
    /// step.
    fn any_value(&mut self, turn: &VisibleSlot, ty: Type) -> Result<Option<i128>, StepEnd> {
        let (values, partial) = values(ty, self.config.nondet_range).ok_or(StepEnd::Limit(Unknown::Nondet))?;
        if partial {
            self.note_left_out(Unknown::DataRange);
        }
        let count = values.max - values.min + 1;
        if count <= 0 {
            // The range has no value of this type: by assumption the execution does not come here.
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
