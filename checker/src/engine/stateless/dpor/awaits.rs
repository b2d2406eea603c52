//! Loops that wait: rounds without effect are not explored.
//!
//! A step that would complete an idle round of its thread ([`crate::system::ProgressCheck`]) waits instead, as the lock of a held mutex does: the thread stays where it
//! is until something changes what the step reads. This is exact. Let an execution have an idle round of a thread, other threads' events and updates of the
//! thread's own stores between its steps. The steps of the round changed nothing but what the thread alone knows, and that is at the end what it was at the
//! beginning; so all other events happen as well without them, the state after the round is the same, and so is all that follows. Taking out one round
//! after the other leaves an execution without idle rounds to the same state, the same violation, the same end. And whether a step completes an idle round depends
//! on what its thread did before and on what the step reads, as with any step that may have to wait, so that reversing races finds all executions without
//! idle rounds. Where the round read what was overwritten later, the race of its load with that store leads to the execution in which it reads the new value.
//!
//! An execution that ends because threads wait so is a deadlock only if in its last state every thread that is run by itself just goes round: its last round
//! may have read old values. If threads wait for ever in some execution, then so they do in the one that is left when idle rounds are taken out, and each
//! of them goes on, alone, to the last step of a round that read nothing but last values.
//!
//! With `--robustness` what a round reads matters as well, and two rounds of each thread are kept:
//! `robustness/mod.rs` says why that is enough.
//!
//! A loop whose rounds have an effect (a store into a buffer, a lock taken and released) goes on for ever here, whether it has undone the effect or not: for these there
//! is `--unroll`.
//!
//! Related: Kokologiannakis, Ren and Vafeiadis, *Dynamic Partial Order Reductions for Spinloops*, FMCAD 2021, which finds such loops in the program's text, and
//! treats some with effects. Here the states themselves are compared, so nothing needs to be known about the loop.

use super::search::Search;
use super::states::StateId;
use crate::engine::stateless::event::Label;
use crate::outcome::Unknown;
use crate::store::Id;
use crate::system::{StepEnd, StepReport};

/// With `--robustness`, disjoint idle rounds that a thread may take in an execution: see `robustness/mod.rs`.
const ROUNDS: usize = 2;

