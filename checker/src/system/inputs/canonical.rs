//! The canonical form of a state with symbols.
//!
//! Symbols are numbered in the order in which the state vector has them: pending stores first, then pages,
//! then threads, then the sizes of objects. A symbol with only one value is replaced by it. A symbol that
//! nothing in the state refers to is gone, unless a condition relates it to one that is not, and an input
//! whose only use is one result is replaced by that: the result becomes an input with the values that it may
//! have. No other symbol depends on what is gone, so the states that the vector stands for remain the same.
//! Inputs that only conditions on differences relate to others are gone, too: `symbols/projection.rs`.

use std::sync::Arc;

use rmc_runtime::Buffers;

use crate::hash::FxHashMap;
use crate::ir::symbol::Symbol;
use crate::ir::value::Value;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::state::object_table::{Extent, Object, ThreadState, words_of_pages};
use crate::system::state::threads;
use crate::system::step::access::{bytes, words};
use crate::system::symbols::combination::Operand;
use crate::system::symbols::operation::{Operation, OperationKind};
use crate::system::symbols::ranges::Ranges;
use crate::system::symbols::table::{Condition, SymbolTable};

/// The kinds of components that may have symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Stores,
    Frame,
    List,
    /// The end of a thread, with its result.
    End,
    /// A page with so many words of data.
    Page(usize),
}

/// A cache of the symbols in each component, in order.
#[derive(Debug, Default)]
pub(in crate::system) struct SymbolsOfComponents(FxHashMap<(Part, Id), Arc<[Symbol]>>);

/// The fate of a symbol in the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It has another number.
    Named(Symbol),
    /// It has this value.
    Known(u64),
    /// Nothing refers to it.
    Gone,
}

/// The fate of an input in the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputFate {
    /// Nothing depends on it: it may have any of its values that those of the other free inputs allow.
    Free,
    /// It is an input of the new state, or what operations made of it is; each with the values that its
    /// operand had.
    Becomes(Symbol, Vec<(Operation, Ranges)>),
}

/// The changes that the canonical form made.
#[derive(Debug, Default)]
pub(super) struct Canonicalised {
    /// True if the vector is another one.
    pub changes: bool,
    pub inputs: Vec<(Symbol, InputFate)>,
    /// True if inputs are free whose values those of others bound.
    pub is_projected: bool,
}

/// The symbols of the canonical form, and the fates of the old ones.
struct Renumbering {
    table: SymbolTable,
    /// The new number of each old symbol that is there.
    names: Vec<Option<Symbol>>,
    fates: Vec<Fate>,
    inputs: Vec<(Symbol, InputFate)>,
}

/// The references to each symbol.
struct Uses {
    /// By parts of the state and by results, for each symbol.
    counts: Vec<u32>,
    /// Symbols that are.
    needed: Vec<Symbol>,
}

impl Uses {
    /// A part of the state, or of what is known of inputs, refers to a symbol.
    fn add(&mut self, table: &SymbolTable, symbol: Symbol) {
        self.counts[usize::from(symbol.0)] += 1;
        let mut next = vec![symbol];
        while let Some(symbol) = next.pop() {
            if !self.needed.contains(&symbol) {
                self.needed.push(symbol);
                let operands = table.open_operands(symbol);
                operands.iter().for_each(|of| self.counts[usize::from(of.0)] += 1);
                next.extend(operands);
            }
        }
    }
}

impl Renumbering {
    /// The canonical form of a table of which the state has these symbols, in this order.
    fn new(old: &SymbolTable, found: &[Symbol]) -> Self {
        let mut new = Self {
            table: SymbolTable::default(),
            names: vec![None; old.len()],
            fates: vec![Fate::Gone; old.len()],
            inputs: Vec::new(),
        };
        let is_open = |symbol: &Symbol| old.value(*symbol).is_none();
        for symbol in old.symbols() {
            if let Some(value) = old.value(symbol) {
                new.fates[usize::from(symbol.0)] = Fate::Known(value);
            }
        }
        let mut uses = Uses { counts: vec![0; old.len()], needed: Vec::new() };
        let mut roots: Vec<Symbol> = found.iter().copied().filter(is_open).collect();
        roots.iter().for_each(|&symbol| uses.add(old, symbol));
        for symbol in old.kept_with(&uses.needed) {
            // What is made of known numbers meets its condition.
            if !uses.needed.contains(&symbol) && !old.open_operands(symbol).is_empty() {
                uses.add(old, symbol);
                roots.push(symbol);
            }
        }
        for symbol in roots {
            new.add(old, symbol, &uses.counts);
        }
        for symbol in old.symbols().filter(|&symbol| old.is_input(symbol)) {
            if !new.inputs.iter().any(|(input, _)| *input == symbol) {
                new.inputs.push((symbol, InputFate::Free));
            }
        }
        new
    }

