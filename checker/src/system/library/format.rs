//! Format strings of the `printf` family (C11, 7.21.6.1): taken apart, and applied to one argument at a time.
//!
//! Everything is bytes: a C text need not be UTF-8.

use super::decimal::{self, Real, Style};

/// A part of a format string.
#[derive(Debug)]
pub(super) enum Piece {
    /// Copied as it is.
    Text(Vec<u8>),
    /// A conversion of one argument.
    Conversion(Conversion),
}

/// What is wrong with a specification.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// C does not have it: the program's behaviour is undefined.
    Unknown(String),
    /// C, POSIX or glibc have it, this version does not.
    Unsupported(String),
}

/// Bytes of a converted argument at most. No object is larger, and C lets an implementation have any limit
/// from 4095 on (7.21.6.1, 15).
pub(super) const LONGEST: usize = 1 << 25;

/// An argument to convert.
#[derive(Debug)]
pub(super) enum Argument {
    /// An integer or pointer, as it was passed.
    Integer(u64),
    /// A `double` or `long double`: whether it is negative, and its magnitude.
    Float(bool, Real),
    /// The text a `%s` points to.
    Text(Vec<u8>),
}

/// What kind of argument a conversion takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// An integer of 32 or 64 bits.
    Integer(u8),
    /// A pointer to what is printed.
    Pointer,
    /// A pointer to a text.
    Text,
    /// A pointer to an integer of so many bytes, which is told how much was printed.
    Count(u8),
    Double,
    LongDouble,
}

impl Wanted {
    /// Bits of an integer or a pointer.
    pub(super) const fn bits(self) -> u8 {
        match self {
            Self::Integer(bits) => bits,
            _ => 64,
        }
    }

    /// Whether an argument for this is also one for `other`: they differ at most in what a pointer points to.
    pub(super) fn is_like(self, other: Self) -> bool {
        let is_float = |wanted| matches!(wanted, Self::Double | Self::LongDouble);
        self == other || !is_float(self) && !is_float(other) && self.bits() == other.bits()
    }
}

/// A conversion specification.
#[derive(Clone, Debug, Default)]
pub(super) struct Conversion {
    /// As written.
    pub text: String,
    /// The conversion character.
    kind: u8,
    flags: String,
    field: Option<usize>,
    /// Of the text, the largest number of bytes; of an integer, the least number of digits.
    pub precision: Option<usize>,
    /// Bits of an integer.
    bits: u32,
    long_double: bool,
    stars: Vec<Star>,
    /// The argument it converts, from 1, if it says so (`%2$d`).
    pub position: Option<usize>,
}

/// A `*` in a specification.
#[derive(Clone, Copy, Debug)]
pub(super) struct Star {
    of: Number,
    /// The argument it stands for, from 1, if it says so (`*2$`).
    pub position: Option<usize>,
}

/// A number that an argument may give.
#[derive(Clone, Copy, Debug)]
enum Number {
    Field,
    Precision,
}

/// The length modifiers, and the bits of an integer with each.
const LENGTHS: [(&str, u32); 9] =
    [("hh", 8), ("h", 16), ("", 32), ("ll", 64), ("l", 64), ("q", 64), ("j", 64), ("z", 64), ("t", 64)];

/// Takes `N$` from the beginning of a text. `None`: there is no argument of this number.
fn position(text: &str) -> Option<(Option<usize>, &str)> {
    match text.split_once('$') {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().filter(|&number| number > 0).map(|number| (Some(number), rest))
        }
        _ => Some((None, text)),
    }
}

