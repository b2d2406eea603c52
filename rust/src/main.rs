//! `cargo rmc`: compiles a package with all that it depends on to modules, and has `rmc-check` check it.
//!
//! Cargo compiles as for any build, but with the compiler for `rmc-check`, and calls this program in place of
//! it: see [`wrapper`]. The user's own Cargo does that, of whatever version, so it reads the package's
//! manifest and lock file, and fetches what is missing.
//!
//! * `cargo/args.rs`: what can be typed,
//! * `cargo/package.rs`: the package, and the target of it that is meant,
//! * `cargo/build.rs`: the build, and the run of the checker,
//! * `wrapper.rs`: one run of rustc.
//!
//! Tests: `tests/tests/cargo.rs` of this workspace.

mod cargo;
mod wrapper;

use std::process::ExitCode;

/// The exit code for a package that cannot be checked, as that of `rmc-check`.
const REFUSED: u8 = 2;

fn main() -> ExitCode {
    if wrapper::is_requested() {
        return wrapper::run(std::env::args_os().skip(1).collect());
    }
    match cargo::check(&cargo::Args::from_process()) {
        Ok(never) => match never {},
        Err(error) => {
            eprintln!("cargo rmc: {error}");
            ExitCode::from(REFUSED)
        }
    }
}
