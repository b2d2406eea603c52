//! The stepper takes steps and updates from states. It knows no search order.
//!
//! A state of the current execution is a short vector of component ids, so backtracking to it is a copy. A
//! step that was taken before from the same state, or from one in which everything that it reads is the same,
//! is not run again ([`StateCache`], [`StepCache`]). Both are only caches: misses are recomputed.
//!
//! * `attempt`: one attempt to take the next step of a thread, or an update.
//! * `run`: runs a step in the machine, and makes its event.
//! * `actions`: the steps and updates that may be tried in a state.
//! * `all_answers`: steps whose accesses depend on the answers to their questions.
//! * `elsewhere`: steps that are tried in states other than the last one.
//! * `idle_rounds`: rounds of waiting loops, which are not explored.

mod actions;
mod all_answers;
mod attempt;
mod elsewhere;
mod idle_rounds;
mod run;

pub use attempt::{Answers, Attempt, Ending, Failure, Request, Wait};
pub use run::event_of_step;

use self::all_answers::TouchedByAny;
use super::budget::CacheBudget;
use super::prefix::Prefix;
use super::state_cache::{self, StateCache, StateId};
use super::step_cache::{AskedEvents, CachedStep, StepCache};
use crate::engine::stateless::event::Event;
use crate::ir::Program;
use crate::ir::address::MAX_THREADS;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::ScheduleStep;
use crate::store::Id;
use crate::system::{Config, Leaks, Machine, ThreadNumbers};

/// The machine, and the caches of states and steps.
pub struct Stepper<'p> {
    /// The machine.
    pub machine: Machine<'p>,
    /// The states of the current execution, and others met before.
    pub states: StateCache,
    steps: StepCache,
    asked: AskedEvents,
    touched_by_any: TouchedByAny,
    /// True if steps are looked up and cached. They are not where a step depends on more than the state: on
    /// the loops that its thread went round, or on the memory that leaked.
    caches_steps: bool,
    /// True if the machine is in the last state of the prefix.
    machine_synced: bool,
    /// The state vector after the last attempt, if that attempt has no [`StateId`] yet.
    scratch: Vec<Id>,
    /// The bound on the turns of a thread in a loop.
    loop_bound: Option<u32>,
    /// True if each step waits until the stores of its thread are in memory, so that all executions are
    /// sequentially consistent.
    is_sequential: bool,
    budget: CacheBudget,
    /// The bytes of components at which old ones are forgotten next.
    collect_at: usize,
    /// The number of times that states got other ids.
    generation: u64,
}

impl<'p> Stepper<'p> {
    /// A stepper, and the first state of the program. Threads may be numbered by their creators.
    pub fn new(
        program: &'p Program,
        config: Config,
        budget: CacheBudget,
        loop_bound: Option<u32>,
        by_creator: Option<ThreadNumbers>,
    ) -> Self {
        let caches_steps = config.leaks == Leaks::Ignored && loop_bound.is_none();
        let mut machine = Machine::new(program, config);
        machine.look_for_leaks_at_end(true);
        let mut scratch = Vec::new();
        machine.pack(&mut scratch);
        if let Some(numbers) = by_creator {
            machine.number_by_creator(numbers);
        }
        Self {
            machine,
            states: StateCache::default(),
            generation: 0,
            steps: StepCache::within(budget.steps),
            asked: AskedEvents::within(budget.steps),
            touched_by_any: TouchedByAny::default(),
            caches_steps,
            machine_synced: true,
            scratch,
            loop_bound,
            is_sequential: false,
            collect_at: budget.components,
            budget,
        }
    }

    /// The stepper, with steps that wait until the stores of their threads are in memory if that is asked for.
    #[must_use]
    pub fn sequential(self, is_sequential: bool) -> Self {
        Self { is_sequential, ..self }
    }

    /// True if only sequentially consistent executions are explored.
    pub const fn is_sequential(&self) -> bool {
        self.is_sequential
    }

    /// True if the search is to be halted. Loops whose length depends on the execution check this; their
    /// results are not used then.
    #[inline]
    pub fn is_halted(&self) -> bool {
        self.machine.halt.reason().is_some()
    }

