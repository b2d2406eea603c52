//! The interpreter: runs one thread's register code up to its next operation on memory or the library.
//!
//! It never sees a buffer, a schedule or a state set. It returns the operation as an [`Effect`], with
//! evaluated operands and the program counter still at the instruction; the caller performs it, writes the
//! result to a register and calls [`Stack::advance`].

pub mod atomic;
mod control;
pub mod disguise;
pub mod float;
mod poison;
pub mod reached;
pub mod stack;
mod symbolic;
pub mod turns;
pub mod watch;
mod wide_step;

use rmc_abi::va_list::NextPlaces;
use rmc_runtime::MemoryOrder;

pub(crate) use self::poison::{near, offset};
use self::poison::{stored_poison, undefined};
pub use self::reached::Reached;
pub use self::stack::{Frame, Stack};
pub use self::turns::{Count, LoopCounters};
use crate::ir::ids::{EdgeId, GlobalId, Operand, Reg, SiteId};
use crate::ir::instr::{Cast, CompareExchange, Instr, IntUnary, RmwOp};
use crate::ir::int;
use crate::ir::program::Program;
use crate::ir::value::{Value, mask, signed};
use crate::outcome::{Fault, Unknown, ViolationKind};

/// The largest number of frames of a thread.
pub const MAX_DEPTH: u32 = 4096;

/// The operation at which a thread stopped.
#[derive(Clone, Debug)]
#[allow(clippy::missing_docs_in_private_items)] // fields are the operands of the instruction of the same name
pub enum Effect {
    Load {
        dst: Reg,
        addr: u64,
        len: u8,
        order: MemoryOrder,
    },
    Store {
        addr: u64,
        len: u8,
        value: [Value; 2],
        order: MemoryOrder,
    },
    ReadModifyWrite {
        dst: Reg,
        addr: u64,
        len: u8,
        update: Update,
    },
    CompareExchange {
        dst: Reg,
        addr: u64,
        len: u8,
        exchange: ExchangeOperands,
    },
    Fence {
        order: MemoryOrder,
    },
    RawLoad {
        dst: Reg,
        addr: u64,
        len: u8,
        width: u8,
    },
    RawStore {
        addr: u64,
        len: u8,
        value: Value,
    },
    Alloca {
        dst: Reg,
        bytes: u64,
        site: SiteId,
    },
    CalleeObject {
        dst: Reg,
        size: u32,
        variadic: bool,
    },
    VaStart {
        list: u64,
        area: u64,
        first: NextPlaces,
    },
    ThreadLocal {
        dst: Reg,
        global: GlobalId,
    },
    LifetimeStart {
        addr: u64,
        len: u64,
    },
    LifetimeEnd {
        addr: u64,
        len: u64,
    },
    Copy {
        site: SiteId,
    },
    Fill {
        site: SiteId,
    },
    Library {
        site: SiteId,
    },
    /// The frame returns, and it owns stack objects or is the lowest one in the stack.
    Return,
    /// The instruction needs to know something of a symbol among its operands; see [`symbolic`].
    Symbol,
    /// The budget of jumps is used up; the thread is at the start of a block.
    Budget,
    Fault(Fault),
    Limit(Unknown),
    /// The instruction is not supported; the text describes it.
    Unsupported(String),
}

/// A read-modify-write, to be applied to the value in memory.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct Update {
    pub op: RmwOp,
    pub operand: [Value; 2],
    pub order: MemoryOrder,
}

/// A compare-exchange, to be applied to the value in memory.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct ExchangeOperands {
    pub expected: [Value; 2],
    pub new: [Value; 2],
    pub success: MemoryOrder,
    pub failure: MemoryOrder,
}

/// Runs the thread until something outside registers is needed. `budget` counts down at every jump and call;
/// `reached` records the instructions to which control is transferred.
pub fn run(program: &Program, stack: &mut Stack, budget: &mut u32, reached: &Reached) -> Effect {
    match (stack.watches, stack.defers_inputs) {
        (false, false) => run_watched::<false, false>(program, stack, budget, reached),
        (true, _) => run_watched::<true, false>(program, stack, budget, reached),
        (false, true) => run_watched::<false, true>(program, stack, budget, reached),
    }
}

