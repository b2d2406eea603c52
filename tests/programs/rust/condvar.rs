//! A condition variable. A thread that does not look whether it has to wait misses the wake-up.
// check: sc=holds tso=holds pso=holds states=sc:412,tso:372,pso:393
// check: --engine=reads-from sc=holds tso=holds pso=holds
// check: -DLOST sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:288,tso:245,pso:245
use std::sync::{Condvar, Mutex};
use std::thread;

static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let thread = thread::spawn(|| {
        *READY.lock().unwrap() = true;
        CHANGED.notify_one();
    });
    let ready = READY.lock().unwrap();
    let ready = if cfg!(LOST) {
        CHANGED.wait(ready).unwrap()
    } else {
        CHANGED.wait_while(ready, |ready| !*ready).unwrap()
    };
    assert!(*ready);
    drop(ready);
    thread.join().unwrap();
}
