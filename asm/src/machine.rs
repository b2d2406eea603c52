//! Runs the instructions of inline assembly on symbolic registers: each holds a [`Source`] or an unknown
//! value.
//!
//! An access that a `lock` prefix or an `xchg` makes atomic is sequentially consistent. A `mov` is one access
//! of the processor, which compilers neither split nor leave out, so it is a relaxed one. Assembly is not
//! understood if its effect depends on choices of the compiler: an input, or an address, is read after an
//! output was written whose register it may share (the output lacks `&`), or a register is changed that is
//! neither an output nor clobbered. Instructions and flags: Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 2.

use super::operands::{Operands, Register, Role, Sharing};
use super::template::{self, Instruction, Token};
use super::{Access, AccessKind, Address, Condition, Plan, Source, Step};
use rmc_abi::{MemoryOrder, RmwOp};

/// The effect of `instructions`. `None` if one of them is not understood, or if an output is never set.
pub fn run(operands: &Operands, instructions: &[Instruction]) -> Option<Plan> {
    let mut machine = SymbolicMachine::new(operands)?;
    for instruction in instructions {
        machine.run(instruction)?;
    }
    machine.finish()
}

struct SymbolicMachine<'a> {
    operands: &'a Operands,
    steps: Vec<Step>,
    /// The number of accesses among the steps.
    accesses: usize,
    /// The last access that set the flags. The second part is true if only the zero flag is as [`Condition`]
    /// says.
    flags: Option<(usize, bool)>,
    /// The known values of registers: of those that the constraints name, and those that an instruction set.
    registers: Vec<(Register, Source)>,
    /// Outputs that an instruction set and whose registers inputs may share.
    shared: Vec<(Register, Sharing)>,
}

