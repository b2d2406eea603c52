//! What a thread waits for that cannot take a step, in words: for messages about deadlocks.

use super::{Kind, function, mutex};
use crate::interp;
use crate::ir::address;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::system::machine::Machine;
use crate::system::state::threads;
use crate::system::step::StepEnd;

/// Rounds of a loop end, at the latest, after this many steps: more is not worth telling.
const LONGEST_ROUND: usize = 200;

impl Machine<'_> {
    /// What a thread that cannot take a step, or only looks, waits for; and its frames, innermost first: at
    /// the operation it waits in, or the loop. Leaves the thread running there.
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

    /// Makes a thread that cannot take a step the running one, at the operation it waits in: on the way there
    /// it only computes. Gives its frames, innermost first.
    fn enter_wait(&mut self, thread: usize) -> Vec<(FuncId, Pc)> {
        self.enter(thread);
        let mut budget = u32::MAX;
        interp::run(self.program, &mut self.running.stack, &mut budget, &self.tally.reached);
        let here = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        here.chain(threads::frames_below(&self.memory.components, self.running.rest)).collect()
    }

    /// The addresses that a thread looks at in a round of a loop, and the jump that ends the round. Nothing
    /// if the thread is blocked.
    fn round_of(&mut self, thread: usize) -> (Vec<u64>, Option<(FuncId, Pc)>) {
        let (recorder, tags) = (self.observers.recorder.take(), self.buffers().tags());
        let (mut state, mut seen, mut looked_at, mut turn) = (Vec::new(), Vec::new(), Vec::new(), None);
        self.pack(&mut state);
        let begin = state.clone();
        while seen.len() < LONGEST_ROUND && !seen.contains(&state) {
            self.unpack(&state);
            self.enter_wait(thread);
            let address = self.address_of_access().filter(|address| !looked_at.contains(address));
            self.unpack(&state);
            self.script.clear();
            let report = self.step(thread);
            if report.woke_by_chance || report.acted || report.end != StepEnd::Done {
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
        self.observers.recorder = recorder;
        (looked_at, turn)
    }

    /// The address that the instruction of the running thread reads.
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

    /// The function that the running thread waits in, and for what: ``pthread_mutex_lock of `left`, which
    /// thread 2 holds``.
    fn awaited(&self) -> String {
        let frame = self.running.stack.top();
        let code = self.program.function(frame.function);
        let Instr::Library { site } = code.code[frame.pc.index()] else { return "the program".to_owned() };
        let site = &code.library[site.index()];
        let called = function(site.function);
        let name = called.public_name();
        let args: Vec<_> = site.args.iter().map(|&arg| self.running.stack.get(self.program, arg).bits).collect();
        // Whoever was woken at a condition variable waits for the mutex.
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
