//! Questions about symbols in executions that a stateless engine explores.
//!
//! Such an engine takes a step of one execution over into others, in which the other threads may have asked
//! more or less of the inputs before. There the step must ask the same questions, and its answers must mean
//! the same. So with update events
//!
//! 1. the questions of a step, and what it makes of its operands, depend only on the symbols that its thread
//!    has, never on the conditions that are known of them. No symbol is replaced by its only value, unless
//!    the thread itself asked for it;
//! 2. every question is recorded with its answer, also if only one is possible. An answer has a name that
//!    does not depend on which others are possible: 0 or 1 for a number that is in a set or not, the value
//!    itself where a value is asked for;
//! 3. states have no canonical form. The number of a symbol remains the same to the end of the execution;
//! 4. a step that asked performs no operation after that: the answers decide what the thread does next, which
//!    is then another step. A compare-exchange that compares symbols counts as a write whatever the answer
//!    is. Modelled functions ask nothing. For `reads-from` an atomic section is one step all the same:
//!    where it asks in the middle, what it reads after that belongs to the answer, as after a choice of the
//!    program. The one exception are questions about sizes (`sizes.rs`): where one is answered with no, the
//!    execution ends with a violation or a limit, and nothing holds any more.
//!
//! # Why steps of different threads that ask of the same input commute
//!
//! Let every input have a fixed value. Then questions compute what the thread alone knows: they touch nothing
//! that others touch, and the conflicts of a step do not depend on its answers (4). By (1) and (2) the step
//! has the same answers wherever it is taken with the same values read. So for each assignment of values, the
//! events with the answers that it gives are the events of a program without inputs, and the executions that
//! are explored with these answers are those of the engine's algorithm for that program: a node has a step's
//! answer for the assignment, because an answer is left out only if no value meets it together with all
//! conditions of the execution so far, which the assignment meets.
//!
//! A plan is made of events of one execution, with their answers. The values that meet all conditions of that
//! execution meet those of the plan, so each answer of the plan is possible where it is taken. Were one not,
//! the execution would end with [`Unknown::Nondet`].
//!
//! # Rounds of loops that wait
//!
//! A step that divides the values of inputs is not idle, although it changes only what its thread knows: for
//! some values the round may lead elsewhere. If only one answer was possible, or if all that was divided are
//! inputs that the step itself asked for, the rounds can be removed as others can (`stepper/idle_rounds.rs`).
//! Whether only one is possible depends on the execution, so a planned step that asks is taken in any case.
//!
//! Tests: `tests/tests/nondet_differential.rs`, `tests/programs/inputs/`.

use super::split::MOST_VALUES;
use crate::ir::address::ObjectId;
use crate::ir::symbol::Symbol;
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::choices::ChoiceKind;
use crate::system::symbols::ranges::Ranges;
use crate::system::symbols::table::Condition;

/// What a step may ask of symbols with update events.
#[derive(Clone, Debug, Default)]
pub(in crate::system) struct NamedQuestions {
    /// The number of symbols before the step.
    before: usize,
    /// True within a modelled function.
    in_model: bool,
    /// True if the step asked for a size.
    pub(super) asked_of_sizes: bool,
    /// The objects that the step asked for, each with a number of bytes that it has.
    pub(super) sizes: Vec<(ObjectId, u32)>,
    /// The use of the value of which there are too many.
    pub(super) needed: Option<String>,
}

/// The end of a step that cannot say what it needs to know.
const UNKNOWN: StepEnd = StepEnd::Limit(Unknown::Nondet);

