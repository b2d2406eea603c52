//! A thread waits for a flag, but not for ever: clocks that pass never go back, and its time may be over.
// check: sc=unknown(clock)
// check: --clocks=pass -DLATE sc=violated(panic) tso=violated(panic) states=sc:495,tso:398
// check: --clocks=pass sc=holds tso=holds states=sc:528,tso:431
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let other = std::thread::spawn(|| DONE.store(true, Ordering::Release));
    let start = Instant::now();
    let mut is_late = false;
    while !DONE.load(Ordering::Acquire) && !is_late {
        is_late = start.elapsed() > Duration::from_millis(5);
    }
    other.join().unwrap();
    assert!(Instant::now() >= start);
    assert!(!cfg!(LATE) || !is_late);
}
