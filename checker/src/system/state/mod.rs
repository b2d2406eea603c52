//! What a state consists of: memory objects and their pages, threads, and the vector of components.

pub(super) mod decoded;
pub mod memory;
pub(super) mod numbering;
pub mod object_table;
pub(super) mod read_set;
pub(super) mod threads;
