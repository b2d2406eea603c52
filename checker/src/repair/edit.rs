//! Edits: a fence at a place, or a stronger memory order of an atomic store, as changes of a source's text.
//!
//! | place | text |
//! |---|---|
//! | beside a statement of a list | the fence as a statement, on a line of its own if the other one has |
//! | beside a statement without braces around it, as in `if (c) x = 1;` | both in braces |
//! | before the condition of a loop, in each turn | `while (fence, c)` |
//! | between the operands of a comma | `(x, fence, y)` |
//! | in a macro's text, after a statement | the fence as a statement, on the same line |
//! | the order of an atomic store | another constant |

use std::ops::Range;

use super::macros::Macro;
use super::source::Source;
use super::syntax::{Part, Position, Shape, Statement, Syntax};
use crate::outcome::cycle::FenceKind;

/// The kinds of places of an edit, each with a byte of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// After the statement that begins here.
    After(usize),
    /// Before the statement that begins here.
    Before(usize),
    /// Before each evaluation of the part of a loop's head that begins here.
    InHead(usize),
    /// Behind the comma here.
    Between(usize),
    /// The memory order here.
    Order(usize),
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The byte at which text is removed and inserted.
    pub at: usize,
    /// The number of removed bytes.
    pub removed: usize,
    /// The inserted text.
    pub inserted: String,
}

impl Change {
    fn insert(at: usize, inserted: impl Into<String>) -> Self {
        Self { at, removed: 0, inserted: inserted.into() }
    }
}

/// The changes that put a fence at a place, with the text of the fence; none where it has no place.
#[must_use]
pub fn fence(source: &Source, statement: &Statement, spot: Spot, kind: FenceKind) -> Option<Vec<Change>> {
    let syntax = source.syntax.as_ref()?;
    let text = source.fence(kind);
    // The statements in a body have places of their own.
    let is_body = statement.shape == Shape::Block && !statement.in_list;
    match spot {
        Spot::After(_) | Spot::Before(_) if is_body => None,
        Spot::After(_) if !matches!(statement.shape, Shape::Jump | Shape::Open) => {
            Some(beside(source, syntax, statement, &text, true))
        }
        Spot::Before(_) if statement.shape != Shape::Open => Some(beside(source, syntax, statement, &text, false)),
        Spot::InHead(first) => Some(vec![Change::insert(first, format!("{text}, "))]),
        _ => None,
    }
}

/// The place behind a comma, and the changes that put a fence there, with the text of the fence.
#[must_use]
pub fn between(syntax: &Syntax, comma: usize, fence: &str) -> (Spot, Vec<Change>) {
    let bytes = &syntax.tokens[comma].bytes;
    (Spot::Between(bytes.start), vec![Change::insert(bytes.end, format!(" {fence},"))])
}

/// The place after a statement of a macro, and the changes that put a fence there, with the text of the
/// fence. None where control does not come there, or where the fence has no place.
#[must_use]
pub fn in_macro(within: &Macro, statement: &Statement, fence: &str) -> Option<(Spot, Vec<Change>)> {
    let bytes = |token: usize| &within.syntax.tokens[token].bytes;
    let (first, last) = (bytes(statement.tokens.start).start, bytes(statement.tokens.end - 1).end);
    let changes = match (statement.shape, statement.in_list) {
        (Shape::Jump | Shape::Open, _) | (Shape::Block, false) => return None,
        (_, true) => vec![Change::insert(last, format!(" {fence};"))],
        (_, false) => vec![Change::insert(first, "{ "), Change::insert(last, format!(" {fence}; }}"))],
    };
    Some((Spot::After(first), changes))
}

