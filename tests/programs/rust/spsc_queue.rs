//! A queue for one producer and one consumer. A position may only be published after the element is there.
// check: sc=holds tso=holds pso=holds states=sc:160,tso:146,pso:146
// check: -DRELAXED sc=holds tso=holds pso=violated(panic) at=40 states=sc:160,tso:146,pso:32
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use std::sync::Arc;
use std::thread;

const PUBLISHES: Ordering = if cfg!(RELAXED) { Relaxed } else { Release };

struct Queue {
    elements: [UnsafeCell<u32>; 2],
    pushed: AtomicUsize,
    popped: AtomicUsize,
}

unsafe impl Sync for Queue {}

impl Queue {
    fn push(&self, element: u32) {
        let at = self.pushed.load(Relaxed);
        while at - self.popped.load(Acquire) == self.elements.len() {}
        unsafe { *self.elements[at % 2].get() = element };
        self.pushed.store(at + 1, PUBLISHES);
    }

    fn pop(&self) -> u32 {
        let at = self.popped.load(Relaxed);
        while self.pushed.load(Acquire) == at {}
        let element = unsafe { *self.elements[at % 2].get() };
        self.popped.store(at + 1, PUBLISHES);
        element
    }
}

fn main() {
    let queue = Arc::new(Queue { elements: Default::default(), pushed: 0.into(), popped: 0.into() });
    let producer = Arc::clone(&queue);
    let thread = thread::spawn(move || (1..=3).for_each(|element| producer.push(element)));
    (1..=3).for_each(|element| assert_eq!(queue.pop(), element));
    thread.join().unwrap();
}
