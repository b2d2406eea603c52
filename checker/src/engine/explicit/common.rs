//! What the workers of a search share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, Clock, Draft, Own};
use super::ids::Ids;
use super::worker::Letter;
use super::{Stop, Storage, bound};
use crate::engine::explicit::parallel::{Mailbox, Meeting, lock};
use crate::engine::findings::Findings;
use crate::engine::measures::Timeline;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Levels, Sample};
use crate::outcome::{Fault, Unknown, ViolationKind};
use crate::store::{Id, Interner, Space, StateStore, States};
use crate::system::Config;
use crate::system::guards::Broken;

/// What the workers of a search share.
pub(super) struct Common<'c> {
    pub program: &'c Program,
    pub config: Config,
    pub limits: &'c Limits,
    pub progress: &'c Progress,
    pub started: Instant,
    pub storage: &'c Storage,
    pub space: Space,
    pub store: StateStore,
    pub components: Interner,
    /// How long the runs before took of which this one is the continuation.
    pub earlier: f64,
    /// What each worker had then.
    pub resumed: Vec<Mutex<Option<(Own, States)>>>,
    /// The checkpoint that is being written.
    pub draft: Mutex<Option<Draft>>,
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
    /// The time for checkpoints.
    clock: Option<Clock>,
    /// What is to be done before the next level.
    pub chores: Chores,
    /// What of this was known before the level.
    pub before: Standing,

    /// Why the search ends before the states do.
    pub stopped: Option<Stop>,
    pub error: Option<EngineError>,
    pub findings: Findings,
    /// What goes wrong.
    pub violations: Vec<Noted>,
    /// What is against the guards of memory.
    pub broken: Broken,
    pub standing: Standing,
    pub timeline: Timeline,
    /// States that this level led to.
    new: u64,
    /// Bytes of the trees after they were last made anew.
    trees: usize,
}

/// How far the search is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Standing {
    pub levels: Levels,
    /// The level that is being explored.
    pub depth: u64,
    /// States of this level and those before.
    counted: u64,
}

/// What is to be done between two levels.
#[derive(Clone, Copy, Default)]
pub(super) struct Chores {
    /// The frontier moves to new trees.
    pub move_trees: bool,
    /// A checkpoint is written.
    pub save: bool,
}

/// Bytes of trees that it is worth while to make anew.
const TREES: usize = 32 << 20;

/// Something that goes wrong in a state, or by a step from there.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Noted {
    pub fault: Fault,
    pub state: Id,
    pub vector: Vec<Id>,
    /// The thread that takes the step, and the answers to its questions.
    pub last: Option<(usize, Vec<u32>)>,
    /// How many steps lead there, and the place: of all that goes wrong on a level the first is reported, so that it does not depend on the workers.
    pub rank: Rank,
}

/// Steps, file, line; kind, function and instruction.
pub(super) type Rank = (u64, String, u32, ViolationKind, FuncId, Pc);

/// What is known of states of the level from which only idle steps lead, to other states.
#[derive(Default)]
pub(super) struct Idle {
    /// Whether there are such states.
    pub is_any: bool,
    /// States of the level from which a step leads to a new state, those and others.
    pub leads_on: Ids,
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
    /// A search from the beginning, or from where another one was.
    ///
    /// # Errors
    /// The store file cannot be made, or the checkpoint is of no use.
    pub fn new(
        program: &'c Program,
        config: Config,
        limits: &'c Limits,
        progress: &'c Progress,
        storage: &'c Storage,
    ) -> Result<Self, EngineError> {
        let workers = limits.jobs.max(1);
        let space = storage.space()?;
        let mut common = Self {
            program,
            config,
            limits,
            progress,
            started: Instant::now(),
            storage,
            store: StateStore::new(workers, storage.identity, &space),
            components: Interner::new(&space),
            space,
            earlier: 0.0,
            resumed: (0..workers).map(|_| Mutex::default()).collect(),
            draft: Mutex::default(),
            mail: (0..workers).map(|_| Mailbox::default()).collect(),
            meeting: Meeting::new(workers as u32),
            counters: (0..workers).map(|_| Counters::default()).collect(),
            is_stopped: AtomicBool::new(false),
            found: Mutex::new(Found {
                clock: storage.saving.as_ref().map(|saving| Clock::new(saving.interval)),
                chores: Chores::default(),
                before: Standing::default(),
                stopped: None,
                error: None,
                findings: Findings::new(config.property, limits.keep_going),
                violations: Vec::new(),
                broken: Broken::default(),
                standing: Standing::default(),
                timeline: Timeline::default(),
                new: 0,
                trees: 0,
            }),
            idle: Mutex::default(),
        };
        if let Some(path) = &storage.resume {
            common.resume(path)?;
        }
        if let Some(saving) = &storage.saving {
            checkpoint::prepare(&saving.path)?;
        }
        Ok(common)
    }