impl<'a> SymbolicMachine<'a> {
    fn new(operands: &'a Operands) -> Option<SymbolicMachine<'a>> {
        let inputs = operands.inputs()?.into_iter();
        let registers = inputs.map(|(register, argument)| (register, Source::Argument(argument))).collect();
        Some(SymbolicMachine { operands, steps: Vec::new(), accesses: 0, flags: None, registers, shared: Vec::new() })
    }

    fn run(&mut self, instruction: &Instruction) -> Option<()> {
        let Instruction { locked, name, tokens } = instruction;
        match (name.as_str(), tokens.as_slice()) {
            ("nop" | "pause" | "lfence", []) if !locked => Some(()),
            (hint, [_]) if !locked && hint.starts_with("prefetch") => Some(()),
            ("mfence", []) if !locked => self.fence(MemoryOrder::SeqCst),
            ("sfence", []) if !locked => self.fence(MemoryOrder::Release),
            (_, [Token::Immediate(0), Token::Stack]) if *locked && keeps_with_zero(name) => {
                self.fence(MemoryOrder::SeqCst)
            }
            ("cmpxchg16b", [target]) if *locked => self.exchange_pair(target),
            _ if *locked || name.starts_with("xchg") => self.atomic(name, tokens),
            (_, [target]) if name.starts_with("set") => self.set(condition(&name[3..])?, target),
            (_, [source, target]) => {
                let (_, suffix) = template::mnemonic(name, &["mov"])?;
                self.mov(suffix, source, target)
            }
            _ => None,
        }
    }

    /// Adds a fence. Consecutive fences become one, the strongest.
    fn fence(&mut self, order: MemoryOrder) -> Option<()> {
        match self.steps.last_mut() {
            Some(Step::Fence(before)) => *before = order.max(*before),
            _ => self.steps.push(Step::Fence(order)),
        }
        Some(())
    }

    /// Adds an access and returns its number.
    fn access(&mut self, access: Access) -> usize {
        self.steps.push(Step::Access(access));
        self.accesses += 1;
        self.accesses - 1
    }

    fn atomic(&mut self, name: &str, tokens: &[Token]) -> Option<()> {
        let (name, suffix) = template::mnemonic(name, &ATOMICS)?;
        let (source, target) = match tokens {
            [target] => (None, target),
            // The operands of xchg may be in either order.
            [target, source] if name == "xchg" && self.address(target).is_some() => (Some(source), target),
            [source, target] => (Some(source), target),
            _ => return None,
        };
        let width = agreed(suffix, source.and_then(Token::width))?;
        let address = self.address(target)?;
        let kind = self.access_kind(name, source)?;
        let number = self.access(Access { width, address, order: MemoryOrder::SeqCst, kind });
        if !matches!(name, "xchg" | "not") {
            self.flags = Some((number, name == "cmpxchg"));
        }
        match name {
            "xadd" | "xchg" => self.set_register(self.register(source?)?, Source::Old(number)),
            "cmpxchg" => self.set_register(Register::A, Source::Old(number)),
            _ => Some(()),
        }
    }

    fn access_kind(&self, name: &str, source: Option<&Token>) -> Option<AccessKind> {
        let operation = match name {
            "xadd" | "add" | "inc" => RmwOp::Add,
            "sub" | "dec" => RmwOp::Sub,
            "and" => RmwOp::And,
            "or" => RmwOp::Or,
            "xor" | "not" => RmwOp::Xor,
            "xchg" => RmwOp::Exchange,
            _ => {
                let expected = self.holds(Register::A)?;
                return Some(AccessKind::CmpXchg { expected, new: self.read(source?)? });
            }
        };
        let operand = match (source, name) {
            (Some(source), _) => self.read(source)?,
            (None, "inc" | "dec") => Source::Constant(1),
            (None, "not") => Source::Constant(-1),
            (None, _) => return None,
        };
        Some(AccessKind::Rmw { operation, operand })
    }

    fn exchange_pair(&mut self, target: &Token) -> Option<()> {
        let kind = AccessKind::CmpXchgPair {
            expected: [self.holds(Register::A)?, self.holds(Register::D)?],
            new: [self.holds(Register::B)?, self.holds(Register::C)?],
        };
        let address = self.address(target)?;
        let number = self.access(Access { width: Some(16), address, order: MemoryOrder::SeqCst, kind });
        self.flags = Some((number, true));
        self.set_register(Register::A, Source::Old(number))?;
        self.set_register(Register::D, Source::OldHigh(number))
    }

    /// A `mov` from memory to a register, from a register or constant to memory, or of a loaded value from
    /// register to register.
    fn mov(&mut self, suffix: Option<u64>, source: &Token, target: &Token) -> Option<()> {
        let width = agreed(agreed(suffix, source.width())?, target.width())?;
        let order = MemoryOrder::Relaxed;
        if let Some(address) = self.address(target) {
            let kind = AccessKind::Store(self.read(source)?);
            self.access(Access { width, address, order, kind });
            return Some(());
        }
        let register = self.register(target)?;
        let value = if let Some(address) = self.address(source) {
            Source::Old(self.access(Access { width, address, order, kind: AccessKind::Load }))
        } else {
            self.read(source).filter(|&value| self.is_whole(value, width))?
        };
        self.set_register(register, value)
    }

    /// True if `width` bytes are all of `value`, for those `mov`s between registers that are understood.
    fn is_whole(&self, value: Source, width: Option<u64>) -> bool {
        let Source::Old(number) = value else {
            return false;
        };
        let mut accesses = self.steps.iter().filter_map(|step| match step {
            Step::Access(access) => Some(access),
            Step::Fence(_) | Step::Output { .. } => None,
        });
        let access = accesses.nth(number).expect("old values come from accesses");
        width.is_none() || width == access.width
    }

    /// `setcc`: sets an output or a byte in memory to 0 or 1.
    fn set(&mut self, condition: Condition, target: &Token) -> Option<()> {
        let value = self.flag(condition, true)?;
        if let Some(address) = self.address(target) {
            let kind = AccessKind::Store(value);
            self.access(Access { width: Some(1), address, order: MemoryOrder::Plain, kind });
            return Some(());
        }
        self.set_register(self.register(target)?, value)
    }

    fn flag(&self, condition: Condition, byte: bool) -> Option<Source> {
        let (access, only_zero) = self.flags?;
        let is_zero = matches!(condition, Condition::Zero | Condition::NotZero);
        (is_zero || !only_zero).then_some(Source::Flag { access, condition, byte })
    }

    /// The value of an operand that an access uses; flags can go to outputs only.
    fn read(&self, token: &Token) -> Option<Source> {
        match *token {
            Token::Immediate(value) => Some(Source::Constant(value)),
            _ => self.holds(self.register(token)?),
        }
    }

    fn holds(&self, register: Register) -> Option<Source> {
        match self.look_up(register)? {
            Source::Flag { .. } => None,
            Source::Argument(_) if !self.keeps_input(register) => None,
            value => Some(value),
        }
    }

    /// True if no output that was set can be in the same register as the input in `register`. Two outputs
    /// never share a register.
    fn keeps_input(&self, register: Register) -> bool {
        let is_open = |one: Register| matches!(one, Register::Of(_));
        let is_output = self.operands.sharing(register).is_some();
        is_output || self.shared.iter().all(|&(output, _)| !is_open(output) && !is_open(register))
    }

    /// True if no output that was set can be in the register of an address.
    fn keeps_addresses(&self) -> bool {
        self.shared.iter().all(|&(_, sharing)| sharing == Sharing::Equal)
    }

    fn look_up(&self, register: Register) -> Option<Source> {
        self.registers.iter().find(|(one, _)| *one == register).map(|&(_, value)| value)
    }

    fn set_register(&mut self, register: Register, value: Source) -> Option<()> {
        let sharing = self.operands.sharing(register)?;
        if sharing != Sharing::None {
            self.shared.push((register, sharing));
        }
        self.registers.retain(|(one, _)| *one != register);
        self.registers.push((register, value));
        Some(())
    }

    fn register(&self, token: &Token) -> Option<Register> {
        match *token {
            Token::Operand { number, .. } => match self.operands.get(number)? {
                Role::Register(register) => Some(register),
                Role::Memory { .. } => None,
            },
            Token::Register { register, .. } => Some(register),
            Token::Immediate(_) | Token::Stack | Token::Indirect { .. } => None,
        }
    }

    /// The address of a memory operand.
    fn address(&self, token: &Token) -> Option<Address> {
        match *token {
            Token::Operand { number, .. } => match self.operands.get(number)? {
                Role::Memory { argument } => self.keeps_addresses().then_some(Address { argument, offset: 0 }),
                Role::Register(_) => None,
            },
            Token::Indirect { number, offset } => match self.read(&Token::Operand { number, width: None })? {
                Source::Argument(argument) => Some(Address { argument, offset }),
                _ => None,
            },
            Token::Immediate(_) | Token::Register { .. } | Token::Stack => None,
        }
    }

    fn finish(mut self) -> Option<Plan> {
        for (register, name) in self.operands.flag_outputs() {
            let flag = self.flag(condition(name)?, false)?;
            self.set_register(register, flag)?;
        }
        let results = self.operands.results().map(|register| self.look_up(register)).collect::<Option<_>>()?;
        for (register, argument) in self.operands.stored() {
            let source = self.look_up(register)?;
            self.steps.push(Step::Output { argument, source });
        }
        Some(Plan { steps: self.steps, results })
    }
}

/// Instructions that can be an atomic access.
const ATOMICS: [&str; 11] = ["xadd", "add", "sub", "inc", "dec", "and", "or", "xor", "not", "cmpxchg", "xchg"];

/// True if the instruction keeps its target when its operand is 0.
fn keeps_with_zero(name: &str) -> bool {
    template::mnemonic(name, &["add", "sub", "or", "xor"]).is_some()
}

/// The width of an instruction from two sources. `None` if they contradict each other.
fn agreed(one: Option<u64>, other: Option<u64>) -> Option<Option<u64>> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => None,
        _ => Some(one.or(other)),
    }
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

