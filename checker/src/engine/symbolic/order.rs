//! The order in which the blocks of a function are unrolled.
//!
//! Paths that meet again are merged where they meet, so a block is unrolled when everything that leads to it
//! was. The order is a weak topological order (F. Bourdoncle, "Efficient Chaotic Iteration Strategies with
//! Widenings", FMPA 1993, section 3): a block's *components* are the loops around it, each with its head.
//! Each edge leads forwards, or to the head of a component around its source, which begins another turn.

use crate::hash::FxHashMap;
use crate::ir::ids::Pc;
use crate::ir::program::Function;

/// A weak topological order of the blocks of a function.
#[derive(Debug, Default)]
pub struct Order {
    blocks: FxHashMap<Pc, Block>,
}

#[derive(Clone, Debug, Default)]
struct Block {
    position: u32,
    /// The positions of the heads of the components around the block, outermost first. A head is in its own.
    heads: Vec<u32>,
}

/// The place of an unrolled block among those of its call: for each component around it the position of its
/// head and the turn, then its own position. Comparison gives the order of unrolling.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance(Vec<u32>);

impl Instance {
    fn turns(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.0.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// True if the block is the head of a component.
    #[must_use]
    pub fn is_head(&self) -> bool {
        self.turns().last().is_some_and(|(head, _)| self.0.last() == Some(&head))
    }

    /// The turn of the innermost component around the block, from 0.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.turns().last().map_or(0, |(_, turn)| turn)
    }

    /// The number of components around the block.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.len() / 2
    }
}

impl Order {
    /// The order of a function's blocks.
    #[must_use]
    pub fn of(function: &Function) -> Self {
        let mut visit = Visit { function, numbers: FxHashMap::default(), stack: Vec::new(), count: 0 };
        let mut whole = Vec::new();
        visit.visit(Pc(0), &mut whole);
        let mut order = Self::default();
        order.number(&whole, &mut Vec::new());
        order
    }

    fn number(&mut self, parts: &[Part], heads: &mut Vec<u32>) {
        for part in parts.iter().rev() {
            let position = u32::try_from(self.blocks.len()).expect("few blocks");
            match part {
                Part::Block(block) => {
                    self.blocks.insert(*block, Block { position, heads: heads.clone() });
                }
                Part::Component(head, parts) => {
                    heads.push(position);
                    self.blocks.insert(*head, Block { position, heads: heads.clone() });
                    self.number(parts, heads);
                    heads.pop();
                }
            }
        }
    }

    /// The place of a function's first block.
    #[must_use]
    pub fn start(&self) -> Instance {
        self.after(&Instance::default(), None, Pc(0))
    }

    /// The place of `target` when it is reached from the block `source` at the place `from`.
    #[must_use]
    pub fn next(&self, from: &Instance, source: Pc, target: Pc) -> Instance {
        self.after(from, Some(&self.blocks[&source]), target)
    }

    fn after(&self, from: &Instance, source: Option<&Block>, target: Pc) -> Instance {
        let block = &self.blocks[&target];
        let is_back = source.is_some_and(|source| block.position <= source.position);
        let mut turns = from.turns();
        let mut place = Vec::with_capacity(2 * block.heads.len() + 1);
        let mut is_common = true;
        for &head in &block.heads {
            let turn = turns.next().filter(|&(own, _)| is_common && own == head).map(|(_, turn)| turn);
            is_common &= turn.is_some();
            let begins = is_back && head == block.position;
            place.extend([head, turn.unwrap_or(0) + u32::from(begins)]);
        }
        place.push(block.position);
        Instance(place)
    }

    /// True if the edge from `source` to `target` begins another turn of the loop with that head.
    #[must_use]
    pub fn is_back(&self, source: Pc, target: Pc) -> bool {
        self.blocks[&target].position <= self.blocks[&source].position
    }
}

enum Part {
    Block(Pc),
    /// A head, and the parts after it, last first.
    Component(Pc, Vec<Part>),
}

/// Bourdoncle's algorithm (section 3.2, figure 4). Parts are appended last first.
struct Visit<'a> {
    function: &'a Function,
    numbers: FxHashMap<Pc, u32>,
    stack: Vec<Pc>,
    count: u32,
}

