//! What workers share things with. Where the code is model-checked, loom's types of the same names take the place of these.

pub use std::sync::Mutex;
pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use crate::store::lock;

/// Turns of a loop that waits before it leaves the processor to others.
const PATIENCE: u32 = 200;

/// Waits a moment, in a loop that counts its turns.
pub fn pause(turns: &mut u32) {
    *turns += 1;
    if *turns < PATIENCE {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}
