//! Tokens of a C or C++ source, with their places. Comments are left out, directives of the preprocessor are
//! kept apart, and macros stay as they are written.
//!
//! This is enough to find where statements begin and end; it is no compiler. A repair that comes of it is
//! compiled and checked before it is shown.

use std::ops::Range;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, a keyword or a number.
    Word,
    /// A string or a character.
    Literal,
    /// One character of punctuation.
    Mark(u8),
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the source.
    pub bytes: Range<usize>,
}

/// A source in parts.
#[derive(Debug, Default)]
pub struct Lexed {
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// The bytes of each directive, from its `#` to the end of its last line.
    pub directives: Vec<Range<usize>>,
}

/// The parts of a source.
#[must_use]
pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { text: text.as_bytes(), at: 0, parts: Lexed::default() };
    while lexer.at < lexer.text.len() {
        lexer.next();
    }
    lexer.parts
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    parts: Lexed,
}

impl Lexer<'_> {
    fn next(&mut self) {
        let from = self.at;
        let rest = &self.text[from..];
        match rest[0] {
            byte if byte.is_ascii_whitespace() => self.at += 1,
            b'\\' => self.at += 1,
            b'#' if self.is_first_of_line() => {
                self.skip_line();
                self.parts.directives.push(from..self.at);
            }
            b'/' if rest.starts_with(b"//") => self.skip_line(),
            b'/' if rest.starts_with(b"/*") => self.skip_past(b"*/", 2),
            b'"' | b'\'' => self.literal(from),
            byte if is_word(byte) => self.word(from),
            byte => {
                self.at += 1;
                self.parts.tokens.push(Token { kind: Kind::Mark(byte), bytes: from..self.at });
            }
        }
    }

    fn is_first_of_line(&self) -> bool {
        let before = self.text[..self.at].iter().rev().take_while(|byte| **byte != b'\n');
        before.into_iter().all(u8::is_ascii_whitespace)
    }

    /// Goes to the end of the line, and of the lines that a backslash continues it with. A comment that
    /// begins in the line of a directive may end in a later line.
    fn skip_line(&mut self) {
        let is_directive = self.text[self.at] == b'#';
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            let rest = &self.text[self.at..];
            if rest.starts_with(b"\\\r\n") {
                self.at += 3;
            } else if rest.starts_with(b"\\\n") {
                self.at += 2;
            } else if is_directive && rest.starts_with(b"/*") {
                self.skip_past(b"*/", 2);
            } else {
                self.at += 1;
            }
        }
    }

    fn skip_past(&mut self, end: &[u8], from: usize) {
        let rest = &self.text[(self.at + from).min(self.text.len())..];
        let length = rest.windows(end.len()).position(|window| window == end);
        self.at = length.map_or(self.text.len(), |length| self.at + from + length + end.len());
    }

    fn word(&mut self, from: usize) {
        let is_number = self.text[from].is_ascii_digit();
        let is_separator = |at: usize| is_number && matches!(self.text.get(at), Some(b'\'' | b'.'));
        let mut at = from;
        while self.text.get(at).is_some_and(|byte| is_word(*byte)) || is_separator(at) {
            at += 1;
        }
        self.at = at;
        let word = &self.text[from..self.at];
        let is_prefix = matches!(word, b"L" | b"u" | b"U" | b"u8" | b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
        match self.text.get(self.at) {
            Some(b'"') if is_prefix && word.ends_with(b"R") => self.raw_string(from),
            Some(b'"' | b'\'') if is_prefix => self.literal(from),
            _ => self.parts.tokens.push(Token { kind: Kind::Word, bytes: from..self.at }),
        }
    }

    /// A literal; its quotation mark is here, and a prefix may stand before it.
    fn literal(&mut self, from: usize) {
        let quote = self.text[self.at];
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                // A literal ends on its line, so this is none.
                b'\n' => break,
                _ => self.at += 1,
            }
            if byte == quote {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
        self.parts.tokens.push(Token { kind: Kind::Literal, bytes: from..self.at });
    }

    fn raw_string(&mut self, from: usize) {
        let rest = &self.text[self.at + 1..];
        let delimiter = rest.iter().take_while(|byte| **byte != b'(').copied();
        let end: Vec<u8> = [b')'].into_iter().chain(delimiter).chain([b'"']).collect();
        self.skip_past(&end, 1);
        self.parts.tokens.push(Token { kind: Kind::Literal, bytes: from..self.at });
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = lex(text).tokens.into_iter().map(|token| text[token.bytes].to_owned()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn strings_comments_and_directives_hide_what_is_in_them() {
        check("a = \"; // }\"; // b;\nc", &["a", "=", "\"; // }\"", ";", "c"]);
        check("a /* ; \n */ ; '\\'' b", &["a", ";", "'\\''", "b"]);
        check("#define X { \\\n y; }\n z # q", &["z", "#", "q"]);
        check("#if 0 /* a\n b */ c\nd", &["d"]);
        check("R\"x(a\")b)x\" 1'000.5 u8\"s\"", &["R\"x(a\")b)x\"", "1'000.5", "u8\"s\""]);
    }

    #[test]
    fn text_that_ends_too_early_is_read_to_its_end() {
        check("a \"b", &["a", "\"b"]);
        check("a /* b", &["a"]);
        check("\"\\", &["\"\\"]);
        check("R\"x(", &["R\"x("]);
    }
}
