//! A thread parks until another one unparks it. A wake-up may be an earlier one, so the thread looks again.
// check: sc=holds tso=holds pso=holds states=sc:207,tso:175,pso:203
// check: -DONCE sc=violated(panic) tso=violated(panic) pso=violated(panic) states=sc:57,tso:61,pso:79
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;

static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let parked = thread::current();
    let work = move || {
        parked.unpark();
        FLAG.store(true, Release);
        parked.unpark();
    };
    let thread = thread::Builder::new().name("worker".to_owned()).spawn(work).unwrap();
    if cfg!(ONCE) {
        thread::park();
    } else {
        while !FLAG.load(Acquire) {
            thread::park();
        }
    }
    assert!(FLAG.load(Acquire));
    thread.join().unwrap();
}
