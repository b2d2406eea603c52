//! The edits that may forbid a delay: places that its thread passes between the store and the later
//! operation.
//!
//! Between two operations next to each other on the way, the thread leaves the statements around the first
//! one and enters those around the second, up to the innermost statement that has both. Behind each that it
//! leaves and before each that it enters there is a place. Where it goes back to the beginning of a loop, the
//! place is before the loop's condition. In functions that it returns from or calls on the way, only the
//! innermost statement that it leaves is taken, and all that it enters.
//!
//! Where both operations are in one expression, the places are behind its commas, and in the macros that it
//! uses, and that these use: after each of their statements and behind their commas. Such an edit is made at
//! each use of the macro, and costs as much as its uses together.
//!
//! A place may turn out not to be on the way (a `goto` leads past it): then the delay is found again after
//! the edit, and the edit is not proposed for it any more. So this file decides what can be proposed, and
//! never what is right.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::edit::{self, Change, Spot};
use super::macros::Macro;
use super::source::Source;
use super::syntax::{Position, Shape, Statement, Syntax};
use crate::outcome::cycle::FenceKind;
use crate::outcome::delay::{Delay, SourcePoint, Stack};

/// The sources that may be edited, by the names that places have.
pub type Sources = BTreeMap<String, Source>;

/// The kinds of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditKind {
    /// A fence is inserted.
    Fence(FenceKind),
    /// The order of an atomic store is made stronger.
    Order(FenceKind),
}

impl EditKind {
    /// The kind of fence that the edit acts like.
    #[must_use]
    pub const fn strength(self) -> FenceKind {
        match self {
            Self::Fence(kind) | Self::Order(kind) => kind,
        }
    }
}

/// An edit that may be proposed.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The source, by its name in places.
    pub file: String,
    /// The place in it.
    pub spot: Spot,
    /// What is done there.
    pub kind: EditKind,
    /// The changes of the source's text.
    pub changes: Vec<Change>,
    /// True if the place is in a loop of the thread.
    pub in_loop: bool,
    /// The number of times that functions use what is changed, 1 if it is no macro, and at most 65,536.
    pub uses: u64,
}

/// The cost of a full fence outside loops. Each other cost is seen beside it.
const FULL: u64 = 20;
const FULL_IN_LOOP: u64 = 30;
const STORE_STORE: u64 = 8;
const STORE_STORE_IN_LOOP: u64 = 12;
/// The largest number of uses that is counted, so that costs are no large numbers.
const MOST_USES: u64 = 1 << 16;

impl Edit {
    /// The cost: that of the fence, less outside loops. A stronger order costs a little more than a fence: it
    /// says less to the compiler, which may still move a relaxed load before the store.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        let fence = match (self.kind.strength(), self.in_loop) {
            (FenceKind::Full, false) => FULL,
            (FenceKind::Full, true) => FULL_IN_LOOP,
            (FenceKind::StoreStore, false) => STORE_STORE,
            (FenceKind::StoreStore, true) => STORE_STORE_IN_LOOP,
        };
        (if matches!(self.kind, EditKind::Order(_)) { fence + 1 } else { fence }) * self.uses
    }

    /// The edit without its text: two edits that are equal in this do the same.
    #[must_use]
    pub fn identity(&self) -> (String, Spot, EditKind) {
        (self.file.clone(), self.spot, self.kind)
    }
}

/// The edits that may forbid a delay. A full fence is enough where a store-store barrier is.
#[must_use]
pub fn candidates(delay: &Delay, sources: &Sources) -> Vec<Edit> {
    let mut found = Found { sources, delay, edits: Vec::new() };
    for pair in delay.path.windows(2) {
        found.between(&pair[0], &pair[1]);
    }
    found.orders();
    found.edits
}

struct Found<'a> {
    sources: &'a Sources,
    delay: &'a Delay,
    edits: Vec<Edit>,
}

impl<'a> Found<'a> {
    fn between(&mut self, from: &Stack, to: &Stack) {
        let depths = from.iter().zip(to);
        let common = depths.take_while(|(one, other)| one.code == other.code).count();
        // Where all frames are the same, the thread is back at the same instruction.
        let Some(last) = (from.len().min(to.len())).checked_sub(1) else { return };
        let depth = common.min(last);
        for callee in depth + 1..from.len() {
            if let Some(position) = self.position(&from[callee]) {
                self.fence(from, callee, position.innermost(), Spot::After);
            }
        }
        self.within(from, to, depth);
        for callee in depth + 1..to.len() {
            if let Some(position) = self.position(&to[callee]) {
                self.enter(to, callee, &position, 0);
            }
        }
    }

