//! The runs of one step, one for each combination of answers to the questions that it asks.
//!
//! A step that asks is run from its start for every combination, in lexicographic order
//! ([`crate::system::ChoiceSequence`]). All code that needs all successors of a state by a thread uses this
//! loop, and may leave it early. The stateless engine takes the answers of a planned event by itself
//! (`engine/stateless/stepper/attempt.rs`).

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
    /// The runs of the step of `thread` from the state `from`, before the first one.
    #[must_use]
    pub const fn new(from: &'v [Id], thread: usize) -> Self {
        Self { from, thread, has_begun: false }
    }

    /// Runs the step with the next answers, which are then in the machine's choices, and leaves the machine
    /// in the successor. The result is `None` if the step was run with all answers.
    pub fn run_next(&mut self, machine: &mut Machine<'_>) -> Option<StepReport> {
        if !self.has_begun {
            machine.choices.clear();
            self.has_begun = true;
        } else if !machine.choices.advance() {
            return None;
        }
        machine.unpack(self.from);
        Some(machine.step(self.thread))
    }
}
