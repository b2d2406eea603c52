//! A worker of a search: its states, and their exploration level by level together with the other workers.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::Ordering;

use super::Stop;
use super::preemptions::OwnLayers;
use super::shared::{LevelDecision, SharedSearch};
use super::sleep::Sleep;
use super::state_set::StateSet;
use super::steps::Steps;
use super::subsumption::{self, OpenState, OpenStates};
use crate::engine::SearchOrder;
use crate::engine::explicit::parallel::{Barrier, lock};
use crate::engine::measures::{Lines, Meter};
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{FinalState, Statistics, Unknown};
use crate::store::{Id, Reached, States};
use crate::system::Machine;

/// The number of states that are looked up together, so that their look-ups wait for memory at the same time.
pub(super) const BATCH: usize = 64;

/// The number of states that are sent to another worker at once.
const SENT_AT_ONCE: usize = 512;

/// The number of states between two checks of the limits.
const CHECK_EVERY: usize = 256;

/// A batch of states that were reached. If lines are counted, it has the place where each step began.
#[derive(Default)]
pub(super) struct StateBatch {
    pub reached: Vec<Reached>,
    pub places: Vec<(FuncId, Pc)>,
    /// States that may be subsumed by others.
    pub open: Vec<OpenState>,
}

impl StateBatch {
    /// The number of states.
    pub const fn len(&self) -> usize {
        self.reached.len() + self.open.len()
    }

    fn clear(&mut self) {
        self.reached.clear();
        self.places.clear();
        self.open.clear();
    }
}

/// A worker of a search.
pub(super) struct Worker<'c, 'p> {
    pub shared: &'c SharedSearch<'p>,
    pub machine: Machine<'p>,
    pub states: States,
    pub steps: Steps,
    pub sleep: Sleep,
    /// The states with symbols, where states may be subsumed.
    pub open: Option<Box<OpenStates>>,
    /// The layers of the search, if it is in order of preemptions.
    pub layers: Option<Box<OwnLayers>>,
    pub statistics: Statistics,
    pub meter: Meter,
    pub final_states: BTreeSet<FinalState>,
    number: usize,
    /// The maximal number of states of all workers.
    most_states: usize,
    /// The range of the current level among the states of this worker.
    pub level: Range<usize>,
    /// The counts before this level, if they may be saved.
    pub before: Option<(Statistics, Meter)>,
    /// States of this worker that were reached and have not been looked up yet.
    pub batch: StateBatch,
    /// States that are to be sent to each worker.
    outgoing: Vec<StateBatch>,
    /// The place where the step under way began, if lines are counted.
    pub from: (FuncId, Pc),
    /// The states of this worker and this level from which only idle steps lead to other states.
    pub idle: StateSet,
    /// The states of this worker and this level in which every thread may wait if stores reach memory in the
    /// right order.
    pub disputed: StateSet,
    /// True if some state has more than one successor.
    pub branched: bool,
    pub vector: Vec<Id>,
    pub after: Vec<Id>,
    pub threads: Vec<usize>,
}

/// Results of a worker.
pub(super) struct WorkerResult<'p> {
    pub machine: Machine<'p>,
    pub states: States,
    pub statistics: Statistics,
    pub meter: Meter,
    pub final_states: BTreeSet<FinalState>,
    pub branched: bool,
    pub seconds: f64,
}

/// Informs the other workers if this one panics, so that they do not wait for it.
struct PanicGuard<'c>(&'c Barrier);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

