//! Inline assembly that was understood becomes calls of the ABI; the rest stays for others to judge.

use super::{Rewriter, replace};
use crate::abi::{self, Entry, Order};
use crate::asm::{self, Access, Action, Condition, Input, Plan, Source};
use crate::llvm::{LLVMOpcode as Opcode, Predicate, Type, TypeKind, Value};

/// The values around a translated access, as integers of its width.
struct Accessed {
    old: Value,
    /// How the value that the flags describe is computed.
    tested: (Opcode, Value, Value),
}

impl Rewriter<'_> {
    pub fn assembly(&self, call: Value) {
        let plan = asm::understand(&call.callee().print());
        let Some(plan) = plan.filter(|_| call.opcode() == Some(Opcode::LLVMCall)) else {
            return;
        };
        let Some(width) = self.fit(call, &plan) else {
            return;
        };
        self.builder.before(call);
        let accessed = plan.access.map(|access| self.access(call, access, width));
        if let (None, Some(order)) = (&accessed, plan.fence) {
            self.emit(Entry::Fence, &[self.order(order)]);
        }
        for &store in &plan.stores {
            self.store_beside(call, store, width, accessed.as_ref());
        }
        let results = self.results(call, &plan, accessed.as_ref());
        match (results.as_slice(), call.ty().kind()) {
            ([], _) => call.erase(),
            ([one], _) => {
                call.replace_uses(*one);
                call.erase();
            }
            (many, _) => {
                let insert = |all, (&one, index)| self.builder.insert(all, one, index);
                let all = many.iter().zip(0..).fold(call.ty().poison(), insert);
                replace(call, all);
            }
        }
    }

    /// Emits the plain store of a flag (one byte, as by `setcc`) or of the old value.
    fn store_beside(&self, call: Value, (pointer, source): (u32, Source), width: u64, accessed: Option<&Accessed>) {
        let is_flag = matches!(source, Source::Flag(_));
        let size = if is_flag { 1 } else { width };
        let value = self.result(call, source, abi::bits(self.module, size), accessed);
        self.store_scalar(call.operand(pointer), value, size, Order::Plain);
    }

    /// The width of the access in bytes (0 if there is none), if all types are as the translation needs them.
    fn fit(&self, call: Value, plan: &Plan) -> Option<u64> {
        let width = match plan.access {
            Some(access) => self.access_width(call, access)?,
            None => 0,
        };
        let types = result_types(call.ty(), plan.results.len());
        let fits = plan.results.iter().zip(types).all(|(&source, ty)| match source {
            Source::Argument(argument) => call.operand(argument).ty() == ty,
            Source::Old => self.scalar_size(ty) == Some(width),
            Source::Flag(_) => ty.kind() == TypeKind::LLVMIntegerTypeKind,
        });
        fits.then_some(width)
    }

    fn access_width(&self, call: Value, access: Access) -> Option<u64> {
        let is_pointer = call.operand(access.pointer).ty().kind() == TypeKind::LLVMPointerTypeKind;
        let inputs = match access.action {
            Action::Rmw { operand, .. } => vec![operand],
            Action::CmpXchg { expected, new } => vec![new, expected],
        };
        let sizes: Vec<Option<u64>> = inputs
            .iter()
            .filter_map(|&input| match input {
                Input::Argument(argument) => Some(self.scalar_size(call.operand(argument).ty())),
                Input::Constant(_) => None,
            })
            .collect();
        let element = || {
            let attribute = access.pointer + 1;
            self.scalar_size(call.call_attribute_type(attribute, "elementtype")?)
        };
        let width = access.width.or_else(|| sizes.first().copied().unwrap_or_else(element))?;
        // A wider register is cut; the upper part of a narrower one would be unknown.
        let fits = sizes.iter().all(|&size| size.is_some_and(|size| size >= width));
        (is_pointer && fits && abi::WIDTHS.contains(&width)).then_some(width)
    }

    /// Bytes of a type that fits a general register.
    fn scalar_size(&self, ty: Type) -> Option<u64> {
        let whole = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => ty.bits().is_multiple_of(8),
            TypeKind::LLVMPointerTypeKind => true,
            _ => false,
        };
        let bytes = whole.then(|| self.module.store_size(ty))?;
        (bytes <= 8 && abi::WIDTHS.contains(&bytes)).then_some(bytes)
    }

    fn access(&self, call: Value, access: Access, width: u64) -> Accessed {
        let pointer = call.operand(access.pointer);
        let order = self.order(Order::SeqCst);
        match access.action {
            Action::Rmw { operation, operand } => {
                let operand = self.input(call, operand, width);
                let code = abi::rmw_code(operation).expect("assembly names operations of the ABI");
                let arguments = [pointer, operand, self.int32(code), order];
                let old = self.emit(Entry::Rmw(width), &arguments);
                Accessed { old, tested: (opcode(operation), old, operand) }
            }
            Action::CmpXchg { expected, new } => {
                let expected = self.input(call, expected, width);
                let new = self.input(call, new, width);
                let arguments = [pointer, expected, new, order, order];
                let old = self.emit(Entry::CmpXchg(width), &arguments);
                Accessed { old, tested: (Opcode::LLVMSub, expected, old) }
            }
        }
    }

    fn input(&self, call: Value, input: Input, width: u64) -> Value {
        match input {
            Input::Constant(value) => abi::bits(self.module, width).constant(value),
            Input::Argument(argument) => {
                let value = call.operand(argument);
                let whole = self.bits_of_value(value, self.module.store_size(value.ty()));
                let bits = abi::bits(self.module, width).bits();
                self.resize(whole, bits)
            }
        }
    }

    fn results(&self, call: Value, plan: &Plan, accessed: Option<&Accessed>) -> Vec<Value> {
        let types = result_types(call.ty(), plan.results.len());
        let sources = plan.results.iter().zip(types);
        sources.map(|(&source, ty)| self.result(call, source, ty, accessed)).collect()
    }

    fn result(&self, call: Value, source: Source, ty: Type, accessed: Option<&Accessed>) -> Value {
        let accessed = || accessed.expect("old values and flags come only from accesses");
        match source {
            Source::Argument(argument) => call.operand(argument),
            Source::Old => self.value_of_bits(accessed().old, ty),
            Source::Flag(condition) => self.flag(condition, accessed(), ty),
        }
    }

    fn flag(&self, condition: Condition, accessed: &Accessed, ty: Type) -> Value {
        let predicate = match condition {
            Condition::Zero => Predicate::LLVMIntEQ,
            Condition::NotZero => Predicate::LLVMIntNE,
            Condition::Negative => Predicate::LLVMIntSLT,
            Condition::NotNegative => Predicate::LLVMIntSGE,
        };
        let (opcode, left, right) = accessed.tested;
        let tested = self.builder.binary(opcode, left, right);
        let flag = self.builder.compare(predicate, tested, tested.ty().null());
        self.resize(flag, ty.bits())
    }
}

/// The types of `count` direct outputs in the result of a call.
fn result_types(ty: Type, count: usize) -> Vec<Type> {
    match count {
        0 => Vec::new(),
        1 => vec![ty],
        _ => ty.elements(),
    }
}

/// The instruction that computes what a read-modify-write leaves. An exchange sets no flags: any will do.
fn opcode(operation: &str) -> Opcode {
    match operation {
        "sub" => Opcode::LLVMSub,
        "and" => Opcode::LLVMAnd,
        "or" => Opcode::LLVMOr,
        "xor" => Opcode::LLVMXor,
        _ => Opcode::LLVMAdd,
    }
}
