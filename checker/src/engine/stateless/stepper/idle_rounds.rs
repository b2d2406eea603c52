//! Loops that wait: idle rounds are not explored.
//!
//! A step that would complete an idle round of its thread ([`crate::system::ProgressCheck`]) waits instead,
//! as the lock of a held mutex does. The thread stays where it is until something changes what the step
//! reads. This is exact:
//!
//! * Let an execution have an idle round of a thread, with events of other threads and updates of the
//!   thread's own stores between its steps. The steps of the round changed only the part of the state that
//!   the thread alone knows, and that is the same at the end as at the beginning. So all other events also
//!   happen without these steps, the state after the round is the same, and so is everything that follows.
//! * Removing one round after the other leaves an execution without idle rounds that leads to the same state,
//!   the same violation, the same end.
//! * A step completes an idle round depending on the earlier steps of its thread and on what the step reads.
//!   This is so with any step that may have to wait. So reversing races finds all executions without idle
//!   rounds.
//! * Let the round read a value that was overwritten later. The race of its load with that store leads to the
//!   execution in which it reads the new value.
//!
//! An execution may end because threads wait in this way. It is a deadlock only if in its last state every
//! thread that is run by itself makes idle rounds only, since its last round may have read old values. If
//! threads wait for ever in some execution, they also do in the one without idle rounds: each of them
//! continues, alone, to the last step of a round that read only last values.
//! With `--robustness` the values that a round reads matter as well, and two rounds of each thread are kept.
//! `robustness/mod.rs` proves that this is enough.
//!
//! A round that divides the values of an input is not left out, nor one of which it depends on inputs whether
//! it has an effect; `system/inputs/named.rs` says why. With open inputs, planned steps are taken even if
//! they complete a round: where they were planned, the answers of the round were not the only ones.
//!
//! Where an execution stands for all others with the same sources, no round is idle that stores to shared
//! memory, but by read-modify-writes, which overwrite what they read. What another store overwrites is not
//! the same in all of these executions: `tests/programs/awaits/helps.c`.
//!
//! A loop whose rounds have an effect (a store into a buffer, a lock taken and released) goes on for ever
//! here, even if it has undone the effect. `--unroll` is there for these loops.
//!
//! Related: Kokologiannakis, Ren and Vafeiadis, *Dynamic Partial Order Reductions for Spinloops*, FMCAD 2021.
//! They find such loops in the program's text, and treat some with effects. Here the states themselves are
//! compared, so nothing needs to be known about the loop.

use super::{Prefix, StateId, Stepper};
use crate::store::Id;
use crate::system::StepReport;

/// With `--robustness`, the number of disjoint idle rounds that a thread may take in an execution: see
/// `robustness/mod.rs`.
const ROUNDS: usize = 2;

