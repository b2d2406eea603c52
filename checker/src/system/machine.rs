//! The working state: a stored state, unpacked just far enough to run one step, and packed again afterwards.
//!
//! Unpacking is lazy where it pays. The object table and the pending stores are decoded only if they differ
//! from those decoded last. Pages are read in place and copied when written. Of the threads, only the running
//! one's top frame is decoded. No step allocates memory once the buffers have grown.

use crate::halt::Halt;
use crate::interp::{Reached, Stack};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::value::Value;
use crate::outcome::{Place, Unknown};
use crate::store::{Id, Interner};
use crate::system::buffers::StoreBuffers;
use crate::system::config::Config;
use crate::system::inputs::{self, GivenInputs, NamedQuestions, SymbolsOfComponents};
use crate::system::library;
use crate::system::library::creators::others_create_or_join;
use crate::system::library::later_allocations::LaterAllocations;
use crate::system::observe::Observers;
use crate::system::reductions::Reduction;
use crate::system::state::memory::ObjectMemory;
use crate::system::state::numbering::Numbering;
use crate::system::state::object_table::ThreadState;
use crate::system::state::threads::{self, ThreadSlots};
use crate::system::step::choices::ChoiceSequence;
use crate::system::step::report::StepReport;
use crate::system::symbols::solver::RelationSolver;

/// A working state and everything needed to run its steps.
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) config: Config,
    pub(super) facts: ProgramFacts,
    pub(super) memory: ObjectMemory<'p>,
    pub(super) buffers: StoreBuffers,
    pub(super) threads: ThreadTable,
    pub(super) running: Running,
    /// The answers to the questions that the running step asks.
    pub choices: ChoiceSequence,
    /// The values of the inputs that the running step asks for, where a schedule has them.
    pub(super) given: GivenInputs,
    /// What the running step may ask of symbols, with update events.
    pub(super) named: NamedQuestions,
    /// The report of the step under way.
    pub(super) report: StepReport,
    /// The observers that are told of every operation of a step.
    pub(super) observers: Observers,
    /// Facts collected over all steps that were run so far.
    pub tally: Tally,
    pub(super) encoding: Encoding,
    /// Decides conditions that relate inputs.
    pub(super) relations: RelationSolver,
    /// Cached facts about components, with which symmetry permutes threads.
    pub(super) symmetry: crate::system::analyses::symmetry::Symmetry,
    /// The request to end the run. Loops over all answers of a step check it. It is never made unless an
    /// engine puts its own request here.
    pub halt: Halt,
}

/// Facts about the program that decide which operations are visible.
#[derive(Debug)]
pub(super) struct ProgramFacts {
    /// True if the program may ask whether a thread has ended without waiting for its end, or waits for it in
    /// an atomic section.
    pub ends_are_seen: bool,
    /// True if the first thread may end before others do, so that the process ends with the last of them.
    pub first_may_end: bool,
    /// True if the program defines a form of `operator new`.
    pub new_is_replaced: bool,
    /// The kinds of clocks that may pass and that the program reads.
    pub clocks_read: library::Kinds,
    /// True if the program sleeps, or waits until a time.
    pub clocks_move: bool,
    /// Where the program may allocate memory later.
    pub later_allocations: LaterAllocations,
    /// True if creations of one thread may notice the joins of another: see `library/creators.rs`.
    pub joins_are_seen: bool,
}

/// The threads of the working state.
#[derive(Debug)]
pub(super) struct ThreadTable {
    /// The components of each thread. Those of the running thread are from before its step.
    pub slots: Vec<ThreadSlots>,
    /// The way in which new threads are numbered.
    pub numbering: Numbering,
    /// Threads that exist and have not ended.
    pub live: usize,
}

/// The thread whose step is under way.
pub(super) struct Running {
    /// The number of the thread.
    pub thread: usize,
    /// The innermost frames, decoded.
    pub stack: Stack,
    /// The component of the frames below those in `stack`.
    pub rest: Id,
}

/// Facts about all steps that a machine has run. Nothing is ever removed, so an engine may read them when it
/// is done.
#[derive(Debug)]
pub struct Tally {
    /// The code that was executed.
    pub reached: Reached,
    /// The place at which a full store buffer first had to be flushed early.
    pub bound_was_hit: Option<Place>,
    /// The first behaviour of the program that was not explored, and its place.
    pub left_out: Option<(Unknown, Place)>,
}

impl Tally {
    /// Adds the facts of another machine for the same program.
    pub fn add(&mut self, other: &Self) {
        self.bound_was_hit = self.bound_was_hit.take().or_else(|| other.bound_was_hit.clone());
        self.left_out = self.left_out.take().or_else(|| other.left_out.clone());
        self.reached.add(&other.reached);
    }
}

