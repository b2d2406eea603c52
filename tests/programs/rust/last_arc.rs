//! The thread that drops the last `Arc` ends its content. `Weak` references and raw pointers may outlive it.
// check: sc=holds tso=holds pso=holds states=sc:145,tso:119,pso:128
// check: -DRAW sc=violated(use-after-free) tso=violated(use-after-free) at=38 states=sc:9670,tso:6259
// check: -DSHOWN sc=violated(use-after-free) tso=violated(use-after-free) at=38 states=sc:49,tso:43
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::{Arc, Weak};
use std::thread;

static DROPPED: AtomicUsize = AtomicUsize::new(0);
static SHOWN: AtomicUsize = AtomicUsize::new(0);

struct Content(usize);

impl Drop for Content {
    fn drop(&mut self) {
        if cfg!(SHOWN) {
            SHOWN.store(&self.0 as *const usize as usize, Relaxed);
        }
        self.0 = 0;
        DROPPED.fetch_add(1, Relaxed);
    }
}

fn upgrade(weak: &Weak<Content>) {
    if let Some(content) = weak.upgrade() {
        assert_eq!(content.0, 7);
    }
}

fn main() {
    let content = Arc::new(Content(7));
    let (weak, raw) = (Arc::downgrade(&content), Arc::as_ptr(&content) as usize);
    let thread = thread::spawn(move || drop(content));
    if cfg!(any(RAW, SHOWN)) {
        let place = if cfg!(RAW) { raw } else { SHOWN.load(Relaxed) };
        if place != 0 {
            drop(weak);
            assert!(unsafe { *(place as *const usize) } <= 7);
        }
    } else {
        upgrade(&weak);
        drop(weak);
    }
    thread.join().unwrap();
    assert_eq!(DROPPED.load(Relaxed), 1);
}
