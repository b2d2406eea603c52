//! The functions of the ABI.

use crate::WIDTHS;

/// The prefix of every function of the ABI. Functions of the checker's support library have it too.
const PREFIX: &str = "__rmc_";

/// A function of the ABI. `u64` fields are widths in bytes, out of [`WIDTHS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The table is in the header of this crate.
pub enum Entry {
    Load(u64),
    Store(u64),
    LoadPieces,
    StorePieces,
    Gather(u64),
    Scatter(u64),
    Rmw(u64),
    CmpXchg(u64),
    Fence,
    Sync,
    Memcpy,
    Memmove,
    Memset,
    LifetimeEnd,
    Free,
    Realloc,
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A pointer.
    Pointer,
    /// An integer of this many bits.
    Int(u32),
    /// A constant of 64 bits: the number of lanes of a gather or scatter, up to
    /// [`MAX_LANES`](crate::MAX_LANES).
    Lanes,
    /// A constant of 32 bits: the code of a [`MemoryOrder`](crate::MemoryOrder).
    Order,
    /// A constant of 32 bits: the code of an [`RmwOp`](crate::RmwOp).
    Operation,
    /// A constant of 32 bits: the sides of a copy whose memory only one thread uses, bit 0 the target and bit
    /// 1 the source.
    Sides,
}

/// The arguments of a function, and its result unless it has none.
pub struct Signature {
    /// The arguments in their order.
    pub arguments: Vec<Argument>,
    /// The result: a pointer or an integer.
    pub result: Option<Argument>,
}

/// The functions that have no width, with the rest of their names.
const WITHOUT_WIDTH: [(&str, Entry); 10] = [
    ("load_n", Entry::LoadPieces),
    ("store_n", Entry::StorePieces),
    ("fence", Entry::Fence),
    ("sync", Entry::Sync),
    ("memcpy", Entry::Memcpy),
    ("memmove", Entry::Memmove),
    ("memset", Entry::Memset),
    ("lifetime_end", Entry::LifetimeEnd),
    ("free", Entry::Free),
    ("realloc", Entry::Realloc),
];

type OfWidth = fn(u64) -> Entry;

/// The functions that exist once for each width, with their names up to it.
const BY_WIDTH: [(&str, OfWidth); 6] = [
    ("load", Entry::Load),
    ("store", Entry::Store),
    ("gather", Entry::Gather),
    ("scatter", Entry::Scatter),
    ("rmw", Entry::Rmw),
    ("cmpxchg", Entry::CmpXchg),
];

impl Entry {
    /// All functions.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_width = |width| BY_WIDTH.map(|(_, entry)| entry(width));
        WITHOUT_WIDTH.into_iter().map(|(_, entry)| entry).chain(WIDTHS.into_iter().flat_map(of_width))
    }

    /// The function of this name, if it belongs to the ABI.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        let without = WITHOUT_WIDTH.into_iter().find(|row| row.0 == rest);
        without.map(|(_, entry)| entry).or_else(|| {
            let (kind, digits) = rest.rsplit_once('_')?;
            let entry = BY_WIDTH.into_iter().find(|row| row.0 == kind)?.1;
            WIDTHS.into_iter().find(|width| width.to_string() == digits).map(entry)
        })
    }

    /// The function's name.
    ///
    /// # Panics
    /// Never: the tables have every function.
    #[must_use]
    pub fn name(self) -> String {
        if let Some((rest, _)) = WITHOUT_WIDTH.into_iter().find(|row| row.1 == self) {
            return format!("{PREFIX}{rest}");
        }
        let of_width = |width| BY_WIDTH.into_iter().find(|row| (row.1)(width) == self).map(|(kind, _)| (kind, width));
        let (kind, width) = WIDTHS.into_iter().find_map(of_width).expect("a function of the tables");
        format!("{PREFIX}{kind}_{width}")
    }

    /// The types of the function's arguments and result.
    #[must_use]
    pub fn signature(self) -> Signature {
        use Argument::{Int, Lanes, Operation, Order, Pointer, Sides};
        let bits = |width: u64| Int(8 * u32::try_from(width).expect("a width of the ABI"));
        let (arguments, result) = match self {
            Self::Load(width) => (vec![Pointer, Order], Some(bits(width))),
            Self::Store(width) => (vec![Pointer, bits(width), Order], None),
            Self::LoadPieces | Self::StorePieces => (vec![Pointer, Pointer, Int(64)], None),
            Self::Gather(_) | Self::Scatter(_) => (vec![Pointer, Pointer, Int(64), Lanes], None),
            Self::Rmw(width) => (vec![Pointer, bits(width), Operation, Order], Some(bits(width))),
            Self::CmpXchg(width) => (vec![Pointer, bits(width), bits(width), Order, Order], Some(bits(width))),
            Self::Fence => (vec![Order], None),
            Self::Sync => (Vec::new(), None),
            Self::Memcpy | Self::Memmove => (vec![Pointer, Pointer, Int(64), Sides], None),
            Self::Memset => (vec![Pointer, Int(8), Int(64)], None),
            Self::LifetimeEnd => (vec![Pointer, Int(64)], None),
            Self::Free => (vec![Pointer], None),
            Self::Realloc => (vec![Pointer, Int(64)], Some(Pointer)),
        };
        Signature { arguments, result }
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;

    #[test]
    fn names_are_read_back() {
        assert_eq!(Entry::all().count(), 40);
        for entry in Entry::all() {
            assert_eq!(Entry::of(&entry.name()), Some(entry));
        }
    }

    #[test]
    fn other_names_are_no_functions() {
        for name in ["load_4", "__rmc_load_3", "__rmc_load_04", "__rmc_load", "__rmc_fence_4", "__rmc_once", "__rmc_"] {
            assert_eq!(Entry::of(name), None, "{name}");
        }
    }
}
