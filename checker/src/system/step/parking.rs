//! Threads that wait until another thread wakes them: at a condition variable, a barrier or a futex.
//!
//! Parked threads are kept in the state's object table, not in the object's own memory: POSIX lets a program
//! destroy a condition variable or a barrier, and free its memory, as soon as all threads that waited were
//! woken, whether they have run since or not.

use crate::system::machine::Machine;
use crate::system::state::object_table::Parked;

impl Machine<'_> {
    /// Parks the running thread at an address.
    pub(in crate::system) fn park(&mut self, at: u64, with: u64) {
        self.announce_parking(at);
        self.park_unannounced(at, with);
    }

    /// Parks the running thread as part of an operation that the caller announces.
    pub(in crate::system) fn park_unannounced(&mut self, at: u64, with: u64) {
        let parked = &mut self.memory.table.parked;
        let place = parked.partition_point(|one| one.thread < self.running.thread);
        parked.insert(place, Parked { thread: self.running.thread, at, with });
    }

    /// True if nobody has woken the running thread yet.
    pub(in crate::system) fn is_parked(&mut self) -> bool {
        self.announce_look_at_own_parking();
        self.waits_parked()
    }

    /// True if nobody has woken the running thread yet. This is for reports: the footprint stays as it is.
    pub(in crate::system) fn waits_parked(&self) -> bool {
        self.memory.table.parked.iter().any(|one| one.thread == self.running.thread)
    }

    /// The threads that wait at an address, in ascending order.
    pub(in crate::system) fn parked_at(&mut self, at: u64) -> Vec<Parked> {
        self.announce_look_at_parked(at);
        self.memory.table.parked.iter().filter(|one| one.at == at).copied().collect()
    }

    /// The position of a thread among those that wait at an address, in ascending order.
    #[must_use]
    pub fn position_among_parked(&self, thread: usize, at: u64) -> Option<usize> {
        self.memory.table.parked.iter().filter(|one| one.at == at).position(|one| one.thread == thread)
    }

    /// Moves a waiting thread to another address.
    pub(in crate::system) fn park_elsewhere(&mut self, thread: usize, at: u64) {
        let from = self.memory.table.parked.iter().find(|one| one.thread == thread).map(|one| one.at);
        self.announce_move(thread, from, at);
        let parked = self.memory.table.parked.iter_mut();
        parked.filter(|one| one.thread == thread).for_each(|one| one.at = at);
    }

    /// Wakes a waiting thread.
    pub(in crate::system) fn wake(&mut self, thread: usize) {
        let at = self.memory.table.parked.iter().find(|one| one.thread == thread).map(|one| one.at);
        self.announce_wake(thread, at);
        self.memory.table.parked.retain(|one| one.thread != thread);
    }
}
