//! What workers share things with. Where the code is model-checked, loom's types of the same names take the
//! place of these.

pub use std::sync::Mutex;
pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

pub use crate::store::lock;

/// Turns of a loop that waits before it leaves the processor to others.
const SPINS: u32 = 200;
/// Turns before it leaves it for a while: with fewer processors than workers it would else keep it from those
/// it waits for.
const YIELDS: u32 = SPINS + 20;
/// How long that is.
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
