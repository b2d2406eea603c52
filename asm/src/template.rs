//! The template of inline assembly, split into instructions in AT&T syntax.

use super::intel;
use super::operands::{self, Register};

/// One instruction; prefixes are folded into it.
#[derive(Debug)]
pub struct Instruction {
    pub locked: bool,
    pub name: String,
    pub tokens: Vec<Token>,
}

/// An operand as it is written. Widths are in bytes, if the operand has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `$0`, or `${0:b}` with its width.
    Operand { number: usize, width: Option<u64> },
    /// `8($0)`: memory at the address in an operand plus this many bytes.
    Indirect { number: usize, offset: i64 },
    /// `$$1`.
    Immediate(i64),
    /// `%eax` or another size of the registers that constraints can name; CK writes `% eax`.
    Register { register: Register, width: u64 },
    /// `-8(%rsp)`: memory near the top of the stack.
    Stack,
}

impl Token {
    /// The width with which a register is written.
    pub fn width(&self) -> Option<u64> {
        match *self {
            Token::Operand { width, .. } => width,
            Token::Register { width, .. } => Some(width),
            Token::Indirect { .. } | Token::Immediate(_) | Token::Stack => None,
        }
    }
}

/// Splits `ptr asm flags "template", "constraints"` as LLVM prints it; the template is returned without its
/// escapes.
pub fn split(printed: &str) -> Option<(&str, String, &str)> {
    let (flags, rest) = printed.split_once("asm ").map(|(_, rest)| rest)?.split_once('"')?;
    let (template, rest) = rest.split_once("\", \"")?;
    Some((flags, unescape(template)?, rest.strip_suffix('"')?))
}

/// Undoes LLVM's `\XX` escapes.
fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('\\');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let code = u8::from_str_radix(part.get(..2)?, 16).ok()?;
        plain.push(char::from(code));
        plain.push_str(&part[2..]);
    }
    Some(plain)
}

/// The syntaxes of instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Att,
    Intel,
}

/// The instructions of a template. `None` if an operand has a form that is not understood.
pub fn instructions(template: &str, syntax: Syntax) -> Option<Vec<Instruction>> {
    let mut instructions = Vec::new();
    let mut prefixes = Vec::new();
    for statement in statements(template) {
        let mut words = statement;
        while let Some((prefix, rest)) = prefix(words) {
            prefixes.push(prefix);
            words = rest;
        }
        if words.is_empty() {
            continue;
        }
        let prefixes = std::mem::take(&mut prefixes);
        instructions.push(match syntax {
            Syntax::Att => instruction(&prefixes, words)?,
            Syntax::Intel => instruction(&prefixes, &intel::translate(words)?)?,
        });
    }
    prefixes.is_empty().then_some(instructions)
}

/// The statements of a template, without labels and without the content of other sections: Linux records the
/// places of its locks there.
fn statements(template: &str) -> impl Iterator<Item = &str> {
    let mut elsewhere = false;
    template.split([';', '\n']).filter_map(move |statement| {
        let statement = statement.trim();
        if statement.starts_with(".pushsection") {
            elsewhere = true;
        } else if statement.starts_with(".popsection") {
            elsewhere = false;
        } else if !elsewhere {
            let label = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
            return Some(match statement.split_once(':') {
                Some((name, rest)) if label(name) => rest.trim(),
                _ => statement,
            });
        }
        None
    })
}

fn prefix(words: &str) -> Option<(&str, &str)> {
    let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    matches!(first, "lock" | "rep").then_some((first, rest.trim_start()))
}

fn instruction(prefixes: &[&str], words: &str) -> Option<Instruction> {
    let (name, operands) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    // `rep; nop` is the old spelling of `pause`; with any other instruction `rep` would be a loop.
    if prefixes.contains(&"rep") && name != "nop" {
        return None;
    }
    let tokens = operands.split(',').map(str::trim).filter(|one| !one.is_empty());
    Some(Instruction {
        locked: prefixes.contains(&"lock"),
        name: name.to_owned(),
        tokens: tokens.map(token).collect::<Option<_>>()?,
    })
}