/// Splits a format string.
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
        let modifier = |byte: &u8| byte.is_ascii_alphabetic() && !b"hlqjztL".contains(byte);
        let Some(end) = rest.iter().position(modifier) else {
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
    /// Reads a specification, from `%` to the conversion character.
    fn parse(text: &str) -> Result<Self, Problem> {
        let unknown = || Problem::Unknown(format!("C has no conversion `{text}`"));
        let unsupported = || Problem::Unsupported(format!("the conversion `{text}`"));
        if text.contains(['\'', 'I']) || text.ends_with(['m', 'C', 'S']) {
            return Err(unsupported());
        }
        let mut result = Self { text: text.to_owned(), bits: 32, ..Self::default() };
        let (body, kind) = text[1..].split_at(text.len() - 2);
        result.kind = kind.as_bytes()[0];
        let (position, body) = position(body).ok_or_else(unknown)?;
        result.position = position;
        let after_flags = body.trim_start_matches(['-', '+', ' ', '0', '#']);
        result.flags = body[..body.len() - after_flags.len()].to_owned();
        let modifiers = after_flags.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after_flags.len());
        let (numbers, modifier) = after_flags.split_at(modifiers);
        let (field, precision) = numbers.split_once('.').map_or((numbers, None), |(field, rest)| (field, Some(rest)));
        result.field = result.number(field, Number::Field).ok_or_else(unknown)?;
        if let Some(precision) = precision {
            result.precision = result.number(precision, Number::Precision).ok_or_else(unknown)?.or(Some(0));
        }
        // Either all arguments are numbered, or none.
        if result.stars.iter().any(|star| star.position.is_some() != position.is_some()) {
            return Err(unknown());
        }
        result.modify(modifier, &unknown, &unsupported)?;
        Ok(result)
    }

    /// Checks that the length modifier and the conversion go together.
    fn modify(
        &mut self,
        modifier: &str,
        unknown: &dyn Fn() -> Problem,
        unsupported: &dyn Fn() -> Problem,
    ) -> Result<(), Problem> {
        let length = LENGTHS.iter().find(|(name, _)| *name == modifier).map(|&(_, bits)| bits);
        match self.kind {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n' => self.bits = length.ok_or_else(unknown)?,
            b'c' | b's' if modifier == "l" => return Err(unsupported()),
            b'c' | b's' | b'p' if modifier.is_empty() => {}
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => match modifier {
                "" | "l" => {}
                "L" => self.long_double = true,
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        }
        Ok(())
    }

    fn number(&mut self, text: &str, of: Number) -> Option<Option<usize>> {
        if let Some(place) = text.strip_prefix('*') {
            let (position, rest) = position(place)?;
            self.stars.push(Star { of, position });
            return rest.is_empty().then_some(None);
        }
        match text {
            "" => Some(None),
            // What no machine can count to is too long anyway.
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => Some(Some(text.parse().unwrap_or(usize::MAX))),
            _ => None,
        }
    }

    /// The `*`s of the specification.
    pub(super) fn stars(&self) -> &[Star] {
        &self.stars
    }

    /// The `*`s whose values must be given first.
    pub(super) fn take_stars(&mut self) -> Vec<Star> {
        std::mem::take(&mut self.stars)
    }

    /// Gives a `*` its value, an `int`.
    pub(super) fn set_star(&mut self, star: Star, value: u64) {
        let value = i64::from(value as u32 as i32);
        match star.of {
            Number::Field => {
                if value < 0 {
                    self.flags.push('-');
                }
                self.field = usize::try_from(value.unsigned_abs()).ok();
            }
            // A negative precision is as if it were missing.
            Number::Precision => self.precision = usize::try_from(value).ok(),
        }
    }

    /// The argument it takes.
    pub(super) const fn wanted(&self) -> Wanted {
        match self.kind {
            b's' => Wanted::Text,
            b'p' => Wanted::Pointer,
            b'n' => Wanted::Count((self.bits / 8) as u8),
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' => Wanted::Integer(if self.bits == 64 { 64 } else { 32 }),
            _ if self.long_double => Wanted::LongDouble,
            _ => Wanted::Double,
        }
    }

    fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Whether the field or the precision asks for more than [`LONGEST`] bytes. The precision of a text is no
    /// such number: it only cuts.
    pub(super) fn is_too_long(&self) -> bool {
        let digits = self.precision.filter(|_| self.kind != b's' && self.kind != b'c').unwrap_or(0);
        self.field.unwrap_or(0).max(digits) > LONGEST
    }

    /// The converted argument. It must not be too long.
    pub(super) fn apply(&self, argument: &Argument) -> Vec<u8> {
        let mut zero = self.has('0') && !self.has('-') && !b"scp".contains(&self.kind);
        let (sign, digits) = match argument {
            Argument::Text(text) => ("", text[..text.len().min(self.precision.unwrap_or(usize::MAX))].to_vec()),
            Argument::Float(negative, real) => {
                zero &= matches!(real, Real::Finite { .. });
                (self.sign(*negative), self.float(*real).into_bytes())
            }
            Argument::Integer(value) => {
                zero &= self.precision.is_none();
                self.integer(*value)
            }
        };
        // The prefix `0x` of a number stands before the zeros that fill the field, as a sign does.
        let prefix = if zero && digits.starts_with(b"0x") | digits.starts_with(b"0X") { 2 } else { 0 };
        let padding = self.field.unwrap_or(0).saturating_sub(sign.len() + digits.len());
        let fill = |byte: u8, count: usize| vec![byte; count];
        if self.has('-') {
            [sign.as_bytes(), &digits, &fill(b' ', padding)].concat()
        } else if zero {
            [sign.as_bytes(), &digits[..prefix], &fill(b'0', padding), &digits[prefix..]].concat()
        } else {
            [&fill(b' ', padding), sign.as_bytes(), &digits].concat()
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.has('+'), self.has(' ')) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    /// Sign and digits, a prefix included.
    fn integer(&self, value: u64) -> (&'static str, Vec<u8>) {
        let cut = value & crate::ir::value::mask(self.bits);
        let number = crate::ir::value::signed(cut, self.bits);
        let prefix = |text: &'static str| if self.has('#') && cut != 0 { text } else { "" };
        let (sign, prefix, digits) = match self.kind {
            b'c' => return ("", vec![value as u8]),
            b'p' if value == 0 => return ("", b"(nil)".to_vec()),
            b'p' => ("", "0x", format!("{value:x}")),
            b'd' | b'i' => (self.sign(number < 0), "", number.unsigned_abs().to_string()),
            b'x' => ("", prefix("0x"), format!("{cut:x}")),
            b'X' => ("", prefix("0X"), format!("{cut:X}")),
            b'o' => ("", "", format!("{cut:o}")),
            _ => ("", "", cut.to_string()),
        };
        let digits = if cut == 0 && self.precision == Some(0) && self.kind != b'p' { String::new() } else { digits };
        let missing = self.precision.unwrap_or(1).saturating_sub(digits.len());
        let digits = format!("{}{digits}", "0".repeat(missing));
        let octal = self.kind == b'o' && self.has('#') && !digits.starts_with('0');
        (sign, format!("{prefix}{}{digits}", if octal { "0" } else { "" }).into_bytes())
    }

    fn float(&self, real: Real) -> String {
        let kind = self.kind.to_ascii_lowercase();
        let text = decimal::text(real, Style { kind, precision: self.precision, alternate: self.has('#') });
        if self.kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
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
    fn what_cannot_be_converted_is_named() {
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
