//! Fuzz target: programs as LLVM assembly; `checker/src/fuzzing/modules.rs` says why not bitcode.

#![no_main]

use rmc_checker::fuzzing;

libfuzzer_sys::fuzz_target!(
    init: rmc_fuzz::write_seeds("module", &fuzzing::seeds("module")),
    |bytes: &[u8]| fuzzing::module(bytes)
);
