//! Rewrites a module: every instruction that accesses memory which another thread may reach becomes a call of
//! the ABI.
//!
//! * [`memory`]: loads and stores,
//! * [`atomics`]: `atomicrmw`, `cmpxchg`, `fence`,
//! * [`arguments`]: the instruction `va_arg`,
//! * [`calls`]: calls of intrinsics and library functions that access memory,
//! * [`external`]: the code around calls of functions without a body,
//! * [`slots`]: private memory for values in transit, including structures passed by value,
//! * [`assembly`]: inline assembly,
//! * [`jumps`]: inline assembly that may jump,
//! * [`lanes`]: masked accesses of vectors,
//! * [`frame`]: memory that dies with its function,
//! * [`unevaluated`]: the argument of `__builtin_constant_p`,
//! * [`promises`]: attributes that instrumentation makes untrue,
//! * this file: the walk over the module and the functions that the others share.

mod arguments;
mod assembly;
mod atomics;
mod calls;
mod external;
mod frame;
mod jumps;
mod lanes;
mod memory;
mod promises;
mod slots;
mod unevaluated;

use std::collections::HashMap;

use llvm_plugin::inkwell::module::Module as InkwellModule;

use crate::abi;
use crate::error::{Error, Problem};
use crate::select::Frame;
use crate::uninitialised;
use rmc_abi::{Entry, MemoryOrder, RmwOp};
use rmc_llvm::edit::{Block, Builder, Module, Type, Value};
use rmc_llvm::{FUNCTION_INDEX, Opcode};

/// Instruments `module` and marks it.
///
/// # Errors
///
/// If the module is marked already or holds something that has no translation; the module is then half
/// rewritten and must not be used.
pub fn instrument(module: &InkwellModule<'_>) -> Result<(), Error> {
    let name = module.get_name().to_string_lossy().into_owned();
    if module.get_global_metadata_size(rmc_abi::MARK) > 0 {
        return Err(Problem::AlreadyInstrumented.in_module(&name));
    }
    let raw = crate::lent(module);
    uninitialised::unmark(raw);
    for function in raw.functions() {
        if is_instrumented(function) {
            unevaluated::forget(raw, function);
            Rewriter::new(raw, &name, function).run()?;
        }
    }
    promises::forget(raw);
    mark(module);
    Ok(())
}

/// True if the function is to be instrumented. A naked function is not: it consists of assembly alone, and
/// calls cannot be added to it.
fn is_instrumented(function: Value) -> bool {
    !function.is_declaration()
        && Entry::of(&function.name()).is_none()
        && !function.has_attribute(FUNCTION_INDEX, "naked")
}

fn mark(module: &InkwellModule<'_>) {
    let context = module.get_context();
    let version = context.metadata_string(rmc_abi::VERSION);
    let node = context.metadata_node(&[version.into()]);
    module.add_global_metadata(rmc_abi::MARK, &node).expect("a node can be named metadata");
}

/// The rewriting of one function.
struct Rewriter<'a> {
    module: Module,
    module_name: &'a str,
    function: Value,
    frame: Frame,
    builder: Builder,
    /// A builder at the start of the entry block while a slot is made.
    slot_builder: Builder,
    /// Private memory for values in transit, by type; alive only around one access.
    slots: Vec<(Type, Value)>,
    /// Slots with the latest address of an alloca outside the entry block, by alloca; null before it ran.
    places: HashMap<Value, Value>,
}

impl<'a> Rewriter<'a> {
    fn new(module: Module, module_name: &'a str, function: Value) -> Rewriter<'a> {
        Rewriter {
            module,
            module_name,
            function,
            frame: Frame::of(function),
            builder: module.builder(),
            slot_builder: module.builder(),
            slots: Vec::new(),
            places: HashMap::new(),
        }
    }

    fn run(mut self) -> Result<(), Error> {
        // Phis do not access memory, and splitting the edge of an invoke replaces them.
        let instructions: Vec<Value> = self
            .function
            .blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .filter(|instruction| instruction.opcode() != Some(Opcode::LLVMPHI))
            .collect();
        self.remember_places();
        for instruction in instructions {
            self.rewrite(instruction)?;
        }
        Ok(())
    }

    fn rewrite(&mut self, instruction: Value) -> Result<(), Error> {
        match instruction.opcode() {
            Some(Opcode::LLVMLoad) => self.load(instruction),
            Some(Opcode::LLVMStore) => self.store(instruction),
            Some(Opcode::LLVMAtomicRMW) => self.atomic_rmw(instruction),
            Some(Opcode::LLVMAtomicCmpXchg) => self.cmpxchg(instruction),
            Some(Opcode::LLVMFence) => {
                self.fence(instruction);
                Ok(())
            }
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(instruction),
            Some(Opcode::LLVMRet | Opcode::LLVMResume) => {
                self.end_frame(instruction);
                Ok(())
            }
            Some(Opcode::LLVMVAArg) => self.variable_argument(instruction),
            Some(Opcode::LLVMCallBr) => {
                self.jumping_assembly(instruction);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn emit(&self, entry: Entry, args: &[Value]) -> Value {
        abi::call(entry, self.module, &self.builder, args)
    }

    fn int32(&self, value: i64) -> Value {
        self.module.int(32).constant(value)
    }

    fn int64(&self, value: i64) -> Value {
        self.module.int(64).constant(value)
    }

    fn size(&self, bytes: u64) -> Value {
        self.int64(i64::try_from(bytes).expect("no object is larger than the address space"))
    }

    fn order(&self, order: MemoryOrder) -> Value {
        self.int32(order.code().cast_signed())
    }

    fn operation(&self, operation: RmwOp) -> Value {
        self.int32(operation.code().cast_signed())
    }

    /// A builder at the start of the function, without a debug location, for code that belongs to no line of
    /// the source.
    fn at_entry(&self) -> &Builder {
        self.slot_builder.before(self.function.blocks()[0].first());
        self.slot_builder.locate(None);
        &self.slot_builder
    }

    fn problem(&self, problem: Problem, instruction: Value) -> Error {
        problem.at(self.module_name, self.function, instruction)
    }
}

/// Replaces `old` by the new value `new`, which takes its name.
fn replace(old: Value, new: Value) {
    let name = old.name();
    old.replace_uses(new);
    old.erase();
    new.set_name(&name);
}
