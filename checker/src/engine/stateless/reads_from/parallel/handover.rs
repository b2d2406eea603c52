//! Branches from one worker to another: as the steps that a branch has beyond its node, and back.

use std::rc::Rc;
use std::sync::Arc;

use rmc_consistency::EventId;

use super::numbers::SharedId;
use super::shared_node::{Branch, Link, Other, Repeated, SharedHalt, SharedNode, Task};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::reads_from::histories::{DetachedStep, HistoryId};
use crate::engine::stateless::reads_from::node::{Child, Node};
use crate::engine::stateless::reads_from::occurrences;
use crate::engine::stateless::reads_from::search::Search;
use crate::engine::stateless::reads_from::trace::without_empty;
use crate::engine::{EngineError, Progress};
use crate::hash::FxHashMap;
use crate::store::lock;

impl Search<'_> {
    /// A branch of a shared node as others see it.
    pub(super) fn branch(&self, at: usize, child: Child) -> Branch {
        let mut counts: FxHashMap<usize, u32> = FxHashMap::default();
        let mut other = |event: &Rc<Event>| {
            if event.is_update() {
                return Other::Update(Arc::new(Event::clone(event)));
            }
            let thread = event.action.thread;
            let count = counts.entry(thread).or_insert_with(|| self.nodes[at].base.of(thread));
            *count += 1;
            let last = child.histories.get(thread).copied().expect("the branch has the step");
            Other::Step(self.histories.detached(self.histories.first(last, *count)))
        };
        let others = child.others.iter().map(|of| other(&of.event)).collect();
        let Child { kept, sources, reads, route, answers, .. } = child;
        Branch { kept, others, sources, reads, route, answers }
    }

    /// Makes a branch that another worker found one of the last node.
    pub(super) fn begin(&mut self, Task { node, branch }: Task) -> Result<(), EngineError> {
        self.enter_node(&node)?;
        if !self.stepper.is_halted() {
            let at = self.nodes.len() - 1;
            let child = self.child(at, branch);
            self.nodes[at].pending.push(child);
        }
        Ok(())
    }

    /// Puts the execution back to where the step of the last node, which is shared, is tried.
    pub(in crate::engine::stateless::reads_from) fn restore_shared(&mut self, at: usize) -> Result<(), EngineError> {
        let worker = self.worker.as_ref().expect("there are others");
        let node = Arc::clone(&worker.chain()[at]);
        self.nodes.reset_last();
        (self.nodes[at].displaced, self.nodes[at].inserted) = (None, None);
        self.repeat_events(&node.events[..node.position])
    }

    /// Follows a branch of the last node, which is shared, and extends the execution.
    pub(in crate::engine::stateless::reads_from) fn take_shared_branch(
        &mut self,
        at: usize,
        child: Child,
        progress: &Progress,
    ) -> Result<(), EngineError> {
        let Self { histories, nodes, worker, .. } = self;
        let worker = worker.as_mut().expect("there are others");
        let node = Arc::clone(&worker.chain()[at]);
        // What the others found at this node, as far as it is a part of this branch.
        let of = |thread: usize| child.histories.get(thread).copied().unwrap_or(0);
        let mut own = |thread: usize, (id, count): (SharedId, u32)| {
            let first = histories.first(of(thread), count);
            (worker.shared_id(histories, first) == id).then_some(first)
        };
        let parts = |graph: &Vec<_>| graph.iter().enumerate().map(|(thread, &known)| own(thread, known)).collect();
        let waits = lock(&node.known).waits.iter().find_map(parts);
        nodes[at].waits = waits.into_iter().collect();
        let before = nodes[at].waits.len();
        self.take_branch(at, child, progress)?;
        let Self { histories, nodes, worker, .. } = self;
        let worker = worker.as_mut().expect("there are others");
        for graph in &nodes[at].waits[before..] {
            let graph = graph.iter().map(|&id| (worker.shared_id(histories, id), histories.count(id))).collect();
            lock(&node.known).waits.push(graph);
        }
        Ok(())
    }

    /// A branch of a node with the histories of this worker.
    fn child(&mut self, at: usize, branch: Branch) -> Child {
        let Self { histories, trace, nodes, .. } = self;
        let mut last = nodes[at].histories.clone();
        let mut more: FxHashMap<EventId, HistoryId> = FxHashMap::default();
        let others = branch.others.iter().map(|other| match other {
            Other::Update(event) => occurrences::Repeated { event: Rc::new(Event::clone(event)), known: None },
            Other::Step(step) => {
                let thread = step.event.action.thread;
                if last.len() <= thread {
                    last.resize(thread + 1, 0);
                }
                let with = |id: EventId| {
                    more.get(&id).copied().unwrap_or_else(|| trace.history(id.thread as usize, id.index + 1))
                };
                let (history, event) = histories.after_detached(last[thread], step, with);
                more.insert(EventId::new(thread as u32, histories.count(history) - 1), history);
                last[thread] = history;
                occurrences::Repeated { event, known: None }
            }
        });
        let others = others.collect();
        let Branch { kept, sources, reads, route, answers, .. } = branch;
        Child { kept, histories: without_empty(last), others, order: None, sources, reads, route, answers }
    }

    /// Makes a shared node the last one, and the execution the one in which its step is tried.
    fn enter_node(&mut self, node: &Arc<SharedNode>) -> Result<(), EngineError> {
        let mut chain = vec![Arc::clone(node)];
        while let Some(Link { node, .. }) = &chain[chain.len() - 1].before {
            chain.push(Arc::clone(node));
        }
        chain.reverse();
        let worker = self.worker.as_ref().expect("there are others");
        let current = &worker.chain()[..self.nodes.shared()];
        let same = chain.iter().zip(current).take_while(|(one, other)| Arc::ptr_eq(one, other)).count();
        self.nodes.keep(same);
        self.repeat_events(&node.events[..node.position])?;
        if self.stepper.is_halted() {
            return Ok(());
        }
        for node in &chain[same..] {
            let event = Rc::new(Event::clone(&node.event));
            let histories = self.trace.histories(&node.base);
            let mut own = Node::new(&event, node.position, node.base.clone(), histories, node.first.clone());
            (own.executions_before, own.followed) = (self.results.explored(), 0);
            self.nodes.push(own);
        }
        for (at, node) in chain.iter().enumerate() {
            (self.nodes[at].displaced, self.nodes[at].inserted) = (None, None);
            let Some(Link { current, halt, .. }) = chain.get(at + 1).and_then(|next| next.before.as_ref()) else {
                continue;
            };
            self.nodes.set_current(at, current);
            if let Some(SharedHalt { step, last }) = halt {
                let history = self.history_of_halt(node, step.as_ref());
                self.nodes.add_halt(at, history, *last);
            }
        }
        self.nodes.set_shared(chain.len());
        self.worker.as_mut().expect("there are others").set_chain(chain);
        Ok(())
    }

    /// The history of a thread that does not go on after a node, where the current execution is below it.
    fn history_of_halt(&mut self, node: &SharedNode, step: Option<&DetachedStep>) -> HistoryId {
        let before = self.trace.history(node.thread, node.base.of(node.thread));
        let Some(step) = step else { return before };
        let trace = &self.trace;
        self.histories.after_detached(before, step, |id| trace.history(id.thread as usize, id.index + 1)).0
    }

    /// Makes these events the current execution.
    fn repeat_events(&mut self, events: &[Repeated]) -> Result<(), EngineError> {
        let is_there = |&(at, event): &(usize, &Repeated)| at < self.trace.len() && event.is(self.trace.event(at));
        let common = events.iter().enumerate().take_while(is_there).count();
        self.trace.discard(common, &mut self.stepper);
        self.trace.note_rebuilt();
        for event in &events[common..] {
            let is_taken = self.repeat(event.action, &event.answers)?;
            assert!(is_taken || self.is_over(), "the events of an execution happen");
            if self.stepper.is_halted() {
                break;
            }
        }
        Ok(())
    }
}