    /// The places in the innermost common frame.
    fn within(&mut self, from: &Stack, to: &Stack, depth: usize) {
        let positions = [&from[depth], &to[depth]].map(|point| self.position(point));
        let [Some(left), Some(entered)] = positions else { return };
        let is_same = |(one, other): &(&Statement, &Statement)| one.tokens == other.tokens;
        let common = left.chain.iter().zip(&entered.chain).take_while(is_same).count();
        let is_back = to[depth].code <= from[depth].code;
        let same_file = from[depth].file == to[depth].file;
        if !same_file {
            return;
        }
        let is_same_leaf = common == left.chain.len() && common == entered.chain.len();
        match (is_same_leaf, edit::head(&entered)) {
            (true, Some(_)) if is_back => self.head(to, depth, &entered),
            (true, None) if is_back => {
                self.fence(from, depth, left.innermost(), Spot::After);
                self.fence(to, depth, entered.innermost(), Spot::Before);
            }
            (true, Some(_)) if left.part != entered.part => self.head(to, depth, &entered),
            (true, _) => self.inside(from, depth, &left),
            (false, _) => {
                for statement in &left.chain[common..] {
                    self.fence(from, depth, statement, Spot::After);
                }
                self.enter(to, depth, &entered, common);
            }
        }
    }

    /// The places before statements that are entered, from the one with this index on, and before the
    /// condition in whose head the position is.
    fn enter(&mut self, stack: &Stack, depth: usize, position: &Position, first: usize) {
        for statement in &position.chain[first.min(position.chain.len())..] {
            self.fence(stack, depth, statement, Spot::Before);
        }
        self.head(stack, depth, position);
    }

    fn head(&mut self, stack: &Stack, depth: usize, position: &Position) {
        if let Some(token) = edit::head(position) {
            let first = self.byte(&stack[depth].file, token);
            self.add(stack, depth, position.innermost(), Spot::InHead(first), true);
        }
    }

    fn fence(&mut self, stack: &Stack, depth: usize, statement: &Statement, spot: fn(usize) -> Spot) {
        let first = self.byte(&stack[depth].file, statement.tokens.start);
        self.add(stack, depth, statement, spot(first), false);
    }

    /// The first byte of a token of a file's functions.
    fn byte(&self, file: &str, token: usize) -> usize {
        let syntax = self.sources.get(file).and_then(|source| source.syntax.as_ref());
        syntax.expect("a position is in a source with a syntax").tokens[token].bytes.start
    }

    /// The places within the expression that a position is in.
    fn inside(&mut self, stack: &Stack, depth: usize, position: &Position) {
        let Some((name, source)) = self.sources.get_key_value(&stack[depth].file) else { return };
        let Some(syntax) = &source.syntax else { return };
        let in_loop = self.is_in_loop(stack, depth, None);
        for comma in syntax.commas(position.tokens()) {
            self.fences(name, (in_loop, 1), |fence| Some(edit::between(syntax, comma, fence)));
        }
        for (name, within) in self.macros(source, position) {
            let uses = self.uses(within);
            for (statement, is_in_own) in within.statements() {
                let cost = (in_loop || is_in_own, uses);
                self.fences(name, cost, |fence| edit::in_macro(within, &statement, fence));
            }
            for comma in within.commas() {
                self.fences(name, (in_loop, uses), |fence| Some(edit::between(&within.syntax, comma, fence)));
            }
        }
    }

