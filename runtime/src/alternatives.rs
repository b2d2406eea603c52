//! The alternatives of a load when every pending store that overlaps it covers exactly its bytes: only the
//! store flushed last matters. The general case is in `mixed.rs`.
//!
//! Contract: every alternative listed is consistent with the order, and together they allow exactly the
//! executions allowed before. They are in a deterministic order. An alternative names the stores that reach
//! memory before now; the rest of the overlapping ones are later than now.

use crate::places::Places;
use crate::{Access, Buffers};

/// One alternative of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    /// The value comes from the thread's own delayed stores (and memory, for bytes that no pending store
    /// covers): those are later than now. Nothing else is decided.
    Forward,
    /// The stores `flushed[start..end]` reach memory before now, the last of them last; all other overlapping
    /// stores are later than now.
    Flush { start: usize, end: usize },
}

/// The buffers of a load; kept so that loads do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The stores that overlap the load, ascending.
    pub(crate) matching: Vec<usize>,
    /// True if all of `matching` cover exactly the bytes of the load.
    pub(crate) same_bytes: bool,
    /// The alternatives.
    pub(crate) plans: Vec<Plan>,
    /// The stores that the plans flush, one sequence after the other.
    pub(crate) flushed: Vec<usize>,
    /// The sequence under construction in `mixed.rs`.
    pub(crate) sequence: Vec<usize>,
    /// The stores that the chosen plan makes later than now.
    pub(crate) later: Vec<usize>,
    /// The stores that `settle.rs` is about to remove.
    pub(crate) gone: Vec<usize>,
    /// The pending stores by place, for `settle.rs`.
    pub(crate) places: Places,
    groups: Vec<Group>,
}

/// The stores of one thread in `matching`, oldest first, and the number of them that the alternative under
/// construction flushes.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    end: usize,
    /// The least number of stores that are flushed: the committed ones and those before them; all of them in
    /// the loading thread.
    due: usize,
    taken: usize,
    own: bool,
}

impl Group {
    fn newest_taken(&self, matching: &[usize]) -> Option<usize> {
        (self.taken > 0).then(|| matching[self.start + self.taken - 1])
    }
}

impl Buffers {
    /// Collects the stores that overlap the load.
    pub(crate) fn find_matching(&self, at: Access, scratch: &mut Scratch) {
        scratch.matching.clear();
        scratch.plans.clear();
        scratch.flushed.clear();
        scratch.same_bytes = true;
        for (i, entry) in self.entries.iter().enumerate() {
            if entry.at.overlaps(at) {
                scratch.matching.push(i);
                scratch.same_bytes &= entry.at == at;
            }
        }
    }

    /// Appends the flush plans. With `keep_own_last`, plans in which the load sees the thread's own newest
    /// store are included.
    pub(crate) fn plan_same_bytes(&self, thread: Option<usize>, keep_own_last: bool, scratch: &mut Scratch) {
        self.group_by_thread(thread, scratch);
        loop {
            self.plan_prefixes(keep_own_last, scratch);
            if !next_prefixes(&mut scratch.groups) {
                return;
            }
        }
    }

    fn group_by_thread(&self, thread: Option<usize>, scratch: &mut Scratch) {
        scratch.groups.clear();
        for (position, &i) in scratch.matching.iter().enumerate() {
            let entry = &self.entries[i];
            let own = entry.of(thread);
            match scratch.groups.last_mut() {
                Some(group) if self.entries[scratch.matching[group.start]].thread == entry.thread => {
                    // Those behind a held store are held: none of them can be flushed.
                    if self.is_held(i) {
                        continue;
                    }
                    group.end += 1;
                }
                _ if self.is_held(i) => continue,
                _ => scratch.groups.push(Group { start: position, end: position + 1, due: 0, taken: 0, own }),
            }
            let group = scratch.groups.last_mut().expect("just pushed");
            if own || entry.committed {
                group.due = group.end - group.start;
            }
            group.taken = group.due;
        }
    }

    /// The plans that flush the chosen prefix of each group: one for each group that may come last.
    fn plan_prefixes(&self, keep_own_last: bool, scratch: &mut Scratch) {
        let Scratch { matching, groups, plans, flushed, .. } = scratch;
        if groups.iter().all(|g| g.taken == 0) {
            plans.push(Plan::Flush { start: flushed.len(), end: flushed.len() });
            return;
        }
        for (g, group) in groups.iter().enumerate() {
            let Some(last) = group.newest_taken(matching) else {
                continue;
            };
            let closes_a_cycle = groups
                .iter()
                .filter_map(|other| other.newest_taken(matching))
                .any(|other| self.order.precedes(last, other));
            if closes_a_cycle || group.own && !keep_own_last {
                continue;
            }
            let start = flushed.len();
            for (_, other) in groups.iter().enumerate().filter(|&(h, _)| h != g) {
                flushed.extend_from_slice(&matching[other.start..other.start + other.taken]);
            }
            flushed.extend_from_slice(&matching[group.start..group.start + group.taken]);
            plans.push(Plan::Flush { start, end: flushed.len() });
        }
    }
}

/// The next choice of prefixes, counting up with the first group as the lowest digit; false after the last
/// one.
fn next_prefixes(groups: &mut [Group]) -> bool {
    for group in groups {
        if group.taken < group.end - group.start {
            group.taken += 1;
            return true;
        }
        group.taken = group.due;
    }
    false
}
