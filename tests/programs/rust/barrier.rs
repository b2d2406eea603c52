//! Threads of a scope that meet at a barrier.
// check: sc=holds tso=holds pso=holds states=sc:1628,tso:1459,pso:1605
// check: -DWITHOUT sc=violated(panic) tso=violated(panic) pso=violated(panic) states=sc:11,tso:11,pso:11
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::Barrier;
use std::thread;

fn main() {
    let (barrier, arrived) = (Barrier::new(2), AtomicU32::new(0));
    let arrive = || {
        arrived.fetch_add(1, Relaxed);
        if !cfg!(WITHOUT) {
            barrier.wait();
        }
        assert_eq!(arrived.load(Relaxed), 2);
    };
    thread::scope(|scope| {
        scope.spawn(arrive);
        arrive();
    });
}