fn run_watched<const WATCHES: bool, const SYMBOLS: bool>(
    program: &Program,
    stack: &mut Stack,
    budget: &mut u32,
    reached: &Reached,
) -> Effect {
    reached.mark(stack.top().function, stack.top().pc);
    loop {
        let frame = stack.top();
        let function = program.function(frame.function);
        let pc = frame.pc.index();
        let instr = &function.code[pc];
        stack.asymmetric |= WATCHES && watch::tells_before(program, function, instr, stack);
        if SYMBOLS && symbolic::needs_values(program, function, instr, stack) {
            return Effect::Symbol;
        }
        let mut interpreter = Interpreter { program, function, stack: &mut *stack };
        let flow = interpreter.step(instr);
        match flow {
            Flow::Next => {
                stack.asymmetric |= WATCHES && watch::tells_after(program, function, instr, stack);
                stack.advance();
            }
            Flow::Returned => {
                stack.asymmetric |= WATCHES && watch::tells_after(program, function, instr, stack);
                stack.advance();
                reached.mark(stack.top().function, stack.top().pc);
            }
            Flow::Jumped => {
                reached.mark(stack.top().function, stack.top().pc);
                *budget = budget.saturating_sub(1);
                if *budget == 0 || stack.turns.exceeded.is_some() {
                    return Effect::Budget;
                }
            }
            Flow::Stop(effect) => return effect,
        }
    }
}

/// Takes an edge of the function where a thread runs, as a jump of [`run`] does.
pub fn follow(program: &Program, stack: &mut Stack, budget: &mut u32, edge: EdgeId, reached: &Reached) {
    let function = program.function(stack.top().function);
    Interpreter { program, function, stack }.jump(edge);
    reached.mark(stack.top().function, stack.top().pc);
    *budget = budget.saturating_sub(1);
}

#[allow(clippy::large_enum_variant)] // boxing would allocate at every operation on memory
enum Flow {
    Next,
    Jumped,
    /// The frame was removed, and its caller is at its call.
    Returned,
    Stop(Effect),
}

fn fault(kind: ViolationKind, message: &str) -> Flow {
    Flow::Stop(Effect::Fault(Fault::new(kind, message)))
}

struct Interpreter<'a> {
    program: &'a Program,
    function: &'a crate::ir::Function,
    stack: &'a mut Stack,
}

