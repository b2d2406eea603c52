//! The options of the symbolic engine.

use std::path::PathBuf;

use clap::Args;

use crate::engine::symbolic::{Asked, Symbolic};

/// The bounds on what a formula covers, and a file for it.
#[derive(Args, Clone, Debug, Default)]
pub struct SymbolicArgs {
    /// Bound the rounds in each of which every thread runs once; only with symbolic
    ///
    /// An execution with more changes from one thread to another is not covered. Without this option the
    /// bound grows: 2, 3, 4 and so on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,

    /// Bound the number of times at which delayed stores reach memory; only with symbolic
    ///
    /// With 1, tso and pso are sc. Without this option the bound grows, but more slowly than the others.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_clock: Option<u32>,

    /// Bound the writes that a place of memory remembers, the delayed ones and the current one; only with
    /// symbolic
    ///
    /// Without this option the bound grows as that of --max-clock does.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub writes: Option<u32>,

    /// Bound the bits of inputs and of numbers in memory of at most 32 bits; only with symbolic
    ///
    /// They are those that two's complement has with so many bits: with 3, -4 to 3. Executions with other
    /// ones are not covered.
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub width: Option<u32>,

    /// Write the last formula to FILE, in the format DIMACS, for another SAT solver; only with symbolic
    #[arg(long, value_name = "FILE")]
    pub dump_cnf: Option<PathBuf>,
}

impl SymbolicArgs {
    /// The engine with these options and this bound on the turns of loops.
    #[must_use]
    pub fn engine(&self, unroll: Option<u32>) -> Symbolic {
        let Self { rounds, max_clock, writes, width, .. } = *self;
        Symbolic { asked: Asked { unroll, rounds, max_clock, writes, width }, dump_cnf: self.dump_cnf.clone() }
    }

    /// An option that was given, if one was.
    #[must_use]
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.rounds.is_some(), "--rounds"),
            (self.max_clock.is_some(), "--max-clock"),
            (self.writes.is_some(), "--writes"),
            (self.width.is_some(), "--width"),
            (self.dump_cnf.is_some(), "--dump-cnf"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}
