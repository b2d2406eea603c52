//! A random program as data: threads, each a list of statements on a little shared memory and one or two
//! objects of every kind that synchronises.

/// A memory order of C. `Plain` is a non-atomic access; only plain accesses may be unaligned.
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

/// The number of bytes of the shared memory.
pub const MEMORY: usize = 16;

/// Some bytes of the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first byte.
    pub offset: usize,
    /// The number of bytes: 1, 2, 4 or 8.
    pub len: usize,
}

impl Place {
    /// True if an atomic access may have this place.
    pub fn is_aligned(self) -> bool {
        self.offset.is_multiple_of(self.len)
    }
}

/// The value of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This byte in every byte.
    Bytes(u8),
    /// The value that the thread read last.
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

/// The way in which a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// The thread waits for it.
    Wait,
    /// If it is not free, the body is skipped.
    Try,
    /// As `Try`, with a timeout.
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
    /// The reader-writer lock, for writing.
    Writing,
    /// The spin lock.
    Spin,
}

/// The origin of the memory that a slot points to.
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

/// The way in which memory that a slot points to is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeing {
    /// The slot is emptied in the same atomic operation.
    Take,
    /// The slot is left as it is.
    Leave,
    /// `realloc`; the slot is empty during the call.
    Resize,
}

/// The way in which a thread or the process ends early.
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
    /// A fence of C11.
    Thread(Order),
    /// A fence only for the compiler.
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
    /// A read-modify-write whose result is not used.
    Update(Fetch, Place, Value, Order),
    /// Stores the second byte everywhere if the first is in all bytes.
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
    /// Loops until a byte other than this is read.
    Await(Place, u8, Order),
    /// Exchanges for this byte until another value was there: a waiting loop that writes.
    Claim(Place, u8, Order),
    /// Executes the body while holding a lock.
    Holding(Lock, Taking, Vec<Statement>),
    /// The two halves of `Holding`, independent of the owner.
    Acquire(Lock),
    Release(Lock),
    /// Waits for the condition variable while the place is 0, holding the first mutex. With a timeout, it
    /// waits at most once.
    WaitWhileZero(Place, Taking),
    /// Wakes one thread, or all, that wait for the condition variable. Before that, executes the body while
    /// holding the first mutex.
    Notify {
        all: bool,
        body: Vec<Statement>,
    },
    SemaphoreWait(Taking),
    SemaphorePost,
    SemaphoreValue,
    /// Waits at the barrier. True if the result is used.
    Barrier(bool),
    Once,
    /// Makes a slot point to new memory. Its bytes have this value, if they are initialised at all.
    Publish(usize, Source, Option<u8>, Order),
    /// Loads from or stores to the memory that a slot points to, if any.
    Inspect(usize, Place, Option<u8>, Order),
    Free(usize, Freeing),
    /// Adds to the thread's own counter, and reads it.
    ThreadLocal,
    /// Chooses a number below this.
    Choose(usize),
    /// `__VERIFIER_nondet_bool`.
    Coin,
    /// `rmc_assume`: only executions in which the last value is this are explored.
    Assume(u64),
    /// `__VERIFIER_assume`: the thread continues only if the last value is this.
    LoopUnless(u64),
    /// Asserts that the last value is not this.
    Assert(u64),
    /// Executes the first body if the last value is this, else the second one.
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
    /// The bodies within the statement.
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

/// The place of the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A global array.
    Global,
    /// A local array of the first thread.
    Stack,
    /// Memory from `calloc`.
    Heap,
    /// Memory from `calloc`, which the first thread frees at its end.
    Freed,
}

/// A program. All of its memory is 0 at first, and all locks are free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The place of the shared memory.
    pub home: Home,
    /// The semaphore's initial value.
    pub semaphore: usize,
    /// The statements of each thread. The first thread is `main`; the others are created by statements.
    pub threads: Vec<Vec<Statement>>,
}
