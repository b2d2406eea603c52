//! The end of an execution in which threads only end, and at most one continues and waits for others that
//! ended.
//!
//! In most programs the threads return, and the first one joins them and returns. Those steps are tried last
//! (`stepper/actions.rs`). So nearly every execution ends with them, and all executions end with the same
//! ones. They are taken from the cache, from one state to the next. They never become events of the
//! execution, so their races are not searched for and no plan has them.
//!
//! This loses nothing if they have no race that can be reversed, and if events that may come instead conflict
//! with them only as in this execution.
//!
//! *Ends.* Let `e` be the end of a thread that touches only that the thread ends.
//!
//! * Steps of other threads that conflict with `e` create the thread, wait for its end, ask for its end, or
//!   detach it. The creation precedes `e` in every order. Nothing else in the execution may conflict with
//!   `e`. Of the steps after `e` only a join conflicts, which waits for `e`.
//! * Sleeping or planned events cannot conflict with `e` either. Where `e` would be in a plan, such an event
//!   is the next step of a thread that takes that step here, too, in the execution or after it, since all
//!   threads have ended then. The step is at the same instruction with the same arguments, so it conflicts
//!   with `e` only if it does so here.
//! * The event may be `e` itself, explored as an event elsewhere. It commutes with all of a plan without `e`,
//!   and comes first in a plan with `e`. Both have the same effect. So a plan with `e` is equivalent to one
//!   without.
//!
//! *The last thread.* It creates no thread, whose steps would have to be taken. Let `e` be one of its steps,
//! and `f` an event of another thread that does not happen-before the step that `e` follows.
//!
//! * If `f` happens-before the end of a thread that `e` waited for, the two have no other order (`races.rs`,
//!   [`crate::system::EnablingRelease::End`]). Other such events must not conflict with `e`.
//! * If there are any, `e` might be planned before the thread of `f` continues. Then `e` has to be a join and
//!   nothing else: the next step of a thread may touch other bytes elsewhere than here, but it creates or
//!   waits for a thread only if it does so here. So `e` wakes only those sleeping or planned events that are
//!   woken by events before `e`, and a plan with `e` is equivalent to one without.
//! * The end of the process is in no plan if it is delayed until nothing else can happen (`termination.rs`).

use std::cell::Cell;
use std::rc::Rc;

use super::bits::Bits;
use super::event::Event;
use super::execution::Execution;
use super::prefix::Prefix;
use super::results::Results;
use super::step_cache::{CachedStep, StepResult};
use super::stepper::Stepper;
use crate::store::Id;
use crate::system::{FootprintEntry, NextKind};

/// The maximal number of steps of a join suffix. Longer ends are explored as events.
const MOST_STEPS: usize = 256;

/// The steps to the end of the process: those of threads that only end, then those of one that continues
/// alone, if the process has not ended then.
#[derive(Debug)]
pub struct JoinSuffix {
    steps: Box<[Rc<CachedStep>]>,
    /// The number of steps at the beginning that are ends of threads.
    ends: usize,
    /// The threads of those steps, one bit each.
    ended: u128,
    /// The version of executions ([`Execution::join_version`]) in which those ends were found to conflict
    /// with nothing.
    checked: Cell<Option<u64>>,
}

/// The end of an execution, as far as its steps are cached.
enum KnownEnd {
    /// It is a join suffix, with the last state before the process ends.
    Suffix(JoinSuffix, Vec<Id>),
    /// It is no join suffix.
    Nothing,
    /// Some of its steps are not cached.
    Unknown,
}

/// The kinds of continuations of an execution after a cached step.
enum Continuation {
    State,
    End,
    /// The step is in no join suffix.
    Other,
}

impl JoinSuffix {
    fn new(steps: Vec<Rc<CachedStep>>, ends: usize, ended: u128) -> Self {
        Self { steps: steps.into(), ends, ended, checked: Cell::default() }
    }

