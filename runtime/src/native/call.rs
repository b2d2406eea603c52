//! One call of the program: on the machine that delays stores, or under the monitor's eyes.
//!
//! *Signal handlers.* A handler may run while its thread is in a call, which has locks. What the handler then
//! does, the monitor does not see: the accesses are made at once, between full fences, as by code that is not
//! instrumented. Those of up to 8 aligned bytes are atomic in the processor; a wider read-modify-write is
//! not. On the machine that delays stores this is not possible, since the handler must see what its thread
//! has stored; the process ends with a message. A handler must not jump out of a call (`siglongjmp`): the
//! locks would be held for ever.

use std::cell::Cell;
use std::sync::atomic::{self, AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard};

use super::config::Mode;
use super::machine::{NativeMachine, Thread};
use super::watch::{self, Watch};
use super::{fork, raw};
use crate::MemoryOrder;
use crate::lock::lock;

/// The address after a call in the program, or 0.
pub(super) type Site = usize;

enum Runtime {
    Delay(Mutex<NativeMachine>),
    Watch(Box<Watch>),
}

/// True if stores are delayed.
static DELAYS: AtomicBool = AtomicBool::new(false);

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    fork::prepare_for_forks();
    match Mode::from_env() {
        Mode::Delay { model, seed } => {
            DELAYS.store(true, Ordering::Relaxed);
            Runtime::Delay(Mutex::new(NativeMachine::new(model, seed)))
        }
        Mode::Watch { settings, seed } => Runtime::Watch(Box::new(Watch::new(settings, seed))),
    }
});

const ONE_RUNTIME: &str = "a process delays or watches all its threads";

/// The calling thread, for as long as it has thread-local variables.
enum Registration {
    /// Its buffer.
    Delay(usize),
    Watch(Box<watch::Thread>),
}

impl Registration {
    fn new() -> Self {
        match &*RUNTIME {
            Runtime::Delay(machine) => Self::Delay(lock(machine).register()),
            Runtime::Watch(watch) => Self::Watch(Box::new(watch.start())),
        }
    }

    fn buffer(&self) -> usize {
        match self {
            Self::Delay(buffer) => *buffer,
            Self::Watch(_) => unreachable!("{ONE_RUNTIME}"),
        }
    }

