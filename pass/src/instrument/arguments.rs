//! `va_arg`, an instruction that clang does not emit for C on x86-64 but other compilers do.
//!
//! A `va_list` holds how many of the registers with arguments were used up, where they were saved, and where
//! the other arguments are (System V ABI for x86-64, 3.5.7). The instruction becomes the equivalent loads and
//! stores; these are instrumented like any others. Only arguments that are passed in one register have such a
//! form; the others are refused by name. Test: `tests/tests/bitcode.rs`.

use super::{Rewriter, replace};
use crate::error::{Error, Problem};
use rmc_llvm::edit::{Type, Value};
use rmc_llvm::{IntPredicate, TypeKind};

/// The offsets in a `va_list` of the address of the arguments in memory, and of that of the saved registers.
const MEMORY: i64 = 8;
const SAVED: i64 = 16;

/// The registers of a kind of argument.
struct Registers {
    /// The offset in the `va_list` of the number of bytes that are used up.
    field: i64,
    /// The largest number of bytes that can be used up.
    limit: i64,
    /// The number of bytes of one register.
    size: i64,
}

impl Registers {
    fn of(ty: Type) -> Option<Registers> {
        match ty.kind() {
            TypeKind::LLVMPointerTypeKind => Some(Registers { field: 0, limit: 48, size: 8 }),
            TypeKind::LLVMIntegerTypeKind if ty.bits() <= 64 => Some(Registers { field: 0, limit: 48, size: 8 }),
            TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => {
                Some(Registers { field: 4, limit: 176, size: 16 })
            }
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
        let at = |offset| builder.offset(self.module, list, self.int64(offset));
        let (used_at, memory_at, saved_at) = (at(registers.field), at(MEMORY), at(SAVED));
        let used = builder.load(self.module.int(32), used_at);
        let memory = builder.load(self.module.ptr(), memory_at);
        let saved = builder.load(self.module.ptr(), saved_at);
        let fits = builder.compare(IntPredicate::LLVMIntULE, used, self.int32(registers.limit - registers.size));
        let in_registers = builder.offset(self.module, saved, used);
        let value = builder.load(ty, builder.select(fits, in_registers, memory));
        let more = builder.binary(rmc_llvm::Opcode::LLVMAdd, used, self.int32(registers.size));
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
