//! The parts of a search that its workers share: tables, mailboxes, the barrier, findings.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointWriter, Clock, WorkerSnapshot};
use super::preemptions::Layers;
use super::state_set::StateSet;
use super::subsumption::OpenStates;
use super::worker::StateBatch;
use super::{Stop, Storage, bound};
use crate::engine::explicit::parallel::{Barrier, Mailbox, lock};
use crate::engine::findings::{Findings, Position};
use crate::engine::measures::Timeline;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::measures::{Levels, ProgressSample};
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
    /// Seconds spent before the checkpoint that this run continues.
    pub earlier: f64,
    /// The snapshot of each worker in that checkpoint.
    pub resumed: Vec<Mutex<Option<(WorkerSnapshot, States, OpenStates)>>>,
    /// The checkpoint that is being written.
    pub writer: Mutex<Option<CheckpointWriter>>,
    /// The mailbox of each worker.
    pub mail: Vec<Mailbox<StateBatch>>,
    pub barrier: Barrier,
    /// The counters of each worker.
    pub counters: Vec<Counters>,
    /// True if [`SharedFindings::stopped`] is set.
    is_stopped: AtomicBool,
    pub found: Mutex<SharedFindings>,
    pub idle: Mutex<Idle>,
}

/// Counters that a worker publishes from time to time.
#[derive(Default)]
pub(super) struct Counters {
    /// The number of states that belong to the worker.
    pub states: AtomicU64,
    /// The number of these states that were explored.
    pub expanded: AtomicU64,
    /// The bytes of the worker's states.
    pub bytes: AtomicU64,
    /// The bytes of the worker's step cache.
    pub steps: AtomicU64,
}

/// Findings of all workers so far.
pub(super) struct SharedFindings {
    /// The clock for checkpoints.
    clock: Option<Clock>,
    /// Work to be done before the next level.
    pub between_levels: BetweenLevels,
    /// Progress before this level, for a checkpoint.
    pub before: SearchProgress,

    /// The reason why the search ends before all states are explored.
    pub stopped: Option<Stop>,
    pub error: Option<EngineError>,
    pub findings: Findings,
    /// Violations found so far.
    pub violations: Vec<PendingViolation>,
    /// The guards of memory that an access broke.
    pub broken: Broken,
    pub search_progress: SearchProgress,
    pub timeline: Timeline,
    /// The layers of the search, if it is in order of preemptions.
    pub layers: Option<Layers>,
    /// The number of states that this level led to.
    new: u64,
    /// The bytes of the trees after they were last rebuilt.
    trees: usize,
}

/// The progress of the search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchProgress {
    pub levels: Levels,
    /// The level that is being explored.
    pub depth: u64,
    /// The number of states of this level and those before.
    counted: u64,
}

/// Work between two levels.
#[derive(Clone, Copy, Default)]
pub(super) struct BetweenLevels {
    /// True if the frontier moves to new trees.
    pub move_trees: bool,
    /// True if a checkpoint is written.
    pub save: bool,
}

/// The size of trees, in bytes, from which rebuilding them is worth while.
const TREES: usize = 32 << 20;

/// A violation in a state, or by a step from it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PendingViolation {
    pub fault: Fault,
    pub state: Id,
    pub vector: Vec<Id>,
    /// The thread that takes the step, and the answers to its questions.
    pub last: Option<(usize, Vec<u32>)>,
    /// The number of steps to the violation, and its place. Of all violations of a level the first in this
    /// order is reported, so that the report does not depend on the workers.
    pub rank: Rank,
    /// The number of preemptions before it, if the search is in their order; then no checkpoints are saved.
    #[serde(skip)]
    pub preemptions: Option<u32>,
}

/// The rank of a violation: see [`PendingViolation::rank`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Rank {
    pub steps: u64,
    pub file: String,
    pub line: u32,
    pub kind: ViolationKind,
    pub position: Position,
    pub message: String,
}

/// The states of the level from which only idle steps lead to other states.
#[derive(Default)]
pub(super) struct Idle {
    /// True if there are such states.
    pub is_any: bool,
    /// All states of the level from which a step leads to a new state, whether idle or not.
    pub leads_on: StateSet,
}

