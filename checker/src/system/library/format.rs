//! Format strings of the `printf` family (C11, 7.21.6.1).

/// A part of a format string.
pub(super) enum Piece {
    /// Copied as it is.
    Text(String),
    /// A conversion of one argument.
    Conversion(Conversion),
}

/// An argument to convert.
pub(super) enum Argument {
    /// An integer or pointer, zero-extended.
    Integer(u64),
    /// A `double`.
    Float(f64),
    /// The text a `%s` points to.
    Text(String),
}

/// A conversion specification.
#[derive(Clone, Default)]
pub(super) struct Conversion {
    /// As written.
    pub text: String,
    /// The conversion character.
    pub kind: char,
    flags: String,
    field: Option<usize>,
    precision: Option<usize>,
    bits: u8,
    stars: Vec<Star>,
}

/// A `*` in a specification.
#[derive(Clone, Copy)]
pub(super) enum Star {
    Field,
    Precision,
}

/// Splits a format string; a specification that C does not have is an error in words.
pub(super) fn parse(pattern: &str) -> Vec<Result<Piece, String>> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        if at > 0 {
            pieces.push(Ok(Piece::Text(rest[..at].to_owned())));
        }
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("%%") {
            pieces.push(Ok(Piece::Text("%".to_owned())));
            rest = after;
            continue;
        }
        let len = rest[1..].find(|c: char| c.is_ascii_alphabetic() && !"hlqjzt".contains(c)).map(|at| at + 2);
        let Some(len) = len else {
            pieces.push(Err(format!("the format `{rest}` has no conversion")));
            return pieces;
        };
        pieces.push(Conversion::parse(&rest[..len]).map(Piece::Conversion));
        rest = &rest[len..];
    }
    if !rest.is_empty() {
        pieces.push(Ok(Piece::Text(rest.to_owned())));
    }
    pieces
}

impl Conversion {
    fn parse(text: &str) -> Result<Self, String> {
        let unknown = || format!("unknown conversion `{text}`");
        let mut result = Self { text: text.to_owned(), ..Self::default() };
        let mut body = &text[1..text.len() - 1];
        result.kind = text.chars().last().ok_or_else(unknown)?;
        let flags = body.len() - body.trim_start_matches(['-', '+', ' ', '0', '#']).len();
        result.flags = body[..flags].to_owned();
        body = &body[flags..];
        let modifiers = body.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(body.len());
        let (numbers, modifier) = body.split_at(modifiers);
        let (field, precision) = numbers.split_once('.').map_or((numbers, None), |(field, rest)| (field, Some(rest)));
        result.field = result.number(field, Star::Field).map_err(|()| unknown())?;
        if let Some(precision) = precision {
            result.precision = result.number(precision, Star::Precision).map_err(|()| unknown())?.or(Some(0));
        }
        result.bits = match modifier {
            "" | "h" | "hh" => 32,
            "l" | "ll" | "q" | "j" | "z" | "t" => 64,
            _ => return Err(unknown()),
        };
        if "diuxXocspfFeEgGaA".contains(result.kind) { Ok(result) } else { Err(unknown()) }
    }

    fn number(&mut self, text: &str, star: Star) -> Result<Option<usize>, ()> {
        match text {
            "" => Ok(None),
            "*" => {
                self.stars.push(star);
                Ok(None)
            }
            _ => text.parse().map(Some).map_err(|_| ()),
        }
    }

    /// The `*`s whose values must be given first.
    pub(super) fn take_stars(&mut self) -> Vec<Star> {
        std::mem::take(&mut self.stars)
    }

    /// Gives a `*` its value.
    pub(super) fn set_star(&mut self, star: Star, value: u64) {
        let value = i64::from(value as u32 as i32);
        match star {
            Star::Field => {
                if value < 0 {
                    self.flags.push('-');
                }
                self.field = usize::try_from(value.unsigned_abs()).ok();
            }
            Star::Precision => self.precision = usize::try_from(value).ok(),
        }
    }

    /// Whether the argument is a `double`.
    pub(super) fn is_float(&self) -> bool {
        "fFeEgGaA".contains(self.kind)
    }

    /// Bits of an integer argument.
    pub(super) fn width(&self) -> u8 {
        if matches!(self.kind, 's' | 'p') { 64 } else { self.bits }
    }

