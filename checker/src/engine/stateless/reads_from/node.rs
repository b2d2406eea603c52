//! A decision of the current execution: a step that may read other sources.

use std::rc::Rc;

use rmc_consistency::Place;

use super::clock::Clock;
use super::histories::{HistoryId, Reads, ThreadHistories};
use super::in_place::Inserted;
use super::memory::{Part, Parts};
use super::occurrences::Repeated;
use super::rearrangement::Rearrangement;
use super::removal::Removed;
use crate::engine::stateless::estimate::Branching;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::stepper::{Answers, Ending};
use crate::hash::FxHashSet;

/// A step with reads, at which the search decides what they read.
pub struct Node {
    /// The thread of the step.
    pub thread: usize,
    /// The step as it was first.
    pub event: Rc<Event>,
    /// The number of events before the step.
    pub position: usize,
    /// The steps before it.
    pub base: Clock,
    /// The histories of these, thread by thread.
    pub histories: ThreadHistories,
    /// The sources with which the step was met first.
    pub first: Parts,
    /// The decisions that are still to be followed.
    pub pending: Vec<Child>,
    /// The number of decisions that led to an execution, with the current one.
    pub followed: usize,
    /// The number of executions before this decision was met.
    pub executions_before: u64,
    /// The keys of all decisions so far but the first.
    seen: FxHashSet<Box<[u64]>>,
    /// The sources of its reads in the current execution, set by [`super::nodes::Nodes`].
    pub current: Parts,
    /// Events below `position` that are in another order in the current execution.
    pub displaced: Option<Displaced>,
    /// The step, if it was inserted among the events of the current execution.
    pub inserted: Option<Inserted>,
    /// The graphs at which the step was found to wait, as histories, so that others were followed without it.
    pub waits: Vec<ThreadHistories>,
    /// True if there is a decision that the step is never taken.
    pub may_wait: bool,
}

/// Events that are to be put back.
pub struct Displaced {
    /// The position of the first one.
    pub from: usize,
    /// The events.
    pub events: Vec<Removed>,
    /// The generation of states that they refer to.
    pub generation: u64,
}

/// The kinds of steps that end an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastStep {
    /// The process ends, after everything else.
    Exit,
    /// A violation, an assumption that is false, a wait in an atomic section, a limit, or writes that no
    /// model allows where the step is.
    Violation,
    /// The step is never taken: the thread waits in a loop to the end.
    Waits,
}

impl LastStep {
    /// The kind of a step that ends an execution in this way.
    pub const fn of(ending: &Ending) -> Self {
        match ending {
            Ending::Exit(_) | Ending::CachedExit(_) => Self::Exit,
            Ending::Pruned | Ending::WaitsInSection | Ending::Fault(_) | Ending::Limit(_) => Self::Violation,
        }
    }
}

/// A decision: the steps that come before, and what the step reads.
pub struct Child {
    /// The steps of all threads that the decision needs, without the step itself.
    pub kept: Clock,
    /// The histories of these, thread by thread, as far as there are any.
    pub histories: ThreadHistories,
    /// The events of those steps that are not in the node's base, in an order in which they may happen after
    /// it.
    pub others: Vec<Repeated>,
    /// The order of all steps of the decision, if the others cannot come after the base.
    pub order: Option<Rc<Merged>>,
    /// Sources of the step's first reads. The other reads find what is last there.
    pub sources: Parts,
    /// The same as histories know them.
    pub reads: Reads,
    /// The way in which the execution is found first.
    pub route: Route,
    /// The answers of the step to its questions.
    pub answers: Answers,
}

/// An order of the steps of a decision, in which those of the base may come among the others.
pub struct Merged {
    /// The number of the base's events that are in no other order.
    pub from: usize,
    /// The events after these.
    pub events: Rearrangement,
}

/// The ways to an execution in which a step has given sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The step comes last.
    AtEnd,
    /// The step comes right after the last source.
    AfterSource,
    /// A witness is searched for.
    Witness,
    /// The step is never taken. The sources are those with which it waited.
    Never,
}

impl Node {
    /// A node for a step after these steps, with these histories, which was met with these sources.
    pub fn new(event: &Rc<Event>, position: usize, base: Clock, histories: ThreadHistories, first: Parts) -> Self {
        Self {
            thread: event.action.thread,
            event: Rc::clone(event),
            position,
            base,
            histories,
            first,
            pending: Vec::new(),
            followed: 1,
            executions_before: 0,
            seen: FxHashSet::default(),
            current: Parts::new(),
            displaced: None,
            inserted: None,
            waits: Vec::new(),
            may_wait: false,
        }
    }

    /// The decisions as an estimate counts them, if this share of them leads to executions.
    pub fn branching(&self, share: f64) -> Branching {
        let open = (self.pending.len() as f64 * share).round() as usize;
        Branching { before: self.executions_before, finished: self.followed.saturating_sub(1), open }
    }

    /// The names of all decisions so far but the first: histories, and the rest.
    pub fn names(&self) -> impl Iterator<Item = (&[u64], &[u64])> + '_ {
        self.seen.iter().map(|name| name.split_at(name.iter().position(|&word| word == u64::MAX).expect("it ends")))
    }

    /// Notes the name of a decision. Returns false if there was one of that name.
    pub fn note(&mut self, child: &Child) -> bool {
        !self.is_first(&child.histories, &child.sources) && self.seen.insert(key(&child.histories, &child.sources))
    }

    /// True if there was a decision of this name.
    pub fn has_seen(&self, histories: &[HistoryId], sources: &Parts) -> bool {
        self.is_first(histories, sources) || !self.seen.is_empty() && self.seen.contains(&key(histories, sources)[..])
    }

    fn is_first(&self, histories: &[HistoryId], sources: &Parts) -> bool {
        let is_same = |(one, other): (&Part, &Part)| (one.place, one.writer) == (other.place, other.writer);
        histories == &self.histories[..]
            && sources.len() == self.first.len()
            && sources.iter().zip(&self.first).all(is_same)
    }

    /// The decision that the step is never taken. The step waited with these sources.
    pub fn never(&self, sources: &Parts) -> Child {
        Child {
            kept: self.base.clone(),
            histories: ThreadHistories::new(),
            others: Vec::new(),
            order: None,
            sources: sources.clone(),
            reads: Reads::new(),
            route: Route::Never,
            answers: Answers::All,
        }
    }
}

/// A name of a decision: histories, and sources of a step.
pub fn key(histories: &[HistoryId], sources: &Parts) -> Box<[u64]> {
    let sources = sources.iter().flat_map(|part| {
        let Place { object, offset, len } = part.place;
        [u64::from(object) << 32 | u64::from(offset), u64::from(len), part.writer.number()]
    });
    histories.iter().map(|&history| u64::from(history)).chain([u64::MAX]).chain(sources).collect()
}
