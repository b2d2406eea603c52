//! States that are not explored because a known state stands for all that they stand for.
//!
//! A state with symbols stands for a set of states of the program, one for each way to choose its inputs
//! (`system/inputs/mod.rs`). Of two states with the same outline (`system/inputs/outline.rs`) one is
//! *subsumed* by the other if its conditions imply those of the other. Then it stands for a subset. States
//! match in this way in Barnat, Bauch, Havel, *Model Checking Parallel Programs with Inputs*, PDP 2014, if
//! they stand for the same set; there a set is compared as a whole, here also with larger ones.
//!
//! # Why nothing is missed
//!
//! Call a state of the program *covered* if an explored state stands for it. Let a covered state take a step.
//! The explored state that stands for it takes that step, too, for the part of its values that the question
//! of the step leaves, and the state reached is explored, or was explored, or is subsumed by one that is. So
//! the successor is covered, and by induction every reachable state is. Every fault, limit and use of
//! something unsupported shows in a step from a covered state. This uses nothing of a state but what it
//! stands for:
//!
//! * *Where a step ends* may depend on what is known, since a choice behind a question begins another step
//!   (`library/choice.rs`). The execution is the same, cut at more places. Every operation that has to begin
//!   a step begins one in both.
//! * *Reductions*: `dead`, `paths`, `stores`, `private` and `guarded` decide by control, memory and locks,
//!   which are in the outline, and their proofs are about the states of the program. A guard is checked at
//!   each access of each covered state. Steps do not sleep, are not cached, and threads are not exchanged in
//!   runs with symbols, so no state has a past that matters. Races (`--races`) are part of the outline.
//! * *Final states* are not asked for where inputs are open.
//! * *Levels*: a state is subsumed only by states that were found on its level or an earlier one. Ways to
//!   violations are shortest among those of the search.
//!
//! # Deadlocks
//!
//! A deadlock is found in a state that stands for deadlocks only. What a thread learns of inputs while it
//! only looks leads there, so it must not be lost: in a loop that asks two questions in turn the state at its
//! head in which both are answered is subsumed by the one in which neither is. So if a step is idle
//! ([`crate::system::ProgressCheck`]), the state that it leads to is matched exactly. All steps from a
//! deadlock are idle, or the thread is blocked, so from an explored state that stands for a deadlock all is
//! explored that would be explored without subsumption, as far as it stands for that deadlock and those
//! behind it, and `spin_deadlock.rs` finds it. Where deadlocks are not asked for (a property of SV-COMP,
//! say), idle steps are as others.
//!
//! # The same states in each run
//!
//! Which states are explored does not depend on the number of workers, nor on the order in which states are
//! reached. All states with the same outline belong to the same worker. States that a level leads to are held
//! back until it ends. Then they are taken in the order of what their conditions are as words, and each is
//! dropped that is subsumed by a state of this level, or an earlier one, or by a state of the next one that
//! was not dropped itself. A dropped state is subsumed by one that was there when it was dropped, and if that
//! one is dropped later, then by one that is there later, so at last by one that is explored. A state is
//! compared with [`MOST`] known ones at most, and with as many new ones before and behind it.
//!
//! No more states are explored than without subsumption: each is the successor of an explored one.
//!
//! Memory: some 50 bytes for each outline, in memory also with a store file. Checkpoints have them.
//! With hash compaction outlines are compared by hashes, as states are.
//!
//! Tests: `tests/programs/inputs/subsumed*.c`; `tests/tests/nondet_differential.rs` compares random programs
//! with enumeration, with several workers, and without subsumption; `tests/tests/storage.rs`.

use std::io;

use super::steps::{End, Source, Variant};
use super::worker::{Worker, WorkerResult};
use crate::engine::memo;
use crate::hash::FxHashMap;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::ViolationKind;
use crate::property::Meaning;
use crate::store::{Id, Interner, Name, Reached, Reader, StateStore, Writer, damaged};
use crate::system::{Machine, Reduction};

/// The number of known states with which one is compared, and of new ones before and behind it.
const MOST: usize = 64;

/// A state with symbols that a step reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenState {
    reached: Reached,
    pub outline: OutlineKey,
    /// The component with its conditions.
    table: Id,
    /// True if it is explored unless the same state is known.
    is_exact: bool,
    /// The place where the step began, if lines are counted.
    place: (FuncId, Pc),
}

/// The name of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct OutlineKey {
    pub key: u64,
    /// The number of its symbols.
    symbols: u16,
}

/// The states with symbols of a worker.
#[derive(Debug, Default)]
pub(super) struct OpenStates {
    /// The components with the conditions of the states of this level and those before, by outline: the first
    /// [`MOST`] in an order that is the same in each run.
    known: FxHashMap<OutlineKey, Vec<Id>>,
    /// States of the next level, after this one has ended.
    next: Vec<(OutlineKey, Id)>,
    /// States that were reached on this level and are not known, by name.
    held: FxHashMap<Name, OpenState>,
    /// The number of components in `known`.
    count: usize,
}

/// True if states may be subsumed in searches with such a machine.
pub(super) fn is_possible(machine: &Machine<'_>) -> bool {
    machine.defers_inputs() && machine.config().reduces(Reduction::Subsumption)
}

/// The worker that owns a state.
pub(super) fn owner(store: &StateStore, worker: &mut WorkerResult<'_>, vector: &[Id], name: Name) -> usize {
    let WorkerResult { machine, states, .. } = worker;
    let outline = if is_possible(machine) { machine.outline(vector) } else { None };
    let key = outline.map_or(name.key, |outline| states.fold(&outline.vector).key);
    store.owner_of(key)
}

