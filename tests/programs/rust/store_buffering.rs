//! Store buffering with two atomics of std. Relaxed stores may be delayed; the fence waits for them.
// check: sc=holds tso=violated(panic) pso=violated(panic) at=25 states=sc:58,tso:47,pso:47
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:58,tso:60,pso:60
// check: -DASSEMBLY tso=holds states=tso:60
// check: -DLOCKED tso=holds pso=holds states=tso:60,pso:60
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);

fn store_and_load(own: &AtomicUsize, other: &AtomicUsize) -> usize {
    own.store(1, Relaxed);
    #[cfg(FENCE)]
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    #[cfg(ASSEMBLY)]
    unsafe { std::arch::asm!("mfence") };
    #[cfg(LOCKED)]
    unsafe { std::arch::asm!("lock not qword ptr [{0}]", in(reg) &mut 0_u64, options(nostack, preserves_flags)) };
    other.load(Relaxed)
}

fn main() {
    let thread = thread::spawn(|| store_and_load(&X, &Y));
    assert!(store_and_load(&Y, &X) + thread.join().unwrap() > 0, "both read 0");
}