    /// The events of the suffix.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.steps.iter().map(|step| &*step.event)
    }

    /// The join suffix of the last state of the prefix, if its steps are cached. `thread` is the thread whose
    /// step would be tried first.
    pub fn of_last_state(
        stepper: &mut Stepper<'_>,
        prefix: &Prefix,
        results: &mut Results,
        thread: usize,
    ) -> Option<Rc<Self>> {
        let last = prefix.last();
        if let Some(suffix) = &stepper.states[last].join_suffix {
            return suffix.clone();
        }
        let (vector, layout) = (stepper.vector(last), stepper.states[last].layout);
        // Threads that rest are tried last. If this thread rests, all do.
        let rests = stepper.machine.next_kind_in(vector, thread) == NextKind::Rests
            || stepper.machine.lives_alone_in(vector, layout, thread);
        if !stepper.caches_steps() || !rests {
            stepper.states[last].join_suffix = Some(None);
            return None;
        }
        let suffix = match find(stepper, vector.to_vec()) {
            KnownEnd::Unknown => return None,
            KnownEnd::Nothing => None,
            KnownEnd::Suffix(suffix, before) => {
                if let StepResult::Ends(Some(status)) = suffix.steps[suffix.steps.len() - 1].result {
                    results.note_final_state_in(stepper, &before, status);
                }
                Some(Rc::new(suffix))
            }
        };
        stepper.states[last].join_suffix = Some(suffix.clone());
        suffix
    }

    /// True if all events with which the suffix may conflict precede it in every order of the execution's
    /// events. `defers_exits` is true if the end of the process is delayed until nothing else can happen.
    pub fn is_ordered_after(&self, execution: &Execution, defers_exits: bool) -> bool {
        self.are_ends_ordered(execution)
            && (self.ends == self.steps.len() || self.is_last_thread_ordered(execution, defers_exits))
    }

    /// True if the ends conflict only with events of their own threads and with events before the creations
    /// of those.
    fn are_ends_ordered(&self, execution: &Execution) -> bool {
        let version = Some(execution.join_version());
        let is_known = self.checked.get() == version;
        if !is_known && self.events().take(self.ends).all(|event| is_end_ordered(execution, event)) {
            self.checked.set(version);
        }
        self.checked.get() == version
    }

    /// True if the steps of the last thread conflict only with events that precede them in every order.
    fn is_last_thread_ordered(&self, execution: &Execution, defers_exits: bool) -> bool {
        let thread = self.steps[self.ends].event.action.thread;
        let index = execution.index();
        let Some(last) = index.steps_of(thread).highest() else { return false };
        let (mut others, mut ended) = (Bits::below(execution.len()), self.ended);
        others.subtract(execution.past(last));
        others.subtract(index.events_of(thread));
        !others.meets(index.of_joins())
            && self.events().skip(self.ends).all(|event| {
                remove_awaited(execution, event, &mut others, &mut ended);
                let is_last = ended == 0 && others.is_empty();
                let waits_for_all = defers_exits || ended == 0 && !conflicts_with_any(execution, event, &others);
                is_last || event.is_join() && (!event.ends() || waits_for_all)
            })
    }
}

/// True if the end of a thread conflicts only with events of its thread and with events before its creation.
/// Only events in [`super::event_index::EventIndex::of_joins`] conflict with the end of another thread.
fn is_end_ordered(execution: &Execution, event: &Event) -> bool {
    let index = execution.index();
    let mut others = index.of_joins().clone();
    others.subtract(index.events_of(event.action.thread));
    if let Some(creation) = index.creation_of(event.action.thread, execution.len()) {
        others.subtract(execution.past(creation));
        others.remove(creation);
    }
    !others.positions().any(|at| execution.conflict(at, event))
}

/// True if an event conflicts with one of these.
fn conflicts_with_any(execution: &Execution, event: &Event, others: &Bits) -> bool {
    let mut open = execution.candidates(event, execution.len());
    open.keep(others);
    open.positions().any(|at| execution.conflict(at, event))
}

/// Removes from `others` all events before the ends of threads for which an event waited, and from `ends`
/// those threads. The ends are the last events of the threads, here or in the suffix.
fn remove_awaited(execution: &Execution, event: &Event, others: &mut Bits, ends: &mut u128) {
    for ended in event.footprint.iter().filter_map(FootprintEntry::awaited) {
        *ends &= !(1 << ended);
        others.subtract(execution.index().events_of(ended));
        if let Some(last) = execution.index().steps_of(ended).highest() {
            others.subtract(execution.past(last));
        }
    }
}

/// The end of the execution from a state: first the ends of threads, then the steps of the last thread.
fn find(stepper: &Stepper<'_>, mut state: Vec<Id>) -> KnownEnd {
    let threads = stepper.machine.layout(&state).threads;
    let (mut steps, mut ended, mut other) = (Vec::new(), 0, None);
    for thread in (0..threads).rev() {
        if !stepper.machine.lives_in(&state, thread) {
            continue;
        }
        match stepper.cached_step_of_vector(&state, thread) {
            Some(step) if step.event.is_end() => {
                ended |= 1 << thread;
                steps.push(step);
            }
            Some(_) if other.is_some() => return KnownEnd::Nothing,
            None if other.is_some() => return KnownEnd::Unknown,
            _ => {
                other = Some(thread);
                continue;
            }
        }
        match follow(&steps[steps.len() - 1], &mut state) {
            Continuation::State => {}
            Continuation::End => {
                let ends = steps.len();
                return KnownEnd::Suffix(JoinSuffix::new(steps, ends, ended), state);
            }
            Continuation::Other => return KnownEnd::Nothing,
        }
    }
    let (Some(thread), ends) = (other, steps.len()) else { return KnownEnd::Nothing };
    while steps.len() < MOST_STEPS {
        let Some(step) = stepper.cached_step_of_vector(&state, thread) else { return KnownEnd::Unknown };
        if step.event.creates() {
            return KnownEnd::Nothing;
        }
        let successor = follow(&step, &mut state);
        steps.push(step);
        match successor {
            Continuation::State => {}
            Continuation::End => return KnownEnd::Suffix(JoinSuffix::new(steps, ends, ended), state),
            Continuation::Other => return KnownEnd::Nothing,
        }
    }
    KnownEnd::Nothing
}