impl Interpreter<'_> {
    #[inline]
    fn get(&self, operand: Operand) -> Value {
        self.stack.get(self.program, operand)
    }

    #[inline]
    fn put(&mut self, dst: Reg, value: Value) -> Flow {
        self.stack.set(dst, value);
        Flow::Next
    }

    fn step(&mut self, instr: &Instr) -> Flow {
        match *instr {
            Instr::Move { dst, a } => self.put(dst, self.get(a)),
            Instr::Int { op, width, promises, dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                match int::promised(op, promises, width.into(), a, b) {
                    Ok(value) => {
                        self.note_integer(op, a, b, value);
                        self.put(dst, value)
                    }
                    Err(trap) => arithmetic_fault(trap),
                }
            }
            Instr::Unary { op: IntUnary::Freeze, dst, a, .. } => self.freeze(dst, a),
            Instr::Unary { op, width, dst, a } => self.convert(dst, a, |a| int::unary(op, width.into(), a)),
            Instr::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let (value, overflowed) = int::overflow(op, width.into(), a, b);
                self.note_disguised(&[a, b], &[value]);
                self.put(dst, value);
                self.put(Reg(dst.0 + 1), overflowed)
            }
            Instr::Compare { op, width, dst, a, b } => {
                self.put(dst, int::compare(op, width.into(), self.get(a), self.get(b)))
            }
            Instr::Cast { op, from, to, dst, a } => self.convert(dst, a, |a| cast(op, from.into(), to.into(), a)),
            Instr::Float { op, width, dst, a, b } => {
                self.put(dst, float::binary(op, width.into(), self.get(a), self.get(b)))
            }
            Instr::FloatMulAdd { width, dst, args } => self.multiply_add(width, dst, args),
            Instr::FloatCompare { accept, width, dst, a, b } => {
                self.put(dst, float::compare(accept, width.into(), self.get(a), self.get(b)))
            }
            Instr::Select { dst, cond, a, b } => self.select(dst, cond, a, b),
            Instr::Offset { dst, base, index, width, scale, bounds } => {
                let (base, index) = (self.get(base), self.get(index));
                let distance = i128::from(scale) * i128::from(signed(index.bits, width.into()));
                let address = offset(base, index, distance, bounds);
                self.note_disguised(&[base, index], &[address]);
                self.put(dst, address)
            }
            Instr::Near { dst, base } => {
                let address = near(self.get(base), self.get(Operand::reg(dst)));
                self.put(dst, address)
            }
            Instr::Range { dst, low, high, width } => self.range(dst, low, high, width),
            Instr::Assume { cond } => self.assume(cond),
            Instr::Wide { site } => self.wide(site),
            Instr::Jump { edge } => self.jump(edge),
            Instr::Branch { cond, yes, no } => match self.get(cond) {
                Value { undef: 0, bits } => self.jump(if bits & 1 == 1 { yes } else { no }),
                value => undefined(value, ViolationKind::UninitialisedBranch, "the condition"),
            },
            Instr::Switch { site } => self.switch(site),
            Instr::Call { function, site } => self.call(function, site),
            Instr::CallIndirect { target, site } => self.call_indirect(target, site),
            Instr::Return { value, words } => self.ret(value, words),
            Instr::LandingPad { .. } => unreachable!("exceptions continue behind the begin of a landing pad"),
            Instr::Unreachable => {
                fault(ViolationKind::Unreachable, "the compiler assumed that this point is never reached")
            }
            Instr::Mismatch { site } => fault(ViolationKind::InvalidCall, &self.function.mismatches[site.index()]),
            Instr::Unsupported { site } => stop(Effect::Unsupported(self.function.unsupported[site.index()].clone())),
            Instr::Alloca { dst, count, size, site } => match self.get(count) {
                Value { undef: 0, bits } => stop(Effect::Alloca { dst, bytes: bits.saturating_mul(size.into()), site }),
                value => undefined(value, ViolationKind::UninitialisedArgument, "the size of a local array"),
            },
            Instr::CalleeObject { dst, size, variadic } => stop(Effect::CalleeObject { dst, size, variadic }),
            Instr::ThreadLocal { dst, global } => stop(Effect::ThreadLocal { dst, global }),
            Instr::Fence { order } => stop(Effect::Fence { order }),
            Instr::Copy { site } => stop(Effect::Copy { site }),
            Instr::Fill { site } => stop(Effect::Fill { site }),
            Instr::Library { site } => stop(Effect::Library { site }),
            Instr::VaStart { list, area, first } => {
                let area = self.get(area).bits;
                self.at(list, |list| Effect::VaStart { list, area, first })
            }
            Instr::RawLoad { dst, addr, at, len, width } => {
                self.at(addr, |addr| Effect::RawLoad { dst, addr: addr.wrapping_add(at.into()), len, width })
            }
            Instr::RawStore { addr, value, at, len } => {
                let value = self.get(value);
                if value.is_poison() {
                    return stored_poison(&[value]);
                }
                self.at(addr, |addr| Effect::RawStore { addr: addr.wrapping_add(at.into()), len, value })
            }
            Instr::Load { dst, addr, len, order } => self.at(addr, |addr| Effect::Load { dst, addr, len, order }),
            Instr::Store { addr, value, len, order } => {
                let value = self.pair(value, len);
                if value[0].is_poison() || value[1].is_poison() {
                    return stored_poison(&value);
                }
                self.at(addr, |addr| Effect::Store { addr, len, value, order })
            }
            Instr::ReadModifyWrite { op, dst, addr, value, len, order } => {
                let update = Update { op, operand: self.pair(value, len), order };
                if Value::poison_of(&update.operand).is_some() {
                    return stored_poison(&update.operand);
                }
                if op != RmwOp::Exchange {
                    // What memory will have depends on the order of updates.
                    self.note_disguised(&update.operand, &[]);
                }
                self.at(addr, |addr| Effect::ReadModifyWrite { dst, addr, len, update })
            }
            Instr::CompareExchange { dst, site, len } => {
                let CompareExchange { addr, expected, new, success, failure } = self.function.exchanges[site.index()];
                let exchange =
                    ExchangeOperands { expected: self.pair(expected, len), new: self.pair(new, len), success, failure };
                let values = [exchange.expected, exchange.new].concat();
                if Value::poison_of(&values).is_some() {
                    return stored_poison(&values);
                }
                self.at(addr, |addr| Effect::CompareExchange { dst, addr, len, exchange })
            }
            Instr::LifetimeStart { addr, len } => {
                let len = self.get(len).bits;
                self.at(addr, |addr| Effect::LifetimeStart { addr, len })
            }
            Instr::LifetimeEnd { addr, len } => {
                let len = self.get(len).bits;
                self.at(addr, |addr| Effect::LifetimeEnd { addr, len })
            }
        }
    }

    /// The one or two words of an access of `len` bytes.
    fn pair(&self, operand: Operand, len: u8) -> [Value; 2] {
        [self.get(operand), if len > 8 { self.get(operand.word(1)) } else { Value::ZERO }]
    }

    /// An effect at the address in `operand`, which must be initialised.
    fn at(&self, operand: Operand, effect: impl FnOnce(u64) -> Effect) -> Flow {
        match self.get(operand) {
            Value { undef: 0, bits } => stop(effect(bits)),
            value => undefined(value, ViolationKind::UninitialisedDereference, "the address"),
        }
    }

    /// Computes a number from another one.
    fn convert(&mut self, dst: Reg, a: Operand, compute: impl FnOnce(Value) -> Value) -> Flow {
        let a = self.get(a);
        let value = compute(a);
        self.note_disguised(&[a], &[value]);
        self.put(dst, value)
    }

    fn multiply_add(&mut self, width: u8, dst: Reg, args: SiteId) -> Flow {
        let crate::ir::instr::Wide::Triple { a, b, c } = self.function.wides[args.index()] else {
            unreachable!("a multiply-add has three operands")
        };
        self.put(dst, float::multiply_add(width.into(), self.get(a), self.get(b), self.get(c)))
    }

    /// Executes a select. With an uninitialised condition, the bits in which its two values differ are
    /// uninitialised.
    fn select(&mut self, dst: Reg, cond: Operand, a: Operand, b: Operand) -> Flow {
        let (cond, a, b) = (self.get(cond), self.get(a), self.get(b));
        let value = match cond {
            Value { undef: 0, bits } => {
                if bits & 1 == 1 {
                    a
                } else {
                    b
                }
            }
            _ if cond.is_poison() => cond,
            _ => Value::poison_of(&[a, b]).unwrap_or(Value::partial(a.bits, (a.bits ^ b.bits) | a.undef | b.undef, 64)),
        };
        self.put(dst, value)
    }
}

