//! The steps of one thread from one state: run by the machine, or known from before.
//!
//! A step that was taken from a state leads to the same from every other one in which all it looked at is the
//! same ([`crate::engine::memo`]): to the same changes of components. So most steps are not run at all. Not
//! kept are steps that go wrong or meet a limit, since what is reported about them is not in the state alone;
//! and nothing where races or leaks are looked for, since these look at all of the state.

use std::rc::Rc;

use crate::engine::memo::{self, Memo, Origin};
use crate::store::{DeltaInterner, Edit, Id};
use crate::system::{ChoiceKind, Config, Layout, Leaks, Machine, ReadEntry, StepEnd, StepReport};

/// What one variant of a step came to.
#[derive(Debug)]
pub struct Variant {
    /// Where it led.
    pub end: End,
    /// Whether nobody else can notice the step.
    pub idle: bool,
    /// Whether it looked at memory that other threads may change.
    pub looked: bool,
    /// Whether it did something that others may notice, even if all is as before in the end.
    pub acted: bool,
    /// Whether it was a thread that woke up for no reason.
    pub by_chance: bool,
    /// What the question was about that another answer makes it differ from the variant before.
    pub question: ChoiceKind,
}

/// Where a variant of a step led.
#[derive(Debug)]
pub enum End {
    /// The thread has to wait.
    Blocked,
    /// The execution is none of the program's.
    Pruned,
    /// The process ended.
    Exit,
    /// To the same state.
    Same,
    /// To a state that differs in these components.
    Changed(Edit),
    /// To a state made of these parts.
    Made(Box<[Origin]>),
    /// To something that is to be reported.
    Reported,
}

impl Variant {
    /// Whether another thread may notice that the step was taken, and it was not by chance.
    #[must_use]
    pub const fn is_noticed(&self) -> bool {
        let is_noticed = match &self.end {
            End::Blocked => false,
            End::Pruned | End::Exit | End::Reported => true,
            End::Same => self.acted,
            End::Changed(_) | End::Made(_) => !self.idle,
        };
        is_noticed && !self.by_chance
    }
}

/// All variants of a step.
#[derive(Debug)]
pub struct Step {
    /// In the order of the answers to their questions.
    pub variants: Vec<Variant>,
    /// Whether the thread goes round for ever without looking at anything.
    pub endless: bool,
    /// Its number among all that were ever remembered, from 1 and below 2^31; 0 if it is not remembered, or
    /// has none.
    pub number: u32,
    /// What it looked at beyond what every step depends on; empty if it is not remembered.
    pub seen: Box<[ReadEntry]>,
}

impl Step {
    /// Whether all variants lead to other states with the same threads and objects.
    #[must_use]
    pub fn only_changes(&self) -> bool {
        self.variants.iter().all(|variant| matches!(variant.end, End::Changed(_)))
    }

    /// Whether that is so, and whoever waits for something may take any of them for progress.
    #[must_use]
    pub fn only_moves(&self) -> bool {
        self.only_changes() && self.variants.iter().all(|variant| !variant.idle && !variant.by_chance)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    thread: u32,
    live: u32,
    frames: [Id; 2],
    /// Directory and buffers.
    whole: [Id; 2],
}

/// Takes steps, and remembers them.
pub struct Steps {
    known: Option<Memo<Key, Rc<Step>>>,
    /// The steps of each thread that were found last, and where. States are explored in an order in which
    /// they are often found again.
    recent: Vec<Option<(Key, Rc<Step>)>>,
    edits: DeltaInterner,
    monitor: CacheHitMonitor,
    /// Steps that were remembered, ever.
    count: u32,
    /// Whether the state in which the process ends is of interest, which is not in the step alone.
    final_states: bool,
    after: Vec<Id>,
}

/// Whether it is worth while to remember steps: where values never come back, a counter say, it costs and
/// gives nothing.
#[derive(Default)]
struct CacheHitMonitor {
    /// Steps that were looked for in this monitor.
    asked: u32,
    /// Of these, those that were known.
    found: u32,
    /// States to be explored before the next monitor.
    pause: u32,
}

/// Steps that get a number.
const MOST: u32 = 1 << 31;
/// Steps of a monitor.
const MONITORED: u32 = 1 << 13;
/// States between trials, where the last one failed.
const PAUSE: u32 = 1 << 17;

impl CacheHitMonitor {
    /// A state is explored next. Whether steps from it are remembered no longer.
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
    /// Its vector.
    pub vector: &'v [Id],
    /// What is where in it, if steps are remembered.
    pub layout: Layout,
    /// Number of live threads.
    pub live: usize,
}

impl Steps {
    /// No steps yet, and a memory of about so many bytes at most.
    #[must_use]
    pub fn new(config: &Config, bytes: usize) -> Self {
        let remembers = !config.races && config.leaks == Leaks::Ignored;
        Self {
            known: remembers.then(|| Memo::within(bytes)),
            recent: Vec::new(),
            edits: DeltaInterner::default(),
            monitor: CacheHitMonitor::default(),
            count: 0,
            final_states: config.final_states,
            after: Vec::new(),
        }
    }

