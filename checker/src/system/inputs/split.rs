//! Questions about the values of symbols: each divides the set of an input's values.

use super::relations::MOST_FOUND;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::choices::ChoiceKind;
use crate::system::symbols::ranges::Ranges;
use crate::system::symbols::table::Condition;

/// Values of a symbol that are tried one by one, at most: each makes a successor of the state. 65,536 take a
/// tenth of a second.
pub(super) const MOST_VALUES: u128 = 1 << 16;

/// Values of a result that are tried one by one, at most: what each means for the input is found anew
/// whenever the step is run.
const MOST_RESULTS: u128 = 1 << 8;

impl Machine<'_> {
    /// True if a symbol is one of these numbers: asked, unless only one answer is possible.
    ///
    /// # Errors
    /// The condition has too many ranges, and the input too many values to try each.
    pub(super) fn is_in(&mut self, symbol: Symbol, numbers: &Ranges) -> Result<bool, StepEnd> {
        if self.names_answers() {
            return self.named_is_in(symbol, numbers);
        }
        let symbols = &self.memory.table.symbols;
        let all = symbols.values(symbol);
        let (inside, outside) = (all.and(numbers), all.and(&numbers.complement(u64::MAX)));
        // The set is a superset of the values, so these say nothing if they are not empty.
        if inside.is_empty() || outside.is_empty() {
            return Ok(outside.is_empty());
        }
        let [yes, no] = [&inside, &outside].map(|numbers| symbols.condition(symbol, numbers));
        let (Some(yes), Some(no)) = (yes, no) else {
            let value = self.value_behind(symbol)?;
            return Ok(numbers.contains(value));
        };
        let (may_be, may_not) = (self.is_possible(&yes)?, self.is_possible(&no)?);
        let answer = match (may_be, may_not) {
            (true, true) => self.choices.ask(ChoiceKind::Input, 2) == 0,
            (true, false) | (false, true) => may_be,
            (false, false) => unreachable!("an input has a value"),
        };
        let condition = if answer { yes } else { no };
        let symbols = &mut self.memory.table.symbols;
        // Also where nothing was asked, because a kept result or a relation rules out the other part: who
        // asks relies on the answer from now on. A comparison is asked anew if it is made again.
        let is_bit = symbols.width(symbol) == 1;
        if !is_bit || may_be && may_not {
            symbols.narrow(condition);
        }
        Ok(answer)
    }

    /// The value of a symbol whose input gets a value: each that it may have, if the engine asks often
    /// enough.
    fn value_behind(&mut self, symbol: Symbol) -> Result<u64, StepEnd> {
        match self.memory.table.symbols.origin(symbol) {
            Some((of, operation)) => self.value_behind(of).map(|value| operation.apply(value)),
            None => self.value_of(symbol),
        }
    }

    /// True if a symbol is a number from `low` to `high`, both included.
    pub(super) fn is_between(&mut self, symbol: Symbol, low: u64, high: u64) -> Result<bool, StepEnd> {
        self.is_in(symbol, &Ranges::from_to(low, high))
    }

    /// True if a symbol is negative as a signed number.
    pub(super) fn is_negative(&mut self, symbol: Symbol) -> Result<bool, StepEnd> {
        let width = self.memory.table.symbols.width(symbol);
        self.is_between(symbol, 1 << (width - 1), mask(width))
    }

    /// The value of a symbol: each of those that it may have, if the engine asks often enough.
    ///
    /// # Errors
    /// They are too many.
    pub(in crate::system) fn value_of(&mut self, symbol: Symbol) -> Result<u64, StepEnd> {
        if self.names_answers() {
            return self.named_value(symbol);
        }
        let symbols = &self.memory.table.symbols;
        let values = symbols.values(symbol);
        if let Some(value) = values.single() {
            return Ok(value);
        }
        if let Some(group) = symbols.group(symbol) {
            return self.related_value(symbol, &group);
        }
        let is_result = symbols.origin(symbol).is_some();
        if is_result && !symbols.is_exact(symbol) {
            let of_root = symbols.values(symbols.root_of(symbol)).count();
            let is_shorter = of_root > MOST_RESULTS && values.count() <= MOST_FOUND as u128;
            if is_shorter || of_root > MOST_VALUES {
                let members = symbols.members(symbol);
                return self.related_value(symbol, &members);
            }
            return self.value_behind(symbol);
        }
        if values.count() > MOST_VALUES {
            return Err(StepEnd::Limit(Unknown::Nondet));
        }
        let condition = |value| symbols.condition(symbol, &Ranges::from_to(value, value));
        let numbers = (0..values.count() as u64).map_while(|at| values.nth(at));
        if !is_result {
            let at = self.choices.ask(ChoiceKind::Input, values.count() as usize);
            let value = values.nth(at as u64).expect("a place below the number of values");
            let condition = Condition { symbol, values: Ranges::from_to(value, value) };
            if !self.memory.table.symbols.is_possible(&condition) {
                // A kept result says that the input is another one.
                return Err(StepEnd::Pruned);
            }
            self.memory.table.symbols.narrow(condition);
            return Ok(value);
        }
        let parts: Option<Vec<_>> =
            if values.count() <= MOST_RESULTS { numbers.map(condition).collect() } else { None };
        let Some(mut parts) = parts else { return self.value_behind(symbol) };
        let at = self.choices.ask(ChoiceKind::Input, parts.len());
        let value = values.nth(at as u64).expect("a place below the number of values");
        self.memory.table.symbols.narrow(parts.swap_remove(at));
        Ok(value)
    }
}
