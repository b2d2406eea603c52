//! Nodes in chains, with vector clocks, and an order that grows.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::problem::{EventNumber, Problem, StoreNumber};
use crate::reason::Cause;

/// The number of a node.
pub type NodeNumber = u32;

/// Words of vector clocks beyond which no closure is computed: 1 GiB.
const MOST_WORDS: usize = 1 << 28;

/// An order that all witnesses respect.
#[derive(Debug)]
pub struct Closure {
    /// The number of chains.
    pub(super) chains: usize,
    /// The chain of each node, and its number there.
    pub(super) places: Vec<(u32, u32)>,
    /// For each node and chain, the number of nodes at the beginning of the chain that are not after the
    /// node.
    pub(super) clocks: Vec<u32>,
    /// The node of the arrival of each store.
    pub(super) arrivals: Vec<NodeNumber>,
    pub(super) edges: Vec<Vec<(NodeNumber, Cause)>>,
    /// The nodes of each chain.
    pub(super) members: Vec<Vec<NodeNumber>>,
}

/// A step of a cycle: a node, and why it is before the node of the next step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: NodeNumber,
    pub(super) cause: Cause,
}

impl Closure {
    /// The number of chains.
    pub const fn chains(&self) -> usize {
        self.chains
    }

    /// The node of an event, or of the arrival of a delayed store of it.
    #[inline]
    pub fn node(&self, event: EventNumber, store: Option<StoreNumber>) -> NodeNumber {
        store.map_or(event as NodeNumber, |store| self.arrivals[store])
    }

    /// The chain of a node.
    #[inline]
    pub fn chain(&self, node: NodeNumber) -> usize {
        self.places[node as usize].0 as usize
    }

    /// True if everything before a node happened, where `progress` has the number of nodes of each chain that
    /// happened.
    #[inline]
    pub fn may_follow(&self, node: NodeNumber, progress: &[u32]) -> bool {
        let (chain, at) = self.places[node as usize];
        progress[chain as usize] == at
            && self
                .clock(node)
                .iter()
                .zip(progress)
                .enumerate()
                .all(|(other, (&before, &done))| before <= done || other == chain as usize)
    }

    /// True if a store reaches memory before another one.
    pub fn has_before(&self, first: StoreNumber, second: StoreNumber) -> bool {
        self.is_before(self.arrivals[first], self.arrivals[second])
    }

    pub(super) fn clock(&self, node: NodeNumber) -> &[u32] {
        &self.clocks[node as usize * self.chains..][..self.chains]
    }

    pub(super) fn clock_mut(&mut self, node: NodeNumber) -> &mut [u32] {
        &mut self.clocks[node as usize * self.chains..][..self.chains]
    }

    /// True if a node is before another one.
    #[inline]
    pub(super) fn is_before(&self, first: NodeNumber, second: NodeNumber) -> bool {
        let (chain, at) = self.places[first as usize];
        first != second && self.clocks[second as usize * self.chains + chain as usize] > at
    }

    /// The order of the threads alone. `None` if it is too large.
    pub(super) fn of_threads(problem: &Problem) -> Option<Self> {
        let threads = problem.threads.len();
        let (mut chains, mut places, mut arrivals) = (threads, Vec::new(), Vec::new());
        for (thread, events) in problem.threads.iter().enumerate() {
            places.extend((0..events.len() as u32).map(|at| (thread as u32, at)));
        }
        // Arrivals are nodes behind the events.
        let mut sizes = vec![0; threads];
        let mut chain_of_cell: Vec<(usize, u32)> = vec![(usize::MAX, 0); problem.cells];
        let mut new_chain = |sizes: &mut Vec<u32>| {
            sizes.push(0);
            chains += 1;
            (chains - 1) as u32
        };
        for (thread, events) in problem.threads.iter().enumerate() {
            let mut of_thread = None;
            for event in events.clone() {
                let mut add = |chain: u32, sizes: &mut Vec<u32>| {
                    places.push((chain, sizes[chain as usize]));
                    sizes[chain as usize] += 1;
                    places.len() as NodeNumber - 1
                };
                for store in problem.stores_of(event) {
                    let data = &problem.stores[store];
                    if !data.delayed {
                        arrivals.push(event as NodeNumber);
                        continue;
                    }
                    let chain = if problem.is_fifo {
                        *of_thread.get_or_insert_with(|| new_chain(&mut sizes))
                    } else {
                        let entry = &mut chain_of_cell[data.first_cell as usize];
                        if entry.0 != thread {
                            *entry = (thread, new_chain(&mut sizes));
                        }
                        entry.1
                    };
                    arrivals.push(add(chain, &mut sizes));
                }
            }
        }
        if places.len().saturating_mul(chains) > MOST_WORDS {
            return None;
        }
        let mut members = vec![Vec::new(); chains];
        for (&(chain, _), node) in places.iter().zip(0..) {
            members[chain as usize].push(node);
        }
        let nodes = places.len();
        let clocks = vec![0; nodes * chains];
        let mut closure = Self { chains, places, clocks, arrivals, edges: vec![Vec::new(); nodes], members };
        closure.order_threads(problem);
        Some(closure)
    }

