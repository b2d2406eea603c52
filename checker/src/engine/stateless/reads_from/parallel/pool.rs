//! Tasks that wait for a worker, and workers that wait for a task.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::store::lock;

/// Tasks for a number of workers.
pub struct Pool<T> {
    workers: usize,
    state: Mutex<State<T>>,
    changed: Condvar,
    /// The number of workers that wait for a task.
    waiting: AtomicUsize,
    /// The number of tasks that wait for a worker.
    tasks: AtomicUsize,
    is_closed: AtomicBool,
}

struct State<T> {
    tasks: Vec<T>,
    waiting: usize,
}

/// Closes a pool when it is dropped, so that no worker waits for one that failed.
pub struct Closing<'p, T>(pub &'p Pool<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<T> Pool<T> {
    /// A pool without tasks, whose workers all work.
    pub fn new(workers: usize) -> Self {
        Self {
            workers,
            state: Mutex::new(State { tasks: Vec::new(), waiting: 0 }),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
            tasks: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// True if a worker waits for a task and there is none.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > self.tasks.load(Ordering::Relaxed)
    }

    /// The number of tasks that wait for a worker.
    pub fn tasks(&self) -> usize {
        self.tasks.load(Ordering::Relaxed)
    }

    /// True if no more tasks are given out.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Adds a task.
    pub fn add(&self, task: T) {
        let mut state = lock(&self.state);
        state.tasks.push(task);
        self.tasks.store(state.tasks.len(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_one();
    }

    /// Gives out no more tasks.
    pub fn close(&self) {
        let state = lock(&self.state);
        self.is_closed.store(true, Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    /// The task that was added last, for a worker that has none. Waits for one while others work. `None`:
    /// there will be none.
    pub fn take(&self) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            if self.is_closed() {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                self.tasks.store(state.tasks.len(), Ordering::Relaxed);
                return Some(task);
            }
            if state.waiting + 1 == self.workers {
                self.is_closed.store(true, Ordering::Relaxed);
                drop(state);
                self.changed.notify_all();
                return None;
            }
            state.waiting += 1;
            self.waiting.store(state.waiting, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
            self.waiting.store(state.waiting, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers count a tree of tasks, each of which leads to two smaller ones.
    #[test]
    fn all_tasks_are_taken_once_and_all_workers_end() {
        const DEPTH: u32 = 10;
        for workers in 1..=4 {
            let pool = Pool::new(workers);
            let taken = AtomicUsize::new(0);
            pool.add(DEPTH);
            std::thread::scope(|scope| {
                for _ in 0..workers {
                    scope.spawn(|| {
                        let _closing = Closing(&pool);
                        while let Some(depth) = pool.take() {
                            taken.fetch_add(1, Ordering::Relaxed);
                            (0..2).filter(|_| depth > 0).for_each(|_| pool.add(depth - 1));
                        }
                    });
                }
            });
            assert_eq!(taken.into_inner(), (2 << DEPTH) - 1);
        }
    }

    #[test]
    fn a_worker_that_fails_ends_the_others() {
        let pool = Pool::<()>::new(2);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| pool.take());
            let fails = scope.spawn(|| {
                let _closing = Closing(&pool);
                panic!("a worker fails");
            });
            assert!(fails.join().is_err());
            assert!(waits.join().expect("it ends").is_none());
        });
    }
}
