//! The rules of the closure, applied to each read of a cell.

use super::clocks::{Closure, NodeNumber, Step};
use crate::problem::{CellRead, EventNumber, Problem};
use crate::reason::Cause;

impl Closure {
    /// Applies the rules until nothing changes.
    pub(super) fn saturate(&mut self, problem: &Problem) -> Result<(), Vec<Step>> {
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
