//! The working state: a stored state unpacked just far enough to run one step, and packed again.
//!
//! Unpacking is lazy where it pays: the object table and the pending stores are decoded only if they differ
//! from those decoded last, pages are read in place and copied when written, and of the threads only the
//! running one's top frame is decoded. Nothing is allocated per step once the buffers have grown.

use std::cell::RefCell;

use crate::halt::Halt;
use crate::interp::{Reached, Stack};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::value::Value;
use crate::outcome::{Place, Unknown};
use crate::store::{Id, Interner};
use crate::system::analyses::races::Races;
use crate::system::buffers::StoreBuffers;
use crate::system::config::Config;
use crate::system::library;
use crate::system::library::creators::others_create_or_join;
use crate::system::observe::Recorder;
use crate::system::observe::guard_checks::Watch;
use crate::system::reductions::Reduction;
use crate::system::state::memory::ObjectMemory;
use crate::system::state::numbering::Numbering;
use crate::system::state::object_table::ThreadState;
use crate::system::state::threads::{self, ThreadSlots};
use crate::system::step::choices::ChoiceSequence;
use crate::system::step::report::StepReport;

/// A working state and everything needed to run its steps.
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) config: Config,
    pub(super) facts: ProgramFacts,
    pub(super) memory: ObjectMemory<'p>,
    pub(super) buffers: StoreBuffers,
    pub(super) threads: ThreadTable,
    pub(super) running: Running,
    /// Answers to the questions of the step.
    pub script: ChoiceSequence,
    /// The report of the step under way.
    pub(super) report: StepReport,
    /// Who looks on while steps run.
    pub observers: Observers,
    /// What is known of all steps that were run so far.
    pub tally: Tally,
    pub(super) encoding: Encoding,
    /// What is known of components, to exchange threads.
    pub(super) symmetry: crate::system::analyses::symmetry::Symmetry,
    /// Whether memory that was lost is looked for when the process ends rather than after every step.
    pub leaks_at_end: bool,
    /// The request to end the run: who goes through all answers of a step looks at it. Nobody makes one
    /// unless an engine puts its own here.
    pub halt: Halt,
}

/// Facts about the program that decide what is visible.
#[derive(Debug)]
pub(super) struct ProgramFacts {
    /// Whether the program may ask if a thread has ended without waiting for that.
    pub ends_are_seen: bool,
    /// Whether creations of one thread may notice the joins of another: see `library/creators.rs`.
    pub joins_are_seen: bool,
}

/// The threads of the working state.
#[derive(Debug)]
pub(super) struct ThreadTable {
    /// The components of each thread, as they were before the step of the running one.
    pub slots: Vec<ThreadSlots>,
    /// How new threads are numbered.
    pub numbering: Numbering,
    /// Threads that exist and have not ended.
    pub live: usize,
}

/// The thread whose step is under way.
pub(super) struct Running {
    /// Its number.
    pub thread: usize,
    /// Its innermost frames.
    pub stack: Stack,
    /// Its frames below those in `stack`.
    pub rest: Id,
}

/// Who looks on while steps run, and what they have noted.
#[derive(Debug, Default)]
pub struct Observers {
    /// Records events for a report, if one is wanted.
    pub recorder: Option<Box<Recorder>>,
    /// What the program printed, if that is to be kept.
    pub(super) output: Option<Vec<u8>>,
    /// What may race, with `--races`.
    pub(super) races: Option<Box<Races>>,
    /// Whether memory is used as its guards say: see `guards.rs`.
    pub(super) guards: RefCell<Watch>,
    /// Whether guards are to be guessed.
    pub(super) guesses: bool,
}

/// What is known of all steps that a machine has run. Nothing of it is ever taken back, so an engine may ask
/// when it is done.
#[derive(Debug)]
pub struct Tally {
    /// What was executed.
    pub reached: Reached,
    /// Where a full store buffer first had to be flushed early.
    pub bound_was_hit: Option<Place>,
    /// What was first left out though the program could do it, and where.
    pub left_out: Option<(Unknown, Place)>,
}

/// What encoding states needs.
#[derive(Debug)]
pub(super) struct Encoding {
    /// The component without words.
    pub empty: Id,
    /// What ended threads have in place of their other frames.
    pub ended: Id,
    /// Words under way.
    pub scratch: Vec<u64>,
}

impl<'p> Machine<'p> {
    /// A machine in the initial state: the main thread is about to run constructors and `main`.
    ///
    /// # Panics
    /// If the program has no entry function: the loader makes one.
    #[must_use]
    pub fn new(program: &'p Program, config: Config) -> Self {
        Self::with_components(program, config, Interner::default())
    }

