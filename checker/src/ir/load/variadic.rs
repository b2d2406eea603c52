//! Calls with variable arguments: where the caller puts them, and where the first one is for the callee.
//!
//! They are in one object. It begins with the register save area ([`rmc_abi::va_list`]), and ends behind the
//! last argument that is given, so that what is not given is out of bounds. Where arguments are passed on the
//! stack, the whole save area is there, and they follow it.
//!
//! clang divides structures and 128-bit integers into words where they are passed in registers, and passes
//! the others by value in memory; so a scalar of the bitcode is in registers if enough are left.

use super::function::Lowering;
use super::types::{self, Leaf};
use crate::ir::ids::{Operand, Reg};
use crate::ir::instr::{Format, Instr, IntOp};
use crate::ir::value::Value;
use rmc_abi::va_list::{NextPlaces, VECTOR_END};
use rmc_llvm::{Type, TypeKind, Value as LlvmValue};

/// Takes the registers of one argument that is not passed in memory, or of a part of one, if enough are left.
fn take(next: &mut NextPlaces, ty: Type<'_>) -> Option<u32> {
    match types::scalar(ty) {
        Some(Format::X87) => None,
        Some(Format::Int(bits)) => next.take_general(bits.div_ceil(64)),
        Some(_) => next.take_vector(),
        None => types::vector(ty).filter(|(_, whole)| whole.width <= 128).and_then(|_| next.take_vector()),
    }
}

/// The types that LLVM passes one by one.
fn parts(ty: Type<'_>) -> Vec<Type<'_>> {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => (0..ty.count()).flat_map(|at| parts(ty.field(at))).collect(),
        TypeKind::LLVMArrayTypeKind => (0..ty.count()).flat_map(|_| parts(ty.element())).collect(),
        _ => vec![ty],
    }
}

/// The places that the fixed arguments leave, given as their types and whether they are passed in memory.
fn behind<'m>(fixed: impl Iterator<Item = (Type<'m>, bool)>) -> NextPlaces {
    let mut next = NextPlaces::FIRST;
    for part in fixed.filter(|&(_, in_memory)| !in_memory).flat_map(|(ty, _)| parts(ty)) {
        take(&mut next, part);
    }
    next
}

/// The places of the first variable arguments of a function.
pub fn first_places(function: LlvmValue<'_>) -> NextPlaces {
    let params = (0..).zip(function.params());
    behind(params.map(|(at, param)| (param.ty(), function.parameter_is_by_value(at))))
}

/// The memory of the variable arguments of a call, as it grows.
struct Area {
    next: NextPlaces,
    /// Where the last argument in a register ends.
    saved: u32,
    /// Where the last argument on the stack ends.
    end: u32,
}

impl Area {
    /// The place of an argument in registers.
    fn in_registers(&mut self, ty: Type<'_>, bytes: u32) -> Option<u32> {
        let place = take(&mut self.next, ty)?;
        self.saved = self.saved.max(place + bytes.next_multiple_of(8));
        Some(place)
    }

    /// The place of an argument on the stack.
    fn on_stack(&mut self, align: u32, bytes: u32) -> u32 {
        let place = self.end.next_multiple_of(align);
        self.end = place + bytes.next_multiple_of(8);
        place
    }

    const fn size(&self) -> u32 {
        if self.end > VECTOR_END { self.end } else { self.saved }
    }
}

impl<'m> Lowering<'_, 'm> {
    /// Puts the arguments of a call that follow the `fixed` ones into memory of their own. Its offsets are
    /// multiples of their alignments.
    pub(super) fn variable_arguments(&mut self, call: LlvmValue<'m>, fixed: u32, extra: &[LlvmValue<'m>]) -> Operand {
        let by_value = |at| call.by_value(at).is_some();
        let named = (0..fixed).zip(call.arguments()).map(|(at, argument)| (argument.ty(), by_value(at)));
        let mut area = Area { next: behind(named), saved: 0, end: VECTOR_END };
        let object = self.fresh(1);
        let mut places = Vec::new();
        for (at, argument) in (fixed..).zip(extra) {
            places.push((at, *argument, self.argument_places(&mut area, call, at, *argument)));
        }
        self.emit(Instr::CalleeObject { dst: object, size: area.size(), variadic: true });
        for (at, argument, places) in places {
            let operand = self.operand(argument);
            match call.by_value(at) {
                Some(ty) => self.pass_by_value(ty, operand, object, places[0]),
                None => self.store_parts(argument, operand, Operand::reg(object), &places, call),
            }
        }
        Operand::reg(object)
    }

    /// The places of the parts of an argument.
    fn argument_places(&self, area: &mut Area, call: LlvmValue<'m>, at: u32, argument: LlvmValue<'m>) -> Vec<u32> {
        let module = self.symbols.module;
        let bytes = |ty| u32::try_from(module.size(ty)).unwrap_or(u32::MAX);
        if let Some(ty) = call.by_value(at) {
            // A structure passed by value may have a larger alignment than its parts.
            let align = call.argument_alignment(at).unwrap_or(module.align(ty));
            return vec![area.on_stack(stack_alignment(align), bytes(ty))];
        }
        let place = |part| {
            area.in_registers(part, bytes(part)).unwrap_or_else(|| {
                // For 128-bit integers LLVM 16 has an alignment of 8 bytes in memory; as arguments the ABI
                // has 16.
                let is_wide = types::scalar(part) == Some(Format::Int(128));
                let align = if is_wide { 16 } else { module.align(part) };
                area.on_stack(stack_alignment(align), bytes(part))
            })
        };
        parts(argument.ty()).into_iter().map(place).collect()
    }

    fn pass_by_value(&mut self, ty: Type<'m>, from: Operand, object: Reg, place: u32) {
        let to = self.fresh(1);
        let distance = self.pool.word(Value::new(u64::from(place)));
        self.int(IntOp::Add, Format::Int(64), to, Operand::reg(object), distance);
        let len = self.pool.word(Value::new(self.symbols.module.size(ty)));
        self.copy_operands(Operand::reg(to), from, len, [true, false], false);
    }

    /// Stores the parts of an argument at their places.
    fn store_parts(
        &mut self,
        argument: LlvmValue<'m>,
        value: Operand,
        area: Operand,
        places: &[u32],
        call: LlvmValue<'m>,
    ) {
        if let [place] = places {
            return self.store_leaves(argument, value, area, *place, call);
        }
        let Some(leaves) = self.leaves(argument, call) else { return };
        // A vector in a structure has several leaves, and is passed in one part.
        if leaves.len() != places.len() {
            return self.unsupported(format!("variable arguments of `{}`", call.print()));
        }
        for (leaf, &place) in leaves.into_iter().zip(places) {
            self.store_leaf(Leaf { offset: 0, ..leaf }, value, area, place);
        }
    }

    /// The register that holds the address of a variadic function's arguments.
    pub(super) fn argument_area(&self) -> Operand {
        Operand::reg(Reg(self.out.params))
    }
}

fn stack_alignment(natural: u64) -> u32 {
    u32::try_from(natural.max(8)).expect("LLVM's alignments fit in 32 bits")
}