impl Machine<'_> {
    /// True if questions about symbols, and what their answers mean, depend on no other thread.
    #[inline]
    #[must_use]
    pub const fn names_answers(&self) -> bool {
        self.defers_inputs() && self.config.updates
    }

    /// Begins a step.
    #[inline]
    pub(in crate::system) fn begin_questions(&mut self) {
        if !self.defers_inputs() {
            return;
        }
        (self.named.before, self.named.in_model) = (self.memory.table.symbols.len(), false);
        self.named.asked_of_sizes = false;
        self.named.sizes.clear();
        self.named.needed = None;
    }

    /// An operation begins; a modelled function if `in_model`.
    #[inline]
    pub(in crate::system) const fn begin_operation(&mut self, in_model: bool) {
        self.named.in_model = in_model;
    }

    /// True if the last step asked of symbols with named answers. It performs no operation after that.
    #[inline]
    #[must_use]
    pub fn has_asked_of_symbols(&self) -> bool {
        self.names_answers() && self.choices.has_asked_of_inputs()
    }

    /// True if a symbol has at most so many values, as far as its conditions may be looked at: with update
    /// events, as its width and that of the symbols behind it say.
    pub(super) fn has_few_values(&self, symbol: Symbol, most: u128) -> bool {
        let symbols = &self.memory.table.symbols;
        if !self.names_answers() {
            return symbols.values(symbol).count() <= most;
        }
        let width = symbols.behind(symbol).map(|symbol| symbols.width(symbol)).min();
        width.is_some_and(|width| 1 << width <= most)
    }

    /// True if a symbol is one of these numbers.
    ///
    /// # Errors
    /// A condition has too many ranges, or the solver did not find out.
    pub(super) fn named_is_in(&mut self, symbol: Symbol, numbers: &Ranges) -> Result<bool, StepEnd> {
        self.may_ask()?;
        let symbols = &self.memory.table.symbols;
        let all = symbols.values(symbol);
        let parts = [all.and(numbers), all.and(&numbers.complement(u64::MAX))];
        let mut possible = Vec::new();
        let mut conditions: [Option<Condition>; 2] = [None, None];
        match parts.each_ref().map(Ranges::is_empty) {
            [true, _] => possible.push(1),
            [_, true] => possible.push(0),
            _ => {
                for (name, part) in (0..).zip(&parts) {
                    let symbols = &self.memory.table.symbols;
                    let condition = symbols.condition(symbol, part).ok_or(UNKNOWN)?;
                    if self.is_possible(&condition)? {
                        possible.push(name);
                    }
                    conditions[name as usize] = Some(condition);
                }
            }
        }
        let answer = self.named_answer(symbol, &possible)?;
        let is_bit = self.memory.table.symbols.width(symbol) == 1;
        if let Some(condition) = conditions[answer as usize].take()
            && (!is_bit || possible.len() > 1)
        {
            self.memory.table.symbols.narrow(condition);
        }
        Ok(answer == 0)
    }

    /// The value of a symbol: each of those that it may have, if the engine asks often enough.
    ///
    /// # Errors
    /// They are too many, or the solver did not find them.
    pub(super) fn named_value(&mut self, symbol: Symbol) -> Result<u64, StepEnd> {
        self.may_ask()?;
        let symbols = &self.memory.table.symbols;
        let values = if symbols.group(symbol).is_none() && symbols.is_exact(symbol) {
            let values = symbols.values(symbol);
            if values.count() > MOST_VALUES {
                return Err(UNKNOWN);
            }
            (0..values.count() as u64).map_while(|at| values.nth(at)).collect()
        } else {
            let members = symbols.members(symbol);
            self.relations.values(symbols, &members, symbol, super::relations::MOST_FOUND, &self.halt).ok_or(UNKNOWN)?
        };
        self.give_value(symbol, &values)
    }

    /// Gives a symbol one value that it may have: the simplest, or the one that is prescribed.
    pub(super) fn named_example(&mut self, symbol: Symbol) -> Result<u64, StepEnd> {
        self.may_ask()?;
        let symbols = &self.memory.table.symbols;
        let members = symbols.members(symbol);
        let value = self.relations.simplest(symbols, &members, symbol, &self.halt);
        self.report.narrowed = true;
        self.give_value(symbol, &[value])
    }

    /// Gives a symbol one of these values, which are ascending.
    fn give_value(&mut self, symbol: Symbol, values: &[u64]) -> Result<u64, StepEnd> {
        let symbols = &self.memory.table.symbols;
        let mut low: Vec<u32> = Vec::new();
        let mut high = 0;
        if symbols.width(symbol) > 32 {
            let mut parts: Vec<u32> = values.iter().map(|value| (value >> 32) as u32).collect();
            parts.dedup();
            high = self.named_answer(symbol, &parts)?;
        }
        low.extend(values.iter().filter(|&value| (value >> 32) as u32 == high).map(|&value| value as u32));
        let low = self.named_answer(symbol, &low)?;
        let value = u64::from(high) << 32 | u64::from(low);
        let symbols = &mut self.memory.table.symbols;
        let condition = symbols.condition(symbol, &Ranges::from_to(value, value)).ok_or(UNKNOWN)?;
        symbols.narrow(condition);
        Ok(value)
    }

    /// The answer to a question about a symbol; these are possible.
    fn named_answer(&mut self, symbol: Symbol, possible: &[u32]) -> Result<u32, StepEnd> {
        if possible.len() > 1 {
            let symbols = &self.memory.table.symbols;
            let is_older = |of: &Symbol| symbols.is_input(*of) && usize::from(of.0) < self.named.before;
            self.report.narrowed |= symbols.members(symbol).iter().any(is_older);
        }
        self.choices.ask_named(ChoiceKind::Input, possible).ok_or(UNKNOWN)
    }

    /// Ends the step if it is within a modelled function, of which the conflicts might depend on the answer.
    /// True if the last step asked for the size of an object, or of an allocation, with named answers.
    #[inline]
    pub(in crate::system) const fn has_asked_of_sizes(&self) -> bool {
        self.named.asked_of_sizes
    }

    /// Asks a question about a size, as modelled functions may, too.
    pub(super) fn asking_of_sizes<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, StepEnd>,
    ) -> Result<T, StepEnd> {
        self.named.asked_of_sizes = self.names_answers();
        let in_model = std::mem::replace(&mut self.named.in_model, false);
        let answer = ask(self);
        self.named.in_model = in_model;
        answer
    }

    fn may_ask(&self) -> Result<(), StepEnd> {
        if self.named.in_model { Err(UNKNOWN) } else { Ok(()) }
    }
}
