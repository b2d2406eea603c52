//! Fuzz target: reports and their replay; see `checker/src/fuzzing/reports.rs`.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("report", &fuzzing::seeds("report")),
    |bytes: &[u8]| fuzzing::report(bytes)
);
