//! The native runtime: the C ABI `rmc.abi.v1` that instrumented programs call, with randomly delayed stores.
//!
//! Contract: a program instrumented by the pass and linked with `librmc_runtime.a` runs as under the model
//! named by the environment variable `RMC_MODEL` (`sc`, `tso`, `pso`; default `tso`), one random execution
//! per run, steered by `RMC_SEED` (an unsigned number; default: from the time and the process). A bad value
//! ends the process with a message and exit code 2. What it shows is always an execution the model allows; it
//! samples, so it proves nothing. The operating system schedules the threads, so one seed does not fix the
//! execution.
//!
//! How: every call takes one global lock; first some pending stores that may leave reach memory (own ones,
//! and sometimes those of another thread, so that a thread that waits elsewhere is not waited for); then the
//! access itself; now and then the thread yields. A thread has at most [`machine::BUFFER_BOUND`] pending
//! stores. Fences, read-modify-writes, direct calls of functions outside of the instrumented module
//! (`__rmc_sync`), the end of the thread and of the process drain its buffer. For the thread library that is
//! the meaning of the call. Other functions (`strcmp`, `puts`, `sscanf`) access memory directly and would see
//! it without the pending stores, or write under them: there it costs some executions the model allows, and
//! so it does where one instrumented module calls another.
//!
//! Not covered: such functions called through a pointer, and memory that they access after they have called
//! back into the program (`qsort`); signal handlers that access shared memory, `fork` while other threads
//! run, calls that block outside of the thread library (a store stays pending until some thread calls the
//! runtime again).
//!
//! This is not the semantics the checker uses (`Buffers`); it is the textbook machine with real memory.
//! Tests: `tests/tests/native.rs`.

mod abi;
mod arithmetic;
mod config;
mod machine;
mod raw;
