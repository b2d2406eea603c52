//! The native runtime: the C ABI `rmc.abi.v1` that instrumented programs call, with randomly delayed stores.
//!
//! Contract: a program instrumented by the pass and linked with `librmc_runtime.a` runs as under the model
//! named by the environment variable `RMC_MODEL` (`sc`, `tso`, `pso`; default `tso`), one random execution
//! per run, steered by `RMC_SEED` (an unsigned number; default: from the time and the process). A bad value
//! ends the process with a message and exit code 2. Every run is an execution that the model allows. Runs are
//! samples, so they prove nothing. The operating system schedules the threads, so one seed does not fix the
//! execution.
//!
//! Every call takes one global lock. First some pending stores that may leave reach memory: own ones, and
//! sometimes those of another thread, so that stores of a thread that waits elsewhere arrive, too. Then the
//! access itself is executed. Sometimes the thread yields. A thread has at most [`machine::BUFFER_BOUND`]
//! pending stores. Fences, read-modify-writes, direct calls of functions outside of the instrumented module
//! (`__rmc_sync`), the end of the thread and of the process drain its buffer. For functions of the thread
//! library this is the semantics of the call. Other functions (`strcmp`, `puts`, `sscanf`) access memory
//! directly and would see it without the pending stores, or write before them. There the drain loses some
//! executions that the model allows; so does a call from one instrumented module to another.
//!
//! These are not covered: such functions called through a pointer, and memory that they access after they
//! have called back into the program (`qsort`); signal handlers that access shared memory while their thread
//! does (`call.rs`), calls that block outside of the thread library (a store stays pending until some thread
//! calls the runtime again).
//!
//! With `RMC_MONITOR=tso` no store is delayed: the program runs sequentially consistently, and `watch/` looks
//! for loads that store buffers could change.
//!
//! This is not the semantics the checker uses (`Buffers`); it is the textbook machine with real memory.
//! Tests: `tests/tests/native.rs`.

mod abi;
mod arithmetic;
mod call;
mod config;
mod entry;
mod fork;
mod machine;
mod random;
mod raw;
mod watch;