    /// Prepares for the next state. Whether its steps are remembered.
    pub fn remembers_next(&mut self) -> bool {
        if self.monitor.ends() {
            self.known.iter_mut().for_each(Memo::forget);
            self.recent.clear();
        }
        self.remembers()
    }

    /// Whether steps are remembered now.
    pub const fn remembers(&self) -> bool {
        self.known.is_some() && self.monitor.pause == 0
    }

    /// The step, if it is known.
    #[inline]
    pub fn recall(&mut self, machine: &Machine<'_>, source: Source<'_>, thread: usize) -> Option<Rc<Step>> {
        if !self.remembers() {
            return None;
        }
        let (key, look) = (key(source, thread), |item| machine.look(source.vector, source.layout, item));
        if self.recent.len() <= thread {
            self.recent.resize(thread + 1, None);
        }
        let recent = &mut self.recent[thread];
        let is_it = |step: &Step| step.seen.iter().all(|one| look(one.item) == one.value);
        let step = match recent {
            Some((other, step)) if *other == key && is_it(step) => Some(Rc::clone(step)),
            _ => {
                let step = self.known.as_ref()?.find(&key, look).cloned();
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
        if self.remembers() {
            machine.log_step();
        }
    }

    /// The variant of a step from a state that the machine has just run, with this report.
    pub fn variant(&mut self, machine: &mut Machine<'_>, source: Source<'_>, report: &StepReport) -> Variant {
        let question = machine.script.advanced();
        let end = match report.end {
            StepEnd::Blocked => End::Blocked,
            StepEnd::Pruned => End::Pruned,
            StepEnd::Exit(_) => End::Exit,
            StepEnd::Done => self.change(machine, source.vector),
            _ => End::Reported,
        };
        let moves = matches!(end, End::Changed(_) | End::Made(_));
        let idle = moves && machine.was_idle(report, source.vector, &self.after);
        let &StepReport { looked, acted, woke_by_chance: by_chance, .. } = report;
        Variant { end, idle, looked, acted, by_chance, question }
    }

    /// Keeps a step all of whose variants were run.
    pub fn keep(&mut self, machine: &mut Machine<'_>, source: Source<'_>, thread: usize, step: &mut Rc<Step>) {
        if !self.remembers() {
            return;
        }
        let seen = machine.logged();
        let is_kept = step.variants.iter().all(|variant| self.is_kept(&variant.end));
        if let (Some(known), Some(new)) = (self.known.as_mut().filter(|_| is_kept), Rc::get_mut(step)) {
            self.count += u32::from(self.count < MOST);
            new.number = if self.count < MOST { self.count } else { 0 };
            for variant in &mut new.variants {
                if let End::Changed(edit) = &mut variant.end {
                    self.edits.number(source.vector.len(), edit);
                }
            }
            new.seen = seen.into();
            known.insert(key(source, thread), &step.seen, Rc::clone(step));
        }
    }

    /// How the state that the machine is in differs from the one before.
    fn change(&mut self, machine: &mut Machine<'_>, before: &[Id]) -> End {
        machine.pack(&mut self.after);
        let after = &self.after[..];
        if before == after {
            End::Same
        } else if before[0] == after[0] {
            // The same threads and objects: every component has its place.
            End::Changed(Edit::new(before.len(), memo::changes(before, after)))
        } else if !self.remembers() {
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

    /// About how many bytes the remembered steps take.
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
