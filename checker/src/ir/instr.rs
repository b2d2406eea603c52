//! The register code: the code that the interpreter executes, lowered once from bitcode.
//!
//! Every instruction works on words (at most 64 bits). Vectors, structs and integers wider than 64 bits are
//! lowered to several words in consecutive registers, and the few instructions that need all words at once
//! refer to a side table.

pub use rmc_abi::RmwOp;
use rmc_abi::va_list::NextPlaces;
use rmc_runtime::MemoryOrder;

use super::ids::{EdgeId, FuncId, GlobalId, Operand, Reg, SiteId};
pub use super::promises::*;
pub use super::sites::*;

/// A binary operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
}

/// A comparison of integers or pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum IntCmp {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl IntCmp {
    /// True if the operands are signed numbers.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Sgt | Self::Sge | Self::Slt | Self::Sle)
    }

    /// The comparison that has the same result with its operands exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
        }
    }
}

/// An operation of one operand on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum IntUnary {
    PopCount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    Abs,
    /// Like the operation without `OfNonzero`, but the result for 0 is poison.
    LeadingZerosOfNonzero,
    TrailingZerosOfNonzero,
    /// The absolute value; the result for the least number is poison.
    AbsOfOther,
    Freeze,
}

/// The overflow bit of an arithmetic operation (`llvm.*.with.overflow`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum OverflowOp {
    SAdd,
    UAdd,
    SSub,
    USub,
    SMul,
    UMul,
}

impl OverflowOp {
    /// The operation, and whether its operands are signed.
    #[must_use]
    pub const fn parts(self) -> (IntOp, bool) {
        match self {
            Self::SAdd => (IntOp::Add, true),
            Self::UAdd => (IntOp::Add, false),
            Self::SSub => (IntOp::Sub, true),
            Self::USub => (IntOp::Sub, false),
            Self::SMul => (IntOp::Mul, true),
            Self::UMul => (IntOp::Mul, false),
        }
    }

    /// The operation with these parts, if there is one.
    #[must_use]
    pub const fn of(op: IntOp, is_signed: bool) -> Option<Self> {
        Some(match (op, is_signed) {
            (IntOp::Add, true) => Self::SAdd,
            (IntOp::Add, false) => Self::UAdd,
            (IntOp::Sub, true) => Self::SSub,
            (IntOp::Sub, false) => Self::USub,
            (IntOp::Mul, true) => Self::SMul,
            (IntOp::Mul, false) => Self::UMul,
            _ => return None,
        })
    }
}

/// The operation on integers that a read-modify-write makes of the old value and its operand, if it is one.
#[must_use]
pub const fn combining(op: RmwOp) -> Option<IntOp> {
    Some(match op {
        RmwOp::Add => IntOp::Add,
        RmwOp::Sub => IntOp::Sub,
        RmwOp::And => IntOp::And,
        RmwOp::Or => IntOp::Or,
        RmwOp::Xor => IntOp::Xor,
        RmwOp::Max => IntOp::SMax,
        RmwOp::Min => IntOp::SMin,
        RmwOp::UMax => IntOp::UMax,
        RmwOp::UMin => IntOp::UMin,
        RmwOp::Exchange
        | RmwOp::Nand
        | RmwOp::FAdd
        | RmwOp::FSub
        | RmwOp::FMax
        | RmwOp::FMin
        | RmwOp::IncWrap
        | RmwOp::DecWrap => return None,
    })
}

/// A conversion between integer widths and floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum Cast {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatToSigned,
    FloatToUnsigned,
    /// The conversion to the nearest number of the type; NaN becomes 0.
    FloatToSignedSat,
    FloatToUnsignedSat,
    SignedToFloat,
    UnsignedToFloat,
    FloatToFloat,
}

/// A floating-point operation of one, two or three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    CopySign,
    Min,
    Max,
    MulAdd,
}

