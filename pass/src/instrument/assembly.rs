//! Translates inline assembly that is understood into calls of the ABI; any other assembly is left unchanged.

use super::{Rewriter, replace};
use crate::abi;
use rmc_abi::{Entry, MemoryOrder, RmwOp};
use rmc_asm::{Access, AccessKind, Address, Condition, Plan, Source, Step};
use rmc_llvm::edit::{Type, Value};
use rmc_llvm::{IntPredicate, Opcode, TypeKind};

/// The values around a translated access.
struct Accessed {
    /// The value in memory before the access, as an integer of its width; `None` for a store.
    old: Option<Value>,
    /// The operation whose result the flags describe, and its operands; only for accesses that set flags.
    tested: Option<(Opcode, Value, Value)>,
}

impl Rewriter<'_> {
    pub fn assembly(&self, call: Value) {
        let plan = rmc_asm::understand(&call.callee().print());
        let Some(plan) = plan.filter(|_| call.opcode() == Some(Opcode::LLVMCall)) else {
            return;
        };
        let Some(widths) = self.fit(call, &plan) else {
            return;
        };
        self.builder.before(call);
        let mut done = Vec::new();
        for &step in &plan.steps {
            match step {
                Step::Fence(order) => {
                    self.emit(Entry::Fence, &[self.order(order)]);
                }
                Step::Access(access) => done.push(self.access(call, access, widths[done.len()], &done)),
                Step::Output { argument, source } => self.output(call, argument, source, &done),
            }
        }
        let types = result_types(call.ty(), plan.results.len());
        let sources = plan.results.iter().zip(types);
        let results: Vec<Value> = sources.map(|(&source, ty)| self.result(call, source, ty, &done)).collect();
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

    /// The widths of the accesses in bytes, if all types are as the translation needs them.
    fn fit(&self, call: Value, plan: &Plan) -> Option<Vec<u64>> {
        let types = result_types(call.ty(), plan.results.len());
        let results: Vec<(Source, Type)> = plan.results.iter().copied().zip(types).collect();
        let mut widths = Vec::new();
        for &step in &plan.steps {
            if let Step::Access(mut access) = step {
                if matches!(access.kind, AccessKind::Load) && access.width.is_none() {
                    // A move without a suffix has the width of its register.
                    let loaded = results.iter().find(|(source, _)| *source == Source::Old(widths.len()));
                    access.width = Some(self.scalar_size(loaded?.1)?);
                }
                widths.push(self.access_width(call, access, &widths)?);
            }
        }
        let stored = plan.steps.iter().map(|&step| match step {
            Step::Output { argument, source } => {
                let ty = element_type(call, argument)?;
                self.scalar_size(ty).map(|_| Some((source, ty)))
            }
            Step::Fence(_) | Step::Access(_) => Some(None),
        });
        let stored = stored.collect::<Option<Vec<_>>>()?.into_iter().flatten();
        let fits = results.into_iter().chain(stored).all(|(source, ty)| match source {
            Source::Argument(argument) => call.operand(argument).ty() == ty,
            Source::Constant(_) => false,
            Source::Old(_) | Source::OldHigh(_) => {
                let (size, result) = (self.source_size(call, source, &widths), self.scalar_size(ty));
                // A write to four bytes of a register clears the other four. A `cmpxchg` that succeeds does
                // not write.
                let is_cleared = ty.kind() == TypeKind::LLVMIntegerTypeKind
                    && (size, result) == (Some(4), Some(8))
                    && plan.writes_register(source);
                size == result || is_cleared
            }
            Source::Flag { byte, .. } => ty.kind() == TypeKind::LLVMIntegerTypeKind && (!byte || ty.bits() <= 8),
        });
        fits.then_some(widths)
    }

    fn access_width(&self, call: Value, access: Access, before: &[u64]) -> Option<u64> {
        let pointer = call.operand(access.address.argument).ty();
        let is_pointer = pointer.kind() == TypeKind::LLVMPointerTypeKind;
        let sizes: Vec<Option<u64>> = access
            .kind
            .inputs()
            .into_iter()
            .filter(|input| !matches!(input, Source::Constant(_)))
            .map(|input| self.source_size(call, input, before))
            .collect();
        let element = || self.scalar_size(element_type(call, access.address.argument)?);
        let width = access.width.or_else(|| sizes.first().copied().unwrap_or_else(element))?;
        let register = width.min(8);
        // A wider register is truncated; the upper part of a narrower one would be unknown.
        let fits = sizes.iter().all(|&size| size.is_some_and(|size| size >= register));
        (is_pointer && fits && rmc_abi::WIDTHS.contains(&width)).then_some(width)
    }

    /// The number of bytes of a register that holds `source`. `before` has the widths of the accesses before.
    fn source_size(&self, call: Value, source: Source, before: &[u64]) -> Option<u64> {
        match source {
            Source::Argument(argument) => self.scalar_size(call.operand(argument).ty()),
            Source::Old(access) => Some(before[access].min(8)),
            Source::OldHigh(_) => Some(8),
            Source::Flag { .. } => Some(1),
            Source::Constant(_) => None,
        }
    }

    /// The number of bytes of a type, if it fits a general register.
    fn scalar_size(&self, ty: Type) -> Option<u64> {
        let whole = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => ty.bits().is_multiple_of(8),
            TypeKind::LLVMPointerTypeKind | TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => true,
            _ => false,
        };
        let bytes = whole.then(|| self.module.store_size(ty))?;
        (bytes <= 8 && rmc_abi::WIDTHS.contains(&bytes)).then_some(bytes)
    }

    fn access(&self, call: Value, access: Access, width: u64, before: &[Accessed]) -> Accessed {
        let pointer = self.address(call, access.address);
        let order = self.order(access.order);
        let input = |source, width| self.input(call, source, width, before);
        match access.kind {
            AccessKind::Load => {
                let old = self.emit(Entry::Load(width), &[pointer, order]);
                Accessed { old: Some(old), tested: None }
            }
            AccessKind::Store(source) => {
                self.emit(Entry::Store(width), &[pointer, input(source, width), order]);
                Accessed { old: None, tested: None }
            }
            AccessKind::Rmw { operation, operand } => {
                let operand = input(operand, width);
                let code = self.operation(operation);
                let old = self.emit(Entry::Rmw(width), &[pointer, operand, code, order]);
                Accessed { old: Some(old), tested: Some((opcode(operation), old, operand)) }
            }
            AccessKind::CmpXchg { expected, new } => {
                self.compare_exchange(pointer, input(expected, width), input(new, width), access.order)
            }
            AccessKind::CmpXchgPair { expected, new } => {
                let [expected, new] = [expected, new].map(|[low, high]| self.pair(input(low, 8), input(high, 8)));
                self.compare_exchange(pointer, expected, new, access.order)
            }
        }
    }

    /// The store of an output that was in a register.
    fn output(&self, call: Value, argument: u32, source: Source, done: &[Accessed]) {
        let ty = element_type(call, argument).expect("outputs are looked at before anything is translated");
        let value = self.result(call, source, ty, done);
        self.store_scalar(call.operand(argument), value, self.module.store_size(ty), MemoryOrder::Plain);
    }

    fn compare_exchange(&self, pointer: Value, expected: Value, new: Value, order: MemoryOrder) -> Accessed {
        let width = self.module.store_size(new.ty());
        let order = self.order(order);
        let old = self.emit(Entry::CmpXchg(width), &[pointer, expected, new, order, order]);
        Accessed { old: Some(old), tested: Some((Opcode::LLVMSub, expected, old)) }
    }

    fn address(&self, call: Value, address: Address) -> Value {
        let pointer = call.operand(address.argument);
        if address.offset == 0 {
            return pointer;
        }
        let base = self.builder.cast(Opcode::LLVMPtrToInt, pointer, self.module.int(64));
        let sum = self.builder.binary(Opcode::LLVMAdd, base, self.int64(address.offset));
        self.builder.cast(Opcode::LLVMIntToPtr, sum, pointer.ty())
    }

    /// The 16 bytes of two halves.
    fn pair(&self, low: Value, high: Value) -> Value {
        let [low, high] = [low, high].map(|half| self.resize(half, 128));
        let high = self.builder.binary(Opcode::LLVMShl, high, high.ty().constant(64));
        self.builder.binary(Opcode::LLVMOr, high, low)
    }

    /// The low `width` bytes of the value of a register.
    fn input(&self, call: Value, source: Source, width: u64, before: &[Accessed]) -> Value {
        let ty = abi::bits(self.module, width);
        let whole = match source {
            Source::Constant(value) => return ty.constant(value),
            Source::Argument(argument) => {
                let value = call.operand(argument);
                self.bits_of_value(value, self.module.store_size(value.ty()))
            }
            Source::Old(access) => old(before, access),
            Source::OldHigh(access) => self.high(old(before, access)),
            Source::Flag { access, condition, .. } => self.flag(condition, &before[access], ty),
        };
        self.resize(whole, ty.bits())
    }

    fn high(&self, pair: Value) -> Value {
        let shifted = self.builder.binary(Opcode::LLVMLShr, pair, pair.ty().constant(64));
        self.resize(shifted, 64)
    }

    fn result(&self, call: Value, source: Source, ty: Type, done: &[Accessed]) -> Value {
        match source {
            Source::Argument(argument) => call.operand(argument),
            Source::Constant(value) => ty.constant(value),
            Source::Old(_) | Source::OldHigh(_) => {
                let bytes = self.module.store_size(ty);
                self.value_of_bits(self.input(call, source, bytes, done), ty)
            }
            Source::Flag { access, condition, .. } => self.flag(condition, &done[access], ty),
        }
    }

    fn flag(&self, condition: Condition, accessed: &Accessed, ty: Type) -> Value {
        let predicate = match condition {
            Condition::Zero => IntPredicate::LLVMIntEQ,
            Condition::NotZero => IntPredicate::LLVMIntNE,
            Condition::Negative => IntPredicate::LLVMIntSLT,
            Condition::NotNegative => IntPredicate::LLVMIntSGE,
        };
        let (opcode, left, right) = accessed.tested.expect("flags come only from accesses that set them");
        let tested = self.builder.binary(opcode, left, right);
        let flag = self.builder.compare(predicate, tested, tested.ty().null());
        self.resize(flag, ty.bits())
    }
}

fn old(before: &[Accessed], access: usize) -> Value {
    before[access].old.expect("old values come only from accesses that read")
}

/// The type of the target of an indirect operand of assembly.
fn element_type(call: Value, argument: u32) -> Option<Type> {
    call.call_attribute_type(argument + 1, "elementtype")
}

/// The types of `count` direct outputs in the result of a call.
fn result_types(ty: Type, count: usize) -> Vec<Type> {
    match count {
        0 => Vec::new(),
        1 => vec![ty],
        _ => ty.fields(),
    }
}

/// The instruction that computes the result of a read-modify-write. An exchange sets no flags, so the result
/// for it is not used.
fn opcode(operation: RmwOp) -> Opcode {
    match operation {
        RmwOp::Sub => Opcode::LLVMSub,
        RmwOp::And => Opcode::LLVMAnd,
        RmwOp::Or => Opcode::LLVMOr,
        RmwOp::Xor => Opcode::LLVMXor,
        _ => Opcode::LLVMAdd,
    }
}
