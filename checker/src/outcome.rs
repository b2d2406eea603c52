//! The outcome of a run: the verdict, the reason for stopping, the statistics, and the violations with their
//! schedules.

pub mod coverage;
pub mod cycle;
pub mod delay;
pub mod event;
pub mod guards;
pub mod histories;
pub mod hottest;
pub mod measures;
pub mod text;

use self::histories::HistoryChecks;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use coverage::Coverage;
use cycle::{Monitored, Robustness};
use guards::{Guard, Word};
use hottest::Hottest;
use measures::{Measures, ProgressSample};
use serde::{Deserialize, Serialize};

/// The kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::missing_docs_in_private_items)] // the names say it; `describe` says it in words
pub enum ViolationKind {
    Assertion,
    Abort,
    UncaughtException,
    Panic,
    ReachError,
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    NullDereference,
    WildPointer,
    WriteToConstant,
    UninitialisedBranch,
    UninitialisedDereference,
    UninitialisedArgument,
    UndefinedResult,
    FalseAssumption,
    InvalidCall,
    InvalidArgument,
    DivisionByZero,
    DivisionOverflow,
    Unreachable,
    Deadlock,
    UnlockNotHeld,
    Relock,
    DestroyHeld,
    UninitialisedMutex,
    UninitialisedSync,
    WaitWithoutMutex,
    WaitTwoMutexes,
    DestroyWaited,
    InvalidKey,
    JoinTwice,
    JoinSelf,
    FormatMismatch,
    DeadJump,
    MemoryLeak,
    DataRace,
    SignedOverflow,
    NotRobust,
}

impl ViolationKind {
    /// A short description for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Assertion => "an assertion failed",
            Self::Abort => "the program aborted",
            Self::UncaughtException => "an exception was not caught",
            Self::Panic => "a panic",
            Self::ReachError => "the error function was called",
            Self::OutOfBounds => "an access out of bounds",
            Self::UseAfterFree => "a use of freed memory",
            Self::UseAfterReturn => "a use of a local variable that is gone",
            Self::DoubleFree => "memory was freed twice",
            Self::InvalidFree => "free of something that malloc did not return",
            Self::NullDereference => "a null pointer was dereferenced",
            Self::WildPointer => "a pointer to nothing was dereferenced",
            Self::WriteToConstant => "a write to constant memory",
            Self::UninitialisedBranch => "a branch depends on an uninitialised value",
            Self::UninitialisedDereference => "an uninitialised pointer was dereferenced",
            Self::UninitialisedArgument => "an uninitialised value was given to a library function",
            Self::UndefinedResult => "a result that the C standard leaves undefined was used",
            Self::FalseAssumption => "an assumption that the program told the compiler does not hold",
            Self::InvalidCall => "a call of something that is no such function",
            Self::InvalidArgument => "a library function was given an invalid argument",
            Self::DivisionByZero => "a division by zero",
            Self::DivisionOverflow => "a division whose result does not fit",
            Self::Unreachable => "code that must not be reached was reached",
            Self::Deadlock => "a deadlock",
            Self::UnlockNotHeld => "a thread unlocks what it does not hold",
            Self::Relock => "a thread locks what it already holds",
            Self::DestroyHeld => "a held lock was destroyed",
            Self::UninitialisedMutex => "use of a mutex that is not initialised",
            Self::UninitialisedSync => "use of a synchronisation object that is not initialised",
            Self::WaitWithoutMutex => "a wait at a condition variable without holding the mutex",
            Self::WaitTwoMutexes => "two waits at a condition variable with different mutexes",
            Self::DestroyWaited => "an object was destroyed or made anew while threads wait at it",
            Self::InvalidKey => "use of a key for thread-specific data that does not exist",
            Self::JoinTwice => "join of a thread that is detached or already joined",
            Self::JoinSelf => "a thread joined itself",
            Self::FormatMismatch => "a format string does not match its arguments",
            Self::DeadJump => "longjmp to a function that has returned",
            Self::MemoryLeak => "memory is leaked",
            Self::DataRace => "a data race",
            Self::SignedOverflow => "an overflow of signed arithmetic",
            Self::NotRobust => "an execution that is not sequentially consistent",
        }
    }
}

