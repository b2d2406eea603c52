//! The `printf` family (C11, 7.21.6): the arguments, their conversion, and the destination of the text.
//!
//! The format and the texts that `%s` names are read in one step. If other threads may know them, that is the
//! call's visible operation. Interleavings of printing a text while another thread changes it are not
//! explored. Text for memory is written like by `memcpy`, in pieces that other threads can come between.
//!
//! An argument that does not fit its conversion is a violation. In a direct call (`printf`), arguments have
//! their types. In a `va_list` they have their kinds, which the machine passes in other registers, and their
//! sizes, since the unused half of an `int`'s place is uninitialised. Numbers of the same size are not told
//! apart otherwise (`%u` for an `int`, `%p` for a `long`).

use rmc_runtime::Bytes;

use super::decimal;
use super::format::{self, Argument, Conversion, Piece, Problem, Wanted};
use super::variable_arguments::{VariableArguments, argument_at};
use super::{Call, delivery, numbered};
use crate::ir::instr::FLOAT;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The destinations of the text. Numbers are indices of arguments.
#[derive(Clone, Copy)]
enum To {
    Output,
    Stream(usize),
    Descriptor(usize),
    Buffer { at: usize, size: Option<usize> },
}

/// The parameters of a function of the family.
struct PrintfForm {
    to: To,
    /// The index of the format argument. The arguments to convert follow it.
    format: usize,
    /// True if the arguments to convert are in a `va_list`.
    list: bool,
}

impl PrintfForm {
    fn of(name: &str) -> Self {
        let fortified = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk"));
        let plain = fortified.unwrap_or(name);
        let (list, function) = plain.strip_prefix('v').map_or((false, plain), |rest| (true, rest));
        let (to, format, more) = match function {
            "printf" => (To::Output, 0, 1),
            "fprintf" => (To::Stream(0), 1, 1),
            "dprintf" => (To::Descriptor(0), 1, 1),
            "sprintf" => (To::Buffer { at: 0, size: None }, 1, 2),
            _ => (To::Buffer { at: 0, size: Some(1) }, 2, 2),
        };
        Self { to, format: if fortified.is_some() { format + more } else { format }, list }
    }
}

/// The arguments to convert, which are taken one after the other.
struct Arguments<'p> {
    call: Call<'p>,
    /// The number of arguments taken so far.
    taken: usize,
    place: ArgumentSource,
    /// The words of the arguments in their order, if the format numbers them.
    numbered: Vec<[u64; 2]>,
}

#[derive(Clone, Copy)]
enum ArgumentSource {
    /// The call's own arguments, from this index on.
    Call(usize),
    /// A `va_list`.
    List(VariableArguments),
}

pub(super) fn print<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let shape = PrintfForm::of(call.name);
    if let To::Buffer { at, .. } = shape.to
        && machine.phase(call) > 0
    {
        let to = machine.argument(call, at)?;
        return delivery::go_on(machine, turn, call, to);
    }
    let mut arguments = Arguments { call, taken: 0, place: first_place(machine, call, &shape)?, numbered: Vec::new() };
    let Some(granted) = may_read(machine, turn, &arguments, shape.format)? else { return Ok(Next::Wait) };
    let pattern = machine.bytes_at(machine.argument(call, shape.format)?, u64::MAX)?;
    let pieces = format::parse(&pattern);
    let counts = |piece: &Result<Piece, Problem>| match piece {
        Ok(Piece::Conversion(conversion)) => matches!(conversion.wanted(), Wanted::Count(_)),
        _ => false,
    };
    if pieces.iter().any(counts) {
        if granted {
            machine.drain()?;
        } else if !machine.full_fence(turn) {
            return Ok(Next::Wait);
        }
    }
    let text = expand(machine, &mut arguments, pieces)?;
    match shape.to {
        To::Output => {}
        To::Stream(at) => machine.output_stream(call, at)?,
        To::Descriptor(at) => machine.output_descriptor(call, at)?,
        To::Buffer { at, size } => return delivery::begin(machine, turn, call, at, size, &text),
    }
    machine.announce_output(&text);
    machine.give(call, text.len() as u64)
}

/// The place of the first argument to convert.
fn first_place(machine: &mut Machine<'_>, call: Call<'_>, shape: &PrintfForm) -> Result<ArgumentSource, StepEnd> {
    if !shape.list {
        return Ok(ArgumentSource::Call(shape.format + 1));
    }
    Ok(ArgumentSource::List(VariableArguments::of(machine, call, shape.format + 1)?))
}

