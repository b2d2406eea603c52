//! Nodes and branches as they are handed to other workers: without numbers that mean something to one worker
//! only.

use std::sync::{Arc, Mutex};

use super::numbers::SharedId;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::reads_from::clock::Clock;
use crate::engine::stateless::reads_from::histories::{DetachedStep, Reads};
use crate::engine::stateless::reads_from::memory::Parts;
use crate::engine::stateless::reads_from::node::{LastStep, Route};
use crate::engine::stateless::stepper::Answers;
use crate::hash::FxHashSet;

/// A node whose branches are tasks for all workers.
pub struct SharedNode {
    /// The node before it in its executions, if there is one.
    pub before: Option<Link>,
    /// The thread of the step.
    pub thread: usize,
    /// The step as it was first.
    pub event: Arc<Event>,
    /// The steps before it.
    pub base: Clock,
    /// The sources with which the step was met first.
    pub first: Parts,
    /// The events before the step are the first `position` of these.
    pub events: Arc<[Repeated]>,
    /// Their number.
    pub position: usize,
    /// What is known of its branches.
    pub known: Mutex<Branches>,
}

/// An event that is taken again, with its answers.
#[derive(Clone, Debug)]
pub struct Repeated {
    pub action: Action,
    pub answers: Box<[u32]>,
}

impl Repeated {
    /// True if this is an event that was taken.
    pub fn is(&self, event: &Event) -> bool {
        self.action == event.action && *self.answers == *event.answers()
    }
}

impl From<&Event> for Repeated {
    fn from(event: &Event) -> Self {
        Self { action: event.action, answers: event.answers().into() }
    }
}

/// A node, and what its step did in an execution.
pub struct Link {
    /// The node.
    pub node: Arc<SharedNode>,
    /// The sources of its step.
    pub current: Parts,
    /// The way in which its thread ended, if it does not go on.
    pub halt: Option<SharedHalt>,
}

/// The end of a thread while others go on.
pub struct SharedHalt {
    /// Its last step, if it is not in the execution.
    pub step: Option<DetachedStep>,
    /// The way in which that step ends the execution.
    pub last: LastStep,
}

/// The branches of a node, by the numbers of histories in the table of all workers.
#[derive(Default)]
pub struct Branches {
    /// The names of all branches but the first.
    pub seen: FxHashSet<Box<[u64]>>,
    /// The graphs at which the step was found to wait, as histories with their numbers of steps.
    pub waits: Vec<Vec<(SharedId, u32)>>,
    /// True if there is a branch in which the step is never taken.
    pub may_wait: bool,
}

/// A branch that is to be followed.
pub struct Task {
    /// Its node.
    pub node: Arc<SharedNode>,
    /// The branch.
    pub branch: Branch,
}

/// A branch: what [`Child`](super::super::node::Child) says, without numbers of histories.
pub struct Branch {
    pub kept: Clock,
    pub others: Vec<Other>,
    pub sources: Parts,
    pub reads: Reads,
    pub route: Route,
    pub answers: Answers,
}

/// An event that a branch has beyond its node.
pub enum Other {
    /// A step.
    Step(DetachedStep),
    /// An update.
    Update(Arc<Event>),
}
