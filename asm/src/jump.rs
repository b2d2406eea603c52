//! The destination of assembly that may jump (`asm goto`), read from its text.
//!
//! Assembly is understood if it always goes the same way and does nothing else: it has no instruction at all,
//! or one `jmp` to one of its labels. Directives are not understood, because a jump table in another section
//! may have the instructions patched. Assembly with outputs is not understood either. Tests:
//! `tests/pass/jumps.ll`, `tests/programs/language/assembly_jumps.c`.

use super::template;

/// The place where control continues after assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The code behind it.
    Next,
    /// The label of this number among its labels.
    Label(usize),
}

/// Reads assembly as LLVM prints it. `None` if it is not understood.
///
/// ```
/// use rmc_asm::{Destination, destination};
///
/// assert_eq!(destination(r#"ptr asm sideeffect "jmp ${0:l}", "!i""#), Some(Destination::Label(0)));
/// assert_eq!(destination(r#"ptr asm sideeffect "js ${0:l}", "!i""#), None);
/// ```
#[must_use]
pub fn destination(printed: &str) -> Option<Destination> {
    let (flags, text, constraints) = template::split(printed)?;
    if flags.contains("inteldialect") || constraints.split(',').any(|one| one.starts_with('=')) {
        return None;
    }
    let statements = text.split('\n').map(without_comment).flat_map(|line| line.split(';')).map(str::trim);
    let statements: Vec<_> = statements.filter(|one| !one.is_empty()).collect();
    let [instruction] = statements[..] else {
        return statements.is_empty().then_some(Destination::Next);
    };
    let (name, target) = instruction.split_once(char::is_whitespace)?;
    let number = target.trim().strip_prefix("${")?.strip_suffix(":l}")?.parse().ok()?;
    (name == "jmp").then(|| label(constraints, number).map(Destination::Label))?
}

/// The line without its comment, which extends to the end of the line.
fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before)
}

/// The index among the labels of the operand `number`, if it is a label.
fn label(constraints: &str, number: usize) -> Option<usize> {
    let operands: Vec<_> = constraints.split(',').filter(|one| !one.starts_with('~')).collect();
    let is_label = |one: &&str| one.starts_with('!');
    operands.get(number).filter(|one| is_label(one))?;
    Some(operands[..number].iter().filter(|one| is_label(one)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_jump_goes_to_its_label() {
        let to = |template: &str, constraints: &str| destination(&format!("ptr asm \"{template}\", \"{constraints}\""));
        assert_eq!(to("", "!i"), Some(Destination::Next));
        assert_eq!(to("jmp ${2:l} # away", "r,!i,!i,~{memory}"), Some(Destination::Label(1)));
        assert_eq!(to("jmp ${0:l}", "r,!i"), None, "it is no label");
        assert_eq!(to("jmp ${7:l}", "!i"), None);
        assert_eq!(to("jmp ${0:l}", "!i,=r"), None, "it has an output");
    }
}
