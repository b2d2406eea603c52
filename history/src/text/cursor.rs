//! The characters of a text, with their positions.

use crate::error::{Position, Problem};
use crate::recorded::is_name_character;

/// A place in a text, and the way forward.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    rest: &'t str,
    at: Position,
}

impl<'t> Cursor<'t> {
    /// The beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), at: Position { line: 1, column: 1 } }
    }

    /// The position of the next character.
    pub const fn position(&self) -> Position {
        self.at
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes the next characters as long as they are of a kind.
    fn take_while(&mut self, is_of_kind: impl Fn(char) -> bool) -> &'t str {
        let len = self.rest.find(|one| !is_of_kind(one)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(len);
        for one in taken.chars() {
            if one == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    /// Skips blanks and a comment.
    pub fn skip_blanks(&mut self) {
        self.take_while(|one| matches!(one, ' ' | '\t' | '\r'));
        if self.peek() == Some('#') {
            self.take_while(|one| one != '\n');
        }
    }

    /// Skips what is between statements.
    pub fn skip_separators(&mut self) {
        loop {
            self.skip_blanks();
            if self.take_while(|one| one == '\n' || one == ';').is_empty() {
                return;
            }
        }
    }

    /// True if the statement ends here.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some('\n' | ';'))
    }

    /// Takes these characters, if they are the next ones.
    pub fn take(&mut self, symbol: &str) -> bool {
        self.skip_blanks();
        let is_next = self.rest.starts_with(symbol);
        if is_next {
            self.rest = &self.rest[symbol.len()..];
            self.at.column += symbol.len() as u32;
        }
        is_next
    }

    /// Takes this word, if it is the next one.
    pub fn take_word(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let is_next = ahead.word() == word;
        if is_next {
            *self = ahead;
        }
        is_next
    }

    /// Takes a word of letters, digits, `_`, `.` and `-`; it is empty if none is next.
    pub fn word(&mut self) -> &'t str {
        self.skip_blanks();
        let is_first = self.peek().is_some_and(|one| one.is_ascii_alphabetic() || one == '_');
        if is_first { self.take_while(|one| is_name_character(one) || one == '-') } else { "" }
    }

    /// Takes a name, quoted or not. `None` if none is next.
    pub fn name(&mut self) -> Option<String> {
        self.skip_blanks();
        match self.peek()? {
            '"' => self.quoted(),
            one if one.is_ascii_alphabetic() || one == '_' => Some(self.take_while(is_name_character).to_owned()),
            _ => None,
        }
    }

    /// Takes the name of a history: anything up to a blank, quoted or not. `None` if none is next.
    pub fn history_name(&mut self) -> Option<String> {
        self.skip_blanks();
        match self.peek()? {
            '"' => self.quoted(),
            _ => Some(self.take_while(is_history_name_character).to_owned()).filter(|name| !name.is_empty()),
        }
    }

    /// Takes a string as JSON has it. `None`, and nothing is taken, if it is none.
    fn quoted(&mut self) -> Option<String> {
        let mut is_escaped = false;
        let is_end = |one: char| {
            let ends = one == '\n' || (one == '"' && !is_escaped);
            is_escaped = one == '\\' && !is_escaped;
            ends
        };
        let len = self.rest.get(1..)?.find(is_end)? + 2;
        let quoted = self.rest.get(..len)?;
        let name = serde_json::from_str(quoted).ok()?;
        self.at.column += quoted.chars().count() as u32;
        self.rest = &self.rest[len..];
        Some(name)
    }

    /// True if a number is next.
    pub fn is_at_number(&mut self) -> bool {
        self.skip_blanks();
        self.peek().is_some_and(|one| one.is_ascii_digit())
    }

    /// Takes a number of at most so many bits. [`Self::is_at_number`] holds.
    ///
    /// # Errors
    /// [`Problem::BadNumber`].
    pub fn number(&mut self, bits: u32) -> Result<u64, Problem> {
        let text = self.take_while(is_name_character);
        let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let number = number.ok().filter(|&number| bits == u64::BITS || number >> bits == 0);
        number.ok_or_else(|| Problem::BadNumber(text.to_owned(), bits))
    }

    /// The next word, for a message.
    pub fn found(&mut self) -> String {
        if self.is_at_end() {
            return "the end of the statement".to_owned();
        }
        let mut ahead = self.clone();
        let is_word = |one: char| !one.is_whitespace() && !matches!(one, ';' | ',' | ':');
        match (ahead.take_while(is_word), self.peek()) {
            ("", Some(one)) => format!("`{one}`"),
            (word, _) => format!("`{word}`"),
        }
    }
}

/// True for the name of a history that needs no quotes. After `history`, a colon would begin a thread.
pub fn is_plain_history_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(':') && name.chars().all(is_history_name_character)
}

fn is_history_name_character(one: char) -> bool {
    one.is_ascii_graphic() && !matches!(one, '"' | '#' | ';')
}
