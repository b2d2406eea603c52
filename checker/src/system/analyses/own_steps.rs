//! The graph of the steps that a thread takes while it runs by itself, and the rounds in it.

use crate::hash::FxHashSet;

/// The steps of a thread that runs by itself, from a state to a state, by number.
#[derive(Debug, Default)]
pub(super) struct OwnSteps {
    steps: Vec<(usize, usize)>,
    /// Those that look at nothing that others may change.
    blind: Vec<(usize, usize)>,
    /// Those that others notice for some values of inputs only.
    open: Vec<(usize, usize)>,
}

impl OwnSteps {
    /// Adds a step.
    pub fn add(&mut self, step: (usize, usize), looks: bool, is_open: bool) {
        self.steps.push(step);
        self.blind.extend((!looks).then_some(step));
        self.open.extend(is_open.then_some(step));
    }

    /// True if the thread can take some steps again and again that look at nothing. What it looked at before
    /// does not matter then.
    pub fn go_round_blindly(&self) -> bool {
        // States are taken away that no step is left to lead to; those on a round stay.
        let states = self.blind.iter().map(|&(from, to)| from.max(to) + 1).max().unwrap_or(0);
        let (mut behind, mut before) = (vec![Vec::new(); states], vec![0_usize; states]);
        for &(from, to) in &self.blind {
            behind[from].push(to);
            before[to] += 1;
        }
        let mut first: Vec<usize> = (0..states).filter(|&state| before[state] == 0).collect();
        let mut taken = 0;
        while let Some(state) = first.pop() {
            taken += 1;
            for &next in &behind[state] {
                before[next] -= 1;
                first.extend((before[next] == 0).then_some(next));
            }
        }
        taken < states
    }

    /// True if the thread can take some open step again and again. `None`: there is no open step.
    pub fn repeat(&self) -> Option<bool> {
        let leads_back = |&(from, to): &(usize, usize)| {
            let (mut reached, mut next) = (FxHashSet::from_iter([to]), vec![to]);
            while let Some(state) = next.pop() {
                let behind = self.steps.iter().filter(|step| step.0 == state).map(|step| step.1);
                next.extend(behind.filter(|&state| reached.insert(state)));
            }
            reached.contains(&from)
        };
        if self.open.is_empty() { None } else { Some(self.open.iter().any(leads_back)) }
    }
}
