//! Calls that access memory: intrinsics and functions of the C library.
//!
//! Library functions are recognised by name where the module only declares them. A call through a pointer is
//! not recognised: the checker or the C library implements the target of `&free`. `operator delete` stays a
//! call, because the checker or the C++ library knows the allocation that it is paired with.

use super::{Rewriter, replace};
use crate::abi;
use crate::error::{Error, Problem};
use crate::select::Target;
use rmc_abi::{Entry, MemoryOrder};
use rmc_llvm::edit::Value;
use rmc_llvm::{Opcode, TypeKind};

/// Intrinsics with accesses to memory that the ABI cannot express, and advice for avoiding them.
const UNSUPPORTED_INTRINSICS: [(&str, &str); 5] = [
    ("llvm.memcpy.element.", ELEMENTWISE),
    ("llvm.memmove.element.", ELEMENTWISE),
    ("llvm.memset.element.", ELEMENTWISE),
    ("llvm.matrix.column.major.", VECTORS),
    ("llvm.vp.", VECTORS),
];

/// Intrinsics for instructions by which the processor orders accesses, or that have no effect on memory; they
/// are treated as in assembly, see [`rmc_asm`].
const INSTRUCTIONS: [(&str, Option<MemoryOrder>); 8] = [
    ("llvm.x86.sse2.mfence", Some(MemoryOrder::SeqCst)),
    ("llvm.x86.sse.sfence", Some(MemoryOrder::Release)),
    ("llvm.x86.sse2.lfence", None),
    ("llvm.x86.sse2.pause", None),
    ("llvm.x86.sse2.clflush", None),
    ("llvm.x86.clflushopt", None),
    ("llvm.x86.clwb", None),
    ("llvm.x86.cldemote", None),
];
const ELEMENTWISE: &str = "copy with a loop of atomic loads and stores";
const VECTORS: &str = "compile with -fno-vectorize -fno-slp-vectorize and without -mavx";

impl Rewriter<'_> {
    pub fn call(&mut self, call: Value) -> Result<(), Error> {
        let callee = call.callee();
        if callee.is_inline_asm() {
            self.assembly(call);
            return Ok(());
        }
        let name = if callee.is_function() { callee.name() } else { String::new() };
        if name.starts_with("llvm.") {
            return self.intrinsic(call, &name);
        }
        self.copy_structures(call)?;
        if callee.is_function() && callee.is_declaration() {
            self.library_function(call, &name)?;
        }
        Ok(())
    }

    fn intrinsic(&mut self, call: Value, name: &str) -> Result<(), Error> {
        let unsupported = UNSUPPORTED_INTRINSICS.iter();
        if let Some(&(_, way_out)) = { unsupported }.find(|one| name.starts_with(one.0)) {
            let name = name.to_owned();
            return Err(self.problem(Problem::Intrinsic { name, way_out }, call));
        }
        if let Some((_, order)) = INSTRUCTIONS.iter().find(|one| one.0 == name) {
            if let Some(order) = *order {
                self.builder.before(call);
                self.emit(Entry::Fence, &[self.order(order)]);
            }
            call.erase();
            return Ok(());
        }
        if let Some(operation) = name.strip_prefix("llvm.masked.") {
            return self.masked(call, operation);
        }
        let entry = match name.split('.').nth(1) {
            Some("memcpy") => Entry::Memcpy,
            Some("memmove") => Entry::Memmove,
            Some("memset") => Entry::Memset,
            Some("lifetime") if name.starts_with("llvm.lifetime.end") => {
                self.end_scope(call);
                return Ok(());
            }
            _ => return Ok(()),
        };
        if self.block_operation(call, entry)? {
            call.erase();
        }
        Ok(())
    }

    fn library_function(&self, call: Value, name: &str) -> Result<(), Error> {
        let entry = match (name, signature(call).as_str()) {
            ("free", "v(p)") => Entry::Free,
            ("realloc", "p(pi)") => Entry::Realloc,
            ("memcpy", "p(ppi)") => Entry::Memcpy,
            ("memmove", "p(ppi)") => Entry::Memmove,
            ("memset", "p(pii)") => Entry::Memset,
            // The forms of these functions with `-D_FORTIFY_SOURCE`. The size of the destination, the last
            // argument, is not checked.
            ("__memcpy_chk", "p(ppii)") => Entry::Memcpy,
            ("__memmove_chk", "p(ppii)") => Entry::Memmove,
            ("__memset_chk", "p(piii)") => Entry::Memset,
            _ => {
                self.external(call, name);
                return Ok(());
            }
        };
        if matches!(entry, Entry::Free | Entry::Realloc) {
            self.builder.before(call);
            replace(call, self.call_like(call, entry, &call.arguments()));
        } else if self.block_operation(call, entry)? {
            call.replace_uses(call.operand(0));
            call.erase();
        }
        Ok(())
    }

    /// Emits the ABI's form of a `memcpy`, `memmove` or `memset` before `call`; false if only this thread
    /// uses all its memory.
    fn block_operation(&self, call: Value, entry: Entry) -> Result<bool, Error> {
        let (d, second, n) = (call.operand(0), call.operand(1), call.operand(2));
        self.check_pointer(d, call)?;
        let d_local = self.frame.target(d) == Target::Local;
        self.builder.before(call);
        let n = self.resize(n, 64);
        if entry == Entry::Memset {
            if !d_local {
                self.call_like(call, entry, &[d, self.resize(second, 8), n]);
            }
            return Ok(!d_local);
        }
        self.check_pointer(second, call)?;
        let s_local = self.frame.target(second) != Target::Shared;
        if d_local && s_local {
            return Ok(false);
        }
        let local = self.int32(i64::from(d_local) | i64::from(s_local) << 1);
        self.call_like(call, entry, &[d, second, n, local]);
        Ok(true)
    }

    /// The integer `value`, truncated or zero-extended to `bits`.
    pub fn resize(&self, value: Value, bits: u32) -> Value {
        let cast = match value.ty().bits() {
            from if from < bits => Opcode::LLVMZExt,
            from if from > bits => Opcode::LLVMTrunc,
            _ => return value,
        };
        self.builder.cast(cast, value, self.module.int(bits))
    }

    /// Calls `entry` at the position of `call`; an invoke stays an invoke.
    fn call_like(&self, call: Value, entry: Entry, arguments: &[Value]) -> Value {
        if call.opcode() == Some(Opcode::LLVMInvoke) {
            let destinations = call.invoke_destinations();
            abi::invoke(entry, self.module, &self.builder, arguments, destinations)
        } else {
            self.emit(entry, arguments)
        }
    }
}

/// The types of a call: `p(pi)` takes a pointer and an integer and returns a pointer.
fn signature(call: Value) -> String {
    let letter = |value: Value| match value.ty().kind() {
        TypeKind::LLVMPointerTypeKind => 'p',
        TypeKind::LLVMIntegerTypeKind => 'i',
        TypeKind::LLVMVoidTypeKind => 'v',
        _ => '?',
    };
    let parameters: String = call.arguments().into_iter().map(letter).collect();
    format!("{}({parameters})", letter(call))
}
