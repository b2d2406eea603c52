//! Waits with a time may end either way. A program that looks at a clock is not proved.
// check: sc=holds tso=holds pso=holds states=sc:779,tso:706,pso:725
// check: -DALWAYS sc=violated(panic) tso=violated(panic) pso=violated(panic) at=24 states=sc:163,tso:175,pso:154
// check: -DCLOCK sc=unknown(clock)
// check: -DRECEIVE sc=unknown(clock)
use std::sync::{mpsc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let thread = thread::spawn(|| {
        thread::sleep(Duration::from_millis(1));
        *READY.lock().unwrap() = true;
        CHANGED.notify_one();
    });
    let ready = READY.lock().unwrap();
    let (ready, ended) =
        if *ready { (ready, None) } else { CHANGED.wait_timeout(ready, Duration::from_secs(1)).map(|(ready, ended)| (ready, Some(ended))).unwrap() };
    let is_over = ended.map_or(false, |ended| ended.timed_out());
    if cfg!(ALWAYS) {
        assert!(*ready, "the time was over");
    }
    assert!(*ready || is_over);
    drop(ready);
    thread.join().unwrap();
    thread::park_timeout(Duration::from_secs(1));
    if cfg!(CLOCK) {
        assert!(Instant::now().elapsed() < Duration::from_secs(1));
    }
    if cfg!(RECEIVE) {
        let (_sender, receiver) = mpsc::channel::<u32>();
        assert!(receiver.recv_timeout(Duration::from_secs(1)).is_err());
    }
}