impl Worker<'_, '_> {
    /// Adds a state that a variant of a step reached to the batch of its worker.
    pub(super) fn reach_or_hold(&mut self, variant: &Variant, source: Source<'_>, reached: Reached) {
        let mut after = std::mem::take(&mut self.after);
        match &variant.end {
            End::Changed(edit) => memo::apply_changes(edit.changes(), source.vector, &mut after),
            End::Made(parts) => memo::apply(parts, source.vector, &mut after),
            _ => unreachable!("the step led to a state"),
        }
        match self.machine.outline(&after) {
            None => self.reach(reached),
            Some(outline) => {
                let key = self.states.fold(&outline.vector).key;
                let outline = OutlineKey { key, symbols: outline.symbols as u16 };
                let asks_for_deadlocks =
                    self.machine.config().property.meaning(ViolationKind::Deadlock) != Meaning::Ends;
                let is_exact = variant.idle && asks_for_deadlocks;
                let open = OpenState { reached, outline, table: after[0], is_exact, place: self.from };
                self.reach_open(open);
            }
        }
        self.after = after;
    }

    /// Holds back a state that was reached, unless it is known.
    pub(super) fn hold(&mut self, state: OpenState) {
        let Some(open) = &mut self.open else { return };
        if !self.states.is_known(state.reached.name) {
            let same = open.held.entry(state.reached.name).or_insert(state);
            same.is_exact |= state.is_exact;
        }
    }

    /// Adds those states to the search that were held back and are not subsumed, at the end of a level.
    pub(super) fn add_open(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        for states in open.take_held() {
            let outline = states[0].outline;
            let known = open.known.get(&outline).map_or(&[][..], |known| &known[..]);
            let new = not_subsumed(&mut self.machine, known, states);
            open.next.extend(new.iter().map(|state| (outline, state.table)));
            let (reached, places): (Vec<_>, Vec<_>) = new.iter().map(|state| (state.reached, state.place)).unzip();
            self.insert(&reached, &places);
            self.shared.check_request();
            if self.shared.is_stopped() {
                break;
            }
        }
        self.open = Some(open);
    }
}

/// The states with the same outline that are to be explored, where some are known.
fn not_subsumed(machine: &mut Machine<'_>, known: &[Id], mut new: Vec<OpenState>) -> Vec<OpenState> {
    new.sort_by(|one, other| {
        let conditions = |state: &OpenState| machine.conditions(state.table);
        other.is_exact.cmp(&one.is_exact).then_with(|| conditions(one).cmp(conditions(other)))
    });
    let mut left = Vec::with_capacity(new.len());
    let mut at = 0;
    while let Some(&state) = new.get(at) {
        at += 1;
        let behind = new[at..].iter().take(MOST).map(|other| other.table);
        let before = left.iter().take(MOST).map(|other: &OpenState| other.table);
        let mut others = known.iter().copied().chain(before).chain(behind);
        let symbols = state.outline.symbols.into();
        if state.is_exact || !others.any(|other| machine.implies(state.table, other, symbols)) {
            left.push(state);
        }
    }
    left
}

impl OpenStates {
    /// The states that are held back, by outline.
    fn take_held(&mut self) -> Vec<Vec<OpenState>> {
        let mut held: Vec<_> = std::mem::take(&mut self.held).into_values().collect();
        held.sort_unstable_by_key(|state| state.outline);
        held.chunk_by(|one, other| one.outline == other.outline).map(<[_]>::to_vec).collect()
    }

    /// Begins a level, whose states are known from now on.
    pub fn begin_level(&mut self) {
        for (outline, table) in self.next.drain(..) {
            let known = self.known.entry(outline).or_default();
            if known.len() < MOST {
                known.push(table);
                self.count += 1;
            }
        }
    }

    /// The approximate number of bytes of memory.
    pub fn bytes(&self) -> usize {
        let known = self.known.capacity() * (size_of::<(OutlineKey, Vec<Id>)>() + 1) + self.count * size_of::<Id>();
        known + self.held.capacity() * (size_of::<(Name, OpenState)>() + 1)
    }

    /// Writes the states of this level and those before.
    ///
    /// # Errors
    /// The file's.
    pub fn save(&self, out: &mut Writer) -> io::Result<()> {
        let all = || self.known.iter().flat_map(|(outline, tables)| tables.iter().map(move |&table| (*outline, table)));
        out.list(self.count, all().map(|(outline, _)| outline.key))?;
        out.list(self.count, all().map(|(outline, _)| outline.symbols))?;
        out.list(self.count, all().map(|(_, table)| table))
    }

    /// The inverse of [`Self::save`]. The components were read before.
    ///
    /// # Errors
    /// The file's, and [`io::ErrorKind::InvalidData`] for components that do not exist.
    pub fn load(input: &mut Reader, components: &Interner) -> io::Result<Self> {
        let (mut keys, mut symbols, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        input.list(|key: u64| keys.push(key))?;
        input.list(|count: u16| symbols.push(count))?;
        input.list(|table: Id| tables.push(table))?;
        let exist = tables.iter().all(|&table| (table as usize) < components.len());
        if !exist || [symbols.len(), tables.len()] != [keys.len(); 2] {
            return Err(damaged());
        }
        let outlines = keys.into_iter().zip(symbols).map(|(key, symbols)| OutlineKey { key, symbols });
        let mut open = Self { next: outlines.zip(tables).collect(), ..Self::default() };
        open.begin_level();
        Ok(open)
    }
}
