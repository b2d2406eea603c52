//! Lowers intrinsics on vectors that are not one operation for each element: folds, parts of vectors, masks
//! of lanes, results with overflow bits.
//!
//! Test: `tests/programs/language/vector_intrinsics.c`.

use super::arithmetic::elements;
use super::function::Lowering;
use super::types;
use crate::ir::ids::{Operand, Reg};
use crate::ir::instr::{Cast, FloatOp, Format, Instr, IntCmp, IntOp, OverflowOp, Wide};
use crate::ir::value::Value;
use rmc_llvm::Value as LlvmValue;

/// The operation that combines two elements in a fold.
#[derive(Clone, Copy)]
enum Fold {
    Int(IntOp),
    Float(FloatOp),
}

impl<'m> Lowering<'_, 'm> {
    /// Lowers a call of `llvm.NAME` if it is one of these.
    pub(super) fn vector_intrinsic(&mut self, name: &str, call: LlvmValue<'m>) -> bool {
        if let Some(operation) = name.strip_prefix("vector.reduce.") {
            self.reduce(operation, call);
        } else if name.starts_with("vector.insert.") {
            self.insert_part(call);
        } else if name.starts_with("vector.extract.") {
            self.extract_part(call);
        } else if name.starts_with("get.active.lane.mask.") {
            self.lane_mask(call);
        } else {
            return false;
        }
        true
    }

    /// Folds a vector, starting at its first element. Sums and products of floating-point numbers start with
    /// a separate argument.
    fn reduce(&mut self, name: &str, call: LlvmValue<'m>) {
        let args = call.arguments();
        let fold = fold(name.split('.').next().unwrap_or(name));
        let vector = args[args.len() - 1];
        let (Some(fold), Some((count, format))) = (fold, elements(vector.ty())) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let (dst, a, words) = (self.result(call), self.operand(vector), types::format_words(format));
        let first = if args.len() == 2 { self.operand(args[0]) } else { a };
        self.moves(dst, first, words);
        for at in (args.len() == 1).into()..count {
            let element = a.word(at * words);
            match fold {
                Fold::Int(op) => self.int(op, format, dst, Operand::reg(dst), element),
                Fold::Float(op) => self.float(op, format, dst, Operand::reg(dst), element),
            }
        }
    }

    /// `llvm.vector.insert(vector, part, at)`.
    fn insert_part(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let words = types::words(args[0].ty().element());
        let (dst, whole, part) = (self.result(call), self.operand(args[0]), self.operand(args[1]));
        self.moves(dst, whole, types::words(args[0].ty()));
        let at = args[2].int() as usize * words;
        self.moves(Reg::new(dst.index() + at), part, types::words(args[1].ty()));
    }

    /// `llvm.vector.extract(vector, at)`.
    fn extract_part(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let at = args[1].int() as usize * types::words(args[0].ty().element());
        let whole = self.operand(args[0]);
        self.moves(self.result(call), whole.word(at), types::words(call.ty()));
    }

    /// `llvm.get.active.lane.mask(base, limit)`: the bit of a lane is set if `base + lane < limit`, without
    /// overflow.
    fn lane_mask(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let Some(Format::Int(width @ 1..=64)) = types::scalar(args[0].ty()) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let double = Format::Int(128);
        let (dst, base, limit) = (self.result(call), self.operand(args[0]), self.operand(args[1]));
        let [wide_base, wide_limit, sum] = [(); 3].map(|()| self.fresh(2));
        self.convert(Cast::ZeroExtend, Format::Int(width), double, wide_base, base);
        self.convert(Cast::ZeroExtend, Format::Int(width), double, wide_limit, limit);
        for lane in 0..call.ty().count() {
            let number = self.pool.words(&[Value::new(lane.into()), Value::ZERO]);
            self.int(IntOp::Add, double, sum, Operand::reg(wide_base), number);
            let (a, b, dst) = (Operand::reg(sum), Operand::reg(wide_limit), Reg::new(dst.index() + lane as usize));
            let site = self.wide(Wide::Compare { op: IntCmp::Ult, width: 128, dst, a, b });
            self.emit(Instr::Wide { site });
        }
    }

    /// `llvm.*.with.overflow`: the results, then the overflow bits.
    pub(super) fn overflow(&mut self, op: OverflowOp, call: LlvmValue<'m>) {
        let args = call.arguments();
        let Some((count, Format::Int(width))) = elements(args[0].ty()) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let (dst, a, b) = (self.result(call), self.operand(args[0]), self.operand(args[1]));
        let words = types::format_words(Format::Int(width));
        for at in 0..count {
            // An operation puts the overflow bit behind its result.
            let one = if count == 1 { dst } else { self.fresh(words + 1) };
            self.overflow_of(op, width, one, [a.word(at * words), b.word(at * words)]);
            if count > 1 {
                self.moves(Reg::new(dst.index() + at * words), Operand::reg(one), words);
                let bit = Operand::reg(Reg::new(one.index() + words));
                self.moves(Reg::new(dst.index() + count * words + at), bit, 1);
            }
        }
    }

    fn overflow_of(&mut self, op: OverflowOp, width: u32, dst: Reg, [a, b]: [Operand; 2]) {
        match u8::try_from(width).ok().filter(|&width| width <= 64) {
            Some(width) => self.emit(Instr::Overflow { op, width, dst, a, b }),
            None => {
                let site = self.wide(Wide::Overflow { op, width, dst, a, b });
                self.emit(Instr::Wide { site });
            }
        }
    }
}

fn fold(name: &str) -> Option<Fold> {
    Some(match name {
        "add" => Fold::Int(IntOp::Add),
        "mul" => Fold::Int(IntOp::Mul),
        "and" => Fold::Int(IntOp::And),
        "or" => Fold::Int(IntOp::Or),
        "xor" => Fold::Int(IntOp::Xor),
        "smax" => Fold::Int(IntOp::SMax),
        "smin" => Fold::Int(IntOp::SMin),
        "umax" => Fold::Int(IntOp::UMax),
        "umin" => Fold::Int(IntOp::UMin),
        "fadd" => Fold::Float(FloatOp::Add),
        "fmul" => Fold::Float(FloatOp::Mul),
        "fmax" => Fold::Float(FloatOp::Max),
        "fmin" => Fold::Float(FloatOp::Min),
        _ => return None,
    })
}

/// The operation of `llvm.NAME`, if it returns an overflow bit.
pub(super) fn overflow(name: &str) -> Option<OverflowOp> {
    Some(match name.split_once(".with.overflow")?.0 {
        "sadd" => OverflowOp::SAdd,
        "uadd" => OverflowOp::UAdd,
        "ssub" => OverflowOp::SSub,
        "usub" => OverflowOp::USub,
        "smul" => OverflowOp::SMul,
        "umul" => OverflowOp::UMul,
        _ => return None,
    })
}
