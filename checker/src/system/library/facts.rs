//! The facts about a modelled function: a row of the table in `functions.rs`, and the notation of rows.

use super::Model;
use crate::ir::program::SUPPORT_PREFIX;
use crate::system::state::form::Form;

/// A modelled function. Code outside of the models reads facts about it from its row.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFunction {
    /// The name by which code calls it.
    pub name: &'static str,
    pub(super) model: Model,
    /// The kind of things that the function works on.
    pub kind: Kind,
    /// The function's part in happens-before. Without one, it writes to no synchronisation object, and
    /// `--races` refuses it where it writes to memory as one step.
    pub role: Option<Role>,
    /// The function's effect on threads.
    pub on_threads: OnThreads,
    /// The condition under which the model replaces a program's definition.
    pub reserved: Reserved,
    /// The condition under which the support library's definition replaces the model.
    pub in_support: InSupport,
    /// The function's part in assertions, for coverage.
    pub in_assertions: InAssertions,
    /// True if a call that returns has emptied the thread's store buffer.
    pub is_fence: bool,
    /// True if the function does the same whatever number a thread has: it follows addresses, or treats names
    /// of threads as such. A function without this may not be given words that tell threads apart.
    pub is_alike: bool,
    /// True for functions of C11's `threads.h`, which have that header's error codes.
    pub is_c11: bool,
    /// True if the function ends the object that its first argument points to.
    pub frees: bool,
    /// The form of allocation of the memory that the function makes or ends.
    pub form: Form,
    /// True if a call may return more than once.
    pub returns_twice: bool,
    /// True if the function saves or restores the mask of signals where its arguments ask for it.
    pub keeps_signal_mask: bool,
    /// True for functions of `math.h` for `float`.
    pub is_single: bool,
    /// It returns an input of the program, whose value may be chosen later.
    pub gives_input: bool,
    /// It needs to know of its argument only whether it is 0, and then does not return.
    pub assumes: bool,
    /// The arguments that are numbers of bytes, or factors of them, and may be symbols.
    pub sizes: &'static [usize],
    /// A call that found that an object has to grow can be made anew: it has done nothing that is not in its
    /// phase register.
    pub resumes: bool,
}

/// The kinds of things that a function works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Threads.
    Thread,
    /// Mutexes.
    Mutex,
    /// Condition variables, and the mutexes of the threads that wait at them.
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
    /// The kernel's queues of waiting threads, and its fences.
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
    /// Reports of compiled checks and of the support library.
    Report,
}

/// The kinds of effects of a successful call on happens-before, where it writes to a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It writes to no synchronisation object, but to memory on behalf of the program.
    Plain,
    /// It begins or ends the object, which orders nothing.
    Beginning,
    /// It orders nothing itself, and keeps what earlier calls released to the object.
    Silent,
    /// It acquires what was released to the object, like taking a lock.
    Acquire,
    /// It releases what the thread knows to the object, like giving a lock back.
    Release,
    /// It acquires and releases.
    Both,
}

/// The kinds of effects of a function on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnThreads {
    /// None.
    Nothing,
    /// It creates a thread.
    Creates,
    /// It waits for the end of a thread.
    Joins,
    /// It waits for the end of a thread, but continues at some time even without it.
    TriesToJoin,
    /// It makes the number of a thread free when the thread ends, or at once if it has ended.
    Detaches,
    /// It ends the running thread.
    EndsThread,
    /// It ends the process with a status.
    EndsProcess,
}

impl OnThreads {
    /// True if the function depends on whether a thread has ended, and continues in either case. The thread
    /// that is created next may get the number of a thread that ended before it was detached.
    #[must_use]
    pub const fn asks_for_end(self) -> bool {
        matches!(self, Self::TriesToJoin | Self::Detaches)
    }

    /// True if the function makes the number of a thread free when the thread has ended.
    #[must_use]
    pub const fn frees_number(self) -> bool {
        matches!(self, Self::Joins | Self::TriesToJoin | Self::Detaches)
    }

    /// True if the function waits for the end of a thread, perhaps for a limited time.
    #[must_use]
    pub const fn awaits_end(self) -> bool {
        matches!(self, Self::Joins | Self::TriesToJoin)
    }
}

/// The conditions under which the model replaces a program's definition of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// Never.
    No,
    /// Always. The name is one of include/rmc.h, whose definitions are for other uses of the program.
    Always,
    /// With `--svcomp`. The name is one of the competition's.
    InCompetition,
    /// With `--svcomp`, if the search is for calls of the error function.
    AsError,
}

/// The conditions under which the support library's definition of a function replaces the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InSupport {
    /// Never. The support library has no definition.
    No,
    /// In every program that calls the function. The loader calls the model in the others.
    Always,
    /// In programs that open files, since the model only knows the standard streams.
    WithFiles,
    /// In programs that read clocks, since the model knows no time.
    WithClocks,
    /// In programs that call another function which needs it.
    AsCompanion,
}

/// The kinds of parts of a function in assertions, for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InAssertions {
    /// None.
    Nothing,
    /// A call is a failed assertion.
    Fails,
    /// A function that decides on an assertion and fails may call this one to end the process.
    Ends,
}

/// A row with only a model and a kind.
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
        form: Form::C,
        returns_twice: false,
        keeps_signal_mask: false,
        is_single: false,
        gives_input: false,
        assumes: false,
        sizes: &[],
        resumes: false,
    }
}

/// A row of a function that synchronises threads: a full fence, alike for all threads.
pub(super) const fn sync(name: &'static str, model: Model, kind: Kind) -> LibraryFunction {
    row(name, model, kind).fence().alike()
}

/// Methods that each add one fact to a row.
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

    pub(super) const fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    pub(super) const fn gives_input(self) -> Self {
        Self { gives_input: true, ..self }
    }

    pub(super) const fn assumes(self) -> Self {
        Self { assumes: true, ..self }
    }

    pub(super) const fn sizes(self, sizes: &'static [usize]) -> Self {
        Self { sizes, ..self }
    }

    pub(super) const fn resumes(self) -> Self {
        Self { resumes: true, ..self }
    }

    pub(super) const fn returns_twice(self) -> Self {
        Self { returns_twice: true, ..self }
    }

    pub(super) const fn keeps_signal_mask(self) -> Self {
        Self { keeps_signal_mask: true, ..self }
    }

    pub(super) const fn single(self) -> Self {
        Self { is_single: true, ..self }
    }
}

impl LibraryFunction {
    /// The name of the function in messages. A function that the support library calls has the name of the
    /// program's call after a prefix.
    #[must_use]
    pub fn public_name(&self) -> &'static str {
        self.name.strip_prefix(SUPPORT_PREFIX).unwrap_or(self.name)
    }
}
