//! Threads that only look: rounds of loops without effect, and states from which nothing can change any more.
//!
//! A step is *idle* if it changes nothing but what its thread alone knows: its registers, and memory whose
//! address no other thread has. An idle *round* is a sequence of idle steps of one thread that restores the
//! thread's own state: the same registers in the same frames and the same private memory. A thread that can
//! only make idle rounds waits for a change. If all live threads wait or are blocked, that is a deadlock.
//!
//! Every change by an idle step is part of the comparison, whichever reductions are on: a write is either to
//! memory that `private_state` includes, or it counts as an effect (`acted`). Memory that the pass left alone
//! is of the first kind even without the reduction `private` (`raw.rs`). A comparison without such a write
//! would take two different moments of a loop for a round. Then a deadlock would be reported that is none, or
//! the stateless engine would leave out the events after the round.
//!
//! The following operations are idle: loads; failed compare-exchanges; read-modify-writes and stores that
//! leave memory as it was; fences; functions that let time pass; calls that fail because they would have to
//! wait (`pthread_mutex_trylock`); store-store barriers, since without them the thread's stores have all the
//! possibilities that they have with them; and stores to private memory, which PSO buffers. Any other store
//! into a buffer is not idle, whatever its value, nor is a lock that is taken and released again, since
//! others may see it. A loop that looks at nothing waits for nothing, and is no deadlock.

use rmc_runtime::{Access, Buffers, Bytes, Model, PendingStore};

use super::own_steps::OwnSteps;
use crate::hash::FxHashMap;
use crate::interp::{Count, LoopCounters};
use crate::ir::address::ObjectId;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::object_table::Object;
use crate::system::step::StepEnd;
use crate::system::step::answers::AnswerRuns;
use crate::system::step::report::StepReport;

/// The kinds of continuations of a state in which every thread seems to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressCheck {
    /// Some thread can do something that another thread may notice, or can end.
    CanProgress,
    /// Nothing can happen, but some thread goes round for ever and looks at nothing, so not all threads wait.
    Endless,
    /// Nothing can happen, because all threads wait.
    Deadlock,
    /// For some values of inputs all threads wait. For others a loop changes what it stores to.
    Open,
    /// Some thread runs by itself for longer than the search follows it.
    Undecided,
}

/// The pending stores that other threads may notice. The known order of stores is left out: the more is known
/// of it, the less can happen.
#[derive(Debug, Default, PartialEq, Eq)]
struct ForeignStores {
    /// The thread, place, value and fate of each. `None` stands for a value that depends on inputs: a step
    /// that is not known to act leaves such a store as it is, or takes it away.
    stores: Vec<(usize, Access, Option<Bytes>, bool)>,
    /// True if some are left out that others notice for some values of inputs.
    is_open: bool,
}

