//! The steps of one thread from one state: run by the machine, or recalled from a cache.
//!
//! A cached step has the items that it read, with their values ([`crate::system::ReadEntry`]). From any state
//! in which these items have the same values, the step changes the same components in the same way. So it is
//! recalled there and not run ([`crate::engine::memo`]). This is only a cache: misses are recomputed.
//!
//! Three kinds of results depend on more than the items read, and are never cached:
//!
//! * steps with a variant that is reported (a fault, a limit), because reports tell of the whole state;
//! * steps with a variant that ends the process, if final states are asked for;
//! * all steps, if races or leaks are looked for or inputs are deferred.
//!
//! Tests: in `engine/memo.rs`; `tests/tests/pipeline_differential.rs` compares the explicit engine with the
//! textbook machine on random programs, and `tests/tests/workers.rs` runs all programs with several caches.

use std::rc::Rc;

use super::cache_monitor::CacheMonitor;
use crate::engine::memo::{self, Memo, Origin};
use crate::store::{Edit, EditInterner, Id};
use crate::system::{ChoiceKind, Layout, Leaks, Machine, ReadEntry, StepEnd, StepReport};

/// One variant of a step: its run with one combination of answers to the questions that it asks.
#[derive(Debug)]
pub struct Variant {
    /// The end of the step.
    pub end: End,
    /// For a variant that leads to another state: true if it was idle, which means that other threads cannot
    /// notice it ([`Machine::was_idle`]). For one that leads to the same state: true if it may have acted,
    /// depending on the values of inputs, so that the state has to be looked at closely. False for all
    /// others.
    pub idle: bool,
    /// True if the step read memory that other threads may change.
    pub looked: bool,
    /// True if the step did something that other threads may notice, even if the state is the same
    /// afterwards.
    pub acted: bool,
    /// True if the step was a spurious wakeup.
    pub spurious_wakeup: bool,
    /// The kind of the question to which this variant and the one before give different answers.
    pub question: ChoiceKind,
}

/// The kinds of ends of a variant of a step.
#[derive(Debug)]
pub enum End {
    /// The thread has to wait.
    Blocked,
    /// An assumption is false, so the execution is discarded.
    Pruned,
    /// The process ended.
    Exit,
    /// The step leads to the same state.
    Same,
    /// The step leads to a state with the same threads and objects. These components differ.
    Changed(Edit),
    /// The step leads to a state with other threads or objects. Its vector is made of these parts.
    Made(Box<[Origin]>),
    /// The step ends with a fault or at a limit, which is reported.
    Reported,
}

impl Variant {
    /// True if the step is progress: it leaves a loop that waits, or is none of its rounds.
    #[must_use]
    pub const fn is_progress(&self) -> bool {
        match &self.end {
            End::Blocked => false,
            End::Pruned | End::Exit | End::Reported => true,
            // This is another round of a loop that looks for a change.
            End::Same => !self.looked || self.acted,
            End::Changed(_) | End::Made(_) => !self.idle,
        }
    }

    /// True if another thread may notice the step, or the step ends the execution. False for spurious
    /// wakeups.
    #[must_use]
    pub const fn is_noticed(&self) -> bool {
        let is_noticed = match &self.end {
            End::Blocked => false,
            End::Pruned | End::Exit | End::Reported => true,
            End::Same => self.acted,
            End::Changed(_) | End::Made(_) => !self.idle,
        };
        is_noticed && !self.spurious_wakeup
    }
}

/// All variants of a step.
#[derive(Debug)]
pub struct Step {
    /// The variants, in the lexicographic order of their answers.
    pub variants: Vec<Variant>,
    /// True if the thread loops for ever and waits for nothing, since it does not read shared memory.
    pub endless: bool,
    /// The number by which sleep sets name the step: from 1, below [`NUMBERS_END`]; 0 if the step is not
    /// cached, or if there were too many.
    pub number: u32,
    /// The items that the step read, without those that are in the key of every step. Empty if the step is
    /// not cached.
    pub read_set: Box<[ReadEntry]>,
}

