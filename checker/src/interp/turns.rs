//! Counters of loops: the last backward jump of the running thread, and the bound on such jumps.
//!
//! A *turn* is a jump to an instruction that is not behind the jump. Every cycle in a function has one. Turns
//! are counted per frame and target, for as long as the frame lives. A turn to an instruction further up
//! resets the counters of the loops within it. Recursion is not counted as a loop; the depth of calls has a
//! limit of its own.

use crate::ir::ids::{FuncId, Pc};

/// The counter of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    depth: u32,
    function: FuncId,
    target: Pc,
    turns: u32,
}

impl Count {
    /// True if the loop took more than `bound` turns.
    #[must_use]
    pub const fn exceeds(&self, bound: u32) -> bool {
        self.turns > bound
    }
}

/// The counters of the loops of a thread.
#[derive(Clone, Debug, Default)]
pub struct LoopCounters {
    /// The jump of the step's last turn.
    pub last: Option<(FuncId, Pc)>,
    /// The jump that took a loop beyond the bound; the step ends there.
    pub exceeded: Option<(FuncId, Pc)>,
    /// The largest number of turns of a loop, if they are counted; in this step, and in the next.
    bound: Option<u32>,
    next: Option<u32>,
    counts: Vec<Count>,
}

impl LoopCounters {
    /// Counts in the next step, starting with these counters of earlier steps. A loop may take `bound` turns.
    pub fn count(&mut self, bound: u32, counts: &[Count]) {
        self.next = Some(bound);
        self.counts.clear();
        self.counts.extend_from_slice(counts);
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        (self.last, self.exceeded) = (None, None);
        self.bound = self.next.take();
    }

    /// The counters of the loops whose frames live; empty if turns are not counted.
    #[must_use]
    pub fn counts(&self) -> &[Count] {
        if self.bound.is_some() { &self.counts } else { &[] }
    }

    /// Records a turn in the frame at `depth`.
    pub fn turn(&mut self, depth: u32, function: FuncId, from: Pc, target: Pc) {
        self.last = Some((function, from));
        let Some(bound) = self.bound else { return };
        let is_inner = |count: &Count| count.depth == depth && count.target > target && count.target <= from;
        self.counts.retain(|count| count.depth <= depth && !is_inner(count));
        let is_it = |count: &&mut Count| (count.depth, count.function, count.target) == (depth, function, target);
        let turns = match self.counts.iter_mut().find(is_it) {
            Some(count) => {
                count.turns += 1;
                count.turns
            }
            None => {
                self.counts.push(Count { depth, function, target, turns: 1 });
                1
            }
        };
        if turns > bound {
            self.exceeded = Some((function, from));
        }
    }

    /// Removes the counters of the frames above `depth`, which returned.
    pub fn leave(&mut self, depth: u32) {
        if self.bound.is_none() {
            return;
        }
        self.counts.retain(|count| count.depth <= depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: FuncId = FuncId(1);

    fn turns(turns: &LoopCounters) -> Vec<(u32, u32, u32)> {
        turns.counts().iter().map(|count| (count.depth, count.target.0, count.turns)).collect()
    }

    #[test]
    fn inner_loops_start_anew() {
        let mut loops = LoopCounters::default();
        loops.count(2, &[]);
        loops.begin();
        for _ in 0..2 {
            loops.turn(1, F, Pc(8), Pc(5));
        }
        loops.turn(1, F, Pc(9), Pc(2));
        assert_eq!(turns(&loops), [(1, 2, 1)]);
        loops.turn(1, F, Pc(8), Pc(5));
        assert_eq!(turns(&loops), [(1, 2, 1), (1, 5, 1)]);
        assert_eq!((loops.exceeded, loops.last), (None, Some((F, Pc(8)))));
    }

    #[test]
    fn a_loop_too_long_is_named_and_frames_end() {
        let mut loops = LoopCounters::default();
        loops.count(1, &[]);
        loops.begin();
        loops.turn(1, F, Pc(3), Pc(0));
        loops.turn(2, F, Pc(4), Pc(1));
        loops.leave(1);
        assert_eq!(turns(&loops), [(1, 0, 1)]);
        loops.turn(1, F, Pc(3), Pc(0));
        assert_eq!(loops.exceeded, Some((F, Pc(3))));
    }
}
