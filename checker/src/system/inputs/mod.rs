//! Inputs that are not chosen before the program tells their values apart.
//!
//! A nondeterministic value of many bits is a *symbol* ([`crate::ir::symbol`]): it goes through registers,
//! memory and store buffers as a value does, and the state has the set of its values (`symbols/table.rs`).
//! Sums, casts and the like of a symbol are symbols of their own (`symbols/operation.rs`). Where an
//! instruction needs to know more, the step asks which part of the set the value is in (`split.rs`): a
//! comparison with a constant has two parts, an index has as many as there are values. So each step is run
//! once for each part, and no value is in two of them.
//!
//! A copy may have bytes of several inputs, or a part of one. Loads and stores keep the bytes (`bytes.rs`);
//! an instruction that needs a number joins them.
//!
//! The size of an object may be a symbol. Then only as many bytes are stored as accesses need (`sizes.rs`).
//!
//! What ranges of one input do not say is a *combination* (`combining.rs`): the order of two inputs, their
//! product, single bits. Conditions on combinations relate inputs to each other, and a solver decides which
//! can be met together (`relations.rs`). Where a value itself is needed, and there are too many, the
//! execution ends with [`crate::outcome::Unknown::Nondet`], at the line where it is needed.
//!
//! # Why this is exact
//!
//! A state with symbols stands for the states in which each input has one of its values. A step that asks
//! nothing about symbols does the same in all of them; a step that asks is run for parts of the set whose
//! union it is, and each part is again a set of states that do the same. So the executions of a state with
//! symbols are those of the states that it stands for: a violation has values for its inputs, and where
//! nothing is violated, all values have been covered.
//!
//! An execution whose answers are all possible has values for its inputs: an answer is given only if the
//! inputs can meet its condition together with all conditions before. Inputs that no condition relates are
//! independent.
//!
//! States are compared by a canonical form (`canonical.rs`): symbols are numbered in the order in which the
//! state has them, and those that have one value, or that neither the state nor a condition on others refers
//! to, are gone. It stands for the same states. Two forms may differ and yet stand for the same states, if
//! conditions that mean the same are written otherwise, or one for some of those of the other: `outline.rs`.
//!
//! With update events, where engines follow executions and do not store states, none of this simplification
//! is made, and answers have names that mean the same in every execution (`named.rs`).
//!
//! # A violation
//!
//! The steps that lead to a violation answer questions about sets. `trace.rs` runs them once more, and finds
//! values that the inputs may have together. A schedule with these values is then run without any symbol
//! (`given.rs`), which confirms the violation: were the symbols wrong, it would not be found again.

mod arithmetic;
mod bytes;
mod canonical;
mod combining;
mod evaluate;
mod given;
mod named;
mod needed;
mod ordering;
mod outline;
mod passing;
mod relations;
mod sizes;
mod split;
mod trace;

pub(in crate::system) use canonical::SymbolsOfComponents;
pub(in crate::system) use given::GivenInputs;
pub(in crate::system) use named::NamedQuestions;
pub use sizes::Growth;
pub(in crate::system) use sizes::Size;
pub(in crate::system) use trace::InputTrace;

use crate::ir::Program;
use crate::ir::value::Value;
use crate::outcome::Unknown;
use crate::system::config::{Config, Inputs};
use crate::system::library;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::symbols::ranges::Ranges;

/// True if a run has inputs that are not chosen at once.
pub(in crate::system) fn are_used(program: &Program, config: &Config) -> bool {
    config.inputs == Inputs::Deferred && config.may_defer_inputs() && library::asks_for_inputs(program, config.clocks)
}

/// True if final states are asked for that have no values, because engines that defer inputs leave these open
/// in a program. Such a run is to be made without final states.
#[must_use]
pub fn leave_final_states_open(program: &Program, config: &Config) -> bool {
    config.final_states && are_used(program, &Config { final_states: false, inputs: Inputs::Deferred, ..*config })
}

impl Machine<'_> {
    /// True if values of inputs are chosen only where they matter.
    #[inline]
    #[must_use]
    pub const fn defers_inputs(&self) -> bool {
        self.running.stack.defers_inputs
    }

    /// A new input of `width` bits that has one of these values.
    ///
    /// # Errors
    /// The state has too many of them.
    pub(in crate::system) fn input(&mut self, width: u32, values: Ranges) -> Result<Value, StepEnd> {
        if let Some(value) = values.single() {
            self.trace_value(value);
            return Ok(Value::new(value));
        }
        let symbol = self.memory.table.symbols.input(width, values).ok_or(StepEnd::Limit(Unknown::Nondet))?;
        self.trace_input(symbol);
        Ok(symbol.word(width))
    }
}
