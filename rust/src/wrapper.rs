//! One run of rustc for Cargo, which calls this program with the compiler and its arguments.
//!
//! Crates for this machine (build scripts, procedural macros) are compiled as Cargo says. Of those for the
//! program, libraries that Rust can use become modules, too; the program itself, which is known by the module
//! that it is to become, becomes nothing else. Others are only looked through for errors: libraries for other
//! languages, and the package's programs, which its tests could start. A program with an allocator of its own
//! is compiled with its libraries and std to one module.
//!
//! Newer versions of Cargo than 1.65 call rustc with options that 1.63 does not know and that change nothing
//! of the program; these are left out ([`is_unknown`]).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use rmc_rust::assembly::rewrite_file;
use rmc_rust::options::{self, EVERY_CRATE, LIBRARY, NO_UNWINDING, PIECE, TEST, UNWINDING, WHOLE, emitted, linking};
use rmc_rust::toolchain::Form;

/// Cargo's environment variable for a program that is called in place of rustc.
pub const WRAPPER: &str = "RUSTC_WRAPPER";
/// The environment variable that tells this program that it is called so. Its value is the library of the
/// test harness.
pub const HARNESS: &str = "RMC_CARGO_HARNESS";
/// The environment variable with the directory in which the user called `cargo rmc`. Reports name sources as
/// they are seen from there.
pub const DIRECTORY: &str = "RMC_CARGO_DIRECTORY";
/// The environment variable with the form of modules.
pub const FORM: &str = "RMC_CARGO_FORM";
/// The environment variable that tells this program that rustc makes one module of program and libraries.
pub const IS_WHOLE: &str = "RMC_CARGO_WHOLE";
/// The environment variable that tells this program that panics unwind.
pub const UNWINDS: &str = "RMC_CARGO_UNWIND";

/// True if Cargo calls this program.
pub fn is_requested() -> bool {
    std::env::var_os(HARNESS).is_some()
}

/// Runs the compiler.
pub fn run(given: Vec<OsString>) -> ExitCode {
    let mut given = given.into_iter();
    let Some(rustc) = given.next() else { return ExitCode::FAILURE };
    let given: Vec<_> = given.collect();
    let harness = std::env::var_os(HARNESS).unwrap_or_default();
    let is_set = |variable| std::env::var_os(variable).is_some();
    let how = How {
        form: Form::ALL.into_iter().find(|form| std::env::var_os(FORM).is_some_and(|name| name == form.name())),
        is_whole: is_set(IS_WHOLE),
        unwinds: is_set(UNWINDS),
    };
    let mut arguments = arguments(&given, &harness, how);
    let here = std::env::current_dir().unwrap_or_default();
    if std::env::var_os(DIRECTORY).is_some_and(|directory| here != directory) {
        arguments
            .iter_mut()
            .filter(|argument| is_source(argument))
            .for_each(|source| *source = here.join(&source).into());
    }
    let status = Command::new(&rustc).args(&arguments).status();
    match status {
        Ok(status) if status.success() => match arguments.iter().find(|one| emitted(one) == Some(Form::Assembly)) {
            Some(emit) if !how.is_whole => rewrite(options::file(emit)),
            _ => ExitCode::SUCCESS,
        },
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("cannot run {}: {error}", rustc.display());
            ExitCode::FAILURE
        }
    }
}

