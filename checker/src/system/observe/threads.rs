//! Announcements of threads that are created, end, are joined or detached, and give back their number.

use super::races::records::Carrier;
use crate::ir::ids::FuncId;
use crate::ir::value::Value;
use crate::system::machine::Machine;

impl Machine<'_> {
    /// Announces that the running thread is about to create a thread with this argument.
    #[inline]
    pub(in crate::system) fn announce_creation(&mut self, argument: Value) {
        self.publish(argument);
    }

    /// Announces that the running thread has created a thread, which begins in `start`.
    #[inline]
    pub(in crate::system) fn thread_created(&mut self, what: &str, thread: usize, start: FuncId) {
        self.touch_creation(thread);
        self.race_order(Carrier::Thread(self.running.thread), Carrier::Thread(thread));
        let program = self.program;
        self.observe_call(what, format_args!("thread {thread} runs {}", program.function(start).shown_name()));
    }

    /// Announces that the running thread is about to end with this result.
    #[inline]
    pub(in crate::system) fn announce_thread_end(&mut self, result: Value) {
        self.publish(result);
        let looks_at_end = self.config.reads_from && !self.defers_exits() && self.facts.first_may_end;
        if self.program.epilogue.is_some() || looks_at_end {
            self.touch_last_end();
        }
        self.log_live_read();
    }

    /// Announces that the running thread ends, after its memory did.
    #[inline]
    pub(in crate::system) fn thread_ended(&mut self) {
        self.observe_end();
        self.touch_end(self.running.thread);
    }

    /// Announces that the last thread has ended, and goes on with the end of the process.
    #[inline]
    pub(in crate::system) fn last_thread_ended(&mut self) {
        self.observe_end();
    }

    /// Announces that the running thread looks whether another thread has ended, to join it.
    #[inline]
    pub(in crate::system) fn announce_look_at_end(&mut self, thread: usize) {
        self.touch_thread(thread, false);
    }

    /// Announces that the step depends on whether a thread has ended, and on its result.
    #[inline]
    pub(in crate::system) fn announce_look_at_result(&self, thread: usize) {
        self.log_end_read(thread);
    }

    /// Announces that the step depends on whether other threads live.
    #[inline]
    pub(in crate::system) fn announce_look_at_others(&self) {
        self.log_live_read();
    }

    /// Announces that the running thread is about to join a thread that has ended.
    #[inline]
    pub(in crate::system) fn announce_join(&mut self, thread: usize) {
        self.race_order(Carrier::Thread(thread), Carrier::Thread(self.running.thread));
    }

    /// Announces that the running thread has joined a thread. `waits` is true if it would have waited for the
    /// end.
    #[inline]
    pub(in crate::system) fn thread_joined(&mut self, what: &str, thread: usize, waits: bool) {
        self.observe_call(what, format_args!("thread {thread}"));
        if waits {
            self.touch_awaited_end(thread);
        }
    }

    /// Announces that the running thread detaches a thread.
    #[inline]
    pub(in crate::system) fn announce_detachment(&mut self, what: &str, thread: usize) {
        self.observe_call(what, format_args!("thread {thread}"));
        self.touch_thread(thread, true);
    }

    /// Announces that the number of a thread that ended becomes free, because the thread was joined or
    /// without that.
    #[inline]
    pub(in crate::system) fn announce_free_number(&mut self, thread: usize, was_joined: bool) {
        if !was_joined {
            self.break_guards();
        }
        self.touch_thread(thread, true);
        self.touch_number(thread, false);
        self.race_thread_ends(thread);
    }
}