/// Data needed to encode states.
#[derive(Debug)]
pub(super) struct Encoding {
    /// The component without words.
    pub empty: Id,
    /// The component that ended threads have in place of their lower frames.
    pub ended: Id,
    /// The words of the component that is being encoded.
    pub scratch: Vec<u64>,
    /// The symbols in components, where inputs are not chosen at once.
    pub symbols: SymbolsOfComponents,
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
                later_allocations: LaterAllocations::default(),
                joins_are_seen: !config.updates && others_create_or_join(program),
                first_may_end: program.functions.iter().any(|function| library::ends_thread(&function.name)),
                new_is_replaced: library::replaces_new(program),
                clocks_read: library::clocks_read(program),
                clocks_move: library::moves_clocks(program),
                ends_are_seen: config.sees_ends
                    || program.functions.iter().any(|function| library::asks_for_end(&function.name)),
            },
            memory,
            buffers: StoreBuffers::new(config.model(), config.updates),
            threads: ThreadTable { slots: Vec::new(), numbering: Numbering::default(), live: 0 },
            running: Running { thread: 0, stack: Stack::default(), rest: empty },
            choices: ChoiceSequence::default(),
            given: GivenInputs::default(),
            named: NamedQuestions::default(),
            report: StepReport::default(),
            observers: Observers::new(&config),
            tally: Tally { reached: Reached::new(program), bound_was_hit: None, left_out: None },
            encoding: Encoding { empty, ended, scratch: Vec::new(), symbols: SymbolsOfComponents::default() },
            relations: RelationSolver::default(),
            symmetry: crate::system::analyses::symmetry::Symmetry::default(),
            halt: Halt::default(),
        };
        let entry = program.entry.expect("the loader adds an entry function");
        machine.running.stack.defers_inputs = inputs::are_used(program, &config);
        if !machine.keeps_inputs() && crate::system::analyses::symmetry::is_possible(program, &config) {
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

    /// The components of all states seen so far.
    #[must_use]
    pub const fn components(&self) -> &Interner {
        &self.memory.components
    }

    /// The pending stores of the working state.
    #[must_use]
    pub const fn buffers(&self) -> &StoreBuffers {
        &self.buffers
    }

    /// The threads of the working state that exist and have not ended.
    pub fn live_threads(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.threads.slots.len()).filter(|&thread| self.is_live(thread))
    }

    /// The live threads that may take a step unless they are blocked. Inside an atomic section this is only
    /// the thread that is in the section.
    pub fn schedulable_threads(&self) -> impl Iterator<Item = usize> + '_ {
        let atomic = self.memory.table.atomic;
        self.live_threads().filter(move |&thread| atomic.is_none_or(|owner| owner == thread))
    }

    /// The number of threads that the working state has room for.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads.slots.len()
    }

    pub(super) fn is_live(&self, thread: usize) -> bool {
        self.memory.table.threads[thread] != ThreadState::Free && self.threads.slots[thread].rest != self.encoding.ended
    }

    /// True if everything that other threads did happens-before the running thread's next operation. The
    /// running thread then need not stop for them.
    pub(super) fn is_alone(&self) -> bool {
        // The end of a thread that was not joined does not happen-before anything. Reordering depends on
        // that, state matching does not.
        if !self.config.updates {
            return self.threads.live == 1;
        }
        // A step that finds that a thread has ended without waiting for it may not find that elsewhere, and
        // must not do more than that.
        let may_find_ends = self.config.reads_from && self.facts.ends_are_seen;
        self.threads.slots.len() == 1 && !may_find_ends
    }

    /// The result of a thread, if it has ended.
    pub(super) fn result_of(&self, thread: usize) -> Option<Value> {
        self.announce_look_at_result(thread);
        let slots = self.threads.slots[thread];
        (slots.rest == self.encoding.ended).then(|| threads::result(self.memory.components.get(slots.top)))
    }

    /// The function and instruction that a live thread of the working state is at.
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

    /// With update events, the stores of a thread that have not reached memory yet, oldest first.
    #[must_use]
    pub fn waiting(&self, thread: usize) -> &[crate::system::buffers::BufferedStore] {
        match &self.buffers {
            StoreBuffers::Updated(updates) => updates.waiting(thread),
            StoreBuffers::Delayed(_) => &[],
        }
    }

    /// With update events, true if a store of a thread has not reached memory yet.
    #[must_use]
    pub fn has_waiting(&self, thread: usize) -> bool {
        !self.waiting(thread).is_empty()
    }

    /// With update events, the number of stores that a thread has buffered so far.
    #[must_use]
    pub fn pushed(&self, thread: usize) -> u32 {
        match &self.buffers {
            StoreBuffers::Updated(updates) => updates.pushed(thread),
            StoreBuffers::Delayed(_) => 0,
        }
    }

    /// With update events, lets a store of a thread reach memory. The result is `None` if the store is not
    /// waiting.
    pub fn update(&mut self, thread: usize, number: u32) -> Option<crate::system::buffers::BufferedStore> {
        let Self { buffers: StoreBuffers::Updated(updates), memory, .. } = self else { return None };
        updates.update(memory, thread, number)
    }

    /// With update events, leaves of a thread's stores only the newest value of each byte.
    pub fn coalesce(&mut self, thread: usize) {
        if let StoreBuffers::Updated(updates) = &mut self.buffers {
            updates.coalesce(thread);
        }
    }

    /// With update events, drops a thread's stores from number `first` on, as if it had not come to them.
    pub fn drop_stores_from(&mut self, thread: usize, first: u32) {
        if let StoreBuffers::Updated(updates) = &mut self.buffers {
            updates.drop_from(thread, first);
        }
    }

    /// With update events, numbers the stores of each thread whose buffer is empty from 0 again.
    pub fn restart_store_numbers(&mut self) {
        if let StoreBuffers::Updated(updates) = &mut self.buffers {
            updates.restart_numbers();
        }
    }

    /// The functions and instructions of a live thread's frames in the working state, innermost first.
    #[must_use]
    pub fn backtrace(&self, thread: usize) -> Vec<(FuncId, Pc)> {
        threads::backtrace(&self.memory.components, self.threads.slots[thread])
    }

    /// The functions and calls of the frames of a thread below the innermost one, innermost first.
    pub fn calls(&self, thread: usize) -> impl Iterator<Item = (FuncId, Pc)> {
        threads::frames_below(&self.memory.components, self.threads.slots[thread].rest)
    }

    /// The functions and instructions of the frames of a thread after its step, innermost first. If the end
    /// of the thread was the violation, these are the frames from before its end.
    #[must_use]
    pub fn backtrace_after(&self, thread: usize, report: &StepReport) -> Vec<(FuncId, Pc)> {
        report
            .ended_at
            .map_or_else(|| self.backtrace(thread), |ended_at| threads::backtrace(&self.memory.components, ended_at))
    }

    /// The position of a thread before its step: its innermost frame whose line is known, or else its
    /// innermost frame.
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
        self.forget_disguised();
        threads::decode(self.code(), self.memory.components.get(slots.top), &mut self.running.stack);
    }

    /// Packs the running thread's frames into its components.
    pub(super) fn leave(&mut self) {
        self.share_disguised();
        let slots = threads::encode(
            self.code(),
            &mut self.memory.components,
            &self.running.stack,
            self.running.rest,
            &mut self.encoding.scratch,
        );
        self.threads.slots[self.running.thread] = slots;
    }

    /// Records that some behaviour that the program can have here is not explored.
    pub fn note_left_out(&mut self, what: Unknown) {
        if self.tally.left_out.is_none() {
            self.tally.left_out = Some((what, self.place_of_step()));
        }
    }

    /// The position of the running thread, of its decoded frames.
    pub(super) fn place_of_step(&self) -> Place {
        let frames: Vec<_> = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc)).collect();
        self.program.first_place(&frames)
    }

    /// The file of the running thread's innermost decoded frame whose line is known; empty if there is none.
    /// It may be one of the language's standard library.
    pub(super) fn file_of_operation(&self) -> &str {
        let frames = self.running.stack.frames().iter().rev();
        let mut locations = frames.map(|frame| self.program.location(frame.function, frame.pc));
        let known = locations.find(|location| location.line > 0);
        known.map_or("", |location| self.program.file(location))
    }

    /// The component of the empty list of frames.
    pub(super) const fn nothing_below(&self) -> Id {
        self.encoding.empty
    }

    /// The function in which the running thread began.
    pub(super) fn outermost_function(&self) -> FuncId {
        let below = threads::frames_below(&self.memory.components, self.running.rest).last();
        below.map_or(self.running.stack.frames()[0].function, |(function, _)| function)
    }

    /// Makes the running thread leave all its functions and begin anew in `function`, with one argument.
    pub(super) fn restart_in(&mut self, function: FuncId, argument: Value) {
        self.running.rest = self.encoding.empty;
        self.running.stack.clear();
        self.running.stack.push_bare(function, Pc(0), self.program.function(function).registers);
        self.running.stack.set(crate::ir::Reg::new(0), argument);
    }

    /// Decodes the caller of the lowest decoded frame. The result is false if there is no caller.
    pub(super) fn fetch_caller(&mut self) -> bool {
        if self.running.stack.below == 0 {
            return false;
        }
        self.running.rest =
            threads::decode_caller(self.code(), &self.memory.components, self.running.rest, &mut self.running.stack);
        true
    }

    /// Decodes callers until one has a place in the program's source, if there is one.
    pub(super) fn fetch_place(&mut self) {
        while self.place_of_step().line == 0 && self.fetch_caller() {}
    }

    /// Names the pending stores, for reports. `tags` is what [`rmc_runtime::Buffers::tags`] returned before
    /// the state was packed.
    pub fn set_tags(&mut self, tags: &[rmc_runtime::StoreTag]) {
        self.buffers.set_tags(tags);
    }

    /// The number of bytes that the components take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.components.bytes()
    }
}
