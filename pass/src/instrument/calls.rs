//! Calls that matter to memory: intrinsics, functions of the C library, structures passed by value.
//!
//! Library functions are recognised by name where the module only declares them. A call through a pointer is none of them: whoever
//! runs the program gives `&free` its meaning.

use super::{Rewriter, frame, replace};
use crate::abi::Entry;
use crate::error::{Error, Problem};
use crate::llvm::{LLVMOpcode as Opcode, TypeKind, Value};
use crate::select::Target;

/// Functions of the thread libraries, by prefix, and those that end the process: each is a full fence.
const FENCING_PREFIXES: [&str; 5] = ["pthread_", "thrd_", "mtx_", "cnd_", "sem_"];
const FENCING_NAMES: [&str; 4] = ["call_once", "exit", "_exit", "quick_exit"];

/// Intrinsics that access memory in a way the ABI has no word for, and how to do without them.
const UNSUPPORTED_INTRINSICS: [(&str, &str); 11] = [
    ("llvm.memcpy.element.", ELEMENTWISE),
    ("llvm.memmove.element.", ELEMENTWISE),
    ("llvm.memset.element.", ELEMENTWISE),
    ("llvm.masked.load.", MASKED),
    ("llvm.masked.store.", MASKED),
    ("llvm.masked.gather.", MASKED),
    ("llvm.masked.scatter.", MASKED),
    ("llvm.masked.expandload.", MASKED),
    ("llvm.masked.compressstore.", MASKED),
    ("llvm.matrix.column.major.", MASKED),
    ("llvm.vp.", MASKED),
];
const ELEMENTWISE: &str = "copy with a loop of atomic loads and stores";
const MASKED: &str = "compile with -fno-vectorize -fno-slp-vectorize and without -mavx";

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

    fn intrinsic(&self, call: Value, name: &str) -> Result<(), Error> {
        let unsupported = UNSUPPORTED_INTRINSICS.iter();
        if let Some(&(_, way_out)) = { unsupported }.find(|one| name.starts_with(one.0)) {
            let name = name.to_owned();
            return Err(self.problem(Problem::Intrinsic { name, way_out }, call));
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
            _ => {
                if is_fence(name) {
                    self.sync_around(call);
                }
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

    /// Emits the ABI's form of a `memcpy`, `memmove` or `memset` before `call`; false if all its memory stays in the thread.
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

    /// `value`, an integer, cut or widened with zeros to `bits`.
    pub fn resize(&self, value: Value, bits: u32) -> Value {
        let cast = match value.ty().bits() {
            from if from < bits => Opcode::LLVMZExt,
            from if from > bits => Opcode::LLVMTrunc,
            _ => return value,
        };
        self.builder.cast(cast, value, self.module.int(bits))
    }

    /// A call passes a structure by value by copying it, unseen: the copy is made here, and the call gets a private one.
    fn copy_structures(&self, call: Value) -> Result<(), Error> {
        if frame::is_musttail(call) {
            return Ok(());
        }
        for (argument, index) in call.arguments().into_iter().zip(0..) {
            let Some(ty) = call.call_attribute_type(index + 1, "byval") else {
                continue;
            };
            if self.frame.target(argument) != Target::Shared {
                continue;
            }
            self.check_pointer(argument, call)?;
            let align = call.call_attribute_value(index + 1, "align").unwrap_or(16);
            let align = u32::try_from(align).expect("LLVM's alignments fit in 32 bits");
            let copy = self.at_entry().alloca_aligned(ty, align);
            copy.set_name("rmc.byval");
            self.builder.before(call);
            let size = self.size(self.module.store_size(ty));
            self.emit(Entry::Memcpy, &[copy, argument, size, self.int32(1)]);
            call.set_operand(index, copy);
        }
        Ok(())
    }

    /// Says on both sides of `call` that it is a full fence.
    fn sync_around(&self, call: Value) {
        self.builder.before(call);
        self.emit(Entry::Sync, &[]);
        if call.opcode() == Some(Opcode::LLVMInvoke) {
            self.split_normal_edge(call);
            self.emit(Entry::Sync, &[]);
        } else if !frame::is_musttail(call) {
            let next = call.next().expect("a call does not end its block");
            self.builder.before(next);
            self.builder.locate(Some(call));
            self.emit(Entry::Sync, &[]);
        }
    }

    /// Puts a block between an invoke and where it continues; the builder then stands in it.
    fn split_normal_edge(&self, invoke: Value) {
        let (normal, _) = invoke.invoke_destinations();
        let middle = self.module.append_block(self.function, "rmc.returned");
        self.builder.at_end(middle);
        self.builder.locate(Some(invoke));
        self.builder.branch(normal);
        for phi in normal.instructions() {
            if phi.opcode() == Some(Opcode::LLVMPHI) {
                self.redirect(phi, invoke, middle);
            }
        }
        invoke.set_normal_destination(middle);
        self.builder.before(middle.first());
    }

    /// Replaces `phi` by one in which what came from the block of `invoke` comes from `middle`.
    fn redirect(&self, phi: Value, invoke: Value, middle: crate::llvm::Block) {
        let from = invoke.block();
        let incoming = phi.incoming().into_iter();
        let redirected: Vec<_> =
            incoming.map(|(value, block)| (value, if block == from { middle } else { block })).collect();
        self.builder.before(phi);
        replace(phi, self.builder.phi(phi.ty(), &redirected));
    }

    /// Calls `entry` where `call` stands; an invoke stays an invoke.
    fn call_like(&self, call: Value, entry: Entry, arguments: &[Value]) -> Value {
        if call.opcode() == Some(Opcode::LLVMInvoke) {
            let destinations = call.invoke_destinations();
            entry.invoke(self.module, &self.builder, arguments, destinations)
        } else {
            self.emit(entry, arguments)
        }
    }
}

/// The types of a call: `p(pi)` takes a pointer and an integer and gives a pointer.
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

fn is_fence(name: &str) -> bool {
    let prefixed = FENCING_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    prefixed || FENCING_NAMES.contains(&name)
}