/// Rewrites the assembly of a module for LLVM 16.
fn rewrite(path: &Path) -> ExitCode {
    match rewrite_file(path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

/// How crates for the program are compiled.
#[derive(Clone, Copy)]
struct How {
    /// The form of modules.
    form: Option<Form>,
    /// True if rustc makes one module of program and libraries.
    is_whole: bool,
    /// True if panics unwind.
    unwinds: bool,
}

/// The compiler's arguments.
fn arguments(given: &[OsString], harness: &OsStr, how: How) -> Vec<OsString> {
    let has = |option: &str| given.iter().any(|argument| argument == option);
    let mut arguments = without_unknown(given);
    if !has("--target") {
        return arguments;
    }
    arguments.extend(EVERY_CRATE.map(OsString::from));
    if !given.iter().any(|argument| starts_with(argument, "--emit=")) {
        // Cargo asks about the compiler.
    } else if let Some(form) = given.iter().find_map(|option| emitted(option)) {
        emit(&mut arguments, "--emit=dep-info");
        if how.is_whole {
            arguments.extend(WHOLE.iter().chain(linking(form)).map(OsString::from));
        } else {
            arguments.extend(PIECE.map(OsString::from));
        }
        if has(TEST) {
            let mut library = OsString::from("test=");
            library.push(harness);
            arguments.extend(["--extern".into(), library]);
        } else {
            arguments.push(if how.unwinds { UNWINDING } else { NO_UNWINDING }.into());
        }
    } else if kinds(given).any(|kind| RUST_USES.contains(&kind)) {
        arguments = without_other_kinds(arguments);
        arguments.extend(LIBRARY.map(OsString::from));
        arguments.extend(how.form.zip(module_of(given)).map(|(form, module)| options::emit(form, &module)));
    } else {
        emit(&mut arguments, "--emit=dep-info,metadata");
    }
    arguments
}

/// The module of a library: beside it, with its name.
fn module_of(given: &[OsString]) -> Option<PathBuf> {
    let value = |option: &str| given.windows(2).find(|pair| pair[0] == option).map(|pair| &pair[1]);
    let suffix = given.iter().find_map(|option| option.to_str()?.strip_prefix("extra-filename="));
    let name = format!("lib{}{}.module", value("--crate-name")?.to_str()?, suffix.unwrap_or_default());
    Some(Path::new(value("--out-dir")?).join(name))
}

/// The kinds of libraries that other crates can use.
const RUST_USES: [&str; 2] = ["lib", "rlib"];
/// The option before a kind of crate.
const KIND: &str = "--crate-type";

/// The kinds of files that the crate is compiled to.
fn kinds(given: &[OsString]) -> impl Iterator<Item = &str> {
    given.windows(2).filter(|pair| pair[0] == KIND).filter_map(|pair| pair[1].to_str())
}

/// Leaves out the kinds for other languages.
fn without_other_kinds(given: Vec<OsString>) -> Vec<OsString> {
    let (mut kept, mut given) = (Vec::new(), given.into_iter());
    while let Some(argument) = given.next() {
        if argument != KIND {
            kept.push(argument);
        } else if let Some(kind) = given.next().filter(|kind| RUST_USES.iter().any(|used| kind == used)) {
            kept.extend([argument, kind]);
        }
    }
    kept
}

/// Says what the crate is compiled to, in place of what Cargo says.
fn emit(arguments: &mut [OsString], what: &str) {
    let of_cargo = |argument: &&mut OsString| starts_with(argument, "--emit=") && emitted(argument).is_none();
    arguments.iter_mut().filter(of_cargo).for_each(|argument| *argument = what.into());
}

fn starts_with(argument: &OsStr, start: &str) -> bool {
    argument.as_encoded_bytes().starts_with(start.as_bytes())
}

fn without_unknown(given: &[OsString]) -> Vec<OsString> {
    let (mut known, mut given) = (Vec::new(), given.iter());
    while let Some(argument) = given.next() {
        if argument == "--check-cfg" {
            given.next();
        } else if !is_unknown(argument) {
            known.push(argument.clone());
        }
    }
    known
}

/// True for an option that says which conditions are expected in `cfg`, or asks where debug information can
/// be: Cargo takes no answer for none but the usual place.
fn is_unknown(argument: &OsStr) -> bool {
    let text = argument.to_str().unwrap_or_default();
    text.starts_with("--check-cfg=") || text == "--print=check-cfg" || text == "--print=split-debuginfo"
}

/// True for the name of a source.
fn is_source(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().ends_with(b".rs") && !starts_with(argument, "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOW: How = How { form: Some(Form::Bitcode), is_whole: false, unwinds: false };

    #[track_caller]
    fn check(given: &str, expected: &str) {
        let given: Vec<_> = given.split(' ').map(OsString::from).collect();
        let arguments = arguments(&given, OsStr::new("h.rlib"), HOW);
        let arguments: Vec<_> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
        assert_eq!(arguments.join(" "), expected.replace("EVERY", &EVERY_CRATE.join(" ")));
    }

    #[test]
    fn crates_of_this_machine_are_as_cargo_says() {
        check("--crate-type bin --check-cfg cfg(x) a.rs -Copt-level=3", "--crate-type bin a.rs -Copt-level=3");
        check("- --print=cfg --print=split-debuginfo", "- --print=cfg");
    }

    #[test]
    fn questions_are_about_the_program() {
        check("- --crate-type cdylib --target t --print=cfg", "- --crate-type cdylib --target t --print=cfg EVERY");
    }

    #[test]
    fn libraries_become_bitcode_and_the_program_a_module() {
        let library = "--crate-type lib a.rs --emit=link --target t";
        check(library, &format!("{library} EVERY {}", LIBRARY.join(" ")));
        let named = format!("--crate-name a --out-dir d -C extra-filename=-1 {library}");
        check(&named, &format!("{named} EVERY {} --emit=llvm-bc=d/liba-1.module", LIBRARY.join(" ")));
        check(
            "--crate-type cdylib --crate-type lib a.rs --emit=link --target t",
            &format!("{library} EVERY {}", LIBRARY.join(" ")),
        );
        check(
            "--crate-type cdylib a.rs --emit=dep-info,link --target t",
            "--crate-type cdylib a.rs --emit=dep-info,metadata --target t EVERY",
        );
        check(
            "a.rs --emit=dep-info,link --target t --emit=llvm-bc=m.bc",
            &format!("a.rs --emit=dep-info --target t --emit=llvm-bc=m.bc EVERY {} {NO_UNWINDING}", PIECE.join(" ")),
        );
        check(
            "a.rs --test --target t --emit=llvm-bc=m.bc",
            &format!("a.rs --test --target t --emit=llvm-bc=m.bc EVERY {} --extern test=h.rlib", PIECE.join(" ")),
        );
    }
}
