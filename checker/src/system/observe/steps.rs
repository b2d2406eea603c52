//! Announcements of the step as a whole, of its operations, of fences, and of decisions about stores.

use rmc_runtime::MemoryOrder;

use crate::outcome::Fault;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;

impl Machine<'_> {
    /// Announces a step of the thread that was just entered.
    #[inline]
    pub(in crate::system) fn announce_step(&mut self) {
        self.begin_guards();
        self.begin_races();
    }

    /// Announces that the step under way has come to this end.
    #[inline]
    pub(in crate::system) fn step_ended(&mut self, end: &StepEnd) {
        let missed_load = self.observers.missed_load.take();
        if let StepEnd::Fault(Fault { subject: Some(address), .. }) = *end
            && self.config.reads_from
        {
            self.touch_gone(address, missed_load);
        }
        if !matches!(end, StepEnd::Done | StepEnd::Blocked | StepEnd::ExitsLast) {
            self.check_guards_at_end();
        }
        if !matches!(end, StepEnd::Blocked | StepEnd::ExitsLast) {
            self.touch_position();
        }
        if matches!(end, StepEnd::Exit(_)) && self.threads.live > 1 && self.config.final_states {
            self.break_guards();
        }
    }

    /// Announces an operation of the step under way, whatever it is.
    #[inline]
    pub(in crate::system) fn announce_operation(&mut self) {
        self.begin_race_operation();
    }

    /// Announces that an operation was made.
    ///
    /// # Errors
    /// An observer ends the step, and could not say so while the operation was made.
    #[inline]
    pub(in crate::system) fn operation_made(&mut self) -> Result<(), StepEnd> {
        self.race_verdict()
    }

    /// Announces an operation that may decide which delayed stores are in memory.
    #[inline]
    pub(in crate::system) fn announce_decision(&mut self) {
        self.observe_before();
    }

    /// Announces that stores reached memory without an operation that found them there.
    #[inline]
    pub(in crate::system) fn stores_decided(&mut self) {
        self.observe_decided();
    }

    /// Announces a fence of the program, whose effect on the thread's buffer was made.
    #[inline]
    pub(in crate::system) fn announce_fence(&mut self, order: MemoryOrder) {
        self.race_fence(order);
        self.observe_fence(order);
    }

    /// Announces that a buffer is full here, or would be.
    #[inline]
    pub(in crate::system) fn announce_full_buffer(&mut self) {
        if self.tally.bound_was_hit.is_none() {
            self.tally.bound_was_hit = Some(self.place_of_step());
        }
        if self.config.ends_when_full {
            self.note_full();
        }
    }
}
