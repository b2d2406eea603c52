//! Debug information: the nodes that describe variables, functions and types.
//!
//! LLVM 16's C interface gives neither the tag of a node nor most of its parts, but all operands. Their order
//! is that of `llvm/IR/DebugInfoMetadata.h`, and is named here once. A tag is inferred from the other parts
//! of a node.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef};

use super::{Value, ValueKind, text};

/// A node of debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m> {
    node: LLVMMetadataRef,
    context: LLVMContextRef,
    lifetime: PhantomData<&'m ()>,
}

/// The kinds of nodes that are relevant for types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MetadataKind {
    /// A number.
    Basic,
    /// A pointer, a qualified type, a `typedef`, a member.
    Derived,
    /// An array, structure, union or enumeration.
    Composite,
    /// The number of elements of an array.
    Subrange,
    /// Anything else.
    Other,
}

/// The index of a variable's operand that is its type.
const VARIABLE_TYPE: usize = 3;
/// The index of the operand of derived and composite types that is the type they are made of.
const BASE_TYPE: usize = 3;
/// The index of the operand of composite types that is the list of members, or of numbers of elements.
const ELEMENTS: usize = 4;
/// The index of a function's operand that is its type.
const FUNCTION_TYPE: usize = 4;
/// The index of the operand of function types that is the list of the types of result and parameters.
const SIGNATURE: usize = 3;

const FLAG_STATIC_MEMBER: i32 = 1 << 12;
const FLAG_BIT_FIELD: i32 = 1 << 19;

impl<'m> Metadata<'m> {
    fn of(node: LLVMMetadataRef, value: Value<'m>) -> Self {
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(value.0)) };
        Self { node, context, lifetime: PhantomData }
    }

    fn raw_kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.node) }
    }

    /// The kind of the node.
    #[must_use]
    pub fn kind(self) -> MetadataKind {
        match self.raw_kind() {
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => MetadataKind::Basic,
            LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind => MetadataKind::Derived,
            LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => MetadataKind::Composite,
            LLVMMetadataKind::LLVMDISubrangeMetadataKind => MetadataKind::Subrange,
            _ => MetadataKind::Other,
        }
    }

    fn is_type(self) -> bool {
        matches!(self.kind(), MetadataKind::Basic | MetadataKind::Derived | MetadataKind::Composite)
    }

    /// The operands of a node; empty for metadata that is no node.
    fn operands(self) -> Vec<Option<Value<'m>>> {
        use LLVMMetadataKind::*;
        // Only nodes have operands. Strings and metadata of values do not.
        if matches!(
            self.raw_kind(),
            LLVMMDStringMetadataKind | LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind
        ) {
            return Vec::new();
        }
        unsafe {
            let value = LLVMMetadataAsValue(self.context, self.node);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands.into_iter().map(Value::wrap).collect()
        }
    }

    fn node_of(self, value: Value<'m>) -> Option<Self> {
        let is_metadata = value.kind() == ValueKind::LLVMMetadataAsValueValueKind;
        is_metadata.then(|| Self { node: unsafe { LLVMValueAsMetadata(value.0) }, ..self })
    }

    fn operand(self, at: usize) -> Option<Self> {
        let value = self.operands().get(at).copied().flatten()?;
        self.node_of(value)
    }

    /// The type's own name; empty if it has none, or is no type.
    #[must_use]
    pub fn name(self) -> String {
        let mut len = 0;
        if !self.is_type() {
            return String::new();
        }
        let pointer = unsafe { LLVMDITypeGetName(self.node, &raw mut len) };
        text(pointer, len)
    }

    /// The number of bits of a type or a member; 0 if the node has none, as for qualified types and
    /// `typedef`s.
    #[must_use]
    pub fn bits(self) -> u64 {
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.node) } } else { 0 }
    }

    /// The number of bits from the begin of a structure to this member.
    #[must_use]
    pub fn offset_bits(self) -> u64 {
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.node) } } else { 0 }
    }

    fn has_flag(self, flag: i32) -> bool {
        self.is_type() && unsafe { LLVMDITypeGetFlags(self.node) } & flag != 0
    }

    /// True if a member is a bit-field.
    #[must_use]
    pub fn is_bit_field(self) -> bool {
        self.has_flag(FLAG_BIT_FIELD)
    }

    /// True if a member is a static variable of its class.
    #[must_use]
    pub fn is_static_member(self) -> bool {
        self.has_flag(FLAG_STATIC_MEMBER)
    }

    /// The type that a derived type or an array is made of; `None` for `void`.
    #[must_use]
    pub fn base(self) -> Option<Self> {
        let has_base = matches!(self.kind(), MetadataKind::Derived | MetadataKind::Composite);
        has_base.then(|| self.operand(BASE_TYPE)).flatten()
    }

    /// The elements of a composite type.
    #[must_use]
    pub fn elements(self) -> Vec<Self> {
        if self.kind() != MetadataKind::Composite {
            return Vec::new();
        }
        let list = self.operand(ELEMENTS).map_or_else(Vec::new, Self::operands);
        list.into_iter().flatten().filter_map(|element| self.node_of(element)).collect()
    }

    /// The count of a [`MetadataKind::Subrange`]; `None` if it is unknown to the compiler.
    #[must_use]
    pub fn count(self) -> Option<u64> {
        let count = self.operands().first().copied().flatten()?;
        let count = (count.kind() == ValueKind::LLVMConstantIntValueKind).then(|| count.int())?;
        // For C's arrays of unknown length the count is -1.
        (count != u64::MAX).then_some(count)
    }

    /// The type of a variable.
    #[must_use]
    pub fn variable_type(self) -> Option<Self> {
        use LLVMMetadataKind::*;
        let is_variable = matches!(self.raw_kind(), LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind);
        is_variable.then(|| self.operand(VARIABLE_TYPE)).flatten()
    }

    /// The types of a function's result and parameters, in this order; `None` for `void`.
    #[must_use]
    pub fn signature(self) -> Vec<Option<Self>> {
        if !matches!(self.raw_kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
            return Vec::new();
        }
        let list = self.operand(FUNCTION_TYPE).and_then(|ty| ty.operand(SIGNATURE));
        let types = list.map_or_else(Vec::new, Self::operands);
        types.into_iter().map(|ty| ty.and_then(|ty| self.node_of(ty))).collect()
    }
}

