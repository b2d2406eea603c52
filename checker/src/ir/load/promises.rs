//! The promises of LLVM's flags, metadata and intrinsics about values, and the treatment of each promise.
//!
//! Source: LLVM Language Reference 16. *Checked*: if the promise does not hold, the result is poison
//! ([`crate::ir::value`]) or it is a violation. *Refused*: reaching it is an error that names it. The tests
//! are in `tests/tests/promises.rs`, one for each row, and in `tests/programs/undefined`.
//!
//! | promise | where | treatment |
//! |---|---|---|
//! | `nsw`, `nuw` | `add`, `sub`, `mul`, `shl` | checked, poison |
//! | `exact` | `udiv`, `sdiv`, `lshr`, `ashr` | checked, poison |
//! | a shift is shorter than its number | `shl`, `lshr`, `ashr` | checked, poison |
//! | the divisor is not 0, the quotient fits | divisions | checked, a violation; also if the divisor is undefined |
//! | `inbounds` | `getelementptr` | checked only for results so far away that they could be in another object, poison; a nearer result out of bounds is detected when it is accessed |
//! | the number fits | `fptosi`, `fptoui` | checked, poison |
//! | the element exists | `extractelement`, `insertelement` | checked, poison |
//! | `is_zero_poison`, `is_int_min_poison` | `llvm.ctlz`, `llvm.cttz`, `llvm.abs` | checked, poison |
//! | `!range`, `!nonnull` | loads | checked, poison; the pass copies them to `__rmc_load_N` |
//! | the condition, `"align"`, `"nonnull"` | `llvm.assume` | checked, a violation |
//! | other operand bundles | `llvm.assume` | refused |
//! | `nnan`, `ninf`, `nsz`, `arcp`, `contract`, `afn`, `reassoc` | floating point | refused: each leaves the result open |
//! | rounding once or twice | `llvm.fmuladd` | as in LLVM: once if the function may use FMA |
//! | the multiplications in any order | `llvm.powi` | as in the compiler's own function, and in LLVM's expansion: by squares from the lowest bit of the exponent on, with a division at the end if the exponent is negative |
//! | any value | `freeze` of an undefined value | refused for an undefined value; a defined value stays as it is |
//! | `!nontemporal` | stores | refused by the pass; on loads it has no effect for cached memory |
//! | `unreachable` | | checked, a violation |
//! | `undef`, `poison` | constants | uninitialised; poison in a static initialiser is refused |
//! | `noundef`, `!noundef` | arguments, results, loads | irrelevant: undefinedness is part of the value, and a use that depends on it is a violation |
//! | `!range` | calls of intrinsics | irrelevant: the interpreter computes the result, which does not depend on it |
//! | `llvm.expect`, `!prof`, `llvm.prefetch`, `llvm.sideeffect`, ... | | irrelevant: they promise nothing |
//! | `llvm.is.constant`, `llvm.objectsize` | | "not known", which compilers may always say |
//! | `nonnull`, `align`, `dereferenceable`, `noalias`, ... | arguments, results, loads | ignored: they do not determine a value; README.md lists them as gaps |
//! | `!tbaa`, `!noalias`, `!invariant.load`, `llvm.invariant.*`, `llvm.experimental.noalias.scope.decl` | | ignored, for the same reason |
//!
//! Intrinsics that are in no table of [`super::intrinsics`] are refused.

use super::function::Lowering;
use super::types;
use crate::ir::ids::Operand;
use crate::ir::instr::{Format, Instr, IntCmp, IntOp, Promises};
use crate::ir::value::Value;
use rmc_llvm::Value as LlvmValue;

/// The message with which an operation of `-ffast-math` is refused.
pub(super) const FAST_MATH: &str =
    "whose result -ffast-math leaves open (nnan, ninf, nsz, arcp, contract, afn or reassoc); compile without it";

/// The promises of LLVM's flags about an operation on integers.
pub(super) fn promises(operation: LlvmValue<'_>) -> Promises {
    let flags = operation.arithmetic_flags();
    let promise = |is_set: bool, promise| if is_set { promise } else { Promises::NONE };
    let signed = promise(flags.no_signed_wrap, Promises::SIGNED);
    signed.and(promise(flags.no_unsigned_wrap, Promises::UNSIGNED)).and(promise(flags.exact, Promises::EXACT))
}

impl<'m> Lowering<'_, 'm> {
    /// Lowers the metadata `!range` and `!nonnull` of a load, or of the call that the pass put in its place:
    /// both promise something about the value.
    pub(super) fn check_range(&mut self, load: LlvmValue<'m>) {
        let limits = match (load.metadata("range"), load.metadata("nonnull")) {
            (Some(limits), _) => limits.into_iter().map(LlvmValue::int).collect(),
            (None, Some(_)) => vec![1, 0],
            (None, None) => return,
        };
        let width = types::scalar(load.ty()).and_then(|format| u8::try_from(format.bits()).ok());
        let (&[low, high], Some(width @ 1..=64)) = (limits.as_slice(), width) else {
            return self.unsupported(format!("metadata `range` of `{}`", load.print()));
        };
        let dst = self.result(load);
        let [low, high] = [low, high].map(|limit| self.pool.word(Value::new(limit)));
        self.emit(Instr::Range { dst, low, high, width });
    }

    /// Lowers `llvm.assume`: a false condition is undefined behaviour. Its operand bundles state further
    /// facts; clang makes `align` (`__builtin_assume_aligned`).
    pub(super) fn assume(&mut self, call: LlvmValue<'m>) {
        let cond = self.operand(call.arguments()[0]);
        self.emit(Instr::Assume { cond });
        let operands = call.operands();
        // The condition is the first operand, the callee the last.
        let bundled = &operands[1..operands.len() - 1];
        // Only where there is a bundle: LLVM numbers the whole module for it.
        let printed = if bundled.is_empty() { String::new() } else { call.print() };
        // A second bundle would have another tag in quotes.
        let is_about = |tag: &str| printed.matches('"').count() == 2 && printed.contains(&format!("[ \"{tag}\"("));
        match *bundled {
            [] => {}
            [pointer] if is_about("nonnull") => {
                let (a, b) = (self.operand(pointer), self.pool.word(Value::ZERO));
                self.assume_compared(IntCmp::Ne, a, b);
            }
            [pointer, align, ref rest @ ..] if is_about("align") && rest.len() <= 1 => {
                let (word, from, place) = (Format::Int(64), self.fresh(1), self.fresh(1));
                let offset = rest.first().map_or(self.pool.word(Value::ZERO), |&offset| self.operand(offset));
                let (pointer, align) = (self.operand(pointer), self.operand(align));
                let minus_one = self.pool.word(Value::new(u64::MAX));
                let zero = self.pool.word(Value::ZERO);
                self.int(IntOp::Add, word, from, align, minus_one);
                self.int(IntOp::Sub, word, place, pointer, offset);
                self.int(IntOp::And, word, place, Operand::reg(place), Operand::reg(from));
                self.assume_compared(IntCmp::Eq, Operand::reg(place), zero);
            }
            _ => self.unsupported(format!("operand bundle of `{printed}`")),
        }
    }

    fn assume_compared(&mut self, op: IntCmp, a: Operand, b: Operand) {
        let dst = self.fresh(1);
        self.emit(Instr::Compare { op, width: 64, dst, a, b });
        self.emit(Instr::Assume { cond: Operand::reg(dst) });
    }
}
