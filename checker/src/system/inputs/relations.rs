//! Conditions that relate inputs: they are decided together, by a solver.

use crate::ir::symbol::Symbol;
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::choices::ChoiceKind;
use crate::system::symbols::ranges::Ranges;
use crate::system::symbols::table::{Condition, SymbolTable};

/// Values of a symbol that are found by the solver and tried one by one, at most.
pub(super) const MOST_FOUND: usize = 1 << 12;

impl Machine<'_> {
    /// True if the inputs can meet a condition.
    ///
    /// # Errors
    /// The solver did not find out.
    pub(super) fn is_possible(&mut self, condition: &Condition) -> Result<bool, StepEnd> {
        let symbols = &self.memory.table.symbols;
        if !symbols.is_possible(condition) {
            return Ok(false);
        }
        let mut narrowed = symbols.clone();
        narrowed.narrow(condition.clone());
        let Some(group) = narrowed.group(condition.symbol) else { return Ok(true) };
        let answer = self.relations.is_satisfiable(&narrowed, &group, &self.halt);
        answer.ok_or(StepEnd::Limit(Unknown::Nondet))
    }

    /// The value of a symbol of a group: each of those that it may have, if the engine asks often enough.
    ///
    /// # Errors
    /// They are too many, or the solver did not find them.
    pub(super) fn related_value(&mut self, symbol: Symbol, group: &[Symbol]) -> Result<u64, StepEnd> {
        let symbols = &self.memory.table.symbols;
        let values = self.relations.values(symbols, group, symbol, MOST_FOUND, &self.halt);
        let values = values.ok_or(StepEnd::Limit(Unknown::Nondet))?;
        let at = if values.len() > 1 { self.choices.ask(ChoiceKind::Input, values.len()) } else { 0 };
        let value = values[at];
        let condition = symbols.condition(symbol, &Ranges::from_to(value, value));
        self.memory.table.symbols.narrow(condition.expect("one value is one range"));
        Ok(value)
    }

    /// Values that the inputs of a table may have together, each nearest to 0 once those before it are
    /// chosen.
    pub(super) fn examples(&mut self, mut table: SymbolTable) -> Vec<(Symbol, u64)> {
        let inputs: Vec<Symbol> = table.symbols().filter(|&symbol| table.is_input(symbol)).collect();
        let mut examples = Vec::new();
        for input in inputs {
            let value = match table.group(input) {
                None => table.example(input),
                // The values of the inputs before are possible together with some of this one.
                Some(group) => self.relations.simplest(&table, &group, input, &self.halt),
            };
            table.narrow(Condition { symbol: input, values: Ranges::from_to(value, value) });
            examples.push((input, value));
        }
        examples
    }
}
