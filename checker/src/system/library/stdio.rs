//! Output. What is printed is collected when a counterexample is shown; it is no part of a state.
//!
//! A call that reads text which other threads may know is a visible operation, and reads the whole text at once: the one place where interleavings are
//! not explored, those of printing a text while another thread changes it.

use super::format::{self, Argument, Conversion};
use super::{Call, Family};
use crate::ir::instr::FLOAT;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, Turn};

pub(super) const FAMILY: Family = &[("printf", printf), ("puts", puts), ("putchar", putchar)];

/// The longest text read from memory, in bytes: a limit against a missing terminator in huge objects.
const LONGEST: u64 = 1 << 20;

/// Whether the call may proceed: it needs a turn if an argument points to memory that others may be writing.
fn may_read(machine: &Machine<'_>, turn: &mut Turn, call: Call<'_>) -> Result<bool, StepEnd> {
    for (&operand, &width) in call.site.args.iter().zip(&call.site.widths) {
        let value = machine.stack.get(machine.program, operand);
        if width == 64
            && value.is_defined()
            && let Ok(target) = machine.target(value.bits, 1, false)
            && machine.is_visible(&target)?
        {
            return Ok(machine.may_proceed(turn));
        }
    }
    Ok(true)
}

fn printf<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    if !may_read(machine, turn, call)? {
        return Ok(Next::Wait);
    }
    let pattern = machine.text_at(machine.argument(call, 0)?)?;
    let text = expand(machine, call, &pattern, 1)?;
    machine.observe_output(&text);
    machine.give(call, text.len() as u64)
}

fn puts<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    if !may_read(machine, turn, call)? {
        return Ok(Next::Wait);
    }
    let text = machine.text_at(machine.argument(call, 0)?)?;
    machine.observe_output(&format!("{text}\n"));
    machine.give(call, text.len() as u64 + 1)
}

fn putchar<'p>(machine: &mut Machine<'p>, _: &mut Turn, call: Call<'p>) -> Performed {
    let byte = machine.argument(call, 0)? as u8;
    machine.observe_output(&char::from(byte).to_string());
    machine.give(call, byte.into())
}

/// Expands a format whose arguments are the call's from number `next` on.
fn expand(machine: &mut Machine<'_>, call: Call<'_>, pattern: &str, mut next: usize) -> Result<String, StepEnd> {
    let mut out = String::new();
    for piece in format::parse(pattern) {
        match piece {
            Err(message) => return Err(StepEnd::Unsupported(message)),
            Ok(format::Piece::Text(text)) => out.push_str(&text),
            Ok(format::Piece::Conversion(mut conversion)) => {
                let stars = conversion.take_stars();
                for star in stars {
                    let value = integer(machine, call, next, &conversion, 32)?;
                    conversion.set_star(star, value);
                    next += 1;
                }
                let argument = argument(machine, call, next, &conversion)?;
                next += 1;
                out.push_str(&conversion.apply(&argument));
            }
        }
    }
    Ok(out)
}

fn argument(
    machine: &mut Machine<'_>,
    call: Call<'_>,
    at: usize,
    conversion: &Conversion,
) -> Result<Argument, StepEnd> {
    let Some(&width) = call.site.widths.get(at) else {
        let message = format!("`{}` has no argument", conversion.text);
        return machine.fault(ViolationKind::FormatMismatch, message);
    };
    let is_float = width & FLOAT != 0;
    if is_float != conversion.is_float() {
        let message = format!(
            "`{}` is given {}",
            conversion.text,
            if is_float { "a floating-point number" } else { "an integer or a pointer" }
        );
        return machine.fault(ViolationKind::FormatMismatch, message);
    }
    if is_float {
        return Ok(Argument::Float(f64::from_bits(machine.argument(call, at)?)));
    }
    let value = integer(machine, call, at, conversion, conversion.width())?;
    if conversion.kind == 's' {
        return machine.text_at(value).map(Argument::Text);
    }
    Ok(Argument::Integer(value))
}

fn integer(
    machine: &Machine<'_>,
    call: Call<'_>,
    at: usize,
    conversion: &Conversion,
    width: u8,
) -> Result<u64, StepEnd> {
    match call.site.widths.get(at) {
        None => machine.fault(ViolationKind::FormatMismatch, format!("`{}` has no argument", conversion.text)),
        Some(&given) if given != width => {
            let message = format!("`{}` expects {width} bits and is given {given}", conversion.text);
            machine.fault(ViolationKind::FormatMismatch, message)
        }
        Some(_) => machine.argument(call, at),
    }
}

impl Machine<'_> {
    /// The zero-terminated text at an address, as the running thread sees it now; bytes that are no UTF-8 are replaced.
    pub(in crate::system) fn text_at(&mut self, address: u64) -> Result<String, StepEnd> {
        let mut bytes = Vec::new();
        for offset in 0..LONGEST {
            let target = self.target(address.wrapping_add(offset), 1, false)?;
            let value = self.read_now(&target)?;
            if value.undef != 0 {
                return self.fault(ViolationKind::UninitialisedArgument, "a text has an uninitialised byte");
            }
            if value.bits == 0 {
                break;
            }
            bytes.push(value.bits as u8);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
