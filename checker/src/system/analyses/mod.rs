//! Questions about states and steps, other than the successors of a state.

pub(super) mod awaits;
mod disputes;
pub mod finals;
pub(in crate::system) mod leaks;
mod own_steps;
mod rest;
pub mod symmetry;
