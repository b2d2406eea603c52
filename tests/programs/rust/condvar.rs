// check: sc=holds tso=holds pso=holds states=sc:600,tso:560,pso:593
// check: -DLOST sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:479,tso:436,pso:436
// A condition variable. A thread that does not look whether it has to wait misses the wake-up.
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
