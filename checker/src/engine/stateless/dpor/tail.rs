//! The end of an execution, when threads only end, and at most one goes on and waits for others that ended.
//!
//! In most programs the threads return, and the first one joins them and returns. Those steps are tried last (`labels.rs`), so they are the last ones of nearly every execution, and all the
//! same: they are taken as they are remembered, from one state to the next, but never become events of the execution, so that no race of theirs is looked for and no plan has them.
//!
//! That loses nothing if they have no race that can be reversed, and if whatever may come instead conflicts with them only as in this execution.
//!
//! *Ends.* Let `e` be the end of a thread that touches nothing but that the thread ends. Steps of other threads that conflict with it create the thread, wait for its end, or ask for it
//! or detach it. The creation comes before in every order. Nothing else in the execution may conflict with `e`, and of what comes behind `e` only a join does, which waits for it. Nor does anything that
//! is asleep or in a tree where `e` would be in a plan: it is the next step of a thread that takes that step here, too, in the execution or behind it, as all threads
//! have ended then; it is at the same instruction with the same arguments, so it conflicts with `e` only if it does so here. If it is `e` itself, explored as an event elsewhere, it
//! commutes with all of a plan without `e`, and comes first in one with it: the same for both. So a plan with `e` is the same as one without.
//!
//! *The last thread.* Let `e` be one of its steps, and `f` an event of another thread that does not happen before the step that `e` follows. If `f` happens before the end of a thread that `e`
//! waited for, it cannot be otherwise (`races.rs`, [`crate::system::EnablingRelease::End`]). Other such events must not conflict with `e`. And if there are any, so that `e` might be planned before the
//! thread of `f` goes on, `e` has to be a join and nothing else: what a thread does next may touch other bytes elsewhere than here, but not create or wait for a thread
//! where here it does neither. So nothing that is asleep or in a tree is woken by `e` that what `e` comes after does not wake, and a plan with `e` is the same as
//! one without. The end of the process is in no plan if it is left until nothing else can happen (`ends.rs`).

use std::cell::Cell;
use std::rc::Rc;

use super::memo::{Known, Sequel};
use super::search::Search;
use super::states::State;
use super::steps::key;
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::{Event, Label};
use crate::store::Id;
use crate::system::{FootprintEntry, NextKind};

/// Longer ends are explored like everything else.
const LONGEST: usize = 256;

/// The steps to the end of the process: of threads that only end, then of one that goes on alone, if the process has not ended then.
#[derive(Debug)]
pub(super) struct Tail {
    steps: Box<[Rc<Known>]>,
    /// How many of the steps are such ends.
    ends: usize,
    /// The threads of those, one bit each.
    ended: u128,
    /// The stamp of executions ([`crate::engine::stateless::execution::Execution::stamp`]) that were found to have nothing that conflicts with those ends.
    checked: Cell<Option<u64>>,
}

impl Tail {
    fn new(steps: Vec<Rc<Known>>, ends: usize, ended: u128) -> Self {
        Self { steps: steps.into(), ends, ended, checked: Cell::default() }
    }
}

/// What is found of the end of an execution.
enum Found {
    /// It is this, and the last state before the process ends.
    Tail(Tail, Vec<Id>),
    /// It is none that need not be events.
    Nothing,
    /// Some of its steps are not known yet.
    Unknown,
}

/// Where a step of a tail leads.
enum Way {
    On,
    Ends,
    /// It is none of a tail.
    Off,
}