impl Step {
    /// True if the thread can go on: some variant is neither blocked nor a spurious wakeup.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.variants.iter().any(|variant| !matches!(variant.end, End::Blocked) && !variant.spurious_wakeup)
    }

    /// True if each variant leads to another state, which has the same threads and objects.
    #[must_use]
    pub fn only_changes(&self) -> bool {
        self.variants.iter().all(|variant| matches!(variant.end, End::Changed(_)))
    }

    /// True if [`Self::only_changes`] holds and each variant is progress: neither idle nor a spurious wakeup.
    #[must_use]
    pub fn only_moves(&self) -> bool {
        self.only_changes() && self.variants.iter().all(|variant| !variant.idle && !variant.spurious_wakeup)
    }
}

/// The things that every step depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    thread: u32,
    /// The number of live threads.
    live: u32,
    /// The thread's own components.
    own: [Id; 2],
    /// The component of the object table, and that of the buffers.
    table_and_buffers: [Id; 2],
}

/// Takes steps, and caches them.
pub struct Steps {
    /// `None` if no step may be cached.
    cache: Option<Memo<Key, Rc<Step>>>,
    /// For each thread, the result of the last look-up in `cache`. States are explored in an order in which
    /// it is often the next one, too.
    recent: Vec<Option<(Key, Rc<Step>)>>,
    edits: EditInterner,
    monitor: CacheMonitor,
    /// The number of the newest numbered step, or [`NUMBERS_END`] if all numbers are used.
    last_number: u32,
    /// True if the final state is asked for in which the process ends.
    final_states: bool,
    /// The vector of the machine's state after the last variant that led to a state.
    after: Vec<Id>,
}

/// The end of the numbers of steps, so that two of them fit into a word of the cache of sleep sets.
const NUMBERS_END: u32 = 1 << 31;

/// A state from which steps are taken.
#[derive(Clone, Copy, Debug)]
pub struct Source<'v> {
    /// The state vector.
    pub vector: &'v [Id],
    /// The layout of the vector. It is empty unless steps are cached.
    pub layout: Layout,
    /// The number of live threads. It is 0 unless steps are cached.
    pub live: usize,
}

impl Steps {
    /// No steps yet. The cache will have about `bytes` bytes at most.
    #[must_use]
    pub fn new(machine: &Machine<'_>, bytes: usize) -> Self {
        let config = machine.config();
        let may_cache = !config.races && config.leaks == Leaks::Ignored && !machine.defers_inputs();
        Self {
            cache: may_cache.then(|| Memo::within(bytes)),
            recent: Vec::new(),
            edits: EditInterner::default(),
            monitor: CacheMonitor::default(),
            last_number: 0,
            final_states: config.final_states,
            after: Vec::new(),
        }
    }

    /// Begins the exploration of a state. True if its steps are cached.
    pub fn begin_state(&mut self) -> bool {
        if self.monitor.begin_state() {
            self.cache.iter_mut().for_each(Memo::forget);
            self.recent.clear();
        }
        self.is_caching()
    }

    /// True if steps are cached now.
    pub const fn is_caching(&self) -> bool {
        self.cache.is_some() && !self.monitor.is_paused()
    }

    /// The step, if it is cached.
    #[inline]
    pub fn recall(&mut self, machine: &Machine<'_>, source: Source<'_>, thread: usize) -> Option<Rc<Step>> {
        if !self.is_caching() {
            return None;
        }
        let (key, item_value) = (key(source, thread), |item| machine.item_value(source.vector, source.layout, item));
        if self.recent.len() <= thread {
            self.recent.resize(thread + 1, None);
        }
        let recent = &mut self.recent[thread];
        let applies = |step: &Step| step.read_set.iter().all(|one| item_value(one.item) == one.value);
        let step = match recent {
            Some((other, step)) if *other == key && applies(step) => Some(Rc::clone(step)),
            _ => {
                let step = self.cache.as_ref()?.find(&key, item_value).cloned();
                *recent = step.clone().map(|step| (key, step));
                step
            }
        };
        self.monitor.count(step.is_some());
        step
    }

