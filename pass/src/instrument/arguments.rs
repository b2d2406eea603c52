//! `va_arg`, an instruction that clang does not emit for C on x86-64 but other compilers do.
//!
//! A `va_list` holds how many of the registers with arguments were used up, where they were saved, and where
//! the other arguments are (System V ABI for x86-64, 3.5.7). The instruction becomes the equivalent loads and
//! stores; these are instrumented like any others. Only arguments that are passed in one register have such a
//! form; the others are refused by name. Test: `tests/tests/bitcode.rs`.

use super::{Rewriter, replace};
use crate::error::{Error, Problem};
use rmc_abi::va_list;
use rmc_llvm::edit::{Type, Value};
use rmc_llvm::{IntPredicate, TypeKind};

/// The registers of a kind of argument.
struct Registers {
    /// The offset in the `va_list` of the number of bytes that are used up.
    field: u32,
    /// The largest number of bytes that can be used up.
    limit: u32,
    /// The number of bytes of one register.
    size: u32,
}

impl Registers {
    const GENERAL: Self = Self { field: va_list::GENERAL.0, limit: va_list::GENERAL_END, size: va_list::GENERAL_BYTES };
    const VECTOR: Self = Self { field: va_list::VECTOR.0, limit: va_list::VECTOR_END, size: va_list::VECTOR_BYTES };

    fn of(ty: Type) -> Option<Registers> {
        match ty.kind() {
            TypeKind::LLVMPointerTypeKind => Some(Self::GENERAL),
            TypeKind::LLVMIntegerTypeKind if ty.bits() <= 64 => Some(Self::GENERAL),
            TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => Some(Self::VECTOR),
            _ => None,
        }
    }
}

impl Rewriter<'_> {
    pub fn variable_argument(&mut self, instruction: Value) -> Result<(), Error> {
        let (list, ty) = (instruction.operand(0), instruction.ty());
        let Some(registers) = Registers::of(ty) else {
            return Err(self.problem(Problem::VariableArgument, instruction));
        };
        let builder = &self.builder;
        builder.before(instruction);
        let at = |offset: u32| builder.offset(self.module, list, self.int64(offset.into()));
        let (used_at, memory_at, saved_at) = (at(registers.field), at(va_list::OVERFLOW.0), at(va_list::SAVED.0));
        let used = builder.load(self.module.int(32), used_at);
        let memory = builder.load(self.module.ptr(), memory_at);
        let saved = builder.load(self.module.ptr(), saved_at);
        let fits =
            builder.compare(IntPredicate::LLVMIntULE, used, self.int32((registers.limit - registers.size).into()));
        let in_registers = builder.offset(self.module, saved, used);
        let value = builder.load(ty, builder.select(fits, in_registers, memory));
        let more = builder.binary(rmc_llvm::Opcode::LLVMAdd, used, self.int32(registers.size.into()));
        let behind = builder.offset(self.module, memory, self.int64(8));
        let stores = [
            builder.store(builder.select(fits, more, used), used_at),
            builder.store(builder.select(fits, memory, behind), memory_at),
        ];
        replace(instruction, value);
        for load in [used, memory, saved, value] {
            self.load(load)?;
        }
        stores.into_iter().try_for_each(|store| self.store(store))
    }
}