fn beside(source: &Source, syntax: &Syntax, statement: &Statement, fence: &str, after: bool) -> Vec<Change> {
    let first = syntax.tokens[statement.tokens.start].bytes.start;
    let last = syntax.tokens[statement.tokens.end - 1].bytes.end;
    let line = source.line_of(first);
    let before = &source.text[line.start..first];
    let is_first_of_line = before.trim().is_empty();
    let indent = &before[..before.len() - before.trim_start().len()];
    let ends_elsewhere = source.line_of(last).start != line.start;
    let newline = source.newline();
    match (statement.in_list, after) {
        (false, true) => vec![Change::insert(first, "{ "), Change::insert(last, format!(" {fence}; }}"))],
        (false, false) => vec![Change::insert(first, format!("{{ {fence}; ")), Change::insert(last, " }")],
        (true, true) => {
            let end = source.line_of(last).end;
            if (is_first_of_line || ends_elsewhere) && is_blank(&source.text[last..end]) {
                vec![Change::insert(end, format!("{newline}{indent}{fence};"))]
            } else {
                vec![Change::insert(last, format!(" {fence};"))]
            }
        }
        (true, false) if is_first_of_line => {
            vec![Change::insert(line.start, format!("{indent}{fence};{newline}"))]
        }
        (true, false) => vec![Change::insert(first, format!("{fence}; "))],
    }
}

/// True if the rest of a line has nothing but a comment that ends with it.
fn is_blank(rest: &str) -> bool {
    let rest = rest.trim();
    let is_comment = rest.starts_with("//") && !rest.ends_with('\\');
    let is_closed = rest.starts_with("/*") && rest.find("*/").is_some_and(|at| at + 2 == rest.len());
    rest.is_empty() || is_comment || is_closed
}

/// The part of a head before which a fence can stand in each turn of a loop, if the position is in one.
#[must_use]
pub fn head(position: &Position) -> Option<usize> {
    let (part, tokens) = position.part.as_ref()?;
    let is_of_loop = position.innermost().shape == Shape::Loop && *part != Part::Other;
    is_of_loop.then_some(tokens.start)
}

/// The functions that store with an order, and the constants of the orders that are weaker than these.
const STORES: [&str; 5] =
    ["atomic_store_explicit", "__c11_atomic_store", "__atomic_store_n", "__atomic_store", "store"];
const WEAKER: [&str; 3] = ["relaxed", "release", "RELAXED"];

/// The memory order of the only atomic store among some tokens, if it is written there as a constant that is
/// weaker than the wanted one.
#[must_use]
pub fn order(syntax: &Syntax, mut tokens: Range<usize>, kind: FenceKind) -> Option<(Spot, Vec<Change>)> {
    let is_store = |&at: &usize| STORES.contains(&syntax.word(at)) && syntax.word(at + 1) == "(";
    let (store, another) = (tokens.find(is_store)?, tokens.find(is_store));
    let last = syntax.partner(store + 1)?.checked_sub(1)?;
    let word = syntax.word(last);
    let (prefix, order) = word.rsplit_at_order()?;
    let is_weaker = WEAKER.contains(&order) || (order == "RELEASE" && kind == FenceKind::Full);
    let is_weaker = is_weaker && !(order == "release" && kind == FenceKind::StoreStore);
    let stronger = match (kind, prefix) {
        (FenceKind::Full, "__ATOMIC_") => "SEQ_CST",
        (FenceKind::Full, _) => "seq_cst",
        (FenceKind::StoreStore, "__ATOMIC_") => "RELEASE",
        (FenceKind::StoreStore, _) => "release",
    };
    let bytes = syntax.tokens[last].bytes.clone();
    let change = Change { at: bytes.start, removed: bytes.len(), inserted: format!("{prefix}{stronger}") };
    (another.is_none() && is_weaker).then_some((Spot::Order(bytes.start), vec![change]))
}

trait OrderConstant {
    fn rsplit_at_order(&self) -> Option<(&str, &str)>;
}

impl OrderConstant for str {
    /// The prefix of a constant of a memory order, and the order.
    fn rsplit_at_order(&self) -> Option<(&str, &str)> {
        let prefixes = ["memory_order_", "__ATOMIC_"];
        let prefix = prefixes.into_iter().find(|prefix| self.starts_with(prefix))?;
        Some(self.split_at(prefix.len()))
    }
}
