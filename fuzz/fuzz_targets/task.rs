//! Fuzz target: task files; see `checker/src/fuzzing/tasks.rs`.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("task", &fuzzing::seeds("task")),
    |bytes: &[u8]| fuzzing::task(bytes)
);
