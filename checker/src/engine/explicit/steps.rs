//! The steps of one thread from one state: run by the machine, or recalled from a cache.
//!
//! A step from a state has the same result in every other state in which everything that it read is the same
//! ([`crate::engine::memo`]): the same changes of components. So most steps are not run at all. Steps with a
//! fault or at a limit are not kept, since the report about them does not depend on the state alone. Nothing
//! is kept where races or leaks are looked for or inputs are deferred, since these depend on the whole state.

use std::rc::Rc;

use crate::engine::memo::{self, Memo, Origin};
use crate::store::{Edit, EditInterner, Id};
use crate::system::{ChoiceKind, Layout, Leaks, Machine, ReadEntry, StepEnd, StepReport};

/// The result of one variant of a step.
#[derive(Debug)]
pub struct Variant {
    /// The end of the step.
    pub end: End,
    /// True if nobody else can notice the step.
    pub idle: bool,
    /// True if the step looked at memory that other threads may change.
    pub looked: bool,
    /// True if the step did something that others may notice, even if everything is as before in the end.
    pub acted: bool,
    /// True if the step was a spurious wakeup.
    pub spurious_wakeup: bool,
    /// The kind of the question to which this variant gives another answer than the variant before.
    pub question: ChoiceKind,
}

/// The kinds of ends of a variant of a step.
#[derive(Debug)]
pub enum End {
    /// The thread has to wait.
    Blocked,
    /// The execution is not one of the program.
    Pruned,
    /// The process ended.
    Exit,
    /// The step leads to the same state.
    Same,
    /// The step leads to a state that differs in these components.
    Changed(Edit),
    /// The step leads to a state made of these parts.
    Made(Box<[Origin]>),
    /// The step ends with something that is to be reported.
    Reported,
}

impl Variant {
    /// True if another thread may notice that the step was taken, and it was no spurious wakeup.
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
    /// The variants in the order of the answers to their questions.
    pub variants: Vec<Variant>,
    /// True if the thread goes round for ever without looking at anything.
    pub endless: bool,
    /// The number of the step among all that were ever cached, from 1 and below 2^31; 0 if it is not cached
    /// or has no number.
    pub number: u32,
    /// The items that the step read beyond those that every step depends on; empty if the step is not cached.
    pub read_set: Box<[ReadEntry]>,
}

impl Step {
    /// True if all variants lead to other states with the same threads and objects.
    #[must_use]
    pub fn only_changes(&self) -> bool {
        self.variants.iter().all(|variant| matches!(variant.end, End::Changed(_)))
    }

    /// True if [`Self::only_changes`] holds, and a waiting thread may take any of the variants for progress.
    #[must_use]
    pub fn only_moves(&self) -> bool {
        self.only_changes() && self.variants.iter().all(|variant| !variant.idle && !variant.spurious_wakeup)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    thread: u32,
    live: u32,
    frames: [Id; 2],
    /// The components of the object table and of the buffers.
    whole: [Id; 2],
}

/// Takes steps, and caches them.
pub struct Steps {
    known: Option<Memo<Key, Rc<Step>>>,
    /// The step of each thread that was found last, with its key. States are explored in an order in which
    /// the same step is often found again.
    recent: Vec<Option<(Key, Rc<Step>)>>,
    edits: EditInterner,
    monitor: CacheHitMonitor,
    /// The number of steps that were ever cached.
    count: u32,
    /// True if the state in which the process ends is of interest. That state is not in the step alone.
    final_states: bool,
    after: Vec<Id>,
}

/// Decides whether caching steps is worth while. Where values never recur, as with a counter, it costs time
/// and saves none.
#[derive(Default)]
struct CacheHitMonitor {
    /// The number of steps that were looked up in this period.
    asked: u32,
    /// The number of these that were found.
    found: u32,
    /// The number of states to be explored before the next period.
    pause: u32,
}

/// The number of steps that get a number.
const MOST_NUMBERED_STEPS: u32 = 1 << 31;
/// The number of look-ups in a period.
const MONITORED: u32 = 1 << 13;
/// The number of states between two periods, if the first one found too few steps.
const PAUSE: u32 = 1 << 17;

impl CacheHitMonitor {
    /// Called before a state is explored. True if steps from now on are no longer cached.
    fn ends(&mut self) -> bool {
        self.pause = self.pause.saturating_sub(1);
        if self.asked < MONITORED {
            return false;
        }
        let fails = self.found < MONITORED / 4;
        *self = Self { pause: if fails { PAUSE } else { 0 }, ..Self::default() };
        fails
    }
}

/// A state from which steps are taken.
#[derive(Clone, Copy, Debug)]
pub struct Source<'v> {
    /// The state vector.
    pub vector: &'v [Id],
    /// The layout of the vector, if steps are cached.
    pub layout: Layout,
    /// The number of live threads.
    pub live: usize,
}

