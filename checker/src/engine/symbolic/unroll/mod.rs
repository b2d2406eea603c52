//! The threads of a program, unrolled into events.
//!
//! Functions are inlined, loops and recursion followed up to a bound, and paths merged where they meet
//! (`calls.rs`), so that a thread is a list of events in which each path's events are in program order, each
//! with the condition under which a path takes it. What a load reads is a new variable; what is computed from
//! it are terms over these variables and the inputs. The list is finite, whatever the program.
//!
//! As long as there is one thread, its memory is known: these accesses make no events (`access.rs`). That
//! *beginning* ends when the first thread is created, or before that where the only path splits into several
//! that do not meet before a creation.
//!
//! What the program must not do are *claims* (`claims.rs`): a condition for each, true if the path is there
//! and does it.

mod access;
mod calls;
mod claims;
mod copies;
mod events;
mod indirect;
mod instructions;
mod library;
mod lifetimes;
mod narrow;
mod objects;
mod reads;
mod wide;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rmc_formula::TermId;

pub use self::claims::{Claim, Nowhere};
pub use self::events::{Action, AtomicPlace, Event, LogEntry, Logged, Place, UnrolledThread};
pub use self::lifetimes::LIVES;
pub use self::narrow::narrowed;
pub use self::objects::Objects;
use super::memory::Memory;
use super::order::Order;
use super::values::table::{Added, Range, Table};
use super::word::{Formulas, Word};
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::system::Config;

/// The bounds of an unrolling.
#[derive(Clone, Copy, Debug)]
pub struct UnrollBounds {
    /// The turns of a loop, after the first pass through its head, that depend on values which are not known;
    /// and the calls of a function within itself.
    pub turns: u32,
    /// The bits of numbers, if they are bounded: see `narrow.rs`.
    pub width: Option<u32>,
}

/// The turns of a loop that depend on nothing unknown, and the events of a thread, are limited, too: such a
/// loop need not end.
const MOST_KNOWN_TURNS: u32 = 1 << 16;
const MOST_EVENTS: usize = 1 << 14;

/// The reasons for which an unrolling ends.
#[derive(Debug)]
pub enum Stop {
    /// No path goes on here.
    Dead,
    /// The beginning has to end earlier, before this instruction of the first thread: see [`Beginning`].
    Earlier(u64),
    /// Something that this engine does not follow.
    Refused {
        /// What it is.
        what: String,
        /// The instruction.
        place: Place,
    },
    /// The end of the run was asked for.
    Halted,
}

/// One path of a thread, or several merged ones.
#[derive(Clone, Debug)]
struct Path {
    /// Whether this is where the thread is: 1 bit.
    guard: TermId,
    /// The registers of the innermost function.
    registers: Vec<Word>,
    /// Local variables, and in the beginning all memory.
    memory: Memory,
    /// The atomic sections around it.
    sections: u32,
    /// What the path added to places.
    added: BTreeMap<Range, Added>,
}

/// The part of the first thread before others exist.
#[derive(Debug)]
struct Beginning {
    /// True while the thread is in it.
    is_going_on: bool,
    /// The instruction before which it ends at the latest, if that is known from an attempt before.
    ends_before: Option<u64>,
    /// Instructions so far.
    instructions: u64,
    /// The last instruction before which there was only one path.
    last_single: u64,
    /// Paths that wait to be followed.
    waiting: usize,
    /// The memory at its end.
    memory: Memory,
}

/// A thread that is to be unrolled.
struct ThreadStart {
    thread: usize,
    function: FuncId,
    argument: Word,
}

/// A point beyond which a path is not followed, because of a bound.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The thread.
    pub thread: usize,
    /// The number of the thread's events before it.
    pub after: usize,
    /// Whether the thread comes there, if it executes these: 1 bit.
    pub guard: TermId,
}

/// An unrolled program.
pub struct Unrolled {
    /// The terms.
    pub formulas: Formulas,
    /// The threads; the first one runs `main`.
    pub threads: Vec<UnrolledThread>,
    /// What must not happen.
    pub claims: Vec<Claim>,
    /// Where threads go further.
    pub cuts: Vec<Cut>,
    /// Conditions that hold: of inputs.
    pub assumptions: Vec<TermId>,
    /// The objects.
    pub objects: Objects,
    /// The memory at the end of the beginning.
    pub memory: Memory,
    /// True if something was followed that has other executions here than on the machine, so that every claim
    /// is doubtful: see [`Claim`].
    pub is_coarse: bool,
    /// What each thread adds to places.
    pub added: BTreeMap<Range, BTreeMap<usize, Added>>,
}

