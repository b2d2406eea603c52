//! The exploration: a stack of states, each with what is asleep and what is still to be tried.

use std::ops::Range;
use std::rc::Rc;
use std::time::Instant;

use fxhash::{FxHashMap, FxHashSet};

use super::Dpor;
use super::deepening::Turns;
use super::foretell::Shape;
use super::limits::Room;
use super::measures::Meter;
use super::memo::Memo;
use super::run::End;
use super::states::{self, State, StateId, States};
use super::wakeup::{Answers, Branch};
use crate::engine::findings::Findings;
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::{Event, Label};
use crate::engine::stateless::execution::Execution;
use crate::engine::stateless::robustness::Cycles;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::ir::address::MAX_THREADS;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{Statistics, Unknown};
use crate::store::Id;
use crate::system::{Config, Leaks, Machine};
use rmc_runtime::Model;

/// Events between two looks at the limits.
pub(super) const CHECK_EVERY: u64 = 1024;

/// A state on the way, and what is left to do from it.
pub(super) struct Node {
    /// The state.
    pub(super) state: StateId,
    /// Where the events begin in `sleep` that were explored from here or from where they commute with what came since.
    sleep: usize,
    /// What is to be explored.
    pub(super) next: Vec<Branch>,
    /// Whether something was explored.
    taken: bool,
    /// Executions that were found before the state was entered.
    pub(super) before: u64,
    /// Branches from which everything was explored.
    pub(super) finished: usize,
}

impl Node {
    /// A state from which nothing is planned or known.
    pub(super) const fn at(state: StateId) -> Self {
        Self { state, sleep: 0, next: Vec::new(), taken: false, before: 0, finished: 0 }
    }
}

pub(super) struct Search<'p> {
    pub(super) machine: Machine<'p>,
    pub(super) execution: Execution,
    pub(super) nodes: Vec<Node>,
    pub(super) states: States,
    /// What is asleep, for one node after the other.
    pub(super) sleep: Vec<Rc<Event>>,
    /// Whether the machine is in the state of the last node.
    pub(super) in_place: bool,
    /// Instructions at which a thread had to wait for others.
    pub(super) waiting: FxHashSet<(FuncId, Pc)>,
    /// Instructions at which a step did something else than it had in another execution.
    pub(super) varying: FxHashSet<(FuncId, Pc)>,
    /// What the first step seen at an instruction did.
    pub(super) shapes: FxHashMap<(FuncId, Pc), Shape>,
    /// Whether what was planned may be wrong, because one of those was not known.
    pub(super) learned: bool,
    pub(super) source: bool,
    /// The executions found that are not sequentially consistent, if they are looked for.
    pub(super) cycles: Option<Cycles>,
    /// How often threads may go round in loops.
    pub(super) turns: Turns,
    /// Whether an execution was cut off because a thread went round more often.
    pub(super) was_cut: bool,
    /// Whether the machine's last step ended in an assumption that does not hold.
    pub(super) is_pruned: bool,
    /// Events from here on are not those of the execution before.
    pub(super) fresh: usize,
    /// Positions of what happens before all of those.
    pub(super) settled: Bits,
    pub(super) limits: &'p Limits,
    pub(super) started: Instant,
    pub(super) statistics: Statistics,
    pub(super) meter: Meter,
    pub(super) findings: Findings,
    /// The final states found, as statuses and components.
    pub(super) finals: FxHashSet<Box<[Id]>>,
    pub(super) stopped: Option<Unknown>,
    /// The number of events at which limits are looked at next.
    pub(super) check_at: u64,
    /// How much may be remembered.
    pub(super) room: Room,
    /// Bytes of components from which on it is worth while to forget old ones.
    pub(super) collect_at: usize,
    /// The state after the last attempt.
    pub(super) scratch: Vec<Id>,
    /// The same, if it was there before; then `scratch` may be another one.
    pub(super) reached: Option<StateId>,
    pub(super) memo: Memo,
    /// Whether steps are remembered. What the turns of loops and the end of a thread that leaks depend on is not in the state alone.
    pub(super) remembers: bool,
}

