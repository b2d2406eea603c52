//! Threads that only look: rounds of loops without effect, and states in which nothing can change any more.
//!
//! A step is *idle* if it changes nothing but what its thread alone knows: its registers, and memory whose
//! address no other thread has. An idle *round* is a sequence of idle steps of one thread that brings it back
//! to what it was: the same registers in the same frames and the same private memory. A thread that can do
//! nothing but idle rounds waits for a change; if all that live wait, or are blocked, that is a deadlock.
//!
//! Every change of an idle step is part of what is compared, whichever reductions are on: a write is either
//! to memory that `private_state` has, or it counts as an effect (`acted`). Memory that the pass left alone
//! is of the first kind also without the reduction `private` (`raw.rs`). A comparison that missed such a
//! write would take two different moments of a loop for a round, so that a deadlock would be reported that is
//! none, or, by the stateless engine, what comes after the round would be left out.
//!
//! Loads, failed compare-exchanges, read-modify-writes and stores that leave memory as it was, fences and
//! functions that let time pass are idle; so is what fails because it would have to wait
//! (`pthread_mutex_trylock`). So is a store-store barrier: without it the thread's stores can do all they can
//! do with it; and a store to private memory, which PSO buffers. Any other store into a buffer is not,
//! whatever it stores, nor is a lock that is taken and released again: others may see it. A loop that looks
//! at nothing waits for nothing, and is no deadlock.

use rmc_runtime::{Access, Buffers, Bytes, Model, PendingStore};

use crate::hash::FxHashSet;
use crate::interp::{Count, LoopCounters};
use crate::ir::address::ObjectId;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::state::object_table::Object;
use crate::system::step::StepEnd;
use crate::system::step::answers::AnswerRuns;
use crate::system::step::report::StepReport;

/// What can still happen from a state in which every thread seems to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressCheck {
    /// Some thread can do something that another may notice, or can end.
    Moves,
    /// Nothing, but not because all wait: some thread goes round for ever and looks at nothing.
    Endless,
    /// Nothing: all wait.
    Stuck,
    /// Some thread goes on by itself for longer than was to be looked at.
    Open,
}

