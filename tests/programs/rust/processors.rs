//! As many threads as there are processors: each adds one.
// check: --processors=2 tso=holds states=tso:67153
// check: --processors=2 -DLOST sc=violated(panic) at=20 states=sc:12588
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

static SUM: AtomicUsize = AtomicUsize::new(0);

fn add() {
    if cfg!(LOST) {
        SUM.store(SUM.load(Relaxed) + 1, Relaxed);
    } else {
        SUM.fetch_add(1, Relaxed);
    }
}

fn main() {
    let processors = thread::available_parallelism().unwrap().get();
    thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(add))));
    assert_eq!(SUM.load(Relaxed), processors);
}
