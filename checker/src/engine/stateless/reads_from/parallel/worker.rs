//! A worker: the tasks that it takes, and the nodes that it shares.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::numbers::{Numbers, SharedId};
use super::pool::Closing;
use super::search::{Counts, SharedSearch};
use super::shared_node::{Branches, Link, Repeated, SharedHalt, SharedNode, Task};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::reads_from::histories::{Histories, HistoryId};
use crate::engine::stateless::reads_from::node::{Child, LastStep, key};
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
    /// The shared nodes of the current execution, and maybe some after them of one before.
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

    /// Adds a class. Returns false if a worker found it before.
    pub fn is_new_class(&mut self, histories: &Histories, class: &[HistoryId]) -> bool {
        let class = class.iter().map(|&id| u64::from(self.numbers.shared(histories, &self.shared.names, id)));
        self.shared.classes.insert(class).1
    }

    /// The bytes of the histories and of the classes that all workers share, if this is the first one.
    pub fn shared_bytes(&self) -> [usize; 2] {
        let SharedSearch { names, classes, .. } = &*self.shared;
        if self.number == 0 { [names.bytes(), classes.bytes()] } else { [0, 0] }
    }

    /// Publishes what the worker did: see [`SharedSearch::publish`].
    pub fn publish(&self, own: Counts, sample: ProgressSample) -> (u64, ProgressSample) {
        self.shared.publish(self.number, own, sample)
    }

    /// The shared nodes of the current execution, the outermost one first, and maybe some of one before.
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
            shared.pool.finish();
        }
        while !self.is_over()
            && let Some(task) = shared.pool.take()
        {
            shared.taken.fetch_add(1, Ordering::Relaxed);
            self.begin(task)?;
            self.explore_nodes(progress)?;
            shared.pool.finish();
        }
        Ok(())
    }

    /// Gives other workers branches if one of them has nothing to do: half of those of the outermost node that
    /// has any, unless only one branch is left to follow.
    pub(in crate::engine::stateless::reads_from) fn give(&mut self) {
        let Some(worker) = &self.worker else { return };
        if !worker.shared.pool.is_hungry() {
            return;
        }
        let Some(at) = self.nodes.iter().position(|node| !node.pending.is_empty()) else { return };
        if self.nodes.iter().map(|node| node.pending.len()).sum::<usize>() < 2 {
            return;
        }
        if at >= self.nodes.shared() {
            self.share(at);
        }
        let half = self.nodes[at].pending.len().div_ceil(2);
        let given: Vec<_> = self.nodes[at].pending.drain(..half).collect();
        for child in given {
            let branch = self.branch(at, child);
            let worker = self.worker.as_ref().expect("there are others");
            worker.shared.pool.add(Task { node: Arc::clone(&worker.chain[at]), branch });
        }
    }

    /// Shares a node, and those before it that are not.
    fn share(&mut self, last: usize) {
        let first = self.nodes.shared();
        let worker = self.worker.as_mut().expect("there are others");
        worker.chain.truncate(first);
        let events = self.events_before(first, last);
        for (at, (events, position)) in (first..=last).zip(events) {
            let node = self.shared_node(at, events, position);
            let worker = self.worker.as_mut().expect("there are others");
            worker.chain.push(Arc::new(node));
        }
        self.nodes.set_shared(last + 1);
    }

    /// The events before each of these nodes, and their number, which may be less than there are.
    fn events_before(&self, first: usize, last: usize) -> Vec<(Arc<[Repeated]>, usize)> {
        let mut events = self.trace.events();
        let mut all: Vec<(Arc<[Repeated]>, usize)> = Vec::new();
        for at in (first..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            if let Some(inserted) = &node.inserted {
                events.truncate(inserted.len);
                events.remove(inserted.position);
            }
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
                longer.len() >= events.len() && longer.iter().zip(&events).all(|(one, event)| one.is(event))
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
        let waits = node.waits.iter();
        let waits = waits.map(|graph| graph.iter().map(|&id| (shared(id), histories.count(id))).collect()).collect();
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

    /// True unless some worker found a branch of this name before. A node that is not shared is known to this
    /// worker only.
    pub(in crate::engine::stateless::reads_from) fn is_new_to_all(&mut self, at: usize, child: &Child) -> bool {
        if at >= self.nodes.shared() {
            return true;
        }
        let worker = self.worker.as_mut().expect("there are others");
        let graph = worker.numbers.all_shared(&self.histories, &worker.shared.names, &child.histories);
        lock(&worker.chain[at].known).seen.insert(key(&graph, &child.sources))
    }

    /// True unless some worker found before that the step of a node may be left out for ever.
    pub(in crate::engine::stateless::reads_from) fn is_first_to_wait(&self, at: usize) -> bool {
        let node = self.worker.as_ref().filter(|_| at < self.nodes.shared()).map(|worker| &worker.chain[at]);
        node.is_none_or(|node| !std::mem::replace(&mut lock(&node.known).may_wait, true))
    }
}
