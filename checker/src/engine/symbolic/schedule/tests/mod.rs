//! The encoding against a textbook machine, on litmus tests and random programs.

mod builder;
mod compare;
mod describe;
mod litmus;
mod machine;
mod random;
