//! One call of the program: on the machine that delays stores, or under the monitor's eyes.

use std::sync::{LazyLock, Mutex, PoisonError};

use super::config::Mode;
use super::machine::{NativeMachine, Thread};
use super::watch::{self, Watch};
use crate::MemoryOrder;

/// The address after a call in the program, or 0.
pub(super) type Site = usize;

enum Runtime {
    Delay(Mutex<NativeMachine>),
    Watch(Box<Watch>),
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| match Mode::from_env() {
    Mode::Delay { model, seed } => Runtime::Delay(Mutex::new(NativeMachine::new(model, seed))),
    Mode::Watch { settings, seed } => Runtime::Watch(Box::new(Watch::new(settings, seed))),
});

/// The calling thread, for as long as it has thread-local variables.
enum Registration {
    /// Its buffer.
    Delay(usize),
    Watch(watch::Thread),
}

impl Registration {
    fn new() -> Self {
        match &*RUNTIME {
            Runtime::Delay(machine) => Self::Delay(with(machine, NativeMachine::register)),
            Runtime::Watch(watch) => Self::Watch(watch.start()),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        match (&*RUNTIME, self) {
            (Runtime::Delay(machine), Self::Delay(buffer)) => with(machine, |machine| machine.unregister(*buffer)),
            (Runtime::Watch(watch), Self::Watch(thread)) => watch.end(thread),
            _ => unreachable!("there is one runtime"),
        }
    }
}

thread_local! {
    static OWN: Registration = Registration::new();
}

fn with<R>(machine: &Mutex<NativeMachine>, act: impl FnOnce(&mut NativeMachine) -> R) -> R {
    act(&mut machine.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Executes one call: on the machine, some random stores leave, then `delay` runs, then the thread may yield.
fn call<R>(delay: impl FnOnce(&mut NativeMachine, Thread) -> R, watch: impl FnOnce(&Watch, &watch::Thread) -> R) -> R {
    match &*RUNTIME {
        Runtime::Delay(machine) => {
            let thread = OWN.try_with(|own| match own {
                Registration::Delay(buffer) => *buffer,
                Registration::Watch(_) => unreachable!("there is one runtime"),
            });
            let (result, yields) = with(machine, |machine| {
                machine.some_stores_leave(thread.ok());
                (delay(machine, thread.ok()), machine.wants_to_yield())
            });
            if yields {
                std::thread::yield_now();
            }
            result
        }
        Runtime::Watch(watched) => {
            let mut watch = Some(watch);
            let mut act = |thread: &watch::Thread| watch.take().expect("it is called once")(watched, thread);
            let result = OWN.try_with(|own| match own {
                Registration::Watch(thread) => act(thread),
                Registration::Delay(_) => unreachable!("there is one runtime"),
            });
            result.unwrap_or_else(|_| {
                let thread = watched.start();
                let result = act(&thread);
                watched.end(&thread);
                result
            })
        }
    }
}

pub(super) fn load(addr: usize, len: u8, site: Site) -> u128 {
    call(|machine, thread| machine.load(thread, addr, len), |watch, thread| watch.load(thread, addr, len, site))
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
    );
}

/// Executes a read-modify-write: `update` gives the new value from the old one, if any is to be stored.
/// Returns the old value.
pub(super) fn rmw(addr: usize, len: u8, update: impl Fn(u128) -> Option<u128>, site: Site) -> u128 {
    call(
        |machine, thread| machine.rmw(thread, addr, len, &update),
        |watch, thread| watch.rmw(thread, addr, len, &update, site),
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
    );
}

/// A call of what is not instrumented begins or ends.
pub(super) fn sync(site: Site) {
    call(NativeMachine::drain, |watch, thread| watch.outside(thread, site));
}

/// Local memory dies. The size may be unknown.
pub(super) fn lifetime_end(addr: usize, len: Option<usize>) {
    call(
        |machine, thread| match len {
            Some(len) => machine.forget(thread, addr, len),
            None => machine.drain(thread),
        },
        |watch, thread| watch.release(thread, addr, len.unwrap_or(0)),
    );
}

/// A block is freed. Its thread has called [`sync`] before.
pub(super) fn freed(addr: usize, len: usize) {
    call(|_, _| {}, |watch, thread| watch.release(thread, addr, len));
}