    /// A machine in the initial state whose states consist of these components, which others may share.
    ///
    /// # Panics
    /// Like [`Self::new`].
    #[must_use]
    pub fn with_components(program: &'p Program, config: Config, components: Interner) -> Self {
        let mut memory = ObjectMemory::new(program, components);
        let empty = memory.components.intern(&[]);
        let ended = memory.components.intern(&[threads::ENDED]);
        let mut machine = Self {
            program,
            config,
            facts: ProgramFacts {
                joins_are_seen: !config.updates && others_create_or_join(program),
                ends_are_seen: program.functions.iter().any(|function| library::asks_for_end(&function.name)),
            },
            memory,
            buffers: StoreBuffers::new(config.model(), config.updates),
            threads: ThreadTable { slots: Vec::new(), numbering: Numbering::default(), live: 0 },
            running: Running { thread: 0, stack: Stack::default(), rest: empty },
            script: ChoiceSequence::default(),
            report: StepReport::default(),
            observers: Observers { races: config.races.then(Box::default), ..Observers::default() },
            tally: Tally { reached: Reached::new(program), bound_was_hit: None, left_out: None },
            encoding: Encoding { empty, ended, scratch: Vec::new() },
            symmetry: crate::system::analyses::symmetry::Symmetry::default(),
            leaks_at_end: false,
            halt: Halt::default(),
        };
        let entry = program.entry.expect("the loader adds an entry function");
        if crate::system::analyses::symmetry::is_possible(program, &config) {
            machine.watch_threads();
        }
        if config.races {
            machine.memory.keep_arrivals();
        }
        machine.start_thread(entry, &[], ThreadState::Detached).expect("the first thread fits");
        machine
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &'p Program {
        self.program
    }

    /// The options.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Components of all states seen so far.
    #[must_use]
    pub const fn components(&self) -> &Interner {
        &self.memory.components
    }

    /// Pending stores of the working state.
    #[must_use]
    pub const fn buffers(&self) -> &StoreBuffers {
        &self.buffers
    }

