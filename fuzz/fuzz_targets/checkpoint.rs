//! Fuzz target: checkpoints behind their digest; see `checker/src/fuzzing/checkpoints.rs`.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("checkpoint", &fuzzing::seeds("checkpoint")),
    |bytes: &[u8]| fuzzing::checkpoint(bytes)
);
