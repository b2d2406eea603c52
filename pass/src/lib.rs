//! `librmc_pass.so`: the LLVM 16 plugin behind `opt-16 -load-pass-plugin=librmc_pass.so
//! -passes=rmc-instrument`.
//!
//! The module pass `rmc-instrument` replaces every access to memory that another thread may reach by a call
//! of the runtime's ABI (`rmc.abi.v1`) and leaves everything else alone. It does not depend on the memory
//! model: loads, stores, fences and dying memory are reported as they are in the program.
//!
//! These properties are guaranteed. The result verifies. It has no atomic instruction and no ordinary access
//! to memory that may be shared, except in inline assembly that was not understood, in library functions, and
//! in calls of `free` or `memcpy` through a pointer. New calls carry the debug location of the instructions
//! that they replace. A module that cannot be instrumented is a one-line error, exit status 1 and no output
//! file.
//!
//! A second pass, `rmc-mark-uninitialised`, runs before LLVM's `mem2reg` where the checker compiles C: see
//! `uninitialised`.
//!
//! A third pass, `rmc-rust`, runs before all others where the checker compiles Rust, or `rmc-rust-unwind`
//! where panics unwind, and a fourth one, `rmc-rust-std`, on the standard library of Rust alone: see `rust`.
//!
//! * `select`: the selection of accesses to instrument (static local variable detection),
//! * `instrument`: the rewriting, one file per kind of instruction,
//! * `abi`: calls of the runtime's functions,
//! * the crate `rmc-asm`: the effect of a piece of inline assembly,
//! * `uninitialised`: variables that have no value on some path,
//! * `rust`: the standard library of Rust programs.
//!
//! LLVM is used through the crate `rmc-llvm`, the ABI is that of the crate `rmc-abi`.
//!
//! Tests: `tests/pass/*.ll` of this workspace, run through `opt-16`.

mod abi;
mod error;
mod instrument;
mod rust;
mod select;
mod uninitialised;

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::{LlvmModulePass, ModuleAnalysisManager, PassBuilder, PipelineParsing, PreservedAnalyses};

use rust::Panics;

/// The name of the pass in `-passes=`.
const PASS_NAME: &str = "rmc-instrument";

/// The name of the pass that runs before `mem2reg`.
const MARK_NAME: &str = "rmc-mark-uninitialised";

/// The name of the pass that prepares Rust programs.
const RUST_NAME: &str = "rmc-rust";

/// The name of the pass that prepares Rust programs whose panics unwind.
const RUST_UNWIND_NAME: &str = "rmc-rust-unwind";

/// The name of the pass that makes the standard library of Rust a module to link with.
const RUST_STD_NAME: &str = "rmc-rust-std";

#[llvm_plugin::plugin(name = "rmc-instrument", version = "0.1.0")]
fn register(builder: &mut PassBuilder) {
    builder.add_module_pipeline_parsing_callback(|name, manager| {
        match name {
            PASS_NAME => manager.add_pass(InstrumentPass),
            MARK_NAME => manager.add_pass(MarkPass),
            RUST_NAME => manager.add_pass(RustPass { panics: Panics::Abort }),
            RUST_UNWIND_NAME => manager.add_pass(RustPass { panics: Panics::Unwind }),
            RUST_STD_NAME => manager.add_pass(RustStdPass),
            _ => return PipelineParsing::NotParsed,
        }
        PipelineParsing::Parsed
    });
}

/// The module that `opt` gave the pass.
#[allow(unsafe_code)]
fn lent(module: &Module<'_>) -> rmc_llvm::edit::Module {
    // SAFETY: `opt` keeps the module alive, and lends it to the one thread that runs the pass, until the pass
    // returns; nothing that comes from the module outlives that.
    unsafe { rmc_llvm::edit::Module::lent(module.as_mut_ptr()) }
}

struct MarkPass;

impl LlvmModulePass for MarkPass {
    fn run_pass(&self, module: &mut Module<'_>, _manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        uninitialised::mark(lent(module));
        PreservedAnalyses::None
    }
}

struct RustPass {
    panics: Panics,
}

impl LlvmModulePass for RustPass {
    fn run_pass(&self, module: &mut Module<'_>, _manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        if let Err(error) = rust::prepare(lent(module), self.panics) {
            refuse(RUST_NAME, &error);
        }
        PreservedAnalyses::None
    }
}

struct RustStdPass;

impl LlvmModulePass for RustStdPass {
    fn run_pass(&self, module: &mut Module<'_>, _manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        rust::publish(lent(module));
        PreservedAnalyses::None
    }
}

struct InstrumentPass;

impl LlvmModulePass for InstrumentPass {
    fn run_pass(&self, module: &mut Module<'_>, _manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        if let Err(error) = instrument::instrument(module) {
            refuse(PASS_NAME, &error);
        }
        PreservedAnalyses::None
    }
}

/// Ends `opt` with a message and without an output file.
fn refuse(pass: &str, error: &dyn std::fmt::Display) -> ! {
    eprintln!("{pass}: {error}");
    rmc_llvm::edit::remove_outputs();
    std::process::exit(1);
}
