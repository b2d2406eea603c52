//! Tasks that wait for a worker, and workers that wait for a task.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::store::lock;

/// Tasks for a number of workers.
pub struct Pool<T> {
    workers: usize,
    state: Mutex<State<T>>,
    changed: Condvar,
    /// The number of workers that have no task, or have not come yet.
    idle: AtomicUsize,
    /// The number of tasks that wait for a worker.
    tasks: AtomicUsize,
    is_closed: AtomicBool,
}

struct State<T> {
    tasks: Vec<T>,
    /// The number of workers that have a task.
    busy: usize,
}

/// Closes a pool when it is dropped, so that no worker waits for one that failed.
pub struct Closing<'p, T>(pub &'p Pool<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<T> Pool<T> {
    /// A pool for so many workers, with these tasks. Some of the workers have one already.
    pub fn new(workers: usize, busy: usize, tasks: Vec<T>) -> Self {
        Self {
            workers,
            idle: AtomicUsize::new(workers - busy),
            tasks: AtomicUsize::new(tasks.len()),
            state: Mutex::new(State { tasks, busy }),
            changed: Condvar::new(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// True if there are more workers without a task than tasks.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > self.tasks.load(Ordering::Relaxed)
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
        self.note(&state);
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

    /// The task that was added last, for a worker that has none, which has it until it calls
    /// [`Self::finish`]. Waits for one while others work. `None`: there will be none.
    pub fn take(&self) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            if self.is_closed() {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.busy += 1;
                self.note(&state);
                return Some(task);
            }
            if state.busy == 0 {
                drop(state);
                self.close();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the task of a worker.
    pub fn finish(&self) {
        let mut state = lock(&self.state);
        state.busy -= 1;
        self.note(&state);
    }

    fn note(&self, state: &State<T>) {
        self.tasks.store(state.tasks.len(), Ordering::Relaxed);
        self.idle.store(self.workers - state.busy, Ordering::Relaxed);
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
            let pool = Pool::new(workers, 0, vec![DEPTH]);
            let taken = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..workers {
                    scope.spawn(|| {
                        let _closing = Closing(&pool);
                        while let Some(depth) = pool.take() {
                            taken.fetch_add(1, Ordering::Relaxed);
                            (0..2).filter(|_| depth > 0).for_each(|_| pool.add(depth - 1));
                            pool.finish();
                        }
                    });
                }
            });
            assert_eq!(taken.into_inner(), (2 << DEPTH) - 1);
        }
    }

    #[test]
    fn a_worker_that_fails_ends_the_others() {
        let pool = Pool::<()>::new(2, 1, Vec::new());
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