impl Steps {
    /// An empty cache of about `bytes` bytes at most.
    #[must_use]
    pub fn new(machine: &Machine<'_>, bytes: usize) -> Self {
        let config = machine.config();
        let may_cache = !config.races && config.leaks == Leaks::Ignored && !machine.defers_inputs();
        Self {
            known: may_cache.then(|| Memo::within(bytes)),
            recent: Vec::new(),
            edits: EditInterner::default(),
            monitor: CacheHitMonitor::default(),
            count: 0,
            final_states: config.final_states,
            after: Vec::new(),
        }
    }

    /// Prepares for the next state. True if its steps are cached.
    pub fn caches_next(&mut self) -> bool {
        if self.monitor.ends() {
            self.known.iter_mut().for_each(Memo::forget);
            self.recent.clear();
        }
        self.is_caching()
    }

    /// True if steps are cached now.
    pub const fn is_caching(&self) -> bool {
        self.known.is_some() && self.monitor.pause == 0
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
        let is_it = |step: &Step| step.read_set.iter().all(|one| item_value(one.item) == one.value);
        let step = match recent {
            Some((other, step)) if *other == key && is_it(step) => Some(Rc::clone(step)),
            _ => {
                let step = self.known.as_ref()?.find(&key, item_value).cloned();
                *recent = step.clone().map(|step| (key, step));
                step
            }
        };
        self.monitor.asked += 1;
        self.monitor.found += u32::from(step.is_some());
        step
    }

    /// Prepares the machine to run the variants of a step.
    pub fn begin(&mut self, machine: &mut Machine<'_>, source: Source<'_>) {
        machine.unpack(source.vector);
        if self.is_caching() {
            machine.begin_read_log();
        }
    }

    /// The variant of a step from a state that the machine has just run, with this report.
    pub fn variant(&mut self, machine: &mut Machine<'_>, source: Source<'_>, report: &StepReport) -> Variant {
        let question = machine.choices.advanced();
        let end = match report.end {
            StepEnd::Blocked => End::Blocked,
            StepEnd::Pruned => End::Pruned,
            StepEnd::Exit(_) => End::Exit,
            StepEnd::Done => self.change(machine, source.vector),
            _ => End::Reported,
        };
        let &StepReport { looked, acted, may_have_acted, spurious_wakeup, .. } = report;
        let idle = match end {
            End::Changed(_) | End::Made(_) => machine.was_idle(report, source.vector, &self.after),
            // It depends on the values of inputs whether the step acts, so the state is looked at closely.
            End::Same => !acted && may_have_acted,
            _ => false,
        };
        Variant { end, idle, looked, acted, spurious_wakeup, question }
    }

    /// Caches a step all of whose variants were run.
    pub fn keep(&mut self, machine: &mut Machine<'_>, source: Source<'_>, thread: usize, step: &mut Rc<Step>) {
        if !self.is_caching() {
            return;
        }
        let read_set = machine.end_read_log();
        let is_kept = step.variants.iter().all(|variant| self.is_kept(&variant.end));
        if let (Some(known), Some(new)) = (self.known.as_mut().filter(|_| is_kept), Rc::get_mut(step)) {
            self.count += u32::from(self.count < MOST_NUMBERED_STEPS);
            new.number = if self.count < MOST_NUMBERED_STEPS { self.count } else { 0 };
            for variant in &mut new.variants {
                if let End::Changed(edit) = &mut variant.end {
                    self.edits.number(source.vector.len(), edit);
                }
            }
            new.read_set = read_set.into();
            known.insert(key(source, thread), &step.read_set, Rc::clone(step));
        }
    }

    /// The difference between the machine's state and the one before.
    fn change(&mut self, machine: &mut Machine<'_>, before: &[Id]) -> End {
        machine.pack(&mut self.after);
        let after = &self.after[..];
        if before == after {
            End::Same
        } else if before[0] == after[0] {
            // Threads and objects are the same, so every component keeps its place.
            End::Changed(Edit::new(before.len(), memo::changes(before, after)))
        } else if !self.is_caching() {
            End::Made(after.iter().map(|&id| Origin::New(id)).collect())
        } else {
            End::Made(memo::parts(&machine.named(before), &machine.named(after)))
        }
    }

    const fn is_kept(&self, end: &End) -> bool {
        match end {
            End::Reported => false,
            End::Exit => !self.final_states,
            _ => true,
        }
    }

    /// The approximate number of bytes that the cached steps take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.known.as_ref().map_or(0, |known| known.bytes(size_of::<Step>() + 2 * size_of::<Variant>()))
    }
}

fn key(source: Source<'_>, thread: usize) -> Key {
    let Source { vector, live, .. } = source;
    let own = Layout::thread(thread);
    Key {
        thread: thread as u32,
        live: live as u32,
        frames: [vector[own], vector[own + 1]],
        whole: [vector[0], vector[1]],
    }
}
