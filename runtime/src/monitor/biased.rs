//! A lock that one thread, its owner, takes often, and others rarely: the owner takes it without an atomic
//! read-modify-write and without a fence.
//!
//! The owner says that it is inside, and looks whether others have revoked that. Its processor may do the
//! second before others see the first. So who revokes it has all processors of the process make a fence
//! (Linux's `membarrier`): then either it sees the owner inside, and waits, or the owner sees that it is
//! revoked. From then on the owner takes the lock as the others do, until they left it alone for a while.
//! Without `membarrier` it always does.
//!
//! Source: Dave Dice, Hui Huang, Mingyao Yang, "Asymmetric Dekker Synchronization", 2001. The test programs
//! `patterns/asymmetric_fence.c` and `locks/revoked.c` are the entry and the whole lock.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering, compiler_fence};
use std::sync::{Mutex, MutexGuard};

use super::barrier;
use crate::lock::lock;

/// The number of times that the owner takes the lock as others do after it was revoked. A fence of all
/// processors takes as long as some hundreds of these.
const PATIENCE: u32 = 1 << 10;

/// The lock, with what it protects.
pub struct Biased<T> {
    /// Held by all but the owner, and by the owner if it is revoked.
    others: Mutex<()>,
    /// True while the owner is inside without `others`.
    is_inside: AtomicBool,
    /// True if the owner has to take `others`. Changed by who has `others`.
    is_revoked: AtomicBool,
    /// The number of times that the owner has taken `others` since. Changed by who has `others`.
    patience: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is used by who has the lock, which is one thread at a time (see the header).
unsafe impl<T: Send> Sync for Biased<T> {}

/// The lock, taken while this exists.
pub struct Guard<'l, T> {
    lock: &'l Biased<T>,
    others: Option<MutexGuard<'l, ()>>,
}

impl<T> Biased<T> {
    /// A lock that nobody has.
    pub fn new(value: T) -> Self {
        Self {
            others: Mutex::new(()),
            is_inside: AtomicBool::new(false),
            is_revoked: AtomicBool::new(!barrier::is_there()),
            patience: AtomicU32::new(0),
            value: UnsafeCell::new(value),
        }
    }

    /// Takes the lock for its owner. No two threads may do this at a time, unless one comes after the other
    /// by another lock, and none may do it that has the lock.
    #[inline]
    pub fn own(&self) -> Guard<'_, T> {
        if !self.is_revoked.load(Ordering::Relaxed) {
            self.is_inside.store(true, Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
            if !self.is_revoked.load(Ordering::Acquire) {
                return Guard { lock: self, others: None };
            }
            self.is_inside.store(false, Ordering::Release);
        }
        self.own_revoked()
    }

    #[cold]
    fn own_revoked(&self) -> Guard<'_, T> {
        let others = lock(&self.others);
        let patience = self.patience.load(Ordering::Relaxed) + 1;
        let is_over = patience >= PATIENCE && barrier::is_there();
        self.patience.store(if is_over { 0 } else { patience.min(PATIENCE) }, Ordering::Relaxed);
        if is_over {
            self.is_revoked.store(false, Ordering::Relaxed);
        }
        Guard { lock: self, others: Some(others) }
    }

    /// Takes the lock for another thread.
    pub fn by_another(&self) -> Guard<'_, T> {
        let (guard, is_new) = self.revoke();
        if is_new {
            barrier::on_all_processors();
            self.wait();
        }
        guard
    }

    /// Takes several locks for another thread, in this order, with one fence for all.
    pub fn all_by_another<'l>(locks: impl IntoIterator<Item = &'l Self>) -> Vec<Guard<'l, T>> {
        let (guards, new): (Vec<_>, Vec<_>) = locks.into_iter().map(Self::revoke).unzip();
        if new.contains(&true) {
            barrier::on_all_processors();
            guards.iter().for_each(|guard| guard.lock.wait());
        }
        guards
    }

    /// Keeps the owner from entering, once it sees that. Returns true if it may not see it yet.
    fn revoke(&self) -> (Guard<'_, T>, bool) {
        let guard = Guard { lock: self, others: Some(lock(&self.others)) };
        self.patience.store(0, Ordering::Relaxed);
        let is_new = !self.is_revoked.load(Ordering::Relaxed);
        self.is_revoked.store(true, Ordering::Relaxed);
        (guard, is_new)
    }

    /// Waits until the owner is not inside.
    fn wait(&self) {
        while self.is_inside.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: this thread has the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this thread has the lock.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if self.others.is_none() {
            self.lock.is_inside.store(false, Ordering::Release);
        }
    }
}

impl<T> std::fmt::Debug for Biased<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Biased").field("is_revoked", &self.is_revoked).finish_non_exhaustive()
    }
}

impl<T> std::fmt::Debug for Guard<'_, T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Guard").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers that are equal while nobody is inside.
    type Pair = (u64, u64);

    fn add(pair: &mut Pair) {
        assert_eq!(pair.0, pair.1);
        pair.0 += 1;
        std::hint::black_box(&mut *pair);
        pair.1 += 1;
    }

    #[test]
    fn one_thread_at_a_time_is_inside() {
        const OWN: u64 = 3_000_000;
        let pair = Biased::new((0, 0));
        let is_over = AtomicBool::new(false);
        let others = std::thread::scope(|scope| {
            let another = || {
                // Where the owner was just given the fast way back, it is most likely to be on it.
                let mut times = 0;
                while !is_over.load(Ordering::Relaxed) {
                    if barrier::is_there() && pair.is_revoked.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                        continue;
                    }
                    add(&mut pair.by_another());
                    times += 1;
                }
                times
            };
            let others = [scope.spawn(another), scope.spawn(another)];
            let owner = scope.spawn(|| (0..OWN).for_each(|_| add(&mut pair.own()))).join();
            is_over.store(true, Ordering::Relaxed);
            owner.expect("it adds");
            others.map(|other| other.join().expect("it adds")).iter().sum::<u64>()
        });
        assert_eq!(*pair.by_another(), (OWN + others, OWN + others));
    }

    #[test]
    fn the_owner_is_revoked_for_a_while() {
        let number = Biased::new(0);
        let is_revoked = || number.is_revoked.load(Ordering::Relaxed);
        *number.own() += 1;
        assert_eq!(is_revoked(), !barrier::is_there());
        *number.by_another() += 1;
        assert!(is_revoked());
        (1..PATIENCE).for_each(|_| *number.own() += 1);
        assert!(is_revoked());
        *number.own() += 1;
        assert_eq!(is_revoked(), !barrier::is_there());
        assert_eq!(*number.own(), 2 + PATIENCE);
    }
}
