//! The effect of a piece of x86 inline assembly on memory, read from its text.
//!
//! These instructions are understood, in AT&T syntax, in any sequence:
//!
//! * fences: `mfence`, `sfence`, locked additions of 0 to the stack; `lfence`, hints (`pause`, `nop`,
//!   prefetches) and empty text, which have no effect;
//! * `lock`-prefixed `xadd`, `add`, `sub`, `inc`, `dec`, `and`, `or`, `xor`, `not`, `cmpxchg`, and `xchg`, of
//!   1 to 8 bytes, and `cmpxchg16b`;
//! * `mov` between memory and a register or from a constant to memory, of 1 to 8 bytes: a relaxed access;
//! * `setcc` and flag outputs (`=@ccz`) of an atomic access.
//!
//! They are also understood in Intel's syntax, which Rust has: `intel.rs` says with which operands.
//!
//! Operands may be general registers, constants and memory, tied to each other or not; `operands.rs`
//! describes the choices of the compiler.
//!
//! Any other assembly has no [`Plan`] and is left unchanged; rmc then refuses to run it, by name. The crate
//! works on text and does not know LLVM, so that any text can be read in a test.
//!
//! * `operands`: the constraint string,
//! * `template`: the instructions, `intel`: those in Intel's syntax,
//! * `machine`: the effect of the two together, by running the instructions on symbolic registers,
//! * `jump`: assembly that may jump, which is read separately,
//! * `fuzzing`: arbitrary bytes as assembly, and the properties of every plan,
//! * this file: the representation of the effect.
//!
//! Tests: in `fuzzing` and the other files; with LLVM `tests/pass/assembly.ll` and `tests/pass/jumps.ll`.

#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod intel;
mod jump;
mod machine;
mod operands;
mod template;

pub use jump::{Destination, destination};
use rmc_abi::{MemoryOrder, RmwOp};
use template::Syntax;

/// The effect of a piece of assembly. Arguments are those of the call, by their index; accesses are numbered
/// in their order.
#[derive(Debug, Default)]
pub struct Plan {
    /// The operations on memory, in the order in which they happen.
    pub steps: Vec<Step>,
    /// The direct outputs in their order, the elements of the call's result.
    pub results: Vec<Source>,
}

/// One operation on memory.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A fence.
    Fence(MemoryOrder),
    /// An access; accesses are numbered in order.
    Access(Access),
    /// A store by the compiler, after all of the assembly: an output in a register goes to the pointer in
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
    /// The width in bytes; `None` if it is that of its operand.
    pub width: Option<u64>,
    /// The address.
    pub address: Address,
    /// Its memory order.
    pub order: MemoryOrder,
    /// The kind of access.
    pub kind: AccessKind,
}

/// The pointer in an argument plus a number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The argument with the pointer.
    pub argument: u32,
    /// Bytes to add.
    pub offset: i64,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug)]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store of this value.
    Store(Source),
    /// A read-modify-write.
    Rmw {
        /// The operation.
        operation: RmwOp,
        /// Its other operand.
        operand: Source,
    },
    /// A compare-exchange: a load, and a store if the expected value was loaded.
    CmpXchg {
        /// The expected value.
        expected: Source,
        /// The value to store.
        new: Source,
    },
    /// `cmpxchg16b`: 16 bytes, the values in halves of 8, the low one first.
    CmpXchgPair {
        /// The expected value.
        expected: [Source; 2],
        /// The value to store.
        new: [Source; 2],
    },
}

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The argument of this number.
    Argument(u32),
    /// A constant of the text.
    Constant(i64),
    /// The value in memory before the access of this number; of 16 bytes the low half.
    Old(usize),
    /// The high half of the 16 bytes that were in memory before the access of this number.
    OldHigh(usize),
    /// 1 or 0, according to the flags that the access of this number set.
    Flag {
        /// The number of the access.
        access: usize,
        /// The condition on those flags.
        condition: Condition,
        /// True if only the low byte of the register is set and the other bytes keep their values.
        byte: bool,
    },
}

/// A condition on the value that an access stores; for a `cmpxchg` on the difference of old and expected
/// value.
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
    /// True if the access behind `source` puts the loaded value into a register in any case.
    #[must_use]
    pub fn writes_register(&self, source: Source) -> bool {
        let accesses = self.steps.iter().filter_map(|step| match step {
            Step::Access(access) => Some(access.kind),
            Step::Fence(_) | Step::Output { .. } => None,
        });
        let kind = match source {
            Source::Old(number) => accesses.into_iter().nth(number),
            _ => None,
        };
        matches!(kind, Some(AccessKind::Load | AccessKind::Rmw { .. }))
    }
}

impl AccessKind {
    /// The values that the access uses.
    #[must_use]
    pub fn inputs(self) -> Vec<Source> {
        match self {
            AccessKind::Load => Vec::new(),
            AccessKind::Store(value) => vec![value],
            AccessKind::Rmw { operand, .. } => vec![operand],
            AccessKind::CmpXchg { expected, new } => vec![new, expected],
            AccessKind::CmpXchgPair { expected, new } => [expected, new].concat(),
        }
    }
}

/// Reads assembly as LLVM prints it (`ptr asm sideeffect "template", "constraints"`). `None` if it is not
/// understood.
///
/// ```
/// use rmc_asm::{AccessKind, Source, Step, understand};
///
/// let plan = understand(r#"ptr asm sideeffect "lock; xaddl $0, $1", "=r,=*m,0,*m""#).expect("a plan");
/// assert!(matches!(&plan.steps[..], [Step::Access(access)] if matches!(access.kind, AccessKind::Rmw { .. })));
/// assert_eq!(plan.results, [Source::Old(0)]);
/// assert!(understand(r#"ptr asm sideeffect "rdtsc", "={ax}""#).is_none());
/// assert!(understand(r#"ptr asm sideeffect inteldialect "mfence", "~{memory}""#).is_some());
/// assert!(understand(r#"ptr asm sideeffect inteldialect "lock not qword ptr [${0:q}]", "r,~{memory}""#).is_some());
/// assert!(understand(r#"ptr asm sideeffect inteldialect "inc dword ptr [$0]", "r,~{memory}""#).is_none());
/// ```
#[must_use]
pub fn understand(printed: &str) -> Option<Plan> {
    let (flags, template, constraints) = template::split(printed)?;
    let operands = operands::parse(constraints)?;
    let syntax = if flags.contains("inteldialect") { Syntax::Intel } else { Syntax::Att };
    let instructions = template::instructions(&template, syntax)?;
    machine::run(&operands, &instructions)
}