impl Machine<'_> {
    /// Whether the step with this report, from the state `before` to the state `after` that the machine is
    /// in, was idle.
    #[must_use]
    pub fn was_idle(&self, report: &StepReport, before: &[Id], after: &[Id]) -> bool {
        let (before, after) = (before[BUFFERS], after[BUFFERS]);
        // With delayed flushing a store reaches memory when somebody looks, and others see that.
        let is_same = || self.config.updates || before == after || self.foreign(before) == self.foreign(after);
        !report.acted && is_same()
    }

    /// With delayed flushing, the stores of a component of pending stores but those of the running thread
    /// that nobody can notice: to its private memory, or of what memory has where nothing else is pending.
    /// What is known of their order is left out: the more is known, the less can happen.
    fn foreign(&self, component: Id) -> Vec<(usize, Access, Bytes, bool)> {
        let mut buffers = Buffers::new(self.config.model());
        buffers.decode(self.memory.components.get(component));
        let private = |at: Access| self.private_objects(self.running.thread).any(|object| object.id.0 == at.object);
        let has_rivals = |at: Access| buffers.pending().filter(|other| other.at.overlaps(at)).nth(1).is_some();
        let is_repeated = |store: &PendingStore| {
            let region = self.memory.region(ObjectId(store.at.object));
            let old = region.map(|region| self.memory.read(&region, store.at.offset, store.at.len));
            old == Some(store.value) && !has_rivals(store.at)
        };
        let is_unnoticed = |store: &PendingStore| private(store.at) || is_repeated(store);
        let foreign = buffers.pending().filter(|store| store.thread != self.running.thread || !is_unnoticed(store));
        foreign.map(|store| (store.thread, store.at, store.value, store.committed)).collect()
    }

    fn private_objects(&self, thread: usize) -> impl Iterator<Item = &Object> {
        let own = move |object: &&Object| object.id.owner() as usize == thread + 1 && !object.shared;
        self.memory.table.objects.iter().filter(own)
    }

    /// Appends what only `thread` knows of the working state, which was just packed or unpacked: equal for
    /// equal situations of the thread.
    pub fn private_state(&self, thread: usize, out: &mut Vec<u64>) {
        let slots = self.threads.slots[thread];
        out.extend([u64::from(slots.top), u64::from(slots.rest)]);
        for object in self.private_objects(thread) {
            let pages = crate::system::state::object_table::pages(object.size);
            out.push(u64::from(object.id.0) << 32 | u64::from(object.size));
            out.push(u64::from(object.dead) << 32 | u64::from(object.depth));
            if self.config.model() == Model::Pso {
                self.content(thread, object, out);
            } else {
                out.extend(self.memory.pages[object.base..object.base + pages].iter().map(|&page| u64::from(page)));
            }
        }
    }

    /// Appends an object's content as a thread sees it: under PSO stores to private memory are buffered.
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

    /// With update events, lets the buffered stores of a thread reach memory. It is known that they are all
    /// to its private memory.
    pub(in crate::system) fn settle(&mut self, thread: usize) {
        loop {
            let next = self.ready(thread).next().map(|store| store.number);
            let Some(store) = next else { return };
            self.update(thread, store);
        }
    }

    /// The components of a thread in a state vector: its top frame and those below.
    #[must_use]
    pub fn frames_in<'v>(&self, vector: &'v [Id], thread: usize) -> &'v [Id] {
        &vector[self.first_thread() + 2 * thread..][..2]
    }

    /// Counts the turns of loops in the next step, beginning with these; see [`LoopCounters`].
    pub fn count_turns(&mut self, bound: u32, counts: &[Count]) {
        self.running.stack.turns.count(bound, counts);
    }

    /// The turns of loops in the last step.
    #[must_use]
    pub const fn turns(&self) -> &LoopCounters {
        &self.running.stack.turns
    }

    /// What can still happen from a state: each thread is run by itself until it repeats, through at most
    /// `most` states. Leaves the machine anywhere.
    pub fn check_progress(&mut self, vector: &[Id], most: usize) -> ProgressCheck {
        self.check_progress_from(0, vector, most)
    }

    /// Like [`Self::check_progress`], if only threads from the number `first` on may take steps.
    pub fn check_progress_from(&mut self, first: usize, vector: &[Id], most: usize) -> ProgressCheck {
        self.unpack(vector);
        if (0..self.thread_count()).any(|thread| self.ready(thread).next().is_some()) {
            return ProgressCheck::Moves;
        }
        let threads: Vec<_> = self.schedulable_threads().filter(|&thread| thread >= first).collect();
        let recorder = self.observers.recorder.take();
        let mut all = ProgressCheck::Stuck;
        for thread in threads {
            match self.check_progress_of(thread, vector, most) {
                ProgressCheck::Stuck => {}
                ProgressCheck::Endless => all = ProgressCheck::Endless,
                moves => {
                    all = moves;
                    break;
                }
            }
        }
        self.observers.recorder = recorder;
        all
    }

    fn check_progress_of(&mut self, thread: usize, vector: &[Id], most: usize) -> ProgressCheck {
        // All other threads know stays as it is.
        let mut seen = FxHashSet::default();
        let mut next = vec![vector.to_vec()];
        let (mut goes_round, mut looks, mut loops_forever) = (false, false, false);
        let mut reached = Vec::new();
        while let Some(state) = next.pop() {
            if seen.len() > most {
                return ProgressCheck::Open;
            }
            let mut runs = AnswerRuns::new(&state, thread);
            while let Some(report) = runs.run_next(self) {
                loops_forever |= report.loops_forever;
                match report.end {
                    StepEnd::Blocked | StepEnd::ExitsLast => {}
                    // Whoever may wake up for no reason may as well sleep on.
                    StepEnd::Done if report.woke_by_chance => {}
                    StepEnd::Done => {
                        self.pack(&mut reached);
                        if !self.was_idle(&report, &state, &reached) {
                            return ProgressCheck::Moves;
                        }
                        goes_round = true;
                        looks |= report.looked;
                        self.settle(thread);
                        self.pack(&mut reached);
                        let mut own = Vec::new();
                        self.private_state(thread, &mut own);
                        if seen.insert(own) {
                            next.push(reached.clone());
                        }
                    }
                    _ => return ProgressCheck::Moves,
                }
                if self.halt.reason().is_some() {
                    return ProgressCheck::Open;
                }
            }
        }
        let is_endless = loops_forever || (goes_round && !looks);
        if is_endless { ProgressCheck::Endless } else { ProgressCheck::Stuck }
    }
}

/// Where a state vector of delayed flushing has the pending stores.
const BUFFERS: usize = 1;
