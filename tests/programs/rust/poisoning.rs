//! A thread that panics while it has a lock: the lock is poisoned, and `join` returns an error.
// check: --panic=unwind sc=holds tso=holds pso=holds states=sc:438,tso:397,pso:397
// check: --panic=unwind -DUNWRAPPED sc=violated(panic) tso=violated(panic) pso=violated(panic) at=19 states=sc:177,tso:159,pso:159
// check: --panic=unwind -DJOINED sc=violated(panic) tso=violated(panic) at=30 states=sc:307,tso:266
// check: --panic=unwind -DSCOPE sc=violated(panic) tso=violated(panic) at=36 states=sc:800,tso:709
use std::sync::{Mutex, RwLock};
use std::thread;

static LOCK: Mutex<u32> = Mutex::new(0);
static SHARED: RwLock<u32> = RwLock::new(0);

fn add() {
    let mut number = LOCK.lock().unwrap();
    *number += 1;
    panic!("with the lock");
}

fn look() -> u32 {
    if cfg!(UNWRAPPED) { *LOCK.lock().unwrap() } else { LOCK.lock().map_or_else(|poison| *poison.into_inner(), |it| *it) }
}

fn main() {
    let thread = thread::spawn(add);
    // Before the other thread, in between, or after it.
    let seen = look();
    assert!(seen <= 1);
    let result = thread.join();
    assert!(LOCK.is_poisoned() && result.is_err());
    if cfg!(JOINED) {
        result.unwrap();
    }
    let reader = thread::spawn(|| assert_eq!(*SHARED.read().unwrap(), 1, "a reader does not poison"));
    assert!(reader.join().is_err() && !SHARED.is_poisoned());
    if cfg!(SCOPE) {
        // Nobody joins this thread, so the scope passes its panic on.
        thread::scope(|scope| drop(scope.spawn(|| panic!("in a scope"))));
    }
}
