//! A counter in a mutex. Reading it, and adding to it under another lock, loses an addition.
// check: sc=holds tso=holds pso=holds states=sc:338,tso:283,pso:283
// check: -DUNLOCKED sc=violated(panic) tso=violated(panic) pso=violated(panic) at=21 states=sc:1220,tso:1063,pso:1119
use std::sync::{Arc, Mutex};
use std::thread;

fn add(counter: &Mutex<u32>) {
    if cfg!(UNLOCKED) {
        let old = *counter.lock().unwrap();
        *counter.lock().unwrap() = old + 1;
    } else {
        *counter.lock().unwrap() += 1;
    }
}

fn main() {
    let counter = Arc::new(Mutex::new(0));
    let thread = thread::spawn({ let counter = counter.clone(); move || add(&counter) });
    add(&counter);
    thread.join().unwrap();
    assert_eq!(*counter.lock().unwrap(), 2);
}
