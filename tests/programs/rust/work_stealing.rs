//! The owner takes from the bottom of a deque, a thief from the top. Without the fence the owner reads the
//! top before others see that it took the last element, and both get it.
// check: sc=holds tso=violated(panic) pso=violated(panic) states=sc:168,tso:104,pso:108
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:168,tso:147,pso:152
use std::sync::atomic::{fence, AtomicIsize, AtomicUsize, Ordering::*};
use std::thread;

static TOP: AtomicIsize = AtomicIsize::new(0);
static BOTTOM: AtomicIsize = AtomicIsize::new(2);
static TAKEN: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

fn use_element(at: isize) {
    assert_eq!(TAKEN[at as usize].fetch_add(1, Relaxed), 0, "element {at} is taken twice");
}

fn take() {
    let bottom = BOTTOM.load(Relaxed) - 1;
    BOTTOM.store(bottom, Relaxed);
    if cfg!(FENCE) {
        fence(SeqCst);
    }
    let top = TOP.load(Acquire);
    if top < bottom {
        return use_element(bottom);
    }
    if top == bottom && TOP.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok() {
        use_element(bottom);
    }
    BOTTOM.store(bottom + 1, Relaxed);
}

fn steal() {
    let top = TOP.load(Acquire);
    fence(SeqCst);
    if top < BOTTOM.load(Acquire) && TOP.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok() {
        use_element(top);
    }
}

fn main() {
    let thief = thread::spawn(|| {
        steal();
        steal();
    });
    take();
    thief.join().unwrap();
}