impl Stepper<'_> {
    /// False if a step is no part of an idle round, whatever it changed.
    pub(super) fn may_be_idle(&self, report: &StepReport) -> bool {
        let has_stored = report.stored && self.machine.config().reads_from;
        !report.narrowed && !report.may_have_acted && !has_stored
    }

    /// True if the idle step of a thread to the scratch state, in which the machine is, completes an idle
    /// round that is left out. `repeats` is true if the step leaves the state as it was. Leaves the machine
    /// in the scratch state.
    pub(super) fn completes_round(&mut self, prefix: &Prefix, thread: usize, repeats: bool) -> bool {
        let last = prefix.execution.index().steps_of(thread).highest();
        let after = std::mem::take(&mut self.scratch);
        let completes = if self.machine.config().robustness {
            let before = self.vector(prefix.last()).to_vec();
            let completes = self.ends_round_beyond(prefix, ROUNDS, thread, last, [&before, &after]);
            self.machine.unpack(&after);
            completes
        } else {
            repeats || self.is_same_to(prefix.last(), thread, &after) || self.ends_round(prefix, thread, last, &after)
        };
        self.scratch = after;
        completes
    }

    /// True if the step of a thread from one state to another, which the machine just packed, completes an
    /// idle round that is left out. `last` is the thread's step before it. Leaves the machine in any state.
    pub(super) fn is_idle_round(
        &mut self,
        prefix: &Prefix,
        report: &StepReport,
        thread: usize,
        last: Option<usize>,
        [before, after]: [&[Id]; 2],
    ) -> bool {
        if !self.may_be_idle(report) {
            return false;
        }
        let is_idle = *before == *after || self.machine.was_idle(report, before, after);
        if self.machine.config().robustness {
            return is_idle && self.ends_round_beyond(prefix, ROUNDS, thread, last, [before, after]);
        }
        *before == *after
            || is_idle
                && (self.machine.frames_in(before, thread) == self.machine.frames_in(after, thread)
                    && self.is_alike(thread, before, after)
                    || self.ends_round(prefix, thread, last, after))
    }

    /// True if an idle step of a thread to the state `after`, which the machine just packed, completes an
    /// idle round of more than that step. `last` is the thread's step before it.
    fn ends_round(&mut self, prefix: &Prefix, thread: usize, last: Option<usize>, after: &[Id]) -> bool {
        let mut next = last;
        while let Some(at) = next.filter(|&at| prefix.execution.event(at).is_idle()) {
            if self.is_same_to(prefix.state(at), thread, after) {
                return true;
            }
            next = prefix.last_step(thread, at, |_| true);
        }
        false
    }

    /// True if the idle step of a thread from one state to another completes an idle round after `most`
    /// disjoint rounds of its thread. Leaves the machine in any state.
    fn ends_round_beyond(
        &mut self,
        prefix: &Prefix,
        most: usize,
        thread: usize,
        last: Option<usize>,
        [before, after]: [&[Id]; 2],
    ) -> bool {
        let mut steps: Vec<_> = prefix.execution.index().steps_of(thread).positions_down().collect();
        steps.reverse();
        steps.retain(|&at| last.is_some_and(|last| at <= last));
        let states = steps.iter().map(|&at| self.vector(prefix.state(at)).to_vec());
        let states: Vec<_> = states.chain([before.to_vec()]).collect();
        let idle: Vec<_> = steps.iter().map(|&at| prefix.execution.event(at).is_idle()).collect();
        let mut is_same = |then: &[Id], now: &[Id]| {
            self.machine.frames_in(then, thread) == self.machine.frames_in(now, thread)
                && self.is_alike(thread, then, now)
        };
        // All steps from `since` on are idle and in no completed round.
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

    /// True if an idle step of a thread from a state to another one may complete an idle round, as far as can
    /// be decided without the machine. All of the thread's steps in the prefix come before.
    pub(super) fn may_end_round(&self, prefix: &Prefix, thread: usize, [before, after]: [StateId; 2]) -> bool {
        let after = self.vector(after);
        let steps = prefix.execution.index().steps_of(thread).positions_down();
        let mut idle = steps.take_while(|&at| prefix.execution.event(at).is_idle());
        self.has_same_frames(before, thread, after)
            || idle.any(|at| self.has_same_frames(prefix.state(at), thread, after))
    }

    /// True if the thread's own state is the same in the state `then` as in the state `after`. If its frames
    /// are the same, the machine is left in `after`.
    fn is_same_to(&mut self, then: StateId, thread: usize, after: &[Id]) -> bool {
        if !self.has_same_frames(then, thread, after) {
            return false;
        }
        let then = self.vector(then).to_vec();
        self.is_alike(thread, &then, after)
    }

    /// True if a thread is at the same place in the state `then` as in `after`.
    fn has_same_frames(&self, then: StateId, thread: usize, after: &[Id]) -> bool {
        self.machine.frames_in(self.vector(then), thread) == self.machine.frames_in(after, thread)
    }

    /// True if a thread with the same frames in two states has the same private memory in them. Leaves the
    /// machine in the second one.
    fn is_alike(&mut self, thread: usize, then: &[Id], now: &[Id]) -> bool {
        let (mut private_then, mut private_now) = (Vec::new(), Vec::new());
        self.machine.unpack(then);
        self.machine.private_state(thread, &mut private_then);
        self.machine.unpack(now);
        self.machine.private_state(thread, &mut private_now);
        private_then == private_now
    }
}