impl Visit<'_> {
    /// The first instructions of the blocks to which control may go from the block that begins here.
    fn successors(&self, block: Pc) -> Vec<Pc> {
        let end = terminator(self.function, block);
        let edges = self.function.edges_of(&self.function.code[end.index()]);
        edges.into_iter().map(|edge| self.function.edge(edge).target).collect()
    }

    fn visit(&mut self, block: Pc, parts: &mut Vec<Part>) -> u32 {
        self.stack.push(block);
        self.count += 1;
        let own = self.count;
        self.numbers.insert(block, own);
        let (mut head, mut is_loop) = (own, false);
        for next in self.successors(block) {
            let least = match self.numbers.get(&next) {
                Some(&number) => number,
                None => self.visit(next, parts),
            };
            if least <= head {
                (head, is_loop) = (least, true);
            }
        }
        if head == own {
            self.numbers.insert(block, u32::MAX);
            let mut element = self.stack.pop().expect("the block is on the stack");
            if is_loop {
                while element != block {
                    self.numbers.remove(&element);
                    element = self.stack.pop().expect("the block is on the stack");
                }
                let component = self.component(block);
                parts.push(component);
            } else {
                parts.push(Part::Block(block));
            }
        }
        head
    }

    fn component(&mut self, block: Pc) -> Part {
        let mut parts = Vec::new();
        for next in self.successors(block) {
            if !self.numbers.contains_key(&next) {
                self.visit(next, &mut parts);
            }
        }
        Part::Component(block, parts)
    }
}

/// The last instruction of the block that begins at `pc`.
#[must_use]
pub fn terminator(function: &Function, pc: Pc) -> Pc {
    use crate::ir::instr::Instr::{Branch, Jump, Mismatch, Return, Switch, Unreachable};
    let is_end = |at: &usize| {
        matches!(
            function.code[*at],
            Jump { .. } | Branch { .. } | Switch { .. } | Return { .. } | Unreachable | Mismatch { .. }
        )
    };
    Pc::new((pc.index()..function.code.len()).find(is_end).unwrap_or(function.code.len() - 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ir::ids::{EdgeId, Operand, Reg};
    use crate::ir::instr::Instr;
    use crate::ir::program::Edge;

    /// A function of one-instruction blocks with these edges, at most two from each.
    fn function(edges: &[(usize, usize)]) -> Function {
        let target = |&to: &usize| Edge { target: Pc::new(to), moves: Vec::new(), parallel: false };
        let edge = |at: usize| EdgeId::new(at);
        let branch = |at: usize| Instr::Branch { cond: Operand::reg(Reg(0)), yes: edge(2 * at), no: edge(2 * at + 1) };
        Function {
            code: (0..edges.len()).map(branch).collect(),
            edges: edges.iter().flat_map(|(yes, no)| [target(yes), target(no)]).collect(),
            ..Function::default()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Property: along every path, irreducible loops included, places of blocks ascend, and only a head
        /// begins another turn.
        #[test]
        fn places_ascend_along_paths(
            edges in prop::collection::vec((0..7_usize, 0..7_usize), 7),
            choices in prop::collection::vec(any::<bool>(), 40),
        ) {
            let function = function(&edges);
            let order = Order::of(&function);
            let (mut block, mut place) = (0, order.start());
            for yes in choices {
                let next = if yes { edges[block].0 } else { edges[block].1 };
                let after = order.next(&place, Pc::new(block), Pc::new(next));
                prop_assert!(place < after, "{place:?} {after:?}");
                prop_assert!(!order.is_back(Pc::new(block), Pc::new(next)) || after.is_head());
                (block, place) = (next, after);
            }
        }

        /// Property: no two blocks are merged.
        #[test]
        fn each_block_has_a_position_of_its_own(edges in prop::collection::vec((0..7_usize, 0..7_usize), 7)) {
            let function = function(&edges);
            let order = Order::of(&function);
            let positions: Vec<_> = order.blocks.values().map(|block| block.position).collect();
            let distinct: std::collections::BTreeSet<_> = positions.iter().collect();
            prop_assert_eq!(distinct.len(), positions.len());
        }
    }
}
