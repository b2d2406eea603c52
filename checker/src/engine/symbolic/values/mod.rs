//! Words of which few values are possible.
//!
//! An index, a flag or a pointer that is loaded from memory is one of the values that stores write there. As
//! long as these are few, a word has the *set* of its possible values, and the formula has as many bits of it
//! as tell them apart (Shannon's expansion gives the others as functions of these).
//!
//! A set may have values that never occur, and never lacks one that does:
//!
//! * A load has the initial values of the cells that it may be at, and those that stores may write there
//!   (`table`). What stores write is known after the unrolling, so the program is unrolled again until each
//!   load had all values. Then no execution leaves the sets, by induction over its steps: a load reads what
//!   was there at first or what an earlier step stored, which was computed from values that earlier loads
//!   read.
//! * The result of an instruction has what the interpreter computes from each of the operands' values
//!   (`few`).
//! * Where paths meet, a word has the values of both (`few`).
//! * Where a guard holds, a word has those values with which it is not known to be false (`under`).
//!
//! The bits of a loaded word are variables, which are constrained to be those of one of its values, also of
//! loads that are not executed: so the sets hold of every model of the formula.
//!
//! * `set`: sets, and the bits that tell their members apart,
//! * `select`: functions of a word, by enumeration of its values,
//! * `few`: instructions on such words,
//! * `under`: the values under a guard,
//! * `table`: the values in memory.
//!
//! Tests: in the files, and `arithmetic.rs`, which compare with the interpreter.

pub mod few;
mod select;
pub mod set;
pub mod table;
mod under;

pub use set::Values;
