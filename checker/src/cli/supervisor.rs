//! Watches time and memory from outside the engine, and ends a run whose engine does not stop.
//!
//! Engines check their limits where they can, and the request to stop ([`crate::halt::Halt`]) in every long
//! loop. The supervisor makes that request when the time is over, or when the process has taken more memory
//! than was allowed: an engine counts only its tables, but the kernel ends a process for all its memory. If
//! the engine does not react within [`GRACE`], the run is given up: the verdict is `unknown`, with the
//! reason, as it would be otherwise. Nothing is claimed that way, so this is always sound.
//!
//! An allocation that fails ([`out_of_memory`]) ends a run in the same way; its thread waits for ever while
//! the supervisor reports.

use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Limits, Progress};
use crate::memory;
use crate::outcome::Unknown;

/// The interval of checks. A process that only allocates memory gets some 20 MiB in that time.
const TICK: Duration = Duration::from_millis(10);
/// The time that an engine may take to react to a request.
const GRACE: Duration = Duration::from_millis(500);
/// The time that an engine may take while the process's memory keeps growing.
const SHORT_GRACE: Duration = Duration::from_millis(20);
/// The process's memory that does not belong to the search: the compiler's module and the program made of it.
const OWN: u64 = 32 << 20;
/// Memory that is reserved for a report when there is no other left.
const RESERVE: usize = 16 << 20;

/// True if an allocation failed. `IS_SUPERVISED` is true if there is a supervisor to report it.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);
static IS_SUPERVISED: AtomicBool = AtomicBool::new(false);
/// The reserve of [`RESERVE`] bytes.
static RESERVED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

thread_local! {
    /// True in the supervisor's thread, which must not wait for itself.
    static SUPERVISES: Cell<bool> = const { Cell::new(false) };
}

/// The supervision of a run, until this is dropped.
pub struct Supervisor {
    done: Arc<AtomicBool>,
}

impl Supervisor {
    /// Watches a run. `give_up` reports a run that is given up, and ends the process.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, limits: Limits, give_up: impl FnOnce(Unknown) + Send + 'static) -> Self {
        if let Ok(mut reserved) = RESERVED.lock() {
            *reserved = Vec::with_capacity(RESERVE);
        }
        let done = Arc::new(AtomicBool::new(false));
        let watch =
            Watch { progress: Arc::clone(progress), limits, before: memory::resident(), taken: 0, requested: None };
        let is_done = Arc::clone(&done);
        let supervise = move || {
            SUPERVISES.set(true);
            IS_SUPERVISED.store(true, Ordering::Relaxed);
            if let Some(reason) = watch.wait(&is_done) {
                give_up(reason);
            }
        };
        // Without the thread the engine still checks its limits itself.
        drop(thread::Builder::new().spawn(supervise));
        Self { done }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

struct Watch {
    progress: Arc<Progress>,
    limits: Limits,
    /// Resident bytes when the run began.
    before: u64,
    /// Resident bytes since then, at the last check.
    taken: u64,
    /// The time of the request to stop, if it was made.
    requested: Option<Instant>,
}

impl Watch {
    /// Watches until the run is done. Returns the reason if it is to be given up.
    fn wait(mut self, is_done: &AtomicBool) -> Option<Unknown> {
        while !is_done.load(Ordering::Relaxed) {
            if EXHAUSTED.load(Ordering::Relaxed) {
                return Some(Unknown::MemoryLimit);
            }
            if let Some(reason) = self.look() {
                return Some(reason);
            }
            thread::sleep(TICK);
        }
        None
    }

    /// Requests the end if a limit is exceeded. Returns the reason if the engine did not react in time.
    fn look(&mut self) -> Option<Unknown> {
        let halt = &self.progress.halt;
        let taken = memory::resident().saturating_sub(self.before);
        let exceeds = |limit: u64| taken > limit.saturating_add(OWN);
        if self.limits.max_memory.is_some_and(exceeds) {
            halt.request(Unknown::MemoryLimit);
        }
        if self.limits.is_over(self.progress.began) {
            halt.request(Unknown::Timeout);
        }
        let reason = halt.reason()?;
        let since = *self.requested.get_or_insert_with(Instant::now);
        let goes_beyond = self.limits.max_memory.is_some_and(|limit| exceeds(limit.saturating_add(limit / 20)));
        let grows = goes_beyond && taken > std::mem::replace(&mut self.taken, taken);
        let grace = if grows { SHORT_GRACE } else { GRACE };
        let has_stopped = self.progress.has_stopped.load(Ordering::Relaxed);
        (!has_stopped && since.elapsed() > grace).then_some(reason)
    }
}

/// The reaction of the allocator when the system has no more memory: the run ends as `unknown`. It may be
/// called by any thread, also one that holds locks, and allocates nothing.
pub fn out_of_memory() -> ! {
    if let Ok(mut reserved) = RESERVED.try_lock() {
        *reserved = Vec::new();
    }
    if IS_SUPERVISED.load(Ordering::Relaxed) && !SUPERVISES.get() {
        EXHAUSTED.store(true, Ordering::Relaxed);
        loop {
            thread::park();
        }
    }
    // Nothing can be done if the message cannot be written.
    drop(std::io::stderr().write_all(b"rmc-check: unknown: there is no memory left\n"));
    std::process::exit(3)
}
