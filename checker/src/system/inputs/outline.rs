//! States that differ only in the conditions on their inputs.
//!
//! The *outline* of a state is its vector with the conditions left out of the table of symbols, and with them
//! the symbols that are only there for conditions. A state stands for the states that its outline becomes
//! with numbers for the inputs, for all numbers that meet its conditions. So of two states with the same
//! outline one stands for a subset of what the other stands for, if its conditions imply those of the other
//! (`symbols/implication.rs`). The search need not explore it then: see `engine/explicit/subsumption.rs`.
//!
//! In a canonical form (`canonical.rs`) the symbols that the state refers to, and what they are made of, come
//! first. Their numbers, and the number of them, are those of the outline.

use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectTable;
use crate::system::symbols::table::SymbolTable;

/// The outline of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its vector.
    pub vector: Vec<Id>,
    /// The number of symbols.
    pub symbols: usize,
}

impl Machine<'_> {
    /// The outline of a state in canonical form. `None`: it has no symbols, so it is its own outline. Leaves
    /// the machine in that state.
    pub fn outline(&mut self, vector: &[Id]) -> Option<Outline> {
        if !ObjectTable::has_symbols(self.memory.components.get(vector[0])) {
            return None;
        }
        self.unpack(vector);
        let found = self.symbols_in(vector);
        let all = &self.memory.table.symbols;
        let symbols = all.prefix_with(&found).unwrap_or_else(|| all.len());
        let mut table = self.memory.table.clone();
        table.symbols = table.symbols.without_conditions(symbols);
        let mut words = Vec::new();
        table.encode(&mut words);
        let mut outline = vector.to_vec();
        outline[0] = self.memory.components.intern(&words);
        Some(Outline { vector: outline, symbols })
    }

    /// True if the conditions in the first component of one state are known to imply those in that of another
    /// one, whose outline is the same and has so many symbols.
    pub fn implies(&mut self, one: Id, other: Id, symbols: usize) -> bool {
        let [one, other] = [one, other].map(|table| {
            let mut symbols = SymbolTable::default();
            symbols.decode(ObjectTable::symbols_of(self.memory.components.get(table)));
            symbols
        });
        self.relations.implies(&one, &other, symbols, &self.halt)
    }

    /// The words that say what is known of inputs in the first component of a state. They do not depend on
    /// the order in which components were interned.
    #[must_use]
    pub fn conditions(&self, table: Id) -> &[u64] {
        ObjectTable::symbols_of(self.memory.components.get(table))
    }
}