    /// Fills in the clocks of all nodes, thread by thread.
    pub(super) fn order_threads(&mut self, problem: &Problem) {
        for events in &problem.threads {
            // The last arrivals of the thread, one for each chain; and the newest store to each cell.
            let mut last: Vec<NodeNumber> = Vec::new();
            let mut newest: Vec<(u32, NodeNumber)> = Vec::new();
            // The epoch, and the last arrivals before it.
            let (mut epoch, mut before_epoch) = (0, Vec::new());
            for event in events.clone() {
                let node = event as NodeNumber;
                self.begin(node);
                if problem.waits_for_buffer(event) {
                    last.iter().for_each(|&arrival| self.follow(arrival, node, Cause::Fence));
                }
                for store in problem.stores_of(event).filter(|&store| problem.stores[store].delayed) {
                    let arrival = self.arrivals[store];
                    self.begin(arrival);
                    self.follow(node, arrival, Cause::Delay);
                    if !problem.is_fifo && problem.stores[store].epoch > epoch {
                        (epoch, before_epoch) = (problem.stores[store].epoch, last.clone());
                    }
                    before_epoch.iter().for_each(|&earlier| self.follow(earlier, arrival, Cause::Barrier));
                    for (cell, _) in problem.stores[store].slots() {
                        match newest.iter_mut().find(|(known, _)| *known == cell) {
                            Some((_, earlier)) => {
                                let earlier = std::mem::replace(earlier, arrival);
                                self.follow(earlier, arrival, Cause::SameBytes);
                            }
                            None => newest.push((cell, arrival)),
                        }
                    }
                    let chain = self.chain(arrival);
                    match last.iter_mut().find(|known| self.places[**known as usize].0 as usize == chain) {
                        Some(known) => *known = arrival,
                        None => last.push(arrival),
                    }
                }
            }
        }
    }

    /// Puts a node behind its predecessor in its chain.
    pub(super) fn begin(&mut self, node: NodeNumber) {
        let (chain, at) = self.places[node as usize];
        if at > 0 {
            let previous = self.members[chain as usize][at as usize - 1];
            self.join(previous, node);
        }
        self.clock_mut(node)[chain as usize] = at + 1;
    }

    /// Puts a node behind another one, whose clock is known, while nothing is behind it.
    pub(super) fn follow(&mut self, first: NodeNumber, second: NodeNumber, cause: Cause) {
        if !self.is_before(first, second) {
            self.join(first, second);
            self.edges[first as usize].push((second, cause));
        }
    }

    /// Adds to the clock of the second node that of the first. Returns true if it changed.
    pub(super) fn join(&mut self, first: NodeNumber, second: NodeNumber) -> bool {
        let (first, second) = (first as usize * self.chains, second as usize * self.chains);
        let mut changed = false;
        for at in 0..self.chains {
            let known = self.clocks[first + at];
            let own = &mut self.clocks[second + at];
            changed |= known > *own;
            *own = known.max(*own);
        }
        changed
    }

    /// Orders two nodes, and all that follows from that.
    ///
    /// # Errors
    /// The nodes of a cycle.
    pub(super) fn order(&mut self, first: NodeNumber, second: NodeNumber, cause: Cause) -> Result<bool, Vec<Step>> {
        if first == second || self.is_before(second, first) {
            return Err(self.cycle(first, second, cause));
        }
        if self.is_before(first, second) {
            return Ok(false);
        }
        self.edges[first as usize].push((second, cause));
        self.join(first, second);
        let mut open = VecDeque::from([second]);
        while let Some(node) = open.pop_front() {
            let (chain, at) = self.places[node as usize];
            let next = self.members[chain as usize].get(at as usize + 1).copied();
            for index in 0..self.edges[node as usize].len() + usize::from(next.is_some()) {
                let behind = self.edges[node as usize].get(index).map(|edge| edge.0).or(next);
                let behind = behind.expect("there are so many");
                if self.join(node, behind) {
                    open.push_back(behind);
                }
            }
        }
        Ok(true)
    }

    /// The cycle that an ordering closes: a way from the second node to the first, and the ordering.
    pub(super) fn cycle(&self, first: NodeNumber, second: NodeNumber, cause: Cause) -> Vec<Step> {
        let mut from: FxHashMap<NodeNumber, (NodeNumber, Cause)> = FxHashMap::default();
        let mut open = VecDeque::from([second]);
        while let Some(node) = open.pop_front() {
            if node == first {
                break;
            }
            let (chain, at) = self.places[node as usize];
            let next = self.members[chain as usize].get(at as usize + 1).map(|&next| (next, Cause::ProgramOrder));
            for &(behind, why) in self.edges[node as usize].iter().chain(&next) {
                if behind != second && !from.contains_key(&behind) {
                    from.insert(behind, (node, why));
                    open.push_back(behind);
                }
            }
        }
        let mut steps = vec![Step { node: first, cause }];
        let mut node = first;
        while node != second {
            let (previous, why) = from[&node];
            steps.push(Step { node: previous, cause: why });
            node = previous;
        }
        steps.reverse();
        steps
    }
}
