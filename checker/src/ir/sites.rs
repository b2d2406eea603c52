//! The side tables of instructions with many parts, and the formats of numbers.

use rmc_runtime::MemoryOrder;

use super::ids::{EdgeId, Operand, Reg};
use super::instr::{Cast, FloatOp, IntCmp, IntOp, IntUnary, OverflowOp, Promises};

/// Operations on values of several words.
#[derive(Clone, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum Wide {
    Int {
        op: IntOp,
        width: u32,
        promises: Promises,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Unary {
        op: IntUnary,
        width: u32,
        dst: Reg,
        a: Operand,
    },
    Compare {
        op: IntCmp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Overflow {
        op: OverflowOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: Cast,
        from: Format,
        to: Format,
        dst: Reg,
        a: Operand,
    },
    Float {
        op: FloatOp,
        format: Format,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FloatCompare {
        accept: u8,
        format: Format,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// Cuts the same bits into other elements: `count` elements of `width` bits each.
    Repack {
        dst: Reg,
        a: Operand,
        from: Elements,
        to: Elements,
    },
    /// `dst[index] = value` in a copy of the vector `a`; an index out of range gives an uninitialised vector.
    Insert {
        dst: Reg,
        a: Operand,
        index: Operand,
        value: Operand,
        elements: Elements,
    },
    Extract {
        dst: Reg,
        a: Operand,
        index: Operand,
        elements: Elements,
    },
    /// The operands of a fused multiply-add.
    Triple {
        a: Operand,
        b: Operand,
        c: Operand,
    },
}

/// A run of equal elements, each in `ceil(width / 64)` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The number of elements.
    pub count: u32,
    /// Bits of each.
    pub width: u32,
}

impl Elements {
    /// Words of one element.
    #[must_use]
    pub const fn words(self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// The type of a number: an integer of some width or a floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items)]
pub enum Format {
    Int(u32),
    Half,
    BFloat,
    Single,
    Double,
    X87,
    Quad,
}

/// `cmpxchg`: the old value goes to the instruction's `dst`.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct CompareExchange {
    pub addr: Operand,
    pub expected: Operand,
    pub new: Operand,
    pub success: MemoryOrder,
    pub failure: MemoryOrder,
}

/// `memcpy`, `memmove`, a gather or a scatter, done in pieces of at most 8 bytes, each a load and a store.
#[derive(Clone, Copy, Debug)]
pub struct CopySite {
    /// The target address.
    pub to: Operand,
    /// The source address.
    pub from: Operand,
    /// The number of bytes.
    pub len: Operand,
    /// True if the target is accessed directly, because only one thread uses its memory.
    pub to_local: bool,
    /// True if the source is accessed directly.
    pub from_local: bool,
    /// True if the ranges may overlap (`memmove`).
    pub overlap: bool,
    /// The lanes of a gather or scatter. The side whose memory other threads may use is then a private table
    /// of the lanes' addresses.
    pub lanes: Option<Lanes>,
    /// The progress of the copy: twice the bytes done, plus one if a piece was loaded but not stored yet.
    pub progress: Reg,
    /// The piece that was loaded and is not stored yet.
    pub piece: Reg,
}

/// The lanes of a gather or scatter.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// A mask whose bit n is set if lane n is accessed.
    pub mask: Operand,
    /// Bytes of a lane.
    pub width: u8,
}

/// `memset`, done in pieces of at most 8 bytes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct FillSite {
    pub to: Operand,
    pub byte: Operand,
    pub len: Operand,
    /// True if the target is accessed directly.
    pub to_local: bool,
    /// Bytes done.
    pub progress: Reg,
}

/// A call: the arguments' words go to the first registers of the callee, its result to `dst`.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// Words of the arguments.
    pub args: Vec<Operand>,
    /// First register of the result.
    pub dst: Reg,
    /// Words of the result.
    pub words: u32,
    /// True if the call passes variable arguments: the last of `args` is then the address of their area.
    pub varargs: bool,
}

/// The flag in the width of a floating-point argument of a modelled function.
pub const FLOAT: u8 = 0x80;

/// A call of a function that the checker models.
#[derive(Clone, Debug)]
pub struct LibrarySite {
    /// The function, an index into the library's table.
    pub function: usize,
    /// The arguments' words.
    pub args: Vec<Operand>,
    /// The width in bits of each argument's word, with [`FLOAT`] for a floating-point one.
    pub widths: Vec<u8>,
    /// First register of the result.
    pub dst: Reg,
    /// Width of the result in bits, 0 for none.
    pub width: u8,
    /// The progress of a call that takes several steps; 0 before it begins.
    pub phase: Reg,
}

/// `switch`: the first case whose value equals the operand, else `default`.
#[derive(Clone, Debug)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct SwitchSite {
    pub value: Operand,
    pub cases: Vec<(u64, EdgeId)>,
    pub default: EdgeId,
}

impl Format {
    /// Its size in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Half | Self::BFloat => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::X87 => 80,
            Self::Quad => 128,
        }
    }
}
