//! Lowers calls: of functions of the program, through pointers, and of modelled library functions.

use super::entry::RUN_DESTRUCTORS;
use super::function::{Lowering, Modelled};
use super::promises::FAST_MATH;
use super::types;
use crate::ir::ids::{Operand, Pc, SiteId};
use crate::ir::instr::{CallSite, FLOAT, Format, Instr, LibrarySite};
use crate::ir::value::Value;
use rmc_llvm::{TypeKind, Value as LlvmValue};

impl<'m> Lowering<'_, 'm> {
    pub(super) fn call(&mut self, call: LlvmValue<'m>) {
        if call.is_fast_math() {
            return self.unsupported(format!("`{}`, {FAST_MATH}", call.print()));
        }
        let Some(callee) = self.direct_callee(call) else {
            if call.callee().is_inline_asm() {
                return self.unsupported(format!("inline assembly `{}`", assembly_text(&call.print())));
            }
            let target = self.operand(call.callee());
            let site = self.call_site(call);
            self.emit(Instr::CallIndirect { target, site });
            return self.described.call(self.out.code.len() - 1, "", call);
        };
        let name = callee.name();
        if name.starts_with("llvm.") {
            self.intrinsic(&name, call);
        } else if self.abi_call(&name, call) || (callee.is_declaration() && self.block_function(&name, call)) {
        } else if self.is_library_call(callee, &name) {
            self.library_call(&name, call);
            self.described.call(self.out.code.len() - 1, &name, call);
        } else if let Some(what) = self.mismatch(call, callee) {
            self.out.mismatches.push(what);
            self.emit(Instr::Mismatch { site: SiteId::new(self.out.mismatches.len() - 1) });
        } else {
            let function = self.symbols.functions[&callee];
            let site = self.call_site(call);
            self.emit(Instr::Call { function, site });
            self.described.call(self.out.code.len() - 1, &name, call);
        }
    }

    /// True if the called function is not code of the program: it is undefined, or a model takes the place of
    /// its definition.
    fn is_library_call(&self, callee: LlvmValue<'m>, name: &str) -> bool {
        let is_ours = name == RUN_DESTRUCTORS || self.symbols.stub(callee).is_some();
        (callee.is_declaration() && !is_ours) || (self.find_library)(name, true).is_some()
    }

    /// Lowers a call of `memcpy`, `memmove` or `memset` that the pass left alone: all its memory is used by
    /// one thread only. Returns false if the call is of another type.
    fn block_function(&mut self, name: &str, call: LlvmValue<'m>) -> bool {
        let args = call.arguments();
        // The pass also leaves calls of another type alone; their memory may be shared.
        let is_pointer = |value: &LlvmValue<'m>| value.ty().kind() == TypeKind::LLVMPointerTypeKind;
        let pointers = args.iter().filter(|argument| is_pointer(argument)).count();
        if !is_pointer(&call) || pointers != if name == "memset" { 1 } else { 2 } {
            return false;
        }
        match (name, args.as_slice()) {
            ("memcpy" | "memmove", &[to, from, len]) => self.copy([to, from, len], [true, true], name == "memmove"),
            ("memset", &[to, byte, len]) => self.fill([to, byte, len], true),
            _ => return false,
        }
        let to = self.operand(args[0]);
        self.moves(self.result(call), to, types::words(call.ty()));
        true
    }

    /// Lowers a call of a modelled function. A call without a model becomes an instruction that reports the
    /// function when it is reached.
    pub(super) fn library_call(&mut self, name: &str, call: LlvmValue<'m>) {
        let Some(Modelled { number, returns_twice }) = (self.find_library)(name, false) else {
            return self.unsupported(self.symbols.undefined.message(name));
        };
        let mut site = LibrarySite {
            function: number,
            args: Vec::new(),
            widths: Vec::new(),
            dst: self.result(call),
            width: result_width(call),
            phase: self.zeroed(),
        };
        for argument in call.arguments() {
            let operand = self.operand(argument);
            let format = types::scalar(argument.ty()).unwrap_or(Format::Int(64));
            for word in 0..types::words(argument.ty()) {
                site.args.push(operand.word(word));
                site.widths.push(operand_width(format));
            }
        }
        self.out.library.push(site);
        let site = SiteId::new(self.out.library.len() - 1);
        if returns_twice {
            self.out.resumes.push(Pc::new(self.out.code.len()));
            // The call leaves a mark in its frame.
            self.out.has_objects = true;
        }
        self.emit(Instr::Library { site });
    }

    fn call_site(&mut self, call: LlvmValue<'m>) -> SiteId {
        let ty = call.callee_type();
        // A function type without any fixed parameter comes from a declaration without a prototype, which is
        // not variadic.
        let is_variadic = ty.is_varargs() && ty.param_count() > 0;
        let (fixed, extra) = {
            let mut arguments = call.arguments();
            let fixed = if is_variadic { ty.param_count() as usize } else { arguments.len() };
            let extra = arguments.split_off(fixed.min(arguments.len()));
            (arguments, extra)
        };
        let mut args = Vec::new();
        for (at, argument) in fixed.into_iter().enumerate() {
            let operand = self.by_value_copy(call, u32::try_from(at).expect("few arguments"), argument);
            args.extend((0..types::words(argument.ty())).map(|word| operand.word(word)));
        }
        if is_variadic {
            args.push(self.variable_arguments(call, ty.param_count(), &extra));
        }
        let words = u32::try_from(types::words(call.ty())).expect("few words");
        self.out.calls.push(CallSite { args, dst: self.result(call), words, varargs: is_variadic });
        SiteId::new(self.out.calls.len() - 1)
    }

    /// A `byval` argument is a fresh copy that belongs to the callee's frame.
    fn by_value_copy(&mut self, call: LlvmValue<'m>, at: u32, argument: LlvmValue<'m>) -> Operand {
        let operand = self.operand(argument);
        let Some(ty) = call.by_value(at) else { return operand };
        let size = u32::try_from(self.symbols.module.size(ty)).unwrap_or(u32::MAX);
        let dst = self.fresh(1);
        self.emit(Instr::CalleeObject { dst, size, variadic: false });
        let len = self.pool.word(Value::new(u64::from(size)));
        self.copy_operands(Operand::reg(dst), operand, len, [true, false], false);
        Operand::reg(dst)
    }
}

/// The width of an argument's words. For the x87's format it is 80 in both words, though the second has 16
/// bits.
pub(super) fn operand_width(format: Format) -> u8 {
    match format {
        Format::Int(bits) => u8::try_from(bits.min(64)).expect("at most 64"),
        _ => u8::try_from(format.bits().min(127)).expect("at most 127") | FLOAT,
    }
}

fn result_width(call: LlvmValue<'_>) -> u8 {
    let bits = types::scalar(call.ty()).map_or(0, Format::bits);
    u8::try_from(bits.min(64)).expect("at most 64")
}

/// The instructions of inline assembly, roughly as they are in the source, from the form that LLVM prints:
/// `asm "template", "constraints"`.
pub(super) fn assembly_text(printed: &str) -> String {
    let quoted = printed.split_once(" asm ").and_then(|(_, rest)| rest.split_once('"'));
    let template = quoted.and_then(|(_, rest)| rest.split_once("\", \"")).map_or(printed, |(template, _)| template);
    let operands_marked = template.replace("$$", "\0").replace('$', "%").replace('\0', "$");
    operands_marked.replace("\\0A", "; ").replace("\\09", " ").replace("\\22", "\"")
}
