//! A random program as data: threads, each a list of statements on a little shared memory and one or two
//! objects of every kind that synchronises.

/// A memory order of C. `Plain` is an access that is not atomic; only such ones may be unaligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Bytes of the shared memory.
pub const MEMORY: usize = 16;

/// Some bytes of the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first.
    pub offset: usize,
    /// How many: 1, 2, 4 or 8.
    pub len: usize,
}

impl Place {
    /// Whether an atomic access may have this place.
    pub fn is_aligned(self) -> bool {
        self.offset.is_multiple_of(self.len)
    }
}

/// What is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This byte in every byte.
    Bytes(u8),
    /// What the thread read last.
    Last,
}

/// The change of a read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Fetch {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It is waited for.
    Wait,
    /// If it is not free, the body is left out.
    Try,
    /// As `Try`, with a time.
    Timed,
}

/// A lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// One of two normal mutexes.
    Mutex(usize),
    /// A recursive mutex.
    Recursive,
    /// A mutex that checks for errors.
    Checking,
    /// The reader-writer lock, for reading.
    Reading,
    /// The same lock, for writing.
    Writing,
    /// The spin lock.
    Spin,
}

/// Where the memory comes from to which a slot leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `malloc`, eight bytes, not initialised.
    Malloc,
    /// `calloc`, eight bytes.
    Calloc,
    /// A local variable of the thread.
    Local,
    /// The thread's instance of a thread-local variable.
    ThreadLocal,
}

/// How memory is freed to which a slot leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeing {
    /// The slot is emptied at the same moment.
    Take,
    /// The slot is left as it is.
    Leave,
    /// `realloc`: the slot is empty meanwhile.
    Resize,
}

/// How a thread or the process ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum End {
    Return,
    ThreadExit,
    Exit,
    QuickExit,
    Abort,
}

/// A full or partial fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// C11's.
    Thread(Order),
    /// Of the compiler only.
    Signal,
    /// `__sync_synchronize`.
    Sync,
    /// `mfence`.
    Assembly,
}

/// A statement. Every number of a thread is below the number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Statement {
    Load(Place, Order),
    Store(Place, Value, Order),
    Exchange(Place, Value, Order),
    Fetch(Fetch, Place, Value, Order),
    /// The same, but nobody uses the result.
    Update(Fetch, Place, Value, Order),
    /// Stores the second byte everywhere if the first is found everywhere.
    CompareExchange {
        place: Place,
        bytes: [u8; 2],
        weak: bool,
        orders: [Order; 2],
    },
    Fence(Fence),
    /// `memcpy` or, if they overlap, `memmove`: so many bytes to the first place from the second.
    Copy {
        to: usize,
        from: usize,
        len: usize,
    },
    /// `memset`.
    Fill(Place, u8),
    /// Loops until something else than this is read.
    Await(Place, u8, Order),
    /// Exchanges for this until something else was there: a loop that waits, and writes what is there.
    Claim(Place, u8, Order),
    /// The body, holding a lock.
    Holding(Lock, Taking, Vec<Statement>),
    /// The two halves of `Holding`, whoever holds it.
    Acquire(Lock),
    Release(Lock),
    /// Holding the first mutex, waits for the condition variable while the place is 0. With a time, once at
    /// most.
    WaitWhileZero(Place, Taking),
    /// Wakes one thread, or all, that wait for the condition variable; before, holding the first mutex, does
    /// the body.
    Notify {
        all: bool,
        body: Vec<Statement>,
    },
    SemaphoreWait(Taking),
    SemaphorePost,
    SemaphoreValue,
    /// Waits at the barrier; whether the result is read.
    Barrier(bool),
    Once,
    /// A slot leads to new memory whose bytes, if they are initialised at all, are this.
    Publish(usize, Source, Option<u8>, Order),
    /// Where a slot leads, if anywhere, loads or stores.
    Inspect(usize, Place, Option<u8>, Order),
    Free(usize, Freeing),
    /// Adds to the thread's own counter, and reads it.
    ThreadLocal,
    /// A number below this.
    Choose(usize),
    /// `__VERIFIER_nondet_bool`.
    Coin,
    /// `rmc_assume`: only executions where the last value is this are of interest.
    Assume(u64),
    /// `__VERIFIER_assume`: the thread goes no further unless the last value is this.
    LoopUnless(u64),
    /// The last value is not this.
    Assert(u64),
    /// The body if the last value is this, else the other one.
    When(u64, Vec<Statement>, Vec<Statement>),
    Repeat(usize, Vec<Statement>),
    /// An atomic section of SV-COMP.
    Section(Vec<Statement>),
    Create(usize),
    Join(usize),
    TryJoin(usize),
    Detach(usize),
    Yield,
    End(End),
}

impl Statement {
    /// The statements within.
    pub fn bodies(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Holding(_, _, body)
            | Statement::Notify { body, .. }
            | Statement::Repeat(_, body)
            | Statement::Section(body) => vec![body],
            Statement::When(_, then, otherwise) => vec![then, otherwise],
            _ => Vec::new(),
        }
    }
}

/// Where the shared memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A global array.
    Global,
    /// A local array of the first thread.
    Stack,
    /// From `calloc`.
    Heap,
    /// From `calloc`, and freed by the first thread at its end.
    Freed,
}

/// A program. All of its memory is 0 at first, and all locks are free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Where the shared memory is.
    pub home: Home,
    /// The semaphore's first value.
    pub semaphore: usize,
    /// Per thread its statements. The first thread is `main`; the others are created by statements.
    pub threads: Vec<Vec<Statement>>,
}
