//! The parts of a search that its workers share: tables, mailboxes, the barrier, findings.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointWriter, Clock, WorkerSnapshot};
use super::ids::Ids;
use super::worker::StateBatch;
use super::{Stop, Storage, bound};
use crate::engine::explicit::parallel::{Barrier, Mailbox, lock};
use crate::engine::findings::Findings;
use crate::engine::measures::Timeline;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Levels, Sample};
use crate::outcome::{Fault, Unknown, ViolationKind};
use crate::store::{Id, Interner, Space, StateStore, States};
use crate::system::Config;
use crate::system::observe::guards::Broken;

/// The parts of a search that its workers share.
pub(super) struct SharedSearch<'c> {
    pub program: &'c Program,
    pub config: Config,
    pub limits: &'c Limits,
    pub progress: &'c Progress,
    pub started: Instant,
    pub storage: &'c Storage,
    pub space: Space,
    pub store: StateStore,
    pub components: Interner,
    /// Seconds spent before the checkpoint that this run goes on with.
    pub earlier: f64,
    /// The snapshot of each worker in that checkpoint.
    pub resumed: Vec<Mutex<Option<(WorkerSnapshot, States)>>>,
    /// The checkpoint that is being written.
    pub writer: Mutex<Option<CheckpointWriter>>,
    /// One for each worker.
    pub mail: Vec<Mailbox<StateBatch>>,
    pub barrier: Barrier,
    /// One for each worker.
    pub counters: Vec<Counters>,
    /// Whether [`SharedFindings::stopped`] is set.
    is_stopped: AtomicBool,
    pub found: Mutex<SharedFindings>,
    pub idle: Mutex<Idle>,
}

/// Counters that a worker publishes from time to time.
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

/// Findings of all workers so far.
pub(super) struct SharedFindings {
    /// The time for checkpoints.
    clock: Option<Clock>,
    /// Work to be done before the next level.
    pub between_levels: BetweenLevels,
    /// Progress before this level, for a checkpoint.
    pub before: SearchProgress,

    /// Why the search ends before the states do.
    pub stopped: Option<Stop>,
    pub error: Option<EngineError>,
    pub findings: Findings,
    /// Violations found so far.
    pub violations: Vec<PendingViolation>,
    /// Guards of memory that an access broke.
    pub broken: Broken,
    pub search_progress: SearchProgress,
    pub timeline: Timeline,
    /// States that this level led to.
    new: u64,
    /// Bytes of the trees after they were last made anew.
    trees: usize,
}

/// How far the search is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchProgress {
    pub levels: Levels,
    /// The level that is being explored.
    pub depth: u64,
    /// States of this level and those before.
    counted: u64,
}

/// Work between two levels.
#[derive(Clone, Copy, Default)]
pub(super) struct BetweenLevels {
    /// The frontier moves to new trees.
    pub move_trees: bool,
    /// A checkpoint is written.
    pub save: bool,
}

/// Bytes of trees that it is worth while to make anew.
const TREES: usize = 32 << 20;

/// Something that goes wrong in a state, or by a step from there.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PendingViolation {
    pub fault: Fault,
    pub state: Id,
    pub vector: Vec<Id>,
    /// The thread that takes the step, and the answers to its questions.
    pub last: Option<(usize, Vec<u32>)>,
    /// How many steps lead there, and the place: of all that goes wrong on a level the first is reported, so
    /// that it does not depend on the workers.
    pub rank: Rank,
}

/// Steps, file, line; kind, function and instruction.
pub(super) type Rank = (u64, String, u32, ViolationKind, FuncId, Pc);

/// States of the level from which only idle steps lead to other states.
#[derive(Default)]
pub(super) struct Idle {
    /// Whether there are such states.
    pub is_any: bool,
    /// States of the level from which a step leads to a new state, those and others.
    pub leads_on: Ids,
}

/// How a search continues after a level. The workers agree on it at the barrier.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelDecision {
    /// The search is over.
    End,
    /// The next level.
    NextLevel,
    /// Idle states of the level are checked for deadlocks first.
    SettleIdle,
}