    /// Adds a symbol and what it is the result of.
    fn add(&mut self, old: &SymbolTable, symbol: Symbol, uses: &[u32]) -> Symbol {
        if let Some(new) = self.names[usize::from(symbol.0)] {
            return new;
        }
        let room = "no more symbols than before";
        let new = match Self::projected(old, symbol, uses) {
            Some((input, operations)) => {
                let new = self.table.input(old.width(symbol), old.values(symbol)).expect(room);
                self.inputs.push((input, InputFate::Becomes(new, operations)));
                new
            }
            None => {
                let new = self.made(old, symbol, uses);
                if let Some(kept) = old.kept_values(symbol) {
                    let all = self.table.values(new);
                    let values = all.and(&kept);
                    if values != all {
                        self.table.narrow(Condition { symbol: new, values });
                    }
                }
                new
            }
        };
        self.names[usize::from(symbol.0)] = Some(new);
        // Of what has a value only the condition is kept.
        let fate = &mut self.fates[usize::from(symbol.0)];
        if *fate == Fate::Gone {
            *fate = Fate::Named(new);
        }
        new
    }

    /// The symbol of a result or combination, made of the symbols of its operands.
    fn made(&mut self, old: &SymbolTable, symbol: Symbol, uses: &[u32]) -> Symbol {
        let room = "no more symbols than before";
        if let Some((of, operation)) = old.origin(symbol) {
            let of = self.add(old, of, uses);
            return self.table.result(of, operation).expect(room);
        }
        let combination = old.combination(symbol).expect("an input becomes an input");
        let combination = combination.renamed(|of| match old.value(of) {
            Some(value) => Operand::Constant(value),
            None => Operand::Symbol(self.add(old, of, uses)),
        });
        match combination.as_operation() {
            Some((of, Operation { kind: OperationKind::Add(0), .. })) => Some(of),
            Some((of, operation)) => self.table.result(of, operation),
            None => self.table.combined(combination),
        }
        .expect(room)
    }

    /// The input behind a symbol and the operations on the way, if the symbol can take its place: nothing
    /// else depends on what lies between.
    fn projected(old: &SymbolTable, symbol: Symbol, uses: &[u32]) -> Option<(Symbol, Vec<(Operation, Ranges)>)> {
        if old.origin(symbol).is_some() && (!old.is_exact(symbol) || old.group(symbol).is_some()) {
            return None;
        }
        let (mut at, mut operations) = (symbol, Vec::new());
        while let Some((of, operation)) = old.origin(at) {
            if uses[usize::from(of.0)] != 1 {
                return None;
            }
            operations.push((operation, old.values(of)));
            at = of;
        }
        old.is_input(at).then_some((at, operations))
    }

    /// True if every symbol keeps its number, and no word its value.
    fn keeps_all(&self, found: &[Symbol]) -> bool {
        (0..).zip(&self.names).all(|(at, name)| *name == Some(Symbol(at)))
            && found.iter().all(|symbol| matches!(self.fates[usize::from(symbol.0)], Fate::Named(_)))
    }

    /// The extent of an object with what becomes of its symbol.
    fn extent(&self, object: &Object) -> Extent {
        let Extent::Open(symbol) = object.extent else { return object.extent };
        match &self.fates[usize::from(symbol.0)] {
            Fate::Known(size) if *size == u64::from(object.size) => Extent::Stored,
            Fate::Known(size) => Extent::Known(u32::try_from(*size).expect("the size of an object is bounded")),
            Fate::Named(new) => Extent::Open(*new),
            Fate::Gone => unreachable!("the state has the symbol"),
        }
    }

    /// A word with what becomes of its symbols.
    fn word(&self, word: Value) -> Value {
        Symbol::of_word(word).fold(word, |result, (at, symbol, place)| match &self.fates[usize::from(symbol.0)] {
            Fate::Known(value) => result.with_byte(at, Value::new(value >> (8 * place))),
            Fate::Named(new) => {
                let Value { bits, undef } = new.word(64);
                result.with_byte(at, Value { bits: bits >> (8 * place), undef: undef >> (8 * place) })
            }
            Fate::Gone => unreachable!("the state has the symbol"),
        })
    }
}

