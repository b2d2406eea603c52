//! The parts of a state: memory objects and their pages, threads, and the read set of a step.

pub(super) mod decoded;
pub mod form;
pub mod kept_names;
pub mod memory;
pub(super) mod numbering;
pub mod object_table;
pub(super) mod read_set;
pub(super) mod threads;