impl Machine<'_> {
    /// True if the step with this report was idle. It led from the state `before` to the state `after`, in
    /// which the machine is, and stays.
    #[must_use]
    pub fn was_idle(&mut self, report: &StepReport, before: &[Id], after: &[Id]) -> bool {
        // With delayed flushing a store reaches memory when a thread looks at it, and other threads see that.
        !report.acted
            && (self.config.updates || before[BUFFERS] == after[BUFFERS] || self.is_same_pending(before, after))
    }

    /// True if the same stores are pending in two states as far as other threads can notice. The machine is
    /// in the state `after`, and stays there.
    fn is_same_pending(&mut self, before: &[Id], after: &[Id]) -> bool {
        // Symbols of the state before may be others in the state after.
        let moves = self.defers_inputs();
        if moves {
            self.unpack(before);
        }
        let pending = self.foreign(before[BUFFERS]).stores;
        if moves {
            self.unpack(after);
        }
        pending == self.foreign(after[BUFFERS]).stores
    }

    /// True if it depends on the values of inputs whether a step was idle that [`Self::was_idle`] takes for
    /// idle.
    fn may_have_acted(&self, report: &StepReport, before: &[Id], after: &[Id]) -> bool {
        let is_open = || self.defers_inputs() && self.foreign(after[BUFFERS]).is_open;
        report.may_have_acted || !self.config.updates && before[BUFFERS] != after[BUFFERS] && is_open()
    }

    /// With delayed flushing, the stores in the component of pending stores of the working state, or of one
    /// that has the same symbols, that threads other than the running one may notice.
    fn foreign(&self, component: Id) -> ForeignStores {
        let mut buffers = Buffers::new(self.config.model());
        buffers.decode(self.memory.components.get(component));
        let mut foreign = ForeignStores::default();
        for store in buffers.pending() {
            let is_own = store.thread == self.running.thread;
            let is_unnoticed = if is_own { self.is_unnoticed(&buffers, &store) } else { Some(false) };
            foreign.is_open |= is_unnoticed.is_none();
            if is_unnoticed == Some(false) {
                let value = (!self.is_symbolic(store.value)).then_some(store.value);
                foreign.stores.push((store.thread, store.at, value, store.committed));
            }
        }
        foreign
    }

    /// True if nobody can notice a pending store of the running thread: it is to private memory, or it stores
    /// the value that memory already has, and nothing else is pending there. `None`: that depends on the
    /// values of inputs.
    fn is_unnoticed(&self, buffers: &Buffers, store: &PendingStore) -> Option<bool> {
        if self.private_objects(self.running.thread).any(|object| object.id.0 == store.at.object) {
            return Some(true);
        }
        if buffers.pending().filter(|other| other.at.overlaps(store.at)).nth(1).is_some() {
            return Some(false);
        }
        let Some(region) = self.memory.region(ObjectId(store.at.object)) else { return Some(false) };
        self.may_equal(self.memory.read(&region, store.at.offset, store.at.len), store.value, store.at.len)
    }

    fn private_objects(&self, thread: usize) -> impl Iterator<Item = &Object> {
        let own = move |object: &&Object| object.holder() as usize == thread + 1 && !object.shared;
        self.memory.table.objects.iter().filter(own)
    }

    /// Appends the part of the working state that only `thread` knows. The state was just packed or unpacked.
    /// The words are equal for equal situations of the thread.
    pub fn private_state(&self, thread: usize, out: &mut Vec<u64>) {
        let slots = self.threads.slots[thread];
        out.extend([u64::from(slots.top), u64::from(slots.rest)]);
        for object in self.private_objects(thread) {
            let pages = crate::system::state::object_table::pages(object.size);
            out.push(u64::from(object.id.0) << 32 | u64::from(object.size));
            out.push(u64::from(object.dead) << 32 | u64::from(object.depth));
            out.push(object.extent.encoded());
            if self.config.model() == Model::Pso {
                self.content(thread, object, out);
            } else {
                out.extend(self.memory.pages[object.base..object.base + pages].iter().map(|&page| u64::from(page)));
            }
        }
    }

    /// Appends an object's content as a thread sees it. Under PSO stores to private memory are buffered.
    fn content(&self, thread: usize, object: &Object, out: &mut Vec<u64>) {
        let Some(region) = self.memory.region(object.id) else { return };
        let word = |offset: u32| Access { object: object.id.0, offset, len: (object.size - offset).min(8) as u8 };
        let offsets = (0..object.size).step_by(8);
        let mut values: Vec<_> = offsets.map(|offset| self.memory.read(&region, offset, word(offset).len)).collect();
        let is_own = |store: &PendingStore| store.thread == thread && store.at.object == object.id.0;
        for store in self.buffers.pending().filter(is_own) {
            let end = u64::from(object.size).min(store.at.end()) as u32;
            for offset in (store.at.offset / 8 * 8..end).step_by(8) {
                let value = &mut values[(offset / 8) as usize];
                *value = value.overlaid(word(offset), store.value, store.at);
            }
        }
        out.extend(values.iter().flat_map(|value| [value.bits as u64, value.undef as u64]));
    }

    /// With update events, lets the buffered stores of a thread reach memory. All of them must be to its
    /// private memory.
    pub(in crate::system) fn settle(&mut self, thread: usize) {
        loop {
            let next = self.ready(thread).next().map(|store| store.number);
            let Some(store) = next else { return };
            self.update(thread, store);
        }
    }

    /// The components of a thread in a state vector: its top frame and the frames below.
    #[must_use]
    pub fn frames_in<'v>(&self, vector: &'v [Id], thread: usize) -> &'v [Id] {
        &vector[self.first_thread() + 2 * thread..][..2]
    }

    /// Counts the turns of loops in the next step, starting from these counts; see [`LoopCounters`].
    pub fn count_turns(&mut self, bound: u32, counts: &[Count]) {
        self.running.stack.turns.count(bound, counts);
    }

    /// The turns of loops in the last step.
    #[must_use]
    pub const fn turns(&self) -> &LoopCounters {
        &self.running.stack.turns
    }

    /// Determines what can still happen from a state. Each thread is run by itself until it repeats, through
    /// at most `most` states. Leaves the machine in any state.
    pub fn check_progress(&mut self, vector: &[Id], most: usize) -> ProgressCheck {
        self.check_progress_from(0, vector, most)
    }

    /// Like [`Self::check_progress`]. Adds to `looks` the footprints of the steps on which the answer
    /// depends, in order. The machine must keep update events.
    pub fn check_progress_looking(
        &mut self,
        vector: &[Id],
        most: usize,
        looks: &mut Vec<FootprintEntry>,
    ) -> ProgressCheck {
        debug_assert!(self.config.updates, "with delayed flushing steps have no footprints");
        self.check_progress_in(0, vector, most, Some(looks))
    }

    /// Like [`Self::check_progress`], but only threads from the number `first` on may take steps.
    pub fn check_progress_from(&mut self, first: usize, vector: &[Id], most: usize) -> ProgressCheck {
        let progress = self.check_progress_in(first, vector, most, None);
        if progress == ProgressCheck::Deadlock || !self.has_disputed_stores(vector) {
            return progress;
        }
        let settled = self.settled(vector);
        let mut checks = settled.iter().map(|settled| self.check_progress_in(first, settled, most, None));
        if checks.any(|check| check == ProgressCheck::Deadlock) { ProgressCheck::Deadlock } else { progress }
    }

    /// [`Self::check_progress_from`] without a decision between orders of pending stores.
    fn check_progress_in(
        &mut self,
        first: usize,
        vector: &[Id],
        most: usize,
        mut looks: Option<&mut Vec<FootprintEntry>>,
    ) -> ProgressCheck {
        self.unpack(vector);
        // No update happens in an atomic section.
        let updates_happen = self.memory.table.atomic.is_none();
        if updates_happen && (0..self.thread_count()).any(|thread| self.ready(thread).next().is_some()) {
            return ProgressCheck::CanProgress;
        }
        let threads: Vec<_> = self.schedulable_threads().filter(|&thread| thread >= first).collect();
        let (recorder, inputs) = (self.observers.pause_recorder(), self.observers.inputs.take());
        let mut all = ProgressCheck::Deadlock;
        for thread in threads {
            match self.check_progress_of(thread, vector, most, looks.as_deref_mut()) {
                ProgressCheck::Deadlock => {}
                ProgressCheck::Endless => all = ProgressCheck::Endless,
                ProgressCheck::Open if all == ProgressCheck::Endless => {}
                ProgressCheck::Open => all = ProgressCheck::Open,
                other => {
                    all = other;
                    break;
                }
            }
        }
        self.observers.continue_recorder(recorder);
        self.observers.inputs = inputs;
        all
    }

    fn check_progress_of(
        &mut self,
        thread: usize,
        vector: &[Id],
        most: usize,
        mut looks: Option<&mut Vec<FootprintEntry>>,
    ) -> ProgressCheck {
        // Everything that other threads know stays as it is.
        let mut seen = FxHashMap::default();
        // With named answers, the conditions of a state are those that were made on the way to it: the table
        // of the state in which the last one was made.
        let mut next = vec![(0, vector.to_vec(), vector[TABLE])];
        let mut loops_forever = false;
        let mut own_steps = OwnSteps::default();
        let mut reached = Vec::new();
        while let Some((from, state, conditions)) = next.pop() {
            if seen.len() > most {
                return ProgressCheck::Undecided;
            }
            let mut runs = AnswerRuns::new(&state, thread);
            while let Some(report) = runs.run_next(self) {
                loops_forever |= report.loops_forever;
                if let Some(looks) = &mut looks {
                    looks.extend_from_slice(report.footprint.as_slice());
                }
                match report.end {
                    StepEnd::Blocked | StepEnd::ExitsLast => {}
                    // A thread that may wake up spuriously may also stay asleep.
                    StepEnd::Done if report.spurious_wakeup => {}
                    StepEnd::Done => {
                        self.pack(&mut reached);
                        if !self.was_idle(&report, &state, &reached) {
                            return ProgressCheck::CanProgress;
                        }
                        let is_open = self.may_have_acted(&report, &state, &reached);
                        self.settle(thread);
                        self.pack(&mut reached);
                        let conditions = if report.narrowed { reached[TABLE] } else { conditions };
                        let mut own = Vec::new();
                        if self.names_answers() {
                            self.private_state(thread, &mut own);
                            own.push(conditions.into());
                        } else if self.defers_inputs() {
                            // What the thread alone knows may refer to symbols that others know, too.
                            own.extend(reached.iter().map(|&component| u64::from(component)));
                        } else {
                            self.private_state(thread, &mut own);
                        }
                        // The first state has the number 0 until the thread comes back to it.
                        let new = seen.len() + 1;
                        let to = *seen.entry(own).or_insert(new);
                        own_steps.add((from, to), report.looked, is_open);
                        if to == new {
                            next.push((to, reached.clone(), conditions));
                        }
                    }
                    StepEnd::Limit(_) if self.names_answers() => return ProgressCheck::Undecided,
                    _ => return ProgressCheck::CanProgress,
                }
                if self.halt.reason().is_some() {
                    return ProgressCheck::Undecided;
                }
            }
        }
        let is_endless = loops_forever || own_steps.go_round_blindly();
        match own_steps.repeat() {
            _ if is_endless => ProgressCheck::Endless,
            None => ProgressCheck::Deadlock,
            // A deadlock behind such a step is found in the state that it leads to.
            Some(false) => ProgressCheck::CanProgress,
            Some(true) => ProgressCheck::Open,
        }
    }
}

/// The index of the table of threads, objects and symbols in a state vector.
const TABLE: usize = 0;
/// The index of the pending stores in a state vector of delayed flushing.
pub(super) const BUFFERS: usize = 1;
