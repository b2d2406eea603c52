//! A worker: the tasks that it takes, and the nodes that it shares.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::numbers::{Numbers, SharedId};
use super::pool::Closing;
use super::search::{Counts, SharedSearch};
use super::shared_node::{Branches, Link, Repeated, SharedHalt, SharedNode, Task};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::reads_from::histories::{Histories, HistoryId};
use crate::engine::stateless::reads_from::node::{Child, LastStep, Route, key};
use crate::engine::stateless::reads_from::nodes::Halt;
use crate::engine::stateless::reads_from::search::Search;
use crate::engine::{EngineError, Progress};
use crate::outcome::measures::ProgressSample;
use crate::store::lock;

/// What a worker has beside its search.
pub struct Worker {
    /// The search of all workers.
    pub shared: Arc<SharedSearch>,
    number: usize,
    numbers: Numbers,
    /// The shared nodes of the current execution.
    chain: Vec<Arc<SharedNode>>,
}

impl Worker {
    /// The worker with this number.
    pub fn new(shared: Arc<SharedSearch>, number: usize) -> Self {
        Self { shared, number, numbers: Numbers::default(), chain: Vec::new() }
    }

    /// The number of a history in the table of all workers.
    pub fn shared_id(&mut self, histories: &Histories, id: HistoryId) -> SharedId {
        self.numbers.shared(histories, &self.shared.names, id)
    }

    /// The history of this worker that has a number in the table, if it was asked for.
    pub fn own_id(&self, id: SharedId) -> Option<HistoryId> {
        self.numbers.own(id)
    }

    /// Adds a class. Returns false if a worker found it before.
    pub fn is_new_class(&mut self, histories: &Histories, class: &[HistoryId]) -> bool {
        let class = class.iter().map(|&id| u64::from(self.numbers.shared(histories, &self.shared.names, id)));
        let class: Vec<u64> = class.collect();
        self.shared.classes.insert(&class).1
    }

    /// Publishes what the worker did: see [`SharedSearch::publish`].
    pub fn publish(&self, own: Counts, sample: ProgressSample) -> (u64, ProgressSample) {
        self.shared.publish(self.number, own, sample)
    }

    /// The shared nodes of the current execution, the outermost one first.
    pub(super) fn chain(&self) -> &[Arc<SharedNode>] {
        &self.chain
    }

    /// Sets the shared nodes of the current execution.
    pub(super) fn set_chain(&mut self, chain: Vec<Arc<SharedNode>>) {
        self.chain = chain;
    }
}

