//! Format strings of the `printf` family (C11, 7.21.6.1): parsing, and conversion of one argument at a time.
//!
//! A format string consists of text and of conversion specifications, such as `%-8.3lf`:
//!
//! ```text
//! % [position$] [flags] [width] [.precision] [length modifier] letter
//! ```
//!
//! `printf.rs` fetches the arguments. Text is bytes here: a C string need not be UTF-8.

use super::decimal::{self, Real, Style};
use crate::ir::value::{mask, signed};

/// A part of a format string.
#[derive(Debug)]
pub(super) enum Piece {
    /// Text that is printed unchanged.
    Text(Vec<u8>),
    /// A specification that converts one argument.
    Conversion(Conversion),
}

/// The problems that a specification can have.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// C does not define the specification, so the program's behaviour is undefined.
    Unknown(String),
    /// C, POSIX or glibc define the specification, and this file does not implement it.
    Unsupported(String),
}

/// The maximal size of a converted argument in bytes. No object is larger. C allows an implementation any
/// limit of at least 4095 bytes (7.21.6.1, 15).
pub(super) const MOST_CONVERTED_BYTES: usize = 1 << 25;

/// The value of an argument to convert.
#[derive(Debug)]
pub(super) enum Argument {
    /// An integer or pointer, as it was passed.
    Integer(u64),
    /// A `double` or `long double`: true for a negative number, and the magnitude.
    Float(bool, Real),
    /// The text that the argument of a `%s` points to.
    Text(Vec<u8>),
}

/// The type of argument that a conversion wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// An integer that is passed with this number of bits, 32 or 64.
    Integer(u8),
    /// A pointer whose value is printed (`%p`).
    Pointer,
    /// A pointer to text (`%s`).
    Text,
    /// A pointer to an integer with this number of bytes, which receives the number of bytes printed so far
    /// (`%n`).
    Count(u8),
    Double,
    LongDouble,
}

impl Wanted {
    /// The number of bits with which an integer or a pointer is passed.
    pub(super) const fn bits(self) -> u8 {
        match self {
            Self::Integer(bits) => bits,
            _ => 64,
        }
    }

    /// True if the same argument can be converted both ways: the types are equal, or both are integers or
    /// pointers of the same size.
    pub(super) fn is_like(self, other: Self) -> bool {
        let is_float = |wanted| matches!(wanted, Self::Double | Self::LongDouble);
        self == other || !is_float(self) && !is_float(other) && self.bits() == other.bits()
    }
}

/// A conversion specification.
#[derive(Clone, Debug, Default)]
pub(super) struct Conversion {
    /// The specification as it is written.
    pub text: String,
    /// The letter at the end, which says how the argument is converted.
    letter: u8,
    flags: String,
    /// The minimal number of bytes, if there is one. Shorter texts are padded.
    width: Option<usize>,
    /// The maximal number of bytes of a text, the minimal number of digits of an integer, or the number of
    /// digits of a floating-point number.
    pub precision: Option<usize>,
    /// The number of bits of an integer, which the length modifier gives.
    bits: u32,
    long_double: bool,
    /// The `*`s that stand for arguments not fetched yet.
    stars: Vec<Star>,
    /// The number of the argument to convert, from 1, if the specification gives it (`%2$d`).
    pub position: Option<usize>,
}

/// A `*` in a specification: an argument gives the number in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Star {
    place: NumberPlace,
    /// The number of that argument, from 1, if the specification gives it (`*2$`).
    pub position: Option<usize>,
}

/// The places in a specification where a number, or a `*` for it, can be.
#[derive(Clone, Copy, Debug)]
enum NumberPlace {
    Width,
    Precision,
}

/// The reasons to refuse a specification.
enum Refusal {
    /// C does not define it.
    Malformed,
    /// It is not implemented.
    Unsupported,
}

/// The length modifiers, and the number of bits of an integer with each.
const LENGTHS: [(&str, u32); 9] =
    [("hh", 8), ("h", 16), ("", 32), ("ll", 64), ("l", 64), ("q", 64), ("j", 64), ("z", 64), ("t", 64)];

