//! What the workers of a search share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::Stop;
use super::worker::Letter;
use crate::explore::findings::Findings;
use crate::explore::measures::Timeline;
use crate::explore::parallel::{Mailbox, Meeting, lock};
use crate::explore::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Levels, Sample};
use crate::outcome::{Fault, ViolationKind};
use crate::store::{Id, Interner, StateStore};
use crate::system::Config;

/// What the workers of a search share.
pub(super) struct Common<'c> {
    pub program: &'c Program,
    pub config: Config,
    pub limits: &'c Limits,
    progress: &'c Progress,
    pub started: Instant,
    pub store: StateStore,
    pub components: Interner,
    /// One for each worker.
    pub mail: Vec<Mailbox<Letter>>,
    pub meeting: Meeting,
    /// One for each worker.
    pub counters: Vec<Counters>,
    /// Whether [`Found::stopped`] is something.
    is_stopped: AtomicBool,
    pub found: Mutex<Found>,
    pub idle: Mutex<Idle>,
}

/// What a worker says of itself from time to time.
#[derive(Default)]
pub(super) struct Counters {
    /// States of its own.
    pub states: AtomicU64,
    /// Of these, those that were explored.
    pub expanded: AtomicU64,
    /// Bytes of its states.
    pub bytes: AtomicU64,
    /// Bytes of the steps it remembers.
    pub steps: AtomicU64,
}

/// What is known so far.
pub(super) struct Found {
    /// Why the search ends before the states do.
    pub stopped: Option<Stop>,
    pub error: Option<EngineError>,
    pub findings: Findings,
    /// What goes wrong.
    pub violations: Vec<Noted>,
    pub levels: Levels,
    pub timeline: Timeline,
    /// The level that is being explored.
    pub depth: u64,
    /// States of this level and those before.
    counted: u64,
    /// States that this level led to.
    new: u64,
}

/// Something that goes wrong in a state, or by a step from there.
pub(super) struct Noted {
    pub fault: Fault,
    pub state: Id,
    /// The thread that takes the step, and the answers to its questions.
    pub last: Option<(usize, Vec<u32>)>,
    /// How many steps lead there, and the place: of all that goes wrong on a level the first is reported, so that it does not depend on the workers.
    pub rank: Rank,
}

/// Steps, file, line; kind, function and instruction.
pub(super) type Rank = (u64, String, u32, ViolationKind, FuncId, Pc);

/// States of the level from which only idle steps lead, to other states.
#[derive(Default)]
pub(super) struct Idle {
    pub states: Vec<Id>,
    /// Those of them from which a step leads to a new state.
    pub leads_on: Vec<Id>,
}

/// What follows on a level: what the workers agree on when they have explored it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The search is over.
    End,
    /// The next level.
    Level,
    /// A closer look at idle states.
    Settle,
}

impl<'c> Common<'c> {
    pub fn new(program: &'c Program, config: Config, limits: &'c Limits, progress: &'c Progress) -> Self {
        let workers = limits.jobs.max(1);
        Self {
            program,
            config,
            limits,
            progress,
            started: Instant::now(),
            store: StateStore::new(workers),
            components: Interner::default(),
            mail: (0..workers).map(|_| Mailbox::default()).collect(),
            meeting: Meeting::new(workers as u32),
            counters: (0..workers).map(|_| Counters::default()).collect(),
            is_stopped: AtomicBool::new(false),
            found: Mutex::new(Found {
                stopped: None,
                error: None,
                findings: Findings::new(config.property, limits.keep_going),
                violations: Vec::new(),
                levels: Levels::initial(),
                timeline: Timeline::default(),
                depth: 0,
                counted: 1,
                new: 0,
            }),
            idle: Mutex::default(),
        }
    }

    pub fn workers(&self) -> usize {
        self.mail.len()
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Ends the search. The first reason is the one that counts.
    pub fn stop(&self, why: Stop) {
        let mut found = lock(&self.found);
        found.stopped = found.stopped.or(Some(why));
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Ends the search, as nothing can be said.
    pub fn fail(&self, error: EngineError) {
        lock(&self.found).error.get_or_insert(error);
        self.stop(Stop::Error);
    }

    /// All states so far.
    pub fn states(&self) -> u64 {
        self.sum(|counters| &counters.states)
    }

    fn sum(&self, of: impl Fn(&Counters) -> &AtomicU64) -> u64 {
        self.counters.iter().map(|counters| of(counters).load(Ordering::Relaxed)).sum()
    }

    /// Bytes of the states and their components.
    pub fn bytes(&self) -> u64 {
        (self.store.bytes() + self.components.bytes()) as u64 + self.sum(|counters| &counters.bytes)
    }

    /// How far the search is.
    pub fn sample(&self, seconds: f64) -> Sample {
        let (states, expanded) = (self.states(), self.sum(|counters| &counters.expanded));
        let frontier = states.saturating_sub(expanded);
        Sample { seconds, states, frontier, bytes: self.bytes(), ..Sample::default() }
    }

    /// Ends the search when a limit is reached.
    pub fn check_limits(&self, shows: bool) {
        let sample = self.sample(self.started.elapsed().as_secs_f64());
        if shows {
            self.progress.update(&sample);
            lock(&self.found).timeline.notes(sample);
        }
        let bytes = sample.bytes + self.sum(|counters| &counters.steps);
        if let Some(limit) = self.limits.reached(self.progress, self.started, sample.states, bytes) {
            self.stop(Stop::Limit(limit));
        }
    }

    /// What follows when all workers have explored the level and said how many states they have.
    pub fn after_level(&self) -> Then {
        let states = self.states();
        let mut found = lock(&self.found);
        found.new = states - found.counted;
        found.counted = states;
        if found.new > 0 {
            let Found { levels, depth, new, .. } = &mut *found;
            levels.push(*depth + 1, *new);
        }
        if self.is_stopped() {
            Then::End
        } else if !lock(&self.idle).states.is_empty() {
            Then::Settle
        } else {
            found.go_on()
        }
    }

    /// What follows when all workers have looked at the idle states of the level, too.
    pub fn after_idle(&self) -> Then {
        *lock(&self.idle) = Idle::default();
        if self.is_stopped() { Then::End } else { lock(&self.found).go_on() }
    }
}

impl Found {
    /// Whether what is asked for is found.
    pub fn is_enough(&self) -> bool {
        self.violations.iter().any(|noted| self.findings.would_be_enough(noted.fault.kind))
    }

    /// All that goes wrong and is to be reported, nearest first.
    pub fn reported(&mut self) -> Vec<Noted> {
        let mut all = std::mem::take(&mut self.violations);
        all.sort_by(|one, other| one.rank.cmp(&other.rank));
        match all.iter().position(|noted| self.findings.would_be_enough(noted.fault.kind)) {
            Some(first) => vec![all.swap_remove(first)],
            None => all,
        }
    }

    fn go_on(&mut self) -> Then {
        if self.new == 0 || self.is_enough() {
            return Then::End;
        }
        self.depth += 1;
        Then::Level
    }
}

impl Then {
    pub fn from_word(word: u64) -> Self {
        [Self::End, Self::Level, Self::Settle][word as usize]
    }
}
