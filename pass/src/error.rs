//! The errors of instrumentation: one line that names the place and the way out.

use rmc_llvm::edit::Value;

/// A reason why a module cannot be instrumented.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("already instrumented; give the pass the bitcode that clang made, and run it once")]
    AlreadyInstrumented,
    #[error("unsupported intrinsic `{name}`; {way_out}")]
    Intrinsic { name: String, way_out: &'static str },
    #[error(
        "unsupported access in address space {space}; compile for a target with one flat address space, without segment-relative pointers"
    )]
    AddressSpace { space: u32 },
    #[error("unsupported atomic access of {bytes} bytes; use atomics of at most {} bytes", rmc_abi::MAX_ATOMIC)]
    WideAtomic { bytes: u64 },
    #[error(
        "unsupported atomic access of {bytes} bytes with an alignment of {align}; the processor has none: align the object to its size"
    )]
    MisalignedAtomic { bytes: u64, align: u64 },
    #[error(
        "unsupported non-temporal store, which x86 orders neither with other stores nor with anything but a fence; use an ordinary store"
    )]
    NonTemporal,
    #[error(
        "unsupported `va_arg` of a type that no single register holds; take integers of at most 64 bits, pointers, `float` or `double`"
    )]
    VariableArgument,
    #[error(
        "unsupported masked access of {ty}; take at most {} lanes of 1, 2, 4, 8 or 16 bytes, or compile with -fno-vectorize -fno-slp-vectorize",
        rmc_abi::MAX_LANES
    )]
    Lanes { ty: String },
    #[error("unsupported access of a type without fixed size; compile without scalable vectors")]
    Unsized,
}

/// A problem and its place.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Error {
    place: String,
    problem: Problem,
}

impl Problem {
    /// The problem concerns the module as a whole.
    pub fn in_module(self, module: &str) -> Error {
        Error { place: module.to_owned(), problem: self }
    }

    /// The problem is `instruction` of `function`.
    pub fn at(self, module: &str, function: Value, instruction: Value) -> Error {
        let function = function.name();
        let place = match instruction.place() {
            None => format!("{module}: function {function} (compile with -g for the line)"),
            Some(place) => format!("{module}: function {function}, {}:{}", place.file, place.line),
        };
        Error { place, problem: self }
    }
}
