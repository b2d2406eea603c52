//! A pause of all threads, while the process forks: a process that had begun while some thread had a lock
//! would wait for it for ever.

use std::sync::MutexGuard;

use super::{Own, SharedMonitor, Slot, WatchedThread};
use crate::lock::lock;
use crate::monitor::biased::Guard;

/// While this exists, no thread makes a step, and none starts or ends.
#[derive(Debug)]
pub struct Pause<'m> {
    monitor: &'m SharedMonitor,
    threads: Vec<Guard<'static, Own>>,
    _list: MutexGuard<'m, Vec<&'static Slot>>,
}

impl SharedMonitor {
    /// Waits until no thread is in a step, and keeps them from the next one.
    pub fn pause(&self) -> Pause<'_> {
        let list = lock(&self.threads);
        Pause { monitor: self, threads: Slot::all_owned(&list), _list: list }
    }
}

impl Pause<'_> {
    /// Ends the pause in a process in which one thread alone goes on. What the others did is in its memory,
    /// as if they had ended.
    pub fn end_alone(mut self, thread: u32) {
        let others = self.threads.iter_mut().filter(|own| own.thread.slot != thread as usize);
        for own in others {
            own.thread.fence(0);
            self.monitor.outside.add(&mut own.thread);
            own.thread.is_live = false;
            own.near.clear();
        }
    }
}

impl WatchedThread {
    /// The name of the thread in reports.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.slot.kept.slot
    }
}
