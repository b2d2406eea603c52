//! What is asked of states and steps beside where they lead.

pub(super) mod awaits;
pub mod finals;
mod leaks;
pub mod races;
pub mod symmetry;
