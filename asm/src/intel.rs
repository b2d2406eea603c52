//! Instructions in Intel's syntax, which Rust's `asm!` has, as instructions in AT&T's.
//!
//! Intel's puts the target first, and names the width of an access with its memory (`qword ptr [$0]`) where
//! AT&T's has a suffix of the instruction. Constants and registers have no mark. Only operands of the
//! assembly, constants and memory at the address in such an operand, or near the top of the stack, are
//! understood.

/// One instruction without prefixes. `None` if an operand has a form that is not understood.
pub fn translate(words: &str) -> Option<String> {
    let (name, operands) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let operands = operands.split(',').map(str::trim).filter(|one| !one.is_empty());
    let operands = operands.map(operand).collect::<Option<Vec<_>>>()?;
    let mut widths = operands.iter().filter_map(|(_, suffix)| *suffix);
    let (suffix, other) = (widths.next(), widths.next());
    if other.is_some() {
        return None;
    }
    let texts: Vec<_> = operands.into_iter().rev().map(|(text, _)| text).collect();
    Some(format!("{name}{} {}", suffix.unwrap_or_default(), texts.join(", ")))
}

/// An operand, and the suffix for the width that is written with it.
fn operand(text: &str) -> Option<(String, Option<&'static str>)> {
    if text.starts_with('$') {
        return Some((text.to_owned(), None));
    }
    if is_number(text.strip_prefix('-').unwrap_or(text)) {
        return Some((format!("$${text}"), None));
    }
    let (size, place) = text.strip_suffix(']')?.split_once('[')?;
    let suffix = match size.trim() {
        "byte ptr" => "b",
        "word ptr" => "w",
        "dword ptr" => "l",
        "qword ptr" => "q",
        _ => return None,
    };
    let end = place.find(['+', '-']).unwrap_or(place.len());
    let (base, offset) = (place[..end].trim(), place[end..].replace(' ', ""));
    let offset = offset.strip_prefix('+').unwrap_or(&offset);
    if end < place.len() && !is_number(offset.strip_prefix('-').unwrap_or(offset)) {
        return None;
    }
    let base = if base == "rsp" { "%rsp" } else { base.starts_with('$').then_some(base)? };
    Some((format!("{offset}({base})"), Some(suffix)))
}

fn is_number(text: &str) -> bool {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(intel: &str, expected: &str) {
        assert_eq!(translate(intel).as_deref(), Some(expected));
    }

    #[test]
    fn targets_come_last_and_widths_are_suffixes() {
        check("mfence", "mfence ");
        check("not qword ptr [${0:q}]", "notq (${0:q})");
        check("xadd dword ptr [${0:q} + 8], ${1:k}", "xaddl ${1:k}, 8(${0:q})");
        check("or dword ptr [rsp - 64], 0", "orl $$0, -64(%rsp)");
        check("mov ${0:q}, qword ptr [$1]", "movq ($1), ${0:q}");
        check("add byte ptr [$0], -0x1", "addb $$-0x1, ($0)");
    }

    #[test]
    fn what_is_not_understood_has_no_translation() {
        // A register by its name, an index, an address that is a number, and memory without a width.
        for text in
            ["mov rax, 1", "inc dword ptr [$0 + 4*$1]", "inc dword ptr [64]", "inc [$0]", "inc dword ptr [$0 + ]"]
        {
            assert!(translate(text).is_none(), "{text}");
        }
        assert!(translate("mov dword ptr [$0], dword ptr [$1]").is_none());
    }
}
