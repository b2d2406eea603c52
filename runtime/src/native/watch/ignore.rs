//! Reports that the user does not want: those of a file of patterns, and those of lines with a comment.
//!
//! A line of the file is `function PATTERN` or `file PATTERN`; `*` in a pattern stands for any characters.
//! Empty lines and lines that begin with `#` say nothing. A report is ignored if its load or its store is in
//! such a function or file, or on a line with the comment `rmc: ignore`, or below a line of that comment alone.
//! The call by which the function of the access was inlined counts as well.

use std::fs;

use super::place::{Frame, Place};

/// The comment, after what begins a comment.
const COMMENT: &str = "rmc: ignore";

/// The patterns of a file.
#[derive(Debug, Default)]
pub(in crate::native) struct Ignored {
    functions: Vec<String>,
    files: Vec<String>,
}

impl Ignored {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The number of the line that is none of the above.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut ignored = Self::default();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(char::is_whitespace) {
                Some(("function", pattern)) => ignored.functions.push(pattern.trim().to_owned()),
                Some(("file", pattern)) => ignored.files.push(pattern.trim().to_owned()),
                _ => return Err(format!("line {number} is neither 'function PATTERN' nor 'file PATTERN'")),
            }
        }
        Ok(ignored)
    }

    /// True if reports of the place are not wanted.
    pub(super) fn has(&self, place: &Place) -> bool {
        let any = |patterns: &[String], text: &str| patterns.iter().any(|pattern| matches(pattern, text));
        place.frames().any(|Frame { function, file, .. }| any(&self.functions, function) || any(&self.files, file))
            || place.frames().any(has_comment)
    }
}

/// True if the source of the frame can be read and has the comment.
fn has_comment(frame: &Frame) -> bool {
    let Ok(source) = fs::read_to_string(&frame.file) else { return false };
    let line = |number: usize| source.lines().nth(number.wrapping_sub(1)).unwrap_or_default();
    let comment = |line: &str| {
        ["//", "/*"]
            .into_iter()
            .find_map(|begin| line.split_once(begin))
            .is_some_and(|(_, comment)| comment.contains(COMMENT))
    };
    let is_alone = |line: &str| ["//", "/*"].iter().any(|begin| line.trim_start().starts_with(begin));
    let above = line((frame.line as usize).wrapping_sub(1));
    frame.line > 0 && (comment(line(frame.line as usize)) || is_alone(above) && comment(above))
}

/// True if a pattern stands for a text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let parts: Vec<_> = rest.split('*').collect();
    let (last, middle) = parts.split_last().expect("a split has a part");
    for part in middle {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{Ignored, matches};

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, expected) in [
            ("push", "push", true),
            ("push", "push_all", false),
            ("push*", "push_all", true),
            ("*/queue.c", "/src/queue.c", true),
            ("*queue*", "/src/queue.c", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c2b", false),
            ("a*ab", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn bad_lines_are_named() {
        assert!(Ignored::parse("# one\n\nfunction push*\nfile */queue.c\n").is_ok());
        let error = Ignored::parse("function push\nqueue.c\n").expect_err("no kind");
        assert_eq!(error, "line 2 is neither 'function PATTERN' nor 'file PATTERN'");
    }
}
