//! Lowers LLVM's intrinsic functions.

use super::arithmetic::elements;
use super::function::Lowering;
use super::promises::FAST_MATH;
use super::types;
use super::variadic;
use super::vectors;
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::{Cast, FloatOp, Format, Instr, IntOp, IntUnary, Wide};
use crate::ir::program::Local;
use crate::ir::value::Value;
use rmc_abi::va_list;
use rmc_llvm::Value as LlvmValue;

/// Intrinsics that inform only the optimiser or the debugger and have no effect.
const NOTHING: [&str; 11] = [
    "dbg.",
    "donothing",
    "prefetch",
    "invariant.",
    "experimental.noalias",
    "va_end",
    "stackrestore",
    "sideeffect",
    "var.annotation",
    "pseudoprobe",
    "codeview",
];

/// Intrinsics for functions of math.h. The compiler uses them when they need not set `errno`.
const MATHEMATICAL: [&str; 12] =
    ["sin", "cos", "exp", "exp2", "log", "log2", "log10", "pow", "lrint", "llrint", "lround", "llround"];

impl<'m> Lowering<'_, 'm> {
    pub(super) fn intrinsic(&mut self, full_name: &str, call: LlvmValue<'m>) {
        let name = &full_name["llvm.".len()..];
        if name == "dbg.declare" {
            return self.declare(call);
        }
        if name == "dbg.value" {
            self.described.describe(name, call);
            return;
        }
        if call.is_fast_math() {
            return self.unsupported(format!("intrinsic `{full_name}`, {FAST_MATH}"));
        }
        if NOTHING.iter().any(|prefix| name.starts_with(prefix)) {
            return;
        }
        // `llvm.umax.i32` is the operation `umax`; names with a dot of their own are matched whole.
        let stem = name.split('.').next().unwrap_or(name);
        let args = call.arguments();
        if let Some(op) = int_binary(name) {
            self.map_binary(call, |this, format, dst, a, b| this.int(op, format, dst, a, b));
        } else if let Some(op) = vectors::overflow(name) {
            self.overflow(op, call);
        } else if let Some(op) = int_unary(stem, &args) {
            self.map_binary(call, |this, format, dst, a, _| this.unary(op, format, dst, a));
        } else if let Some(op) = float_operation(stem) {
            self.map_binary(call, |this, format, dst, a, b| this.float(op, format, dst, a, b));
        } else if name.starts_with("fptosi.sat.") {
            self.cast(call, Cast::FloatToSignedSat);
        } else if name.starts_with("fptoui.sat.") {
            self.cast(call, Cast::FloatToUnsignedSat);
        } else if self.vector_intrinsic(name, call) {
        } else {
            match stem {
                "assume" => self.assume(call),
                "eh" if name == "eh.typeid.for" => self.type_selector(call),
                "fma" => self.multiply_add(call),
                "fmuladd" if self.fuses => self.multiply_add(call),
                "fmuladd" => self.multiply_then_add(call),
                "memcpy" => self.copy([args[0], args[1], args[2]], [true, true], false),
                "memmove" => self.copy([args[0], args[1], args[2]], [true, true], true),
                "memset" => self.fill([args[0], args[1], args[2]], true),
                "lifetime" => {
                    let (len, addr) = (self.operand(args[0]), self.operand(args[1]));
                    // The pass puts `__rmc_lifetime_end` before the intrinsic for variables that may be
                    // shared, so these are dead already.
                    let ends = name.starts_with("lifetime.end");
                    self.emit(if ends { Instr::LifetimeEnd { addr, len } } else { Instr::LifetimeStart { addr, len } });
                }
                "expect" | "launder" | "strip" | "ptr" | "annotation" | "ssa" => {
                    let a = self.operand(args[0]);
                    self.moves(self.result(call), a, types::words(call.ty()));
                }
                "threadlocal" => {
                    let global = self.symbols.globals[&args[0]];
                    self.emit(Instr::ThreadLocal { dst: self.result(call), global });
                }
                "va_start" => {
                    let (list, area) = (self.operand(args[0]), self.argument_area());
                    let first = variadic::first_places(call.block().function());
                    self.emit(Instr::VaStart { list, area, first });
                }
                "va_copy" => {
                    let len = self.pool.word(Value::new(va_list::BYTES.into()));
                    let (to, from) = (self.operand(args[0]), self.operand(args[1]));
                    self.copy_operands(to, from, len, [false, false], false);
                }
                "stacksave" => self.constant(call, 0),
                "objectsize" => self.constant(call, if args[1].int() == 1 { 0 } else { u64::MAX }),
                "is" if name.starts_with("is.constant") => self.constant(call, 0),
                "is" if name.starts_with("is.fpclass.") => self.is_of_class(call),
                "powi" if name == "powi.f64.i32" => self.library_call("__powidf2", call),
                "powi" if name == "powi.f32.i32" => self.library_call("__powisf2", call),
                "fshl" | "fshr" => self.funnel_shift(stem == "fshl", call),
                "readcyclecounter" => self.standing_clock(call),
                "x86" if matches!(name, "x86.rdtsc" | "x86.rdtscp") => self.standing_clock(call),
                "ptrmask" if types::scalar(args[1].ty()) == Some(Format::Int(64)) => {
                    let (dst, a, b) = (self.result(call), self.operand(args[0]), self.operand(args[1]));
                    self.int(IntOp::And, Format::Int(64), dst, a, b);
                }
                "frameaddress" if args[0].int() == 0 => self.frame_address(call),
                "returnaddress" => self.library_call("__rmc_return_address", call),
                _ if MATHEMATICAL.contains(&stem) && (name.ends_with(".f32") || name.ends_with(".f64")) => {
                    let suffix = if name.ends_with(".f32") { "f" } else { "" };
                    self.library_call(&format!("{stem}{suffix}"), call);
                }
                "trap" | "debugtrap" | "ubsantrap" => self.library_call("abort", call),
                _ => self.unsupported(format!("intrinsic `{full_name}`")),
            }
        }
    }

    /// The address of the frame: that of an object in it which nothing else refers to.
    fn frame_address(&mut self, call: LlvmValue<'m>) {
        self.out.allocas.push(Local::new("the frame's address"));
        self.out.has_objects = true;
        let site = SiteId::new(self.out.allocas.len() - 1);
        let count = self.pool.word(Value::new(1));
        self.emit(Instr::Alloca { dst: self.result(call), count, size: 1, site });
    }

    /// A clock of the processor, which stands still.
    fn standing_clock(&mut self, call: LlvmValue<'m>) {
        self.library_call("__rmc_read_clock", call);
        self.constant(call, 0);
    }

    fn constant(&mut self, call: LlvmValue<'m>, value: u64) {
        let a = self.pool.words(&vec![Value::new(value); types::words(call.ty())]);
        self.moves(self.result(call), a, types::words(call.ty()));
    }

    /// Applies an operation to each element of the first two arguments.
    fn map_binary(&mut self, call: LlvmValue<'m>, f: impl Fn(&mut Self, Format, Reg, Operand, Operand)) {
        let args = call.arguments();
        let Some((count, format)) = elements(call.ty()) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let (dst, a) = (self.result(call), self.operand(args[0]));
        // A second argument of another type is a flag (`ctlz`, `abs`: an edge case is poison).
        let b = match args.get(1) {
            Some(second) if second.ty() == args[0].ty() => self.operand(*second),
            _ => a,
        };
        let words = types::format_words(format);
        (0..count)
            .for_each(|at| f(self, format, Reg::new(dst.index() + at * words), a.word(at * words), b.word(at * words)));
    }

    /// `fmuladd` may round once or twice. LLVM rounds once where the processor can.
    fn multiply_then_add(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let Some((count, format)) = elements(call.ty()) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let (dst, words) = (self.result(call), types::format_words(format));
        let [a, b, c] = [0, 1, 2].map(|at| self.operand(args[at]));
        for at in (0..count).map(|at| at * words) {
            let product = self.fresh(words);
            self.float(FloatOp::Mul, format, product, a.word(at), b.word(at));
            self.float(FloatOp::Add, format, Reg::new(dst.index() + at), Operand::reg(product), c.word(at));
        }
    }

    fn multiply_add(&mut self, call: LlvmValue<'m>) {
        let args = call.arguments();
        let (count, width) = match elements(call.ty()) {
            Some((count, Format::Single)) => (count, 32),
            Some((count, Format::Double)) => (count, 64),
            _ => return self.unsupported(format!("intrinsic `{}`", call.print())),
        };
        let dst = self.result(call);
        let [a, b, c] = [0, 1, 2].map(|at| self.operand(args[at]));
        for at in 0..count {
            let args = self.wide(Wide::Triple { a: a.word(at), b: b.word(at), c: c.word(at) });
            self.emit(Instr::FloatMulAdd { width, dst: Reg::new(dst.index() + at), args });
        }
    }

    /// `fshl(a, b, s)`: the upper half of `a:b` shifted left by `s` modulo the width; `fshr` the lower half
    /// shifted right.
    fn funnel_shift(&mut self, left: bool, call: LlvmValue<'m>) {
        let args = call.arguments();
        let Some((count, Format::Int(width))) = elements(call.ty()) else {
            return self.unsupported(format!("intrinsic `{}`", call.print()));
        };
        let dst = self.result(call);
        let [a, b, s] = [0, 1, 2].map(|at| self.operand(args[at]));
        let double = Format::Int(width * 2);
        let (words, narrow) = (types::format_words(double), types::format_words(Format::Int(width)));
        let number = |value: u64| (0..words).map(|k| Value::new(if k == 0 { value } else { 0 })).collect::<Vec<_>>();
        let (full, modulus) = (self.pool.words(&number(u64::from(width))), self.pool.words(&number(u64::from(width))));
        for at in (0..count).map(|at| at * narrow) {
            let [high, low, shift, joined] = [(); 4].map(|()| self.fresh(words));
            self.convert(Cast::ZeroExtend, Format::Int(width), double, high, a.word(at));
            self.convert(Cast::ZeroExtend, Format::Int(width), double, low, b.word(at));
            self.convert(Cast::ZeroExtend, Format::Int(width), double, shift, s.word(at));
            let of = Operand::reg;
            self.int(IntOp::URem, double, shift, of(shift), modulus);
            self.int(IntOp::Shl, double, high, of(high), full);
            self.int(IntOp::Or, double, joined, of(high), of(low));
            self.int(if left { IntOp::Shl } else { IntOp::LShr }, double, joined, of(joined), of(shift));
            if left {
                self.int(IntOp::LShr, double, joined, of(joined), full);
            }
            self.convert(Cast::Truncate, double, Format::Int(width), Reg::new(dst.index() + at), of(joined));
        }
    }
}

