//! Entries of the fuzz targets (`fuzz/`): one function for each format that is read from outside. It must not
//! panic, whatever the bytes are.
//!
//! The module exists in this crate's unit tests and with the feature `fuzzing`, which only the fuzz targets
//! enable: so the product has none of it, and tests build the crate once. Assembly is read in the crate
//! `rmc-asm`, which has an entry of its own.
//!
//! The file of each target says what it promises beyond that:
//!
//! * [`checkpoint`]: the parts of a saved search,
//! * [`report`]: JSON reports, everything computed from them, and the replay of their schedules,
//! * [`task`], [`property`]: files of the competition,
//! * [`module`]: programs as LLVM assembly.
//!
//! The tests here run each function on the repository's own seeds and on a fixed set of mutated inputs.

mod checkpoints;
mod modules;
mod programs;
mod reports;
#[cfg(test)]
mod state_vectors;
mod tasks;

pub use checkpoints::checkpoint;
pub use modules::module;
pub use reports::report;
pub use tasks::{property, task};

/// Seeds of a target that are generated instead of kept in the repository, by the target's name.
///
/// # Panics
/// If `clang-16` cannot be run, or the system has no place for temporary files.
#[must_use]
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "checkpoint" => checkpoints::seeds(),
        "report" => reports::seeds(),
        "module" => modules::seeds(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use rmc_tests::harness::repository;
    use rmc_tests::mutations::{files, mutations};

    use super::*;

    /// Runs a target on its seeds, and on `count` mutations of them.
    fn check(target: &str, run: fn(&[u8]), count: usize) {
        let kept = files(&repository().join("fuzz/seeds").join(target));
        let seeds = [seeds(target), kept].concat();
        assert!(!seeds.is_empty(), "{target} has seeds");
        mutations(&seeds, count).for_each(|input| run(&input));
    }

    #[test]
    fn checkpoints_are_read_without_a_panic() {
        check("checkpoint", checkpoint, 2_000);
    }

    #[test]
    fn reports_are_read_and_replayed_without_a_panic() {
        check("report", report, 30_000);
    }

    #[test]
    fn tasks_are_read_without_a_panic() {
        check("task", task, 20_000);
    }

    #[test]
    fn properties_are_read_without_a_panic() {
        check("property", property, 100_000);
    }

    #[test]
    fn modules_are_loaded_without_a_panic() {
        check("module", module, 4_000);
    }
}