/// The unrolling under way.
struct Unroller<'p> {
    program: &'p Program,
    config: &'p Config,
    bounds: UnrollBounds,
    /// What loads may find.
    table: &'p Table,
    /// The accesses that may be anywhere.
    elsewhere: &'p BTreeSet<Place>,
    halted: &'p dyn Fn() -> bool,
    /// See [`Unrolled::added`].
    added: BTreeMap<Range, BTreeMap<usize, Added>>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    formulas: Formulas,
    threads: Vec<UnrolledThread>,
    starts: VecDeque<ThreadStart>,
    claims: Vec<Claim>,
    cuts: Vec<Cut>,
    assumptions: Vec<TermId>,
    objects: Objects,
    beginning: Beginning,
    /// See [`Unrolled::is_coarse`].
    is_coarse: bool,
    /// True if the program may free memory.
    frees: bool,
    /// The functions to which pointers in shared memory may point, as far as attempts before found them.
    published_functions: BTreeSet<FuncId>,
    /// True if they matter: see `indirect.rs`.
    calls_published: bool,
    /// Variables that number a thread.
    thread_numbers: Vec<TermId>,
    /// The thread that is being unrolled.
    thread: usize,
    /// The functions that it is in, and of each the instruction that it is at.
    frames: Vec<(FuncId, Pc)>,
}

/// Unrolls a program, whose loads find what a table has, and some of whose accesses may be anywhere.
///
/// # Errors
/// What this engine does not follow, with its place; or that the end of the run was asked for.
pub fn unroll(
    program: &Program,
    config: &Config,
    bounds: UnrollBounds,
    (table, elsewhere): (&Table, &BTreeSet<Place>),
    halted: &dyn Fn() -> bool,
) -> Result<Unrolled, Stop> {
    let mut ends_before = None;
    let mut functions = BTreeSet::new();
    loop {
        let mut unroller = Unroller::new(program, config, (bounds, table, elsewhere), halted, ends_before);
        unroller.published_functions.clone_from(&functions);
        match unroller.unroll() {
            Ok(()) => {
                let calls_published = unroller.calls_published;
                let unrolled = unroller.finish();
                let published = unrolled.published_functions(program);
                if !calls_published || published.is_subset(&functions) {
                    return Ok(unrolled);
                }
                functions.extend(published);
            }
            Err(Stop::Earlier(instruction)) => ends_before = Some(instruction),
            Err(stop) => return Err(stop),
        }
    }
}

impl<'p> Unroller<'p> {
    fn new(
        program: &'p Program,
        config: &'p Config,
        (bounds, table, elsewhere): (UnrollBounds, &'p Table, &'p BTreeSet<Place>),
        halted: &'p dyn Fn() -> bool,
        ends_before: Option<u64>,
    ) -> Self {
        Self {
            program,
            config,
            bounds,
            table,
            elsewhere,
            halted,
            added: BTreeMap::new(),
            orders: FxHashMap::default(),
            formulas: Formulas::default(),
            threads: vec![UnrolledThread::default()],
            starts: VecDeque::new(),
            claims: Vec::new(),
            cuts: Vec::new(),
            assumptions: Vec::new(),
            objects: Objects::default(),
            beginning: Beginning {
                is_going_on: true,
                ends_before,
                instructions: 0,
                last_single: 0,
                waiting: 0,
                memory: Memory::default(),
            },
            is_coarse: false,
            frees: lifetimes::frees(program),
            published_functions: BTreeSet::new(),
            calls_published: false,
            thread_numbers: Vec::new(),
            thread: 0,
            frames: Vec::new(),
        }
    }

    /// The path on which a thread starts.
    fn start(&mut self) -> Path {
        Path {
            guard: self.formulas.terms.boolean(true),
            registers: Vec::new(),
            memory: Memory::default(),
            sections: 0,
            added: BTreeMap::new(),
        }
    }

    fn unroll(&mut self) -> Result<(), Stop> {
        self.make_internal(LIVES, u32::MAX);
        let entry = self.program.entry.expect("the loader adds an entry function");
        let path = self.start();
        // The entry function ends in `exit`, after which nothing is of interest.
        match self.call(entry, &[], path) {
            Ok(_) | Err(Stop::Dead) => {}
            Err(stop) => return Err(stop),
        }
        while let Some(ThreadStart { thread, function, argument }) = self.starts.pop_front() {
            self.thread = thread;
            self.unroll_thread(function, argument)?;
        }
        self.make_flags();
        self.bound_thread_numbers();
        Ok(())
    }

    fn unroll_thread(&mut self, function: FuncId, argument: Word) -> Result<(), Stop> {
        let path = self.start();
        if self.begin_thread(&path, (function, Pc(0))).is_err() {
            return Ok(());
        }
        let params = self.program.function(function).params as usize;
        let ended = self.call(function, &[argument][..params.min(1)], path);
        let returned = match ended {
            Ok(Some(returned)) => returned,
            Ok(None) | Err(Stop::Dead) => return Ok(()),
            Err(stop) => return Err(stop),
        };
        let result = returned.words.first().copied().unwrap_or(Word::ZERO);
        match self.end_thread(returned.path, result, returned.place) {
            Err(Stop::Dead) => Ok(()),
            ended => ended,
        }
    }

    fn finish(self) -> Unrolled {
        let memory = self.beginning.memory;
        let Self { formulas, threads, claims, cuts, assumptions, objects, is_coarse, added, .. } = self;
        Unrolled { formulas, threads, claims, cuts, assumptions, objects, memory, is_coarse, added }
    }

    /// The refusal of something at the instruction under way.
    fn refuse<T>(&self, what: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Refused { what: what.into(), place: self.place() })
    }

    /// The instruction under way.
    fn place(&self) -> Place {
        *self.frames.last().expect("a thread is in a function")
    }
}
