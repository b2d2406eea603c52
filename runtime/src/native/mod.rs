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
//! stores. Fences, read-modify-writes, calls of the thread library, the end of the thread and of the process
//! drain its buffer.
//!
//! Not covered: library functions that were not instrumented and read memory the calling thread has stored to
//! (`strcmp`, `puts`): they see memory without the pending stores, unless the instrumented code calls
//! `__rmc_sync` first; signal handlers that access shared memory, `fork` while other threads run, calls that
//! block outside of the thread library (a store stays pending until some thread calls the runtime again).
//!
//! This is not the semantics the checker uses (`Buffers`); it is the textbook machine with real memory.
//! Tests: `tests/tests/native.rs`.

mod abi;
mod arithmetic;
mod config;
mod machine;
mod raw;