    /// The threads of the working state that exist and have not ended.
    pub fn live_threads(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.threads.slots.len()).filter(|&thread| self.is_live(thread))
    }

    /// The live threads that may take a step if they are not blocked: all, or the one inside an atomic
    /// section.
    pub fn schedulable_threads(&self) -> impl Iterator<Item = usize> + '_ {
        let atomic = self.memory.table.atomic;
        self.live_threads().filter(move |&thread| atomic.is_none_or(|owner| owner == thread))
    }

    /// Number of threads the working state has room for.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads.slots.len()
    }

    pub(super) fn is_live(&self, thread: usize) -> bool {
        self.memory.table.threads[thread] != ThreadState::Free && self.threads.slots[thread].rest != self.encoding.ended
    }

    /// Whether all that other threads did is in the past of the running one, so that it need not stop for
    /// them.
    pub(super) fn is_alone(&self) -> bool {
        // A thread that ended without being joined is in nobody's past; state matching does not mind,
        // reordering does.
        if self.config.updates { self.threads.slots.len() == 1 } else { self.threads.live == 1 }
    }

    /// What a thread ended with, if it has ended.
    pub(super) fn result_of(&self, thread: usize) -> Option<Value> {
        self.see_end(thread);
        let slots = self.threads.slots[thread];
        (slots.rest == self.encoding.ended).then(|| threads::result(self.memory.components.get(slots.top)))
    }

    /// Where a live thread of the working state is.
    #[must_use]
    pub fn position(&self, thread: usize) -> (FuncId, Pc) {
        threads::position(self.memory.components.get(self.threads.slots[thread].top))
    }

    /// With update events, the stores of a thread that may reach memory now.
    pub fn ready(&self, thread: usize) -> impl Iterator<Item = &crate::system::buffers::BufferedStore> {
        let updates = match &self.buffers {
            StoreBuffers::Updated(updates) => Some(updates),
            StoreBuffers::Delayed(_) => None,
        };
        updates.into_iter().flat_map(move |updates| updates.ready(thread))
    }

    /// With update events, the stores of a thread that did not reach memory yet, oldest first.
    #[must_use]
    pub fn waiting(&self, thread: usize) -> &[crate::system::buffers::BufferedStore] {
        match &self.buffers {
            StoreBuffers::Updated(updates) => updates.waiting(thread),
            StoreBuffers::Delayed(_) => &[],
        }
    }

    /// With update events, how many stores a thread buffered so far.
    #[must_use]
    pub fn pushed(&self, thread: usize) -> u32 {
        match &self.buffers {
            StoreBuffers::Updated(updates) => updates.pushed(thread),
            StoreBuffers::Delayed(_) => 0,
        }
    }

    /// With update events, lets a store of a thread reach memory. `None` if it does not wait.
    pub fn update(&mut self, thread: usize, number: u32) -> Option<crate::system::buffers::BufferedStore> {
        let Self { buffers: StoreBuffers::Updated(updates), memory, .. } = self else { return None };
        updates.update(memory, thread, number)
    }

    /// The functions and instructions of a live thread's frames in the working state, innermost first.
    #[must_use]
    pub fn backtrace(&self, thread: usize) -> Vec<(FuncId, Pc)> {
        threads::backtrace(&self.memory.components, self.threads.slots[thread])
    }

    /// The functions and instructions of the frames of a thread after its step, innermost first; if its end
    /// was the violation, those before its end.
    #[must_use]
    pub fn backtrace_after(&self, thread: usize, report: &StepReport) -> Vec<(FuncId, Pc)> {
        report
            .ended_at
            .map_or_else(|| self.backtrace(thread), |ended_at| threads::backtrace(&self.memory.components, ended_at))
    }

    /// Where a thread stands before its step: in its innermost frame whose line is known, or else in its
    /// innermost one.
    #[must_use]
    pub fn stands_at(&self, thread: usize) -> (FuncId, Pc) {
        let slots = self.threads.slots[thread];
        let top = threads::position(self.memory.components.get(slots.top));
        let below = threads::frames_below(&self.memory.components, slots.rest);
        let mut frames = std::iter::once(top).chain(below);
        frames.find(|&(function, pc)| self.program.location(function, pc).line > 0).unwrap_or(top)
    }

    pub(super) const fn code(&self) -> threads::Code<'p> {
        threads::Code { program: self.program, with_dead: !self.config.reduces(Reduction::Dead) }
    }

    /// Makes `thread` the running one and decodes its top frame.
    pub(super) fn enter(&mut self, thread: usize) {
        self.running.thread = thread;
        let slots = self.threads.slots[thread];
        self.running.rest = slots.rest;
        threads::decode(self.code(), self.memory.components.get(slots.top), &mut self.running.stack);
    }

    /// Packs the running thread.
    pub(super) fn leave(&mut self) {
        let slots = threads::encode(
            self.code(),
            &mut self.memory.components,
            &self.running.stack,
            self.running.rest,
            &mut self.encoding.scratch,
        );
        self.threads.slots[self.running.thread] = slots;
    }

    /// Notes that something which the program could do here is not explored.
    pub(super) fn note_left_out(&mut self, what: Unknown) {
        if self.tally.left_out.is_none() {
            self.tally.left_out = Some((what, self.place_of_step()));
        }
    }

    /// Where the running thread is: its innermost frame at hand whose line is known.
    pub(super) fn place_of_step(&self) -> Place {
        let frames: Vec<_> = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc)).collect();
        self.program.first_place(&frames)
    }

    /// The empty list of frames.
    pub(super) const fn nothing_below(&self) -> Id {
        self.encoding.empty
    }

    /// The function in which the running thread began.
    pub(super) fn outermost_function(&self) -> FuncId {
        let below = threads::frames_below(&self.memory.components, self.running.rest).last();
        below.map_or(self.running.stack.frames()[0].function, |(function, _)| function)
    }

    /// The running thread leaves all its functions and begins anew in `function`, with one argument.
    pub(super) fn restart_in(&mut self, function: FuncId, argument: Value) {
        self.running.rest = self.encoding.empty;
        self.running.stack.clear();
        self.running.stack.push_bare(function, Pc(0), self.program.function(function).registers);
        self.running.stack.set(crate::ir::Reg::new(0), argument);
    }

    /// Brings the caller of the lowest frame at hand, if there is one.
    pub(super) fn fetch_caller(&mut self) -> bool {
        if self.running.stack.below == 0 {
            return false;
        }
        self.running.rest =
            threads::decode_caller(self.code(), &self.memory.components, self.running.rest, &mut self.running.stack);
        true
    }

    /// Names the pending stores, for reports: what [`rmc_runtime::Buffers::tags`] gave before the state was
    /// packed.
    pub fn set_tags(&mut self, tags: &[rmc_runtime::StoreTag]) {
        self.buffers.set_tags(tags);
    }

    /// Bytes used by the components.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.components.bytes()
    }
}
