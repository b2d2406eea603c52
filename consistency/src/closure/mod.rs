//! The closure: an order that every witness of a history respects, or a cycle that shows that there is none
//! (Bui et al., section 4.3; for two threads it decides).
//!
//! Nodes are events, and the arrivals of delayed stores in memory. The order is program order, what the model
//! demands of arrivals, and for each read of a cell `x` from a store `w`:
//!
//! 1. If `w` is of another thread, it arrives before the read, and after the stores to `x` that the reader's
//!    thread made before the read. If it is of the same thread, so do those other stores.
//! 2. A store to `x` of a third thread that arrives before the read arrives before `w`.
//! 3. A store to `x` of another thread that arrives after `w` arrives after the read.
//!
//! The initial memory arrives before everything. An event that reads and writes at once is one node, which is
//! what rules 4 and 5 of section 4.4 say of atomic blocks.
//!
//! The order is kept as vector clocks over *chains*, sets of nodes that are in a known total order: the
//! events of a thread; under TSO the arrivals of a thread; under PSO those that share their first
//! cell. The rules are applied until nothing changes.
//!
//! * `clocks`: chains, clocks, and the order that grows,
//! * `rules`: the rules above.

mod clocks;
mod rules;

pub use clocks::Closure;

use self::clocks::{NodeNumber, Step};
use crate::problem::{EventNumber, Problem};
use crate::reason::{Node, Ordering};

/// The result of computing a closure.
pub enum Closed {
    /// The order.
    Order(Closure),
    /// A cycle: each of these is before the next, and the last one before the first.
    Cycle(Vec<Ordering>),
    /// There are too many nodes and chains.
    TooLarge,
}

impl Closure {
    /// Computes the closure of a history.
    pub fn of(problem: &Problem) -> Closed {
        let Some(mut closure) = Self::of_threads(problem) else { return Closed::TooLarge };
        match closure.saturate(problem) {
            Ok(()) => Closed::Order(closure),
            Err(cycle) => Closed::Cycle(cycle.into_iter().map(|step| closure.ordering(problem, step)).collect()),
        }
    }

    /// A step of a cycle in words of the history.
    fn ordering(&self, problem: &Problem, step: Step) -> Ordering {
        Ordering {
            node: self.described(problem, step.node),
            cause: step.cause.map(|node| self.described(problem, node)),
        }
    }

    /// The event or arrival of the history that a node is.
    fn described(&self, problem: &Problem, node: NodeNumber) -> Node {
        let event = node as usize;
        if event < problem.events() {
            return Node::Event(problem.id(event));
        }
        let store = self.arrivals.iter().position(|&arrival| arrival == node).expect("each node is one of these");
        let store = &problem.stores[store];
        Node::Arrival { event: problem.id(store.event as EventNumber), write: store.write }
    }
}