/// A violation, with the details that are known where it is detected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// Details in words, lower case, without a full stop.
    pub message: String,
    /// The address of the memory that the fault is about; the report says who allocated and freed it.
    pub subject: Option<u64>,
}

impl Fault {
    /// A fault of this kind.
    #[must_use]
    pub fn new(kind: ViolationKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), subject: None }
    }

    /// This fault with `address` as the memory that it is about.
    #[must_use]
    pub const fn about(mut self, address: u64) -> Self {
        self.subject = Some(address);
        self
    }
}

/// The reasons for the verdict `unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::missing_docs_in_private_items)]
pub enum Unknown {
    StateLimit,
    MemoryLimit,
    Timeout,
    Interrupted,
    BufferBound,
    StackDepth,
    AllocationLimit,
    ThreadLimit,
    TextLength,
    LoopBound,
    Nondet,
    DataRange,
    CopyOrder,
    Clock,
    Time,
    Hashes,
    OtherViolation,
    HashCompaction,
    StoreFile,
    SymbolicBounds,
    ContextBound,
    Assumptions,
}

impl Unknown {
    /// True if this reason stopped the exploration before its end; false if it only left some part
    /// unexplored.
    #[must_use]
    pub const fn stops(self) -> bool {
        matches!(self, Self::StateLimit | Self::MemoryLimit | Self::Timeout | Self::Interrupted | Self::StoreFile)
    }

    /// A description of the reason, and of what the user can do about it.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::StateLimit => "the limit of states was reached (--max-states)",
            Self::MemoryLimit => {
                "the limit of memory was reached (--max-memory; by default three quarters of what was free)"
            }
            Self::Timeout => "the time limit was reached (--timeout)",
            Self::Interrupted => "interrupted",
            Self::BufferBound => {
                "a store buffer was full and had to be flushed early; raise --buffer-bound, 0 is unbounded"
            }
            Self::StackDepth => {
                "a thread's calls are nested deeper than 4096 frames; does the program recurse without end?"
            }
            Self::AllocationLimit => {
                "a thread holds more than 8191 heap objects or as many local variables, or one object is larger than 32 MiB"
            }
            Self::ThreadLimit => "more than 126 threads at a time",
            Self::TextLength => "a text to print is longer than 1 MiB, or 32 MiB with what is filled in",
            Self::LoopBound => {
                "a thread went round in a loop more often than was to be followed; raise --unroll, or leave it out"
            }
            Self::Nondet => {
                "the program needs to know a nondeterministic value here that has too many values to try them all (--nondet-range MIN..MAX tries some)"
            }
            Self::OtherViolation => {
                "the property is not violated where behaviour is defined, but the program's behaviour is undefined in another way"
            }
            Self::HashCompaction => {
                "nothing is wrong in any state that was seen, but states were told apart by hashes (--store compact)"
            }
            Self::SymbolicBounds => {
                "the symbolic engine found no violation within its bounds; it proves nothing beyond them, and does not look for uses of what is destroyed or out of scope, nor for wrong uses of names of threads"
            }
            Self::ContextBound => "executions with more preemptions were not explored; raise --context-bound",
            Self::Assumptions => {
                "an execution is not sequentially consistent before the program assumes something, and it is not known whether it can go on so that what is assumed is true"
            }
            Self::StoreFile => "the store file could not grow: is its disk full? (--store-file)",
            Self::CopyOrder => {
                "memory is moved to a place that overlaps it while another thread changes it, and not every order of the accesses was explored"
            }
            Self::Clock => {
                "the program reads a clock here; nothing is wrong while time stands still, and what happens when time passes was not explored (--clocks pass explores it, where values may be chosen late; or define the clock's function in the test driver, with rmc_int for the time)"
            }
            Self::Time => {
                "a wait of C++ with a time ends, a thread sleeps for longer than clocks go on, or clocks of several kinds are read, in a program that reads clocks that pass, and what follows was not explored (--clocks stand explores it with clocks that stand still)"
            }
            Self::Hashes => {
                "the program depends on random hashes here, such as on the order of a HashMap; nothing is wrong with those that were tried, and others were not explored (a BTreeMap has one order)"
            }
            Self::DataRange => {
                "only the nondeterministic values in --nondet-range were tried, and nothing is wrong with these"
            }
        }
    }
}

