//! Landing pads: the places in a function where exceptions that leave its calls arrive.
//!
//! A pad has its clauses in the order in which they are tried. An exception arrives with two words: the
//! address that stands for it, and the *selector* of the clause that it matched. Code compares selectors with
//! those of types ([`selector`]).

use super::address;
use super::ids::EdgeId;

/// The landing pad of a call.
#[derive(Clone, Debug)]
pub struct Landing {
    /// The edge to the pad's block, which begins with [`super::Instr::LandingPad`].
    pub edge: EdgeId,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// True if exceptions that match no clause arrive, too, to run cleanups.
    pub is_cleanup: bool,
}

/// A clause of a landing pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// It catches exceptions of the type that is described at this address; of every type if it is 0.
    Catch(u64),
    /// It stops exceptions of types that an exception specification does not list.
    Filter,
}

/// The selector of exceptions that run cleanups.
pub const CLEANUP: u64 = 0;
/// The selector of clauses that catch exceptions of every type.
const EVERY_TYPE: u64 = i32::MAX as u64;

/// The selector of clauses for the type that is described at this address.
#[must_use]
pub fn selector(described_at: u64) -> u64 {
    match address::split(described_at) {
        _ if described_at == 0 => EVERY_TYPE,
        Some((object, _)) => object.0.into(),
        None => EVERY_TYPE - 1,
    }
}
