//! The synchronisation types of workers. Where the code is model-checked, loom's types of the same names
//! replace these.

pub use std::sync::Mutex;
pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

pub use crate::store::lock;

/// The number of turns of a waiting loop after which it yields the processor.
const SPINS: u32 = 200;
/// The number of turns after which it sleeps. With fewer processors than workers it would otherwise keep the
/// processor from the workers that it waits for.
const YIELDS: u32 = SPINS + 20;
/// The time that it sleeps.
const NAP: Duration = Duration::from_micros(20);

/// Waits a moment, in a loop that counts its turns.
pub fn pause(turns: &mut u32) {
    *turns += 1;
    match *turns {
        ..SPINS => std::hint::spin_loop(),
        SPINS..YIELDS => std::thread::yield_now(),
        YIELDS.. => std::thread::sleep(NAP),
    }
}
