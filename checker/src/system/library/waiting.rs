//! Descriptions of what blocked threads wait for, for messages about deadlocks.

use super::{Kind, function, mutex};
use crate::interp;
use crate::ir::address;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::system::machine::Machine;
use crate::system::state::threads;
use crate::system::step::StepEnd;

/// The maximal number of steps of a round of a loop that is described.
const MOST_ROUND_STEPS: usize = 200;

impl Machine<'_> {
    /// A description of what a thread waits for that cannot take a step or only looks, and its frames,
    /// innermost first, at the operation or the loop in which it waits. Leaves the thread running there.
    pub(crate) fn wait_of(&mut self, thread: usize) -> (String, Vec<(FuncId, Pc)>) {
        let (looked_at, turn) = self.round_of(thread);
        let mut frames = self.enter_wait(thread);
        if looked_at.is_empty() {
            return (self.awaited(), frames);
        }
        if let Some(turn) = turn.filter(|turn| turn.0 == frames[0].0) {
            frames[0] = turn;
        }
        let names: Vec<_> = looked_at.into_iter().map(|address| self.object_at(address)).collect();
        (format!("a loop for a change of {}", names.join(" or ")), frames)
    }

    /// Makes a thread that cannot take a step the running one, at the operation in which it waits. It only
    /// computes on the way there. Returns its frames, innermost first.
    fn enter_wait(&mut self, thread: usize) -> Vec<(FuncId, Pc)> {
        self.enter(thread);
        let mut budget = u32::MAX;
        interp::run(self.program, &mut self.running.stack, &mut budget, &self.tally.reached);
        let here = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        here.chain(threads::frames_below(&self.memory.components, self.running.rest)).collect()
    }

    /// The addresses that a thread looks at in a round of a loop, and the jump that ends the round. Both are
    /// empty if the thread is blocked.
    fn round_of(&mut self, thread: usize) -> (Vec<u64>, Option<(FuncId, Pc)>) {
        let (recorder, tags) = (self.observers.pause_recorder(), self.buffers().tags());
        let (mut state, mut seen, mut looked_at, mut turn) = (Vec::new(), Vec::new(), Vec::new(), None);
        self.pack(&mut state);
        let begin = state.clone();
        while seen.len() < MOST_ROUND_STEPS && !seen.contains(&state) {
            self.unpack(&state);
            self.enter_wait(thread);
            let address = self.address_of_access().filter(|address| !looked_at.contains(address));
            self.unpack(&state);
            self.choices.clear();
            let report = self.step(thread);
            if report.spurious_wakeup || report.acted || report.end != StepEnd::Done {
                looked_at.clear();
                break;
            }
            looked_at.extend(address.filter(|_| report.looked));
            turn = self.running.stack.turns.last.or(turn);
            seen.push(state.clone());
            self.settle(thread);
            self.pack(&mut state);
        }
        self.unpack(&begin);
        self.set_tags(&tags);
        self.observers.continue_recorder(recorder);
        (looked_at, turn)
    }

    /// The address that the running thread's instruction reads, if it reads one.
    fn address_of_access(&self) -> Option<u64> {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        let address = match function.code[frame.pc.index()] {
            Instr::Load { addr, .. } | Instr::ReadModifyWrite { addr, .. } => addr,
            Instr::CompareExchange { site, .. } => function.exchanges[site.index()].addr,
            Instr::Library { site } => *function.library[site.index()].args.first()?,
            _ => return None,
        };
        Some(self.running.stack.get(self.program, address).bits).filter(|&address| address::split(address).is_some())
    }

    /// The function in which the running thread waits and the object that it waits for, for example
    /// ``pthread_mutex_lock of `left`, which thread 2 holds``.
    fn awaited(&self) -> String {
        let frame = self.running.stack.top();
        let code = self.program.function(frame.function);
        let Instr::Library { site } = code.code[frame.pc.index()] else { return "the program".to_owned() };
        let site = &code.library[site.index()];
        let called = function(site.function);
        let name = called.public_name();
        let args: Vec<_> = site.args.iter().map(|&arg| self.running.stack.get(self.program, arg).bits).collect();
        // A thread that was woken at a condition variable waits for the mutex.
        let is_woken = called.kind == Kind::Condition && !self.waits_parked();
        match args[..] {
            [thread, ..] if called.on_threads.awaits_end() => format!("{name} of thread {}", thread.wrapping_sub(1)),
            [condition, mutex, ..] if is_woken => {
                format!("{name} of {} for {}{}", self.object_at(condition), self.object_at(mutex), self.held(mutex))
            }
            [object, ..] if address::split(object).is_some() => {
                let held = if called.kind == Kind::Mutex { self.held(object) } else { String::new() };
                format!("{name} of {}{held}", self.object_at(object))
            }
            _ => name.to_owned(),
        }
    }

    fn object_at(&self, address: u64) -> String {
        let found = address::split(address).filter(|_| self.target(address, 1, false).is_ok());
        found.map_or_else(|| format!("{address:#x}"), |(id, offset)| format!("`{}`", self.place_name(id, offset)))
    }

    fn held(&self, mutex: u64) -> String {
        mutex::holder(self, mutex).map_or_else(String::new, |thread| format!(", which thread {thread} holds"))
    }
}