/// The kinds of continuations of a search after a level. The workers agree on one at the barrier.
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
    /// A search from the beginning, or one that continues a checkpoint.
    ///
    /// # Errors
    /// The store file cannot be made, or the checkpoint cannot be used.
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
                layers: Layers::new(limits),
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

    /// The duration of the search so far.
    pub fn seconds(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
    }

    pub fn workers(&self) -> usize {
        self.mail.len()
    }

    /// True if the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Ends the search. The first reason given is kept.
    pub fn stop(&self, why: Stop) {
        let mut found = lock(&self.found);
        found.stopped = found.stopped.or(Some(why));
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Ends the search with an error.
    pub fn fail(&self, error: EngineError) {
        lock(&self.found).error.get_or_insert(error);
        self.stop(Stop::Error);
    }

    /// The bytes of memory for a worker's step cache: a quarter of the whole, divided among the workers.
    pub fn memory_for_steps(&self) -> usize {
        self.limits.max_memory.map_or(usize::MAX, |most| most as usize / 4 / self.workers())
    }

    /// The guards of memory that were broken, unless something else ended the search.
    pub fn broken(&self) -> Option<Broken> {
        let found = lock(&self.found);
        let broken = found.broken.clone();
        // A violation within the bound is one, even if other executions needed larger buffers.
        let is_settled = !broken.is_guard() && found.is_enough();
        (!broken.is_nothing() && !is_settled && !self.is_stopped()).then_some(broken)
    }

    /// The number of states so far.
    pub fn states(&self) -> u64 {
        self.sum(|counters| &counters.states)
    }

    fn sum(&self, of: impl Fn(&Counters) -> &AtomicU64) -> u64 {
        self.counters.iter().map(|counters| of(counters).load(Ordering::Relaxed)).sum()
    }

    /// The bytes of the states and their components.
    pub fn bytes(&self) -> u64 {
        (self.store.bytes() + self.components.bytes()) as u64 + self.sum(|counters| &counters.bytes)
    }

    /// A sample of the progress of the search.
    pub fn sample(&self) -> ProgressSample {
        let seconds = self.seconds();
        let (states, expanded) = (self.states(), self.sum(|counters| &counters.expanded));
        let frontier = states.saturating_sub(expanded);
        ProgressSample { seconds, states, frontier, bytes: self.bytes(), ..ProgressSample::default() }
    }

    /// The bytes of memory. The store file does not count.
    fn memory(&self, sample: &ProgressSample) -> u64 {
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
    /// The counters are exact here, so no search ends without this check of the limit of states.
    pub fn after_level(&self) -> LevelDecision {
        self.check_request();
        let states = self.states();
        if self.limits.is_exceeded_by(states) {
            self.stop(Stop::Limit(Unknown::StateLimit));
        }
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
        if found.is_enough() {
            return LevelDecision::End;
        }
        let Some(depth) = found.next_level() else { return LevelDecision::End };
        if bound::is_too_large(&self.config, self.states()) {
            found.broken.note_full();
            return LevelDecision::End;
        }
        found.search_progress.depth = depth;
        let move_trees = self.store.forgets_trees() && self.store.bytes() > TREES.max(2 * found.trees);
        let save = found.clock.as_mut().is_some_and(Clock::strikes);
        found.between_levels = BetweenLevels { move_trees, save };
        found.before = found.search_progress.clone();
        if move_trees {
            self.store.renew_trees();
        }
        LevelDecision::NextLevel
    }

    /// Records the size of the trees after only those of the frontier are left.
    pub fn trees_moved(&self) {
        lock(&self.found).trees = self.store.bytes();
    }

    /// True if the search was ended before all states were explored, and can be continued.
    pub fn is_unfinished(&self) -> bool {
        let found = lock(&self.found);
        matches!(found.stopped, Some(Stop::Limit(_))) && !found.is_enough()
    }
}

impl SharedFindings {
    /// The number of the level that is explored next. `None` if the search is over.
    fn next_level(&mut self) -> Option<u64> {
        let (depth, new) = (self.search_progress.depth, self.new);
        match &mut self.layers {
            None => (new > 0).then_some(depth + 1),
            Some(layers) => layers.next(depth, new),
        }
    }

    /// The number of preemptions of what is found now, if the search is in their order.
    pub fn preemptions(&self) -> Option<u32> {
        self.layers.as_ref().map(Layers::number)
    }

    /// True if a violation was found that answers everything that is asked for.
    pub fn is_enough(&self) -> bool {
        self.violations.iter().any(|pending| self.findings.would_be_enough(pending.fault.kind))
    }

    /// The violation of the level that is the same as one after this many steps: of its kind at its position.
    pub fn same(&self, kind: ViolationKind, position: Position, steps: u64) -> Option<usize> {
        let is_of_level = |one: &PendingViolation| (one.preemptions, one.rank.steps) == (self.preemptions(), steps);
        let is_same = |one: &PendingViolation| (one.rank.kind, one.rank.position) == (kind, position);
        self.violations.iter().position(|one| is_of_level(one) && is_same(one))
    }

    /// Adds a violation. Of it and the `same` one of its level the first in rank is kept: workers meet them
    /// in any order.
    pub fn add(&mut self, violation: PendingViolation, same: Option<usize>) {
        match same.map(|at| &mut self.violations[at]) {
            None => self.violations.push(violation),
            Some(known) if violation.rank < known.rank => *known = violation,
            Some(_) => {}
        }
    }

    /// The violations that are to be reported, nearest first.
    pub fn reported(&mut self) -> Vec<PendingViolation> {
        let mut all = std::mem::take(&mut self.violations);
        all.sort_by(|one, other| (one.preemptions, &one.rank).cmp(&(other.preemptions, &other.rank)));
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