fn stop(effect: Effect) -> Flow {
    Flow::Stop(effect)
}

fn arithmetic_fault(trap: int::Trap) -> Flow {
    stop(Effect::Fault(trapped(trap)))
}

/// The fault of an arithmetic instruction.
pub fn trapped(trap: int::Trap) -> Fault {
    match trap {
        int::Trap::DivisionByZero => Fault::new(ViolationKind::DivisionByZero, "the divisor is 0"),
        int::Trap::DivisionOverflow => Fault::new(ViolationKind::DivisionOverflow, "the least number is divided by -1"),
        int::Trap::UndefinedDivisor(value) => {
            poison::undefined_fault(value, ViolationKind::DivisionByZero, "the divisor")
        }
    }
}

/// A conversion.
pub(crate) fn cast(op: Cast, from: u32, to: u32, a: Value) -> Value {
    match op {
        _ if a.is_poison() => a,
        Cast::Truncate => Value::partial(a.bits, a.undef, to),
        Cast::ZeroExtend => Value { bits: a.bits & mask(to), undef: a.undef & mask(to) },
        Cast::SignExtend => int::sign_extend(a, from, to),
        Cast::FloatToSigned
        | Cast::FloatToUnsigned
        | Cast::FloatToSignedSat
        | Cast::FloatToUnsignedSat
        | Cast::SignedToFloat
        | Cast::UnsignedToFloat
        | Cast::FloatToFloat => float::convert(op, from, to, a),
    }
}
