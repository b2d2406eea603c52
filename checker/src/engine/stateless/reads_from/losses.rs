//! Memory that is lost, with `--leaks`.
//!
//! A lost object stays lost, and the more stores are in memory, the more is lost: the value of a delayed
//! store makes its object reachable, and so does the value that it will overwrite
//! (`system/analyses/leaks.rs`). So leaks are looked for at the end of executions, where all stores are in
//! memory. There, the last writes to the bytes that lead on to objects decide, and the executions of a class
//! differ in these. So all contents that memory may have are gone through ([`super::final_memory`]).
//!
//! Where the process ends, that step is taken again in each of these executions: it ends the variables of its
//! thread. Other threads go on after it in the search, but not in an execution, so these executions have only
//! the steps on which the end depends.
//!
//! Tests: `tests/programs/leaks/`, and random programs in `tests/tests/reads_from.rs`.

use std::ops::ControlFlow;

use super::candidate::Candidate;
use super::memory::Parts;
use super::search::Search;
use crate::engine::EngineError;
use crate::engine::stateless::event::Action;
use crate::engine::stateless::stepper::{Answers, Attempt, Request};
use crate::system::{FootprintEntry, Touched};

impl Search<'_> {
    /// Reports what is lost at the end of the executions of the current class, in which no thread ends the
    /// process.
    pub(super) fn find_losses(&mut self) -> Result<(), EngineError> {
        if !self.stepper.machine.looks_for_leaks() {
            return Ok(());
        }
        self.for_final_memories(&self.trace.clock(), |search| {
            search.results.report_leak(&mut search.stepper, &search.trace.prefix);
            Ok(search.bytes_that_lead_on())
        })?;
        Ok(())
    }

    /// Reports what is lost where a step ends the process, in the executions of the steps on which it
    /// depends. Where final states are asked for it has other classes with the same steps, which differ in
    /// what memory holds; these executions are gone through once.
    pub(super) fn find_losses_at_end(&mut self, candidate: &Candidate) -> Result<(), EngineError> {
        let Candidate { event, parts, .. } = candidate;
        if !event.footprint.iter().any(is_look_at_positions) {
            return Ok(());
        }
        let thread = event.action.thread;
        let number = self.trace.count(thread);
        let mut steps = self.trace.past(thread, number, parts);
        steps.cut(thread, number);
        if !self.ends.insert((thread, self.trace.histories(&steps))) {
            return Ok(());
        }
        self.for_final_memories(&steps, |search| {
            search.stepper.machine.choices.prescribe(event.answers());
            let request = Request { action: Action::step(thread), answers: &Answers::Exactly, is_planned: false };
            let attempt = search.attempt(request)?;
            let ends = matches!(&attempt, Attempt::Ended(again, _) if again.footprint.iter().any(is_look_at_positions));
            assert!(ends || search.is_over(), "the process ends after the same steps");
            Ok(search.bytes_that_lead_on())
        })?;
        Ok(())
    }

    /// The bytes of memory in which pointers may be that decide what is lost, with their writers.
    fn bytes_that_lead_on(&mut self) -> ControlFlow<(), Parts> {
        if self.results.findings.is_enough() {
            return ControlFlow::Continue(Parts::new());
        }
        self.stepper.load(self.trace.prefix.last());
        ControlFlow::Continue(self.trace.reads_in(&self.stepper.machine.memory_that_leads_on()))
    }
}

/// True for an entry by which the end of the process depends on how far the threads have come.
fn is_look_at_positions(touch: &FootprintEntry) -> bool {
    touch.touched() == Touched::Position && !touch.write
}
