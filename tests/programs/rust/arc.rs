//! The last of two threads that let a value go drops it.
// check: --leaks=all sc=holds tso=holds pso=holds states=sc:93,tso:85,pso:96
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::Arc;
use std::thread;

static DROPS: AtomicU32 = AtomicU32::new(0);

struct Counted(Box<u32>);

impl Drop for Counted {
    fn drop(&mut self) {
        assert_eq!(*self.0, 7);
        DROPS.fetch_add(1, Relaxed);
    }
}

fn main() {
    let one = Arc::new(Counted(Box::new(7)));
    let other = Arc::clone(&one);
    let thread = thread::spawn(move || drop(other));
    drop(one);
    thread.join().unwrap();
    assert_eq!(DROPS.load(Relaxed), 1);
}