/// Decides whether the call may read the text that it prints. If others may be writing that, it needs its
/// turn. The result is `None` if the call waits, and `Some(true)` if it has had its turn.
fn may_read(
    machine: &mut Machine<'_>,
    turn: &mut VisibleSlot,
    arguments: &Arguments<'_>,
    format: usize,
) -> Result<Option<bool>, StepEnd> {
    let site = arguments.call.site;
    let values = site.args.iter().zip(&site.widths).skip(format).filter(|&(_, &width)| width == 64);
    let values = values.map(|(&operand, _)| machine.running.stack.get(machine.program, operand));
    let mut pointers: Vec<u64> = values.filter(|value| value.is_defined()).map(|value| value.bits).collect();
    if let ArgumentSource::List(mut list) = arguments.place {
        while let Ok(target) = machine.target(list.integer(), 8, false) {
            pointers.push(machine.peek(&target).bits as u64);
        }
    }
    for pointer in pointers {
        let is_visible = match machine.target(pointer, 1, false) {
            Ok(target) => machine.is_visible(&target)?,
            Err(StepEnd::Fault(_)) => false,
            Err(other) => return Err(other),
        };
        if is_visible {
            return Ok(machine.may_proceed(turn).then_some(true));
        }
    }
    Ok(Some(false))
}

fn expand(
    machine: &mut Machine<'_>,
    arguments: &mut Arguments<'_>,
    pieces: Vec<Result<Piece, Problem>>,
) -> Result<Vec<u8>, StepEnd> {
    let mut out = Vec::new();
    arguments.number(machine, &pieces)?;
    for piece in pieces {
        match piece {
            Err(Problem::Unknown(message)) => return machine.fault(ViolationKind::FormatMismatch, message),
            Err(Problem::Unsupported(what)) => {
                return Err(StepEnd::Unsupported(format!("{what} in a format of `{}`", arguments.call.name)));
            }
            Ok(Piece::Text(text)) => out.extend(text),
            Ok(Piece::Conversion(mut conversion)) => {
                for star in conversion.take_stars() {
                    let value = arguments.integer(machine, &conversion, star.position, 32)?;
                    conversion.set_star(star, value);
                }
                convert(machine, arguments, &conversion, &mut out)?;
            }
        }
        if out.len() > format::MOST_CONVERTED_BYTES {
            return Err(StepEnd::Limit(Unknown::TextLength));
        }
    }
    Ok(out)
}

fn convert(
    machine: &mut Machine<'_>,
    arguments: &mut Arguments<'_>,
    conversion: &Conversion,
    out: &mut Vec<u8>,
) -> Result<(), StepEnd> {
    let at = conversion.position;
    let argument = match conversion.wanted() {
        Wanted::Integer(width) => Argument::Integer(arguments.integer(machine, conversion, at, width)?),
        Wanted::Pointer => Argument::Integer(arguments.integer(machine, conversion, at, 64)?),
        Wanted::Text => {
            let address = arguments.integer(machine, conversion, at, 64)?;
            let longest = conversion.precision.map_or(u64::MAX, |bytes| bytes as u64);
            Argument::Text(machine.bytes_at(address, longest)?)
        }
        Wanted::Double => {
            let [bits, _] = arguments.float(machine, conversion, at, 64)?;
            let (negative, real) = decimal::double(bits);
            Argument::Float(negative, real)
        }
        Wanted::LongDouble => {
            let [mantissa, high] = arguments.float(machine, conversion, at, 80)?;
            let (negative, real) = decimal::extended(mantissa, high);
            Argument::Float(negative, real)
        }
        Wanted::Count(bytes) => {
            let address = arguments.integer(machine, conversion, at, 64)?;
            let target = machine.target(address, bytes.into(), true)?;
            let count = out.len() as u64 & crate::ir::value::mask(u32::from(bytes) * 8);
            machine.library_store(&target, Bytes::defined(count.into()));
            return Ok(());
        }
    };
    if conversion.is_too_long() {
        return Err(StepEnd::Limit(Unknown::TextLength));
    }
    out.extend(conversion.apply(&argument));
    Ok(())
}