    fn watched(&self) -> &watch::Thread {
        match self {
            Self::Watch(thread) => thread,
            Self::Delay(_) => unreachable!("{ONE_RUNTIME}"),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        IS_IN_CALL.set(true);
        match &*RUNTIME {
            Runtime::Delay(machine) => lock(machine).unregister(self.buffer()),
            Runtime::Watch(watch) => watch.end(self.watched()),
        }
        IS_IN_CALL.set(false);
    }
}

thread_local! {
    static OWN: Registration = Registration::new();
    /// True while the thread is in a call.
    static IS_IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// While this exists, no other thread is in a call. The calling thread is taken to be in one.
pub(super) enum Pause {
    Delay(Thread, MutexGuard<'static, NativeMachine>),
    Watch(u32, watch::Pause<'static>),
}

impl Pause {
    /// Keeps all threads from their next call. `None` if the calling thread is in one.
    pub fn begin() -> Option<Self> {
        if IS_IN_CALL.replace(true) {
            return None;
        }
        Some(match &*RUNTIME {
            Runtime::Delay(machine) => Self::Delay(own_buffer(), lock(machine)),
            Runtime::Watch(watch) => {
                let number = OWN.try_with(|own| own.watched().number());
                // A thread whose thread-local variables are gone has no number.
                Self::Watch(number.unwrap_or(u32::MAX), watch.pause())
            }
        })
    }

    /// Ends it.
    pub fn end(self) {
        drop(self);
        IS_IN_CALL.set(false);
    }

    /// Ends it in a process that has the calling thread alone.
    pub fn end_alone(self) {
        match self {
            Self::Delay(thread, mut machine) => machine.goes_on_alone(thread),
            Self::Watch(number, pause) => pause.end_alone(number),
        }
        IS_IN_CALL.set(false);
    }
}

/// The buffer of the calling thread.
fn own_buffer() -> Thread {
    OWN.try_with(Registration::buffer).ok()
}

/// Executes one call: on the machine, some random stores leave, then `delay` runs, then the thread may yield.
/// If the thread is in a call already, `alone` makes the access.
fn call<R>(
    delay: impl FnOnce(&mut NativeMachine, Thread) -> R,
    watch: impl FnOnce(&Watch, &watch::Thread) -> R,
    alone: impl FnOnce() -> R,
) -> R {
    if IS_IN_CALL.replace(true) {
        return interrupt(alone);
    }
    let result = match &*RUNTIME {
        Runtime::Delay(machine) => {
            let thread = own_buffer();
            let mut machine = lock(machine);
            machine.some_stores_leave(thread);
            let result = delay(&mut machine, thread);
            let yields = machine.wants_to_yield();
            drop(machine);
            if yields {
                std::thread::yield_now();
            }
            result
        }
        Runtime::Watch(watched) => {
            let mut watch = Some(watch);
            let mut act = |thread: &watch::Thread| watch.take().expect("it is called once")(watched, thread);
            OWN.try_with(|own| act(own.watched())).unwrap_or_else(|_| {
                let thread = watched.start();
                let result = act(&thread);
                watched.end(&thread);
                result
            })
        }
    };
    IS_IN_CALL.set(false);
    result
}

/// Makes the access of a signal handler that interrupted a call of its thread.
#[cold]
fn interrupt<R>(access: impl FnOnce() -> R) -> R {
    if DELAYS.load(Ordering::Relaxed) {
        raw::die(
            "a signal handler accesses shared memory while its thread does; stores cannot be delayed then: block \
             the signal where threads share memory, or use RMC_MONITOR",
        );
    }
    atomic::fence(Ordering::SeqCst);
    let result = access();
    atomic::fence(Ordering::SeqCst);
    result
}

pub(super) fn load(addr: usize, len: u8, site: Site) -> u128 {
    call(
        |machine, thread| machine.load(thread, addr, len),
        |watch, thread| watch.load(thread, addr, len, site),
        || raw::read(addr, len),
    )
}

pub(super) fn store(addr: usize, len: u8, value: u128, order: MemoryOrder, site: Site) {
    call(
        |machine, thread| machine.store(thread, addr, len, value, order),
        |watch, thread| {
            watch.store(thread, addr, len, value, site);
            if order == MemoryOrder::SeqCst {
                watch.fence(thread, site);
            }
        },
        || raw::write(addr, len, value),
    );
}

/// Executes a read-modify-write: `update` gives the new value from the old one, if any is to be stored.
/// Returns the old value.
pub(super) fn rmw(addr: usize, len: u8, update: impl Fn(u128) -> Option<u128>, site: Site) -> u128 {
    call(
        |machine, thread| machine.rmw(thread, addr, len, &update),
        |watch, thread| watch.rmw(thread, addr, len, &update, site),
        || raw::update(addr, len, &update).0,
    )
}

pub(super) fn fence(order: MemoryOrder, site: Site) {
    call(
        |machine, thread| machine.fence(thread, order),
        |watch, thread| {
            if order == MemoryOrder::SeqCst {
                watch.fence(thread, site);
            }
        },
        || {},
    );
}

/// A call of what is not instrumented begins or ends.
pub(super) fn sync(site: Site) {
    call(NativeMachine::drain, |watch, thread| watch.outside(thread, site), || {});
}

/// Local memory dies. The size may be unknown.
pub(super) fn lifetime_end(addr: usize, len: Option<usize>) {
    call(
        |machine, thread| match len {
            Some(len) => machine.forget(thread, addr, len),
            None => machine.drain(thread),
        },
        |watch, thread| watch.release(thread, addr, len.unwrap_or(0)),
        || {},
    );
}

/// A block is freed. Its thread has called [`sync`] before.
pub(super) fn freed(addr: usize, len: usize) {
    call(|_, _| {}, |watch, thread| watch.release(thread, addr, len), || {});
}
