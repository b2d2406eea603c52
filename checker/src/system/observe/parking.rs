//! Announcements of threads that park at an address and are woken there (`step/parking.rs`).

use std::fmt::Display;

use crate::system::machine::Machine;

impl Machine<'_> {
    /// Announces that the running thread parks at an address.
    #[inline]
    pub(in crate::system) fn announce_parking(&mut self, at: u64) {
        self.touch_parking(at, true);
        self.touch_parked(self.running.thread, true);
    }

    /// Announces that the step depends on whether the running thread is parked.
    #[inline]
    pub(in crate::system) fn announce_look_at_own_parking(&mut self) {
        self.touch_parked(self.running.thread, false);
    }

    /// Announces that the step depends on which threads are parked at an address.
    #[inline]
    pub(in crate::system) fn announce_look_at_parked(&mut self, at: u64) {
        self.touch_parking(at, false);
    }

    /// Announces that a parked thread is woken at an address. The address is `None` if it is not parked.
    #[inline]
    pub(in crate::system) fn announce_wake(&mut self, thread: usize, at: Option<u64>) {
        at.into_iter().for_each(|at| self.touch_parking(at, true));
        self.touch_parked(thread, true);
    }

    /// Announces that a parked thread is moved from one address to another one.
    #[inline]
    pub(in crate::system) fn announce_move(&mut self, thread: usize, from: Option<u64>, to: u64) {
        from.into_iter().chain([to]).for_each(|at| self.touch_parking(at, true));
        self.touch_parked(thread, true);
    }

    /// Announces a call that wakes or moves threads that are parked at an address, or none.
    #[inline]
    pub(in crate::system) fn announce_wakeup(&mut self, what: &str, address: u64, detail: impl Display) {
        self.announce_act(what, address, detail);
    }

    /// Announces that a futex operation uses the word at an address as a place to park.
    #[inline]
    pub(in crate::system) fn announce_futex(&mut self, address: u64) {
        self.check_guard_of_parking(address);
    }

    /// Announces that the running thread, which is parked, goes on by itself: its time is over, or there is
    /// no reason. `at` is the address where it is parked, unless a call has announced that address before.
    #[inline]
    pub(in crate::system) fn announce_own_wakeup(&mut self, what: &str, times_out: bool, at: Option<u64>) {
        self.observe_call(what, if times_out { "times out" } else { "wakes up for no reason" });
        at.into_iter().for_each(|at| self.check_guard_of_parking(at));
        self.report.spurious_wakeup = !times_out;
    }
}
