//! Programs as LLVM assembly, and why not bitcode: `checker/src/fuzzing/modules.rs`.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("module", &fuzzing::seeds("module")),
    |bytes: &[u8]| fuzzing::module(bytes)
);
