//! What a piece of x86 inline assembly means to memory, read from its text.
//!
//! Understood, in AT&T syntax, in any sequence:
//!
//! * fences: `mfence`, `sfence`, locked additions of 0 to the stack; `lfence`, hints (`pause`, `nop`, prefetches) and empty text, which mean nothing;
//! * `lock`-prefixed `xadd`, `add`, `sub`, `inc`, `dec`, `and`, `or`, `xor`, `not`, `cmpxchg`, and `xchg`, of 1 to 8 bytes, and `cmpxchg16b`;
//! * `mov` between memory and a register or from a constant to memory, of 1 to 8 bytes: a relaxed access;
//! * `setcc` and flag outputs (`=@ccz`) of an atomic access.
//!
//! Operands may be general registers, constants and memory, tied to each other or not; `operands` says
//! where the compiler may choose.
//!
//! Anything else has no [`Plan`] and stays as it is: whoever runs the program refuses it by name. Pure text:
//! nothing here knows LLVM, so that any text can be read in a test.
//!
//! * `operands`: the constraint string,
//! * `template`: the instructions,
//! * `machine`: the meaning of the two together, by running the instructions on symbolic registers,
//! * `jump`: assembly that may jump, which is read by itself,
//! * `fuzzing`: any bytes as assembly, and what every plan keeps,
//! * this file: how the meaning is said.
//!
//! Tests: in `fuzzing` and the other files; with LLVM `tests/pass/assembly.ll` and `tests/pass/jumps.ll`.

#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod jump;
mod machine;
mod operands;
mod template;

pub use jump::{Destination, destination};
use rmc_abi::{MemoryOrder, RmwOp};

/// What the assembly does. Arguments are those of the call, by their index; accesses are numbered in their order.
#[derive(Debug, Default)]
pub struct Plan {
    /// In the order in which they happen.
    pub steps: Vec<Step>,
    /// The direct outputs in their order, the elements of the call's result.
    pub results: Vec<Source>,
}

/// One operation on memory.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A fence.
    Fence(MemoryOrder),
    /// An access, the next in number.
    Access(Access),
    /// The compiler stores an output that was in a register, after all of the assembly, to the pointer in
    /// `argument`.
    Output {
        /// The argument with the pointer.
        argument: u32,
        /// The value.
        source: Source,
    },
}

/// An access of memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Bytes; `None`: as wide as its operand.
    pub width: Option<u64>,
    /// Where.
    pub address: Address,
    /// Its memory order.
    pub order: MemoryOrder,
    /// What is done there.
    pub action: Action,
}

/// The pointer in an argument and bytes to add to it.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The argument with the pointer.
    pub argument: u32,
    /// Bytes to add.
    pub offset: i64,
}

/// What an access does.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// It reads.
    Load,
    /// It writes this value.
    Store(Source),
    /// It reads, and writes what an operation makes of it.
    Rmw {
        /// The operation.
        operation: RmwOp,
        /// Its other operand.
        operand: Source,
    },
    /// It reads, and writes if it finds what is expected.
    CmpXchg {
        /// What is expected.
        expected: Source,
        /// What is written then.
        new: Source,
    },
    /// `cmpxchg16b`: 16 bytes, the values in halves of 8, the low one first.
    CmpXchgPair {
        /// What is expected.
        expected: [Source; 2],
        /// What is written then.
        new: [Source; 2],
    },
}

/// A value, by where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The argument of this number.
    Argument(u32),
    /// A constant of the text.
    Constant(i64),
    /// What was in memory before the access of this number; of 16 bytes the low half.
    Old(usize),
    /// The high half of the 16 bytes that were in memory before the access of this number.
    OldHigh(usize),
    /// 1 or 0 by the flags that the access of this number left.
    Flag {
        /// The number of the access.
        access: usize,
        /// What is asked of the value that it left.
        condition: Condition,
        /// Only the low byte of the register is set, the others keep what they had.
        byte: bool,
    },
}

/// A condition on the value an access leaves; of a `cmpxchg` on the difference of old and expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is 0.
    Zero,
    /// It is not 0.
    NotZero,
    /// Its highest bit is set.
    Negative,
    /// Its highest bit is not set.
    NotNegative,
}

impl Plan {
    /// Whether the access that `source` is of puts what it finds in a register in any case.
    #[must_use]
    pub fn writes_register(&self, source: Source) -> bool {
        let accesses = self.steps.iter().filter_map(|step| match step {
            Step::Access(access) => Some(access.action),
            Step::Fence(_) | Step::Output { .. } => None,
        });
        let action = match source {
            Source::Old(number) => accesses.into_iter().nth(number),
            _ => None,
        };
        matches!(action, Some(Action::Load | Action::Rmw { .. }))
    }
}

impl Action {
    /// The values it takes.
    #[must_use]
    pub fn inputs(self) -> Vec<Source> {
        match self {
            Action::Load => Vec::new(),
            Action::Store(value) => vec![value],
            Action::Rmw { operand, .. } => vec![operand],
            Action::CmpXchg { expected, new } => vec![new, expected],
            Action::CmpXchgPair { expected, new } => [expected, new].concat(),
        }
    }
}

/// Reads assembly as LLVM prints it (`ptr asm sideeffect "template", "constraints"`). `None`: not understood.
///
/// ```
/// use rmc_asm::{Action, Source, Step, understand};
///
/// let plan = understand(r#"ptr asm sideeffect "lock; xaddl $0, $1", "=r,=*m,0,*m""#).expect("a plan");
/// assert!(matches!(&plan.steps[..], [Step::Access(access)] if matches!(access.action, Action::Rmw { .. })));
/// assert_eq!(plan.results, [Source::Old(0)]);
/// assert!(understand(r#"ptr asm sideeffect "rdtsc", "={ax}""#).is_none());
/// ```
#[must_use]
pub fn understand(printed: &str) -> Option<Plan> {
    let (flags, template, constraints) = template::split(printed)?;
    if flags.contains("inteldialect") {
        return None;
    }
    let operands = operands::parse(constraints)?;
    machine::run(&operands, &template::instructions(&template)?)
}
