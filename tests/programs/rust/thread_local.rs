//! Variables of threads, and their destructors, which run when the thread ends.
// check: sc=holds tso=holds pso=holds states=sc:12,tso:11,pso:11
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static SUM: AtomicU32 = AtomicU32::new(0);

struct Added(Cell<u32>);

impl Drop for Added {
    fn drop(&mut self) {
        SUM.fetch_add(self.0.get(), Relaxed);
    }
}

thread_local! {
    static ADDED: Added = Added(Cell::new(1));
    static PLAIN: Cell<u32> = const { Cell::new(5) };
}

fn main() {
    ADDED.with(|added| added.0.set(100));
    let thread = thread::spawn(|| {
        ADDED.with(|added| added.0.set(added.0.get() + 1));
        PLAIN.with(|plain| plain.set(6));
    });
    thread.join().unwrap();
    assert_eq!(SUM.load(Relaxed), 2, "the variable of the other thread is gone, this one's is not");
    assert_eq!(PLAIN.with(Cell::get), 5);
}
