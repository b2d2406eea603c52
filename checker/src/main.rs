//! `rmc-check`: see `--help`.

mod allocator;

use std::panic;
use std::process::ExitCode;

/// The exit code of an error of the checker itself (`EX_SOFTWARE` of sysexits.h).
const INTERNAL_ERROR: u8 = 70;

fn main() -> ExitCode {
    panic::catch_unwind(rmc_checker::cli::main).unwrap_or_else(|_| {
        eprintln!("rmc-check: this is a bug in rmc itself, not in the program; please report it with the input and the lines above");
        ExitCode::from(INTERNAL_ERROR)
    })
}