#[cfg(test)]
mod tests {
    use super::super::operands;
    use super::*;

    fn plan(template: &str, constraints: &str) -> Option<Plan> {
        run(&operands::parse(constraints)?, &template::instructions(template, template::Syntax::Att)?)
    }

    #[test]
    fn an_exchange_gives_the_old_value() {
        let plan = plan("xchgl $0, $1", "=r,=*m,0,*m,~{memory}").expect("a plan");
        let [Step::Access(access)] = plan.steps[..] else { panic!("{plan:?}") };
        assert_eq!((access.width, access.order, access.address.argument), (Some(4), MemoryOrder::SeqCst, 0));
        assert!(matches!(access.kind, AccessKind::Rmw { operation: RmwOp::Exchange, operand: Source::Argument(1) }));
        assert_eq!(plan.results, [Source::Old(0)]);
    }

    #[test]
    fn fences_that_follow_each_other_are_one() {
        let plan = plan("sfence; mfence; lfence", "~{memory}").expect("a plan");
        assert!(matches!(plan.steps[..], [Step::Fence(MemoryOrder::SeqCst)]), "{plan:?}");
    }

    #[test]
    fn what_the_compiler_leaves_open_has_no_plan() {
        // The input may be in the register of the output, unless that is an early clobber.
        let template = "movl $1, $0; movl $2, $1";
        assert!(plan(template, "=r,*m,r").is_none());
        assert!(plan(template, "=&r,*m,r").is_some());
        assert!(plan("movl $0, %eax", "*m").is_none(), "the register is not the assembly's");
        assert!(plan("nop", "=r").is_none(), "the output is never set");
        assert!(plan("sete $0", "=r").is_none(), "nothing has set the flags");
    }
}
