//! The closure: an order that every witness of a history respects, or a cycle that shows that there is none
//! (seed paper, section 4.3; for two threads it decides).
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
//! events of a thread; under TSO the arrivals of a thread; under PSO those that share their first cell, and
//! the barriers of a thread. The rules are applied until nothing changes.

use std::collections::VecDeque;

use rmc_runtime::Model;

use crate::history::EventKind;
use crate::problem::{CellRead, EventNumber, Problem, StoreNumber};
use crate::reason::{Cause, Node, Ordering};

/// The number of a node.
pub type NodeNumber = u32;

/// Words of vector clocks beyond which no closure is computed.
const MOST_WORDS: usize = 1 << 28;

/// An order that all witnesses respect.
#[derive(Debug)]
pub struct Closure {
    /// The number of chains.
    chains: usize,
    /// The chain of each node, and its number there.
    places: Vec<(u32, u32)>,
    /// For each node and chain, the number of nodes at the beginning of the chain that are not after the node.
    clocks: Vec<u32>,
    /// The node of the arrival of each store.
    arrivals: Vec<NodeNumber>,
    edges: Vec<Vec<(NodeNumber, Cause)>>,
    /// The nodes of each chain.
    members: Vec<Vec<NodeNumber>>,
    /// Nodes from this number on are barriers.
    first_barrier: NodeNumber,
}

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

    /// The number of nodes of each chain that happened before the first step of a witness. Barriers are no
    /// steps of it, so these count as if they had happened.
    pub fn initial_progress(&self) -> Vec<u32> {
        let is_barrier = |members: &Vec<NodeNumber>| members.iter().any(|&node| node >= self.first_barrier);
        self.members.iter().map(|members| if is_barrier(members) { u32::MAX } else { 0 }).collect()
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

    fn clock(&self, node: NodeNumber) -> &[u32] {
        &self.clocks[node as usize * self.chains..][..self.chains]
    }

    fn clock_mut(&mut self, node: NodeNumber) -> &mut [u32] {
        &mut self.clocks[node as usize * self.chains..][..self.chains]
    }

    /// True if a node is before another one.
    #[inline]
    fn is_before(&self, first: NodeNumber, second: NodeNumber) -> bool {
        let (chain, at) = self.places[first as usize];
        first != second && self.clocks[second as usize * self.chains + chain as usize] > at
    }

    /// The order of the threads alone. `None` if it is too large.
    fn of_threads(problem: &Problem) -> Option<Self> {
        let threads = problem.threads.len();
        let (mut chains, mut places, mut arrivals) = (threads, Vec::new(), Vec::new());
        for (thread, events) in problem.threads.iter().enumerate() {
            places.extend((0..events.len() as u32).map(|at| (thread as u32, at)));
        }
        // Arrivals and barriers are nodes behind the events.
        let mut sizes = vec![0; threads];
        let mut chain_of_cell: Vec<(usize, u32)> = vec![(usize::MAX, 0); problem.cells];
        let mut new_chain = |sizes: &mut Vec<u32>| {
            sizes.push(0);
            chains += 1;
            (chains - 1) as u32
        };
        let mut barriers: Vec<NodeNumber> = vec![NodeNumber::MAX; problem.events()];
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
                    let chain = if problem.model == Model::Tso {
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
        let first_barrier = places.len() as NodeNumber;
        for events in problem.threads.iter().filter(|_| problem.model == Model::Pso) {
            let mut of_barriers = None;
            for event in events.clone().filter(|&event| problem.kinds[event] == EventKind::StoreBarrier) {
                let chain = *of_barriers.get_or_insert_with(|| new_chain(&mut sizes));
                barriers[event] = places.len() as NodeNumber;
                places.push((chain, sizes[chain as usize]));
                sizes[chain as usize] += 1;
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
        let mut closure =
            Self { chains, places, clocks, arrivals, edges: vec![Vec::new(); nodes], members, first_barrier };
        closure.order_threads(problem, &barriers);
        Some(closure)
    }

    /// Fills in the clocks of all nodes, thread by thread.
    fn order_threads(&mut self, problem: &Problem, barriers: &[NodeNumber]) {
        for events in &problem.threads {
            // The last arrivals of the thread, one for each chain; and the newest store to each cell.
            let mut last: Vec<NodeNumber> = Vec::new();
            let mut newest: Vec<(u32, NodeNumber)> = Vec::new();
            let mut barrier = None;
            for event in events.clone() {
                let node = event as NodeNumber;
                self.begin(node);
                if problem.waits_for_buffer(event) {
                    last.iter().for_each(|&arrival| self.follow(arrival, node, Cause::Fence));
                }
                if barriers[event] != NodeNumber::MAX {
                    let at = barriers[event];
                    self.begin(at);
                    self.follow(node, at, Cause::Barrier);
                    last.iter().for_each(|&arrival| self.follow(arrival, at, Cause::Barrier));
                    barrier = Some(at);
                }
                for store in problem.stores_of(event).filter(|&store| problem.stores[store].delayed) {
                    let arrival = self.arrivals[store];
                    self.begin(arrival);
                    self.follow(node, arrival, Cause::Delay);
                    barrier.into_iter().for_each(|barrier| self.follow(barrier, arrival, Cause::Barrier));
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
    fn begin(&mut self, node: NodeNumber) {
        let (chain, at) = self.places[node as usize];
        if at > 0 {
            let previous = self.members[chain as usize][at as usize - 1];
            self.join(previous, node);
        }
        self.clock_mut(node)[chain as usize] = at + 1;
    }

    /// Puts a node behind another one, whose clock is known, while nothing is behind it.
    fn follow(&mut self, first: NodeNumber, second: NodeNumber, cause: Cause) {
        if !self.is_before(first, second) {
            self.join(first, second);
            self.edges[first as usize].push((second, cause));
        }
    }

    /// Adds to the clock of the second node that of the first. Returns true if it changed.
    fn join(&mut self, first: NodeNumber, second: NodeNumber) -> bool {
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
    fn order(&mut self, first: NodeNumber, second: NodeNumber, cause: Cause) -> Result<bool, Vec<Step>> {
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

    /// Applies the rules until nothing changes.
    fn saturate(&mut self, problem: &Problem) -> Result<(), Vec<Step>> {
        let writers = Writers::of(problem, self);
        for event in 0..problem.events() {
            for read in problem.reads_of(event) {
                self.order_source(problem, event, read, &writers)?;
            }
        }
        loop {
            let mut changed = false;
            for event in 0..problem.events() {
                for read in problem.reads_of(event) {
                    changed |= self.order_others(problem, event, read, &writers)?;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Rule 1, and what the initial memory means.
    fn order_source(
        &mut self,
        problem: &Problem,
        reader: EventNumber,
        read: &CellRead,
        writers: &Writers,
    ) -> Result<(), Vec<Step>> {
        let node = reader as NodeNumber;
        let Some(source) = problem.slot_stores[read.slot as usize] else {
            if let Some(own) = read.own.filter(|&own| !problem.stores[own as usize].may_be_lost) {
                return Err(vec![Step { node: self.arrivals[own as usize], cause: Cause::HidesInitial(node) }]);
            }
            let thread = problem.thread_of(reader);
            for chain in writers.of_cell(read.cell).filter(|chain| chain.thread != thread) {
                self.order(node, chain.nodes[0], Cause::ReadsInitial)?;
            }
            return Ok(());
        };
        let arrival = self.arrivals[source as usize];
        let event = problem.stores[source as usize].event as EventNumber;
        if problem.thread_of(event) == problem.thread_of(reader) {
            self.order(event as NodeNumber, node, Cause::ReadsFrom)?;
        } else {
            self.order(arrival, node, Cause::ReadsFrom)?;
        }
        let is_kept = |own: &u32| *own != source && !problem.stores[*own as usize].may_be_lost;
        if let Some(own) = read.own.filter(is_kept) {
            self.order(self.arrivals[own as usize], arrival, Cause::OwnBefore(node))?;
        }
        Ok(())
    }

    /// Rules 2 and 3 for one read of a cell. Returns true if the order grew.
    fn order_others(
        &mut self,
        problem: &Problem,
        reader: EventNumber,
        read: &CellRead,
        writers: &Writers,
    ) -> Result<bool, Vec<Step>> {
        let Some(source) = problem.slot_stores[read.slot as usize] else { return Ok(false) };
        let (node, arrival) = (reader as NodeNumber, self.arrivals[source as usize]);
        let (source_chain, source_at) = self.places[arrival as usize];
        let thread = problem.thread_of(reader);
        let mut changed = false;
        for chain in writers.of_cell(read.cell).filter(|chain| chain.thread != thread) {
            let before = self.clock(node)[chain.chain];
            let earlier = chain.nodes.partition_point(|&store| self.places[store as usize].1 < before);
            if let Some(&last) = earlier.checked_sub(1).and_then(|at| chain.nodes.get(at))
                && last != arrival
            {
                changed |= self.order(last, arrival, Cause::BeforeRead(node))?;
            }
            let is_not_after =
                |&store: &NodeNumber| store == arrival || self.clock(store)[source_chain as usize] <= source_at;
            let later = chain.nodes.partition_point(is_not_after);
            if let Some(&first) = chain.nodes.get(later) {
                changed |= self.order(node, first, Cause::AfterSource(arrival))?;
            }
        }
        Ok(changed)
    }

    /// The cycle that an ordering closes: a way from the second node to the first, and the ordering.
    fn cycle(&self, first: NodeNumber, second: NodeNumber, cause: Cause) -> Vec<Step> {
        let mut from: fxhash::FxHashMap<NodeNumber, (NodeNumber, Cause)> = fxhash::FxHashMap::default();
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

    /// A step of a cycle in words of the history.
    fn ordering(&self, problem: &Problem, step: Step) -> Ordering {
        Ordering {
            node: self.described(problem, step.node),
            cause: step.cause.map(|node| self.described(problem, node)),
        }
    }

    /// What a node is in the history.
    fn described(&self, problem: &Problem, node: NodeNumber) -> Node {
        let event = node as usize;
        if event < problem.events() {
            return Node::Event(problem.id(event));
        }
        match self.arrivals.iter().position(|&arrival| arrival == node) {
            Some(store) => {
                let store = &problem.stores[store];
                Node::Arrival { event: problem.id(store.event as EventNumber), write: store.write }
            }
            None => Node::Barrier,
        }
    }
}

/// A step of a cycle: a node, and why it is before the node of the next step.
#[derive(Clone, Copy)]
struct Step {
    node: NodeNumber,
    cause: Cause,
}

/// The arrivals of stores to each cell, chain by chain.
struct Writers {
    chains: Vec<WriterChain>,
    from: Vec<u32>,
}

/// Arrivals of stores to one cell that are of one chain, in order.
struct WriterChain {
    chain: usize,
    thread: usize,
    nodes: Vec<NodeNumber>,
}

impl Writers {
    fn of(problem: &Problem, closure: &Closure) -> Self {
        let mut cells: Vec<Vec<WriterChain>> = (0..problem.cells).map(|_| Vec::new()).collect();
        for thread in 0..problem.threads.len() {
            // Of a store that may be lost it is not known whether it overwrites anything.
            let stores = problem.stores_of_thread(thread);
            for store in stores.filter(|&store| !problem.stores[store].may_be_lost) {
                let node = closure.arrivals[store];
                let chain = closure.chain(node);
                for (cell, _) in problem.stores[store].slots() {
                    let chains = &mut cells[cell as usize];
                    match chains.iter_mut().find(|known| known.chain == chain) {
                        Some(known) if known.nodes.last() == Some(&node) => {}
                        Some(known) => known.nodes.push(node),
                        None => chains.push(WriterChain { chain, thread, nodes: vec![node] }),
                    }
                }
            }
        }
        let mut from = vec![0];
        let mut chains = Vec::new();
        for mut of_cell in cells {
            chains.append(&mut of_cell);
            from.push(chains.len() as u32);
        }
        Self { chains, from }
    }

    fn of_cell(&self, cell: u32) -> impl Iterator<Item = &WriterChain> {
        self.chains[self.from[cell as usize] as usize..self.from[cell as usize + 1] as usize].iter()
    }
}
