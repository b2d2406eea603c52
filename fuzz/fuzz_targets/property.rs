//! Fuzz target: property files; see `checker/src/fuzzing/tasks.rs`.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("property", &fuzzing::seeds("property")),
    |bytes: &[u8]| fuzzing::property(bytes)
);
