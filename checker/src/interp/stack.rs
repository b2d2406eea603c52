//! The frames of the running thread and their registers.
//!
//! Only the frames that a step touches are unpacked here. The frames below are encoded in the state
//! ([`crate::system`]); each is inserted under the lowest one when that returns. Registers of all frames lie
//! in one vector, so that a call allocates nothing.

use super::turns::LoopCounters;
use crate::ir::address::ObjectId;
use crate::ir::ids::{FuncId, Operand, Pc, Reg};
use crate::ir::program::Program;
use crate::ir::value::Value;

/// A frame: its current instruction and the begin of its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// The instruction to execute next; in a frame that called another one, the call.
    pub pc: Pc,
    /// First register in the vector of all registers.
    pub base: usize,
}

/// The topmost frames of a thread, oldest first; never empty while the thread runs.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// The number of frames below those in `frames`.
    pub below: u32,
    /// The counters of loops; they outlive the frames in `frames`.
    pub turns: LoopCounters,
    /// True if the interpreter watches for operations that distinguish threads; see [`super::watch`].
    pub watches: bool,
    /// True if such an operation was executed.
    pub asymmetric: bool,
    /// Whether registers may have symbols; see [`super::symbolic`].
    pub defers_inputs: bool,
    /// The objects whose addresses were disguised; see [`super::disguise`].
    pub disguised: Vec<ObjectId>,
}

impl Stack {
    /// Removes all frames and registers.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.registers.clear();
        self.below = 0;
    }

    /// The running frame.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    #[must_use]
    pub fn top(&self) -> Frame {
        *self.frames.last().expect("a running thread has a frame")
    }

    /// The unpacked frames, oldest first.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Number of frames of the thread.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.below + u32::try_from(self.frames.len()).expect("few frames")
    }

    /// True if the frame that the running one returns to is unpacked.
    #[must_use]
    pub fn has_caller(&self) -> bool {
        self.frames.len() > 1
    }

    /// The values in the registers of the unpacked frames.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.registers.iter().copied()
    }

    /// Reads an operand of the running frame.
    #[inline]
    #[must_use]
    pub fn get(&self, program: &Program, operand: Operand) -> Value {
        match operand.resolve() {
            Ok(reg) => self.registers[self.top().base + reg],
            Err(constant) => program.constants[constant],
        }
    }

    /// Reads a register of an unpacked frame.
    #[must_use]
    pub fn register(&self, frame: Frame, reg: Reg) -> Value {
        self.registers[frame.base + reg.index()]
    }

    /// Writes a register of the running frame.
    #[inline]
    pub fn set(&mut self, dst: Reg, value: Value) {
        let base = self.top().base;
        self.registers[base + dst.index()] = value;
    }

    /// Moves on to the next instruction.
    #[inline]
    pub fn advance(&mut self) {
        let frame = self.frames.last_mut().expect("a running thread has a frame");
        frame.pc.0 += 1;
    }

    /// Jumps to another instruction of the function.
    #[inline]
    pub fn jump(&mut self, target: Pc) {
        let depth = self.depth();
        let frame = self.frames.last_mut().expect("a running thread has a frame");
        if target <= frame.pc {
            self.turns.turn(depth, frame.function, frame.pc, target);
        }
        frame.pc = target;
    }

    /// Calls a function with arguments evaluated in the running frame.
    pub fn push(&mut self, program: &Program, function: FuncId, registers: u32, args: &[Operand]) {
        let base = self.registers.len();
        self.registers.resize(base + (registers as usize).max(args.len()), Value::ZERO);
        for (at, &arg) in args.iter().enumerate() {
            self.registers[base + at] = self.get(program, arg);
        }
        self.frames.push(Frame { function, pc: Pc(0), base });
    }

    /// Pushes a frame whose registers are all zero; for building a thread's stack.
    pub fn push_bare(&mut self, function: FuncId, pc: Pc, registers: u32) {
        let base = self.registers.len();
        self.registers.resize(base + registers as usize, Value::ZERO);
        self.frames.push(Frame { function, pc, base });
    }

    /// Inserts a caller under the lowest unpacked frame. Its registers are all zero.
    pub fn insert_caller(&mut self, function: FuncId, pc: Pc, registers: u32) {
        let count = registers as usize;
        self.registers.splice(0..0, std::iter::repeat_n(Value::ZERO, count));
        self.frames.iter_mut().for_each(|frame| frame.base += count);
        self.frames.insert(0, Frame { function, pc, base: 0 });
        self.below -= 1;
    }

    /// Writes a register of the lowest unpacked frame.
    pub fn set_lowest(&mut self, dst: Reg, value: Value) {
        let base = self.frames[0].base;
        self.registers[base + dst.index()] = value;
    }

    /// Removes all frames above number `depth`, which is unpacked; the thread's first frame is number 1.
    pub fn unwind(&mut self, depth: u32) {
        let kept = (depth - self.below) as usize;
        if let Some(next) = self.frames.get(kept) {
            self.registers.truncate(next.base);
            self.frames.truncate(kept);
            self.turns.leave(depth);
        }
    }

    /// Returns from the running frame to the one below, which continues after its call.
    ///
    /// # Panics
    /// If that frame is not unpacked.
    pub fn pop(&mut self, program: &Program, value: Operand, words: u32) {
        let callee = self.top();
        let caller = self.frames[self.frames.len() - 2];
        let call = match program.function(caller.function).code[caller.pc.index()] {
            crate::ir::Instr::Call { site, .. } | crate::ir::Instr::CallIndirect { site, .. } => {
                program.function(caller.function).call(site)
            }
            _ => unreachable!("a frame that called another stands at its call"),
        };
        for word in 0..words.min(call.words) {
            let result = self.get(program, value.word(word as usize));
            self.registers[caller.base + (call.dst.0 + word) as usize] = result;
        }
        self.registers.truncate(callee.base);
        self.frames.pop();
        self.turns.leave(self.depth());
    }
}