/// What became of an attempt to take a step.
pub(super) enum Attempt {
    Taken(Rc<Event>),
    /// What the step would have been.
    Waits(Rc<Event>, Wait),
    /// The thread went round in a loop more often than it may.
    Cut,
}

/// Why a step is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It waits for other threads, or for updates of its own.
    Blocked,
    /// It would complete a round of a loop without effect.
    Idle,
    /// It would end the process, which is left for when nothing else can happen (`ends.rs`).
    Exit,
}

impl<'p> Search<'p> {
    pub(super) fn new(
        program: &'p Program,
        config: Config,
        limits: &'p Limits,
        [waiting, varying]: [FxHashSet<(FuncId, Pc)>; 2],
        engine: Dpor,
        started: Instant,
    ) -> Self {
        let room = Room::within(limits);
        let mut search = Self {
            machine: Machine::new(program, config),
            execution: Execution::new(config.model() != Model::Pso),
            nodes: Vec::new(),
            states: States::default(),
            sleep: Vec::new(),
            in_place: true,
            waiting,
            varying,
            shapes: FxHashMap::default(),
            learned: false,
            source: engine.source,
            cycles: engine.robustness.then(Cycles::default),
            turns: Turns::Any,
            was_cut: false,
            is_pruned: false,
            fresh: 0,
            settled: Bits::new(),
            limits,
            started,
            statistics: Statistics::default(),
            meter: Meter::new(limits.count_lines),
            findings: Findings::new(config.property, limits.keep_going),
            finals: FxHashSet::default(),
            stopped: None,
            check_at: 0,
            collect_at: room.components,
            scratch: Vec::new(),
            reached: None,
            memo: Memo::within(room.steps),
            room,
            remembers: config.leaks == Leaks::Ignored,
        };
        search.machine.leaks_at_end = true;
        search.machine.pack(&mut search.scratch);
        search.enter(0, Vec::new());
        search
    }

    /// Enters the state after the last attempt. `sleep`: where what is asleep there begins.
    fn enter(&mut self, sleep: usize, next: Vec<Branch>) {
        let state = self.reached.take().unwrap_or_else(|| {
            let thread = self.execution.len().checked_sub(1).map_or(0, |last| self.execution.event(last).label.thread);
            self.intern(self.nodes.last().map(|node| node.state), thread, states::hash(&self.scratch))
        });
        self.nodes.push(Node { sleep, next, before: self.explored(), ..Node::at(state) });
    }

    /// The number of the state in `scratch`, to which an event of a thread leads from another state unless it is the first one, by its hash.
    pub(super) fn intern(&mut self, from: Option<StateId>, thread: usize, hash: u64) -> StateId {
        const { assert!(MAX_THREADS <= 128, "a bit for every thread") };
        if let Some(id) = self.states.find(&self.scratch, hash) {
            return id;
        }
        let layout = self.machine.layout(&self.scratch);
        // An event changes no other buffer than that of its thread.
        let others = from.map_or(0, |from| self.states[from].pending & !(1 << thread));
        let own = u128::from(self.machine.has_stores_in(&self.scratch, layout, thread)) << thread;
        self.states.add(&self.scratch, hash, layout, others | own)
    }

    /// The number of the last state.
    pub(super) fn last(&self) -> StateId {
        self.nodes[self.nodes.len() - 1].state
    }

    /// The last state.
    pub(super) fn last_state(&self) -> &State {
        &self.states[self.last()]
    }

    /// Where in `sleep` the events are that are asleep in node `at`.
    pub(super) fn sleep_range(&self, at: usize) -> Range<usize> {
        self.nodes[at].sleep..self.nodes.get(at + 1).map_or(self.sleep.len(), |next| next.sleep)
    }

    pub(super) fn explore(&mut self, progress: &Progress) -> Result<End, EngineError> {
        while !self.nodes.is_empty() {
            if self.stopped.is_some() || self.machine.halt.reason().is_some() || self.findings.is_enough() {
                return Ok(End::Done);
            }
            if self.learned || !self.execution.raced_copies().is_empty() {
                return Ok(End::StartOver);
            }
            if self.machine.numbers_ran_out() {
                return Ok(End::NumbersRanOut);
            }
            if self.machine.tally.bound_was_hit.is_some() && self.may_raise_bound() {
                return Ok(End::Full);
            }
            if self.is_too_long() {
                return Ok(End::TooLong);
            }
            let node = self.nodes.last_mut().expect("a state");
            if let Some((planned, answers, next)) = Branch::begin(&mut node.next) {
                self.take(&planned, &answers, next)?;
            } else if node.taken {
                self.leave();
            } else {
                self.extend()?;
                self.check_limits(progress);
            }
        }
        Ok(End::Done)
    }

