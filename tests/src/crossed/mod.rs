//! Random programs for comparing the engines with each other: everything that both know, and much that goes
//! wrong.
//!
//! * [`program`]: what a program is, as data.
//! * [`random`]: programs from seeds.
//! * [`c_source`]: one C program that holds several of them and chooses one.
//! * [`shrink`]: the smallest part of a program that still shows something.
//! * [`comparison`]: runs the checker on several of them at once, and alone those that need it.
//!
//! There is no oracle but the other engine, so programs may do what the textbook machine does not know:
//! locks, threads that create threads, memory that dies. `generated` has the smaller programs that it knows.

pub mod c_source;
pub mod comparison;
pub mod counts;
pub mod locks;
pub mod program;
pub mod random;
pub mod shrink;
