//! Inputs whose values the schedule has ([`Inputs::Given`]).
//!
//! A step of such a schedule gets a value for each input that it asks for, so it has no symbols. It asks the
//! same questions as with symbols except those about their values. Two things follow from that:
//!
//! * A step with symbols waits where another question would multiply its answers. With values there may be no
//!   answer to multiply, and the step goes on. So the schedule limits its operations
//!   ([`crate::outcome::ScheduleStep::operations`]).
//! * The memory model compares values in two places (`repeats.rs`, `bulk/window.rs`). There different symbols
//!   are different, but their values may be equal. Both ways to go on are executions of the program, so this
//!   is a question whose answer the schedule has ([`Machine::are_different`]).
//!
//! `engine/inputs.rs` makes such schedules of those that answer questions about symbols.

use crate::outcome::Unknown;
use crate::system::config::{Config, Inputs};
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::choices::ChoiceKind;
use crate::system::symbols::ranges::Ranges;

/// What a step of a schedule gets beside the answers to its questions.
#[derive(Clone, Debug, Default)]
pub(in crate::system) struct GivenInputs {
    /// Values of the inputs that the step asks for, in order.
    values: Vec<u64>,
    /// The number of inputs that the step asked for.
    asked: usize,
    /// True if a value is none that the input may have.
    is_wrong: bool,
    /// The greatest number of operations of the step.
    operations: Option<u32>,
}

impl GivenInputs {
    /// The greatest number of operations of the step, if there is one.
    pub const fn operations(&self) -> Option<u32> {
        self.operations
    }

    /// The next value, if it is one of these.
    fn next(&mut self, values: &Ranges) -> Option<u64> {
        let value = self.values.get(self.asked).copied();
        self.asked += 1;
        self.is_wrong |= value.is_some_and(|value| !values.contains(value));
        value.filter(|_| !self.is_wrong)
    }
}

impl Machine<'_> {
    /// Gives the next step these values of inputs, and lets it perform at most so many operations.
    pub fn give_inputs(&mut self, values: &[u64], operations: Option<u32>) {
        self.given = GivenInputs { values: values.to_vec(), asked: 0, is_wrong: false, operations };
    }

    /// The number of inputs that the last step asked for. `None`: it asked for more than it was given, or for
    /// inputs that cannot have the given values.
    #[must_use]
    pub fn inputs_taken(&self) -> Option<usize> {
        let GivenInputs { values, asked, is_wrong, .. } = &self.given;
        (!is_wrong && *asked <= values.len()).then_some(*asked)
    }

    /// From now on inputs have all their values.
    pub fn open_inputs(&mut self) {
        self.given = GivenInputs::default();
        if self.config.inputs == Inputs::Given {
            self.config.inputs = Inputs::Deferred;
            self.running.stack.defers_inputs = super::are_used(self.program, &self.config);
        }
    }

    /// True if an input is no choice where the program asks for it: it is kept open, or its value is given.
    pub(in crate::system) fn keeps_inputs(&self) -> bool {
        self.defers_inputs() || has_given(&self.config)
    }

    /// The value of the input that the step asks for, if it is given.
    ///
    /// # Errors
    /// The schedule has no such value.
    pub(in crate::system) fn given_input(&mut self, values: &Ranges) -> Result<Option<u64>, StepEnd> {
        if !has_given(&self.config) {
            return Ok(None);
        }
        self.given.next(values).map(Some).ok_or(StepEnd::Limit(Unknown::Nondet))
    }

    /// Whether the step goes on as for different values, where it compares two as words. Symbols may differ
    /// and have equal values.
    pub(in crate::system) fn are_different(&mut self, differ: bool) -> bool {
        if has_given(&self.config) {
            return self.choices.ask(ChoiceKind::Equality, if differ { 1 } else { 2 }) == 0;
        }
        self.trace_comparison(differ);
        differ
    }
}

/// True if values of inputs are given.
pub(in crate::system) fn has_given(config: &Config) -> bool {
    config.inputs == Inputs::Given
}
