//! The end of an execution, when one thread is left and only waits for others that ended.
//!
//! In most programs the first thread joins the others and returns. Those steps are the last ones of nearly every execution, and all the same: they are taken as they
//! are remembered, from one state to the next, but never become events of the execution, so that no race of theirs is looked for and no plan has them.
//!
//! That loses nothing if they have no race that can be reversed, and if whatever may come instead conflicts with them only as in this execution. Let `e` be one
//! of them, and `f` an event of another thread that does not happen before the step that `e` follows. If `f` happens before the end of a thread that `e` waited for, it
//! cannot be otherwise (`races.rs`, [`crate::system::Handover::End`]). Other such events must not conflict with `e`. And if there are any, so that `e` might be planned before the
//! thread of `f` goes on, `e` has to be a join and nothing else: what a thread does next may touch other bytes elsewhere than here, but not create or wait for a thread
//! where here it does neither. So nothing that is asleep or in a tree is woken by `e` that what `e` comes after does not wake, and a plan with `e` is the same as
//! one without.

use std::rc::Rc;

use super::bits::Bits;
use super::event::{Event, Label};
use super::memo::{Known, Sequel};
use super::search::Search;
use super::states::State;
use super::steps::key;
use crate::store::Id;
use crate::system::Touch;

/// Longer ends are explored like everything else.
const LONGEST: usize = 256;

/// The steps to the end of the process.
pub(super) type Steps = Rc<[Rc<Known>]>;

impl Search<'_> {
    /// Takes the execution to its end, if the thread that may go on is the only one left, nothing is pending, and its steps are known and need not be events.
    /// Answers whether it did.
    pub(super) fn ends_alone(&mut self, thread: usize) -> bool {
        let at = self.nodes.len() - 1;
        if self.cycles.is_some() || !self.sleep_range(at).is_empty() {
            return false;
        }
        let Some(steps) = self.recall(thread).filter(|steps| self.is_in_order(thread, steps)) else { return false };
        self.count_tail(&steps);
        self.reverse_races(Vec::new());
        self.nodes[at].finished += 1;
        true
    }

    /// The steps of a thread from the last state to the end of the process, if it is the only one left and they are known and do nothing else than to go on.
    fn recall(&mut self, thread: usize) -> Option<Steps> {
        let last = self.last();
        let (vector, State { layout, tail, .. }) = (self.states.vector(last), &self.states[last]);
        if tail.is_some() || !self.remembers || !self.machine.lives_alone_in(vector, *layout, thread) {
            return tail.clone();
        }
        let steps = self.find_steps(thread, vector.to_vec())?;
        self.states[last].tail = Some(Rc::clone(&steps));
        Some(steps)
    }

    /// The same from any state, one by one.
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
        let Some(last) = execution.steps_of(thread).highest() else { return false };
        let mut others = Bits::below(execution.len());
        others.subtract(execution.past(last));
        others.subtract(&execution.events_of(thread));
        !others.meets(execution.meddling())
            && steps.iter().map(|step| &step.event).all(|event| {
                self.pass_ends(event, &mut others);
                others.is_empty() || event.is_join() && (!event.ends || !self.has_conflict(event, &others))
            })
    }

    /// Whether an event conflicts with one of these.
    fn has_conflict(&self, event: &Event, others: &Bits) -> bool {
        let mut open = self.execution.near(event);
        open.keep(others);
        open.positions().any(|at| self.execution.conflict(at, event))
    }

    /// Takes out what happens before the ends of threads that an event waited for. Those are the last steps of the threads.
    fn pass_ends(&self, event: &Event, others: &mut Bits) {
        for ended in event.touches.iter().filter_map(Touch::awaited) {
            if let Some(end) = self.execution.steps_of(ended).highest() {
                others.subtract(self.execution.past(end));
                others.remove(end);
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

impl Event {
    /// Whether it does nothing but to wait for the end of a thread, or to end one.
    fn is_join(&self) -> bool {
        !self.in_section && self.touches.iter().all(Touch::is_of_join)
    }
}
