//! The symbols of a state: inputs with the sets of their values, and the results of operations on them; which
//! conditions on them can be met together. What steps do with symbols is in [`super::inputs`].

pub mod combination;
pub mod conditions;
mod differences;
mod encoding;
mod group;
mod implication;
pub mod operation;
pub mod projection;
pub mod ranges;
mod settling;
pub mod solver;
pub mod table;
