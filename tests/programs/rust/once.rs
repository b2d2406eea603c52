//! A routine that runs once, and the threads that wait until it has run.
// check: sc=holds tso=holds pso=holds states=sc:674,tso:589,pso:632
// check: --engine=reads-from sc=holds tso=holds pso=holds
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::Once;
use std::thread;

static ONCE: Once = Once::new();
static RUNS: AtomicU32 = AtomicU32::new(0);

fn initialise() {
    ONCE.call_once(|| RUNS.store(RUNS.load(Relaxed) + 1, Relaxed));
    assert_eq!(RUNS.load(Relaxed), 1);
}

fn main() {
    let thread = thread::spawn(initialise);
    initialise();
    thread.join().unwrap();
}