impl Search<'_> {
    /// Takes the execution to its end, if all but one of the threads that may go on only end, nothing is pending, and the steps are known and need not be events.
    /// `thread`: whose step would be tried first. Answers whether it did.
    pub(super) fn comes_to_end(&mut self, thread: usize) -> bool {
        let at = self.nodes.len() - 1;
        if self.cycles.is_some() || !self.sleep_range(at).is_empty() {
            return false;
        }
        let Some(tail) = self.recall(thread).filter(|tail| self.is_in_order(tail)) else { return false };
        self.count_tail(&tail.steps);
        self.reverse_races(Vec::new());
        self.nodes[at].finished += 1;
        true
    }

    /// The steps from the last state to the end of the process, if they are known and do nothing else than to go on.
    fn recall(&mut self, thread: usize) -> Option<Rc<Tail>> {
        let last = self.last();
        let (vector, State { layout, tail, .. }) = (self.states.vector(last), &self.states[last]);
        if let Some(tail) = tail {
            return tail.clone();
        }
        // Threads that rest are tried last: if this one does, so do all.
        let rests = self.machine.next_kind_in(vector, thread) == NextKind::Rests
            || self.machine.lives_alone_in(vector, *layout, thread);
        if !self.remembers || !rests {
            self.states[last].tail = Some(None);
            return None;
        }
        let tail = match self.find_tail(vector.to_vec()) {
            Found::Unknown => return None,
            Found::Nothing => None,
            Found::Tail(tail, before) => {
                if let Sequel::Ends(Some(status)) = tail.steps[tail.steps.len() - 1].sequel {
                    self.note_final_state_in(&before, status);
                }
                Some(Rc::new(tail))
            }
        };
        self.states[last].tail = Some(tail.clone());
        tail
    }

    /// The same from any state: first the ends, then what the other thread does.
    fn find_tail(&self, mut state: Vec<Id>) -> Found {
        let threads = self.machine.layout(&state).threads;
        let (mut steps, mut ended, mut other) = (Vec::new(), 0, None);
        for thread in (0..threads).rev() {
            if !self.machine.lives_in(&state, thread) {
                continue;
            }
            match self.known_step(&state, thread) {
                Some(known) if known.event.is_end() => {
                    ended |= 1 << thread;
                    steps.push(known);
                }
                Some(_) if other.is_some() => return Found::Nothing,
                None if other.is_some() => return Found::Unknown,
                _ => {
                    other = Some(thread);
                    continue;
                }
            }
            match follow(&steps[steps.len() - 1], &mut state) {
                Way::On => {}
                Way::Ends => {
                    let ends = steps.len();
                    return Found::Tail(Tail::new(steps, ends, ended), state);
                }
                Way::Off => return Found::Nothing,
            }
        }
        let (Some(thread), ends) = (other, steps.len()) else { return Found::Nothing };
        while steps.len() < LONGEST {
            let Some(known) = self.known_step(&state, thread) else { return Found::Unknown };
            let way = follow(&known, &mut state);
            steps.push(known);
            match way {
                Way::On => {}
                Way::Ends => return Found::Tail(Tail::new(steps, ends, ended), state),
                Way::Off => return Found::Nothing,
            }
        }
        Found::Nothing
    }

    /// What is known of the next step of a thread from a state.
    fn known_step(&self, state: &[Id], thread: usize) -> Option<Rc<Known>> {
        let layout = self.machine.layout(state);
        let look = |item| self.machine.look(state, layout, item);
        self.memo.find(&key(state, layout, Label { thread, store: None }), look).cloned()
    }

    /// Whether all that the steps may conflict with comes before them in every order of the execution's events.
    fn is_in_order(&self, tail: &Tail) -> bool {
        self.are_ends_in_order(tail) && (tail.ends == tail.steps.len() || self.is_last_in_order(tail))
    }

    /// Whether nothing conflicts with the ends but what their threads did and what comes before those began.
    fn are_ends_in_order(&self, tail: &Tail) -> bool {
        let execution = &self.execution;
        // Only what meddles conflicts with the end of another thread, and what is in order with the creation of a thread stays so.
        let stamp = Some(execution.stamp());
        let is_in_order = |event: &Event| {
            let mut others = execution.meddling().clone();
            others.subtract(execution.events_of(event.label.thread));
            if let Some(creation) = execution.creation_of(event.label.thread) {
                others.subtract(execution.past(creation));
                others.remove(creation);
            }
            !others.positions().any(|at| execution.conflict(at, event))
        };
        if tail.checked.get() != stamp && tail.steps[..tail.ends].iter().all(|step| is_in_order(&step.event)) {
            tail.checked.set(stamp);
        }
        tail.checked.get() == stamp
    }

    /// The same of the steps of the other thread.
    fn is_last_in_order(&self, tail: &Tail) -> bool {
        let (execution, steps) = (&self.execution, &tail.steps[tail.ends..]);
        let thread = steps[0].event.label.thread;
        let Some(last) = execution.steps_of(thread).highest() else { return false };
        let (mut others, mut ended) = (Bits::below(execution.len()), tail.ended);
        others.subtract(execution.past(last));
        others.subtract(execution.events_of(thread));
        !others.meets(execution.meddling())
            && steps.iter().map(|step| &step.event).all(|event| {
                self.pass_ends(event, &mut others, &mut ended);
                let is_last = ended == 0 && others.is_empty();
                let waits_for_all = self.machine.defers_exits() || ended == 0 && !self.has_conflict(event, &others);
                is_last || event.is_join() && (!event.ends || waits_for_all)
            })
    }

    /// Whether an event conflicts with one of these.
    fn has_conflict(&self, event: &Event, others: &Bits) -> bool {
        let mut open = self.execution.near(event);
        open.keep(others);
        open.positions().any(|at| self.execution.conflict(at, event))
    }

    /// Takes out what happens before the ends of threads that an event waited for: those are the last events of the threads, here or in the tail.
    fn pass_ends(&self, event: &Event, others: &mut Bits, ends: &mut u128) {
        for ended in event.touches.iter().filter_map(FootprintEntry::awaited) {
            *ends &= !(1 << ended);
            others.subtract(self.execution.events_of(ended));
            if let Some(last) = self.execution.steps_of(ended).highest() {
                others.subtract(self.execution.past(last));
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

/// Goes on from a state by a step.
fn follow(known: &Known, state: &mut Vec<Id>) -> Way {
    match &known.sequel {
        Sequel::Ends(_) => Way::Ends,
        // A step without effect may be part of a loop that waits.
        Sequel::Reaches(reached) if !known.event.idle && known.event.pushed.is_empty() => {
            let mut after = Vec::with_capacity(state.len());
            reached.apply(state, &mut after);
            *state = after;
            Way::On
        }
        Sequel::Reaches(_) | Sequel::Waits(_) => Way::Off,
    }
}

impl Event {
    /// Whether it does nothing but to wait for the end of a thread, or to end one.
    fn is_join(&self) -> bool {
        !self.in_section && self.touches.iter().all(FootprintEntry::is_of_join)
    }

    /// Whether it does nothing but to end its thread.
    fn is_end(&self) -> bool {
        let ends = |touch: &FootprintEntry| touch.is_end_of(self.label.thread);
        let is_free = !self.in_section && !self.cuts_off && self.pushed.is_empty();
        is_free && !self.touches.is_empty() && self.touches.iter().all(ends)
    }
}