/// A claim about the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No reachable execution has a violation.
    Holds,
    /// A reachable execution has a violation; the report shows it.
    Violated,
    /// Neither is known, for this reason.
    Unknown(Unknown),
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file as the compiler was given it, empty if unknown.
    pub file: String,
    /// The line, 0 if unknown.
    pub line: u32,
}

/// One step of a schedule: the thread that steps, and the answers to the choices within the step (for example
/// which store a load reads).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// The thread, 0 is the one that runs `main`.
    pub thread: usize,
    /// Answers in order; each is below the number of alternatives there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// The number of a buffered store among those of the thread, if this entry is that store reaching memory
    /// instead of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<u32>,
    /// The numbers of the threads that the step creates, in order; empty if they are the lowest free numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creates: Vec<usize>,
    /// The values of the inputs that the step asks for, in order, as bits of the input's width. Only inputs
    /// whose values an engine keeps open are here; those that it tries one by one are [`Self::choices`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<u64>,
    /// The greatest number of operations that the step performs, if it ends before it has to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<u32>,
}

impl ScheduleStep {
    /// A step of a thread that gives each thread that it creates the lowest free number.
    #[must_use]
    pub const fn of(thread: usize, choices: Vec<u32>) -> Self {
        Self { thread, choices, update: None, creates: Vec::new(), inputs: Vec::new(), operations: None }
    }
}

/// A violation and a schedule that reaches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The violation itself.
    pub fault: Fault,
    /// The steps; the last one ends in the violation. A deadlock is the state after the last step.
    pub schedule: Vec<ScheduleStep>,
    /// The number of preemptions of the schedule, if executions were explored in order of preemptions. No
    /// execution with fewer has the violation.
    pub preemptions: Option<u32>,
}

/// The values of the globals when the process ended, and its exit status.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FinalState {
    /// Exit status.
    pub exit: i64,
    /// Globals by name.
    pub globals: BTreeMap<String, GlobalValue>,
}

/// The final value of a global variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GlobalValue {
    /// The value of an integer or pointer of at most 8 bytes, as a signed number.
    Number(i64),
    /// The values of an array of such elements.
    Numbers(Vec<i64>),
    /// The value of any other type: bytes in memory order, in hexadecimal, `--` for an uninitialised byte.
    Bytes(String),
}

/// Counters of a run. Units are in the names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct Statistics {
    pub states: u64,
    pub transitions: u64,
    pub executions: u64,
    pub blocked_executions: u64,
    /// Blocked executions that end in a deadlock.
    pub deadlocked_executions: u64,
    /// Blocked executions in which a loop waits although it would end if it read memory again; other
    /// executions continue them.
    pub await_blocked_executions: u64,
    /// Blocked executions in which a thread loops for ever without reading memory that others may change.
    pub endless_executions: u64,
    /// Blocked executions that a bound on loops cut off.
    pub bound_blocked_executions: u64,
    /// The largest number of iterations of a loop, if the stateless engine bounded loops by itself and was
    /// stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_bound: Option<u32>,
    /// Blocked executions that ended because an assumption does not hold.
    pub assumption_blocked_executions: u64,
    /// Executions that turned out to be redundant; not among the blocked ones.
    pub sleep_blocked_executions: u64,
    pub races_reversed: u64,
    /// The reads-from classes of the executions, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_from_classes: Option<u64>,
    /// The histories that the reads-from engine decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histories: Option<HistoryChecks>,
    pub events: u64,
    pub max_depth: u64,
    pub bytes_per_state: f64,
    pub store_bytes: u64,
    pub peak_rss_bytes: u64,
    pub seconds: f64,
    pub states_per_second: f64,
    /// Alternatives beyond the first at the choices within steps, such as which store a load reads.
    pub flush_choices: u64,
    pub pending_stores_max: u64,
    pub components: u64,
    /// With hash compaction: an upper bound on the probability that two different states were taken for
    /// equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omission_probability: Option<f64>,
    pub threads_max: u64,
    /// The last formula of the symbolic engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<FormulaSize>,
    pub measures: Measures,
}

