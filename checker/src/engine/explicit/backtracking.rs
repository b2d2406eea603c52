//! Depth-first search for a path of known length, where a step may turn out to be the wrong one.
//!
//! The path is kept as steps. A state is made anew from the steps that lead to it when a step is given up,
//! which is rare; states may be large, and keeping each on the path would take memory in proportion to its
//! length.

/// The steps of a graph whose paths are searched.
pub(super) trait Successors {
    /// An edge.
    type Step;
    /// A vertex.
    type State;

    /// The steps that may be the one at a depth, from a state reached by as many steps. The last one is tried
    /// first.
    fn candidates(&mut self, from: &Self::State, depth: usize) -> Vec<(Self::Step, Self::State)>;

    /// The state that steps lead to from the initial one. Each was a candidate.
    fn after<'s>(&mut self, steps: impl Iterator<Item = &'s Self::Step>) -> Self::State
    where
        Self::Step: 's;
}

/// A path of a number of steps from a state, and the state where it ends; `None` if there is none.
pub(super) fn path<G: Successors>(graph: &mut G, initial: G::State, steps: usize) -> Option<(Vec<G::Step>, G::State)> {
    // For each depth, the candidates that were not given up. The last one is on the path.
    let mut untried: Vec<Vec<G::Step>> = Vec::with_capacity(steps);
    let mut reached = initial;
    while untried.len() < steps {
        let mut candidates = graph.candidates(&reached, untried.len());
        if let Some((step, state)) = candidates.pop() {
            reached = state;
            untried.push(candidates.into_iter().map(|(step, _)| step).chain([step]).collect());
        } else {
            next(&mut untried)?;
            reached = graph.after(untried.iter().filter_map(|candidates| candidates.last()));
        }
    }
    Some((untried.into_iter().filter_map(|mut candidates| candidates.pop()).collect(), reached))
}

/// Gives up the last step, and every earlier one that has no alternative then. `None` if none has.
fn next<S>(untried: &mut Vec<Vec<S>>) -> Option<()> {
    loop {
        let candidates = untried.last_mut()?;
        candidates.pop();
        if !candidates.is_empty() {
            return Some(());
        }
        untried.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Successors, path};

    /// A graph by its edges, which counts how often states are made anew.
    struct Edges {
        edges: HashMap<u32, Vec<u32>>,
        made_anew: usize,
    }

    impl Successors for Edges {
        type Step = (u32, u32);
        type State = u32;

        fn candidates(&mut self, &from: &u32, _: usize) -> Vec<((u32, u32), u32)> {
            let to = self.edges.get(&from).into_iter().flatten();
            to.map(|&to| ((from, to), to)).collect()
        }

        fn after<'s>(&mut self, steps: impl Iterator<Item = &'s (u32, u32)>) -> u32 {
            self.made_anew += 1;
            steps.fold(0, |at, &(from, to)| {
                assert_eq!(at, from, "the steps are no path");
                to
            })
        }
    }

    /// Searches a path from 0, and returns its vertices after 0 and how often a state was made anew.
    #[track_caller]
    fn check(edges: &[(u32, &[u32])], steps: usize, expected: Option<&[u32]>, made_anew: usize) {
        let edges = edges.iter().map(|&(from, to)| (from, to.to_vec())).collect();
        let mut graph = Edges { edges, made_anew: 0 };
        let found = path(&mut graph, 0, steps);
        let vertices = found.map(|(steps, end)| {
            let vertices: Vec<u32> = steps.into_iter().map(|(_, to)| to).collect();
            assert_eq!(vertices.last().copied().unwrap_or(0), end);
            vertices
        });
        assert_eq!(vertices.as_deref(), expected);
        assert_eq!(graph.made_anew, made_anew);
    }

    #[test]
    fn without_steps_the_path_ends_where_it_begins() {
        check(&[], 0, Some(&[]), 0);
    }

    #[test]
    fn the_last_candidate_is_tried_first() {
        check(&[(0, &[1, 2]), (2, &[3])], 2, Some(&[2, 3]), 0);
    }

    #[test]
    fn a_dead_end_is_left_for_an_alternative() {
        check(&[(0, &[1, 2]), (1, &[3])], 2, Some(&[1, 3]), 1);
    }

    #[test]
    fn a_dead_end_is_left_for_an_alternative_several_steps_back() {
        let edges: &[(u32, &[u32])] =
            &[(0, &[1, 2]), (2, &[3, 4]), (3, &[5]), (4, &[6]), (1, &[7]), (7, &[8]), (8, &[9])];
        // 2-4-6 and 2-3-5 end before the fourth step.
        check(edges, 4, Some(&[1, 7, 8, 9]), 2);
    }

    #[test]
    fn where_all_ends_are_dead_there_is_no_path() {
        // A state is made anew after 2-4. After 1-3 there is no alternative left.
        check(&[(0, &[1, 2]), (1, &[3]), (2, &[4])], 3, None, 1);
    }
}
