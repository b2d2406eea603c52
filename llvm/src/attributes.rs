//! Attributes of functions and of calls.

use std::ffi::c_uint;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMAttributeRef;

use super::{Type, Value, some, text};

/// Index of the attributes of a function itself. Those of its result have index 0, those of parameters 1 and
/// following.
pub const FUNCTION_INDEX: u32 = u32::MAX;

pub(crate) fn attribute_kind(name: &str) -> c_uint {
    // SAFETY: LLVM reads `len` bytes.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl<'m> Value<'m> {
    fn attribute(self, index: u32, name: &str) -> Option<LLVMAttributeRef> {
        some(unsafe { LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name)) })
    }

    fn call_attribute(self, index: u32, name: &str) -> Option<LLVMAttributeRef> {
        some(unsafe { LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name)) })
    }

    /// True if a function has the attribute.
    #[must_use]
    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        self.attribute(index, name).is_some()
    }

    /// The type in a type attribute (`byval`, `elementtype`) of a function.
    #[must_use]
    pub fn attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        self.attribute(index, name).map(|found| Type::of(unsafe { LLVMGetTypeAttributeValue(found) }))
    }

    /// The number in an attribute such as `memory` of a function.
    #[must_use]
    pub fn attribute_value(self, index: u32, name: &str) -> Option<u64> {
        self.attribute(index, name).map(|found| unsafe { LLVMGetEnumAttributeValue(found) })
    }

    /// The value of a string attribute of a function, such as its `target-features`.
    ///
    /// # Panics
    /// If the name has 4 GiB.
    #[must_use]
    pub fn string_attribute(self, name: &str) -> Option<String> {
        let length = c_uint::try_from(name.len()).expect("a short name");
        let name = name.as_ptr().cast();
        let attribute = some(unsafe { LLVMGetStringAttributeAtIndex(self.0, FUNCTION_INDEX, name, length) })?;
        let mut length = 0;
        let value = unsafe { LLVMGetStringAttributeValue(attribute, &raw mut length) };
        Some(text(value, length as usize))
    }

    /// True if a function takes a parameter by value in memory.
    #[must_use]
    pub fn takes_by_value(self) -> bool {
        (0..unsafe { LLVMCountParams(self.0) }).any(|at| self.parameter_is_by_value(at))
    }

    /// True if a function takes parameter number `at`, from 0, by value in memory.
    #[must_use]
    pub fn parameter_is_by_value(self, at: u32) -> bool {
        self.has_attribute(at + 1, "byval")
    }

    /// The type in a type attribute of a call.
    #[must_use]
    pub fn call_attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        self.call_attribute(index, name).map(|found| Type::of(unsafe { LLVMGetTypeAttributeValue(found) }))
    }

    /// The number in an attribute such as `align` of a call.
    #[must_use]
    pub fn call_attribute_value(self, index: u32, name: &str) -> Option<u64> {
        self.call_attribute(index, name).map(|found| unsafe { LLVMGetEnumAttributeValue(found) })
    }

    /// The type of a call's `byval` argument number `at`, from 0.
    #[must_use]
    pub fn by_value(self, at: u32) -> Option<Type<'m>> {
        self.call_attribute_type(at + 1, "byval")
    }

    /// The alignment of a call's `byval` argument number `at`, if the call has one.
    #[must_use]
    pub fn argument_alignment(self, at: u32) -> Option<u64> {
        self.by_value(at)?;
        self.call_attribute_value(at + 1, "align")
    }
}