    /// How long the search takes so far.
    pub fn seconds(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
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

    /// Bytes of memory for the steps that a worker remembers: a quarter of all, shared out.
    pub fn memory_for_steps(&self) -> usize {
        self.limits.max_memory.map_or(usize::MAX, |most| most as usize / 4 / self.workers())
    }

    /// What is against the guards of memory, if nothing else ended the search.
    pub fn broken(&self) -> Option<Broken> {
        let found = lock(&self.found);
        let broken = found.broken.clone();
        // An execution that goes wrong is one, whether others needed larger buffers or not.
        let is_settled = !broken.is_guard() && found.is_enough();
        (!broken.is_nothing() && !is_settled && !self.is_stopped()).then_some(broken)
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
    pub fn sample(&self) -> Sample {
        let seconds = self.seconds();
        let (states, expanded) = (self.states(), self.sum(|counters| &counters.expanded));
        let frontier = states.saturating_sub(expanded);
        Sample { seconds, states, frontier, bytes: self.bytes(), ..Sample::default() }
    }

    /// Bytes of memory: what is in the store file is none.
    fn memory(&self, sample: &Sample) -> u64 {
        let tables = self.space.bytes_in_file().map_or(sample.bytes, |_| self.components.heap_bytes() as u64);
        tables + self.sum(|counters| &counters.steps)
    }

    /// Ends the search when that was asked for. This is cheap; limits that nobody else watches are looked at
    /// by [`Self::check_limits`].
    #[inline]
    pub fn heed_request(&self) {
        if let Some(reason) = self.progress.halt.reason() {
            self.stop(Stop::Limit(reason));
        }
    }

    /// Ends the search when a limit is reached.
    pub fn check_limits(&self, shows: bool) {
        let sample = self.sample();
        if shows {
            self.progress.update(&sample);
            lock(&self.found).timeline.notes(sample);
        }
        if self.space.failure().is_some() {
            self.stop(Stop::Limit(Unknown::StoreFile));
        }
        if let Some(limit) = self.limits.reached(self.progress, sample.states, self.memory(&sample)) {
            self.stop(Stop::Limit(limit));
        }
    }

    /// What follows when all workers have explored the level and said how many states they have.
    pub fn after_level(&self) -> Then {
        self.heed_request();
        let states = self.states();
        let mut found = lock(&self.found);
        let Found { standing, new, .. } = &mut *found;
        *new = states - standing.counted;
        standing.counted = states;
        if *new > 0 {
            standing.levels.push(standing.depth + 1, *new);
        }
        if self.is_stopped() || !found.broken.is_nothing() {
            Then::End
        } else if lock(&self.idle).is_any {
            Then::Settle
        } else {
            self.go_on(&mut found)
        }
    }

    /// What follows when all workers have looked at the idle states of the level, too.
    pub fn after_idle(&self) -> Then {
        self.heed_request();
        *lock(&self.idle) = Idle::default();
        if self.is_stopped() { Then::End } else { self.go_on(&mut lock(&self.found)) }
    }

    fn go_on(&self, found: &mut Found) -> Then {
        if found.new == 0 || found.is_enough() {
            return Then::End;
        }
        if bound::is_too_large(&self.config, self.states()) {
            found.broken.note_full();
            return Then::End;
        }
        found.standing.depth += 1;
        let move_trees = self.store.forgets_trees() && self.store.bytes() > TREES.max(2 * found.trees);
        let save = found.clock.as_mut().is_some_and(Clock::strikes);
        found.chores = Chores { move_trees, save };
        found.before = found.standing.clone();
        if move_trees {
            self.store.renew_trees();
        }
        Then::Level
    }

    /// The trees of the frontier are all there is now.
    pub fn trees_moved(&self) {
        lock(&self.found).trees = self.store.bytes();
    }

    /// Whether the search was ended before its states and can be gone on with.
    pub fn is_unfinished(&self) -> bool {
        let found = lock(&self.found);
        matches!(found.stopped, Some(Stop::Limit(_))) && !found.is_enough()
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
}

impl Default for Standing {
    fn default() -> Self {
        Self { levels: Levels::initial(), depth: 0, counted: 1 }
    }
}

impl Then {
    pub fn from_word(word: u64) -> Self {
        [Self::End, Self::Level, Self::Settle][word as usize]
    }
}
