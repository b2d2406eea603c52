//! The beginning and end of threads in the working state.

use crate::interp::Stack;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::value::Value;
use crate::system::config::Leaks;
use crate::system::machine::Machine;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::numbering::ThreadNumbers;
use crate::system::state::object_table::{ObjectKind, ThreadState};
use crate::system::state::threads::{self, ThreadSlots};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Ends the running thread with a value: a full fence, then the end of its memory. Before that, the
    /// thread runs the support library's function for its end.
    pub(in crate::system) fn end_thread(&mut self, turn: &mut VisibleSlot, value: Value) -> Performed {
        if let Some(epilogue) = self.program.thread_end
            && self.outermost_function() != epilogue
        {
            self.restart_in(epilogue, value);
            return Ok(Next::Jumped);
        }
        if !self.may_end(turn)? {
            return Ok(Next::Wait);
        }
        self.announce_thread_end(value);
        if let Some(epilogue) = self.program.epilogue.filter(|_| self.threads.live == 1) {
            return self.run_epilogue(epilogue);
        }
        self.end_thread_objects()?;
        self.give_up_kept_name();
        self.thread_ended();
        self.end_current(value);
        if self.threads.live == 0 {
            self.end_process(0);
        }
        Ok(Next::Ended)
    }

    /// Makes the fence of a thread's end. If others can tell that the thread lives, by its memory or by
    /// asking, the end is visible even if nothing is delayed. It is also visible if leaks are looked for:
    /// memory that only the thread knows is not leaked if the process ends before the thread does. And it is
    /// visible if a name comes free for another thread.
    fn may_end(&mut self, turn: &mut VisibleSlot) -> Result<bool, StepEnd> {
        let visible = self.facts.ends_are_seen
            || self.looks_for_leaks()
            || self.memory.table.kept.of(self.running.thread).is_some()
            || self.are_known(|object| object.kind != ObjectKind::Heap);
        if self.config.updates || !visible {
            return Ok(self.full_fence(turn));
        }
        if !self.may_proceed(turn) {
            return Ok(false);
        }
        self.drain().map(|()| true)
    }

    /// Lets the last thread continue as if `main` had returned 0, to run the handlers of the end of the
    /// process.
    fn run_epilogue(&mut self, epilogue: Pc) -> Performed {
        self.end_frames(1)?;
        self.last_thread_ended();
        let entry = self.program.entry.expect("the loader adds an entry function");
        self.running.stack.clear();
        self.running.rest = self.nothing_below();
        self.running.stack.push_bare(entry, epilogue, self.program.function(entry).registers);
        Ok(Next::Jumped)
    }

    /// Ends the running thread, whose end was announced. A detached thread is gone at once.
    fn end_current(&mut self, value: Value) {
        if self.config.leaks != Leaks::Ignored {
            self.leave();
            self.report.ended_at = Some(self.threads.slots[self.running.thread]);
        }
        self.threads.live -= 1;
        if self.memory.table.atomic == Some(self.running.thread) {
            self.memory.table.atomic = None;
            self.memory.table.nested = 0;
        }
        // Where events are reordered, numbers of threads that nobody joins are not reused.
        let keeps_number = self.config.updates || self.config.keeps_numbers;
        if self.memory.table.threads[self.running.thread] == ThreadState::Detached && !keeps_number {
            return self.release(self.running.thread, false);
        }
        let top = self.memory.components.intern(&[value.bits, value.undef]);
        self.threads.slots[self.running.thread] = ThreadSlots { top, rest: self.encoding.ended };
    }

    /// Frees the number of a thread that ended, because it was joined or without that.
    pub(in crate::system) fn release(&mut self, thread: usize, was_joined: bool) {
        self.announce_free_number(thread, was_joined);
        self.threads.slots[thread] = ThreadSlots { top: self.encoding.empty, rest: self.encoding.empty };
        self.memory.table.threads[thread] = ThreadState::Free;
        while self.memory.table.threads.last() == Some(&ThreadState::Free) {
            self.memory.table.threads.pop();
            self.threads.slots.pop();
        }
    }

    /// Adds a thread, to be announced by the caller, that begins in `function` with these argument words. The
    /// result is `None` if there is no number for it.
    pub(in crate::system) fn start_thread(
        &mut self,
        function: FuncId,
        args: &[Value],
        state: ThreadState,
    ) -> Option<usize> {
        let thread = self.free_number()?;
        let nothing = ThreadSlots { top: self.encoding.empty, rest: self.encoding.empty };
        let room = self.threads.slots.len().max(thread + 1);
        self.memory.table.threads.resize(room, ThreadState::Free);
        self.threads.slots.resize(room, nothing);
        self.memory.table.threads[thread] = state;
        let mut stack = Stack::default();
        stack.push_bare(function, Pc(0), self.program.function(function).registers);
        args.iter().enumerate().for_each(|(at, &arg)| stack.set(crate::ir::Reg::new(at), arg));
        if self.config.updates {
            self.run_up(&mut stack);
        }
        self.threads.slots[thread] = threads::encode(
            self.code(),
            &mut self.memory.components,
            &stack,
            self.encoding.empty,
            &mut self.encoding.scratch,
        );
        self.threads.live += 1;
        self.make_thread_locals(thread);
        Some(thread)
    }

    /// Numbers threads by their creators from now on, with what is known of their children.
    pub fn number_by_creator(&mut self, children: ThreadNumbers) {
        let numbering = &mut self.threads.numbering;
        (numbering.children, numbering.is_by_creator) = (children, true);
    }

    /// True if threads are numbered by their creators.
    #[must_use]
    pub const fn numbers_by_creator(&self) -> bool {
        self.threads.numbering.is_by_creator
    }

    /// True if a thread was not created because all free numbers are other threads' children.
    #[must_use]
    pub const fn numbers_ran_out(&self) -> bool {
        self.threads.numbering.ran_out
    }

    /// Makes the next step give these numbers to the threads that it creates, in this order. Further threads
    /// get numbers of the usual numbering.
    pub fn prescribe_numbers(&mut self, numbers: &[usize]) {
        self.threads.numbering.prescribed.clear();
        self.threads.numbering.prescribed.extend(numbers);
    }

    /// The number of prescribed numbers that were given to no thread.
    #[must_use]
    pub fn prescribed_numbers(&self) -> usize {
        self.threads.numbering.prescribed.len()
    }

    /// The numbers that a step with this footprint gave to threads, in order; empty if threads are not
    /// numbered by their creators.
    #[must_use]
    pub fn created_by(&self, touches: &[FootprintEntry]) -> Vec<usize> {
        let touches = touches.iter().filter(|touch| self.numbers_by_creator() && !touch.hypothetical);
        touches.filter_map(FootprintEntry::created).collect()
    }

    /// The number of the next thread that the running one creates, if there is one.
    pub(in crate::system) fn free_number(&mut self) -> Option<usize> {
        self.threads.numbering.choose(self.running.thread, &self.memory.table.threads)
    }
}