impl Search<'_> {
    /// The last step of a thread among the events before a position that are `included`.
    fn last_step(&self, thread: usize, below: usize, included: impl Fn(usize) -> bool) -> Option<usize> {
        let label = Label { thread, store: None };
        (0..below).rev().find(|&at| self.execution.event(at).label == label && included(at))
    }

    /// Whether the idle step of a thread to the state in `scratch`, which the machine just packed, completes
    /// an idle round that is left out. `repeats`: it leaves all as it was. Leaves the machine there, or where
    /// it is.
    pub(super) fn completes_round(&mut self, thread: usize, repeats: bool) -> bool {
        let last = self.execution.steps_of(thread).highest();
        let after = std::mem::take(&mut self.scratch);
        let completes = if self.cycles.is_some() {
            let before = self.vector(self.nodes.len() - 1).to_vec();
            let completes = self.ends_round_beyond(ROUNDS, thread, last, [&before, &after]);
            self.machine.unpack(&after);
            completes
        } else {
            repeats || self.is_same_to(thread, self.nodes.len() - 1, &after) || self.ends_round(thread, last, &after)
        };
        self.scratch = after;
        completes
    }

    /// Whether an idle step of a thread to the state `after`, which the machine just packed, completes an
    /// idle round of more than that step. `last`: the thread's step before it.
    fn ends_round(&mut self, thread: usize, last: Option<usize>, after: &[Id]) -> bool {
        let mut next = last;
        while let Some(at) = next.filter(|&at| self.execution.event(at).idle) {
            if self.is_same_to(thread, at, after) {
                return true;
            }
            next = self.last_step(thread, at, |_| true);
        }
        false
    }

    /// Whether the idle step of a thread from one state to another completes an idle round, where so many
    /// disjoint ones of its thread came before. Leaves the machine anywhere.
    fn ends_round_beyond(
        &mut self,
        most: usize,
        thread: usize,
        last: Option<usize>,
        [before, after]: [&[Id]; 2],
    ) -> bool {
        let mut steps: Vec<_> = self.execution.steps_of(thread).positions_down().collect();
        steps.reverse();
        steps.retain(|&at| last.is_some_and(|last| at <= last));
        let states: Vec<_> = steps.iter().map(|&at| self.vector(at).to_vec()).chain([before.to_vec()]).collect();
        let idle: Vec<_> = steps.iter().map(|&at| self.execution.event(at).idle).collect();
        let mut is_same = |then: &[Id], now: &[Id]| {
            self.machine.frames_in(then, thread) == self.machine.frames_in(now, thread)
                && self.is_alike(thread, then, now)
        };
        // Since when all steps are idle, without those of the last round that was complete.
        let (mut since, mut rounds) = (0, 0);
        for at in 0..steps.len() {
            if !idle[at] {
                since = at + 1;
            } else if states[since..=at].iter().any(|then| is_same(then, &states[at + 1])) {
                (since, rounds) = (at + 1, rounds + 1);
            }
        }
        rounds >= most && states[since..].iter().any(|then| is_same(then, after))
    }

    /// Whether an idle step of a thread to a state may complete an idle round, as far as is seen without the machine.
    pub(super) fn may_end_round(&self, thread: usize, after: StateId) -> bool {
        let after = self.states.vector(after);
        let steps = self.execution.steps_of(thread).positions_down();
        let mut idle = steps.take_while(|&at| self.execution.event(at).idle);
        self.has_same_frames(thread, self.nodes.len() - 1, after)
            || idle.any(|at| self.has_same_frames(thread, at, after))
    }

    /// Whether a thread was before the event at a position what it is in the state `after`. Leaves the
    /// machine there if the frames are the same.
    fn is_same_to(&mut self, thread: usize, at: usize, after: &[Id]) -> bool {
        if !self.has_same_frames(thread, at, after) {
            return false;
        }
        let then = self.vector(at).to_vec();
        self.is_alike(thread, &then, after)
    }

    /// Whether a thread was at the same place before the event at a position.
    fn has_same_frames(&self, thread: usize, at: usize, after: &[Id]) -> bool {
        self.machine.frames_in(self.vector(at), thread) == self.machine.frames_in(after, thread)
    }

    /// Whether a thread can take a step from the state the machine is in, other than one that completes an idle round. `included`: which of the events
    /// so far led to that state.
    pub(super) fn could_step(&mut self, thread: usize, included: impl Fn(usize) -> bool) -> bool {
        // Further back it may not have been created yet.
        if !self.machine.schedulable_threads().any(|other| other == thread) {
            return false;
        }
        let last = self.last_step(thread, self.execution.len(), included);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.machine.pack(&mut before);
        self.machine.script.clear();
        loop {
            let report = self.machine.step(thread);
            match report.end {
                StepEnd::Blocked | StepEnd::ExitsLast => {}
                StepEnd::Done => {
                    self.machine.pack(&mut after);
                    let is_idle = before == after || self.machine.was_idle(&report, &before, &after);
                    let waits = if self.cycles.is_some() {
                        is_idle && self.ends_round_beyond(ROUNDS, thread, last, [&before, &after])
                    } else {
                        let is_round = |search: &mut Self| {
                            search.machine.frames_in(&before, thread) == search.machine.frames_in(&after, thread)
                                && search.is_alike(thread, &before, &after)
                                || search.ends_round(thread, last, &after)
                        };
                        before == after || is_idle && is_round(self)
                    };
                    if !waits {
                        return true;
                    }
                }
                _ => return true,
            }
            if self.is_halted() || !self.machine.script.advance() {
                return false;
            }
            self.machine.unpack(&before);
        }
    }

    /// With `--unroll`, counts the turns of loops in the next step of a thread. False: the thread has gone round too often already.
    pub(super) fn count_turns(&mut self, thread: usize) -> bool {
        let Some(bound) = self.turns.bound() else { return true };
        let last = self.last_step(thread, self.execution.len(), |_| true);
        let counts = last.map_or(&[][..], |at| &self.execution.event(at).turns);
        self.machine.count_turns(bound, counts);
        !counts.iter().any(|count| count.exceeds(bound))
    }

    /// Takes note of the loop in which the thread of the step just tried went round too often, if it did.
    pub(super) fn note_cut(&mut self, thread: usize, report: &StepReport) {
        if let Some(jump) = self.machine.turns().exceeded {
            let frames = [&[jump], &self.machine.backtrace_after(thread, report)[..]].concat();
            self.findings.cut_off(&self.machine, Unknown::LoopBound, &frames);
        }
    }

    /// Whether a thread that stands at the same place in two states has the same private memory in them.
    /// Leaves the machine in the second one.
    fn is_alike(&mut self, thread: usize, then: &[Id], now: &[Id]) -> bool {
        let (mut private_then, mut private_now) = (Vec::new(), Vec::new());
        self.machine.unpack(then);
        self.machine.private_state(thread, &mut private_then);
        self.machine.unpack(now);
        self.machine.private_state(thread, &mut private_now);
        private_then == private_now
    }
}