/// Follows a step from a state.
fn follow(step: &CachedStep, state: &mut Vec<Id>) -> Continuation {
    match &step.result {
        StepResult::Ends(_) => Continuation::End,
        // A step without effect may be part of a loop that waits.
        StepResult::Reaches(reached) if !step.event.is_idle() && step.event.pushed().is_empty() => {
            let mut after = Vec::with_capacity(state.len());
            reached.apply(state, &mut after);
            *state = after;
            Continuation::State
        }
        StepResult::Reaches(_) | StepResult::Waits(_) => Continuation::Other,
    }
}

impl Event {
    /// True if it only ends its thread.
    fn is_end(&self) -> bool {
        let ends = |touch: &FootprintEntry| touch.is_end_of(self.action.thread);
        let is_free = !self.in_section() && !self.terminates_others() && self.pushed().is_empty();
        is_free && !self.footprint.is_empty() && self.footprint.iter().all(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{creation, detach, end, exit, join, read, write};

    /// The suffix of these ends, followed by these steps of another thread.
    fn suffix(ends: Vec<Event>, others: Vec<Event>) -> JoinSuffix {
        let ended = ends.iter().fold(0, |ended, event| ended | 1 << event.action.thread);
        let count = ends.len();
        let step = |event| Rc::new(CachedStep::new(Rc::new(event), StepResult::Ends(None)));
        JoinSuffix::new(ends.into_iter().chain(others).map(step).collect(), count, ended)
    }

    fn execution(events: Vec<Event>) -> Execution {
        let mut execution = Execution::new(true);
        events.into_iter().for_each(|event| execution.push(Rc::new(event)));
        execution
    }

    #[test]
    fn ends_and_joins_of_all_threads_come_last_in_every_order() {
        let suffix = suffix(vec![end(1)], vec![join(0, 1), exit(0)]);
        let events = vec![creation(0, 1), write(1, 1), read(0, 1)];
        assert!(suffix.is_ordered_after(&execution(events), true));
    }

    #[test]
    fn a_thread_that_asks_for_the_end_of_another_one_is_in_a_race_with_it() {
        let suffix = suffix(vec![end(1)], vec![join(0, 1), exit(0)]);
        let events = vec![creation(0, 1), creation(0, 2), join(2, 1)];
        assert!(!suffix.is_ordered_after(&execution(events), true));
    }

    #[test]
    fn a_step_that_detaches_a_thread_does_not_wait_for_its_end() {
        let suffix = suffix(vec![end(1), end(2)], vec![join(0, 1), detach(0, 2), exit(0)]);
        let events = vec![creation(0, 1), creation(0, 2), write(2, 1)];
        assert!(!suffix.is_ordered_after(&execution(events), true));
    }

    #[test]
    fn the_last_thread_may_only_join_while_others_could_come_later() {
        let events = || vec![creation(0, 1), creation(0, 2), write(1, 1), write(2, 2)];
        let joins = suffix(vec![end(1), end(2)], vec![join(0, 1), join(0, 2), exit(0)]);
        assert!(joins.is_ordered_after(&execution(events()), true));
        // The read of thread 0 might precede the write of thread 2.
        let reads = suffix(vec![end(1), end(2)], vec![join(0, 1), read(0, 2), join(0, 2), exit(0)]);
        assert!(!reads.is_ordered_after(&execution(events()), true));
        let reads_late = suffix(vec![end(1), end(2)], vec![join(0, 1), join(0, 2), read(0, 2), exit(0)]);
        assert!(reads_late.is_ordered_after(&execution(events()), true));
    }

    #[test]
    fn a_process_that_ends_at_every_moment_has_to_wait_for_all() {
        let events = || vec![creation(0, 1), creation(0, 2), write(1, 1), write(2, 2)];
        let suffix = suffix(vec![end(1), end(2)], vec![join(0, 1), exit(0)]);
        assert!(suffix.is_ordered_after(&execution(events()), true) || !suffix.steps[3].event.is_join());
        assert!(!suffix.is_ordered_after(&execution(events()), false));
    }
}
