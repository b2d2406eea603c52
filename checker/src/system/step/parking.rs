//! Threads that wait until another thread wakes them: at a condition variable, a barrier or a futex.
//!
//! Who waits where is kept in the state's object table, not in the object's own memory: POSIX lets a program
//! destroy a condition variable or a barrier, and free its memory, as soon as all who waited were woken,
//! whether they have run since or not.

use crate::system::machine::Machine;
use crate::system::state::object_table::Parked;

impl Machine<'_> {
    /// The running thread waits at an address from now on.
    pub(in crate::system) fn park(&mut self, at: u64, with: u64) {
        self.touch_parking(at, true);
        self.touch_parked(self.running.thread, true);
        self.park_untouched(at, with);
    }

    /// Parks the running thread; the caller adds to the footprint.
    pub(in crate::system) fn park_untouched(&mut self, at: u64, with: u64) {
        let parked = &mut self.memory.table.parked;
        let place = parked.partition_point(|one| one.thread < self.running.thread);
        parked.insert(place, Parked { thread: self.running.thread, at, with });
    }

    /// Whether nobody has woken the running thread yet.
    pub(in crate::system) fn is_parked(&mut self) -> bool {
        self.touch_parked(self.running.thread, false);
        self.waits_parked()
    }

    /// Whether nobody has woken the running thread yet, for a report: the footprint stays as it is.
    pub(in crate::system) fn waits_parked(&self) -> bool {
        self.memory.table.parked.iter().any(|one| one.thread == self.running.thread)
    }

    /// Threads that wait at an address, in ascending order.
    pub(in crate::system) fn parked_at(&mut self, at: u64) -> Vec<Parked> {
        self.touch_parking(at, false);
        self.memory.table.parked.iter().filter(|one| one.at == at).copied().collect()
    }

    /// A thread that waits does so at another address from now on.
    pub(in crate::system) fn park_elsewhere(&mut self, thread: usize, at: u64) {
        let from = self.memory.table.parked.iter().find(|one| one.thread == thread).map(|one| one.at);
        from.into_iter().chain([at]).for_each(|at| self.touch_parking(at, true));
        self.touch_parked(thread, true);
        let parked = self.memory.table.parked.iter_mut();
        parked.filter(|one| one.thread == thread).for_each(|one| one.at = at);
    }

    /// A thread waits no more.
    pub(in crate::system) fn wake(&mut self, thread: usize) {
        let at = self.memory.table.parked.iter().find(|one| one.thread == thread).map(|one| one.at);
        at.into_iter().for_each(|at| self.touch_parking(at, true));
        self.touch_parked(thread, true);
        self.memory.table.parked.retain(|one| one.thread != thread);
    }
}