/// Splits an argument number `N$`, if there is one, from the beginning of a text. Returns the number and the
/// rest of the text.
fn split_position(text: &str) -> Result<(Option<usize>, &str), Refusal> {
    match text.split_once('$') {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let number = digits.parse().ok().filter(|&number| number > 0).ok_or(Refusal::Malformed)?;
            Ok((Some(number), rest))
        }
        _ => Ok((None, text)),
    }
}

/// Splits a format string into its pieces. A specification with a problem is an error in its place.
pub(super) fn parse(pattern: &[u8]) -> Vec<Result<Piece, Problem>> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        if at > 0 {
            pieces.push(Ok(Piece::Text(rest[..at].to_vec())));
        }
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(b"%%") {
            pieces.push(Ok(Piece::Text(b"%".to_vec())));
            rest = after;
            continue;
        }
        let is_conversion_letter = |byte: &u8| byte.is_ascii_alphabetic() && !b"hlqjztL".contains(byte);
        let Some(end) = rest.iter().position(is_conversion_letter) else {
            let text = String::from_utf8_lossy(rest);
            pieces.push(Err(Problem::Unknown(format!("the format `{text}` has no conversion"))));
            return pieces;
        };
        let text = String::from_utf8_lossy(&rest[..=end]);
        pieces.push(Conversion::parse(&text).map(Piece::Conversion));
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Ok(Piece::Text(rest.to_vec())));
    }
    pieces
}

impl Conversion {
    /// Parses a specification, from `%` to the letter.
    fn parse(text: &str) -> Result<Self, Problem> {
        Self::parse_parts(text).map_err(|refusal| match refusal {
            Refusal::Malformed => Problem::Unknown(format!("C has no conversion `{text}`")),
            Refusal::Unsupported => Problem::Unsupported(format!("the conversion `{text}`")),
        })
    }

