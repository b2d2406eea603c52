//! The runs of one step: once for each combination of answers to the questions that it asks.
//!
//! A step that asks is run from its start for every combination, in lexicographic order
//! ([`crate::system::ChoiceSequence`]). This is the loop of everybody who wants all successors of a state by
//! a thread; whoever breaks off need not tell.

use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::step::report::StepReport;

/// The runs of the step of one thread from one state.
#[derive(Debug)]
pub struct AnswerRuns<'v> {
    from: &'v [Id],
    thread: usize,
    has_begun: bool,
}

impl<'v> AnswerRuns<'v> {
    /// No run yet of the step of `thread` from the state `from`.
    #[must_use]
    pub const fn new(from: &'v [Id], thread: usize) -> Self {
        Self { from, thread, has_begun: false }
    }

    /// Runs the step with the next answers, which are then in the machine's script, and leaves the machine in
    /// the state that it leads to. `None`: it was run with all answers.
    pub fn run_next(&mut self, machine: &mut Machine<'_>) -> Option<StepReport> {
        if !self.has_begun {
            machine.script.clear();
            self.has_begun = true;
        } else if !machine.script.advance() {
            return None;
        }
        machine.unpack(self.from);
        Some(machine.step(self.thread))
    }
}
