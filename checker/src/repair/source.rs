//! A source that may be edited, and the way in which it writes fences.

use std::ops::Range;

use super::lex::Kind;
use super::macros::{Macro, macros};
use super::syntax::{Position, Syntax};
use crate::outcome::cycle::FenceKind;

/// The languages of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
}

/// A source.
#[derive(Debug)]
pub struct Source {
    /// Its text.
    pub text: String,
    language: Language,
    /// Its syntax; none if its brackets do not match, for instance since both branches of an `#if` open some.
    pub syntax: Option<Syntax>,
    /// The macros that it defines.
    pub macros: Vec<Macro>,
    /// The first byte of each line.
    lines: Vec<usize>,
}

impl Source {
    /// A source with this text.
    #[must_use]
    pub fn new(text: String, language: Language) -> Self {
        let (syntax, macros) = (Syntax::new(&text), macros(&text));
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, language, syntax, macros, lines }
    }

    /// The byte of a line and a column, both from 1.
    #[must_use]
    pub fn byte(&self, line: u32, column: u32) -> Option<usize> {
        let line = self.lines.get((line as usize).checked_sub(1)?)?;
        Some(line + (column as usize).checked_sub(1)?).filter(|&at| at < self.text.len())
    }

    /// The line and the column of a byte, both from 1.
    #[must_use]
    pub fn line_and_column(&self, byte: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&first| first <= byte);
        let column = byte - self.lines[line - 1] + 1;
        let number = |value: usize| u32::try_from(value).expect("sources are small");
        (number(line), number(column))
    }

    /// The bytes of the line that a byte is in, without its end.
    #[must_use]
    pub fn line_of(&self, byte: usize) -> Range<usize> {
        let from = self.text[..byte].rfind('\n').map_or(0, |at| at + 1);
        let to = self.text[byte..].find('\n').map_or(self.text.len(), |at| byte + at);
        let to = if self.text[from..to].ends_with('\r') { to - 1 } else { to };
        from..to
    }

    /// The statements around a line and a column.
    #[must_use]
    pub fn position(&self, line: u32, column: u32) -> Option<Position> {
        self.syntax.as_ref()?.position(self.byte(line, column)?)
    }

    /// The end of lines in this source.
    #[must_use]
    pub fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The names, keywords and numbers of its functions and of its macros' texts.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let of = |syntax: &'_ Syntax, tokens: Range<usize>| {
            let words = syntax.tokens[tokens].iter().filter(|token| token.kind == Kind::Word);
            words.map(|token| &self.text[token.bytes.clone()]).collect::<Vec<_>>()
        };
        let own = self.syntax.iter().flat_map(move |syntax| of(syntax, 0..syntax.tokens.len()));
        own.chain(self.macros.iter().flat_map(move |within| of(&within.syntax, within.tokens())))
    }

    /// A fence as an expression of this source. The functions of `<stdatomic.h>` and `<atomic>` are used
    /// where the source uses them already, else the compiler's own, which need no header.
    #[must_use]
    pub fn fence(&self, kind: FenceKind) -> String {
        let uses = |prefixes: &[&str]| self.words().any(|word| prefixes.iter().any(|prefix| word.starts_with(prefix)));
        let (order, constant) = match kind {
            FenceKind::Full => ("seq_cst", "SEQ_CST"),
            FenceKind::StoreStore => ("release", "RELEASE"),
        };
        match self.language {
            Language::C if uses(&["atomic_", "memory_order"]) => format!("atomic_thread_fence(memory_order_{order})"),
            Language::Cxx if uses(&["atomic", "memory_order"]) => {
                format!("std::atomic_thread_fence(std::memory_order_{order})")
            }
            _ => format!("__atomic_thread_fence(__ATOMIC_{constant})"),
        }
    }
}
