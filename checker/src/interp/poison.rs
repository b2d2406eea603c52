//! Sources of poison other than arithmetic, and uses that poison must not reach; see [`crate::ir::value`].

use super::{Effect, Flow, Interpreter, fault, stop};
use crate::ir::address;
use crate::ir::ids::{Operand, Reg};
use crate::ir::instr::Bounds;
use crate::ir::value::{Poison, Value, mask};
use crate::outcome::{Fault, ViolationKind};

/// The fault of a use that depends on `value`, which is uninitialised or poison; `what` describes the use.
pub(super) fn undefined(value: Value, kind: ViolationKind, what: &str) -> Flow {
    stop(Effect::Fault(undefined_fault(value, kind, what)))
}

/// The fault of [`undefined`].
pub(super) fn undefined_fault(value: Value, kind: ViolationKind, what: &str) -> Fault {
    match value.why_poison() {
        Some(Poison::FarPointer) if kind == ViolationKind::UninitialisedDereference => {
            Fault::new(ViolationKind::OutOfBounds, format!("{what} is the result of {}", Poison::FarPointer.describe()))
        }
        Some(why) => Fault::new(ViolationKind::UndefinedResult, format!("{what} is the result of {}", why.describe())),
        None => Fault::new(kind, format!("{what} is uninitialised")),
    }
}

/// The fault of a store of poison; LLVM leaves the stored value open.
#[cold]
pub(super) fn stored_poison(values: &[Value]) -> Flow {
    let value = Value::poison_of(values).expect("one of the values is poison");
    undefined(value, ViolationKind::UndefinedResult, "what is stored")
}

/// The address `base` plus `distance`, which is computed from `index`.
#[inline]
pub(crate) fn offset(base: Value, index: Value, distance: i128, bounds: Bounds) -> Value {
    if (base.undef | index.undef) != 0 {
        return Value::poison_of(&[base, index]).unwrap_or(Value::undefined(64));
    }
    let address = Value::new(base.bits.wrapping_add(distance as u64));
    match bounds {
        Bounds::None => address,
        _ if i64::try_from(distance).is_err() => Value::poison(Poison::FarPointer),
        Bounds::Distance => address,
        Bounds::Near => near(base, address),
    }
}

/// `address` if it is near `base` ([`address::is_near`]), else poison.
#[inline]
pub(crate) const fn near(base: Value, address: Value) -> Value {
    let is_open = base.undef != 0 || address.undef != 0;
    if is_open || address::is_near(base.bits, address.bits) { address } else { Value::poison(Poison::FarPointer) }
}

impl Interpreter<'_> {
    /// Executes a freeze. For an undefined value LLVM leaves open which value results.
    pub(super) fn freeze(&mut self, dst: Reg, a: Operand) -> Flow {
        let value = self.get(a);
        if value.is_defined() {
            return self.put(dst, value);
        }
        stop(Effect::Unsupported(
            "the instruction `freeze` of an undefined value (compile without optimisation)".to_owned(),
        ))
    }

    pub(super) fn range(&mut self, dst: Reg, low: Operand, high: Operand, width: u8) -> Flow {
        let [value, low, high] = [Operand::reg(dst), low, high].map(|operand| self.get(operand));
        let distance = |from: u64, to: u64| to.wrapping_sub(from) & mask(width.into());
        let is_outside = distance(low.bits, value.bits) >= distance(low.bits, high.bits);
        if value.is_defined() && is_outside {
            return self.put(dst, Value::poison(Poison::Range));
        }
        Flow::Next
    }

    pub(super) fn assume(&self, cond: Operand) -> Flow {
        match self.get(cond) {
            Value { undef: 0, bits } if bits & 1 == 1 => Flow::Next,
            Value { undef: 0, .. } => fault(ViolationKind::FalseAssumption, "the compiler was told that this is so"),
            value => undefined(value, ViolationKind::FalseAssumption, "what the compiler was told"),
        }
    }
}