impl Search<'_> {
    /// Explores what is below the tasks that this worker takes, until nobody has any. The first worker begins
    /// with the first execution.
    pub fn explore_tasks(&mut self, progress: &Progress) -> Result<(), EngineError> {
        let Some(Worker { shared, number, .. }) = &self.worker else { return self.explore(progress) };
        let (shared, number) = (Arc::clone(shared), *number);
        let _closing = Closing(&shared.pool);
        if number == 0 {
            self.explore(progress)?;
        }
        while !self.is_over()
            && let Some(task) = shared.pool.take()
        {
            shared.taken.fetch_add(1, Ordering::Relaxed);
            self.begin(task, progress)?;
            self.explore_nodes(progress)?;
        }
        Ok(())
    }

    /// Gives other workers the branches of shared nodes that were found since, and if one of them has nothing
    /// to do, those of one node more.
    pub(in crate::engine::stateless::reads_from) fn give(&mut self) {
        let Some(worker) = &self.worker else { return };
        if worker.shared.pool.is_hungry() {
            self.share();
        }
        for at in 0..self.nodes.shared() {
            self.give_branches(at);
        }
    }

    /// Shares the outermost node of this worker that has branches, and those before it, unless only one branch
    /// is left to follow.
    fn share(&mut self) {
        let first = self.nodes.shared();
        let counts: Vec<_> = (first..self.nodes.len()).map(|at| self.nodes[at].pending.len()).collect();
        let Some(at) = counts.iter().position(|&count| count > 0) else { return };
        if counts.iter().sum::<usize>() < 2 {
            return;
        }
        let last = first + at;
        let events = self.events_before(first, last);
        for (at, (events, position)) in (first..=last).zip(events) {
            let node = self.shared_node(at, events, position);
            let worker = self.worker.as_mut().expect("there are others");
            worker.chain.push(Arc::new(node));
        }
        self.nodes.set_shared(last + 1);
        let pending = std::mem::take(&mut self.nodes[last].pending);
        pending.into_iter().for_each(|child| self.give_branch(last, child));
    }

    /// The events before each of these nodes, and their number, which may be less than there are.
    fn events_before(&self, first: usize, last: usize) -> Vec<(Arc<[Repeated]>, usize)> {
        let mut events = self.trace.events();
        let mut all: Vec<(Arc<[Repeated]>, usize)> = Vec::new();
        for at in (first..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            match &node.displaced {
                None => events.truncate(node.position),
                Some(displaced) => {
                    events.truncate(displaced.from);
                    events.extend(displaced.events.iter().map(|removed| removed.event.clone()));
                }
            }
            if at > last {
                continue;
            }
            let is_there = |(longer, _): &&(Arc<[Repeated]>, usize)| {
                longer.len() >= events.len()
                    && longer.iter().zip(&events).all(|(one, event)| *one == Repeated::from(&**event))
            };
            let list = match all.last().filter(is_there) {
                Some((longer, _)) => Arc::clone(longer),
                None => events.iter().map(|event| Repeated::from(&**event)).collect(),
            };
            all.push((list, events.len()));
        }
        all.reverse();
        all
    }

    /// A node as others see it. Those before it are shared.
    fn shared_node(&mut self, at: usize, events: Arc<[Repeated]>, position: usize) -> SharedNode {
        let Self { nodes, histories, worker, .. } = self;
        let worker = worker.as_mut().expect("there are others");
        let before = worker.chain.last().map(|node| {
            let halt = nodes.halts().iter().find(|halt| halt.node + 1 == at);
            let halt = halt.map(|&Halt { history, last, .. }| SharedHalt {
                step: (last != LastStep::Waits).then(|| histories.detached(history)),
                last,
            });
            Link { node: Arc::clone(node), current: nodes[at - 1].current.clone(), halt }
        });
        let node = &nodes[at];
        let mut shared = |id| worker.numbers.shared(histories, &worker.shared.names, id);
        let seen = node.names().map(|(graph, rest)| {
            let graph = graph.iter().map(|&id| u64::from(shared(id as HistoryId)));
            graph.chain(rest.iter().copied()).collect()
        });
        let seen = seen.collect();
        let waits = node.waits.iter().map(|graph| graph.iter().map(|&id| shared(id)).collect()).collect();
        SharedNode {
            before,
            thread: node.thread,
            event: Arc::new(Event::clone(&node.event)),
            base: node.base.clone(),
            first: node.first.clone(),
            events,
            position,
            known: Mutex::new(Branches { seen, waits, may_wait: node.may_wait }),
        }
    }

    /// Gives other workers the branches of a shared node that this worker found, but for those that are known.
    fn give_branches(&mut self, at: usize) {
        if self.nodes[at].pending.is_empty() {
            return;
        }
        for child in std::mem::take(&mut self.nodes[at].pending) {
            if self.is_new_branch(at, &child) {
                self.give_branch(at, child);
            }
        }
    }

    /// False if some worker found a branch of a shared node before.
    fn is_new_branch(&mut self, at: usize, child: &Child) -> bool {
        let worker = self.worker.as_mut().expect("there are others");
        let node = &worker.chain[at];
        if child.route == Route::Never {
            return !std::mem::replace(&mut lock(&node.known).may_wait, true);
        }
        if !child.is_named() {
            return true;
        }
        let graph = worker.numbers.all_shared(&self.histories, &worker.shared.names, &child.histories);
        lock(&node.known).seen.insert(key(&graph, &child.sources))
    }

    fn give_branch(&mut self, at: usize, child: Child) {
        let branch = self.branch(at, child);
        let worker = self.worker.as_ref().expect("there are others");
        worker.shared.pool.add(Task { node: Arc::clone(&worker.chain[at]), branch });
    }
}
