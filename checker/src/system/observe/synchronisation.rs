//! Announcements of operations on locks, barriers and atomic sections.
//!
//! Objects are in memory, and accesses to them announce themselves (`accesses.rs`). What is said here is what
//! such an operation means beyond that.

use rmc_runtime::{Access, MemoryOrder};

use super::races::records::{Carrier, Side};
use crate::ir::address::ObjectId;
use crate::system::machine::Machine;
use crate::system::state::object_table::Parked;

/// What the last thread does that arrives at a barrier.
const LAST: &str = "arrives last";

impl Machine<'_> {
    /// Announces that a function for mutexes reads the mutex at an address. `waits` is true if it does
    /// nothing else while the mutex is not free.
    #[inline]
    pub(in crate::system) fn announce_mutex_read(&mut self, address: u64, waits: bool) {
        self.begin_mutex(address, waits);
    }

    /// Announces that the mutex was read.
    #[inline]
    pub(in crate::system) fn mutex_read(&mut self) {
        self.end_mutex();
    }

    /// Announces that the running thread acquires the mutex at this place. `waits` is true if it would have
    /// waited for the mutex.
    #[inline]
    pub(in crate::system) fn announce_mutex_taken(&mut self, what: &str, detail: &str, at: Access, waits: bool) {
        self.observe_call_on(what, ObjectId(at.object).address(at.offset), detail);
        if waits {
            self.touch_mutex_release(at, false);
        }
    }

    /// Announces that the running thread releases the mutex at this place, maybe not for the last time.
    #[inline]
    pub(in crate::system) fn announce_mutex_release(&mut self, what: &str, detail: &str, at: Access) {
        self.observe_call_on(what, ObjectId(at.object).address(at.offset), detail);
        self.touch_mutex_release(at, true);
    }

    /// Announces that the reader-writer lock at this place begins or ends.
    #[inline]
    pub(in crate::system) fn announce_reader_writer_begun(&mut self, at: Access) {
        self.race_forget_lock(at);
    }

    /// Announces that the running thread acquires what holders of these sides released to the reader-writer
    /// lock at this place.
    #[inline]
    pub(in crate::system) fn announce_reader_writer_acquired(&mut self, at: Access, from: &[Side]) {
        let me = Carrier::Thread(self.running.thread);
        from.iter().for_each(|&side| self.race_order(Carrier::ReaderWriter(at, side), me));
    }

    /// Announces that the running thread, which held the reader-writer lock at this place so, releases it.
    #[inline]
    pub(in crate::system) fn announce_reader_writer_released(&mut self, at: Access, side: Side) {
        self.race_order(Carrier::Thread(self.running.thread), Carrier::ReaderWriter(at, side));
    }

    /// Announces that the thread goes on because the routine of a `once` control has run.
    #[inline]
    pub(in crate::system) fn announce_once_done(&mut self) {
        self.race_acquire(MemoryOrder::Acquire);
    }

    /// Announces that the running thread begins an atomic section.
    #[inline]
    pub(in crate::system) fn announce_section_begin(&mut self) {
        self.observe_call("atomic section begins", "");
        self.race_order(Carrier::Sections, Carrier::Thread(self.running.thread));
    }

    /// Announces that the running thread ends its atomic section.
    #[inline]
    pub(in crate::system) fn announce_section_end(&mut self) {
        self.observe_call("atomic section ends", "");
        self.race_order(Carrier::Thread(self.running.thread), Carrier::Sections);
    }

    /// Announces that the running thread arrives at a barrier and waits there, as so many threads do already.
    #[inline]
    pub(in crate::system) fn announce_arrival(&mut self, what: &str, barrier: u64, waiting: usize) {
        self.announce_act(what, barrier, format_args!("arrives, {waiting} wait already"));
    }

    /// Announces that the running thread is the last to arrive at a barrier, where these threads wait.
    #[inline]
    pub(in crate::system) fn announce_last_arrival(&mut self, what: &str, barrier: u64, waiting: &[Parked]) {
        self.announce_act(what, barrier, LAST);
        let me = Carrier::Thread(self.running.thread);
        waiting.iter().for_each(|one| self.race_order(Carrier::Thread(one.thread), me));
        waiting.iter().for_each(|one| self.race_order(me, Carrier::Thread(one.thread)));
    }

    /// Announces that the running thread arrives at a barrier, in the round of this number, where so many
    /// threads wait already. The number is `None` if the thread is the last one.
    #[inline]
    pub(in crate::system) fn announce_round_arrival(
        &mut self,
        what: &str,
        waiting: Option<usize>,
        barrier: u64,
        number: u16,
    ) {
        match waiting {
            Some(waiting) => self.announce_arrival(what, barrier, waiting),
            None => self.announce_act(what, barrier, LAST),
        }
        self.touch_arrival(barrier, number, waiting.is_none());
    }

    /// Announces that the step depends on whether threads have arrived in the round of this number.
    #[inline]
    pub(in crate::system) fn announce_look_at_round(&mut self, barrier: u64, number: u16) {
        self.touch_round(barrier, number);
    }

    /// Announces that a round of a barrier is complete without these threads.
    #[inline]
    pub(in crate::system) fn announce_round_end(&mut self, barrier: u64, outsiders: &[usize]) {
        outsiders.iter().for_each(|&thread| self.touch_outsider(barrier, thread));
    }

    /// Announces that the running thread looks whether it may leave a barrier after the round of this number.
    #[inline]
    pub(in crate::system) fn announce_departure(&mut self, barrier: u64, number: u16) {
        self.touch_round_release(barrier, number);
        self.touch_parked(self.running.thread, false);
    }

    /// Announces that the running thread chooses the serial thread of its round, for these threads too.
    #[inline]
    pub(in crate::system) fn announce_serial_choice(&mut self, others: &[usize]) {
        others.iter().for_each(|&thread| self.touch_parked(thread, true));
    }
}
