//! A worker: its states, and how it goes through them with the others.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::Ordering;

use super::ids::Ids;
use super::shared::{LevelDecision, SharedSearch};
use super::sleep::Sleep;
use super::steps::Steps;
use crate::engine::explicit::parallel::{Barrier, lock};
use crate::engine::measures::{Lines, Meter};
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{FinalState, Statistics};
use crate::store::{Id, Reached, States};
use crate::system::Machine;

/// States that were reached and are looked up together, so that the look-ups wait for memory together.
pub(super) const BATCH: usize = 64;

/// States that are sent to another worker at once.
const SENT_AT_ONCE: usize = 512;

/// States between two looks at the limits.
const CHECK_EVERY: usize = 256;

/// A batch of states that were reached; with the place where each step began if lines are counted.
#[derive(Default)]
pub(super) struct StateBatch {
    pub reached: Vec<Reached>,
    pub places: Vec<(FuncId, Pc)>,
}

impl StateBatch {
    fn clear(&mut self) {
        self.reached.clear();
        self.places.clear();
    }
}

/// A worker of a search.
pub(super) struct Worker<'c, 'p> {
    pub shared: &'c SharedSearch<'p>,
    pub machine: Machine<'p>,
    pub states: States,
    pub steps: Steps,
    pub sleep: Sleep,
    pub statistics: Statistics,
    pub meter: Meter,
    pub final_states: BTreeSet<FinalState>,
    number: usize,
    /// Where the level that is explored next begins among the states of this worker, and where it ends.
    pub level: Range<usize>,
    /// The counts before this level, if they may be saved.
    pub before: Option<(Statistics, Meter)>,
    /// States of this worker that were reached and not looked up yet.
    pub batch: StateBatch,
    /// States that are to be sent to each worker.
    outgoing: Vec<StateBatch>,
    /// Where the step under way began, if lines are counted.
    pub from: (FuncId, Pc),
    /// States of this worker and this level from which only idle steps lead, to other states.
    pub idle: Ids,
    /// Whether some state can be left in more than one way.
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

/// Tells the other workers if this one panics, so that they do not wait for it.
struct PanicGuard<'c>(&'c Barrier);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

impl<'c, 'p> Worker<'c, 'p> {
    /// The worker with this number. The one that has the initial state begins with it.
    pub fn new(shared: &'c SharedSearch<'p>, number: usize) -> Self {
        let _guard = PanicGuard(&shared.barrier);
        let mut machine = Machine::with_components(shared.program, shared.config, shared.components.clone());
        machine.halt = shared.progress.halt.clone();
        let sleep = Sleep::new(&shared.config, machine.exchanges());
        let mut worker = Self {
            shared,
            machine,
            states: States::new(&shared.store, number),
            steps: Steps::new(&shared.config, shared.memory_for_steps()),
            sleep,
            statistics: Statistics::default(),
            meter: Meter { lines: shared.limits.count_lines.then(Lines::default), ..Meter::default() },
            final_states: BTreeSet::new(),
            number,
            level: 0..0,
            before: None,
            batch: StateBatch::default(),
            outgoing: (0..shared.workers()).map(|_| StateBatch::default()).collect(),
            from: (FuncId::new(0), Pc::new(0)),
            idle: Ids::default(),
            branched: false,
            vector: Vec::new(),
            after: Vec::new(),
            threads: Vec::new(),
        };
        match lock(&shared.resumed[number]).take() {
            Some((own, states)) => worker.resume(own, states),
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
        let name = self.states.fold(&self.after);
        if self.shared.store.owner_of(name.key) == self.number {
            // The state before the initial one is itself.
            let itself = self.states.number(0);
            self.states.insert(&[Reached { name, parent: itself, note: 0 }], |_| ());
        }
    }

    /// The level that is explored next begins here.
    fn enter_level(&mut self, begin: usize) {
        self.level = begin..self.states.len();
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
        self.states.retire(self.level.start);
        self.states.sort(self.level.start);
        for at in self.level.clone() {
            self.expand(self.states.number(at));
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
        lock(&shared.idle).is_any |= !self.idle.is_empty();
        // All batches are in mailboxes now. Nothing arrives after the barrier.
        shared.barrier.wait(|| 0, || self.receive());
        self.receive();
        self.publish();
        let decision = LevelDecision::from_word(shared.barrier.wait(|| shared.after_level() as u64, || ()));
        if decision == LevelDecision::SettleIdle { self.settle_idle(self.level.end) } else { decision }
    }

    /// Publishes the counters of this worker.
    fn publish(&self) {
        let counters = &self.shared.counters[self.number];
        counters.states.store(self.states.len() as u64, Ordering::Relaxed);
        counters.expanded.store(self.meter.expanded(), Ordering::Relaxed);
        counters.bytes.store(self.states.bytes() as u64, Ordering::Relaxed);
        counters.steps.store(self.steps.bytes() as u64, Ordering::Relaxed);
    }

    /// Looks at the limits while a state with very many successors is explored.
    pub fn check_limits(&self) {
        self.publish();
        self.shared.check_limits(self.number == 0);
    }

    /// Takes note of a state that was reached.
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

    fn send(&mut self, to: usize) {
        if !self.outgoing[to].reached.is_empty() {
            let next = StateBatch { reached: Vec::with_capacity(SENT_AT_ONCE), places: Vec::new() };
            self.shared.mail[to].put(std::mem::replace(&mut self.outgoing[to], next));
        }
    }

    /// Looks the states up that others reached.
    fn receive(&mut self) {
        for batch in self.shared.mail[self.number].take() {
            for (at, reached) in batch.reached.chunks(BATCH).enumerate() {
                self.insert(reached, batch.places.get(at * BATCH..).unwrap_or_default());
            }
        }
    }

    /// Looks the states up that this worker reached since the last time.
    pub fn look_up(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        self.insert(&batch.reached, &batch.places);
        batch.clear();
        self.batch = batch;
    }

    fn insert(&mut self, reached: &[Reached], places: &[(FuncId, Pc)]) {
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
