//! The reasons for which a package cannot be checked. Each message says what to do.

use std::io;

/// The reasons for which a package cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program cannot be run.
    #[error("cannot run {program}: {error}\n  {advice}")]
    NoProgram {
        /// The command.
        program: String,
        /// The system's reason.
        error: io::Error,
        /// The way out.
        advice: String,
    },
    /// The compiler is of another version.
    #[error(
        "{program} is rustc {release}; Rust is checked as rustc {} compiles it\n  `make rust` installs 1.63 (Debian 12's packages {}), and {} names another compiler",
        rmc_rust::toolchain::SUPPORTED,
        rmc_rust::toolchain::PACKAGES,
        rmc_rust::toolchain::VARIABLE
    )]
    OtherRust {
        /// The command.
        program: String,
        /// Its version.
        release: String,
    },
    /// Cargo has said why it does not know the package.
    #[error("there is no package to check: name its manifest with --manifest-path")]
    NoPackage,
    /// Cargo's description of the package cannot be read.
    #[error("`cargo metadata` says something that cannot be read: {0}")]
    Metadata(serde_json::Error),
    /// The manifest is that of a workspace, or the package is not in it.
    #[error("name the package with --package; there are {packages}")]
    WhichPackage {
        /// The names of the packages.
        packages: String,
    },
    /// The package has no such target, or none that is meant without a name.
    #[error("the package {package} has {wanted}; name what to check: {targets}")]
    WhichTarget {
        /// The package.
        package: String,
        /// The thing that it lacks or has too many of.
        wanted: String,
        /// The options that are possible.
        targets: String,
    },
    /// Programs have no tests to choose from.
    #[error(
        "`{filter}` is a filter for #[test] functions, which --test NAME and --lib check; options of rmc-check come after --"
    )]
    FilterOfProgram {
        /// The filter.
        filter: String,
    },
    /// A directory or file of the build cannot be made.
    #[error("{path}: {error}")]
    File {
        /// The path.
        path: String,
        /// The system's reason.
        error: io::Error,
    },
    /// The harness for tests does not compile.
    #[error("the crate `test` cannot be compiled: {0}")]
    Harness(String),
    /// Cargo thinks that nothing is to be done.
    #[error("Cargo made no module; remove the directory rmc in the target directory")]
    NoModule,
    /// Cargo has said why it could not build the package.
    #[error(
        "the package was not built. Rust is checked as {} compiles it, with `cfg(rmc)`: where a dependency is too new for rustc 1.63, `cargo update --package NAME --precise VERSION` chooses an older one, or RMC_RUSTC names rustc 1.95; and where Cargo is older than Cargo.lock, RMC_CARGO names a newer Cargo",
        rmc_rust::toolchain::rustc()
    )]
    NotBuilt,
}
