//! The program has an allocator of its own, which std uses, too.
// check: sc=holds tso=holds pso=holds states=sc:13,tso:12,pso:12
// check: -DFEWER sc=violated(panic) states=sc:13
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::*};

struct Counting;
static COUNT: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        System.dealloc(place, layout);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let before = COUNT.load(Relaxed);
    std::thread::spawn(|| drop(Box::new(1))).join().unwrap();
    let least = if cfg!(FEWER) { 100 } else { 2 };
    assert!(COUNT.load(Relaxed) - before >= least, "what is allocated is not counted");
}
