//! Unsafe code that writes what another thread reads.
// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=12 states=sc:8,tso:6,pso:6
// check: --races -DATOMIC sc=holds tso=holds pso=holds states=sc:22,tso:20,pso:20
// optimised: differs a race on a plain variable, which the optimiser takes for a constant
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static mut PLAIN: u32 = 0;
static ATOMIC: AtomicU32 = AtomicU32::new(0);

fn main() {
    let thread = thread::spawn(|| if cfg!(ATOMIC) { ATOMIC.store(1, Relaxed) } else { unsafe { PLAIN = 1 } });
    let read = if cfg!(ATOMIC) { ATOMIC.load(Relaxed) } else { unsafe { PLAIN } };
    assert!(read < 2);
    thread.join().unwrap();
}
