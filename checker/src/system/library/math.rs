//! math.h for `float` and `double`. The only side effect is on `errno`.
//!
//! Values come from the mathematical library of the machine that the checker runs on, which the program
//! itself would call there. The cube root, the inverse hyperbolic, the error and the gamma functions come
//! from elsewhere and may differ from it in the last bit. The rounding mode is always to nearest. `long
//! double` has no models.
//!
//! `errno` follows C11, 7.12.1, as in glibc: it is `EDOM` if a result is not a number though all arguments
//! are, and `ERANGE` if the result is infinite though the arguments are not, or 0 by underflow.

use super::{Call, LibraryFunction};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const EDOM: u32 = 33;
const ERANGE: u32 = 34;

/// A function of one number, as `double` and as `float`.
type Unary = (&'static str, fn(f64) -> f64, fn(f32) -> f32);
/// A function of two numbers, as `double` and as `float`.
type Binary = (&'static str, fn(f64, f64) -> f64, fn(f32, f32) -> f32);

const UNARY: &[Unary] = &[
    ("sin", f64::sin, f32::sin),
    ("cos", f64::cos, f32::cos),
    ("tan", f64::tan, f32::tan),
    ("asin", f64::asin, f32::asin),
    ("acos", f64::acos, f32::acos),
    ("atan", f64::atan, f32::atan),
    ("sinh", f64::sinh, f32::sinh),
    ("cosh", f64::cosh, f32::cosh),
    ("tanh", f64::tanh, f32::tanh),
    ("asinh", libm::asinh, libm::asinhf),
    ("acosh", libm::acosh, libm::acoshf),
    ("atanh", libm::atanh, libm::atanhf),
    ("exp", f64::exp, f32::exp),
    ("exp2", f64::exp2, f32::exp2),
    ("expm1", f64::exp_m1, f32::exp_m1),
    ("log", f64::ln, f32::ln),
    ("log2", f64::log2, f32::log2),
    ("log10", f64::log10, f32::log10),
    ("log1p", f64::ln_1p, f32::ln_1p),
    ("cbrt", libm::cbrt, libm::cbrtf),
    ("sqrt", f64::sqrt, f32::sqrt),
    ("fabs", f64::abs, f32::abs),
    ("floor", f64::floor, f32::floor),
    ("ceil", f64::ceil, f32::ceil),
    ("trunc", f64::trunc, f32::trunc),
    ("round", f64::round, f32::round),
    ("roundeven", f64::round_ties_even, f32::round_ties_even),
    ("rint", f64::round_ties_even, f32::round_ties_even),
    ("nearbyint", f64::round_ties_even, f32::round_ties_even),
    ("erf", libm::erf, libm::erff),
    ("erfc", libm::erfc, libm::erfcf),
    ("tgamma", libm::tgamma, libm::tgammaf),
    ("lgamma", libm::lgamma, libm::lgammaf),
];

const BINARY: &[Binary] = &[
    ("pow", f64::powf, f32::powf),
    ("atan2", f64::atan2, f32::atan2),
    ("hypot", f64::hypot, f32::hypot),
    ("fmod", |a, b| a % b, |a, b| a % b),
    ("remainder", libm::remainder, libm::remainderf),
    ("fmax", f64::max, f32::max),
    ("fmin", f64::min, f32::min),
    ("fdim", libm::fdim, libm::fdimf),
    ("copysign", f64::copysign, f32::copysign),
];

/// Functions whose result is 0 only by underflow, if all arguments are finite and the first one is not 0.
const UNDERFLOWING: [&str; 4] = ["exp", "exp2", "pow", "ldexp"];

/// The table entry for a function. The entries have the names of the functions for `double`.
fn entry<T: Copy>(table: &[T], of: fn(&T) -> &'static str, function: &LibraryFunction) -> T {
    let name = function.name;
    let name = if function.is_single { name.strip_suffix('f').expect("a name for `float`") } else { name };
    table.iter().copied().find(|entry| of(entry) == name).expect("every row has an entry")
}

pub(super) fn unary<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (name, double, single) = entry(UNARY, |entry| entry.0, call.function);
    let x = machine.number(call, 0)?;
    let result = if call.function.is_single { f64::from(single(x as f32)) } else { double(x) };
    finish(machine, turn, call, name, &[x], result)
}

pub(super) fn binary<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (name, double, single) = entry(BINARY, |entry| entry.0, call.function);
    let (x, y) = (machine.number(call, 0)?, machine.number(call, 1)?);
    let result = if call.function.is_single { f64::from(single(x as f32, y as f32)) } else { double(x, y) };
    finish(machine, turn, call, name, &[x, y], result)
}

