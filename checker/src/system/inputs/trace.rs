//! The values of inputs along a schedule whose steps answer questions about them.
//!
//! While the schedule is run, each input is followed: through the canonical forms of the states until nothing
//! refers to it, or to the end. Of the values that it may have then it gets the one nearest to 0. Where
//! conditions relate it to inputs that are still followed, these get theirs first.

use super::canonical::{Canonicalised, InputFate};
use crate::ir::symbol::Symbol;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::symbols::operation::Operation;
use crate::system::symbols::ranges::Ranges;
use crate::system::symbols::table::{Condition, SymbolTable};

/// The inputs of an execution, in the order in which the program asked for them.
#[derive(Debug, Default)]
pub struct InputTrace {
    inputs: Vec<TracedInput>,
    projections: Vec<Projection>,
    /// The comparisons of words since they were taken last ([`Machine::take_comparisons`]).
    comparisons: Vec<(usize, bool)>,
}

#[derive(Debug)]
struct TracedInput {
    now: Now,
    /// The operations on it since it was an input, first to last, each with the values that the operand had.
    operations: Vec<(Operation, Ranges)>,
}

/// The present form of a traced input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    /// It, or the result of the operations on it, is this input of the state.
    Symbol(Symbol),
    /// It, or the result of the operations on it, has this value.
    Value(u64),
    /// It, or the result of the operations on it, was this input when a projection gave it up.
    Projected(usize, Symbol),
}

/// A step after which inputs were given up whose values those of others bound.
#[derive(Debug)]
struct Projection {
    /// The inputs before.
    table: SymbolTable,
    /// The inputs of the table, as traced inputs by number, each after so many of the operations on it.
    followed: Vec<(Symbol, usize, usize)>,
}

impl TracedInput {
    /// The value of the input when the result of the operations on it has this one.
    fn before_operations(&self, result: u64) -> u64 {
        self.operations.iter().rev().fold(result, |value, (operation, operands)| operation.operand(operands, value))
    }

    /// The result of the first `count` operations on the input, which has this value.
    fn after_operations(&self, value: u64, count: usize) -> u64 {
        self.operations[..count].iter().fold(value, |value, (operation, _)| operation.apply(value))
    }
}

impl InputTrace {
    /// Some of the inputs of a table are given up.
    fn project(&mut self, table: SymbolTable) {
        let symbol = |input: &TracedInput| match input.now {
            Now::Symbol(symbol) => Some(symbol),
            Now::Value(_) | Now::Projected(..) => None,
        };
        let inputs = self.inputs.iter().enumerate();
        let followed = inputs.filter_map(|(at, input)| Some((symbol(input)?, at, input.operations.len()))).collect();
        self.projections.push(Projection { table, followed });
    }
}

impl Machine<'_> {
    /// Begins to follow the inputs of an execution.
    pub fn trace_inputs(&mut self) {
        if self.defers_inputs() {
            self.observers.inputs = Some(Box::default());
        }
    }

    /// The program asked for an input.
    pub(super) fn trace_input(&mut self, symbol: Symbol) {
        self.trace(Now::Symbol(symbol));
    }

    /// The program asked for an input that has only this value.
    pub(super) fn trace_value(&mut self, value: u64) {
        self.trace(Now::Value(value));
    }

    fn trace(&mut self, now: Now) {
        if let Some(trace) = &mut self.observers.inputs {
            trace.inputs.push(TracedInput { now, operations: Vec::new() });
        }
    }

    /// The step compares two values as words.
    pub(super) fn trace_comparison(&mut self, differ: bool) {
        let asked = self.choices.answers().len();
        if let Some(trace) = &mut self.observers.inputs {
            trace.comparisons.push((asked, differ));
        }
    }

    /// The number of inputs that the program asked for so far.
    #[must_use]
    pub fn traced_inputs(&self) -> usize {
        self.observers.inputs.as_ref().map_or(0, |trace| trace.inputs.len())
    }

    /// The comparisons of words since this was called last, in order: the number of questions of the step
    /// that were asked before, and true if the words differ.
    pub fn take_comparisons(&mut self) -> Vec<(usize, bool)> {
        self.observers.inputs.as_mut().map_or_else(Vec::new, |trace| std::mem::take(&mut trace.comparisons))
    }

    /// Ends to follow inputs. A value for each, with which the execution takes the steps that were run.
    pub fn traced_values(&mut self) -> Vec<u64> {
        let Some(trace) = self.observers.inputs.take() else { return Vec::new() };
        let examples = self.examples(self.memory.table.symbols.clone());
        let example = |symbol| examples.iter().find(|example| example.0 == symbol).expect("an input of the state").1;
        let value = |input: &TracedInput| match input.now {
            Now::Symbol(symbol) => Some(input.before_operations(example(symbol))),
            Now::Value(value) => Some(input.before_operations(value)),
            Now::Projected(..) => None,
        };
        let mut values: Vec<Option<u64>> = trace.inputs.iter().map(value).collect();
        for (number, projection) in trace.projections.into_iter().enumerate().rev() {
            let mut table = projection.table;
            for (symbol, at, count) in projection.followed {
                if let Some(value) = values[at] {
                    let value = trace.inputs[at].after_operations(value, count);
                    table.narrow(Condition { symbol, values: Ranges::from_to(value, value) });
                }
            }
            let examples = self.examples(table);
            for (input, value) in trace.inputs.iter().zip(&mut values) {
                if let Now::Projected(by, symbol) = input.now
                    && by == number
                {
                    let example = examples.iter().find(|example| example.0 == symbol);
                    *value = Some(input.before_operations(example.expect("it was an input").1));
                }
            }
        }
        values.into_iter().map(|value| value.expect("each projection is undone")).collect()
    }

    /// True if a symbol stands for an input that is followed.
    fn is_traced(&self, symbol: Symbol) -> bool {
        let trace = self.observers.inputs.as_ref();
        trace.is_some_and(|trace| trace.inputs.iter().any(|input| input.now == Now::Symbol(symbol)))
    }

    /// Gives the vector of the working state, which was just packed, its canonical form. True if it has
    /// changed.
    #[cold]
    pub(in crate::system) fn pack_symbols(&mut self, vector: &mut [Id]) -> bool {
        let before = self.observers.inputs.is_some().then(|| self.memory.table.symbols.clone());
        let Canonicalised { changes, inputs: fates, is_projected } = self.canonicalise(vector);
        let is_freed = |(of, fate): &(Symbol, InputFate)| *fate == InputFate::Free && self.is_traced(*of);
        let before = before.filter(|_| fates.iter().any(is_freed));
        // All inputs to which conditions relate a free one are free, too, where nothing was projected.
        let examples = before.clone().filter(|_| !is_projected).map_or_else(Vec::new, |before| self.examples(before));
        let Some(trace) = &mut self.observers.inputs else { return changes };
        if let Some(table) = before.filter(|_| is_projected) {
            trace.project(table);
        }
        for input in &mut trace.inputs {
            let Now::Symbol(symbol) = input.now else { continue };
            match fates.iter().find(|(of, _)| *of == symbol) {
                Some((_, InputFate::Becomes(new, operations))) => {
                    input.now = Now::Symbol(*new);
                    input.operations.extend(operations.iter().rev().cloned());
                }
                Some((_, InputFate::Free)) if is_projected => {
                    input.now = Now::Projected(trace.projections.len() - 1, symbol);
                }
                Some((_, InputFate::Free)) => {
                    let example = examples.iter().find(|example| example.0 == symbol);
                    input.now = Now::Value(example.expect("it was an input").1);
                }
                None => {}
            }
        }
        changes
    }
}
