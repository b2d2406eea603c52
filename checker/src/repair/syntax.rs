//! The statements of a C or C++ source: where each begins and ends, and what is in the heads of loops.
//!
//! A position is looked up from the outermost braces inward. The outermost pair of braces around it that may
//! be the body of a function is read as a list of statements. Braces within a statement are read as such a
//! list, too, if they may be the body of a lambda or a statement expression.

use std::ops::Range;

use super::lex::{Kind, Token, lex};

/// The kinds of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An expression or a declaration with its semicolon; what follows it is reached from it.
    Simple,
    /// A statement that control leaves for another place: `return`, `break`, `goto`, ...
    Jump,
    /// A list of statements in braces.
    Block,
    /// A loop.
    Loop,
    /// A selection, or anything else with statements in it.
    Other,
    /// Tokens without a semicolon at the end of a list.
    Open,
}

/// The parts of a statement's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The condition of a loop, which is evaluated in each turn.
    Condition,
    /// What a `for` loop does at the end of each turn.
    Step,
    /// Anything else.
    Other,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its tokens, without its labels.
    pub tokens: Range<usize>,
    /// What it is.
    pub shape: Shape,
    /// True if it is in a list, so that another statement can stand beside it.
    pub in_list: bool,
    /// The parts of its head that are not empty.
    pub heads: Vec<(Part, Range<usize>)>,
    children: Vec<Statement>,
}

impl Statement {
    /// True if it has no statements in it, but for those of bodies within expressions.
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        matches!(self.shape, Shape::Simple | Shape::Jump)
    }
}

/// The statements around a position, outermost first.
#[derive(Clone, Debug)]
pub struct Position {
    /// The statements. There is at least one.
    pub chain: Vec<Statement>,
    /// The part of the innermost statement's head, if the position is in its head.
    pub part: Option<(Part, Range<usize>)>,
    /// The token at the position.
    pub token: usize,
}

impl Position {
    /// The innermost statement.
    #[must_use]
    pub fn innermost(&self) -> &Statement {
        self.chain.last().expect("a position is in a statement")
    }

    /// The tokens of the expression that the position is in: the part of a head, or the innermost statement.
    #[must_use]
    pub fn tokens(&self) -> Range<usize> {
        self.part.as_ref().map_or_else(|| self.innermost().tokens.clone(), |(_, tokens)| tokens.clone())
    }
}

/// A source with its tokens.
#[derive(Debug)]
pub struct Syntax {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// For each bracket, its partner.
    partners: Vec<Option<usize>>,
    words: Vec<String>,
}

/// Words that begin a statement that control does not leave at its end.
const JUMPS: [&str; 7] = ["return", "break", "continue", "goto", "throw", "co_return", "co_await"];
/// Words that begin something with braces that is no function.
const SCOPES: [&str; 7] = ["struct", "class", "union", "enum", "namespace", "extern", "concept"];

/// The head of a function, as which a part of a text is read.
pub const HEAD: &str = "f(){";