pub(super) fn multiply_add<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [x, y, z] = [0, 1, 2].map(|at| machine.number(call, at));
    let (x, y, z) = (x?, y?, z?);
    let single = |x: f64| x as f32;
    let result =
        if call.function.is_single { f64::from(single(x).mul_add(single(y), single(z))) } else { x.mul_add(y, z) };
    finish(machine, turn, call, call.name, &[x, y, z], result)
}

pub(super) fn scale<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (x, by) = (machine.number(call, 0)?, machine.signed_argument(call, 1)?);
    let by = i32::try_from(by.clamp(-100_000, 100_000)).expect("clamped");
    let result = if call.function.is_single { f64::from(libm::ldexpf(x as f32, by)) } else { libm::ldexp(x, by) };
    finish(machine, turn, call, "ldexp", &[x], result)
}

/// The compiler's functions for `__builtin_powi`, which set no `errno`.
pub(super) fn integer_power<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (x, by) = (machine.number(call, 0)?, machine.signed_argument(call, 1)?);
    let bits = if call.function.is_single {
        let power = power(x as f32, by.unsigned_abs(), 1.0);
        u64::from((if by < 0 { 1.0 / power } else { power }).to_bits())
    } else {
        let power = power(x, by.unsigned_abs(), 1.0);
        (if by < 0 { 1.0 / power } else { power }).to_bits()
    };
    machine.give(call, bits)
}

/// `x` to the power of `by`, by repeated squaring from the lowest bit on. `one` is the number 1.
fn power<T: Copy + std::ops::Mul<Output = T>>(mut x: T, mut by: u64, one: T) -> T {
    let mut product = one;
    loop {
        if by % 2 == 1 {
            product = product * x;
        }
        by /= 2;
        if by == 0 {
            return product;
        }
        x = x * x;
    }
}

/// Rounds to the nearest whole number. Halves are rounded to even numbers.
pub(super) fn nearest_even<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let whole = machine.number(call, 0)?.round_ties_even();
    give_whole(machine, call, whole)
}

/// Rounds to the nearest whole number. Halves are rounded away from 0.
pub(super) fn nearest<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let whole = machine.number(call, 0)?.round();
    give_whole(machine, call, whole)
}

/// Ends a call with a whole number. One that does not fit gives the least number, as the processor's
/// instruction does.
fn give_whole<'p>(machine: &mut Machine<'p>, call: Call<'p>, whole: f64) -> Performed {
    let limit = 2_f64.powi(63);
    let result = if whole >= -limit && whole < limit { whole as i64 } else { i64::MIN };
    machine.give(call, result.cast_unsigned())
}

/// Sets `errno` if the result calls for it, and returns the result.
fn finish<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    name: &str,
    arguments: &[f64],
    result: f64,
) -> Performed {
    let finite = arguments.iter().all(|argument| argument.is_finite());
    let underflow = result == 0.0 && finite && arguments[0] != 0.0 && UNDERFLOWING.contains(&name);
    let error = if result.is_nan() && !arguments.iter().any(|argument| argument.is_nan()) {
        Some(EDOM)
    } else {
        (underflow || result.is_infinite() && finite).then_some(ERANGE)
    };
    if let Some(error) = error
        && !machine.set_errno(turn, error)?
    {
        return Ok(Next::Wait);
    }
    let bits = if call.site.width == 32 { u64::from((result as f32).to_bits()) } else { result.to_bits() };
    machine.give(call, bits)
}

impl Machine<'_> {
    /// Argument number `at`, a `float` or `double`.
    fn number(&self, call: Call<'_>, at: usize) -> Result<f64, StepEnd> {
        let bits = self.argument(call, at)?;
        let wanted = if call.function.is_single { 32 } else { 64 };
        match call.site.widths[at] & !crate::ir::instr::FLOAT {
            width if width != wanted => {
                self.fault(ViolationKind::InvalidCall, format!("`{}` is declared with another type", call.name))
            }
            32 => Ok(f32::from_bits(bits as u32).into()),
            _ => Ok(f64::from_bits(bits)),
        }
    }
}
