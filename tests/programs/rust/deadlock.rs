//! Two mutexes, locked in different orders.
// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:355,tso:370,pso:370
// check: -DORDERED sc=holds tso=holds pso=holds states=sc:433,tso:372,pso:372
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
