//! Typed indices: a `u32` that names one kind of thing and indexes only that.

/// Declares index types: `Copy`, ordered, with `index()` for use in vectors.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the vector this index belongs to.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of position `at`.
            ///
            /// # Panics
            /// If `at` does not fit `u32`: programs of that size are refused much earlier.
            #[must_use]
            pub fn new(at: usize) -> Self {
                Self(u32::try_from(at).expect("an index fits u32"))
            }
        }
    )*};
}

pub(super) use ids;

ids! {
    /// A function of the program, defined or not.
    FuncId
    /// A global variable.
    GlobalId
    /// A register of a frame: one 64-bit word of an SSA value.
    Reg
    /// An instruction of a function.
    Pc
    /// A source location in [`super::Program::locations`].
    LocId
    /// An outgoing edge of a block in [`super::Function::edges`].
    EdgeId
    /// An entry of one of the side tables of a function ([`super::Function`]) for instructions with many
    /// parts.
    SiteId
}

/// The source of a word that an instruction reads: a register of the frame or a constant of the program.
///
/// The highest bit tells which. A value of several words (an `i128`, a vector, a struct) lies in consecutive
/// registers or consecutive constants, so that [`Operand::word`] reaches its other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand(u32);

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    /// The operand that reads register `reg`.
    #[must_use]
    pub const fn reg(reg: Reg) -> Self {
        Self(reg.0)
    }

    /// The operand that reads constant number `index`.
    #[must_use]
    pub fn constant(index: usize) -> Self {
        Self(Self::CONSTANT | u32::try_from(index).expect("the constant pool fits 31 bits"))
    }

    /// The operand of the `k`-th word of the same value.
    #[must_use]
    pub fn word(self, k: usize) -> Self {
        Self(self.0 + u32::try_from(k).expect("a value has few words"))
    }

    /// The register, or else the constant's index.
    #[inline]
    pub const fn resolve(self) -> Result<usize, usize> {
        if self.0 & Self::CONSTANT == 0 { Ok(self.0 as usize) } else { Err((self.0 & !Self::CONSTANT) as usize) }
    }

    /// The register this operand reads, if it reads one.
    #[must_use]
    pub fn as_reg(self) -> Option<Reg> {
        self.resolve().ok().map(Reg::new)
    }
}
