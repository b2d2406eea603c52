//! Cycles in conflict graphs: their detection, a shortest one, and the delays that make it possible.

use std::collections::VecDeque;

use super::Pending;
use super::graph::{Graph, Operation, Site};
use crate::engine::stateless::execution::Execution;
use crate::outcome::cycle::Relation;

/// A cycle, beginning with a store that was delayed.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The operations. The first one follows the last one.
    pub operations: Vec<Operation>,
    /// For each operation, the relation by which it precedes the next one.
    pub relations: Vec<Relation>,
    /// The indices of the operations that are stores and may be delayed until after the next one.
    pub delays: Vec<usize>,
}

impl Cycle {
    /// The number of events up to which the execution has the cycle.
    pub fn until(&self, execution: &Execution) -> usize {
        let until = self.operations.iter().map(|operation| operation.until).max();
        until.map_or(0, |until| until.min(execution.len()))
    }

    /// The sites of the operations.
    pub fn sites(&self) -> impl Iterator<Item = Site> {
        self.operations.iter().map(|operation| operation.site)
    }

    fn rotate(&mut self, by: usize) {
        let len = self.operations.len();
        self.operations.rotate_left(by);
        self.relations.rotate_left(by);
        self.delays.iter_mut().for_each(|at| *at = (*at + len - by) % len);
        self.delays.sort_unstable();
    }
}

/// A shortest cycle in the graph of an execution.
pub fn find(execution: &Execution, pending: &[Pending]) -> Option<Cycle> {
    // Everything else goes forward in memory order.
    if !has_delay(execution, pending) {
        return None;
    }
    let graph = Graph::new(execution, pending);
    if is_acyclic(&graph) {
        return None;
    }
    let stores = graph.operations().filter(|&at| graph.operation(at).site.store.is_some());
    let path = stores.filter_map(|store| shortest(&graph, store)).min_by_key(Vec::len)?;
    let operations: Vec<_> = path.iter().map(|&(at, _)| graph.operation(at).clone()).collect();
    let relations = path.iter().map(|&(_, relation)| relation).collect();
    let mut cycle = Cycle { operations, relations, delays: Vec::new() };
    let is_delay = |&at: &usize| {
        let next = &cycle.operations[(at + 1) % cycle.operations.len()];
        cycle.relations[at] == Relation::ProgramOrder && is_delay(execution, pending, &cycle.operations[at], next)
    };
    cycle.delays = (0..cycle.operations.len()).filter(is_delay).collect();
    let first = cycle.delays.iter().copied().min_by_key(|&at| cycle.operations[at].site);
    cycle.rotate(first.expect("only a delay can make a cycle"));
    Some(cycle)
}

/// True if some thread takes a step, or lets a store reach memory, before an older store of its own has
/// reached memory.
fn has_delay(execution: &Execution, pending: &[Pending]) -> bool {
    let mut waiting: Vec<u32> = Vec::new();
    let events = (0..execution.len()).map(|at| execution.event(at));
    !pending.is_empty()
        || events.into_iter().any(|event| {
            let thread = event.action.thread;
            if waiting.len() <= thread {
                waiting.resize(thread + 1, 0);
            }
            let delays = waiting[thread] > 0 && !event.is_update();
            waiting[thread] += event.pushed().len() as u32;
            // An update that is not that of the oldest store leaves the oldest in the buffer until the
            // thread's next step, or the end.
            waiting[thread] -= u32::from(event.is_update());
            delays || !execution.stores_in_order() && event.pushed().len() > 1
        })
}

/// True if all operations can be put in order. This is Kahn's algorithm.
fn is_acyclic(graph: &Graph) -> bool {
    let next = |at: usize| graph.next_own(at).chain(graph.later_foreign(at).iter().map(|&(other, _)| other));
    let mut before = vec![0_usize; graph.operations().len()];
    graph.operations().flat_map(next).for_each(|at| before[at] += 1);
    let mut free: Vec<_> = graph.operations().filter(|&at| before[at] == 0).collect();
    let mut placed = 0;
    while let Some(at) = free.pop() {
        placed += 1;
        for other in next(at) {
            before[other] -= 1;
            if before[other] == 0 {
                free.push(other);
            }
        }
    }
    placed == before.len()
}

/// A shortest cycle through an operation: the operations from it on, each with its relation to the next one.
fn shortest(graph: &Graph, from: usize) -> Option<Vec<(usize, Relation)>> {
    let mut reached: Vec<Option<(usize, Relation)>> = vec![None; graph.operations().len()];
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let own = graph.later_own(at).map(|other| (other, Relation::ProgramOrder));
        for (other, relation) in own.chain(graph.later_foreign(at).iter().copied()) {
            if reached[other].is_none() {
                reached[other] = Some((at, relation));
                queue.push_back(other);
            }
        }
        if reached[from].is_some() {
            break;
        }
    }
    let mut path = Vec::new();
    let mut at = from;
    loop {
        let step = reached[at]?;
        path.push(step);
        at = step.0;
        if at == from {
            break;
        }
    }
    path.reverse();
    Some(path)
}

/// True if an operation is a store that nothing keeps before another operation, a later one of the same
/// thread.
pub fn is_delay(execution: &Execution, pending: &[Pending], first: &Operation, second: &Operation) -> bool {
    let Site { thread, store: Some(store), .. } = first.site else { return false };
    let arrival = execution.update_of(thread, store);
    let Some(next) = second.site.store else {
        // Without an update, the store is dropped or still in its buffer. `until` is the moment.
        return match arrival {
            Some(arrival) => !execution.happens_before(arrival, second.site.step),
            None => first.until > second.site.step + 1,
        };
    };
    if execution.stores_in_order() || first.touch.overlaps(&second.touch) {
        return false;
    }
    if let (Some(arrival), Some(next)) = (arrival, execution.update_of(thread, next)) {
        return !execution.happens_before(arrival, next);
    }
    let epochs = [store, next].map(|store| barrier_epoch(execution, pending, thread, store));
    epochs[0].is_none() || epochs[1].is_none() || epochs[0] == epochs[1]
}

/// The number of store-store barriers before a store, unless it was dropped.
fn barrier_epoch(execution: &Execution, pending: &[Pending], thread: usize, store: u32) -> Option<u32> {
    let waits = || pending.iter().find(|pending| pending.thread == thread && pending.store.number == store);
    let arrived = execution
        .update_of(thread, store)
        .and_then(|at| execution.event(at).as_update().map(|update| update.barrier_epoch));
    arrived.or_else(|| waits().map(|pending| pending.store.group))
}
