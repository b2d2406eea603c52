//! The errors of making a program from inputs. Every message names the input and says what to do.

use std::io;

use super::database::DatabaseError;
use super::llvm_tools::PLUGIN;
use crate::ir::load::LoadError;
use crate::outcome::Unknown;

/// The reasons for which an input cannot be made into a program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The input.
        path: String,
        /// The system's reason.
        error: io::Error,
    },
    /// The extension of the file is unknown.
    #[error(
        "{path}: unknown kind of file; inputs are C or C++ (.c .i .cc .cpp .cxx .C), Rust (.rs), bitcode (.bc, .o), LLVM assembly (.ll) or archives (.a)"
    )]
    UnknownKind {
        /// The input.
        path: String,
    },
    /// The file has the extension of bitcode or an object file, but is neither.
    #[error("{path}: is no bitcode, or damaged at its beginning")]
    NotBitcode {
        /// The input.
        path: String,
    },
    /// An archive cannot be read.
    #[error("{path}: is no archive that can be read: {message}")]
    Archive {
        /// The input.
        path: String,
        /// A description of the damage.
        message: String,
    },
    /// A member of an archive is not bitcode.
    #[error(
        "{path}: the member `{member}` is {what}; make it with `clang-16 -g -emit-llvm -c`, and the archive with `llvm-ar`, or give the sources"
    )]
    Member {
        /// The archive.
        path: String,
        /// Its member.
        member: String,
        /// The kind of file that the member is.
        what: &'static str,
    },
    /// The compilation database does not tell how a source is compiled.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The file is an object file with machine code.
    #[error("{path}: is machine code; make it with `clang-16 -g -emit-llvm -c`, or give the source")]
    MachineCode {
        /// The input.
        path: String,
    },
    /// The input is a directory.
    #[error("{path}: is a directory; name the files in it")]
    Directory {
        /// The input.
        path: String,
    },
    /// `--overflow` needs source code: bitcode does not say which operations were signed.
    #[error("{path}: signed overflow cannot be checked in bitcode; give the C source instead")]
    OverflowOfBitcode {
        /// The input.
        path: String,
    },
    /// A tool is not installed.
    #[error(
        "cannot run {program}: {error}\n  install it with: apt-get install {package}\n  or name it in the environment variable {variable}"
    )]
    NoTool {
        /// The command.
        program: String,
        /// The system's reason.
        error: io::Error,
        /// Debian's package.
        package: &'static str,
        /// The variable that overrides it.
        variable: &'static str,
    },
    /// The compiler of Rust is of another version.
    #[error(
        "{program} is rustc {release}; Rust is checked as rustc {} compiles it, whose standard library is known\n  `make rust` installs 1.63 (Debian 12's packages {}), and RMC_RUSTC names another compiler",
        rmc_rust::toolchain::SUPPORTED,
        rmc_rust::toolchain::PACKAGES
    )]
    OtherRust {
        /// The command.
        program: String,
        /// Its version.
        release: String,
    },
    /// A module of Rust is of another compiler than the one that is set.
    #[error(
        "{path}: another compiler than {program} has made this: RMC_RUSTC names that which `cargo rmc` was run with"
    )]
    OtherCompiler {
        /// The input.
        path: String,
        /// The compiler that is set.
        program: String,
    },
    /// An option of rustc with which a program cannot be checked.
    #[error("{path}: the option {option} is not supported for Rust: {why}")]
    RustOption {
        /// The input.
        path: String,
        /// The option.
        option: String,
        /// The reason, and the way out.
        why: &'static str,
    },
    /// A tool refused its input, with this message.
    #[error("{path}: {tool} failed\n{message}{}", super::hints::of(message))]
    Tool {
        /// The input.
        path: String,
        /// The tool.
        tool: &'static str,
        /// Its standard error.
        message: String,
    },
    /// LLVM's verifier accepts the bitcode, and its functions crash on it.
    #[error(
        "{path}: reading it ended a process ({how}); the file is damaged, its debug information perhaps: make it anew, or remove that with `opt-16 -passes=strip`"
    )]
    Crashes {
        /// The input.
        path: String,
        /// A description of the crash.
        how: String,
    },
    /// The plugin is not beside the program.
    #[error(
        "cannot find the pass plugin {PLUGIN} beside {near}; build it (cargo build -p rmc-pass) or name it in RMC_PASS"
    )]
    NoPlugin {
        /// The places that were searched.
        near: String,
    },
    /// Intermediate files cannot be created.
    #[error("cannot make a temporary directory: {0}")]
    Temporary(io::Error),
    /// The tool was killed because the run is to end, for this reason.
    #[error("stopped: {}", .0.describe())]
    Stopped(Unknown),
    /// LLVM does not accept the bitcode.
    #[error(transparent)]
    Load(#[from] LoadError),
}
