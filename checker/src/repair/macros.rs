//! Macros of a source, whose text has places for edits, too: the compiler gives all operations of a use of a
//! macro the place of that use.
//!
//! A macro's text is read as the body of a function. What looks like a statement with a semicolon, or like
//! operands of a comma, has places; a text whose brackets do not match has none.

use std::ops::Range;

use super::lex::lex;
use super::syntax::{HEAD, Statement, Syntax};

/// A macro with a text.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its text as the body of a function; the places of its tokens are those of the source.
    pub syntax: Syntax,
    text: Range<usize>,
}

impl Macro {
    /// The macro that a directive defines, if it does and the macro's text can be read.
    fn new(source: &str, directive: &Range<usize>) -> Option<Self> {
        let line = &source[directive.clone()];
        let definition = line.strip_prefix('#')?.trim_start_matches([' ', '\t']).strip_prefix("define")?;
        let named = definition.trim_start_matches([' ', '\t']);
        let end = named.find(|character: char| !character.is_alphanumeric() && character != '_');
        let (name, rest) = named.split_at(end?);
        // Parameters stand without a space behind the name.
        let text = if rest.starts_with('(') { &rest[rest.find(')')? + 1..] } else { rest };
        let text = directive.end - text.len()..directive.end;
        let syntax = Syntax::of_body(source, &text).filter(|_| !name.is_empty() && text.start >= HEAD.len())?;
        Some(Self { name: name.to_owned(), syntax, text })
    }

    /// Its statements, those within others as well, that have an end in it. Each with true if a loop of the
    /// macro is around it.
    #[must_use]
    pub fn statements(&self) -> Vec<(Statement, bool)> {
        let mut statements = self.syntax.statements();
        statements.retain(|(statement, _)| self.has(statement.tokens.end - 1));
        statements
    }

    /// The operators between operands of commas, by their tokens.
    #[must_use]
    pub fn commas(&self) -> Vec<usize> {
        let all = self.syntax.statements().into_iter().filter(|(statement, _)| statement.is_leaf());
        let mut commas: Vec<_> = all.flat_map(|(statement, _)| self.syntax.commas(statement.tokens)).collect();
        commas.sort_unstable();
        commas.dedup();
        commas
    }

    /// The tokens of its text.
    #[must_use]
    pub fn tokens(&self) -> Range<usize> {
        let first = HEAD.len();
        first..(first..self.syntax.tokens.len()).find(|&at| !self.has(at)).unwrap_or(first)
    }

    /// True if a token is in its text.
    fn has(&self, token: usize) -> bool {
        self.syntax.tokens[token].bytes.end <= self.text.end
    }
}

/// The macros of a source.
#[must_use]
pub fn macros(source: &str) -> Vec<Macro> {
    lex(source).directives.iter().filter_map(|directive| Macro::new(source, directive)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the statements, and the operands behind commas, of the only macro of a text.
    #[track_caller]
    fn check(source: &str, statements: &[&str], commas: &[&str]) {
        let [only] = &macros(source)[..] else { panic!("there is one macro") };
        let bytes = |tokens: Range<usize>| {
            &source[only.syntax.tokens[tokens.start].bytes.start..only.syntax.tokens[tokens.end - 1].bytes.end]
        };
        let found: Vec<_> = only.statements().into_iter().map(|(statement, _)| bytes(statement.tokens)).collect();
        assert_eq!(found, statements);
        let found: Vec<_> = only.commas().into_iter().map(|comma| bytes(comma + 1..comma + 2)).collect();
        assert_eq!(found, commas);
    }

    #[test]
    fn statements_with_an_end_have_places() {
        check("int x;\n#define M(a) x = a; y = x\n;", &["x = a;"], &[]);
        check("# define M do { x = 1; \\\n y; } while (0)\nz;", &["{ x = 1; \\\n y; }", "x = 1;", "y;"], &[]);
        check("#define M(a) ({ x = a; f(x, y); })\n", &["x = a;", "f(x, y);"], &[]);
        check("#define M(a) (x = (a), f(x, y)), 1\n", &[], &["f", "1"]);
        check("#define M if (a) x = 1; // no; y\n", &["if (a) x = 1;", "x = 1;"], &[]);
    }

    #[test]
    fn directives_without_a_text_to_read_are_no_macros() {
        for source in ["#define M\n", "#define BEGIN {\n", "#undef M\n", "/* #define M x; */", "#if a\n", "#define\n"] {
            assert!(macros(source).iter().all(|it| it.statements().is_empty() && it.commas().is_empty()), "{source}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        let odd = "#define M(a, b) case a: if (b) else do ({ x, (y = 1, [z, {w}]); for (;;) ; }) while \\\n#define\n#";
        for end in 0..=odd.len() {
            for it in macros(&odd[..end]) {
                assert!(it.statements().len() + it.commas().len() <= it.tokens().len());
            }
        }
    }

    #[test]
    fn loops_of_a_macro_are_known() {
        let macros = macros("#define M do { x; while (y) { z; } } while (0)\n");
        let in_loop: Vec<_> = macros[0].statements().into_iter().map(|(_, in_loop)| in_loop).collect();
        assert_eq!(in_loop, [false, false, false, true, true]);
    }
}