    /// Goes back from a state from which everything was explored.
    fn leave(&mut self) {
        let node = self.nodes.pop().expect("a state to leave");
        self.sleep.truncate(node.sleep);
        self.in_place = false;
        if !self.nodes.is_empty() {
            let event = self.execution.pop();
            self.fresh = self.fresh.min(self.execution.len());
            self.sleep(event);
        }
    }

    /// Everything behind an event from the current state was explored.
    pub(super) fn sleep(&mut self, event: Rc<Event>) {
        self.sleep.push(event);
        self.nodes.last_mut().expect("a state").finished += 1;
    }

    /// Puts the machine into the state of node `at`.
    pub(super) fn restore(&mut self, at: usize) {
        self.machine.unpack(self.states.vector(self.nodes[at].state));
    }

    /// The state of node `at`.
    pub(super) fn vector(&self, at: usize) -> &[Id] {
        self.states.vector(self.nodes[at].state)
    }

    pub(super) fn in_last_state(&mut self) {
        if !self.in_place {
            self.restore(self.nodes.len() - 1);
            self.in_place = true;
        }
    }

    /// Takes any step that is not asleep; where there is none the execution is complete.
    fn extend(&mut self) -> Result<(), EngineError> {
        let node = self.nodes.last_mut().expect("a state");
        node.taken = true;
        let (mut asleep, mut is_cut, mut exits) = (false, false, false);
        let mut waiting = Vec::new();
        let mut tried = None;
        while let Some(label) = self.label_after(tried) {
            if tried.is_none() && label.store.is_none() && self.comes_to_end(label.thread) {
                return Ok(());
            }
            tried = Some(label);
            if self.sleep[self.sleep_range(self.nodes.len() - 1)].iter().any(|event| event.label == label) {
                asleep = true;
                continue;
            }
            match self.attempt(label, &Answers::All)? {
                Attempt::Taken(event) => return self.proceed(event, &Answers::All, Vec::new()),
                // For updates of its own, which are asleep.
                Attempt::Waits(_, Wait::Blocked) if self.has_pending(label.thread) => {}
                Attempt::Waits(_, Wait::Exit) => exits = true,
                Attempt::Waits(event, _) => waiting.push(event),
                Attempt::Cut => is_cut = true,
            }
        }
        if asleep {
            self.statistics.sleep_blocked_executions += 1;
        } else {
            self.complete(is_cut, exits);
        }
        self.reverse_races(waiting);
        Ok(())
    }

    fn take(&mut self, planned: &Event, answers: &Answers, next: Vec<Branch>) -> Result<(), EngineError> {
        let node = self.nodes.last_mut().expect("a state");
        node.taken = true;
        let is_another = node.finished > 0 && !matches!(answers, Answers::From(_));
        self.meter.choices.schedule += u64::from(is_another);
        let is_last = next.is_empty();
        if *answers == Answers::Exactly {
            self.machine.script.prescribe(&planned.answers);
        }
        match self.attempt(planned.label, answers)? {
            Attempt::Taken(event) => {
                let is_same = *answers != Answers::Exactly || event.place == planned.place;
                assert!(is_same, "a step that was planned is the step that is taken");
                if is_last && *answers == Answers::All {
                    self.compare(planned, &event);
                }
                let nodes = self.nodes.len();
                self.proceed(event, answers, next)?;
                if is_last && !self.source {
                    self.wake_all(nodes);
                }
                Ok(())
            }
            // It was not known that this instruction may wait: with what was learned now it is not tried here.
            Attempt::Waits(..) | Attempt::Cut => {
                let is_rest = matches!(answers, Answers::From(_));
                assert!(self.learned || is_rest || self.is_halted(), "an event of a wakeup tree can happen");
                Ok(())
            }
        }
    }

