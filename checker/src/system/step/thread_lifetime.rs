//! Threads of the working state begin and end.

use crate::interp::Stack;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::value::Value;
use crate::system::config::Leaks;
use crate::system::machine::Machine;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::object_table::ThreadState;
use crate::system::state::threads::{self, ThreadSlots};

impl Machine<'_> {
    /// Records how the running thread ended; a detached one is gone at once.
    pub(in crate::system) fn end_current(&mut self, value: Value) {
        if self.config.leaks != Leaks::Ignored {
            self.leave();
            self.report.ended_at = Some(self.threads.slots[self.running.thread]);
        }
        self.see_live();
        self.threads.live -= 1;
        self.touch_thread(self.running.thread, true);
        self.touch_end(self.running.thread, true);
        if self.memory.table.atomic == Some(self.running.thread) {
            self.memory.table.atomic = None;
            self.memory.table.nested = 0;
        }
        // Where events are reordered, numbers of threads that nobody joins are not given away again.
        let keeps_number = self.config.updates || self.config.keeps_numbers;
        if self.memory.table.threads[self.running.thread] == ThreadState::Detached && !keeps_number {
            self.break_guards();
            return self.release(self.running.thread);
        }
        let top = self.memory.components.intern(&[value.bits, value.undef]);
        self.threads.slots[self.running.thread] = ThreadSlots { top, rest: self.encoding.ended };
    }

    /// Frees the number of a thread that ended.
    pub(in crate::system) fn release(&mut self, thread: usize) {
        self.touch_thread(thread, true);
        self.touch_number(thread, false);
        self.threads.slots[thread] = ThreadSlots { top: self.encoding.empty, rest: self.encoding.empty };
        self.memory.table.threads[thread] = ThreadState::Free;
        self.race_thread_ends(thread);
        while self.memory.table.threads.last() == Some(&ThreadState::Free) {
            self.memory.table.threads.pop();
            self.threads.slots.pop();
        }
    }

    /// Adds a thread that begins in `function` with these argument words. `None`: there is no number for it.
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
        self.touch_creation(thread);
        Some(thread)
    }

    /// From now on threads are numbered by who creates them.
    pub fn number_by_creator(&mut self) {
        self.threads.numbering.children = Some(Vec::new());
    }

    /// Whether threads are numbered by who creates them.
    #[must_use]
    pub const fn numbers_by_creator(&self) -> bool {
        self.threads.numbering.children.is_some()
    }

    /// Whether a thread was not created because all free numbers are other threads' children.
    #[must_use]
    pub const fn numbers_ran_out(&self) -> bool {
        self.threads.numbering.ran_out
    }

    /// The next step gives these numbers to the threads that it creates, in this order, and those of the
    /// usual numbering if there are more.
    pub fn prescribe_numbers(&mut self, numbers: &[usize]) {
        self.threads.numbering.prescribed.clear();
        self.threads.numbering.prescribed.extend(numbers);
    }

    /// The numbers that a step with this footprint gave away, in order; none if they are plain.
    #[must_use]
    pub fn created_by(&self, touches: &[FootprintEntry]) -> Vec<usize> {
        let touches = touches.iter().filter(|touch| self.numbers_by_creator() && !touch.imagined);
        touches.filter_map(FootprintEntry::created).collect()
    }

    /// The number of a thread that the running one creates. `None`: there is none.
    pub(in crate::system) fn free_number(&mut self) -> Option<usize> {
        self.threads.numbering.choose(self.running.thread, &self.memory.table.threads)
    }

    /// A thread gets its number, or gives it back.
    pub(in crate::system) fn touch_number(&mut self, thread: usize, given: bool) {
        self.touch_thread_numbers(self.threads.numbering.owner(thread), given);
    }
}
