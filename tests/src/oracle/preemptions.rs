//! Executions of the textbook machine, and their numbers of preemptions, by enumeration.
//!
//! The threads of the program are created by a further one, in this order, which then waits for their ends. A
//! thread ends with a full fence. A preemption is a step of a thread after a step of another one that could
//! go on: that has a further operation or its end before it. That a fence waits for the buffer does not count
//! as waiting, as stores reach memory freely, without a step of a thread.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::machine::{Outcome, State};
use super::program::{Model, Op, Program};

/// The number of a thread, or of the one that creates the others.
type Runner = usize;

/// A state of the machine with the threads that exist, and the thread that took the last step.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Scheduled {
    state: State,
    /// The number of threads that were created.
    created: usize,
    running: Runner,
}

/// Every outcome, with the least number of preemptions of an execution that has it.
///
/// # Panics
/// If there are atomic sections, fills or copies, of which an operation is more than one step.
pub fn least_preemptions(program: &Program, model: Model) -> BTreeMap<Outcome, u32> {
    let ends = program.iter().map(|ops| ops.iter().copied().chain([Op::Fence]).collect());
    let program: Program = ends.collect();
    let is_simple = |op: &Op| !matches!(op, Op::BeginSection | Op::EndSection) && op.pieces().is_empty();
    assert!(program.iter().flatten().all(is_simple), "an operation is one step");
    let creator = program.len();
    let initial = Scheduled { state: State::initial(&program), created: 0, running: creator };
    let mut least = HashMap::from([(initial.clone(), 0)]);
    let mut queue = VecDeque::from([(initial, 0)]);
    let mut outcomes = BTreeMap::new();
    while let Some((from, cost)) = queue.pop_front() {
        if least[&from] < cost {
            continue;
        }
        let successors = from.successors(&program, model);
        if successors.is_empty() {
            let known = outcomes.entry(from.state.outcome()).or_insert(cost);
            *known = cost.min(*known);
        }
        for (to, is_preemption) in successors {
            let cost = cost + u32::from(is_preemption);
            if least.get(&to).is_none_or(|&known| cost < known) {
                least.insert(to.clone(), cost);
                // States are taken from the queue in the order of their costs.
                if is_preemption { queue.push_back((to, cost)) } else { queue.push_front((to, cost)) }
            }
        }
    }
    outcomes
}

impl Scheduled {
    /// The states after each step and each update, and whether the step is a preemption.
    fn successors(&self, program: &Program, model: Model) -> Vec<(Scheduled, bool)> {
        let creator = program.len();
        let goes_on = |thread: Runner| {
            if thread == creator { self.created < creator } else { self.state.has_next(thread, &program[thread]) }
        };
        let mut successors = Vec::new();
        if goes_on(creator) {
            let to = Scheduled { created: self.created + 1, running: creator, ..self.clone() };
            successors.push((to, self.running != creator && goes_on(self.running)));
        }
        for (thread, ops) in program.iter().enumerate().take(self.created) {
            successors
                .extend(self.state.updates(thread, model).map(|state| (Scheduled { state, ..self.clone() }, false)));
            if let Some(state) = self.state.execute(thread, ops, model) {
                let to = Scheduled { state, running: thread, ..self.clone() };
                successors.push((to, self.running != thread && goes_on(self.running)));
            }
        }
        successors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: usize = 0;
    const Y: usize = 1;

    fn w(addr: usize) -> Op {
        Op::Store { addr, len: 1, value: 1 }
    }

    fn r(addr: usize, reg: usize) -> Op {
        Op::Load { addr, len: 1, reg }
    }

    /// The least numbers of preemptions under sc, tso and pso.
    #[track_caller]
    fn check(program: &Program, registers: [u64; 2], expected: [Option<u32>; 3]) {
        let got = [Model::Sc, Model::Tso, Model::Pso].map(|model| {
            let all = least_preemptions(program, model).into_iter();
            all.filter(|(outcome, _)| outcome.registers == registers).map(|(_, cost)| cost).min()
        });
        assert_eq!(got, expected, "under sc, tso, pso");
    }

    #[test]
    fn delayed_stores_need_a_thread_that_has_not_ended() {
        let buffering = vec![vec![w(X), r(Y, 0)], vec![w(Y), r(X, 1)]];
        check(&buffering, [0, 1], [Some(0); 3]);
        check(&buffering, [1, 1], [Some(1); 3]);
        check(&buffering, [0, 0], [None, Some(1), Some(1)]);
    }

    #[test]
    fn a_message_is_seen_before_another_one() {
        let passing = vec![vec![w(X), w(Y)], vec![r(Y, 0), r(X, 1)]];
        check(&passing, [1, 1], [Some(0); 3]);
        check(&passing, [0, 1], [Some(1); 3]);
        check(&passing, [1, 0], [None, None, Some(1)]);
    }
}
