//! A lock for readers and writers. Between two readings there may be a writer.
// check: sc=holds tso=holds pso=holds states=sc:421,tso:350,pso:359
// check: -DTWO_READERS sc=violated(panic) tso=violated(panic) pso=violated(panic) at=18 states=sc:551,tso:373,pso:391
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
