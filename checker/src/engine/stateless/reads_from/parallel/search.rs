//! What the workers of a search share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::pool::Pool;
use super::shared_node::Task;
use super::written::SharedWritten;
use crate::engine::stateless::reads_from::sequences::Sequences;
use crate::engine::stateless::reads_from::written::Written;
use crate::outcome::measures::ProgressSample;
use crate::store::lock;

/// A search by several workers.
pub struct SharedSearch {
    /// The branches that wait for a worker.
    pub(super) pool: Pool<Task>,
    /// The names of the histories of all workers.
    pub(super) names: Sequences,
    /// The classes so far, as histories.
    pub(super) classes: Sequences,
    pub(super) written: SharedWritten,
    /// The number of tasks that were taken.
    pub(super) taken: AtomicU64,
    /// What each worker published last.
    counts: Vec<Mutex<Counts>>,
}

/// What a worker did so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number of its events.
    pub events: u64,
    /// The number of executions that it explored to their end.
    pub executions: u64,
    /// An estimate of the number of executions that are left of its task.
    pub left: f64,
    /// The bytes in use.
    pub bytes: u64,
}

impl SharedSearch {
    /// A search by so many workers, after others in which these bytes were written, by histories with these
    /// names.
    pub fn new(workers: usize, written: Written, names: Sequences) -> Self {
        Self {
            pool: Pool::new(workers, 1, Vec::new()),
            names,
            classes: Sequences::default(),
            written: SharedWritten::new(written),
            taken: AtomicU64::new(0),
            counts: (0..workers).map(|_| Mutex::default()).collect(),
        }
    }

    /// The number of workers.
    pub const fn workers(&self) -> usize {
        self.counts.len()
    }

    /// The bytes that were written, and the names of histories, for the next search.
    pub fn known(self) -> (Written, Sequences) {
        (self.written.again(), self.names)
    }

    /// True if a worker ended the search.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.pool.is_closed()
    }

    /// Publishes what a worker did. Returns the number of events of all workers, and a sample of the progress
    /// of the search, from one of the worker's time.
    pub fn publish(&self, worker: usize, own: Counts, sample: ProgressSample) -> (u64, ProgressSample) {
        *lock(&self.counts[worker]) = own;
        let all = self.counts.iter().map(|counts| *lock(counts)).reduce(|one, other| Counts {
            events: one.events + other.events,
            executions: one.executions + other.executions,
            left: one.left + other.left,
            bytes: one.bytes + other.bytes,
        });
        let Counts { events, executions, left, bytes } = all.unwrap_or_default();
        let done = (self.taken.load(Ordering::Relaxed) + 1) as f64;
        let waiting = self.pool.tasks() as f64 * executions as f64 / done;
        let estimated_executions = executions as f64 + left + waiting;
        (events, ProgressSample { executions, estimated_executions, bytes, ..sample })
    }
}
