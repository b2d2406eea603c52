//! Random programs for comparing the engines with each other: they use all features that both support, and
//! many have violations.
//!
//! * [`program`]: the data type of programs.
//! * [`random`]: programs from seeds.
//! * [`c_source`]: one C program that holds several of them and chooses one.
//! * [`entries`]: one C program that holds several of them, each in a function of its own.
//! * [`shrink`]: the smallest part of a program that still has a property.
//! * [`comparison`]: runs the checker on several of them at once, and individually on those that need it.
//!
//! The only oracle are the other engines, so programs may use features that the textbook machine does not have:
//! locks, threads that create threads, memory that dies. `generated` has smaller programs for the textbook
//! machine.

pub mod c_source;
pub mod comparison;
pub mod counts;
pub mod entries;
pub mod locks;
pub mod program;
pub mod random;
pub mod shrink;
