//! Memory orders.

/// A memory order of C11 and LLVM; the discriminant is its code. Volatile accesses are
/// [`Plain`](MemoryOrder::Plain). LLVM's `unordered` becomes relaxed, and C's `consume` becomes acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // The names are those of the standard.
pub enum MemoryOrder {
    Plain = 0,
    Relaxed = 1,
    Acquire = 2,
    Release = 3,
    AcqRel = 4,
    SeqCst = 5,
}

impl MemoryOrder {
    /// The order of this code, if there is one.
    #[must_use]
    pub fn from_code(code: u64) -> Option<Self> {
        use MemoryOrder::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};
        [Plain, Relaxed, Acquire, Release, AcqRel, SeqCst].into_iter().find(|order| order.code() == code)
    }

    /// The order's code, an `i32` argument.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryOrder;

    #[test]
    fn codes_are_read_back() {
        for code in 0..6 {
            assert_eq!(MemoryOrder::from_code(code).map(MemoryOrder::code), Some(code));
        }
        assert_eq!(MemoryOrder::from_code(6), None);
        assert_eq!(MemoryOrder::from_code(u64::MAX), None);
    }
}
