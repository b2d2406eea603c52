//! A cheapest set that has a member of each of some sets, by branch and bound.
//!
//! The sets are small (the places on the way of one delay) and few, so the search is exact and needs no
//! solver: it branches over the members of a set that is not hit yet, the smallest first. The bound is the
//! cost of the cheapest members of sets that have no member in common, since each needs one of its own.

/// A cheapest hitting set.
///
/// `sets` are sets of items; `cost` is the cost of each item. Returns none if some set is empty. Of several
/// cheapest sets, the first in the order of the search is returned, which depends on the order of sets and
/// items alone. `is_over` is asked now and then whether to end early; then the result is none, too.
#[must_use]
pub fn cheapest(sets: &[Vec<usize>], cost: &[u64], is_over: &dyn Fn() -> bool) -> Option<Vec<usize>> {
    if sets.iter().any(Vec::is_empty) {
        return None;
    }
    let mut search = Search { sets, cost, is_over, chosen: Vec::new(), refused: vec![false; cost.len()], best: None };
    search.explore(0);
    let (_, mut best) = search.best.filter(|_| !is_over())?;
    best.sort_unstable();
    Some(best)
}

struct Search<'s> {
    sets: &'s [Vec<usize>],
    cost: &'s [u64],
    is_over: &'s dyn Fn() -> bool,
    chosen: Vec<usize>,
    /// The items that earlier branches have tried.
    refused: Vec<bool>,
    best: Option<(u64, Vec<usize>)>,
}

impl Search<'_> {
    fn explore(&mut self, spent: u64) {
        let chosen = &self.chosen;
        let open: Vec<_> = self.sets.iter().filter(|set| !set.iter().any(|item| chosen.contains(item))).collect();
        let left = |set: &Vec<usize>| set.iter().copied().filter(|&item| !self.refused[item]).collect::<Vec<_>>();
        let mut open: Vec<_> = open.into_iter().map(left).collect();
        open.sort_by_key(Vec::len);
        if self.best.as_ref().is_some_and(|(best, _)| spent + self.least(&open) >= *best) || (self.is_over)() {
            return;
        }
        let Some(mut branch) = open.first().cloned() else {
            self.best = Some((spent, self.chosen.clone()));
            return;
        };
        branch.sort_by_key(|&item| self.cost[item]);
        for &item in &branch {
            self.chosen.push(item);
            self.explore(spent + self.cost[item]);
            self.chosen.pop();
            self.refused[item] = true;
        }
        branch.iter().for_each(|&item| self.refused[item] = false);
    }

    /// A lower bound on the cost of hitting these sets.
    fn least(&self, open: &[Vec<usize>]) -> u64 {
        let (mut used, mut sum) = (vec![false; self.cost.len()], 0);
        for set in open {
            if set.iter().all(|&item| !used[item]) {
                sum += set.iter().map(|&item| self.cost[item]).min().unwrap_or(0);
                set.iter().for_each(|&item| used[item] = true);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::cheapest;

    fn hits(chosen: &[usize], sets: &[Vec<usize>]) -> bool {
        sets.iter().all(|set| set.iter().any(|item| chosen.contains(item)))
    }

    proptest! {
        #[test]
        fn no_subset_is_cheaper(
            sets in prop::collection::vec(prop::collection::vec(0..8_usize, 0..5), 0..7),
            cost in prop::collection::vec(1..9_u64, 8),
        ) {
            let price = |chosen: &[usize]| chosen.iter().map(|&item| cost[item]).sum::<u64>();
            let subsets = (0..1_usize << 8).map(|bits| (0..8).filter(|item| bits >> item & 1 == 1).collect::<Vec<_>>());
            let least = subsets.filter(|chosen| hits(chosen, &sets)).map(|chosen| price(&chosen)).min();
            let found = cheapest(&sets, &cost, &|| false);
            prop_assert!(found.iter().all(|found| hits(found, &sets)));
            prop_assert_eq!(found.map(|found| price(&found)), least);
        }
    }

    #[test]
    fn a_search_that_is_stopped_claims_nothing() {
        assert_eq!(cheapest(&[vec![0], vec![1]], &[1, 1], &|| true), None);
    }
}
