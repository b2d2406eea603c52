//! How a file of Rust is compiled: rustc makes a module of the program, which is linked with what it needs of
//! the standard library (`rust_std.rs`), and the pass drops what is not used. The crate `rmc-rust` knows the
//! options.
//!
//! The user's options are rustc's, except that `-DNAME` is converted, and that `-O2` has opt optimise, so
//! that one command line is for programs of all languages.
//!
//! Tests: `tests/programs/rust/`, `tests/tests/rust_tests.rs`.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rmc_rust::crates::{CHOICES, Crate, HARNESS};
use rmc_rust::options::{EVERY_CRATE, NO_UNWINDING, TEST, UNWINDING, condition, emit, list_of_libraries};
use rmc_rust::toolchain::{self, Form};

use super::compile_error::CompileError;
use super::kind::read;
use super::llvm_tools::RUSTC;
use crate::ir::load::tests::{CHOSEN, TABLE};
use crate::system::library;

/// The functions of the module that others call: `main`, and those that the support library calls.
const CALLED: &str = "main,__rmc_rust_write,__rmc_rust_unwind,__rmc_rust_run_guard";

/// The options of opt with the passes for a module of Rust; `passes` are those of every language. Where the
/// user's options name a level, the optimiser runs when the pass has found std's functions by their names.
/// Where panics do not unwind, landing pads are removed.
pub fn passes<'o>(options: impl Iterator<Item = &'o String> + Clone, passes: &str) -> Vec<String> {
    let prepare = match options.clone().any(|option| option == UNWINDING) {
        true => "-passes=rmc-rust-unwind,internalize,globaldce,function(simplifycfg),",
        false => "-passes=rmc-rust,internalize,globaldce,function(lowerinvoke,simplifycfg),globaldce,",
    };
    let level = options.filter_map(|option| option.strip_prefix("-O")).last().map(|level| match level {
        "" => "2",
        level => level,
    });
    let optimise = level.map(|level| format!("default<O{level}>,")).unwrap_or_default();
    let passes = passes.strip_prefix("-passes=").unwrap_or(passes);
    vec![
        format!("{prepare}{optimise}{passes}"),
        format!("-internalize-public-api-list={CALLED},{TABLE},{CHOSEN}"),
        // As for C: without it, the optimiser makes tables of distances, for which objects are too far apart.
        "-code-model=large".to_owned(),
    ]
}

/// Bytes that are others if another compiler is installed.
///
/// # Errors
/// [`CompileError::NoTool`], or [`CompileError::OtherRust`] if it is not of a version that is supported.
pub fn identity() -> Result<Vec<u8>, CompileError> {
    form()?;
    let file = RUSTC.path().and_then(|path| std::fs::metadata(path).ok());
    let file = file.map(|file| (file.size(), file.mtime(), file.mtime_nsec()));
    Ok(format!("{file:?} {}", description()?).into_bytes())
}

/// The form in which the compiler writes modules. Other versions than those whose standard library is known
/// are refused.
pub fn form() -> Result<Form, CompileError> {
    let release = toolchain::release(description()?);
    let refused = || CompileError::OtherRust { program: RUSTC.program(), release: release.to_owned() };
    toolchain::form(release).ok_or_else(refused)
}

/// The description of the compiler, by itself.
fn description() -> Result<&'static str, CompileError> {
    static SAID: OnceLock<String> = OnceLock::new();
    if let Some(said) = SAID.get() {
        return Ok(said);
    }
    let program = RUSTC.program();
    let said = toolchain::description(&program).map_err(|error| CompileError::NoTool {
        program,
        error,
        package: RUSTC.package,
        variable: RUSTC.variable,
    })?;
    Ok(SAID.get_or_init(|| said))
}

/// Refuses options of rustc with which std would not be as it is known.
///
/// # Errors
/// [`CompileError::RustOption`] says why, and what to do.
pub fn check_options(options: &[String], path: &str) -> Result<(), CompileError> {
    let refused = |option: &String| match option {
        _ if option == UNWINDING => None,
        _ if option.contains("panic=") => Some("use --panic=unwind or --panic=abort"),
        _ if option.contains("opt-level=") => Some("-O2 and the like name the level"),
        _ => None,
    };
    match options.iter().find_map(|option| Some((option, refused(option)?))) {
        Some((option, why)) => Err(CompileError::RustOption { path: path.to_owned(), option: option.clone(), why }),
        None => Ok(()),
    }
}

/// The modules of the libraries of a program's module; none if that is the whole program.
///
/// # Errors
/// The list cannot be read.
pub fn libraries(module: &Path) -> Result<Option<Vec<PathBuf>>, CompileError> {
    let list = list_of_libraries(module);
    if !list.exists() {
        return Ok(None);
    }
    let list = String::from_utf8_lossy(&read(&list)?).into_owned();
    Ok(Some(list.lines().map(PathBuf::from).collect()))
}

/// The crates that a program can use, or that its tests need.
pub fn crates(options: &[String]) -> impl Iterator<Item = &'static Crate> {
    [Some(&CHOICES), has_tests(options).then_some(&HARNESS)].into_iter().flatten()
}

