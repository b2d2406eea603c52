//! Floating-point numbers as text: the conversions `f`, `e`, `g` and `a` of C11, 7.21.6.1.
//!
//! The value is represented as `mantissa * 2^exponent` and converted with whole numbers, so every digit is
//! exact. The last digit is rounded half to even, as in glibc. This serves both `double` and the 80-bit `long
//! double`.

use num_bigint::BigUint;

/// The magnitude of a number; its sign is printed by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Real {
    /// `mantissa * 2^exponent`.
    Finite {
        mantissa: u64,
        exponent: i32,
        format: Precision,
    },
    Infinite,
    NotANumber,
}

/// The format of a number's representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// `double`: one bit before the point and 52 bits after it.
    Double,
    /// The x87's 80 bits: four bits before the point and 60 after it, as glibc prints them.
    Extended,
}

impl Precision {
    /// The number of hexadecimal digits after the point.
    const fn digits(self) -> usize {
        match self {
            Self::Double => 13,
            Self::Extended => 15,
        }
    }
}

/// The sign and magnitude of a `double`.
pub(super) const fn double(bits: u64) -> (bool, Real) {
    let (field, fraction) = ((bits >> 52) as i32 & 0x7FF, bits & ((1 << 52) - 1));
    let real = match (field, fraction) {
        (0x7FF, 0) => Real::Infinite,
        (0x7FF, _) => Real::NotANumber,
        (0, _) => Real::Finite { mantissa: fraction, exponent: -1074, format: Precision::Double },
        _ => Real::Finite { mantissa: fraction | 1 << 52, exponent: field - 1075, format: Precision::Double },
    };
    (bits >> 63 == 1, real)
}

/// The sign and magnitude of a `long double`, from its mantissa and the word with sign and exponent.
pub(super) const fn extended(mantissa: u64, high: u64) -> (bool, Real) {
    let field = (high & 0x7FFF) as i32;
    let real = match (field, mantissa << 1) {
        (0x7FFF, 0) => Real::Infinite,
        (0x7FFF, _) => Real::NotANumber,
        (0, _) => Real::Finite { mantissa, exponent: -16445, format: Precision::Extended },
        _ => Real::Finite { mantissa, exponent: field - 16446, format: Precision::Extended },
    };
    (high >> 15 & 1 == 1, real)
}

/// The options for the text of a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The letter of the conversion, in lower case.
    pub kind: u8,
    /// The number of digits, if it was given.
    pub precision: Option<usize>,
    /// True if a point without digits after it is kept, and the zeros of `g`.
    pub alternate: bool,
}

/// A number of digits, after the point and in all, after which only zeros follow in every number. The
/// smallest numbers are whole multiples of `2^-16445`.
const MOST_DIGITS: usize = 17_000;

/// The digits of a number, in lower case.
pub(super) fn text(real: Real, style: Style) -> String {
    let Real::Finite { mantissa, exponent, format } = real else {
        return if real == Real::Infinite { "inf" } else { "nan" }.to_owned();
    };
    let all = style.precision.unwrap_or(6);
    let precision = all.min(MOST_DIGITS);
    let zeros = "0".repeat(all - precision);
    match style.kind {
        b'a' => hexadecimal(mantissa, exponent, format, style),
        b'e' => {
            let (digits, power) = scientific(mantissa, exponent, precision);
            with_power(&(digits + &zeros), power, style.alternate)
        }
        b'g' => {
            let text = general(mantissa, exponent, precision.max(1), style.alternate);
            let behind = text.find('e').unwrap_or(text.len());
            if style.alternate { [&text[..behind], &zeros, &text[behind..]].concat() } else { text }
        }
        _ => fixed(mantissa, exponent, precision, style.alternate) + &zeros,
    }
}

/// `mantissa * 2^exponent * 10^power`, rounded half to even.
fn scaled(mantissa: u64, exponent: i32, power: i32) -> BigUint {
    let part = |n: i32| n.max(0).unsigned_abs();
    let ten = |n: i32| BigUint::from(10_u8).pow(part(n));
    let numerator = (BigUint::from(mantissa) << part(exponent)) * ten(power);
    let denominator = (BigUint::from(1_u8) << part(-exponent)) * ten(-power);
    let quotient = &numerator / &denominator;
    let twice = (numerator - &quotient * &denominator) * 2_u8;
    let up = twice > denominator || (twice == denominator && quotient.bit(0));
    quotient + u8::from(up)
}

fn fixed(mantissa: u64, exponent: i32, precision: usize, point: bool) -> String {
    let digits = scaled(mantissa, exponent, small(precision)).to_string();
    let digits = format!("{digits:0>width$}", width = precision + 1);
    pointed(&digits, digits.len() - precision, point)
}