impl Syntax {
    /// The syntax of a text; none if its brackets do not match.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let tokens = lex(text).tokens;
        let mut partners = vec![None; tokens.len()];
        let mut open: Vec<(usize, u8)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Mark(b'(') => open.push((at, b')')),
                Kind::Mark(b'[') => open.push((at, b']')),
                Kind::Mark(b'{') => open.push((at, b'}')),
                Kind::Mark(close @ (b')' | b']' | b'}')) => {
                    let (partner, expected) = open.pop()?;
                    if expected != close {
                        return None;
                    }
                    (partners[partner], partners[at]) = (Some(at), Some(partner));
                }
                _ => {}
            }
        }
        let words = tokens.iter().map(|token| text[token.bytes.clone()].to_owned()).collect();
        open.is_empty().then_some(Self { tokens, partners, words })
    }

    /// The syntax of a part of a text that is read as the body of a function, without its braces. The text
    /// before it has at least as many bytes as [`HEAD`]. What is read beyond the part, a semicolon and a
    /// brace, has places behind it.
    #[must_use]
    pub fn of_body(text: &str, body: &Range<usize>) -> Option<Self> {
        let code = format!("{HEAD}{}\n;}}", &text[body.clone()]);
        let mut syntax = Self::new(&code)?;
        let shift = body.start.checked_sub(HEAD.len())?;
        let shifted = |bytes: &mut Range<usize>| *bytes = bytes.start + shift..bytes.end + shift;
        syntax.tokens.iter_mut().for_each(|token| shifted(&mut token.bytes));
        Some(syntax)
    }

    /// All statements of the first function's body, and of the bodies within them, each with true if a loop
    /// is around it. `do { } while (0)` is none.
    #[must_use]
    pub fn statements(&self) -> Vec<(Statement, bool)> {
        let mut found = Vec::new();
        if let Some(body) = (0..self.tokens.len()).find(|&at| self.word(at) == "{") {
            self.add_statements(&self.list(body), false, &mut found);
        }
        found
    }

    fn add_statements(&self, list: &[Statement], in_loop: bool, found: &mut Vec<(Statement, bool)>) {
        for statement in list {
            found.push((statement.clone(), in_loop));
            let is_once = statement.heads.iter().any(|(_, head)| head.len() == 1 && self.word(head.start) == "0");
            self.add_statements(&statement.children, in_loop || statement.shape == Shape::Loop && !is_once, found);
            let tokens = statement.tokens.clone();
            let mut at = if statement.children.is_empty() { tokens.start + 1 } else { tokens.end };
            while at < tokens.end {
                if self.word(at) == "{" && self.is_inner_body(at) {
                    self.add_statements(&self.list(at), in_loop, found);
                    at = self.partner(at).unwrap_or(at);
                }
                at += 1;
            }
        }
    }

    /// The commas among these tokens that seem to be operators: in no brackets, or in parentheses that are
    /// not those of a call.
    #[must_use]
    pub fn commas(&self, tokens: Range<usize>) -> Vec<usize> {
        let is_declaration = self.tokens[tokens.start].kind == Kind::Word
            && !JUMPS.contains(&self.word(tokens.start))
            && matches!(self.tokens.get(tokens.start + 1), Some(next) if next.kind == Kind::Word);
        let mut brackets = vec![!is_declaration];
        let mut commas = Vec::new();
        for at in tokens {
            match self.word(at) {
                "(" => brackets.push(!self.is_call(at)),
                "[" | "{" => brackets.push(false),
                ")" | "]" | "}" => {
                    brackets.pop();
                }
                "," if brackets.last() == Some(&true) => commas.push(at),
                _ => {}
            }
        }
        commas
    }

    /// True if a parenthesis seems to begin the arguments of a call.
    fn is_call(&self, open: usize) -> bool {
        let before = self.word(open.wrapping_sub(1));
        let is_name = open.checked_sub(1).is_some_and(|at| self.tokens[at].kind == Kind::Word);
        let is_keyword = JUMPS.contains(&before) || matches!(before, "if" | "while" | "switch" | "sizeof");
        is_name && !is_keyword || matches!(before, ")" | "]" | ">")
    }

    /// The text of a token; empty beyond the end.
    #[must_use]
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// The partner of a bracket.
    #[must_use]
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }

    /// The statements around the token that begins at this byte, or contains it; none if it is in no
    /// function.
    #[must_use]
    pub fn position(&self, byte: usize) -> Option<Position> {
        let token = self.tokens.iter().position(|token| token.bytes.contains(&byte))?;
        let braces = (0..token).filter(|&at| self.word(at) == "{" && self.partners[at].is_some_and(|end| end > token));
        let body = braces.into_iter().find(|&at| self.may_be_body(at))?;
        let mut position = Position { chain: Vec::new(), part: None, token };
        self.descend(&self.list(body), &mut position);
        (!position.chain.is_empty()).then_some(position)
    }

    /// True if braces that begin here may be a function's.
    fn may_be_body(&self, brace: usize) -> bool {
        let head = (0..brace).rev().take_while(|&at| !matches!(self.word(at), ";" | "}" | "{"));
        let head: Vec<_> = head.map(|at| self.word(at)).collect();
        let (has_parameters, is_value) = (head.contains(&"("), head.first() == Some(&"="));
        let is_scope = head.last().is_some_and(|first| SCOPES.contains(first));
        has_parameters && !is_value && (!is_scope || head.first() == Some(&")"))
    }

    fn descend(&self, list: &[Statement], position: &mut Position) {
        let Some(found) = list.iter().find(|statement| statement.tokens.contains(&position.token)) else { return };
        position.chain.push(found.clone());
        if let Some(head) = found.heads.iter().find(|(_, tokens)| tokens.contains(&position.token)) {
            position.part = Some(head.clone());
            return;
        }
        self.descend(&found.children, position);
        if let Some(inner) = self.inner_body(found.tokens.start, position.token).filter(|_| found.is_leaf()) {
            self.descend(&self.list(inner), position);
        }
    }

    /// The outermost braces within an expression around a token that may be those of a lambda or a statement
    /// expression.
    fn inner_body(&self, from: usize, token: usize) -> Option<usize> {
        let is_around = |at: &usize| self.word(*at) == "{" && self.partners[*at].is_some_and(|end| end > token);
        (from + 1..token).filter(is_around).find(|&at| self.is_inner_body(at))
    }

    /// True if braces that begin here, within an expression, may have statements.
    fn is_inner_body(&self, brace: usize) -> bool {
        matches!(self.word(brace - 1), ")" | "(" | "]" | "mutable")
    }

    /// The statements in braces.
    fn list(&self, brace: usize) -> Vec<Statement> {
        let Some(end) = self.partner(brace) else { return Vec::new() };
        let (mut list, mut at) = (Vec::new(), brace + 1);
        while at < end {
            let statement = self.statement(at, end, true);
            at = statement.tokens.end;
            list.push(statement);
        }
        list
    }

    /// The statement that begins at a token, before the end of its list.
    fn statement(&self, from: usize, end: usize, in_list: bool) -> Statement {
        let from = self.after_labels(from, end);
        let open =
            Statement { tokens: from..end, shape: Shape::Open, in_list, heads: Vec::new(), children: Vec::new() };
        let found = match self.word(from) {
            "{" => self.partner(from).map(|close| Statement {
                tokens: from..close + 1,
                shape: Shape::Block,
                children: self.list(from),
                ..open.clone()
            }),
            "if" | "while" | "for" | "switch" | "catch" => self.with_head(from, end, in_list),
            "do" => self.do_loop(from, end, in_list),
            "else" | "try" => Some(self.with_child(from, from + 1, end, in_list)),
            _ => self.simple(from, end, in_list),
        };
        found.unwrap_or(open)
    }

    /// The first token after labels.
    fn after_labels(&self, mut from: usize, end: usize) -> usize {
        loop {
            let colon = match self.word(from) {
                "case" => (from..end).find(|&at| self.is_label_colon(at)),
                // A name before a colon is a label, also `default`.
                _ if self.is_label_colon(from + 1) && self.tokens[from].kind == Kind::Word => Some(from + 1),
                _ => None,
            };
            match colon.filter(|colon| colon + 1 < end) {
                Some(colon) => from = colon + 1,
                None => return from,
            }
        }
    }

    /// True if a token is a colon that is no part of `::`.
    fn is_label_colon(&self, at: usize) -> bool {
        self.word(at) == ":" && self.word(at + 1) != ":" && (at == 0 || self.word(at - 1) != ":")
    }

    /// A statement that is a word, and another statement.
    fn with_child(&self, from: usize, child: usize, end: usize, in_list: bool) -> Statement {
        let child = self.statement(child, end, false);
        let tokens = from..child.tokens.end;
        Statement { tokens, shape: Shape::Other, in_list, heads: Vec::new(), children: vec![child] }
    }

    /// A statement with a head in parentheses and a body: also a macro's that looks like a loop.
    fn with_head(&self, from: usize, end: usize, in_list: bool) -> Option<Statement> {
        let open = (from + 1..end).find(|&at| self.word(at) == "(")?;
        let close = self.partner(open)?;
        let mut children = vec![self.statement(close + 1, end, false)];
        let mut last = children[0].tokens.end;
        let continues = |at: usize| at < end && matches!((self.word(from), self.word(at)), ("if", "else"));
        while continues(last) {
            let child = self.statement(last + 1, end, false);
            last = child.tokens.end;
            children.push(child);
        }
        let shape = if matches!(self.word(from), "if" | "switch" | "catch") { Shape::Other } else { Shape::Loop };
        let heads = match self.word(from) {
            "for" => self.heads_of_for(open, close),
            "while" => vec![(Part::Condition, open + 1..close)],
            _ => vec![(Part::Other, open + 1..close)],
        };
        let heads = heads.into_iter().filter(|(_, tokens)| !tokens.is_empty()).collect();
        Some(Statement { tokens: from..last, shape, in_list, heads, children })
    }

    fn heads_of_for(&self, open: usize, close: usize) -> Vec<(Part, Range<usize>)> {
        let mut semicolons = Vec::new();
        let mut at = open + 1;
        while at < close {
            if self.word(at) == ";" {
                semicolons.push(at);
            }
            at = self.partner(at).filter(|&partner| partner > at).unwrap_or(at) + 1;
        }
        match semicolons[..] {
            [first, second] => vec![
                (Part::Other, open + 1..first),
                (Part::Condition, first + 1..second),
                (Part::Step, second + 1..close),
            ],
            _ => vec![(Part::Other, open + 1..close)],
        }
    }

    fn do_loop(&self, from: usize, end: usize, in_list: bool) -> Option<Statement> {
        let body = self.statement(from + 1, end, false);
        let word = body.tokens.end;
        let open = (self.word(word) == "while" && self.word(word + 1) == "(").then_some(word + 1)?;
        let close = self.partner(open)?;
        let tokens = from..(self.word(close + 1) == ";").then_some(close + 2)?;
        let heads = vec![(Part::Condition, open + 1..close)];
        Some(Statement { tokens, shape: Shape::Loop, in_list, heads, children: vec![body] })
    }

    /// A statement up to its semicolon, or a macro with a body in braces.
    fn simple(&self, from: usize, end: usize, in_list: bool) -> Option<Statement> {
        let mut at = from;
        while at < end {
            if self.word(at) == ";" {
                let shape = if JUMPS.contains(&self.word(from)) { Shape::Jump } else { Shape::Simple };
                return Some(Statement {
                    tokens: from..at + 1,
                    shape,
                    in_list,
                    heads: Vec::new(),
                    children: Vec::new(),
                });
            }
            let is_macro = at == from + 1 && self.word(at) == "(" && self.tokens[from].kind == Kind::Word;
            if let Some(close) = self.partner(at).filter(|_| is_macro)
                && self.word(close + 1) == "{"
            {
                return self.with_head(from, end, in_list);
            }
            at = self.partner(at).filter(|&partner| partner > at).unwrap_or(at) + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the statements around the word `here`, innermost first, and the part of the head.
    #[track_caller]
    fn check(text: &str, expected: &[&str], part: Option<&str>) {
        let syntax = Syntax::new(text).expect("brackets match");
        let position = syntax.position(text.find("here").expect("it is there")).expect("a position");
        let bytes = |tokens: &Range<usize>| {
            &text[syntax.tokens[tokens.start].bytes.start..syntax.tokens[tokens.end - 1].bytes.end]
        };
        let found: Vec<_> = position.chain.iter().rev().map(|statement| bytes(&statement.tokens)).collect();
        assert_eq!(found, expected);
        assert_eq!(position.part.as_ref().map(|(_, tokens)| bytes(tokens)), part);
    }

    #[test]
    fn statements_end_where_they_end() {
        check("int f(void) { a = 1; b = here; c(); }", &["b = here;"], None);
        check("void f() { int x[] = { 1, here }; }", &["int x[] = { 1, here };"], None);
        check("void f() { if (a) here = 1; else b; }", &["here = 1;", "if (a) here = 1; else b;"], None);
        check(
            "void f() { if (a) b; else if (here) c; d; }",
            &["if (here) c;", "if (a) b; else if (here) c;"],
            Some("here"),
        );
        check("void f() { case 1: l: here = 1; }", &["here = 1;"], None);
        check("void f() { a ? b : here; }", &["a ? b : here;"], None);
        check("struct s { int a; } f(int x) { here; }", &["here;"], None);
        check("namespace n { class c { void f() const { here; } }; }", &["here;"], None);
    }

    #[test]
    fn heads_of_loops_have_parts() {
        check("void f() { while (here == 1) ; }", &["while (here == 1) ;"], Some("here == 1"));
        let text = "void f() { for (i = 0; here(a; b); i++) { } }";
        check(&text.replace("(a; b)", "(a, b)"), &["for (i = 0; here(a, b); i++) { }"], Some("here(a, b)"));
        check("void f() { do x(); while (here); y; }", &["do x(); while (here);"], Some("here"));
        check("void f() { EACH(i, n) { here; } }", &["here;", "{ here; }", "EACH(i, n) { here; }"], None);
    }

    #[test]
    fn bodies_within_expressions_are_lists() {
        check("void f() { run([&] { here = 1; g(); }); }", &["here = 1;", "run([&] { here = 1; g(); });"], None);
        check("void f() { x = ({ here; 1; }); }", &["here;", "x = ({ here; 1; });"], None);
    }

    #[test]
    fn what_is_in_no_function_has_no_position() {
        for text in ["int here;", "struct s { int here; };", "int x[] = { here };"] {
            assert!(Syntax::new(text).is_some_and(|syntax| syntax.position(text.find("here").unwrap_or(0)).is_none()));
        }
        assert!(Syntax::new("void f() { ( }").is_none());
    }
}