fn token(text: &str) -> Option<Token> {
    if let Some(immediate) = text.strip_prefix("$$") {
        return number(immediate).map(Token::Immediate);
    }
    if let Some(reference) = text.strip_prefix('$') {
        let (number, width) = operand(reference)?;
        return Some(Token::Operand { number, width });
    }
    if let Some(name) = text.strip_prefix('%') {
        let (register, width) = operands::register_named(name.trim())?;
        return Some(Token::Register { register, width });
    }
    let (offset, base) = text.strip_suffix(')')?.split_once('(')?;
    let offset = if offset.is_empty() { 0 } else { number(offset)? };
    match base.trim() {
        "%rsp" | "%esp" => Some(Token::Stack),
        reference => match operand(reference.strip_prefix('$')?)? {
            (number, None | Some(8)) => Some(Token::Indirect { number, offset }),
            _ => None,
        },
    }
}

/// `0`, `{0}` or `{0:b}`: the number of an operand and the width of its modifier.
fn operand(text: &str) -> Option<(usize, Option<u64>)> {
    let inner = match text.strip_prefix('{') {
        Some(rest) => rest.strip_suffix('}')?,
        None => text,
    };
    let Some((number, modifier)) = inner.split_once(':') else {
        return Some((inner.parse().ok()?, None));
    };
    let width = match modifier {
        "b" => 1,
        "w" => 2,
        "k" => 4,
        "q" => 8,
        _ => return None,
    };
    Some((number.parse().ok()?, Some(width)))
}

fn number(text: &str) -> Option<i64> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(rest) => (rest, -1),
        None => (text, 1),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    };
    value.ok()?.checked_mul(sign)
}

/// Splits a size suffix off `name`, one of `names` with or without it: `xaddl` is `xadd` of 4 bytes.
pub fn mnemonic(name: &str, names: &[&'static str]) -> Option<(&'static str, Option<u64>)> {
    let find = |name: &str| names.iter().copied().find(|&one| one == name);
    if let Some(found) = find(name) {
        return Some((found, None));
    }
    let width = match name.as_bytes().last()? {
        b'b' => 1,
        b'w' => 2,
        b'l' => 4,
        b'q' => 8,
        _ => return None,
    };
    // The suffix is one ASCII character.
    Some((find(&name[..name.len() - 1])?, Some(width)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_assembly_has_three_parts() {
        let (flags, template, constraints) = split(r#"void asm sideeffect "a\0A\22b\22", "r,~{cc}""#).expect("parts");
        assert_eq!((flags, template.as_str(), constraints), ("sideeffect ", "a\n\"b\"", "r,~{cc}"));
        for broken in [r#"asm "a", "r"#, r#"asm "a""#, r#""a", "r""#, r#"asm "\zz", "r""#, r#"asm "\0", "r""#] {
            assert_eq!(split(broken), None, "{broken}");
        }
    }

    #[test]
    fn operands_have_widths() {
        let tokens = |text: &str| instructions(text, Syntax::Att).map(|mut all| all.remove(0).tokens);
        let token = |text: &str| tokens(&format!("x {text}")).map(|mut all| all.remove(0));
        assert_eq!(token("$1"), Some(Token::Operand { number: 1, width: None }));
        assert_eq!(token("${1:w}"), Some(Token::Operand { number: 1, width: Some(2) }));
        assert_eq!(token("${1:h}"), None);
        assert_eq!(token("-0x10($2)"), Some(Token::Indirect { number: 2, offset: -16 }));
        assert_eq!(token("(${2:k})"), None, "an address has 8 bytes");
        assert_eq!(token("$$-9223372036854775807"), Some(Token::Immediate(-i64::MAX)));
        assert_eq!(token("$$9223372036854775808"), None);
        assert_eq!(token("%r9d"), Some(Token::Register { register: Register::Other(4), width: 4 }));
        assert_eq!(token("4(%rsp)"), Some(Token::Stack));
    }

    #[test]
    fn prefixes_belong_to_the_instruction_behind() {
        let all = instructions("lock; incl $0\nrep; nop", Syntax::Att).expect("instructions");
        let all: Vec<_> = all.iter().map(|one| (one.locked, one.name.as_str())).collect();
        assert_eq!(all, [(true, "incl"), (false, "nop")]);
        assert!(instructions("incl $0; lock", Syntax::Att).is_none(), "nothing is behind the prefix");
        assert!(instructions("rep movsb", Syntax::Att).is_none());
    }
}
