//! Lowers arithmetic, comparisons, conversions, selections and the shuffling of vector and struct elements,
//! element by element.

use super::constants::int_compare;
use super::function::Lowering;
use super::promises::{FAST_MATH, promises};
use super::types;
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::{Cast, Elements, FloatOp, Format, Instr, IntOp, IntUnary, Promises, Wide};
use crate::ir::value::Value;
use rmc_llvm::{Opcode, Type, TypeKind, Value as LlvmValue};

/// The number and the format of the elements of a scalar or vector type.
pub(super) fn elements(ty: Type<'_>) -> Option<(usize, Format)> {
    if ty.kind() == TypeKind::LLVMVectorTypeKind {
        return Some((ty.count() as usize, types::scalar(ty.element())?));
    }
    Some((1, types::scalar(ty)?))
}

pub(super) fn width8(format: Format) -> Option<u8> {
    u8::try_from(format.bits()).ok().filter(|&width| width <= 64)
}

/// True if the interpreter handles the format in one word with native arithmetic.
fn is_native_float(format: Format) -> bool {
    matches!(format, Format::Single | Format::Double)
}

impl<'m> Lowering<'_, 'm> {
    /// Lowers every instruction that computes values from values.
    pub(super) fn arithmetic(&mut self, instruction: LlvmValue<'m>) {
        let opcode = instruction.opcode().expect("an instruction");
        let Some((count, format)) = elements(instruction.ty()) else {
            if opcode == Opcode::LLVMSelect {
                return self.select(instruction, 1, types::words(instruction.ty()));
            }
            if opcode == Opcode::LLVMFreeze {
                let a = self.operand(instruction.operand(0));
                let dst = self.result(instruction);
                return self.freeze(dst, a, types::words(instruction.ty()));
            }
            return self.unsupported(format!("instruction `{}`", instruction.print()));
        };
        if instruction.is_fast_math() {
            self.unsupported(format!("`{}`, {FAST_MATH}", instruction.print()));
        } else if let Some(op) = int_op(opcode) {
            let promises = promises(instruction);
            self.each(instruction, count, format, |this, dst, a, b| this.promised(op, promises, format, dst, [a, b]));
        } else if let Some(op) = float_op(opcode) {
            self.each(instruction, count, format, |this, dst, a, b| this.float(op, format, dst, a, b));
        } else if let Some(op) = cast_op(opcode) {
            self.cast(instruction, op);
        } else {
            match opcode {
                Opcode::LLVMICmp | Opcode::LLVMFCmp => self.compare(instruction, count),
                Opcode::LLVMSelect => {
                    let vector = instruction.operand(0).ty().kind() == TypeKind::LLVMVectorTypeKind;
                    let words = types::words(instruction.ty());
                    let (conditions, each) = if vector { (count, words / count) } else { (1, words) };
                    self.select(instruction, conditions, each);
                }
                Opcode::LLVMFNeg => {
                    self.each(instruction, count, format, |this, dst, a, _| {
                        this.float(FloatOp::Neg, format, dst, a, a);
                    });
                }
                Opcode::LLVMFreeze => {
                    let (dst, a) = (self.result(instruction), self.operand(instruction.operand(0)));
                    self.freeze(dst, a, types::words(instruction.ty()));
                }
                Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMAddrSpaceCast => {
                    self.cast(instruction, Cast::ZeroExtend);
                }
                Opcode::LLVMBitCast => self.bitcast(instruction),
                _ => self.unsupported(format!("instruction `{}`", instruction.print())),
            }
        }
    }

    /// Applies `f` to each element of an instruction's first two operands (the second may be missing).
    fn each(
        &mut self,
        instruction: LlvmValue<'m>,
        count: usize,
        format: Format,
        f: impl Fn(&mut Self, Reg, Operand, Operand),
    ) {
        let dst = self.result(instruction);
        let a = self.operand(instruction.operand(0));
        let b = if instruction.operand_count() > 1 { self.operand(instruction.operand(1)) } else { a };
        let words = types::format_words(format);
        (0..count).for_each(|at| f(self, Reg::new(dst.index() + at * words), a.word(at * words), b.word(at * words)));
    }

    pub(super) fn wide(&mut self, wide: Wide) -> SiteId {
        self.out.wides.push(wide);
        SiteId::new(self.out.wides.len() - 1)
    }

    fn emit_wide(&mut self, wide: Wide) {
        let site = self.wide(wide);
        self.emit(Instr::Wide { site });
    }

    pub(super) fn int(&mut self, op: IntOp, format: Format, dst: Reg, a: Operand, b: Operand) {
        self.promised(op, Promises::NONE, format, dst, [a, b]);
    }

    fn promised(&mut self, op: IntOp, promises: Promises, format: Format, dst: Reg, [a, b]: [Operand; 2]) {
        match width8(format) {
            Some(width) => self.emit(Instr::Int { op, width, promises, dst, a, b }),
            None => self.emit_wide(Wide::Int { op, width: format.bits(), promises, dst, a, b }),
        }
    }

    pub(super) fn unary(&mut self, op: IntUnary, format: Format, dst: Reg, a: Operand) {
        match width8(format) {
            Some(width) => self.emit(Instr::Unary { op, width, dst, a }),
            None => self.emit_wide(Wide::Unary { op, width: format.bits(), dst, a }),
        }
    }

    pub(super) fn float(&mut self, op: FloatOp, format: Format, dst: Reg, a: Operand, b: Operand) {
        match width8(format) {
            Some(width) if is_native_float(format) => self.emit(Instr::Float { op, width, dst, a, b }),
            _ => self.emit_wide(Wide::Float { op, format, dst, a, b }),
        }
    }

    fn freeze(&mut self, dst: Reg, a: Operand, words: usize) {
        let op = IntUnary::Freeze;
        (0..words).for_each(|k| {
            self.emit(Instr::Unary { op, width: 64, dst: Reg::new(dst.index() + k), a: a.word(k) });
        });
    }

    fn compare(&mut self, instruction: LlvmValue<'m>, count: usize) {
        let Some((_, format)) = elements(instruction.operand(0).ty()) else {
            return self.unsupported(format!("instruction `{}`", instruction.print()));
        };
        let dst = self.result(instruction);
        let (a, b) = (self.operand(instruction.operand(0)), self.operand(instruction.operand(1)));
        let words = types::format_words(format);
        for at in 0..count {
            let (dst, a, b) = (Reg::new(dst.index() + at), a.word(at * words), b.word(at * words));
            if instruction.opcode() == Some(Opcode::LLVMICmp) {
                let op = int_compare(instruction.int_predicate());
                match width8(format) {
                    Some(width) => self.emit(Instr::Compare { op, width, dst, a, b }),
                    None => self.emit_wide(Wide::Compare { op, width: format.bits(), dst, a, b }),
                }
            } else {
                // LLVM numbers its predicates as the set of accepted relations: 1 equal, 2 greater, 4 less, 8
                // unordered.
                let accept = instruction.float_predicate() as u8;
                match width8(format) {
                    Some(width) if is_native_float(format) => {
                        self.emit(Instr::FloatCompare { accept, width, dst, a, b });
                    }
                    _ => self.emit_wide(Wide::FloatCompare { accept, format, dst, a, b }),
                }
            }
        }
    }

    /// A conversion of the elements of the first operand.
    pub(super) fn cast(&mut self, instruction: LlvmValue<'m>, op: Cast) {
        let (from, to) = (elements(instruction.operand(0).ty()), elements(instruction.ty()));
        let (Some((_, from)), Some((count, to))) = (from, to) else {
            return self.unsupported(format!("instruction `{}`", instruction.print()));
        };
        let (dst, a) = (self.result(instruction), self.operand(instruction.operand(0)));
        for at in 0..count {
            let dst = Reg::new(dst.index() + at * types::format_words(to));
            self.convert(op, from, to, dst, a.word(at * types::format_words(from)));
        }
    }

    pub(super) fn convert(&mut self, op: Cast, from: Format, to: Format, dst: Reg, a: Operand) {
        // `inttoptr` and `ptrtoint` may also narrow.
        let op = if op == Cast::ZeroExtend && to.bits() < from.bits() { Cast::Truncate } else { op };
        let is_wide = |format| matches!(format, Format::Int(width) if width > 128);
        let is_int = |format| matches!(format, Format::Int(_));
        if (is_wide(from) && !is_int(to)) || (is_wide(to) && !is_int(from)) {
            return self.unsupported(
                "a conversion between a floating-point number and an integer of more than 128 bits".to_owned(),
            );
        }
        let is_native = |format| is_native_float(format) || matches!(format, Format::Int(width) if width <= 64);
        match (width8(from), width8(to)) {
            (Some(from_width), Some(to_width)) if is_native(from) && is_native(to) => {
                self.emit(Instr::Cast { op, from: from_width, to: to_width, dst, a });
            }
            _ => self.emit_wide(Wide::Cast { op, from, to, dst, a }),
        }
    }

    fn bitcast(&mut self, instruction: LlvmValue<'m>) {
        let (from, to) = (elements(instruction.operand(0).ty()), elements(instruction.ty()));
        let (Some((from_count, from)), Some((to_count, to))) = (from, to) else {
            return self.unsupported(format!("instruction `{}`", instruction.print()));
        };
        let (dst, a) = (self.result(instruction), self.operand(instruction.operand(0)));
        if from_count == to_count {
            return self.moves(dst, a, types::words(instruction.ty()));
        }
        let run = |count: usize, format: Format| Elements {
            count: u32::try_from(count).expect("few elements"),
            width: format.bits(),
        };
        self.emit_wide(Wide::Repack { dst, a, from: run(from_count, from), to: run(to_count, to) });
    }

    fn select(&mut self, instruction: LlvmValue<'m>, conditions: usize, words: usize) {
        let dst = self.result(instruction);
        let [cond, a, b] = [0, 1, 2].map(|at| self.operand(instruction.operand(at)));
        for k in 0..conditions * words {
            let cond = cond.word(k / words);
            self.emit(Instr::Select { dst: Reg::new(dst.index() + k), cond, a: a.word(k), b: b.word(k) });
        }
    }

    /// `extractvalue`, `insertvalue`.
    pub(super) fn aggregate(&mut self, instruction: LlvmValue<'m>) {
        let (dst, whole) = (self.result(instruction), instruction.operand(0));
        let (word, part) = types::select(whole.ty(), &instruction.indices());
        let source = self.operand(whole);
        if instruction.opcode() == Some(Opcode::LLVMExtractValue) {
            return self.moves(dst, source.word(word), types::words(part));
        }
        let value = self.operand(instruction.operand(1));
        self.moves(dst, source, types::words(whole.ty()));
        self.moves(Reg::new(dst.index() + word), value, types::words(part));
    }

    /// `extractelement`, `insertelement`, `shufflevector`.
    pub(super) fn vector(&mut self, instruction: LlvmValue<'m>) {
        let vector = instruction.operand(0);
        let Some((count, format)) = elements(vector.ty()) else {
            return self.unsupported(format!("instruction `{}`", instruction.print()));
        };
        let dst = self.result(instruction);
        let a = self.operand(vector);
        let run = Elements { count: u32::try_from(count).expect("few elements"), width: format.bits() };
        match instruction.opcode() {
            Some(Opcode::LLVMShuffleVector) => self.shuffle(instruction, dst, a, count, format),
            Some(Opcode::LLVMExtractElement) => {
                let index = self.operand(instruction.operand(1));
                self.emit_wide(Wide::Extract { dst, a, index, elements: run });
            }
            _ => {
                let (value, index) = (self.operand(instruction.operand(1)), self.operand(instruction.operand(2)));
                self.emit_wide(Wide::Insert { dst, a, index, value, elements: run });
            }
        }
    }

    fn shuffle(&mut self, instruction: LlvmValue<'m>, dst: Reg, a: Operand, count: usize, format: Format) {
        let b = self.operand(instruction.operand(1));
        let words = types::format_words(format);
        for (at, index) in instruction.shuffle_mask().into_iter().enumerate() {
            let dst = Reg::new(dst.index() + at * words);
            match usize::try_from(index) {
                Ok(index) if index < count => self.moves(dst, a.word(index * words), words),
                Ok(index) => self.moves(dst, b.word((index - count) * words), words),
                Err(_) => {
                    let undefined = self.pool.words(&vec![Value::undefined(format.bits().min(64)); words]);
                    self.moves(dst, undefined, words);
                }
            }
        }
    }
}