impl<'c, 'p> Worker<'c, 'p> {
    /// The worker with this number. The worker to which the initial state belongs begins with it.
    pub fn new(shared: &'c SharedSearch<'p>, number: usize) -> Self {
        let _guard = PanicGuard(&shared.barrier);
        let mut machine = Machine::with_components(shared.program, shared.config, shared.components.clone());
        machine.halt = shared.progress.halt.clone();
        let sleep = Sleep::new(&machine);
        let mut worker = Self {
            shared,
            states: States::new(&shared.store, number),
            steps: Steps::new(&machine, shared.memory_for_steps()),
            open: subsumption::is_possible(&machine).then(Box::default),
            layers: (shared.limits.order == SearchOrder::Preemptions).then(Box::default),
            machine,
            sleep,
            statistics: Statistics::default(),
            meter: Meter { lines: shared.limits.count_lines.then(Lines::default), ..Meter::default() },
            final_states: BTreeSet::new(),
            number,
            most_states: shared
                .limits
                .max_states
                .map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)),
            level: 0..0,
            before: None,
            batch: StateBatch::default(),
            outgoing: (0..shared.workers()).map(|_| StateBatch::default()).collect(),
            from: (FuncId::new(0), Pc::new(0)),
            idle: StateSet::default(),
            disputed: StateSet::default(),
            branched: false,
            vector: Vec::new(),
            after: Vec::new(),
            threads: Vec::new(),
        };
        match lock(&shared.resumed[number]).take() {
            Some((own, states, open)) => worker.resume(own, states, open),
            None => worker.begin(),
        }
        if worker.sleep.is_on {
            worker.states.keep_notes();
        }
        worker.enter_level(worker.level.start);
        worker.publish();
        worker
    }

    fn begin(&mut self) {
        self.machine.pack(&mut self.after);
        if self.layers.is_some() {
            // The first thread is the running one.
            self.after.push(0);
        }
        let name = self.states.fold(&self.after);
        if self.shared.store.owner_of(name.key) == self.number {
            // The initial state is its own parent.
            let itself = self.states.number(0);
            self.states.insert(&[Reached { name, parent: itself, sleep_mark: 0 }], |_| ());
        }
    }

    /// Begins a level. It has this worker's states from `begin` on.
    fn enter_level(&mut self, begin: usize) {
        self.level = begin..self.states.len();
        self.open.iter_mut().for_each(|open| open.begin_level());
        self.enter_layer();
        if self.shared.storage.saving.is_some() {
            self.before = Some((self.statistics.clone(), self.meter.clone()));
        }
    }

    /// Explores all states of this worker.
    pub fn explore(mut self) -> WorkerResult<'p> {
        let shared = self.shared;
        let _guard = PanicGuard(&shared.barrier);
        loop {
            if self.explore_level() == LevelDecision::End {
                break;
            }
            self.enter_level(self.level.end);
            self.work_between_levels();
        }
        shared.progress.has_stopped.store(true, Ordering::Relaxed);
        if shared.storage.saving.is_some() && shared.is_unfinished() {
            self.save();
        }
        WorkerResult {
            seconds: shared.started.elapsed().as_secs_f64(),
            machine: self.machine,
            states: self.states,
            statistics: self.statistics,
            meter: self.meter,
            final_states: self.final_states,
            branched: self.branched,
        }
    }

    /// Explores the states of this level.
    fn explore_level(&mut self) -> LevelDecision {
        let shared = self.shared;
        self.states.retire(self.first_needed());
        self.states.sort(self.level.start);
        let preempted = self.layers.as_ref().map_or(0..0, |own| own.preempted());
        let is_preempted = |at: usize| preempted.contains(&at);
        for at in self.level.clone().chain(preempted.clone()) {
            let state = self.states.number(at);
            if is_preempted(at) {
                self.preempt_from(state);
            } else {
                self.expand(state);
            }
            shared.check_request();
            if shared.is_stopped() {
                break;
            }
            if (at + 1).is_multiple_of(CHECK_EVERY) {
                self.publish();
                shared.check_limits(self.number == 0);
                self.receive();
            }
        }
        self.look_up();
        (0..self.outgoing.len()).for_each(|to| self.send(to));
        lock(&shared.idle).is_any |= !self.idle.is_empty() || !self.disputed.is_empty();
        // All batches are in mailboxes now, and nothing arrives after the barrier.
        shared.barrier.wait(|| 0, || self.receive());
        self.receive();
        if !shared.is_stopped() {
            self.add_open();
        }
        self.publish();
        let decision = LevelDecision::from_word(shared.barrier.wait(|| shared.after_level() as u64, || ()));
        if decision == LevelDecision::SettleIdle { self.settle_idle(self.level.end) } else { decision }
    }

    /// The first state of this worker whose content is still needed.
    pub fn first_needed(&self) -> usize {
        self.layers.as_ref().map_or(self.level.start, |own| own.first_needed())
    }

    /// Publishes the counters of this worker.
    fn publish(&self) {
        let counters = &self.shared.counters[self.number];
        counters.states.store(self.states.len() as u64, Ordering::Relaxed);
        counters.expanded.store(self.meter.expanded(), Ordering::Relaxed);
        let open = self.open.as_ref().map_or(0, |open| open.bytes());
        counters.bytes.store((self.states.bytes() + open) as u64, Ordering::Relaxed);
        counters.steps.store(self.steps.bytes() as u64, Ordering::Relaxed);
    }

    /// Checks the limits while a state with very many successors is explored.
    pub fn check_limits(&self) {
        self.publish();
        self.shared.check_limits(self.number == 0);
    }

    /// Adds a state that was reached to the batch of its worker.
    #[inline]
    pub fn reach(&mut self, reached: Reached) {
        let owner = self.shared.store.owner_of(reached.name.key);
        let batch = if owner == self.number { &mut self.batch } else { &mut self.outgoing[owner] };
        batch.reached.push(reached);
        if self.meter.lines.is_some() {
            batch.places.push(self.from);
        }
        if batch.reached.len() >= SENT_AT_ONCE && owner != self.number {
            self.send(owner);
        }
    }

    /// Adds a state that was reached, and that may be subsumed by others of the same outline, to the batch of
    /// the worker that owns the outline.
    pub fn reach_open(&mut self, state: OpenState) {
        let owner = self.shared.store.owner_of(state.outline.key);
        let batch = if owner == self.number { &mut self.batch } else { &mut self.outgoing[owner] };
        batch.open.push(state);
        if batch.open.len() >= SENT_AT_ONCE && owner != self.number {
            self.send(owner);
        }
    }

    fn send(&mut self, to: usize) {
        if self.outgoing[to].len() > 0 {
            let next = StateBatch { reached: Vec::with_capacity(SENT_AT_ONCE), ..StateBatch::default() };
            self.shared.mail[to].put(std::mem::replace(&mut self.outgoing[to], next));
        }
    }

    /// Looks up the states of this worker that others reached.
    fn receive(&mut self) {
        for batch in self.shared.mail[self.number].take() {
            self.insert(&batch.reached, &batch.places);
            batch.open.into_iter().for_each(|state| self.hold(state));
        }
    }

    /// Looks up the states that this worker reached since the last time.
    pub fn look_up(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        self.insert(&batch.reached, &batch.places);
        batch.open.iter().for_each(|&state| self.hold(state));
        batch.clear();
        self.batch = batch;
    }

    /// Looks up states that were reached, unless the search ends before. It ends with the first state beyond
    /// the limit.
    pub fn insert(&mut self, mut reached: &[Reached], mut places: &[(FuncId, Pc)]) {
        while !reached.is_empty() && self.states.len() <= self.most_states {
            let room = (self.most_states - self.states.len()).saturating_add(1);
            let (batch, rest) = reached.split_at(reached.len().min(BATCH).min(room));
            self.insert_batch(batch, places);
            reached = rest;
            places = places.get(batch.len()..).unwrap_or_default();
        }
        if self.states.len() > self.most_states {
            self.shared.stop(Stop::Limit(Unknown::StateLimit));
        }
    }

    fn insert_batch(&mut self, reached: &[Reached], places: &[(FuncId, Pc)]) {
        match &mut self.meter.lines {
            Some(lines) => self.states.insert(reached, |at| lines.count(places[at])),
            None => self.states.insert(reached, |_| ()),
        }
    }

    /// The number of this worker.
    pub const fn number(&self) -> usize {
        self.number
    }
}