impl<'m> Value<'m> {
    /// The node of a metadata argument.
    #[must_use]
    pub fn as_metadata(self) -> Option<Metadata<'m>> {
        let is_metadata = self.kind() == ValueKind::LLVMMetadataAsValueValueKind;
        is_metadata.then(|| Metadata::of(unsafe { LLVMValueAsMetadata(self.0) }, self))
    }

    /// True if a call of `llvm.dbg.declare` is about the whole variable, at exactly the address of its
    /// operand.
    #[must_use]
    pub fn is_whole_variable(self) -> bool {
        // The printed form of an empty expression is short and that of no other node.
        self.operand(2).print().contains("!DIExpression()")
    }

    /// The description of a defined function.
    #[must_use]
    pub fn subprogram(self) -> Option<Metadata<'m>> {
        let node = unsafe { LLVMGetSubprogram(self.0) };
        (!node.is_null()).then(|| Metadata::of(node, self))
    }

    /// The types of the variables that a global variable stands for: there are several if the compiler merged
    /// equal constants, for example.
    #[must_use]
    pub fn global_types(self) -> Vec<Metadata<'m>> {
        let mut nodes = Vec::new();
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &raw mut count);
            for at in 0..u32::try_from(count).unwrap_or(0) {
                let node = LLVMValueMetadataEntriesGetMetadata(entries, at);
                let kind = LLVMGetMetadataKind(node);
                if matches!(kind, LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                    nodes.push(LLVMDIGlobalVariableExpressionGetVariable(node));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        let nodes = nodes.into_iter().filter(|node| !node.is_null());
        nodes.filter_map(|node| Metadata::of(node, self).variable_type()).collect()
    }
}
