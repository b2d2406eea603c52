//! The path by which a store happens-before a later access: the accesses at which its thread's operations
//! became known to other threads, back from the end.

use std::collections::{HashMap, VecDeque};

use super::{Borderline, CycleEdge, MonitorAccess, Relation};

/// An access of a thread that learned of stores which the thread did not know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Learned {
    pub at: MonitorAccess,
    pub from: MonitorAccess,
    pub relation: Relation,
}

/// For each point that was reached, a thread and a position in it, the next point and the way there.
type Reached = HashMap<Point, Option<(Point, Learned)>>;

/// A thread and a position in it.
type Point = (u32, u64);

/// The cycle of a load that was just found: see [`Monitor::cycle`](super::Monitor::cycle).
pub(super) fn cycle<'t>(
    learned: impl Fn(usize) -> &'t VecDeque<Learned>,
    borderline: &Borderline,
) -> Option<Vec<CycleEdge>> {
    let Borderline { load, missed } = *borderline;
    let first = CycleEdge { from: load, to: missed, relation: Relation::FromRead };
    Some([vec![first], path(learned, missed, load)?].concat())
}

/// The edges of a path from an access to a later one of another thread, with the fewest changes of the
/// thread. The first access happens-before the one before the last one in its thread. `learned` gives what a
/// thread learned. `None` if the threads have forgotten the path.
fn path<'t>(
    learned: impl Fn(usize) -> &'t VecDeque<Learned>,
    start: MonitorAccess,
    end: MonitorAccess,
) -> Option<Vec<CycleEdge>> {
    // The accesses of the thread of the key up to this one are before the end, by way of the entry.
    let last = (end.thread, end.position.checked_sub(1)?);
    let mut reached = Reached::from([(last, None)]);
    let mut queue = VecDeque::from([last]);
    while let Some(point) = queue.pop_front() {
        let (thread, position) = point;
        if thread == start.thread && start.position <= position {
            return Some(edges(&reached, start, point, end));
        }
        for &entry in learned(thread as usize).iter().filter(|entry| entry.at.position <= position) {
            let next = (entry.from.thread, entry.from.position);
            reached.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some((point, entry))
            });
        }
    }
    None
}

fn edges(reached: &Reached, start: MonitorAccess, from: Point, end: MonitorAccess) -> Vec<CycleEdge> {
    let mut edges = Vec::new();
    let (mut at, mut point) = (start, from);
    let mut go = |from: MonitorAccess, to: MonitorAccess, relation| {
        if from != to {
            edges.push(CycleEdge { from, to, relation });
        }
        to
    };
    while let Some((next, entry)) = reached[&point] {
        at = go(at, entry.from, Relation::ProgramOrder);
        at = go(at, entry.at, entry.relation);
        point = next;
    }
    go(at, end, Relation::ProgramOrder);
    edges
}
