//! The options of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

const AFTER_HELP: &str = "\
Without --bin, --example, --test or --lib, the package's only program is checked. OPTIONS are those of rmc-check \
(rmc-check --help): `cargo rmc --test queue -- --relaxed-memory pso`. -DNAME among them is --cfg NAME for the \
target itself. cfg(rmc) is set for the package and all that it depends on.

The package is built by the Cargo that runs this (RMC_CARGO names another one) with rustc 1.63 or 1.95 \
(/usr/bin/rustc, rustc where that is not installed, or what RMC_RUSTC names), in the directory rmc of the target \
directory.

Exit codes are those of rmc-check, 2 also for a package that cannot be built.";

/// Checks a package with rmc-check: a program, or #[test] functions
#[derive(Debug, Parser)]
#[command(name = "cargo-rmc", bin_name = "cargo rmc", version, after_help = AFTER_HELP)]
pub struct Args {
    /// Check the program NAME
    #[arg(long, value_name = "NAME", group = "target")]
    pub bin: Option<String>,

    /// Check the example NAME
    #[arg(long, value_name = "NAME", group = "target")]
    pub example: Option<String>,

    /// Check each #[test] function of the integration test NAME
    #[arg(long, value_name = "NAME", group = "target")]
    pub test: Option<String>,

    /// Check each #[test] function of the library
    #[arg(long, group = "target")]
    pub lib: bool,

    /// Of #[test] functions, check those whose names contain this
    #[arg(value_name = "TEST_FILTER")]
    pub filter: Option<String>,

    /// The package, in a workspace of several
    #[arg(short, long, value_name = "NAME")]
    pub package: Option<String>,

    /// The path of Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,

    /// The directory for all that is built
    #[arg(long, value_name = "DIRECTORY")]
    pub target_dir: Option<PathBuf>,

    /// Features to activate
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,

    /// Activate all features
    #[arg(long)]
    pub all_features: bool,

    /// Do not activate the feature `default`
    #[arg(long)]
    pub no_default_features: bool,

    /// Do not use the network
    #[arg(long)]
    pub offline: bool,

    /// Require that Cargo.lock is up to date
    #[arg(long)]
    pub locked: bool,

    /// Let Cargo print the commands that it runs
    #[arg(short, long)]
    pub verbose: bool,

    /// Options of rmc-check
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<OsString>,
}

impl Args {
    /// Parses the process's arguments; wrong ones end the process with a message and exit code 2.
    pub fn from_process() -> Self {
        // Cargo calls `cargo-rmc rmc ...`.
        let mut arguments: Vec<_> = std::env::args_os().collect();
        if arguments.get(1).is_some_and(|first| first == "rmc") {
            arguments.remove(1);
        }
        Self::parse_from(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