fn int_binary(name: &str) -> Option<IntOp> {
    let (stem, rest) = name.split_once('.').unwrap_or((name, ""));
    Some(match (stem, rest.starts_with("sat.")) {
        ("umin", _) => IntOp::UMin,
        ("umax", _) => IntOp::UMax,
        ("smin", _) => IntOp::SMin,
        ("smax", _) => IntOp::SMax,
        ("uadd", true) => IntOp::UAddSat,
        ("usub", true) => IntOp::USubSat,
        ("sadd", true) => IntOp::SAddSat,
        ("ssub", true) => IntOp::SSubSat,
        ("ushl", true) => IntOp::UShlSat,
        ("sshl", true) => IntOp::SShlSat,
        _ => return None,
    })
}

/// The operation of an intrinsic with one operand. A second argument of 1 promises that the operand is not
/// the one without a result.
fn int_unary(stem: &str, args: &[LlvmValue<'_>]) -> Option<IntUnary> {
    let promised = matches!(stem, "ctlz" | "cttz" | "abs") && args[1].int() == 1;
    Some(match stem {
        "ctpop" => IntUnary::PopCount,
        "ctlz" if promised => IntUnary::LeadingZerosOfNonzero,
        "cttz" if promised => IntUnary::TrailingZerosOfNonzero,
        "abs" if promised => IntUnary::AbsOfOther,
        "ctlz" => IntUnary::LeadingZeros,
        "cttz" => IntUnary::TrailingZeros,
        "bswap" => IntUnary::ByteSwap,
        "bitreverse" => IntUnary::BitReverse,
        "abs" => IntUnary::Abs,
        _ => return None,
    })
}

fn float_operation(stem: &str) -> Option<FloatOp> {
    Some(match stem {
        "fabs" => FloatOp::Abs,
        "sqrt" => FloatOp::Sqrt,
        "floor" => FloatOp::Floor,
        "ceil" => FloatOp::Ceil,
        "trunc" => FloatOp::Trunc,
        "rint" | "nearbyint" | "roundeven" => FloatOp::RoundEven,
        "round" => FloatOp::Round,
        "copysign" => FloatOp::CopySign,
        "minnum" => FloatOp::Min,
        "maxnum" => FloatOp::Max,
        _ => return None,
    })
}
