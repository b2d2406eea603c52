//! `rmc-check`: see `--help`.

mod allocator;

use std::panic;
use std::process::ExitCode;

fn main() -> ExitCode {
    panic::catch_unwind(rmc_checker::cli::main).unwrap_or_else(|_| {
        eprintln!("rmc-check: this is a bug in rmc itself, not in the program; please report it with the input and the lines above");
        ExitCode::from(rmc_checker::cli::INTERNAL_ERROR)
    })
}
