//! Lowers `llvm.is.fpclass`: the test of a floating-point number for classes.
//!
//! Source: LLVM Language Reference 16, "`llvm.is.fpclass` Intrinsic". The numbers of a class are one range of
//! bit patterns, or two, one for each sign, so the test is whether the pattern is in one of some ranges.
//!
//! Test: `tests/programs/libc/native/intrinsics.c`, against LLVM's own code.

use super::arithmetic::elements;
use super::function::Lowering;
use crate::ir::ids::{Operand, Reg};
use crate::ir::instr::{Format, Instr, IntCmp, IntOp};
use crate::ir::value::Value;
use rmc_llvm::Value as LlvmValue;

/// The classes by the bits of the mask: kind of number, and true for a negative sign.
const CLASSES: [&[(Kind, bool)]; 10] = [
    &[(Kind::SignallingNan, false), (Kind::SignallingNan, true)],
    &[(Kind::QuietNan, false), (Kind::QuietNan, true)],
    &[(Kind::Infinity, true)],
    &[(Kind::Normal, true)],
    &[(Kind::Subnormal, true)],
    &[(Kind::Zero, true)],
    &[(Kind::Zero, false)],
    &[(Kind::Subnormal, false)],
    &[(Kind::Normal, false)],
    &[(Kind::Infinity, false)],
];

#[derive(Clone, Copy)]
enum Kind {
    Zero,
    Subnormal,
    Normal,
    Infinity,
    SignallingNan,
    QuietNan,
}

impl Kind {
    /// The first pattern, without sign, and the number of patterns, in a format of `width` bits of which
    /// `fraction` are behind the exponent.
    const fn range(self, width: u8, fraction: u8) -> (u64, u64) {
        let one = 1 << fraction;
        let infinity = (1 << (width - 1)) - one;
        let quiet = one / 2;
        match self {
            Self::Zero => (0, 1),
            Self::Subnormal => (1, one - 1),
            Self::Normal => (one, infinity - one),
            Self::Infinity => (infinity, 1),
            Self::SignallingNan => (infinity + 1, quiet - 1),
            Self::QuietNan => (infinity + quiet, quiet),
        }
    }
}

impl<'m> Lowering<'_, 'm> {
    /// `llvm.is.fpclass(number, classes)`.
    pub(super) fn is_of_class(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let (count, width, fraction) = match elements(args[0].ty()) {
            Some((count, Format::Single)) => (count, 32, 23),
            Some((count, Format::Double)) => (count, 64, 52),
            _ => return self.unsupported(format!("intrinsic `{}`", call.print())),
        };
        let asked = args[1].int();
        let (first, numbers) = (self.result(call), self.operand(args[0]));
        for at in 0..count {
            let dst = Reg::new(first.index() + at);
            let a = self.pool.word(Value::ZERO);
            self.emit(Instr::Move { dst, a });
            for (class, parts) in CLASSES.iter().enumerate() {
                if asked >> class & 1 == 1 {
                    parts.iter().for_each(|&(kind, negative)| {
                        let (least, patterns) = kind.range(width, fraction);
                        let sign = u64::from(negative) << (width - 1);
                        self.or_within(dst, numbers.word(at), width, [least | sign, patterns]);
                    });
                }
            }
        }
    }

    /// Sets the bit `dst` if the pattern `a` is one of the `patterns` patterns that begin with `least`.
    fn or_within(&mut self, dst: Reg, a: Operand, width: u8, [least, patterns]: [u64; 2]) {
        let [least, patterns] = [least, patterns].map(|number| self.pool.word(Value::new(number)));
        let (distance, is_within) = (self.fresh(1), self.fresh(1));
        self.int(IntOp::Sub, Format::Int(width.into()), distance, a, least);
        let (op, a) = (IntCmp::Ult, Operand::reg(distance));
        self.emit(Instr::Compare { op, width, dst: is_within, a, b: patterns });
        self.int(IntOp::Or, Format::Int(1), dst, Operand::reg(dst), Operand::reg(is_within));
    }
}
