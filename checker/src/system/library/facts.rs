//! What is known of a modelled function: a row of the table in `functions.rs`, and the notation of rows.

use super::Model;
use crate::ir::program::SUPPORT_PREFIX;

/// A modelled function. Whoever wants to know something about one asks its row; nobody compares its name.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFunction {
    /// The name by which code calls it.
    pub name: &'static str,
    pub(super) model: Model,
    /// The things it works on.
    pub kind: Kind,
    /// Its part in happens-before; none: it writes to no synchronisation object, and `--races` refuses it
    /// where it writes to memory as one step.
    pub role: Option<Role>,
    /// Its effect on threads.
    pub on_threads: OnThreads,
    /// When the model takes the place of a program's definition.
    pub reserved: Reserved,
    /// When the support library's definition takes the place of the model.
    pub in_support: InSupport,
    /// Its part in assertions, for coverage.
    pub in_assertions: InAssertions,
    /// A call that returns has emptied the thread's store buffer.
    pub is_fence: bool,
    /// It does the same whatever number a thread has: it follows addresses, or knows names of threads for
    /// what they are. A function that is not alike may not be given words that tell threads apart.
    pub is_alike: bool,
    /// It is one of C11's `threads.h`, with that header's error codes.
    pub is_c11: bool,
    /// It ends the object that its first argument points to.
    pub frees: bool,
    /// A call may return more than once.
    pub returns_twice: bool,
}

/// The things a function works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Threads.
    Thread,
    /// Mutexes.
    Mutex,
    /// Condition variables, and the mutexes of those who wait.
    Condition,
    /// Reader-writer locks.
    RwLock,
    /// Barriers of threads.
    Barrier,
    /// Spinlocks.
    Spinlock,
    /// Semaphores.
    Semaphore,
    /// Initialisation that happens once.
    Once,
    /// The kernel's queues of threads that wait, and its fences.
    Kernel,
    /// Atomic sections.
    Section,
    /// Allocated memory.
    Heap,
    /// The process.
    Process,
    /// Time.
    Time,
    /// Frames of functions.
    Frame,
    /// Streams and file descriptors.
    Stream,
    /// Text and other bytes in memory.
    Text,
    /// Numbers.
    Math,
    /// Values and executions that the checker chooses.
    Choice,
    /// What compiled checks and the support library report.
    Report,
}

/// The effect of a successful call on happens-before, where it writes to a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// No synchronisation object: a plain write on behalf of the program.
    Plain,
    /// The object begins or ends; that orders nothing.
    Beginning,
    /// Orders nothing itself, and hands on what was handed to it.
    Silent,
    /// Learns what was handed on: takes a lock.
    Acquire,
    /// Hands on what the thread knows: gives a lock back.
    Release,
    /// Both.
    Both,
}

/// The effect of a function on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnThreads {
    /// None.
    Nothing,
    /// It creates a thread.
    Creates,
    /// It waits for the end of a thread.
    Joins,
    /// It waits for the end of a thread, but goes on at some time even if that has not come.
    TriesToJoin,
    /// It has the number of a thread free when that ends, or at once if it has ended.
    Detaches,
    /// It ends the running thread.
    EndsThread,
    /// It ends the process with a status.
    EndsProcess,
}

impl OnThreads {
    /// Whether it matters to the function if a thread has ended, and it goes on all the same. Whoever is
    /// created next may get the number of a thread that ended before it was detached.
    #[must_use]
    pub const fn asks_for_end(self) -> bool {
        matches!(self, Self::TriesToJoin | Self::Detaches)
    }

    /// Whether the function waits for the end of a thread, perhaps not for ever.
    #[must_use]
    pub const fn awaits_end(self) -> bool {
        matches!(self, Self::Joins | Self::TriesToJoin)
    }
}

/// When the model takes the place of a program's definition of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// Never.
    No,
    /// Always: the name is one of include/rmc.h, whose definitions are for other uses of the program.
    Always,
    /// With `--svcomp`: the name is one of the competition's.
    InCompetition,
    /// With `--svcomp` where calls of the error function are what is searched for.
    AsError,
}

/// When the support library's definition of a function takes the place of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InSupport {
    /// Never: there is none.
    No,
    /// In every program that calls the function. The loader calls the model in the others.
    Always,
    /// In programs that open files: the model knows only the standard streams.
    WithFiles,
    /// In programs that call another function which needs it.
    AsCompanion,
}

/// The part of a function in assertions, for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InAssertions {
    /// None.
    Nothing,
    /// A call is a failed assertion.
    Fails,
    /// A function that decides and fails may call this one to end the process.
    Ends,
}

/// A function of which nothing is known but its model and its kind.
pub(super) const fn row(name: &'static str, model: Model, kind: Kind) -> LibraryFunction {
    LibraryFunction {
        name,
        model,
        kind,
        role: None,
        on_threads: OnThreads::Nothing,
        reserved: Reserved::No,
        in_support: InSupport::No,
        in_assertions: InAssertions::Nothing,
        is_fence: false,
        is_alike: false,
        is_c11: false,
        frees: false,
        returns_twice: false,
    }
}

/// A function that synchronises threads: a full fence, alike for all threads.
pub(super) const fn sync(name: &'static str, model: Model, kind: Kind) -> LibraryFunction {
    row(name, model, kind).fence().alike()
}

/// The facts of a row, each as a method that adds it.
impl LibraryFunction {
    pub(super) const fn orders(self, role: Role) -> Self {
        Self { role: Some(role), ..self }
    }

    pub(super) const fn on_threads(self, on_threads: OnThreads) -> Self {
        Self { on_threads, ..self }
    }

    pub(super) const fn reserved(self, reserved: Reserved) -> Self {
        Self { reserved, ..self }
    }

    pub(super) const fn in_support(self, in_support: InSupport) -> Self {
        Self { in_support, ..self }
    }

    pub(super) const fn in_assertions(self, in_assertions: InAssertions) -> Self {
        Self { in_assertions, ..self }
    }

    pub(super) const fn fence(self) -> Self {
        Self { is_fence: true, ..self }
    }

    pub(super) const fn alike(self) -> Self {
        Self { is_alike: true, ..self }
    }

    pub(super) const fn c11(self) -> Self {
        Self { is_c11: true, ..self }
    }

    pub(super) const fn frees(self) -> Self {
        Self { frees: true, ..self }
    }

    pub(super) const fn returns_twice(self) -> Self {
        Self { returns_twice: true, ..self }
    }
}

impl LibraryFunction {
    /// The name that messages have for the function: one that the support library calls has the name of the
    /// program's call, after a prefix.
    #[must_use]
    pub fn public_name(&self) -> &'static str {
        self.name.strip_prefix(SUPPORT_PREFIX).unwrap_or(self.name)
    }
}