const fn int_op(opcode: Opcode) -> Option<IntOp> {
    Some(match opcode {
        Opcode::LLVMAdd => IntOp::Add,
        Opcode::LLVMSub => IntOp::Sub,
        Opcode::LLVMMul => IntOp::Mul,
        Opcode::LLVMUDiv => IntOp::UDiv,
        Opcode::LLVMSDiv => IntOp::SDiv,
        Opcode::LLVMURem => IntOp::URem,
        Opcode::LLVMSRem => IntOp::SRem,
        Opcode::LLVMShl => IntOp::Shl,
        Opcode::LLVMLShr => IntOp::LShr,
        Opcode::LLVMAShr => IntOp::AShr,
        Opcode::LLVMAnd => IntOp::And,
        Opcode::LLVMOr => IntOp::Or,
        Opcode::LLVMXor => IntOp::Xor,
        _ => return None,
    })
}

const fn float_op(opcode: Opcode) -> Option<FloatOp> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatOp::Add,
        Opcode::LLVMFSub => FloatOp::Sub,
        Opcode::LLVMFMul => FloatOp::Mul,
        Opcode::LLVMFDiv => FloatOp::Div,
        Opcode::LLVMFRem => FloatOp::Rem,
        _ => return None,
    })
}

const fn cast_op(opcode: Opcode) -> Option<Cast> {
    Some(match opcode {
        Opcode::LLVMTrunc => Cast::Truncate,
        Opcode::LLVMZExt => Cast::ZeroExtend,
        Opcode::LLVMSExt => Cast::SignExtend,
        Opcode::LLVMFPToSI => Cast::FloatToSigned,
        Opcode::LLVMFPToUI => Cast::FloatToUnsigned,
        Opcode::LLVMSIToFP => Cast::SignedToFloat,
        Opcode::LLVMUIToFP => Cast::UnsignedToFloat,
        Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => Cast::FloatToFloat,
        _ => return None,
    })
}
