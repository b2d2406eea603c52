//! How Rust is compiled: rustc makes one module of the program and all of its standard library, and the pass
//! drops what is not used.
//!
//! The program is compiled as it is written, with checks of overflow and debug assertions, and a panic ends
//! the process. The user's options are rustc's, except that `-DNAME` is converted, and that `-O2` has opt
//! optimise, so that one command line is for programs of all languages.
//!
//! Tests: `tests/programs/rust/`.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::compile_error::CompileError;
use super::llvm_tools::RUSTC;
use crate::system::library;

/// The version of the compiler, and so of the standard library.
const RELEASE: &str = "1.63.";
/// What makes one module of the program and the standard library.
const ONE_MODULE: [&str; 4] = ["-Clto=fat", "-Ccodegen-units=1", "-Cpanic=abort", "-Cdebuginfo=2"];
/// What the program is compiled with unless the user's options say otherwise, which come later.
const AS_WRITTEN: [&str; 3] = ["-Copt-level=0", "-Cdebug-assertions=on", "-Coverflow-checks=on"];
/// The functions of the module that others call: `main`, and those that the support library calls.
const CALLED: &str = "main,__rmc_rust_write";

/// The options of opt with the passes for a module of Rust; `passes` are those of every language. Where the
/// user's options name a level, the optimiser runs when the pass has found std's functions by their names.
pub fn passes<'o>(options: impl Iterator<Item = &'o String>, passes: &str) -> Vec<String> {
    let prepare = "-passes=rmc-rust,internalize,globaldce,function(lowerinvoke,simplifycfg),globaldce,";
    let level = options.filter_map(|option| option.strip_prefix("-O")).last().map(|level| match level {
        "" => "2",
        level => level,
    });
    let optimise = level.map(|level| format!("default<O{level}>,")).unwrap_or_default();
    let passes = passes.strip_prefix("-passes=").unwrap_or(passes);
    vec![
        format!("{prepare}{optimise}{passes}"),
        format!("-internalize-public-api-list={CALLED}"),
        // As for C: without it, the optimiser makes tables of distances, for which objects are too far apart.
        "-code-model=large".to_owned(),
    ]
}

/// Bytes that are others if another compiler is installed.
///
/// # Errors
/// [`CompileError::NoTool`], or [`CompileError::OtherRust`] if it is not the version that is supported.
pub fn identity() -> Result<Vec<u8>, CompileError> {
    check_version()?;
    let file = RUSTC.path().and_then(|path| std::fs::metadata(path).ok());
    Ok(format!("{:?}", file.map(|file| (file.size(), file.mtime(), file.mtime_nsec()))).into_bytes())
}

/// Refuses another version than the one whose standard library is known.
pub fn check_version() -> Result<(), CompileError> {
    static RELEASE_FOUND: OnceLock<String> = OnceLock::new();
    let program = RUSTC.program();
    let release = match RELEASE_FOUND.get() {
        Some(release) => release,
        None => {
            let output = Command::new(&program).arg("-vV").output().map_err(|error| CompileError::NoTool {
                program: program.clone(),
                error,
                package: RUSTC.package,
                variable: RUSTC.variable,
            })?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let release = text.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or("of no known version");
            RELEASE_FOUND.get_or_init(|| release.to_owned())
        }
    };
    if release.starts_with(RELEASE) {
        return Ok(());
    }
    Err(CompileError::OtherRust { program, release: release.clone() })
}

/// Refuses options of rustc with which std would not be as it is known.
///
/// # Errors
/// [`CompileError::RustOption`] says why, and what to do.
pub fn check_options(options: &[String], path: &str) -> Result<(), CompileError> {
    let refused = |option: &String| match option {
        _ if option.ends_with("panic=unwind") => {
            Some("each panic is a violation, so none can be caught; leave the option out")
        }
        _ if option.contains("opt-level=") => Some("-O2 and the like name the level"),
        _ => None,
    };
    match options.iter().find_map(|option| Some((option, refused(option)?))) {
        Some((option, why)) => Err(CompileError::RustOption { path: path.to_owned(), option: option.clone(), why }),
        None => Ok(()),
    }
}

/// The arguments of rustc that compile `source` to the bitcode file `out` and list the files it is made of.
pub fn arguments(options: &[String], source: &OsStr, out: &Path, dependencies: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    if !options.iter().any(|option| option.starts_with("--edition")) {
        args.push("--edition=2021".into());
    }
    args.extend(ONE_MODULE.iter().chain(&AS_WRITTEN).map(OsString::from));
    args.extend(["--crate-type=bin", "--cfg=rmc"].map(OsString::from));
    let mut options = options.iter();
    while let Some(option) = options.next() {
        args.extend(match option.as_str() {
            "-D" => options.next().map(|define| configuration(define)),
            // The optimiser runs later.
            option if option.starts_with("-O") => None,
            // Overflow is checked anyway, and rustc knows no sanitizers of the kind.
            _ if library::overflow::COMPILER_OPTIONS.contains(&option.as_str()) => None,
            _ => Some(converted(option)),
        });
    }
    for (kind, path) in [("llvm-bc", out), ("dep-info", dependencies)] {
        let mut emit = OsString::from(format!("--emit={kind}="));
        emit.push(path);
        args.push(emit);
    }
    // Intermediate files go there.
    args.extend(["--out-dir".into(), out.parent().unwrap_or(Path::new(".")).into(), source.into()]);
    args
}

/// An option as rustc knows it.
fn converted(option: &str) -> OsString {
    option.strip_prefix("-D").map_or_else(|| option.into(), configuration)
}

/// A macro of C as an option for `cfg`.
fn configuration(define: &str) -> OsString {
    match define.split_once('=') {
        Some((name, value)) => format!("--cfg={name}=\"{value}\"").into(),
        None => format!("--cfg={define}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_c_are_those_of_rust() {
        let options = ["-DFENCE", "-D", "MODE=2", "-O2", "-O", "--cfg=x"].map(str::to_owned);
        let args = arguments(&options, OsStr::new("a.rs"), Path::new("t/a.bc"), Path::new("t/a.d"));
        let given: Vec<_> = args.iter().skip(10).filter_map(|arg| arg.to_str()).collect();
        let expected = ["--cfg=FENCE", "--cfg=MODE=\"2\"", "--cfg=x"];
        assert_eq!(
            given,
            [&expected[..], &["--emit=llvm-bc=t/a.bc", "--emit=dep-info=t/a.d", "--out-dir", "t", "a.rs"]].concat()
        );
    }

    #[test]
    fn a_module_is_prepared_before_the_other_passes() {
        let passes = |options: &[&str]| {
            let options: Vec<_> = options.iter().map(|&option| option.to_owned()).collect();
            passes(options.iter(), "-passes=mem2reg").remove(0)
        };
        let prepare = "-passes=rmc-rust,internalize,globaldce,function(lowerinvoke,simplifycfg),globaldce,";
        assert_eq!(passes(&[]), format!("{prepare}mem2reg"));
        assert_eq!(passes(&["-O1", "-O"]), format!("{prepare}default<O2>,mem2reg"));
    }
}
