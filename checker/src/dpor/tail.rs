//! The end of an execution, when one thread is left and only waits for others that ended.
//!
//! In most programs the first thread joins the others and returns. Those steps are the last ones of nearly every execution, and all the same: they are taken as they
//! are remembered, from one state to the next, but never become events of the execution, so that no race of theirs is looked for and no plan has them.
//!
//! That loses nothing if they have no race that can be reversed, and if whatever may come instead conflicts with them only as in this execution. Let `e` be one
//! of them, and `f` an event of another thread that does not happen before the step that `e` follows. If `f` happens before the end of a thread that `e` waited for, it
//! cannot be otherwise (`races.rs`, [`Handover::End`]). Other such events must not conflict with `e`. And if there are any, so that `e` might be planned before the
//! thread of `f` goes on, `e` has to be a join and nothing else: what a thread does next may touch other bytes elsewhere than here, but not create or wait for a thread
//! where here it does neither. So nothing that is asleep or in a tree is woken by `e` that what `e` comes after does not wake, and a plan with `e` is the same as
//! one without.

use std::rc::Rc;

use fxhash::FxHashMap;

use super::bits::{self, Bits};
use super::event::{Event, Label};
use super::memo::{Known, Sequel};
use super::search::Search;
use super::steps::key;
use crate::store::Id;
use crate::system::Handover;

/// Longer ends are explored like everything else.
const LONGEST: usize = 256;

/// States of which the end is remembered, at most.
const MOST: usize = 1 << 12;

/// The steps to the end of the process.
type Steps = Rc<[Rc<Known>]>;

/// Ends of executions, by the states that they began from.
#[derive(Default)]
pub(super) struct Tails {
    known: FxHashMap<Box<[Id]>, Steps>,
    bytes: usize,
}

impl Tails {
    /// Remembers an end.
    fn insert(&mut self, state: Box<[Id]>, steps: Steps) {
        if self.known.len() >= MOST {
            self.forget();
        }
        self.bytes += size_of_val(&*state) + size_of_val(&*steps);
        self.known.insert(state, steps);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// About how many bytes it takes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Search<'_> {
    /// Takes the execution to its end, if the thread that may go on is the only one left, nothing is pending, and its steps are known and need not be events.
    /// Answers whether it did.
    pub(super) fn ends_alone(&mut self, thread: usize) -> bool {
        let at = self.nodes.len() - 1;
        let is_alone = || self.machine.lives_alone_in(self.vector(at), self.nodes[at].layout, thread);
        if !self.remembers || self.cycles.is_some() || !self.sleep_range(at).is_empty() || !is_alone() {
            return false;
        }
        let Some(steps) = self.recall(thread).filter(|steps| self.is_in_order(thread, steps)) else { return false };
        self.count_tail(&steps);
        self.reverse_races(Vec::new());
        self.nodes[at].finished += 1;
        true
    }

    /// The steps of a thread from the last state to the end of the process, if they are known and do nothing else than to go on.
    fn recall(&mut self, thread: usize) -> Option<Steps> {
        let state = self.vector(self.nodes.len() - 1);
        if let Some(steps) = self.tails.known.get(state) {
            return Some(Rc::clone(steps));
        }
        let (first, steps) = (state.into(), self.find_steps(thread, state.to_vec())?);
        self.tails.insert(first, Rc::clone(&steps));
        Some(steps)
    }

    /// The same for steps from any state, one by one.
    fn find_steps(&self, thread: usize, mut state: Vec<Id>) -> Option<Steps> {
        let (mut steps, mut after) = (Vec::new(), Vec::new());
        while steps.len() < LONGEST {
            let layout = self.machine.layout(&state);
            let look = |item| self.machine.look(&state, layout, item);
            let known = self.memo.find(&key(&state, layout, Label { thread, store: None }), look)?;
            steps.push(Rc::clone(known));
            match &known.sequel {
                Sequel::Ends => return Some(steps.into()),
                // A step without effect may be part of a loop that waits.
                Sequel::Reaches(reached) if !known.event.idle && known.event.pushed.is_empty() => {
                    reached.apply(&state, &mut after);
                    std::mem::swap(&mut state, &mut after);
                }
                Sequel::Reaches(_) | Sequel::Waits => return None,
            }
        }
        None
    }

    /// Whether all that the steps of a thread may conflict with comes before them in every order of the execution's events.
    fn is_in_order(&self, thread: usize, steps: &[Rc<Known>]) -> bool {
        let execution = &self.execution;
        let Some(last) = bits::highest(execution.steps_of(thread)) else { return false };
        let mut before = Bits::from_slice(execution.past(last));
        let everything = bits::below(execution.len(), execution.width());
        bits::unite(&mut before, execution.events_of(thread));
        steps.iter().all(|step| {
            self.add_ends(&step.event, &mut before);
            before == everything
                || step.event.touches.iter().all(|touch| touch.is_of_join()) && {
                    let mut open = execution.near(&step.event);
                    bits::subtract(&mut open, &before);
                    bits::positions(&open).all(|at| !execution.conflict(at, &step.event))
                }
        })
    }

    /// Adds what happens before the ends of threads that an event waited for.
    fn add_ends(&self, event: &Event, before: &mut [u64]) {
        for ended in event.touches.iter().filter_map(|touch| touch.awaited()) {
            let end = bits::highest(self.execution.steps_of(ended));
            let hands_over = |&at: &usize| self.execution.event(at).hands_over_to(event) == Some(Handover::End);
            if let Some(at) = end.filter(hands_over) {
                bits::unite(before, self.execution.past(at));
                bits::insert(before, at);
            }
        }
    }

    fn count_tail(&mut self, steps: &[Rc<Known>]) {
        steps.iter().for_each(|step| self.meter.counts(&step.event));
        self.statistics.events += steps.len() as u64;
        self.statistics.executions += 1;
        // As for other executions, the end of the process is no further state.
        let depth = (self.execution.len() + steps.len() - 1) as u64;
        self.statistics.max_depth = self.statistics.max_depth.max(depth);
    }
}