/// One instruction. Operand widths are in bits, access lengths (`len`) in bytes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::missing_docs_in_private_items)] // fields are named after their part in the operation
pub enum Instr {
    Move {
        dst: Reg,
        a: Operand,
    },
    Int {
        op: IntOp,
        width: u8,
        promises: Promises,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Unary {
        op: IntUnary,
        width: u8,
        dst: Reg,
        a: Operand,
    },
    Overflow {
        op: OverflowOp,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Compare {
        op: IntCmp,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// `from` and `to` are widths in bits; for floating-point formats the size (16, 32, 64).
    Cast {
        op: Cast,
        from: u8,
        to: u8,
        dst: Reg,
        a: Operand,
    },
    Float {
        op: FloatOp,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// `fma`: `site` is in [`super::Function::wides`].
    FloatMulAdd {
        width: u8,
        dst: Reg,
        args: SiteId,
    },
    /// `accept`: bit 0 equal, 1 greater, 2 less, 3 unordered, as LLVM encodes its predicates.
    FloatCompare {
        accept: u8,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Select {
        dst: Reg,
        cond: Operand,
        a: Operand,
        b: Operand,
    },
    /// `dst = base + index * scale`, `index` sign-extended from `width` bits.
    Offset {
        dst: Reg,
        base: Operand,
        index: Operand,
        width: u8,
        scale: u32,
        bounds: Bounds,
    },
    /// Makes the address in `dst` poison if it is not near `base` ([`super::address::is_near`]).
    Near {
        dst: Reg,
        base: Operand,
    },
    /// Makes the number of `width` bits in `dst` poison unless it is in `low..high`, which may wrap round.
    Range {
        dst: Reg,
        low: Operand,
        high: Operand,
        width: u8,
    },
    /// `cond` holds by a promise of the program (`llvm.assume`); otherwise it is a violation.
    Assume {
        cond: Operand,
    },
    /// An operation on values of more than one word.
    Wide {
        site: SiteId,
    },
    Jump {
        edge: EdgeId,
    },
    Branch {
        cond: Operand,
        yes: EdgeId,
        no: EdgeId,
    },
    Switch {
        site: SiteId,
    },
    Call {
        function: FuncId,
        site: SiteId,
    },
    CallIndirect {
        target: Operand,
        site: SiteId,
    },
    /// Returns `words` words.
    Return {
        value: Operand,
        words: u32,
    },
    /// `count` elements of `size` bytes; `site` names the variable in [`super::Function::allocas`].
    Alloca {
        dst: Reg,
        count: Operand,
        size: u32,
        site: SiteId,
    },
    /// Creates an object of the frame that the next call makes: a by-value argument or the area of variable
    /// arguments.
    CalleeObject {
        dst: Reg,
        size: u32,
        variadic: bool,
    },
    /// Fills the `va_list` at `list`, for the arguments in the memory at `area`.
    VaStart {
        list: Operand,
        area: Operand,
        first: NextPlaces,
    },
    ThreadLocal {
        dst: Reg,
        global: GlobalId,
    },
    /// Ordinary accesses to memory that only one thread uses; they bypass store buffers.
    RawLoad {
        dst: Reg,
        addr: Operand,
        at: u32,
        len: u8,
        width: u8,
    },
    RawStore {
        addr: Operand,
        value: Operand,
        at: u32,
        len: u8,
    },
    /// Accesses to memory that other threads may reach. `len` 16 uses two words.
    Load {
        dst: Reg,
        addr: Operand,
        len: u8,
        order: MemoryOrder,
    },
    Store {
        addr: Operand,
        value: Operand,
        len: u8,
        order: MemoryOrder,
    },
    ReadModifyWrite {
        op: RmwOp,
        dst: Reg,
        addr: Operand,
        value: Operand,
        len: u8,
        order: MemoryOrder,
    },
    CompareExchange {
        dst: Reg,
        site: SiteId,
        len: u8,
    },
    Fence {
        order: MemoryOrder,
    },
    Copy {
        site: SiteId,
    },
    Fill {
        site: SiteId,
    },
    LifetimeStart {
        addr: Operand,
        len: Operand,
    },
    LifetimeEnd {
        addr: Operand,
        len: Operand,
    },
    Library {
        site: SiteId,
    },
    /// Stands at the begin of a landing pad. An exception arrives here: it writes its two words to `dst` and the
    /// register behind, and continues behind this instruction.
    LandingPad {
        dst: Reg,
    },
    Unreachable,
    /// A call that does not match the called function: `site` is in [`super::Function::mismatches`].
    Mismatch {
        site: SiteId,
    },
    /// An operation that this version does not interpret; reaching it ends the run with an error that names
    /// it.
    Unsupported {
        site: SiteId,
    },
}
