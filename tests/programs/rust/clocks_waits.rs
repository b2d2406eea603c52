//! A wait with a duration ends when clocks have gone on so far, unless something comes before.
// check: --clocks=pass sc=holds tso=holds states=sc:1161,tso:973
// check: --clocks=pass -DMORE sc=violated(panic) at=26 states=sc:461
// check: --clocks=pass -DSLEEPS sc=holds states=sc:333
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

static LOCK: Mutex<bool> = Mutex::new(false);
static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let condition = &*Box::leak(Box::new(Condvar::new()));
    let other = thread::spawn(move || {
        DONE.store(true, Ordering::Release);
        condition.notify_one();
    });
    let (begin, span) = (Instant::now(), Duration::from_millis(10));
    if cfg!(SLEEPS) {
        thread::sleep(span);
        assert!(begin.elapsed() >= span);
    } else {
        let guard = LOCK.lock().unwrap();
        let (_guard, result) = condition.wait_timeout(guard, span).unwrap();
        assert!(!result.timed_out() || begin.elapsed() >= if cfg!(MORE) { 2 * span } else { span });
    }
    other.join().unwrap();
}
