//! A lock for readers and writers. Between two readings there may be a writer.
// check: sc=holds tso=holds pso=holds states=sc:491,tso:420,pso:433
// check: --engine=reads-from sc=holds tso=holds pso=holds
// check: -DTWO_READERS sc=violated(panic) tso=violated(panic) pso=violated(panic) at=19 states=sc:653,tso:524,pso:549
use std::sync::RwLock;
use std::thread;

static BOTH: RwLock<(u32, u32)> = RwLock::new((0, 0));

fn main() {
    let thread = thread::spawn(|| *BOTH.write().unwrap() = (1, 1));
    let (one, other) = if cfg!(TWO_READERS) {
        let one = BOTH.read().unwrap().0;
        (one, BOTH.read().unwrap().1)
    } else {
        let both = BOTH.read().unwrap();
        (both.0, both.1)
    };
    assert_eq!(one, other);
    thread.join().unwrap();
}
