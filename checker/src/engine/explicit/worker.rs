//! A worker: its states, and how it goes through them with the others.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::Ordering;

use super::common::{Common, Then};
use super::ids::Ids;
use super::sleep::Sleep;
use super::steps::Steps;
use crate::engine::explicit::parallel::{Meeting, lock};
use crate::engine::measures::{Lines, Meter};
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{FinalState, Statistics};
use crate::store::{Id, Reached, States};
use crate::system::Machine;

/// States that were reached and are looked up together, so that the look-ups wait for memory together.
pub(super) const BATCH: usize = 64;

/// States in a letter.
const LETTER: usize = 512;

/// States between two looks at the limits.
const CHECK_EVERY: usize = 256;

/// States that were reached, and if lines are counted where the steps to them began.
#[derive(Default)]
pub(super) struct Letter {
    pub reached: Vec<Reached>,
    pub places: Vec<(FuncId, Pc)>,
}

impl Letter {
    fn clear(&mut self) {
        self.reached.clear();
        self.places.clear();
    }
}

/// A worker of a search.
pub(super) struct Worker<'c, 'p> {
    pub common: &'c Common<'p>,
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
    pub batch: Letter,
    /// The same for every worker, of those that are not left in its mailbox yet.
    letters: Vec<Letter>,
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

/// What is left of a worker when it is done.
pub(super) struct Part<'p> {
    pub machine: Machine<'p>,
    pub states: States,
    pub statistics: Statistics,
    pub meter: Meter,
    pub final_states: BTreeSet<FinalState>,
    pub branched: bool,
    pub seconds: f64,
}

/// Lets the others know if a worker fails.
struct Presence<'c>(&'c Meeting);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.leave();
        }
    }
}

impl<'c, 'p> Worker<'c, 'p> {
    /// The worker with this number. The one that has the initial state begins with it.
    pub fn new(common: &'c Common<'p>, number: usize) -> Self {
        let _presence = Presence(&common.meeting);
        let mut machine = Machine::with_components(common.program, common.config, common.components.clone());
        machine.halt = common.progress.halt.clone();
        let sleep = Sleep::new(&common.config, machine.exchanges());
        let mut worker = Self {
            common,
            machine,
            states: States::new(&common.store, number),
            steps: Steps::new(&common.config, common.memory_for_steps()),
            sleep,
            statistics: Statistics::default(),
            meter: Meter { lines: common.limits.count_lines.then(Lines::default), ..Meter::default() },
            final_states: BTreeSet::new(),
            number,
            level: 0..0,
            before: None,
            batch: Letter::default(),
            letters: (0..common.workers()).map(|_| Letter::default()).collect(),
            from: (FuncId::new(0), Pc::new(0)),
            idle: Ids::default(),
            branched: false,
            vector: Vec::new(),
            after: Vec::new(),
            threads: Vec::new(),
        };
        match lock(&common.resumed[number]).take() {
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
        if self.common.store.owner_of(name.key) == self.number {
            // The state before the initial one is itself.
            let itself = self.states.number(0);
            self.states.insert(&[Reached { name, parent: itself, note: 0 }], |_| ());
        }
    }

    /// The level that is explored next begins here.
    fn enter_level(&mut self, begin: usize) {
        self.level = begin..self.states.len();
        if self.common.storage.saving.is_some() {
            self.before = Some((self.statistics.clone(), self.meter.clone()));
        }
    }

    /// Explores all states of this worker.
    pub fn explore(mut self) -> Part<'p> {
        let common = self.common;
        let _presence = Presence(&common.meeting);
        loop {
            if self.explore_level() == Then::End {
                break;
            }
            self.enter_level(self.level.end);
            self.do_chores();
        }
        common.progress.has_stopped.store(true, Ordering::Relaxed);
        if common.storage.saving.is_some() && common.is_unfinished() {
            self.save();
        }
        Part {
            seconds: common.started.elapsed().as_secs_f64(),
            machine: self.machine,
            states: self.states,
            statistics: self.statistics,
            meter: self.meter,
            final_states: self.final_states,
            branched: self.branched,
        }
    }

    /// Explores the states of this level.
    fn explore_level(&mut self) -> Then {
        let common = self.common;
        self.states.retire(self.level.start);
        self.states.sort(self.level.start);
        for at in self.level.clone() {
            self.expand(self.states.number(at));
            common.heed_request();
            if common.is_stopped() {
                break;
            }
            if (at + 1).is_multiple_of(CHECK_EVERY) {
                self.publish();
                common.check_limits(self.number == 0);
                self.receive();
            }
        }
        self.look_up();
        (0..self.letters.len()).for_each(|to| self.send(to));
        lock(&common.idle).is_any |= !self.idle.is_empty();
        // Now everything is in some mailbox: after that nothing comes any more.
        common.meeting.meet(|| 0, || self.receive());
        self.receive();
        self.publish();
        let then = Then::from_word(common.meeting.meet(|| common.after_level() as u64, || ()));
        if then == Then::Settle { self.settle_idle(self.level.end) } else { then }
    }

    /// Says how far this worker is.
    fn publish(&self) {
        let counters = &self.common.counters[self.number];
        counters.states.store(self.states.len() as u64, Ordering::Relaxed);
        counters.expanded.store(self.meter.expanded(), Ordering::Relaxed);
        counters.bytes.store(self.states.bytes() as u64, Ordering::Relaxed);
        counters.steps.store(self.steps.bytes() as u64, Ordering::Relaxed);
    }

    /// Looks at the limits while a state with very many successors is explored.
    pub fn check_limits(&self) {
        self.publish();
        self.common.check_limits(self.number == 0);
    }

    /// Takes note of a state that was reached.
    #[inline]
    pub fn reach(&mut self, reached: Reached) {
        let owner = self.common.store.owner_of(reached.name.key);
        let letter = if owner == self.number { &mut self.batch } else { &mut self.letters[owner] };
        letter.reached.push(reached);
        if self.meter.lines.is_some() {
            letter.places.push(self.from);
        }
        if letter.reached.len() >= LETTER && owner != self.number {
            self.send(owner);
        }
    }

    fn send(&mut self, to: usize) {
        if !self.letters[to].reached.is_empty() {
            let next = Letter { reached: Vec::with_capacity(LETTER), places: Vec::new() };
            self.common.mail[to].put(std::mem::replace(&mut self.letters[to], next));
        }
    }

    /// Looks the states up that others reached.
    fn receive(&mut self) {
        for letter in self.common.mail[self.number].take() {
            for (at, reached) in letter.reached.chunks(BATCH).enumerate() {
                self.insert(reached, letter.places.get(at * BATCH..).unwrap_or_default());
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
