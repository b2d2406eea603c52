//! Random concurrent programs, each in two forms: C for the checker and operations for the textbook machine.
//!
//! * [`program`]: the data type of programs.
//! * [`random`]: programs from seeds.
//! * [`c_source`]: one C program that holds several of them, as in the litmus suite.
//! * [`expected`]: their outcomes on the textbook machine.
//! * [`explored`]: their outcomes according to the checker.
//! * [`dangling`]: programs that use pointers to memory that may have ended, in C, with what is wrong.
//! * [`frees`]: programs that free memory with stores under way, in C only.
//! * [`leaks`]: programs that lose objects on the heap, in C only.
//! * [`nested`]: programs whose threads create and join others, in C, with their final states.
//! * [`waits`]: programs whose threads wait in loops, in C only.
//!
//! An [`Outcome`] is a list of numbers, the same on both sides: for each thread a digest of the values that
//! it read, then the cells.

pub mod c_source;
pub mod dangling;
pub mod expected;
pub mod explored;
pub mod frees;
pub mod leaks;
pub mod nested;
pub mod program;
pub mod random;
pub mod waits;

/// The result of an execution: for each thread the [`digest`] of the values that it read, then the final
/// values of the cells.
pub type Outcome = Vec<u64>;

/// Base of the digests: odd, so that no bit of a value read early is shifted out.
pub const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Number of cells, of [`CELL_BYTES`] bytes each.
pub const CELLS: usize = 3;

/// Bytes of a cell.
pub const CELL_BYTES: usize = 8;

/// A digest of all values that a thread read. Different values may have the same digest, but that is unlikely
/// with 64 bits.
pub fn digest(read: impl IntoIterator<Item = u64>) -> u64 {
    read.into_iter().fold(0, |digest, value| digest.wrapping_mul(BASE).wrapping_add(value))
}

/// The names of the globals that make up an outcome of a program of `threads` threads, in its order.
pub fn outcome_globals(threads: usize) -> Vec<String> {
    let digests = (0..threads).map(|thread| format!("digest{thread}"));
    digests.chain((0..CELLS).map(|cell| format!("final{cell}"))).collect()
}