/// True if options name libraries, or directories in which they are.
pub fn uses_libraries(options: &[String]) -> bool {
    options.iter().any(|option| option.starts_with("--extern") || option.starts_with("-L"))
}

/// The options with which the standard library is compiled for a program: panics unwind or abort in both.
pub fn of_std(options: &[String]) -> Vec<String> {
    options.iter().filter(|option| *option == UNWINDING).cloned().collect()
}

fn unwinds(options: &[String]) -> bool {
    options.iter().any(|option| option == UNWINDING)
}

fn has_tests(options: &[String]) -> bool {
    options.iter().any(|option| option == TEST)
}

/// A crate that a program can use, compiled.
pub struct Compiled {
    /// The name by which programs use it.
    pub name: &'static str,
    /// The library for rustc.
    pub library: PathBuf,
    /// Its bitcode.
    pub module: PathBuf,
}

/// The arguments of rustc that compile `source` to the module `out` and list the files it is made of. `kind`
/// are the options for a piece of a program, or for a whole one.
pub fn arguments(
    options: &[String],
    source: &OsStr,
    (form, out): (Form, &Path),
    dependencies: &Path,
    (kind, crates): (&[&str], &[Compiled]),
) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    if !options.iter().any(|option| option.starts_with("--edition")) {
        args.push("--edition=2021".into());
    }
    args.extend(EVERY_CRATE.iter().chain(kind).map(OsString::from));
    if !has_tests(options) {
        args.push("--crate-type=bin".into());
        if !unwinds(options) {
            args.push(NO_UNWINDING.into());
        }
    }
    for Compiled { name, library, .. } in crates {
        args.extend(["--extern".into(), keyed(name, library)]);
    }
    let mut options = options.iter();
    while let Some(option) = options.next() {
        args.extend(match option.as_str() {
            "-D" => options.next().map(|define| condition(define).into()),
            // The optimiser runs later.
            option if option.starts_with("-O") => None,
            // Overflow is checked anyway, and rustc knows no sanitizers of the kind.
            _ if library::overflow::COMPILER_OPTIONS.contains(&option.as_str()) => None,
            _ => Some(converted(option)),
        });
    }
    args.extend([emit(form, out), keyed("--emit=dep-info", dependencies)]);
    // Intermediate files go there.
    args.extend(["--out-dir".into(), out.parent().unwrap_or(Path::new(".")).into(), source.into()]);
    args
}

fn keyed(key: &str, path: &Path) -> OsString {
    let mut text = OsString::from(format!("{key}="));
    text.push(path);
    text
}

/// An option as rustc knows it.
fn converted(option: &str) -> OsString {
    option.strip_prefix("-D").map_or_else(|| option.into(), |define| condition(define).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_c_are_those_of_rust() {
        let options = ["-DFENCE", "-D", "MODE=2", "-O2", "-O", "--cfg=x"].map(str::to_owned);
        let [library, module] = ["t/rmc.rlib", "t/rmc.bc"].map(PathBuf::from);
        let kind = (&["-Cx"][..], &[Compiled { name: "rmc", library, module }][..]);
        let out = (Form::Bitcode, Path::new("t/a.bc"));
        let args = arguments(&options, OsStr::new("a.rs"), out, Path::new("t/a.d"), kind);
        let given: Vec<_> = args.iter().skip(10).filter_map(|arg| arg.to_str()).collect();
        let expected = ["--extern", "rmc=t/rmc.rlib", "--cfg=FENCE", "--cfg=MODE=\"2\"", "--cfg=x"];
        assert_eq!(
            given,
            [&expected[..], &["--emit=llvm-bc=t/a.bc", "--emit=dep-info=t/a.d", "--out-dir", "t", "a.rs"]].concat()
        );
    }

    #[test]
    fn libraries_are_named_by_two_options() {
        let uses = |options: &[&str]| uses_libraries(&options.iter().map(|&one| one.to_owned()).collect::<Vec<_>>());
        assert!(uses(&["-Lhere"]) && uses(&["--extern", "a=b"]) && !uses(&["-DL", "--cfg=extern"]));
    }

    #[test]
    fn a_module_is_prepared_before_the_other_passes() {
        let passes = |options: &[&str]| {
            let options: Vec<_> = options.iter().map(|&option| option.to_owned()).collect();
            passes(options.iter(), "-passes=mem2reg").remove(0)
        };
        let prepare = "-passes=rmc-rust,internalize,globaldce,function(lowerinvoke,simplifycfg),globaldce,";
        assert_eq!(passes(&[]), format!("{prepare}mem2reg"));
        let prepare_unwinding = "-passes=rmc-rust-unwind,internalize,globaldce,function(simplifycfg),";
        assert_eq!(passes(&[UNWINDING]), format!("{prepare_unwinding}mem2reg"));
        assert_eq!(passes(&["-O1", "-O"]), format!("{prepare}default<O2>,mem2reg"));
    }
}
