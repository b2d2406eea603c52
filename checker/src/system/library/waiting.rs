//! What a thread waits for that cannot take a step, in words: for messages about deadlocks.

use super::{mutex, waiting};
use crate::interp;
use crate::ir::address;
use crate::ir::ids::{FuncId, Operand, Pc};
use crate::ir::instr::Instr;
use crate::system::machine::Machine;
use crate::system::threads;

impl Machine<'_> {
    /// Makes a thread that cannot take a step the running one, at the operation it waits in: on the way there it only computes. Gives its
    /// frames, innermost first.
    pub(crate) fn enter_wait(&mut self, thread: usize) -> Vec<(FuncId, Pc)> {
        self.enter(thread);
        let mut budget = u32::MAX;
        interp::run(self.program, &mut self.stack, &mut budget);
        let here = self.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        here.chain(threads::frames_below(&self.memory.components, self.rest)).collect()
    }

    /// The function that the running thread waits in, and for what: ``pthread_mutex_lock of `left`, which thread 2 holds``.
    pub(crate) fn awaited(&self) -> String {
        let frame = self.stack.top();
        let name = waiting(self.program, (frame.function, frame.pc));
        let function = self.program.function(frame.function);
        let site = match function.code[frame.pc.index()] {
            Instr::Library { site } => site,
            Instr::Load { addr, .. } | Instr::ReadModifyWrite { addr, .. } => return self.loops_over(addr),
            Instr::CompareExchange { site, .. } => return self.loops_over(function.exchanges[site.index()].addr),
            _ => return name.to_owned(),
        };
        let args = &self.program.function(frame.function).library[site.index()].args;
        let args: Vec<_> = args.iter().map(|&arg| self.stack.get(self.program, arg).bits).collect();
        // Whoever was woken at a condition variable waits for the mutex.
        let is_woken = name.contains("cond_") || name.starts_with("cnd_");
        match args[..] {
            [thread, ..] if name.contains("join") => format!("{name} of thread {}", thread.wrapping_sub(1)),
            [condition, mutex, ..] if is_woken && !self.waits_parked() => {
                format!("{name} of {} for {}{}", self.object_at(condition), self.object_at(mutex), self.held(mutex))
            }
            [object, ..] if address::split(object).is_some() => {
                let held =
                    if name.contains("mutex") || name.starts_with("mtx_") { self.held(object) } else { String::new() };
                format!("{name} of {}{held}", self.object_at(object))
            }
            _ => name.to_owned(),
        }
    }

    /// The running thread reads one variable over and over.
    fn loops_over(&self, address: Operand) -> String {
        format!("a loop for a change of {}", self.object_at(self.stack.get(self.program, address).bits))
    }

    fn object_at(&self, address: u64) -> String {
        let found = address::split(address).filter(|_| self.target(address, 1, false).is_ok());
        found.map_or_else(|| format!("{address:#x}"), |(id, offset)| format!("`{}`", self.place_name(id, offset)))
    }

    fn held(&self, mutex: u64) -> String {
        mutex::holder(self, mutex).map_or_else(String::new, |thread| format!(", which thread {thread} holds"))
    }
}
