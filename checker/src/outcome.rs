//! What a run found: verdict, why it stopped, statistics, violations with the schedule that shows them.

pub mod coverage;
pub mod cycle;
pub mod event;
pub mod guards;
pub mod hottest;
pub mod measures;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use coverage::Coverage;
use cycle::Robustness;
use guards::{Guard, Word};
use hottest::Hottest;
use measures::{Measures, Sample};
use serde::{Deserialize, Serialize};

/// What the program under test did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::missing_docs_in_private_items)] // the names say it; `describe` says it in words
pub enum ViolationKind {
    Assertion,
    Abort,
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
    /// A few words for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Assertion => "an assertion failed",
            Self::Abort => "the program aborted",
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

/// A wrong thing the program did, with what is known where it happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Which kind.
    pub kind: ViolationKind,
    /// Details in words, lower case, without a full stop.
    pub message: String,
    /// An address in the memory it is about, to look up where that came from.
    pub subject: Option<u64>,
}

impl Fault {
    /// A fault of this kind.
    #[must_use]
    pub fn new(kind: ViolationKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), subject: None }
    }

    /// The same, about the memory at an address.
    #[must_use]
    pub const fn about(mut self, address: u64) -> Self {
        self.subject = Some(address);
        self
    }
}

/// Why nothing is claimed.
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
    OtherViolation,
    HashCompaction,
    StoreFile,
}

impl Unknown {
    /// Whether the exploration was stopped before its end, rather than kept from some part.
    #[must_use]
    pub const fn stops(self) -> bool {
        matches!(self, Self::StateLimit | Self::MemoryLimit | Self::Timeout | Self::Interrupted | Self::StoreFile)
    }

    /// What happened and what can be done.
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
                "a nondeterministic value of this type has too many values to try them all (--nondet-range MIN..MAX tries some)"
            }
            Self::OtherViolation => {
                "the property is not violated where behaviour is defined, but the program's behaviour is undefined in another way"
            }
            Self::HashCompaction => {
                "nothing is wrong in any state that was seen, but states were told apart by hashes (--store compact)"
            }
            Self::StoreFile => "the store file could not grow: is its disk full? (--store-file)",
            Self::CopyOrder => {
                "memory is moved to a place that overlaps it while another thread changes it, and not every order of the accesses was explored"
            }
            Self::DataRange => {
                "only the nondeterministic values in --nondet-range were tried, and nothing is wrong with these"
            }
        }
    }
}

/// What is claimed about the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No reachable execution does anything wrong.
    Holds,
    /// An execution does; it is shown.
    Violated,
    /// Neither is known, because of this.
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

/// One step of a schedule: which thread, and the answers to the questions the step asked (what a load sees,
/// say).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// The thread, 0 is the one that runs `main`.
    pub thread: usize,
    /// Answers in order; each is below the number of alternatives there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// If it is no step but a store that reaches memory: the store's number among the buffered stores of the
    /// thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<u32>,
    /// The numbers of the threads that it creates, in order; none if those are the lowest free ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creates: Vec<usize>,
}

impl ScheduleStep {
    /// A step of a thread that gives each thread that it creates the lowest free number.
    #[must_use]
    pub const fn of(thread: usize, choices: Vec<u32>) -> Self {
        Self { thread, choices, update: None, creates: Vec::new() }
    }
}

/// A violation and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What went wrong.
    pub fault: Fault,
    /// The steps; the last one ends in the violation. A deadlock is the state after the last step.
    pub schedule: Vec<ScheduleStep>,
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
    /// Of an integer or pointer type of at most 8 bytes: as a signed number.
    Number(i64),
    /// An array of these.
    Numbers(Vec<i64>),
    /// Of another type: bytes in memory order, in hexadecimal, `--` where uninitialised.
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
    /// Of the blocked executions, those that end in a deadlock.
    pub deadlocked_executions: u64,
    /// Those in which a loop waits that would end if it looked again: other executions continue them.
    pub await_blocked_executions: u64,
    /// Those in which a thread goes round for ever without looking at anything.
    pub endless_executions: u64,
    /// Those that a bound on loops cut off.
    pub bound_blocked_executions: u64,
    /// How often a thread went round in a loop at most, if the stateless engine bounded that by itself and
    /// was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_bound: Option<u32>,
    /// Those that ended because an assumption does not hold.
    pub assumption_blocked_executions: u64,
    /// Executions that turned out to be redundant; not among the blocked ones.
    pub sleep_blocked_executions: u64,
    pub races_reversed: u64,
    pub events: u64,
    pub max_depth: u64,
    pub bytes_per_state: f64,
    pub store_bytes: u64,
    pub peak_rss_bytes: u64,
    pub seconds: f64,
    pub states_per_second: f64,
    /// Answers beyond the first to the question what a load sees, or other questions within steps.
    pub flush_choices: u64,
    pub pending_stores_max: u64,
    pub components: u64,
    /// With hash compaction: how likely it is at most that some state was taken for another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omission_probability: Option<f64>,
    pub threads_max: u64,
    pub measures: Measures,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionEnd {
    /// Exit status of the process.
    pub exit: i64,
    /// What the program printed, to whichever stream.
    pub output: String,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What is claimed.
    pub verdict: Verdict,
    /// Where the program first met the reason for `unknown`, if that is in the program.
    pub reason_place: Option<Place>,
    /// Violations, shortest first; more than one only on request.
    pub violations: Vec<Violation>,
    /// Counters.
    pub statistics: Statistics,
    /// Whether everything was explored that was to be: nothing stopped the engine before its end, and no
    /// store buffer was too small.
    pub complete: bool,
    /// Final states, if they were asked for.
    pub final_states: Option<BTreeSet<FinalState>>,
    /// The execution of a program that has only one, and does nothing wrong in it.
    pub only_execution: Option<ExecutionEnd>,
    /// Whether every execution is one of sequential consistency, if that was asked.
    pub robustness: Option<Robustness>,
    /// What no execution reached, if nothing goes wrong.
    pub coverage: Option<Coverage>,
    /// Where most of the work was, if nothing is claimed.
    pub hottest: Option<Hottest>,
    /// With which guards of memory it was found: schedules are for these.
    pub guards: Vec<(Word, Guard)>,
    /// With which bound on store buffers, which may be larger than the one that was asked for.
    pub buffer_bound: usize,
}

impl Outcome {
    /// That of a run that was stopped from outside, with this bound on store buffers. `latest`: how far its
    /// engine last said it was; `time`: since the run began.
    #[must_use]
    pub fn stopped(reason: Unknown, latest: &Sample, time: Duration, buffer_bound: usize) -> Self {
        let statistics = Statistics {
            states: latest.states,
            executions: latest.executions,
            store_bytes: latest.bytes,
            seconds: time.as_secs_f64(),
            ..Statistics::default()
        };
        Self {
            verdict: Verdict::Unknown(reason),
            reason_place: None,
            violations: Vec::new(),
            statistics,
            complete: false,
            final_states: None,
            only_execution: None,
            robustness: None,
            coverage: None,
            hottest: None,
            guards: Vec::new(),
            buffer_bound,
        }
    }
}