    /// At the end of a planned sequence nothing is asleep, as its last event conflicts with what was explored before it. If that event does not do here what was
    /// planned, something may be; but other sequences were left out that begin like this one, and need not begin with what sleeps. So everything from here is
    /// explored.
    fn wake_all(&mut self, at: usize) {
        if let Some(node) = self.nodes.get(at) {
            self.sleep.truncate(node.sleep);
        }
    }

    /// Tries to take a step from the last state, with the first of the answers with which it need not wait.
    #[inline]
    pub(super) fn attempt(&mut self, label: Label, answers: &Answers) -> Result<Attempt, EngineError> {
        match answers {
            Answers::All => self.machine.script.clear(),
            Answers::From(answers) => self.machine.script.prescribe(answers),
            Answers::Exactly => {}
        }
        match self.take_known(label) {
            Some(event) => Ok(Attempt::Taken(event)),
            None => self.attempt_all(label, answers),
        }
    }

    /// The same, with the machine's script.
    #[inline(never)]
    fn attempt_all(&mut self, label: Label, answers: &Answers) -> Result<Attempt, EngineError> {
        // Whoever changes what a step read that waited may let it go on, though it goes on otherwise here.
        let mut read = Vec::new();
        loop {
            let attempt = self.attempt_once(label)?;
            if self.is_halted() {
                return Ok(Attempt::Cut);
            }
            let more = *answers != Answers::Exactly && label.store.is_none();
            match attempt {
                Attempt::Waits(event, _) if more && self.machine.script.advance() => {
                    read.extend_from_slice(&event.touches);
                }
                Attempt::Waits(event, why) => {
                    if !matches!(answers, Answers::From(_)) && why != Wait::Exit {
                        let has_pending = why == Wait::Blocked && self.has_pending(label.thread);
                        self.learn(event.place, has_pending);
                    }
                    return Ok(Attempt::Waits(event.touching(&read), why));
                }
                Attempt::Taken(event) => return Ok(Attempt::Taken(event.touching(&read))),
                Attempt::Cut => return Ok(Attempt::Cut),
            }
        }
    }

    /// Notes that an instruction may have to wait for other threads; for the updates of its own it waits without harm.
    fn learn(&mut self, place: (FuncId, Pc), has_pending: bool) {
        self.learned |= !has_pending && self.waiting.insert(place);
    }

    /// Goes on after an event, to the state in `scratch`.
    fn proceed(&mut self, mut event: Rc<Event>, answers: &Answers, next: Vec<Branch>) -> Result<(), EngineError> {
        let partly = *answers == Answers::Exactly && !event.answers.is_empty();
        if event.partly != partly {
            Rc::make_mut(&mut event).partly = partly;
        }
        let ends = event.ends;
        let more = *answers != Answers::Exactly && self.machine.script.advance();
        self.meter.counts(&event);
        self.execution.push(event);
        self.statistics.events += 1;
        let last = self.execution.len() - 1;
        let event = Rc::clone(self.execution.event(last));
        if more {
            // The other answers are branches of their own, right after this one.
            let rest = self.machine.script.prescribed_answers().to_vec();
            let branch = Branch::new(Rc::clone(&event), Answers::From(rest));
            self.nodes.last_mut().expect("a state").next.insert(0, branch);
            self.statistics.flush_choices += 1;
            self.meter.choices.count(self.machine.script.advanced());
        }
        if ends {
            return self.ended(event);
        }
        let asleep = self.sleep.len();
        for sleeper in self.sleep_range(self.nodes.len() - 1) {
            if !self.wakes(&self.sleep[sleeper], &event) {
                self.sleep.push(Rc::clone(&self.sleep[sleeper]));
            }
        }
        self.enter(asleep, next);
        let depth = self.execution.len() as u64;
        self.statistics.max_depth = self.statistics.max_depth.max(depth);
        Ok(())
    }

    /// Whether an event just executed conflicts with one that is asleep.
    pub(super) fn wakes(&self, sleeper: &Event, event: &Event) -> bool {
        let updated = |thread, store| self.execution.update_of(thread, store).is_some();
        sleeper.conflicts(event, updated)
    }
}
