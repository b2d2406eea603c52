//! Counterexamples with few switches: the events of an execution in another order that has the same
//! happens-before relation, so the same effect.
//!
//! Events of one thread follow each other as long as possible. An update is no switch, and comes as late as
//! allowed: right before the first step that it happens-before.
//!
//! A *block* is a maximal sequence of steps of one thread. To make a block longer never costs a switch: the
//! steps that move to the left are missing in a later block, and no other step has to wait for more. So an
//! order is a sequence of threads, each of which goes on as far as it can, and how far all threads have come
//! tells what is left. The search is breadth first by the number of blocks, so the first complete order has
//! the fewest. Beyond [`MOST`] states of the search the order stays as it was.
//!
//! The result is run, and is used only if it ends in the same way and in the same state as the execution.
//!
//! Tests: below, against all orders of small executions; `tests/tests/counterexamples.rs` runs the results on
//! a textbook machine.

use std::collections::VecDeque;

use rmc_runtime::Model;

use crate::engine::counterexample::run_step;
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::execution::Execution;
use crate::hash::FxHashMap;
use crate::outcome::ScheduleStep;
use crate::store::Id;
use crate::system::{Machine, StepEnd};

/// The largest number of states of the search for an order.
const MOST: usize = 1 << 12;

/// A schedule with the same effect as this one and the fewest switches. The schedule has the events of an
/// execution of `machine`'s program; one more step may follow.
pub fn rearranged(machine: &Machine<'_>, execution: &Execution, schedule: Vec<ScheduleStep>) -> Vec<ScheduleStep> {
    let events = execution.len();
    let ordered = (!execution.is_ordered()).then(|| execution.ordered(machine.config().model() != Model::Pso));
    let execution = ordered.as_ref().unwrap_or(execution);
    let entries: Vec<_> = (0..schedule.len())
        .map(|at| Entry {
            thread: schedule[at].thread,
            is_update: schedule[at].update.is_some(),
            past: if at < events { execution.past(at).clone() } else { Bits::below(at) },
        })
        .collect();
    let Some(order) = fewest_switches(&entries) else { return schedule };
    if order.is_sorted() {
        return schedule;
    }
    let other: Vec<_> = order.into_iter().map(|at| schedule[at].clone()).collect();
    let mut machine = Machine::new(machine.program(), *machine.config());
    let mut initial = Vec::new();
    machine.pack(&mut initial);
    let end = end_of(&mut machine, &initial, &schedule);
    if end.is_some() && end == end_of(&mut machine, &initial, &other) { other } else { schedule }
}

/// An entry of a schedule.
struct Entry {
    thread: usize,
    is_update: bool,
    /// The positions of the entries that happen-before it.
    past: Bits,
}

/// For each thread, the number of its steps that are placed.
type Progress = Vec<usize>;

/// The positions of the entries in an order with the fewest switches. `None` if the search is too large.
fn fewest_switches(entries: &[Entry]) -> Option<Vec<usize>> {
    let threads = entries.iter().map(|entry| entry.thread + 1).max().unwrap_or(0);
    let mut steps = vec![Vec::new(); threads];
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.is_update) {
        steps[entry.thread].push(at);
    }
    let start: Progress = vec![0; threads];
    let end: Progress = steps.iter().map(Vec::len).collect();
    // For each known state, the state before the last block, and its thread.
    let mut before: FxHashMap<Progress, Option<(Progress, usize)>> = FxHashMap::default();
    before.insert(start.clone(), None);
    let mut queue = VecDeque::from([start]);
    while let Some(from) = queue.pop_front() {
        if from == end {
            return Some(linear(entries, &steps, &blocks(&before, from)));
        }
        for thread in 0..threads {
            let to = after_block(entries, &steps, &from, thread);
            if !before.contains_key(&to) {
                before.insert(to.clone(), Some((from.clone(), thread)));
                queue.push_back(to);
            }
        }
        if before.len() > MOST {
            return None;
        }
    }
    None
}

/// The progress after the longest block of a thread.
fn after_block(entries: &[Entry], steps: &[Vec<usize>], from: &Progress, thread: usize) -> Progress {
    let mut progress = from.clone();
    while let Some(&next) = steps[thread].get(progress[thread]) {
        // A step needs all steps before it; if any of a thread waits, the first that waits is among them.
        // Updates come when they are needed, and what they need is needed by the step, too.
        let is_placed = |thread: usize| {
            steps[thread].get(progress[thread]).is_none_or(|&at| at == next || !entries[next].past.contains(at))
        };
        if !(0..steps.len()).all(is_placed) {
            break;
        }
        progress[thread] += 1;
    }
    progress
}

/// The threads of the blocks that lead to a state, each with its progress after the block.
fn blocks(before: &FxHashMap<Progress, Option<(Progress, usize)>>, end: Progress) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    let mut at = end;
    while let Some(Some((from, thread))) = before.get(&at) {
        blocks.push((*thread, at[*thread]));
        at = from.clone();
    }
    blocks.reverse();
    blocks
}