impl<'c> SharedSearch<'c> {
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
        let mut shared = Self {
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
            writer: Mutex::default(),
            mail: (0..workers).map(|_| Mailbox::default()).collect(),
            barrier: Barrier::new(workers as u32),
            counters: (0..workers).map(|_| Counters::default()).collect(),
            is_stopped: AtomicBool::new(false),
            found: Mutex::new(SharedFindings {
                clock: storage.saving.as_ref().map(|saving| Clock::new(saving.interval)),
                between_levels: BetweenLevels::default(),
                before: SearchProgress::default(),
                stopped: None,
                error: None,
                findings: Findings::new(config.property, limits.keep_going),
                violations: Vec::new(),
                broken: Broken::default(),
                search_progress: SearchProgress::default(),
                timeline: Timeline::default(),
                new: 0,
                trees: 0,
            }),
            idle: Mutex::default(),
        };
        if let Some(path) = &storage.resume {
            shared.resume(path)?;
        }
        if let Some(saving) = &storage.saving {
            checkpoint::prepare(&saving.path)?;
        }
        Ok(shared)
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

    /// The guards of memory that were broken, unless something else ended the search.
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

    /// Ends the search if a request to stop was made. This is cheap; other limits are checked by
    /// [`Self::check_limits`].
    #[inline]
    pub fn check_request(&self) {
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

    /// Decides how the search continues, after all workers explored the level and published their counters.
    pub fn after_level(&self) -> LevelDecision {
        self.check_request();
        let states = self.states();
        let mut found = lock(&self.found);
        let SharedFindings { search_progress, new, .. } = &mut *found;
        *new = states - search_progress.counted;
        search_progress.counted = states;
        if *new > 0 {
            search_progress.levels.push(search_progress.depth + 1, *new);
        }
        if self.is_stopped() || !found.broken.is_nothing() {
            LevelDecision::End
        } else if lock(&self.idle).is_any {
            LevelDecision::SettleIdle
        } else {
            self.go_on(&mut found)
        }
    }

    /// Decides how the search continues, after all workers checked the idle states of the level.
    pub fn after_idle(&self) -> LevelDecision {
        self.check_request();
        *lock(&self.idle) = Idle::default();
        if self.is_stopped() { LevelDecision::End } else { self.go_on(&mut lock(&self.found)) }
    }

    fn go_on(&self, found: &mut SharedFindings) -> LevelDecision {
        if found.new == 0 || found.is_enough() {
            return LevelDecision::End;
        }
        if bound::is_too_large(&self.config, self.states()) {
            found.broken.note_full();
            return LevelDecision::End;
        }
        found.search_progress.depth += 1;
        let move_trees = self.store.forgets_trees() && self.store.bytes() > TREES.max(2 * found.trees);
        let save = found.clock.as_mut().is_some_and(Clock::strikes);
        found.between_levels = BetweenLevels { move_trees, save };
        found.before = found.search_progress.clone();
        if move_trees {
            self.store.renew_trees();
        }
        LevelDecision::NextLevel
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

impl SharedFindings {
    /// Whether what is asked for is found.
    pub fn is_enough(&self) -> bool {
        self.violations.iter().any(|pending| self.findings.would_be_enough(pending.fault.kind))
    }

    /// All that goes wrong and is to be reported, nearest first.
    pub fn reported(&mut self) -> Vec<PendingViolation> {
        let mut all = std::mem::take(&mut self.violations);
        all.sort_by(|one, other| one.rank.cmp(&other.rank));
        match all.iter().position(|pending| self.findings.would_be_enough(pending.fault.kind)) {
            Some(first) => vec![all.swap_remove(first)],
            None => all,
        }
    }
}

impl Default for SearchProgress {
    fn default() -> Self {
        Self { levels: Levels::initial(), depth: 0, counted: 1 }
    }
}

impl LevelDecision {
    pub fn from_word(word: u64) -> Self {
        [Self::End, Self::NextLevel, Self::SettleIdle][word as usize]
    }
}
