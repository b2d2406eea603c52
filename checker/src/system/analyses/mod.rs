//! Questions about states and steps, other than the successors of a state.

pub(super) mod awaits;
pub mod finals;
mod leaks;
pub mod symmetry;
