//! Functions that the support library (libc/) calls in the checker, by names that programs do not have.

use rmc_runtime::Bytes;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round, Status};

use super::Call;
use super::variable_arguments::{VariableArguments, argument_at};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Performed, StepEnd, VisibleSlot};

/// Models `__rmc_parse_real(text, length, bits, place)`. It writes the number in the first `length` bytes of
/// the text, 0 if there are none, as a `float` (32 bits), `double` (64) or `long double` (80), rounded to
/// nearest. It returns 1 if the number is out of range in the sense of `ERANGE`, else 0.
pub(super) fn parse_real<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [text, length, bits, place] = [0, 1, 2, 3].map(|at| machine.argument(call, at));
    let (text, length, bits, place) = (text?, length?, bits?, place?);
    let bytes = if length == 0 { Vec::new() } else { machine.bytes_at(text, length)? };
    let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    let (number, size, out_of_range) = match bits {
        32 => parse::<Single>(&text, 4)?,
        64 => parse::<Double>(&text, 8)?,
        _ => parse::<X87DoubleExtended>(&text, 10)?,
    };
    // The place is a variable of the support library to which nothing was stored.
    let target = machine.target(place, size.into(), true)?;
    machine.write_unshared(&target, size, Bytes::defined(number));
    machine.give(call, out_of_range.into())
}

/// The bits of the number in a text whose form the caller checked, `size`, and true if it is out of range.
fn parse<F: Float>(text: &str, size: u8) -> Result<(u128, u8, bool), StepEnd> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (number, status) = match digits {
        "" => (F::ZERO, Status::OK),
        _ if digits.starts_with("inf") => (F::INFINITY, Status::OK),
        _ if digits.starts_with("nan") => (F::NAN, Status::OK),
        _ => {
            let whole = if digits.starts_with("0x") && !digits.contains('p') {
                format!("{digits}p0")
            } else {
                digits.to_owned()
            };
            // Only a text that another thread changed in the meantime has another form.
            let changed = |_| StepEnd::Unsupported("a text that changes while a number is read from it".to_owned());
            let parsed = F::from_str_r(&whole, Round::NearestTiesToEven).map_err(changed)?;
            (parsed.value, parsed.status)
        }
    };
    let out_of_range = status.intersects(Status::OVERFLOW | Status::UNDERFLOW);
    Ok(((if negative { -number } else { number }).to_bits(), size, out_of_range))
}

/// `__rmc_unsupported(what)` ends the run with an error.
pub(super) fn unsupported<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let what = machine.argument(call, 0)?;
    Err(StepEnd::Unsupported(machine.text_at(what)?))
}

/// Models `__rmc_misuse(what)`: a violation, for behaviour that C or POSIX leave undefined.
pub(super) fn misuse<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let what = machine.argument(call, 0)?;
    let message = machine.text_at(what)?;
    machine.fault(ViolationKind::InvalidArgument, message)
}

/// Models `__rmc_expect_argument(list, conversion)`: a violation if the `va_list` has no further pointer.
pub(super) fn expect_argument<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let next = VariableArguments::of(machine, call, 0)?.integer();
    if argument_at(machine, next)?.is_some_and(|argument| argument.undef != u128::from(u64::MAX)) {
        return machine.give(call, 0);
    }
    let format = machine.argument(call, 1)?;
    let conversion = machine.text_at(format)?;
    let end = conversion.find(|c: char| c.is_ascii_alphabetic() && !"hlqjztL".contains(c)).map_or(1, |at| at + 1);
    let message = format!("the argument for `{}` is not given", &conversion[..end]);
    machine.fault(ViolationKind::FormatMismatch, message)
}
