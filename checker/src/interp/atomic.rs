//! The new values of read-modify-write operations.

use super::float;
use crate::ir::instr::{FloatOp, IntCmp, IntOp, RmwOp, combining};
use crate::ir::int;
use crate::ir::value::Value;

/// The new value of `width` bits (at most 64) from the old one and the operand.
#[must_use]
pub fn combine(op: RmwOp, width: u32, old: Value, operand: Value) -> Value {
    let by = |op| int::binary(op, width, old, operand).unwrap_or(old);
    let compare = |op| int::compare(op, width, old, operand);
    if let Some(op) = combining(op) {
        return by(op);
    }
    match op {
        RmwOp::Exchange => operand,
        RmwOp::Nand => not(width, by(IntOp::And)),
        RmwOp::FAdd => float::binary(FloatOp::Add, width, old, operand),
        RmwOp::FSub => float::binary(FloatOp::Sub, width, old, operand),
        RmwOp::FMax => float::binary(FloatOp::Max, width, old, operand),
        RmwOp::FMin => float::binary(FloatOp::Min, width, old, operand),
        // Increment that wraps to 0 past the operand; decrement that wraps to the operand at 0 or above it.
        RmwOp::IncWrap => either(compare(IntCmp::Uge), width, Value::ZERO, plus(width, old, IntOp::Add)),
        RmwOp::DecWrap => {
            let wraps = Value::new(u64::from(old.bits == 0 || old.bits > operand.bits));
            let wraps = if old.is_defined() && operand.is_defined() { wraps } else { Value::undefined(1) };
            either(wraps, width, operand, plus(width, old, IntOp::Sub))
        }
        other => unreachable!("{other:?} is an operation on integers"),
    }
}

fn not(width: u32, a: Value) -> Value {
    Value::partial(!a.bits, a.undef, width)
}

fn plus(width: u32, a: Value, op: IntOp) -> Value {
    int::binary(op, width, a, Value::new(1)).unwrap_or(a)
}

fn either(condition: Value, width: u32, yes: Value, no: Value) -> Value {
    match condition {
        Value { undef: 0, bits: 0 } => no,
        Value { undef: 0, .. } => yes,
        _ => Value::undefined(width),
    }
}
