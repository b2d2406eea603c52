//! The layout of LLVM types in words: the scalar leaves of a type, in memory order.

use crate::ir::instr::{Elements, Format};
use rmc_llvm::{Module, Type, TypeKind};

/// A scalar of a type, with its place in memory and in the value's words.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Byte offset in memory.
    pub offset: u32,
    /// First word.
    pub word: usize,
    /// Its scalar type.
    pub format: Format,
    /// Bytes that a store writes.
    pub bytes: u32,
}

/// The format of a scalar type; `None` for aggregates, vectors and types without values.
pub fn scalar(ty: Type<'_>) -> Option<Format> {
    Some(match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => Format::Int(ty.bits()),
        TypeKind::LLVMPointerTypeKind => Format::Int(64),
        TypeKind::LLVMHalfTypeKind => Format::Half,
        TypeKind::LLVMBFloatTypeKind => Format::BFloat,
        TypeKind::LLVMFloatTypeKind => Format::Single,
        TypeKind::LLVMDoubleTypeKind => Format::Double,
        TypeKind::LLVMX86_FP80TypeKind => Format::X87,
        TypeKind::LLVMFP128TypeKind => Format::Quad,
        _ => return None,
    })
}

/// Words of a format.
pub fn format_words(format: Format) -> usize {
    format.bits().div_ceil(64) as usize
}

/// Words of a value of the type.
pub fn words(ty: Type<'_>) -> usize {
    match ty.kind() {
        TypeKind::LLVMVectorTypeKind | TypeKind::LLVMArrayTypeKind => ty.count() as usize * words(ty.element()),
        TypeKind::LLVMStructTypeKind => (0..ty.count()).map(|at| words(ty.field(at))).sum(),
        _ => scalar(ty).map_or(0, format_words),
    }
}

/// The elements of a vector of numbers, and all its bits as one number.
pub fn vector(ty: Type<'_>) -> Option<(Elements, Elements)> {
    let element = Some(ty).filter(|ty| ty.kind() == TypeKind::LLVMVectorTypeKind)?.element();
    let width = scalar(element)?.bits();
    Some((Elements { count: ty.count(), width }, Elements { count: 1, width: ty.count() * width }))
}

/// The leaves of a type in order. `None` if it has a vector whose elements are not whole bytes.
pub fn leaves(module: Module<'_>, ty: Type<'_>) -> Option<Vec<Leaf>> {
    let mut result = Vec::new();
    collect(module, ty, 0, &mut 0, &mut result)?;
    Some(result)
}

fn collect(module: Module<'_>, ty: Type<'_>, offset: u64, word: &mut usize, out: &mut Vec<Leaf>) -> Option<()> {
    if let Some(format) = scalar(ty) {
        let bytes = u32::try_from(module.store_size(ty)).ok()?;
        out.push(Leaf { offset: u32::try_from(offset).ok()?, word: *word, format, bytes });
        *word += format_words(format);
        return Some(());
    }
    match ty.kind() {
        TypeKind::LLVMVectorTypeKind if !scalar(ty.element())?.bits().is_multiple_of(8) => None,
        TypeKind::LLVMVectorTypeKind | TypeKind::LLVMArrayTypeKind => {
            // Vector elements are packed without padding; array elements are padded to their alignment.
            let vector = ty.kind() == TypeKind::LLVMVectorTypeKind;
            let stride = if vector { module.store_size(ty.element()) } else { module.size(ty.element()) };
            (0..u64::from(ty.count())).try_for_each(|at| collect(module, ty.element(), offset + at * stride, word, out))
        }
        TypeKind::LLVMStructTypeKind => (0..ty.count())
            .try_for_each(|at| collect(module, ty.field(at), offset + module.field_offset(ty, at), word, out)),
        _ => None,
    }
}

/// The first word of the part of a value that `indices` select, and the type of the part.
pub fn select<'m>(ty: Type<'m>, indices: &[u32]) -> (usize, Type<'m>) {
    indices.iter().fold((0, ty), |(word, ty), &index| match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            let before: usize = (0..index).map(|at| words(ty.field(at))).sum();
            (word + before, ty.field(index))
        }
        _ => (word + index as usize * words(ty.element()), ty.element()),
    })
}