    /// The components of a state.
    #[inline]
    pub fn vector(&self, state: StateId) -> &[Id] {
        self.states.vector(state)
    }

    /// The id of the state in `scratch`, to which an event of `thread` leads from another state.
    #[inline]
    pub fn intern_scratch(&mut self, from: Option<StateId>, thread: usize) -> StateId {
        self.intern(from, thread, state_cache::hash(&self.scratch))
    }

    /// [`Self::intern_scratch`], with the hash of the state.
    #[inline]
    fn intern(&mut self, from: Option<StateId>, thread: usize, hash: u64) -> StateId {
        const { assert!(MAX_THREADS <= 128, "a bit for every thread") };
        if let Some(id) = self.states.find(&self.scratch, hash) {
            return id;
        }
        let layout = self.machine.layout(&self.scratch);
        // An event changes the buffer of its thread only.
        let others = from.map_or(0, |from| self.states[from].pending & !(1 << thread));
        let own = u128::from(self.machine.has_stores_in(&self.scratch, layout, thread)) << thread;
        self.states.add(&self.scratch, hash, layout, others | own)
    }

    /// Puts the machine into a state, which need not be in the current execution.
    pub fn load(&mut self, state: StateId) {
        self.machine_synced = false;
        self.machine.unpack(self.states.vector(state));
    }

    /// Puts the machine into the last state of the prefix, if it is not there.
    pub fn load_last(&mut self, prefix: &Prefix) {
        if !self.machine_synced {
            self.load(prefix.last());
            self.machine_synced = true;
        }
    }

    /// Records that the last state of the prefix is no longer the machine's.
    #[inline]
    pub const fn leave_state(&mut self) {
        self.machine_synced = false;
    }

    /// The first `events` events of the execution as a schedule.
    pub fn schedule(&self, prefix: &Prefix, events: usize) -> Vec<ScheduleStep> {
        let step = |at| {
            let event: &Event = prefix.execution.event(at);
            ScheduleStep {
                update: event.action.store,
                creates: self.machine.created_by(&event.footprint),
                ..ScheduleStep::of(event.action.thread, event.answers().to_vec())
            }
        };
        (0..events).map(step).collect()
    }

    /// The loop whose bound a thread exceeded in the last step, and the frames around it.
    #[inline]
    pub fn exceeded_loop(&self, thread: usize) -> Option<Vec<(FuncId, Pc)>> {
        let jump = self.loop_bound.and(self.machine.turns().exceeded)?;
        Some([&[jump], &self.machine.backtrace(thread)[..]].concat())
    }

    /// A number that changes when states get other ids.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Frees memory if caches have outgrown their budget. Returns true if components have other ids now.
    pub fn trim_caches(&mut self, prefix: &mut Prefix) -> bool {
        if self.machine.bytes() < self.collect_at {
            if self.states.bytes() > self.budget.states {
                self.generation += 1;
                self.touched_by_any.forget();
                self.states.keep(&mut prefix.states, |_| {});
                // States of the current execution cannot be removed. If most states are these, another
                // attempt soon would only copy them.
                self.budget.states = self.budget.states.max(2 * self.states.bytes());
            }
            return false;
        }
        self.generation += 1;
        self.states.keep(&mut prefix.states, |vectors| {
            self.machine.collect(vectors.iter_mut().map(|vector| &mut **vector));
        });
        self.steps.forget();
        self.asked.forget();
        self.touched_by_any.forget();
        self.machine_synced = false;
        self.collect_at = 2 * self.machine.bytes() + self.budget.components;
        true
    }

    /// The bytes of the parts of the stepper, with their purpose.
    pub fn bytes(&self) -> [(&'static str, usize); 3] {
        let event = size_of::<Event>();
        let known = self.steps.bytes(size_of::<CachedStep>() + event) + self.asked.bytes(event);
        [("components", self.machine.bytes()), ("known steps", known), ("states", self.states.bytes())]
    }

    /// True if a thread has delayed stores in a state.
    #[inline]
    pub fn has_pending(&self, state: StateId, thread: usize) -> bool {
        self.states[state].pending >> thread & 1 == 1
    }
}