/// The entries in the order of blocks, with each update right before the first step that needs it, and the
/// others at the end.
fn linear(entries: &[Entry], steps: &[Vec<usize>], blocks: &[(usize, usize)]) -> Vec<usize> {
    let mut is_placed = vec![false; entries.len()];
    let mut order = Vec::new();
    let mut progress = vec![0; steps.len()];
    for &(thread, until) in blocks {
        for &step in &steps[thread][progress[thread]..until] {
            for update in (0..entries.len()).filter(|&at| entries[at].is_update && entries[step].past.contains(at)) {
                if !std::mem::replace(&mut is_placed[update], true) {
                    order.push(update);
                }
            }
            is_placed[step] = true;
            order.push(step);
        }
        progress[thread] = until;
    }
    order.extend((0..entries.len()).filter(|&at| !is_placed[at]));
    order
}

/// The end of the last step of a schedule, and the state before or after it. `None` if it cannot be run.
fn end_of(machine: &mut Machine<'_>, initial: &[Id], schedule: &[ScheduleStep]) -> Option<(StepEnd, Vec<Id>)> {
    let mut vector = initial.to_vec();
    let mut end = StepEnd::Done;
    for (at, step) in schedule.iter().enumerate() {
        if end != StepEnd::Done {
            return None;
        }
        machine.unpack(&vector);
        end = run_step(machine, step, at + 1).ok()?.end;
        if end == StepEnd::Done {
            machine.pack(&mut vector);
        }
    }
    Some((end, vector))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry: its thread, whether it is an update, and the positions that happen-before it.
    type Given = (usize, bool, Vec<usize>);

    fn entries(given: &[Given]) -> Vec<Entry> {
        let entry = |(thread, is_update, past): &Given| {
            let mut bits = Bits::default();
            past.iter().for_each(|&at| bits.insert(at));
            Entry { thread: *thread, is_update: *is_update, past: bits }
        };
        given.iter().map(entry).collect()
    }

    fn order(given: &[Given]) -> Option<Vec<usize>> {
        fewest_switches(&entries(given))
    }

    fn switches(entries: &[Entry], order: &[usize]) -> usize {
        let threads: Vec<_> =
            order.iter().filter(|&&at| !entries[at].is_update).map(|&at| entries[at].thread).collect();
        threads.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    fn is_allowed(entries: &[Entry], order: &[usize]) -> bool {
        let place = |at: usize| order.iter().position(|&other| other == at).expect("every entry is placed once");
        let follows = |at: usize| entries[at].past.positions().all(|before| place(before) < place(at));
        order.len() == entries.len() && (0..entries.len()).all(follows)
    }

    /// The fewest switches of all allowed orders that begin in this way.
    fn fewest(entries: &[Entry], begun: &mut Vec<usize>) -> usize {
        if begun.len() == entries.len() {
            return switches(entries, begun);
        }
        let is_next = |at: usize, begun: &[usize]| {
            !begun.contains(&at) && entries[at].past.positions().all(|before| begun.contains(&before))
        };
        let mut least = usize::MAX;
        for at in 0..entries.len() {
            if is_next(at, begun) {
                begun.push(at);
                least = least.min(fewest(entries, begun));
                begun.pop();
            }
        }
        least
    }

    /// Random entries: steps of three threads in program order, updates behind their stores, and some further
    /// pairs in order.
    fn random(seed: u64) -> Vec<Given> {
        let mut state = seed + 1;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut given: Vec<Given> = Vec::new();
        for at in 0..7 {
            let thread = usize::try_from(below(3)).expect("a small number");
            let own = given.iter().rposition(|(other, is_update, _)| *other == thread && !is_update);
            let is_update = own.is_some() && below(3) == 0;
            let others = (0..at).filter(|_| below(4) == 0);
            let direct: Vec<_> = others.chain(own).collect();
            let mut past: Vec<_> =
                direct.iter().flat_map(|&before| given[before].2.clone()).chain(direct.clone()).collect();
            past.sort_unstable();
            past.dedup();
            given.push((thread, is_update, past));
        }
        given
    }

    #[test]
    fn no_order_has_fewer_switches() {
        for seed in 0..300 {
            let entries = entries(&random(seed));
            let order = fewest_switches(&entries).expect("a small search");
            assert!(is_allowed(&entries, &order), "seed {seed}: {order:?}");
            assert_eq!(switches(&entries, &order), fewest(&entries, &mut Vec::new()), "seed {seed}");
        }
    }

    #[test]
    fn the_first_thread_is_the_one_that_saves_a_switch() {
        // The second step of thread 0 needs that of thread 1.
        let given = [(0, false, vec![]), (1, false, vec![]), (0, false, vec![0, 1])];
        assert_eq!(order(&given), Some(vec![1, 0, 2]));
    }

    #[test]
    fn updates_are_late_and_no_switches() {
        let given = [
            (0, false, vec![]),
            (0, true, vec![0]),
            (1, false, vec![]),
            (0, false, vec![0]),
            (1, false, vec![0, 1, 2]),
        ];
        assert_eq!(order(&given), Some(vec![0, 3, 2, 1, 4]));
        assert_eq!(order(&[(0, false, vec![]), (0, true, vec![0]), (1, false, vec![])]), Some(vec![0, 2, 1]));
    }
}