    /// Prepares the machine to run the variants of a step.
    pub fn begin(&mut self, machine: &mut Machine<'_>, source: Source<'_>) {
        machine.unpack(source.vector);
        if self.is_caching() {
            machine.begin_read_log();
        }
    }

    /// The variant that the machine has just run from this state, with this report.
    pub fn variant(&mut self, machine: &mut Machine<'_>, source: Source<'_>, report: &StepReport) -> Variant {
        let question = machine.choices.advanced();
        let end = match report.end {
            StepEnd::Blocked => End::Blocked,
            StepEnd::Pruned => End::Pruned,
            StepEnd::Exit(_) => End::Exit,
            StepEnd::Done => self.end_of_done(machine, source.vector),
            _ => End::Reported,
        };
        let &StepReport { looked, acted, may_have_acted, spurious_wakeup, .. } = report;
        let idle = match end {
            End::Changed(_) | End::Made(_) => machine.was_idle(report, source.vector, &self.after),
            // For some values of inputs the step acted, for others it did not.
            End::Same => !acted && may_have_acted,
            _ => false,
        };
        Variant { end, idle, looked, acted, spurious_wakeup, question }
    }

    /// Caches a step after all its variants were run, if it may be cached. A cached step gets its read set
    /// and a number.
    pub fn keep(&mut self, machine: &mut Machine<'_>, source: Source<'_>, thread: usize, step: &mut Rc<Step>) {
        if !self.is_caching() {
            return;
        }
        let read_set = machine.end_read_log();
        let may_keep = step.variants.iter().all(|variant| self.may_keep(&variant.end));
        if let (Some(cache), Some(new)) = (self.cache.as_mut().filter(|_| may_keep), Rc::get_mut(step)) {
            self.last_number += u32::from(self.last_number < NUMBERS_END);
            new.number = if self.last_number < NUMBERS_END { self.last_number } else { 0 };
            for variant in &mut new.variants {
                if let End::Changed(edit) = &mut variant.end {
                    self.edits.number(source.vector.len(), edit);
                }
            }
            new.read_set = read_set.into();
            cache.insert(key(source, thread), &step.read_set, Rc::clone(step));
        }
    }

    /// The end of a step that was done: the machine's state now, compared with the state before.
    fn end_of_done(&mut self, machine: &mut Machine<'_>, before: &[Id]) -> End {
        machine.pack(&mut self.after);
        let after = &self.after[..];
        if before == after {
            End::Same
        } else if before[0] == after[0] {
            // The object table is the same, so every component keeps its place.
            End::Changed(Edit::new(before.len(), memo::changes(before, after)))
        } else if !self.is_caching() {
            End::Made(after.iter().map(|&id| Origin::New(id)).collect())
        } else {
            End::Made(memo::parts(&machine.named(before), &machine.named(after)))
        }
    }

    /// True if a variant with this end depends on nothing but the items that it read.
    const fn may_keep(&self, end: &End) -> bool {
        match end {
            End::Reported => false,
            End::Exit => !self.final_states,
            _ => true,
        }
    }

    /// The approximate number of bytes that the cached steps take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cache.as_ref().map_or(0, |cache| cache.bytes(size_of::<Step>() + 2 * size_of::<Variant>()))
    }
}

fn key(source: Source<'_>, thread: usize) -> Key {
    let Source { vector, live, .. } = source;
    let own = Layout::thread(thread);
    Key {
        thread: thread as u32,
        live: live as u32,
        own: [vector[own], vector[own + 1]],
        table_and_buffers: [vector[0], vector[1]],
    }
}
