//! Peterson's mutual exclusion. Release and acquire are not enough: a thread must not look at the other's
//! flag before its own is in memory.
// check: sc=holds tso=violated(panic) pso=violated(panic) states=sc:130,tso:60,pso:60
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:130,tso:110,pso:110
use std::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
static TURN: AtomicUsize = AtomicUsize::new(0);
static INSIDE: AtomicUsize = AtomicUsize::new(0);

fn enter_and_leave(me: usize) {
    let other = 1 - me;
    WANTS[me].store(true, Release);
    TURN.store(other, Release);
    if cfg!(FENCE) {
        fence(SeqCst);
    }
    while WANTS[other].load(Acquire) && TURN.load(Acquire) == other {}
    assert_eq!(INSIDE.fetch_add(1, Relaxed), 0, "both are inside");
    INSIDE.fetch_sub(1, Relaxed);
    WANTS[me].store(false, Release);
}

fn main() {
    let thread = thread::spawn(|| enter_and_leave(0));
    enter_and_leave(1);
    thread.join().unwrap();
}
