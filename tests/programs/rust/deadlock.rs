//! Two mutexes, locked in different orders.
// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:356,tso:380,pso:380
// check: -DORDERED sc=holds tso=holds pso=holds states=sc:503,tso:438,pso:438
use std::sync::Mutex;
use std::thread;

static ONE: Mutex<u32> = Mutex::new(0);
static OTHER: Mutex<u32> = Mutex::new(0);

fn main() {
    let thread = thread::spawn(|| {
        let one = ONE.lock().unwrap();
        *OTHER.lock().unwrap() += *one;
    });
    if cfg!(ORDERED) {
        let one = ONE.lock().unwrap();
        *OTHER.lock().unwrap() += *one;
    } else {
        let other = OTHER.lock().unwrap();
        *ONE.lock().unwrap() += *other;
    }
    thread.join().unwrap();
}
