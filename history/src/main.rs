//! `rmc-history`: see `--help`.

use std::panic;
use std::process::ExitCode;

/// The exit code of an error of the program itself (`EX_SOFTWARE` of sysexits.h).
const INTERNAL_ERROR: u8 = 70;

fn main() -> ExitCode {
    panic::catch_unwind(rmc_history::cli::main).unwrap_or_else(|_| {
        eprintln!("rmc-history: this is a bug in rmc itself; please report it with the input and the lines above");
        ExitCode::from(INTERNAL_ERROR)
    })
}