impl Arguments<'_> {
    /// Takes all arguments of a format that numbers them (POSIX, `fprintf`: `%n$`).
    fn number(&mut self, machine: &mut Machine<'_>, pieces: &[Result<Piece, Problem>]) -> Result<(), StepEnd> {
        let Some(conversions) = numbered::in_order(pieces) else { return Ok(()) };
        let conversions = match conversions {
            Ok(conversions) => conversions,
            Err(message) => return machine.fault(ViolationKind::FormatMismatch, message),
        };
        for (conversion, wanted) in conversions {
            let words = match wanted {
                Wanted::Double => self.float(machine, conversion, None, 64)?,
                Wanted::LongDouble => self.float(machine, conversion, None, 80)?,
                wanted => [self.integer(machine, conversion, None, wanted.bits())?, 0],
            };
            self.numbered.push(words);
        }
        Ok(())
    }

    /// The argument number `position`, or the next one: an integer of `width` bits.
    fn integer(
        &mut self,
        machine: &mut Machine<'_>,
        conversion: &Conversion,
        position: Option<usize>,
        width: u8,
    ) -> Result<u64, StepEnd> {
        if let Some(position) = position {
            return Ok(self.numbered[position - 1][0]);
        }
        self.taken += 1;
        match &mut self.place {
            ArgumentSource::Call(next) => {
                let at = *next;
                *next += 1;
                match self.call.site.widths.get(at) {
                    None => self.missing(machine, conversion),
                    Some(&given) if given == width => machine.argument(self.call, at),
                    Some(&given) if given & FLOAT != 0 => {
                        self.mismatch(machine, conversion, "is given a floating-point number")
                    }
                    Some(&given) => {
                        self.mismatch(machine, conversion, &format!("expects {width} bits and is given {given}"))
                    }
                }
            }
            ArgumentSource::List(list) => {
                let at = list.integer();
                let Some(value) = self.word(machine, at)? else {
                    return self.mismatch(machine, conversion, "is not given as an integer or a pointer");
                };
                let (low, high) = (value.undef as u32, (value.undef >> 32) as u32);
                match (width, low, high) {
                    (64, 0, 0) => Ok(value.bits as u64),
                    (64, 0, _) => self.mismatch(machine, conversion, "expects 64 bits and is given 32"),
                    (_, 0, u32::MAX) => Ok(u64::from(value.bits as u32)),
                    (_, 0, _) => self.mismatch(machine, conversion, "expects 32 bits and is given 64"),
                    _ => self.uninitialised(machine, conversion),
                }
            }
        }
    }

    /// The argument number `position`, or the next one: a floating-point number of `width` bits, in words.
    fn float(
        &mut self,
        machine: &mut Machine<'_>,
        conversion: &Conversion,
        position: Option<usize>,
        width: u8,
    ) -> Result<[u64; 2], StepEnd> {
        if let Some(position) = position {
            return Ok(self.numbered[position - 1]);
        }
        self.taken += 1;
        match &mut self.place {
            ArgumentSource::Call(next) => {
                let at = *next;
                *next += if width == 80 { 2 } else { 1 };
                match self.call.site.widths.get(at) {
                    None => self.missing(machine, conversion),
                    Some(&given) if given == width | FLOAT => {
                        let high = if width == 80 { machine.argument(self.call, at + 1)? } else { 0 };
                        Ok([machine.argument(self.call, at)?, high])
                    }
                    Some(&given) if given & FLOAT == 0 => {
                        self.mismatch(machine, conversion, "is given an integer or a pointer")
                    }
                    Some(_) => self.mismatch(machine, conversion, "is given a floating-point number of another size"),
                }
            }
            ArgumentSource::List(list) => {
                let at = list.float(width);
                let low = self.word(machine, at)?;
                let high = if width == 80 { self.word(machine, at + 8)? } else { Some(Bytes::defined(0)) };
                let (Some(low), Some(high)) = (low, high) else {
                    return self.mismatch(machine, conversion, "is not given as a floating-point number");
                };
                match (low.undef as u64, high.undef as u16) {
                    (0, 0) => Ok([low.bits as u64, high.bits as u64]),
                    _ => self.uninitialised(machine, conversion),
                }
            }
        }
    }

    /// Reads the eight bytes at `at` in the memory of a `va_list`, if an argument is there.
    fn word(&self, machine: &mut Machine<'_>, at: u64) -> Result<Option<Bytes>, StepEnd> {
        let value = argument_at(machine, at)?;
        value.into_iter().for_each(|value| machine.announce_number(value));
        Ok(value)
    }

    fn missing<T>(&self, machine: &Machine<'_>, conversion: &Conversion) -> Result<T, StepEnd> {
        self.mismatch(machine, conversion, "is not given")
    }

    fn mismatch<T>(&self, machine: &Machine<'_>, conversion: &Conversion, what: &str) -> Result<T, StepEnd> {
        let message =
            format!("argument {} to print with `{}`, for `{}`, {what}", self.taken, self.call.name, conversion.text);
        machine.fault(ViolationKind::FormatMismatch, message)
    }

    fn uninitialised<T>(&self, machine: &Machine<'_>, conversion: &Conversion) -> Result<T, StepEnd> {
        // The places of a register that is not used and of an uninitialised argument look the same.
        let or_none = if let ArgumentSource::List(_) = self.place { ", or none of its kind is given" } else { "" };
        let (at, name) = (self.taken, self.call.name);
        let message = format!("argument {at} to print with `{name}`, for `{}`{or_none}", conversion.text);
        machine.fault(ViolationKind::UninitialisedArgument, message)
    }
}