/// The first `precision + 1` digits, and the power of ten of the first.
fn scientific(mantissa: u64, exponent: i32, precision: usize) -> (String, i32) {
    if mantissa == 0 {
        return ("0".repeat(precision + 1), 0);
    }
    let bits = 64 - mantissa.leading_zeros().cast_signed();
    // The logarithm may be one too low, and rounding may carry. Both give one digit too many.
    let mut power = (f64::from(bits - 1 + exponent) * std::f64::consts::LOG10_2).floor() as i32;
    loop {
        let digits = scaled(mantissa, exponent, small(precision) - power).to_string();
        if digits.len() <= precision + 1 {
            return (digits, power);
        }
        power += 1;
    }
}

fn with_power(digits: &str, power: i32, point: bool) -> String {
    let sign = if power < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", pointed(digits, 1, point), power.abs())
}

fn general(mantissa: u64, exponent: i32, precision: usize, alternate: bool) -> String {
    let (digits, power) = scientific(mantissa, exponent, precision - 1);
    let kept = if alternate { &digits[..] } else { digits.trim_end_matches('0') };
    if power < -4 || power >= small(precision) {
        let kept = if kept.is_empty() { "0" } else { kept };
        return with_power(kept, power, alternate);
    }
    let places = usize::try_from(small(precision) - 1 - power).unwrap_or(0);
    let text = fixed(mantissa, exponent, places, alternate);
    if alternate || !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn hexadecimal(mantissa: u64, exponent: i32, format: Precision, style: Style) -> String {
    let places = format.digits();
    let kept = style.precision.unwrap_or(places).min(places);
    // Dropping digits rounds half to even, and may carry into the leading digit.
    let dropped = 4 * (places - kept) as u32;
    let rounded = match dropped {
        0 => mantissa,
        _ => {
            let (quotient, rest) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1));
            let half = 1 << (dropped - 1);
            quotient + u64::from(rest > half || (rest == half && quotient & 1 == 1))
        }
    };
    let digits = format!("{rounded:0>width$x}", width = kept + 1);
    let (lead, fraction) = digits.split_at(digits.len() - kept);
    let fraction = match style.precision {
        Some(precision) => fraction.to_owned() + &"0".repeat(precision.saturating_sub(fraction.len())),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if fraction.is_empty() && !style.alternate { "" } else { "." };
    let power = if mantissa == 0 { 0 } else { exponent + small(4 * places) };
    format!("0x{lead}{point}{fraction}p{power:+}")
}

fn pointed(digits: &str, whole: usize, point: bool) -> String {
    let (whole, fraction) = digits.split_at(whole);
    let point = if fraction.is_empty() && !point { "" } else { "." };
    format!("{whole}{point}{fraction}")
}

fn small(precision: usize) -> i32 {
    i32::try_from(precision).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: u8, precision: Option<usize>, value: f64, expected: &str) {
        let style = Style { kind, precision, alternate: false };
        assert_eq!(text(double(value.to_bits()).1, style), expected);
    }

    #[test]
    fn digits_are_exact_and_rounded_half_to_even() {
        check(b'f', Some(0), 0.5, "0");
        check(b'f', Some(0), 1.5, "2");
        check(b'f', Some(20), 0.1, "0.10000000000000000555");
        check(b'e', Some(3), 9.9996, "1.000e+01");
        check(b'e', None, 12345.678, "1.234568e+04");
        check(b'e', Some(0), 0.0, "0e+00");
        check(b'g', None, 0.0001, "0.0001");
        check(b'g', None, 1e10, "1e+10");
        check(b'g', None, 100_000.0, "100000");
        check(b'g', None, 0.0, "0");
        check(b'a', None, 1.0, "0x1p+0");
        check(b'a', Some(0), 1.5, "0x2p+0");
        check(b'a', Some(2), 3.125, "0x1.90p+1");
        check(b'a', None, 5e-324, "0x0.0000000000001p-1022");
    }

    #[test]
    fn zeros_follow_the_last_digit_of_every_number() {
        let least = f64::from_bits(1);
        for kind in [b'f', b'e', b'a'] {
            let style = |precision| Style { kind, precision: Some(precision), alternate: false };
            let [short, long] = [20_000, 100_000].map(|precision| text(double(least.to_bits()).1, style(precision)));
            assert_eq!(long.len(), short.len() + 80_000);
            assert_eq!(long.replace('0', ""), short.replace('0', ""));
        }
        let style = Style { kind: b'g', precision: Some(70_000), alternate: true };
        assert_eq!(text(double(0.5_f64.to_bits()).1, style).len(), 70_002);
    }

    #[test]
    fn long_doubles_have_all_their_digits() {
        let style = Style { kind: b'f', precision: Some(25), alternate: false };
        // 0.1L
        let (negative, real) = extended(0xCCCC_CCCC_CCCC_CCCD, 0x3FFB);
        assert!(!negative);
        assert_eq!(text(real, style), "0.1000000000000000000013553");
        let style = Style { kind: b'a', precision: None, alternate: false };
        assert_eq!(text(extended(1 << 63, 0x3FFF).1, style), "0x8p-3");
    }
}
