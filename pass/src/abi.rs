//! Calls of the ABI's functions: their types in LLVM, and the ABI's codes for LLVM's memory orders.

use rmc_abi::{Argument, Entry, MemoryOrder};
use rmc_llvm::AtomicOrdering;
use rmc_llvm::edit::{Block, Builder, Module, Type, Value};

/// The ABI's order for one of LLVM's.
pub fn order(ordering: AtomicOrdering) -> MemoryOrder {
    match ordering {
        AtomicOrdering::LLVMAtomicOrderingNotAtomic => MemoryOrder::Plain,
        AtomicOrdering::LLVMAtomicOrderingUnordered | AtomicOrdering::LLVMAtomicOrderingMonotonic => {
            MemoryOrder::Relaxed
        }
        AtomicOrdering::LLVMAtomicOrderingAcquire => MemoryOrder::Acquire,
        AtomicOrdering::LLVMAtomicOrderingRelease => MemoryOrder::Release,
        AtomicOrdering::LLVMAtomicOrderingAcquireRelease => MemoryOrder::AcqRel,
        AtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => MemoryOrder::SeqCst,
    }
}

/// Calls `entry` at the position of `builder`, and declares it if it is new to the module.
pub fn call(entry: Entry, module: Module, builder: &Builder, args: &[Value]) -> Value {
    let (ty, callee) = declare(entry, module);
    builder.call(ty, callee, args)
}

/// Calls `entry` by an `invoke` that continues in `destinations`.
pub fn invoke(entry: Entry, module: Module, builder: &Builder, args: &[Value], destinations: (Block, Block)) -> Value {
    let (ty, callee) = declare(entry, module);
    builder.invoke(ty, callee, args, destinations)
}

fn declare(entry: Entry, module: Module) -> (Type, Value) {
    let of = |argument: &Argument| match argument {
        Argument::Pointer => module.ptr(),
        Argument::Int(bits) => module.int(*bits),
        Argument::Lanes => module.int(64),
        Argument::Order | Argument::Operation | Argument::Sides => module.int(32),
    };
    let signature = entry.signature();
    let result = signature.result.as_ref().map_or_else(|| module.void(), of);
    let ty = result.function(&signature.arguments.iter().map(of).collect::<Vec<_>>());
    (ty, module.function(&entry.name(), ty))
}

/// The integer type of `width` bytes.
pub fn bits(module: Module, width: u64) -> Type {
    let bits = u32::try_from(8 * width).expect("accesses are at most 16 bytes wide");
    module.int(bits)
}
