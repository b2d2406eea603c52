//! Fuzz target: the template and the constraints of inline assembly; see `asm/src/fuzzing.rs`.

#![no_main]

use rmc_asm::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("assembly", &fuzzing::seeds()),
    |bytes: &[u8]| fuzzing::assembly(bytes)
);