    /// The converted argument.
    pub(super) fn apply(&self, argument: &Argument) -> String {
        let (sign, digits) = match argument {
            Argument::Text(text) => (String::new(), text.chars().take(self.precision.unwrap_or(usize::MAX)).collect()),
            Argument::Float(value) => (self.sign(value.is_sign_negative()), self.float(value.abs())),
            Argument::Integer(value) => self.integer(*value),
        };
        let padding = self.field.unwrap_or(0).saturating_sub(sign.len() + digits.chars().count());
        let zero =
            self.flags.contains('0') && !"sc".contains(self.kind) && (self.is_float() || self.precision.is_none());
        if self.flags.contains('-') {
            format!("{sign}{digits}{}", " ".repeat(padding))
        } else if zero {
            format!("{sign}{}{digits}", "0".repeat(padding))
        } else {
            format!("{}{sign}{digits}", " ".repeat(padding))
        }
    }

    fn sign(&self, negative: bool) -> String {
        let sign = match (negative, self.flags.contains('+'), self.flags.contains(' ')) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        };
        sign.to_owned()
    }

    fn integer(&self, value: u64) -> (String, String) {
        let number = crate::ir::value::signed(value, u32::from(self.bits));
        let prefix = |text: &str| if self.flags.contains('#') && value != 0 { text.to_owned() } else { String::new() };
        let (sign, digits) = match self.kind {
            'd' | 'i' => (self.sign(number < 0), number.unsigned_abs().to_string()),
            'u' => (String::new(), value.to_string()),
            'x' => (prefix("0x"), format!("{value:x}")),
            'X' => (prefix("0X"), format!("{value:X}")),
            'o' => (prefix("0"), format!("{value:o}")),
            'p' => ("0x".to_owned(), format!("{value:x}")),
            _ => return (String::new(), char::from(value as u8).to_string()),
        };
        let missing = self.precision.unwrap_or(1).saturating_sub(digits.len());
        (sign, format!("{}{digits}", "0".repeat(missing)))
    }

    fn float(&self, value: f64) -> String {
        if !value.is_finite() {
            return if value.is_nan() { "nan" } else { "inf" }.to_owned();
        }
        let precision = self.precision.unwrap_or(6);
        let text = match self.kind.to_ascii_lowercase() {
            'e' => exponent(value, precision),
            'g' => shortest(value, precision.max(1), self.flags.contains('#')),
            'a' => format!("{:#x}", value.to_bits()),
            _ => format!("{value:.precision$}"),
        };
        if self.kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
    }
}

/// `d.ddde±dd`, with at least two digits in the exponent.
fn exponent(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// `%g`: the shorter style for the value's magnitude, without trailing zeros unless asked for.
fn shortest(value: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponent(value, precision - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let digits = i32::try_from(precision).unwrap_or(i32::MAX);
    let trim = |text: &str| {
        if keep_zeros || !text.contains('.') { text } else { text.trim_end_matches('0').trim_end_matches('.') }
            .to_owned()
    };
    if power < -4 || power >= digits {
        let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        return format!("{}e{power}", trim(mantissa));
    }
    let places = usize::try_from(digits - 1 - power).unwrap_or(0);
    trim(&format!("{value:.places$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, argument: &Argument, expected: &str) {
        let mut pieces = parse(pattern);
        let Some(Ok(Piece::Conversion(conversion))) = pieces.pop() else { panic!("one conversion in {pattern}") };
        assert_eq!(conversion.apply(argument), expected, "{pattern}");
    }

    #[test]
    fn converts_like_c() {
        check("%d", &Argument::Integer(0xFFFF_FFFF), "-1");
        check("%5d", &Argument::Integer(42), "   42");
        check("%-5d", &Argument::Integer(42), "42   ");
        check("%+.3d", &Argument::Integer(7), "+007");
        check("%05d", &Argument::Integer(0xFFFF_FFF9), "-0007");
        check("%#lx", &Argument::Integer(255), "0xff");
        check("%.2s", &Argument::Text("abc".to_owned()), "ab");
        check("%05.1f", &Argument::Float(2.25), "002.2");
        check("%e", &Argument::Float(12345.678), "1.234568e+04");
        check("%g", &Argument::Float(0.0001), "0.0001");
        check("%g", &Argument::Float(1e10), "1e+10");
        check("%c", &Argument::Integer(120), "x");
    }

    #[test]
    fn unknown_conversions_are_errors() {
        assert!(parse("%y").pop().is_some_and(|piece| piece.is_err()));
        assert!(parse("100%").pop().is_some_and(|piece| piece.is_err()));
    }
}
