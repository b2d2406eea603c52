//! Loads and stores of every type.
//!
//! A single access of the machine is passed as an integer of 1, 2, 4, 8 or 16 bytes; narrower integers (`i1`)
//! are zero-extended. All others are passed through a private slot, as ranges that the runtime divides. On
//! x86-64 these are single accesses:
//!
//! | access | single |
//! |---|---|
//! | plain or volatile scalar of up to 8 bytes, aligned to its size | yes |
//! | such a scalar with less alignment | if it lies within an aligned word of 8 bytes, which is known at run time only |
//! | plain or volatile scalar of 16 bytes (`i128`, `fp128`) | no: two words, in any order |
//! | vectors, aggregates, odd sizes (`i24`, `x86_fp80`) | no |
//! | atomic scalar of up to 16 bytes, aligned to its size | yes |
//! | such a scalar with less alignment | LLVM makes it a call of a library function with a lock; refused |
//!
//! `checker/src/system/bulk/pieces.rs` says how a range is divided.

use super::{Rewriter, replace};
use crate::abi;
use crate::error::{Error, Problem};
use crate::select::{self, Target};
use rmc_abi::{Entry, MemoryOrder};
use rmc_llvm::edit::{Type, Value};
use rmc_llvm::{Opcode, TypeKind};

/// The form in which values of a type are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AccessForm {
    /// As an integer of so many bytes, one of [`rmc_abi::WIDTHS`], in a single access.
    Scalar(u64),
    /// Through a slot of so many bytes.
    Pieces(u64),
    /// A type of no bytes, such as `{}`: nothing is accessed.
    Empty,
}

impl Rewriter<'_> {
    pub fn load(&mut self, load: Value) -> Result<(), Error> {
        let (pointer, ty) = (load.operand(0), load.ty());
        let atomic = select::is_atomic(load);
        if !atomic && self.frame.target(pointer) != Target::Shared {
            return Ok(());
        }
        self.check_pointer(pointer, load)?;
        self.builder.before(load);
        let value = match self.shape(ty, atomic, load)? {
            AccessForm::Empty => return Ok(()),
            AccessForm::Scalar(width) => {
                let order = self.order(abi::order(load.ordering()));
                let bits = self.emit(Entry::Load(width), &[pointer, order]);
                self.keep_range(load, bits);
                self.value_of_bits(bits, ty)
            }
            AccessForm::Pieces(bytes) => {
                let slot = self.begin_slot(ty);
                self.emit(Entry::LoadPieces, &[pointer, slot, self.size(bytes)]);
                let value = self.builder.load(ty, slot);
                self.end_slot(ty, slot);
                value
            }
        };
        replace(load, value);
        Ok(())
    }

    pub fn store(&mut self, store: Value) -> Result<(), Error> {
        let (value, pointer) = (store.operand(0), store.operand(1));
        let atomic = select::is_atomic(store);
        if !atomic && self.frame.target(pointer) == Target::Local {
            return Ok(());
        }
        self.check_pointer(pointer, store)?;
        if store.has_metadata("nontemporal") {
            return Err(self.problem(Problem::NonTemporal, store));
        }
        self.builder.before(store);
        match self.shape(value.ty(), atomic, store)? {
            AccessForm::Empty => return Ok(()),
            AccessForm::Scalar(width) => {
                self.store_scalar(pointer, value, width, abi::order(store.ordering()));
            }
            AccessForm::Pieces(bytes) => {
                let slot = self.begin_slot(value.ty());
                self.builder.store(value, slot);
                self.emit(Entry::StorePieces, &[pointer, slot, self.size(bytes)]);
                self.end_slot(value.ty(), slot);
            }
        }
        store.erase();
        Ok(())
    }

    /// Copies the promises of `load` about its value to the call that loads `bits`. clang gives a range to
    /// integers of whole bytes only.
    fn keep_range(&self, load: Value, bits: Value) {
        if load.ty() == bits.ty() {
            bits.copy_metadata("range", load);
        } else if load.has_metadata("nonnull") {
            bits.set_range([1, 0].map(|limit| bits.ty().constant(limit)));
        }
    }

    /// Emits a store of `value`, a scalar of `width` bytes.
    pub fn store_scalar(&self, pointer: Value, value: Value, width: u64, order: MemoryOrder) {
        let bits = self.bits_of_value(value, width);
        self.emit(Entry::Store(width), &[pointer, bits, self.order(order)]);
    }

    /// The width in bytes of an atomic access of type `ty`.
    pub fn atomic_width(&self, ty: Type, instruction: Value) -> Result<u64, Error> {
        match self.shape(ty, true, instruction)? {
            AccessForm::Scalar(width) => Ok(width),
            AccessForm::Pieces(bytes) => Err(self.problem(Problem::WideAtomic { bytes }, instruction)),
            AccessForm::Empty => unreachable!("LLVM has no atomic accesses of types without size"),
        }
    }

    /// Checks that a pointer is in the address space that the ABI has.
    pub fn check_pointer(&self, pointer: Value, instruction: Value) -> Result<(), Error> {
        self.check_space(pointer.ty(), instruction)
    }

    /// Checks that `ty`, the type of a pointer, is in the address space that the ABI has.
    pub fn check_space(&self, ty: Type, instruction: Value) -> Result<(), Error> {
        match ty.address_space() {
            0 => Ok(()),
            space => Err(self.problem(Problem::AddressSpace { space }, instruction)),
        }
    }

    fn shape(&self, ty: Type, atomic: bool, instruction: Value) -> Result<AccessForm, Error> {
        let scalar = match ty.kind() {
            TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind | TypeKind::LLVMX86_AMXTypeKind => {
                return Err(self.problem(Problem::Unsized, instruction));
            }
            TypeKind::LLVMVectorTypeKind | TypeKind::LLVMArrayTypeKind | TypeKind::LLVMStructTypeKind => false,
            _ => true,
        };
        let bytes = self.module.store_size(ty);
        Ok(match bytes {
            0 => AccessForm::Empty,
            _ if scalar && atomic && rmc_abi::WIDTHS.contains(&bytes) => match instruction.alignment() {
                align if align < bytes => {
                    return Err(self.problem(Problem::MisalignedAtomic { bytes, align }, instruction));
                }
                _ => AccessForm::Scalar(bytes),
            },
            _ if scalar && rmc_abi::PLAIN_WIDTHS.contains(&bytes) && instruction.alignment() >= bytes => {
                AccessForm::Scalar(bytes)
            }
            _ if atomic => return Err(self.problem(Problem::WideAtomic { bytes }, instruction)),
            _ => AccessForm::Pieces(bytes),
        })
    }

    /// The scalar `value` as an integer of `width` bytes.
    pub fn bits_of_value(&self, value: Value, width: u64) -> Value {
        let bits = abi::bits(self.module, width);
        if value.ty() == bits {
            return value;
        }
        let cast = match value.ty().kind() {
            TypeKind::LLVMIntegerTypeKind => Opcode::LLVMZExt,
            TypeKind::LLVMPointerTypeKind => Opcode::LLVMPtrToInt,
            _ => Opcode::LLVMBitCast,
        };
        self.builder.cast(cast, value, bits)
    }

    /// The scalar of type `ty` that was passed as `bits`.
    pub fn value_of_bits(&self, bits: Value, ty: Type) -> Value {
        if bits.ty() == ty {
            return bits;
        }
        let cast = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => Opcode::LLVMTrunc,
            TypeKind::LLVMPointerTypeKind => Opcode::LLVMIntToPtr,
            _ => Opcode::LLVMBitCast,
        };
        self.builder.cast(cast, bits, ty)
    }
}