/// The bounds and the size of a formula of the symbolic engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct FormulaSize {
    /// The bound on the turns of loops.
    pub unroll: u32,
    pub rounds: u32,
    pub max_clock: u32,
    pub writes: u32,
    /// The bound on the bits of numbers, if there is one.
    pub width: Option<u32>,
    /// Events of all threads.
    pub events: u64,
    /// Variables and clauses of the solver.
    pub variables: u64,
    pub clauses: u64,
    /// True if no execution within the other bounds goes beyond the bound on the turns of loops.
    pub loops_end: bool,
}

impl FormulaSize {
    /// The bounds, as options, and the size, for tables.
    #[must_use]
    pub fn rows(&self) -> Vec<(&'static str, u64)> {
        let mut rows = vec![
            ("--unroll", self.unroll.into()),
            ("--rounds", self.rounds.into()),
            ("--max-clock", self.max_clock.into()),
            ("--writes", self.writes.into()),
            ("events of all threads", self.events),
            ("variables of the solver", self.variables),
            ("clauses", self.clauses),
        ];
        if let Some(width) = self.width {
            rows.insert(4, ("--width", width.into()));
        }
        rows
    }
}

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionEnd {
    /// Exit status of the process.
    pub exit: i64,
    /// The text that the program printed to all streams.
    pub output: String,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The claim about the program.
    pub verdict: Verdict,
    /// The place where the program first met the reason for `unknown`, if the reason is in the program.
    pub reason_place: Option<Place>,
    /// The use of the value that was needed there, if the reason is [`Unknown::Nondet`] and it is known.
    pub needed_value: Option<String>,
    /// Violations, shortest first; more than one only on request.
    pub violations: Vec<Violation>,
    /// Counters.
    pub statistics: Statistics,
    /// True if the exploration was exhaustive: nothing stopped the engine before its end, and no store buffer
    /// was too small.
    pub complete: bool,
    /// True if some execution was not followed to its end, or some behaviour was left out.
    pub bounded: bool,
    /// If every violation was asked for, the reason why there may be more than those found.
    pub unfinished: Option<Unknown>,
    /// Final states, if they were asked for.
    pub final_states: Option<BTreeSet<FinalState>>,
    /// The execution of a program that has exactly one, and no violation in it.
    pub only_execution: Option<ExecutionEnd>,
    /// The answer to whether every execution is sequentially consistent, if that was asked.
    pub robustness: Option<Robustness>,
    /// The executions from which a stateless engine answers that.
    pub monitor: Option<Monitored>,
    /// The code that no execution reached, if the program has no violation.
    pub coverage: Option<Coverage>,
    /// The place of most of the work, if the verdict is `unknown`.
    pub hottest: Option<Hottest>,
    /// The guards of memory words under which the violations were found; their schedules are valid only with
    /// these guards.
    pub guards: Vec<(Word, Guard)>,
    /// The bound on store buffers that was used; it may be larger than the one that was asked for.
    pub buffer_bound: usize,
}

impl Outcome {
    /// The outcome of a run that was stopped from outside, with this bound on store buffers. `latest` is the
    /// last progress sample of its engine; `time` is the time since the run began.
    #[must_use]
    pub fn stopped(reason: Unknown, latest: &ProgressSample, time: Duration, buffer_bound: usize) -> Self {
        let statistics = Statistics {
            states: latest.states,
            executions: latest.executions,
            store_bytes: latest.bytes,
            seconds: time.as_secs_f64(),
            ..Statistics::default()
        };
        Self { statistics, ..Self::undecided(reason, buffer_bound) }
    }

    /// The outcome of a run that claims nothing, for this reason, with this bound on store buffers.
    #[must_use]
    pub fn undecided(reason: Unknown, buffer_bound: usize) -> Self {
        Self {
            verdict: Verdict::Unknown(reason),
            reason_place: None,
            needed_value: None,
            violations: Vec::new(),
            statistics: Statistics::default(),
            complete: false,
            bounded: true,
            unfinished: None,
            final_states: None,
            only_execution: None,
            robustness: None,
            monitor: None,
            coverage: None,
            hottest: None,
            guards: Vec::new(),
            buffer_bound,
        }
    }
}
