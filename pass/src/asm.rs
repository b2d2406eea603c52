//! What a piece of x86 inline assembly means to memory, read from its text.
//!
//! Understood, in AT&T syntax: fences (`mfence`, `sfence`, `lfence`, locked additions of 0 to the stack), hints (`pause`, `nop`) and empty text;
//! and at most one atomic access, a `lock`-prefixed `xadd`, `add`, `sub`, `inc`, `dec`, `and`, `or`, `xor`, `cmpxchg`, or an `xchg`, of 1 to 8 bytes,
//! which `setcc`, flag outputs (`=@ccz`) or a `mov` of the accumulator may follow. Anything else has no
//! [`Plan`] and stays as it is. Pure text: nothing here knows LLVM.
//!
//! * [`operands`]: the constraint string,
//! * [`template`]: the instructions,
//! * this file: the meaning of the two together, by running the instructions on symbolic registers.

mod operands;
mod template;

use crate::abi::Order;
use operands::{Operand, Operands};
use template::{Instruction, Token};

/// What the assembly does. Arguments are those of the call, by their index.
#[derive(Debug, Default)]
pub struct Plan {
    /// The strongest fence among the instructions.
    pub fence: Option<Order>,
    pub access: Option<Access>,
    /// Plain stores after the access: the argument with the address, and what is stored there.
    pub stores: Vec<(u32, Source)>,
    /// The direct outputs in their order, the elements of the call's result.
    pub results: Vec<Source>,
}

/// A sequentially consistent atomic access.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Bytes; `None`: as wide as its operand.
    pub width: Option<u64>,
    /// The argument with the address.
    pub pointer: u32,
    pub action: Action,
}

#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// `operation` as in [`crate::abi::RMW_OPERATIONS`].
    Rmw {
        operation: &'static str,
        operand: Input,
    },
    CmpXchg {
        expected: Input,
        new: Input,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Input {
    Argument(u32),
    Constant(i64),
}

/// Where an output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Argument(u32),
    /// The value in memory before the access.
    Old,
    Flag(Condition),
}

/// A condition on the value an access leaves; of a `cmpxchg` on the difference of old and expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Zero,
    NotZero,
    Negative,
    NotNegative,
}

/// Reads assembly as LLVM prints it (`ptr asm sideeffect "template", "constraints"`). `None`: not understood.
pub fn understand(printed: &str) -> Option<Plan> {
    let (flags, template, constraints) = template::split(printed)?;
    if flags.contains("inteldialect") {
        return None;
    }
    let operands = operands::parse(constraints)?;
    let mut machine = Machine::new(&operands);
    for instruction in template::instructions(&template)? {
        machine.run(&instruction)?;
    }
    machine.finish()
}

/// Symbolic registers and what was done to memory so far.
struct Machine<'a> {
    operands: &'a Operands,
    fence: Option<Order>,
    access: Option<Access>,
    stores: Vec<(u32, Source)>,
    /// Per direct output; `None`: not defined.
    registers: Vec<Option<Source>>,
}

