//! Repeated loads: without the locks of the thread and the words, while their readers are kept.

use super::{SharedMonitor, WatchedThread};
use crate::monitor::ByteRange;

/// The number of accesses after which a thread that only loads what it has loaded yields. It may wait for
/// another one, which needs the processor, or a word that this one keeps taking.
const PATIENCE: u32 = 128;

impl SharedMonitor {
    /// Makes the load if the thread, which calls this, keeps its reader. Else, gives it back.
    pub(super) fn load_again<R, A: FnOnce() -> R>(
        &self,
        thread: &WatchedThread,
        bytes: ByteRange,
        site: u64,
        access: A,
    ) -> Result<R, A> {
        let Some((at, mask)) = bytes.only_word() else { return Err(access) };
        let kept = &thread.slot.kept;
        if !kept.may_have(at, mask) {
            return Err(access);
        }
        let mut readers = kept.own();
        if readers.is_outdated {
            drop(readers);
            self.comes_up_to_date(thread);
            readers = kept.own();
        }
        let table = &mut readers.table;
        let Some(place) = table.find(at, mask).filter(|_| table.has_room_for(site)) else { return Err(access) };
        let result = access();
        thread.recent.borrow_mut().repeats(at, |recent| table.load_again(place, recent, site));
        drop(readers);
        thread.yield_if_waiting();
        Ok(result)
    }

    /// A thread, which calls this, looks at what others changed of it.
    fn comes_up_to_date(&self, thread: &WatchedThread) {
        let own = self.own(thread);
        thread.copy(&own.thread);
        thread.slot.kept.own().is_outdated = false;
    }
}

impl WatchedThread {
    /// Yields if the thread seems to wait for another one.
    pub(super) fn yield_if_waiting(&self) {
        let recent = &mut *self.recent.borrow_mut();
        if recent.repeats >= PATIENCE {
            recent.repeats = 0;
            std::thread::yield_now();
        }
    }
}
