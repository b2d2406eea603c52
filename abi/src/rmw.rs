//! Operations of `atomicrmw`.

/// The operation of a read-modify-write. Meanings are those of the LLVM 16 language reference, "atomicrmw
/// Instruction".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are LLVM's, written out.
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    IncWrap,
    DecWrap,
}

/// Each operation and the name that LLVM gives it. The position is the operation's code.
const OPERATIONS: [(RmwOp, &str); 17] = [
    (RmwOp::Exchange, "xchg"),
    (RmwOp::Add, "add"),
    (RmwOp::Sub, "sub"),
    (RmwOp::And, "and"),
    (RmwOp::Nand, "nand"),
    (RmwOp::Or, "or"),
    (RmwOp::Xor, "xor"),
    (RmwOp::Max, "max"),
    (RmwOp::Min, "min"),
    (RmwOp::UMax, "umax"),
    (RmwOp::UMin, "umin"),
    (RmwOp::FAdd, "fadd"),
    (RmwOp::FSub, "fsub"),
    (RmwOp::FMax, "fmax"),
    (RmwOp::FMin, "fmin"),
    (RmwOp::IncWrap, "uinc_wrap"),
    (RmwOp::DecWrap, "udec_wrap"),
];

impl RmwOp {
    /// The operation of this code, if there is one.
    #[must_use]
    pub fn from_code(code: u64) -> Option<Self> {
        OPERATIONS.get(usize::try_from(code).ok()?).map(|&(operation, _)| operation)
    }

    /// The operation of this name in LLVM's assembly language.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        OPERATIONS.iter().find(|row| row.1 == name).map(|&(operation, _)| operation)
    }

    /// The operation's code, an `i32` argument.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{OPERATIONS, RmwOp};

    #[test]
    fn an_operation_stands_at_its_code() {
        for (at, (operation, name)) in (0..).zip(OPERATIONS) {
            assert_eq!(operation.code(), at);
            assert_eq!(RmwOp::from_code(at), Some(operation));
            assert_eq!(RmwOp::from_name(name), Some(operation));
        }
        assert_eq!(RmwOp::from_code(OPERATIONS.len() as u64), None);
    }
}