    /// The macros that the expression of a position uses, and those that their texts use, each with its file.
    fn macros(&self, source: &Source, position: &Position) -> Vec<(&'a str, &'a Macro)> {
        let words = |syntax: &Syntax, tokens: Range<usize>| tokens.map(|at| syntax.word(at).to_owned()).collect();
        let mut names: Vec<String> =
            source.syntax.as_ref().map_or_else(Vec::new, |syntax| words(syntax, position.tokens()));
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        while let Some(name) = names.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            for (file, source) in self.sources {
                for within in source.macros.iter().filter(|within| within.name == name) {
                    names.append(&mut words(&within.syntax, within.tokens()));
                    found.push((file.as_str(), within));
                }
            }
        }
        found
    }

    /// The number of times that functions use a macro, also by way of other macros; at least 1.
    fn uses(&self, within: &Macro) -> u64 {
        self.uses_of(&within.name, &mut Vec::new()).clamp(1, MOST_USES)
    }

    /// The number of times that functions use a macro of this name. `around` are the macros whose uses are being
    /// counted, which this one is part of.
    fn uses_of<'n>(&self, name: &'n str, around: &mut Vec<&'n str>) -> u64
    where
        'a: 'n,
    {
        // A macro is not expanded within itself (C11, 6.10.3.4).
        if around.contains(&name) {
            return 0;
        }
        around.push(name);
        let count = |syntax: &Syntax, tokens: Range<usize>| tokens.filter(|&at| syntax.word(at) == name).count() as u64;
        let mut uses = 0_u64;
        for source in self.sources.values() {
            uses += source.syntax.iter().map(|syntax| count(syntax, 0..syntax.tokens.len())).sum::<u64>();
            for other in &source.macros {
                let times = count(&other.syntax, other.tokens());
                if times > 0 {
                    uses = uses.saturating_add(times.saturating_mul(self.uses_of(&other.name, around)));
                }
            }
        }
        around.pop();
        uses
    }

    /// Offers the fences at a place of a file: `edit` gives the place and the changes with the text of one.
    fn fences(&mut self, file: &str, (in_loop, uses): (bool, u64), edit: impl Fn(&str) -> Option<(Spot, Vec<Change>)>) {
        for &kind in self.kinds() {
            if let Some((spot, changes)) = edit(&self.sources[file].fence(kind)) {
                self.keep(Edit { file: file.to_owned(), spot, kind: EditKind::Fence(kind), changes, in_loop, uses });
            }
        }
    }

    /// The kinds of fences that forbid the delay.
    const fn kinds(&self) -> &'static [FenceKind] {
        match self.delay.kind {
            FenceKind::Full => &[FenceKind::Full],
            FenceKind::StoreStore => &[FenceKind::StoreStore, FenceKind::Full],
        }
    }

    fn add(&mut self, stack: &Stack, depth: usize, statement: &Statement, spot: Spot, in_head: bool) {
        let point = &stack[depth];
        let Some(source) = self.sources.get(&point.file) else { return };
        let in_loop = in_head || self.is_in_loop(stack, depth, Some(statement));
        for &kind in self.kinds() {
            if let Some(changes) = edit::fence(source, statement, spot, kind) {
                let kind = EditKind::Fence(kind);
                self.keep(Edit { file: point.file.clone(), spot, kind, changes, in_loop, uses: 1 });
            }
        }
    }

    /// The stronger orders: of the store, or of the later store if a store-store barrier is enough.
    fn orders(&mut self) {
        let delay = self.delay;
        let ends = [(delay.path.first(), FenceKind::Full), (delay.path.last(), FenceKind::StoreStore)];
        for (stack, kind) in ends {
            let Some(stack) = stack.filter(|_| kind == FenceKind::Full || delay.kind == kind) else { continue };
            let known = stack.iter().enumerate().rev().filter(|(_, point)| self.sources.contains_key(&point.file));
            let Some((depth, point)) = known.into_iter().next() else { continue };
            let Some(position) = self.position(point) else { continue };
            let source = &self.sources[&point.file];
            let own = source.syntax.as_ref().and_then(|syntax| edit::order(syntax, position.tokens(), kind));
            let own = own.map(|(spot, changes)| (point.file.as_str(), spot, changes, 1));
            let in_macros = self.macros(source, &position).into_iter().filter_map(|(file, within)| {
                let (spot, changes) = edit::order(&within.syntax, within.tokens(), kind)?;
                Some((file, spot, changes, self.uses(within)))
            });
            let in_loop = self.is_in_loop(stack, depth, None);
            for (file, spot, changes, uses) in own.into_iter().chain(in_macros).collect::<Vec<_>>() {
                self.keep(Edit { file: file.to_owned(), spot, kind: EditKind::Order(kind), changes, in_loop, uses });
            }
        }
    }

    fn keep(&mut self, edit: Edit) {
        if !self.edits.iter().any(|known| known.identity() == edit.identity()) {
            self.edits.push(edit);
        }
    }

    /// True if a loop is around a statement, or around a call that leads to it.
    fn is_in_loop(&self, stack: &Stack, depth: usize, statement: Option<&Statement>) -> bool {
        let loops = |at: usize| {
            let chain = self.position(&stack[at]).map_or_else(Vec::new, |position| position.chain);
            let within = |other: &&Statement| {
                let own = statement.filter(|_| at == depth);
                own.is_none_or(|own| other.tokens != own.tokens && other.tokens.contains(&own.tokens.start))
            };
            chain.iter().filter(within).any(|around| around.shape == Shape::Loop)
        };
        (0..=depth).any(loops)
    }

    fn position(&self, point: &SourcePoint) -> Option<Position> {
        self.sources.get(&point.file)?.position(point.line, point.column)
    }
}