    fn parse_parts(text: &str) -> Result<Self, Refusal> {
        if text.contains(['\'', 'I']) || text.ends_with(['m', 'C', 'S']) {
            return Err(Refusal::Unsupported);
        }
        let (parts, letter) = text[1..].split_at(text.len() - 2);
        let (position, parts) = split_position(parts)?;
        let after_flags = parts.trim_start_matches(['-', '+', ' ', '0', '#']);
        let flags = parts[..parts.len() - after_flags.len()].to_owned();
        let modifier_at = after_flags.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after_flags.len());
        let (numbers, modifier) = after_flags.split_at(modifier_at);
        let (width, precision) = match numbers.split_once('.') {
            Some((width, precision)) => (width, Some(precision)),
            None => (numbers, None),
        };
        let (text, letter) = (text.to_owned(), letter.as_bytes()[0]);
        let mut conversion = Self { text, letter, flags, position, bits: 32, ..Self::default() };
        conversion.width = conversion.parse_number(width, NumberPlace::Width)?;
        if let Some(precision) = precision {
            // A `.` without a number is a precision of 0.
            conversion.precision = conversion.parse_number(precision, NumberPlace::Precision)?.or(Some(0));
        }
        // Either all arguments are numbered, or none is.
        if conversion.stars.iter().any(|star| star.position.is_some() != position.is_some()) {
            return Err(Refusal::Malformed);
        }
        conversion.apply_length_modifier(modifier)?;
        Ok(conversion)
    }

    /// Sets the size of the argument by the length modifier. The result is an error if the letter is unknown,
    /// or takes no such modifier.
    fn apply_length_modifier(&mut self, modifier: &str) -> Result<(), Refusal> {
        let bits = LENGTHS.iter().find(|(name, _)| *name == modifier).map(|&(_, bits)| bits);
        match self.letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n' => self.bits = bits.ok_or(Refusal::Malformed)?,
            // Wide characters.
            b'c' | b's' if modifier == "l" => return Err(Refusal::Unsupported),
            b'c' | b's' | b'p' if modifier.is_empty() => {}
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => match modifier {
                "" | "l" => {}
                "L" => self.long_double = true,
                _ => return Err(Refusal::Malformed),
            },
            _ => return Err(Refusal::Malformed),
        }
        Ok(())
    }

    /// Parses a width or a precision: digits, nothing, or a `*`, which is added to the stars. The result is
    /// `None` if there are no digits.
    fn parse_number(&mut self, text: &str, place: NumberPlace) -> Result<Option<usize>, Refusal> {
        if let Some(after_star) = text.strip_prefix('*') {
            let (position, rest) = split_position(after_star)?;
            self.stars.push(Star { place, position });
            return if rest.is_empty() { Ok(None) } else { Err(Refusal::Malformed) };
        }
        match text {
            "" => Ok(None),
            // A number that does not fit is larger than every limit, and so is the largest one.
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Some(text.parse().unwrap_or(usize::MAX))),
            _ => Err(Refusal::Malformed),
        }
    }

    /// The `*`s whose arguments were not fetched yet.
    pub(super) fn stars(&self) -> &[Star] {
        &self.stars
    }

    /// Removes and returns the `*`s. Their values must be set before the specification can convert anything.
    pub(super) fn take_stars(&mut self) -> Vec<Star> {
        std::mem::take(&mut self.stars)
    }

    /// Sets the value of a `*`, which is an `int`. A negative width means its magnitude and the flag `-`.
    pub(super) fn set_star(&mut self, star: Star, value: u64) {
        let value = i64::from(value as u32 as i32);
        match star.place {
            NumberPlace::Width => {
                if value < 0 {
                    self.flags.push('-');
                }
                self.width = usize::try_from(value.unsigned_abs()).ok();
            }
            // A negative precision counts as missing.
            NumberPlace::Precision => self.precision = usize::try_from(value).ok(),
        }
    }

    /// The type of argument that the conversion takes.
    pub(super) const fn wanted(&self) -> Wanted {
        match self.letter {
            b's' => Wanted::Text,
            b'p' => Wanted::Pointer,
            b'n' => Wanted::Count((self.bits / 8) as u8),
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' => Wanted::Integer(if self.bits == 64 { 64 } else { 32 }),
            _ if self.long_double => Wanted::LongDouble,
            _ => Wanted::Double,
        }
    }

    /// True if the specification has a flag.
    fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// True if the width or the precision asks for more than [`MOST_CONVERTED_BYTES`] bytes. The precision of
    /// a text never does, since it only truncates.
    pub(super) fn is_too_long(&self) -> bool {
        let digits = self.precision.filter(|_| self.letter != b's' && self.letter != b'c').unwrap_or(0);
        self.width.unwrap_or(0).max(digits) > MOST_CONVERTED_BYTES
    }

    /// Converts an argument. [`Self::is_too_long`] must be false.
    pub(super) fn apply(&self, argument: &Argument) -> Vec<u8> {
        let (sign, body, may_pad_with_zeros) = match argument {
            Argument::Text(text) => {
                let shown = text.len().min(self.precision.unwrap_or(usize::MAX));
                ("", text[..shown].to_vec(), false)
            }
            Argument::Float(negative, real) => {
                (self.sign(*negative), self.float(*real).into_bytes(), matches!(real, Real::Finite { .. }))
            }
            Argument::Integer(value) => {
                let (sign, digits) = self.integer(*value);
                (sign, digits, self.precision.is_none())
            }
        };
        let padding = self.width.unwrap_or(0).saturating_sub(sign.len() + body.len());
        let fill = |byte: u8| vec![byte; padding];
        if self.has('-') {
            [sign.as_bytes(), &body, &fill(b' ')].concat()
        } else if self.has('0') && may_pad_with_zeros && !b"scp".contains(&self.letter) {
            // The zeros come after the sign and after the prefix `0x`.
            let has_prefix = body.starts_with(b"0x") || body.starts_with(b"0X");
            let (prefix, digits) = body.split_at(if has_prefix { 2 } else { 0 });
            [sign.as_bytes(), prefix, &fill(b'0'), digits].concat()
        } else {
            [&fill(b' '), sign.as_bytes(), &body].concat()
        }
    }

    /// The sign that a number is printed with.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.has('+'), self.has(' ')) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    /// The sign of an integer, a character or a pointer, and its digits with their prefix.
    fn integer(&self, value: u64) -> (&'static str, Vec<u8>) {
        let unsigned = value & mask(self.bits);
        let number = signed(unsigned, self.bits);
        let alternate = |prefix: &'static str| if self.has('#') && unsigned != 0 { prefix } else { "" };
        let (sign, prefix, digits) = match self.letter {
            b'c' => return ("", vec![value as u8]),
            b'p' if value == 0 => return ("", b"(nil)".to_vec()),
            b'p' => ("", "0x", format!("{value:x}")),
            b'd' | b'i' => (self.sign(number < 0), "", number.unsigned_abs().to_string()),
            b'x' => ("", alternate("0x"), format!("{unsigned:x}")),
            b'X' => ("", alternate("0X"), format!("{unsigned:X}")),
            b'o' => ("", "", format!("{unsigned:o}")),
            _ => ("", "", unsigned.to_string()),
        };
        // With precision 0 the number 0 has no digits.
        let is_empty = unsigned == 0 && self.precision == Some(0) && self.letter != b'p';
        let digits = if is_empty { String::new() } else { digits };
        let missing = self.precision.unwrap_or(1).saturating_sub(digits.len());
        let digits = format!("{}{digits}", "0".repeat(missing));
        let needs_octal_zero = self.letter == b'o' && self.has('#') && !digits.starts_with('0');
        (sign, format!("{prefix}{}{digits}", if needs_octal_zero { "0" } else { "" }).into_bytes())
    }

    /// The magnitude of a floating-point number.
    fn float(&self, real: Real) -> String {
        let kind = self.letter.to_ascii_lowercase();
        let text = decimal::text(real, Style { kind, precision: self.precision, alternate: self.has('#') });
        if self.letter.is_ascii_uppercase() { text.to_uppercase() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, argument: &Argument, expected: &str) {
        let mut pieces = parse(pattern.as_bytes());
        let Some(Ok(Piece::Conversion(conversion))) = pieces.pop() else { panic!("{pattern}: no conversion") };
        assert_eq!(String::from_utf8_lossy(&conversion.apply(argument)), expected, "{pattern}");
    }

    #[test]
    fn conversions_print_as_c_says() {
        let float = |value: f64| {
            let (negative, real) = decimal::double(value.to_bits());
            Argument::Float(negative, real)
        };
        check("%d", &Argument::Integer(0xFFFF_FFFF), "-1");
        check("%hhd", &Argument::Integer(0x1FF), "-1");
        check("%ld", &Argument::Integer(u64::MAX), "-1");
        check("%5u", &Argument::Integer(7), "    7");
        check("%-5x", &Argument::Integer(255), "ff   ");
        check("%+.3d", &Argument::Integer(7), "+007");
        check("%05d", &Argument::Integer(0xFFFF_FFF9), "-0007");
        check("%#lx", &Argument::Integer(255), "0xff");
        check("%#08x", &Argument::Integer(255), "0x0000ff");
        check("%#o", &Argument::Integer(0), "0");
        check("%.0d", &Argument::Integer(0), "");
        check("%.2s", &Argument::Text(b"abc".to_vec()), "ab");
        check("%05.1f", &float(2.25), "002.2");
        check("%08.2f", &float(-3.12345), "-0003.12");
        check("%6F", &float(f64::INFINITY), "   INF");
        check("%c", &Argument::Integer(120), "x");
        check("%p", &Argument::Integer(0), "(nil)");
    }

    #[test]
    fn malformed_and_unsupported_specifications_are_problems() {
        let problem = |pattern: &str| parse(pattern.as_bytes()).pop().and_then(Result::err);
        assert!(matches!(problem("%y"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("100%"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("%hf"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("%ls"), Some(Problem::Unsupported(_))));
        assert!(matches!(problem("%0$d"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("%1$*d"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("%*1$d"), Some(Problem::Unknown(_))));
        assert!(matches!(problem("%$d"), Some(Problem::Unknown(_))));
    }
}