impl Machine<'_> {
    /// Replaces the vector of the working state, which was just packed, by its canonical form. True if that
    /// is another one, and what becomes of each input.
    pub(super) fn canonicalise(&mut self, vector: &mut [Id]) -> Canonicalised {
        if self.memory.table.symbols.is_empty() {
            return Canonicalised::default();
        }
        let found = self.symbols_in(vector);
        let mut old = self.memory.table.symbols.clone();
        old.settle();
        let is_projected = old.project(&found);
        if is_projected {
            old.settle();
        }
        let new = Renumbering::new(&old, &found);
        let changes = !new.keeps_all(&found) || new.table != self.memory.table.symbols;
        if changes {
            for (at, part) in self.parts(vector) {
                vector[at] = self.renumbered(&new, part, vector[at]);
            }
            let mut table = self.memory.table.clone();
            table.objects.iter_mut().for_each(|object| object.extent = new.extent(object));
            table.symbols = new.table;
            let mut words = Vec::new();
            table.encode(&mut words);
            vector[0] = self.memory.components.intern(&words);
        }
        Canonicalised { changes, inputs: new.inputs, is_projected }
    }

    /// The symbols in the components of the working state, whose vector this is, in the order in which the
    /// canonical form numbers them. Some are there several times.
    pub(super) fn symbols_in(&mut self, vector: &[Id]) -> Vec<Symbol> {
        let mut known = std::mem::take(&mut self.encoding.symbols);
        let mut found = Vec::new();
        for (at, part) in self.parts(vector) {
            found.extend(self.symbols_of(&mut known, part, vector[at]).iter().copied());
        }
        found.extend(self.memory.table.objects.iter().filter_map(|object| object.extent.symbol()));
        self.encoding.symbols = known;
        found
    }

    /// The places in a vector of components that may have symbols, in the order in which these are numbered:
    /// what a thread's steps change most comes last.
    fn parts(&self, vector: &[Id]) -> Vec<(usize, Part)> {
        let first = self.first_thread();
        let threads = self.threads.slots.len();
        let mut parts = vec![(1, Part::Stores)];
        let program = self.program;
        let globals = program.shared_globals.iter().map(|global| program.globals[global.index()].size);
        let objects = self.memory.table.objects.iter().map(|object| object.size);
        let pages = globals.chain(objects).flat_map(words_of_pages);
        parts.extend((first + 2 * threads..).zip(pages.map(Part::Page)));
        for thread in (0..threads).filter(|&thread| self.memory.table.threads[thread] != ThreadState::Free) {
            let at = first + 2 * thread;
            let ended = vector[at + 1] == self.encoding.ended;
            parts.extend([(at, if ended { Part::End } else { Part::Frame })]);
            parts.extend((!ended).then_some((at + 1, Part::List)));
        }
        parts
    }

    /// The symbols in a component, in order, each once.
    fn symbols_of(&self, known: &mut SymbolsOfComponents, part: Part, id: Id) -> Arc<[Symbol]> {
        if let Some(found) = known.0.get(&(part, id)) {
            return Arc::clone(found);
        }
        let mut found: Vec<Symbol> = Vec::new();
        if let (Part::List, Some((frame, below))) = (part, threads::split_list(&self.memory.components, id)) {
            found.extend(self.symbols_of(known, Part::Frame, frame).iter());
            found.extend(self.symbols_of(known, Part::List, below).iter());
        } else if part != Part::List {
            let mut content = self.memory.components.get(id).to_vec();
            self.each_word(part, &mut content, |word| {
                found.extend(Symbol::of_word(word).map(|(_, symbol, _)| symbol));
                word
            });
        }
        let mut seen = Vec::new();
        found.retain(|symbol| {
            !seen.contains(symbol) && {
                seen.push(*symbol);
                true
            }
        });
        let found: Arc<[Symbol]> = found.into();
        known.0.insert((part, id), Arc::clone(&found));
        found
    }

    fn renumbered(&mut self, new: &Renumbering, part: Part, id: Id) -> Id {
        let mut known = std::mem::take(&mut self.encoding.symbols);
        let is_plain = self.symbols_of(&mut known, part, id).is_empty();
        self.encoding.symbols = known;
        if is_plain {
            return id;
        }
        let mut content = self.memory.components.get(id).to_vec();
        if part == Part::List {
            let (frame, below) =
                threads::split_list(&self.memory.components, id).expect("the empty list has no symbols");
            let frame = self.renumbered(new, Part::Frame, frame);
            let below = self.renumbered(new, Part::List, below);
            content = threads::joined_list(frame, below).to_vec();
        } else {
            self.each_word(part, &mut content, |word| new.word(word));
        }
        self.memory.components.intern(&content)
    }

    /// Replaces each word of a component, with its undefined bits, by what `map` makes of it.
    fn each_word(&self, part: Part, content: &mut Vec<u64>, mut map: impl FnMut(Value) -> Value) {
        match part {
            Part::Stores => {
                let mut buffers = Buffers::new(self.config.model());
                buffers.decode(content);
                buffers.map_values(|value| bytes(words(value).map(&mut map), 16));
                content.clear();
                buffers.encode(content);
            }
            Part::Frame => threads::map_registers(content, map),
            Part::End => {
                let value = map(Value { bits: content[0], undef: content[1] });
                content.copy_from_slice(&[value.bits, value.undef]);
            }
            Part::Page(len) => {
                content.resize(2 * len, 0);
                for at in 0..len {
                    let value = map(Value { bits: content[at], undef: content[len + at] });
                    (content[at], content[len + at]) = (value.bits, value.undef);
                }
                if content[len..].iter().all(|&undef| undef == 0) {
                    content.truncate(len);
                }
            }
            Part::List => unreachable!("a list of frames has no words of its own"),
        }
    }
}
