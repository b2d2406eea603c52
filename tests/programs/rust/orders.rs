//! Message passing with each kind of atomic operation of std and each order.
// check: sc=holds tso=holds pso=holds states=sc:33,tso:18,pso:18
// check: -DRELAXED sc=holds tso=holds pso=violated(panic) at=32 states=sc:33,tso:18,pso:8
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU8, Ordering, Ordering::*};
use std::thread;

const PUBLISHES: Ordering = if cfg!(RELAXED) { Relaxed } else { Release };

static DATA: AtomicI64 = AtomicI64::new(0);
static READY: AtomicBool = AtomicBool::new(false);

fn operations() {
    let byte = AtomicU8::new(1);
    assert_eq!(byte.swap(2, AcqRel), 1);
    assert_eq!(byte.fetch_add(255, SeqCst), 2);
    assert_eq!(byte.fetch_and(3, Acquire), 1);
    assert_eq!(byte.fetch_nand(1, Release), 1);
    assert_eq!(byte.fetch_max(255, Relaxed), 254);
    assert_eq!(byte.compare_exchange(1, 2, AcqRel, Acquire), Err(255));
    assert_eq!(byte.fetch_update(SeqCst, SeqCst, |old| old.checked_add(1)), Err(255));
    let (mut one, mut other) = (1, 2);
    let pointer = AtomicPtr::new(&mut one);
    let first = pointer.swap(&mut other, SeqCst);
    unsafe { *first += *pointer.load(SeqCst) };
    assert_eq!(one + other, 5);
}

fn main() {
    operations();
    let thread = thread::spawn(|| {
        if READY.load(Acquire) {
            assert_eq!(DATA.load(Relaxed), -1, "ready, and not there");
        }
    });
    DATA.store(-1, Relaxed);
    READY.store(true, PUBLISHES);
    thread.join().unwrap();
}