impl<'a> Machine<'a> {
    fn new(operands: &'a Operands) -> Machine<'a> {
        Machine { operands, fence: None, access: None, stores: Vec::new(), registers: operands.initial_registers() }
    }

    fn run(&mut self, instruction: &Instruction) -> Option<()> {
        let Instruction { locked, name, tokens } = instruction;
        match (name.as_str(), tokens.as_slice()) {
            ("nop" | "pause" | "lfence", []) => Some(()),
            ("mfence", []) => self.fence(Order::SeqCst),
            ("sfence", []) => self.fence(Order::Release),
            (_, [Token::Immediate(0), Token::Stack]) if *locked && keeps_with_zero(name) => self.fence(Order::SeqCst),
            _ if *locked || name.starts_with("xchg") => self.access(name, tokens),
            (_, [target]) if name.starts_with("set") => self.set(condition(&name[3..])?, target),
            (_, [Token::Accumulator, target]) if name.starts_with("mov") => self.copy_old(target),
            _ => None,
        }
    }

    fn fence(&mut self, order: Order) -> Option<()> {
        self.fence = self.fence.max(Some(order));
        Some(())
    }

    fn access(&mut self, name: &str, tokens: &[Token]) -> Option<()> {
        let (name, width) = template::mnemonic(name, &ACCESSES)?;
        let (source, target) = match tokens {
            [target] => (None, target),
            // The operands of xchg may stand in either order.
            [target, source] if name == "xchg" && self.pointer(target).is_some() => (Some(source), target),
            [source, target] => (Some(source), target),
            _ => return None,
        };
        let action = self.action(name, source)?;
        let access = Access { width, pointer: self.pointer(target)?, action };
        if self.access.replace(access).is_some() {
            return None;
        }
        match name {
            "xadd" | "xchg" => self.write(source?, Source::Old),
            "cmpxchg" => {
                if let Some(accumulator) = self.operands.accumulator_output() {
                    self.registers[accumulator] = Some(Source::Old);
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn action(&self, name: &str, source: Option<&Token>) -> Option<Action> {
        let operation = match name {
            "xadd" | "add" | "inc" => "add",
            "sub" | "dec" => "sub",
            "and" => "and",
            "or" => "or",
            "xor" => "xor",
            "xchg" => "xchg",
            _ => {
                let expected = Input::Argument(self.operands.accumulator_input()?);
                return Some(Action::CmpXchg { expected, new: self.read(source?)? });
            }
        };
        let operand = match source {
            Some(source) => self.read(source)?,
            None if matches!(name, "inc" | "dec") => Input::Constant(1),
            None => return None,
        };
        Some(Action::Rmw { operation, operand })
    }

    /// `setcc`: an output or a byte in memory becomes 0 or 1 by the flags of the access.
    fn set(&mut self, condition: Condition, target: &Token) -> Option<()> {
        self.check_flags(condition)?;
        self.write(target, Source::Flag(condition))
    }

    /// A `mov` of the accumulator after `cmpxchg`.
    fn copy_old(&mut self, target: &Token) -> Option<()> {
        let Action::CmpXchg { .. } = self.access?.action else {
            return None;
        };
        self.write(target, Source::Old)
    }

    /// The flags mean what [`Condition`] says only after an access that sets them so.
    fn check_flags(&self, condition: Condition) -> Option<()> {
        let zero = matches!(condition, Condition::Zero | Condition::NotZero);
        let set = match self.access?.action {
            Action::Rmw { operation, .. } => operation != "xchg",
            Action::CmpXchg { .. } => zero,
        };
        set.then_some(())
    }

    fn read(&self, token: &Token) -> Option<Input> {
        match *token {
            Token::Immediate(value) => Some(Input::Constant(value)),
            Token::Operand(number) => match *self.operands.get(number)? {
                Operand::Input { argument, .. } => Some(Input::Argument(argument)),
                Operand::Output { result, .. } => match self.registers[result]? {
                    Source::Argument(argument) => Some(Input::Argument(argument)),
                    Source::Old | Source::Flag(_) => None,
                },
                Operand::Memory { .. } => None,
            },
            Token::Accumulator | Token::Stack | Token::Indirect(_) => None,
        }
    }

    /// Sets a register or stores to memory.
    fn write(&mut self, token: &Token, source: Source) -> Option<()> {
        if let Some(pointer) = self.pointer(token) {
            self.stores.push((pointer, source));
            return Some(());
        }
        let Token::Operand(number) = *token else {
            return None;
        };
        let Operand::Output { result, .. } = *self.operands.get(number)? else {
            return None;
        };
        self.registers[result] = Some(source);
        Some(())
    }

    /// The argument with the address of a memory operand.
    fn pointer(&self, token: &Token) -> Option<u32> {
        match *token {
            Token::Operand(number) => match *self.operands.get(number)? {
                Operand::Memory { argument } => Some(argument),
                Operand::Input { .. } | Operand::Output { .. } => None,
            },
            Token::Indirect(number) => match self.read(&Token::Operand(number))? {
                Input::Argument(argument) => Some(argument),
                Input::Constant(_) => None,
            },
            Token::Immediate(_) | Token::Accumulator | Token::Stack => None,
        }
    }

    fn finish(mut self) -> Option<Plan> {
        for (result, name) in self.operands.flag_outputs() {
            let condition = condition(name)?;
            self.check_flags(condition)?;
            self.registers[result] = Some(Source::Flag(condition));
        }
        Some(Plan {
            fence: self.fence,
            access: self.access,
            stores: self.stores,
            results: self.registers.into_iter().collect::<Option<_>>()?,
        })
    }
}

/// Instructions that can be an atomic access.
const ACCESSES: [&str; 10] = ["xadd", "add", "sub", "inc", "dec", "and", "or", "xor", "cmpxchg", "xchg"];

/// Whether an operand of 0 makes the instruction keep its target.
fn keeps_with_zero(name: &str) -> bool {
    template::mnemonic(name, &["add", "sub", "or", "xor"]).is_some()
}

fn condition(name: &str) -> Option<Condition> {
    match name {
        "e" | "z" => Some(Condition::Zero),
        "ne" | "nz" => Some(Condition::NotZero),
        "s" => Some(Condition::Negative),
        "ns" => Some(Condition::NotNegative),
        _ => None,
    }
}
