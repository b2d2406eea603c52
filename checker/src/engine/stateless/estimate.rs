//! An estimate of the number of executions from what was explored so far.
//!
//! Source: Kilby, Slaney, Thiébaux and Walsh, *Estimating Search Tree Size*, AAAI 2006, the recursive
//! estimator: the unexplored part after a node is assumed to be as large as the explored part. (Knuth,
//! *Estimating the Efficiency of Backtrack Programs*, Mathematics of Computation 29, 1975, takes random
//! branches instead; so do Kokologiannakis, Majumdar and Vafeiadis, *Enhancing GenMC's Usability and
//! Performance*, TACAS 2024. Here the branches of a node are not known before the part after the first of
//! them was explored, so a random walk would see hardly any.)
//!
//! Branches that will be found later, with their races, do not count yet, so early estimates are mostly too
//! low. Later branches of a node lead to fewer executions than earlier ones, since more events are asleep
//! there, which makes estimates too high. An estimate costs time in proportion to the depth of the execution,
//! when it is asked for.

/// The branches of a state of the current execution.
#[derive(Clone, Copy, Debug)]
pub struct Branching {
    /// The number of executions found before the state was entered.
    pub before: u64,
    /// The number of branches from which everything was explored.
    pub finished: usize,
    /// The number of branches that are known and not begun.
    pub open: usize,
}

/// The estimated number of executions after `explored` of them, from the states of the current execution,
/// last first.
pub fn executions(branchings: impl Iterator<Item = Branching>, explored: u64) -> f64 {
    // `behind` is the estimated number of executions after the states that the loop has passed, and `later`
    // is the number of executions before the first of these states.
    let mut behind = None;
    let mut later = explored;
    for Branching { before, finished, open } in branchings {
        let finished_executions = later.saturating_sub(before) as f64;
        let (begun, size) = match behind {
            Some(size) => (finished + 1, finished_executions + size),
            None => (finished, finished_executions),
        };
        let each = if begun == 0 { 1.0 } else { size / begun as f64 };
        behind = Some(f64::max(size + open as f64 * each, 1.0));
        later = before;
    }
    behind.unwrap_or(explored as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Explores a tree of this depth in which every node has so many branches, all known at once, and returns
    /// the estimates at its leaves.
    fn explore(depth: usize, branches: usize, ways: &mut Vec<Branching>, explored: &mut u64, estimates: &mut Vec<f64>) {
        if depth == 0 {
            *explored += 1;
            return;
        }
        ways.push(Branching { before: *explored, finished: 0, open: branches });
        for _ in 0..branches {
            ways.last_mut().expect("a node").open -= 1;
            explore(depth - 1, branches, ways, explored, estimates);
            ways.last_mut().expect("a node").finished += 1;
            estimates.push(executions(ways.iter().rev().copied(), *explored));
        }
        ways.pop();
    }

    #[test]
    fn the_size_of_an_even_tree_is_known_at_its_first_leaf() {
        let (mut explored, mut estimates) = (0, Vec::new());
        explore(6, 3, &mut Vec::new(), &mut explored, &mut estimates);
        assert_eq!(explored, 729);
        assert!(estimates.iter().all(|estimate| (estimate - 729.0).abs() < 1e-6), "{estimates:?}");
    }

    #[test]
    fn the_other_half_is_taken_to_be_as_large() {
        let ways = [Branching { before: 10, finished: 1, open: 0 }, Branching { before: 0, finished: 1, open: 2 }];
        // There are 4 executions after the last state, and 10 + 4 after two of the four branches of the first
        // state.
        assert!((executions(ways.into_iter(), 14) - 28.0).abs() < 1e-9);
    }
}
