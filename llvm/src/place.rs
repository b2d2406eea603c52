//! Places in the source, from debug information.

use std::ffi::c_uint;

use inkwell::llvm_sys::core::{
    LLVMGetDebugLocColumn, LLVMGetDebugLocDirectory, LLVMGetDebugLocFilename, LLVMGetDebugLocLine,
};
use inkwell::llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};

use super::{Value, ValueKind, text};

/// A place in the source.
pub struct Place {
    /// File name, relative to `directory` unless it is absolute. The compiler splits an absolute name of an
    /// input file: the part that it has in common with the compiler's working directory becomes the
    /// directory.
    pub file: String,
    /// The compiler's working directory, or a directory above it; empty if unknown.
    pub directory: String,
    /// Line, from 1.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Value<'_> {
    /// The place of an instruction: the innermost one, inlined code included.
    #[must_use]
    pub fn place(self) -> Option<Place> {
        let has_location = !unsafe { LLVMInstructionGetDebugLoc(self.0) }.is_null();
        has_location.then(|| self.debug_place()).flatten()
    }

    /// The place of a function's definition.
    #[must_use]
    pub fn function_place(self) -> Option<Place> {
        let has_description = !unsafe { LLVMGetSubprogram(self.0) }.is_null();
        has_description.then(|| self.debug_place()).flatten()
    }

    fn debug_place(self) -> Option<Place> {
        let mut len: c_uint = 0;
        unsafe {
            let line = LLVMGetDebugLocLine(self.0);
            let file = LLVMGetDebugLocFilename(self.0, &raw mut len);
            let file = text(file, len as usize);
            let directory = LLVMGetDebugLocDirectory(self.0, &raw mut len);
            let directory = text(directory, len as usize);
            // LLVM has no columns for functions, so they are read only from instructions.
            let instruction = self.kind() == ValueKind::LLVMInstructionValueKind;
            let column = if instruction { LLVMGetDebugLocColumn(self.0) } else { 0 };
            (line > 0).then_some(Place { file, directory, line, column })
        }
    }
}
