//! The build of a target as one module, and the run of the checker on it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rmc_rust::assembly::rewrite_file;
use rmc_rust::crates::HARNESS;
use rmc_rust::toolchain::Form;
use rmc_rust::{options, toolchain};
use serde_json::Value;

use super::args::Args;
use super::error::Error;
use super::package::{Target, no_cargo};
use crate::wrapper;

/// The environment variable with which the user names Cargo.
const CARGO: &str = "RMC_CARGO";
/// The environment variable in which Cargo names itself to its subcommands.
const CALLER: &str = "CARGO";
/// The checker, beside this program or in the search path.
const CHECKER: &str = "rmc-check";

/// Builds what the options name, and becomes the checker.
///
/// # Errors
/// [`Error`].
pub fn check(args: &Args) -> Result<Infallible, Error> {
    let rustc = toolchain::rustc();
    let form = form(&rustc)?;
    let named = |variable| std::env::var(variable).ok().filter(|name| !name.is_empty());
    let cargo = named(CARGO).or_else(|| named(CALLER)).unwrap_or_else(|| "cargo".to_owned());
    let target = Target::find(args, &cargo)?;
    let module = build(args, &cargo, (&rustc, form), &target)?;
    let checker = checker();
    let error = Command::new(&checker).args(checker_arguments(args, &target, &module)).exec();
    let advice = "build it (cargo build -p rmc-checker), or put it into the search path".to_owned();
    Err(Error::NoProgram { program: checker.display().to_string(), error, advice })
}

/// The form in which the compiler writes modules. Other versions than those whose standard library is known
/// are refused.
fn form(rustc: &str) -> Result<Form, Error> {
    let description = toolchain::description(rustc).map_err(|error| Error::NoProgram {
        program: rustc.to_owned(),
        error,
        advice: format!(
            "install it with: apt-get install {}\n  or name it in the environment variable {}",
            toolchain::PACKAGES,
            toolchain::VARIABLE
        ),
    })?;
    let release = toolchain::release(&description);
    toolchain::form(release).ok_or_else(|| Error::OtherRust { program: rustc.to_owned(), release: release.to_owned() })
}

/// Builds a target. The result is the module that it has become.
fn build(args: &Args, cargo: &str, (rustc, form): (&str, Form), target: &Target) -> Result<PathBuf, Error> {
    let target = &Target { directory: target.directory.join(form.name()), ..target.clone() };
    let module = target.directory.join(target.kind.name()).join(format!("{}{}", target.name, options::module(form)));
    make_directory(module.parent().unwrap_or(Path::new(".")))?;
    let (harness, of_harness) = harness((rustc, form), &target.directory)?;
    let cargo = Cargo { args, cargo, rustc, form, target, harness: &harness, module: &module };
    let mut libraries = cargo.build(false)?;
    libraries.extend(target.kind.has_tests().then_some(of_harness));
    let list = options::list_of_libraries(&module);
    if libraries.iter().chain([&module]).any(|module| has_allocator(module)) {
        cargo.build(true)?;
        // There need not be one of an earlier build.
        let _ = fs::remove_file(list);
    } else {
        let lines: Vec<_> = libraries.iter().map(|library| format!("{}\n", library.display())).collect();
        let failed = |error| Error::File { path: list.display().to_string(), error };
        fs::write(&list, lines.concat()).map_err(failed)?;
    }
    Ok(module)
}

/// True if a module has an allocator of its own. The functions that call it are made where rustc links.
fn has_allocator(module: &Path) -> bool {
    let name = options::OWN_ALLOCATOR.as_bytes();
    fs::read(module).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}

/// A build of a target.
struct Cargo<'a> {
    args: &'a Args,
    cargo: &'a str,
    rustc: &'a str,
    form: Form,
    target: &'a Target,
    /// The library of the test harness.
    harness: &'a Path,
    /// The module that the program becomes.
    module: &'a Path,
}

impl Cargo<'_> {
    /// Compiles the program. If it `is_whole`, its module has the libraries and std in it. The result are the
    /// modules of the libraries.
    fn build(&self, is_whole: bool) -> Result<Vec<PathBuf>, Error> {
        // Cargo makes the module anew in each build, as the executable that it asked for is not there.
        let _ = fs::remove_file(self.module);
        let this = std::env::current_exe().map_err(|error| Error::File { path: "cargo-rmc".to_owned(), error })?;
        let mut command = Command::new(self.cargo);
        command
            .env("RUSTC", self.rustc)
            .env(wrapper::WRAPPER, this)
            .env(wrapper::HARNESS, self.harness)
            .env(wrapper::FORM, self.form.name())
            .env(wrapper::DIRECTORY, std::env::current_dir().unwrap_or_default())
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .envs(options::has_unwinding(&self.args.options).then_some((wrapper::UNWINDS, "1")))
            .envs(is_whole.then_some((wrapper::IS_WHOLE, "1")))
            // rustc links no bitcode of crates that are compiled piece by piece.
            .env("CARGO_INCREMENTAL", "0")
            // Versions of dependencies that are not chosen yet are those that say that this compiler takes
            // them.
            .env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback")
            .args(["rustc", "--message-format=json-render-diagnostics", "--target", toolchain::TARGET])
            .arg("--target-dir")
            .arg(&self.target.directory)
            .args(self.target.options())
            .args(cargo_options(self.args))
            .arg("--")
            .arg(options::emit(self.form, self.module))
            .args(self.args.options.iter().filter_map(|option| condition(option)))
            .stderr(Stdio::inherit());
        let output = command.output().map_err(|error| no_cargo(self.cargo, error))?;
        match output.status.success() {
            true if self.module.exists() => Ok(libraries(&output.stdout)),
            true => Err(Error::NoModule),
            false => Err(Error::NotBuilt),
        }
    }
}

/// The modules of the libraries that Cargo's messages name, a message in each line. A module is beside one of
/// the files of its library, and has its name. Libraries of this machine, such as procedural macros, have
/// none.
fn libraries(messages: &[u8]) -> Vec<PathBuf> {
    let messages = String::from_utf8_lossy(messages);
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let files = artifacts.flat_map(|artifact| artifact["filenames"].as_array().cloned().unwrap_or_default());
    let modules = files.filter_map(|file| Some(PathBuf::from(file.as_str()?).with_extension("module")));
    modules.filter(|module| module.exists()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The options for Cargo.
fn cargo_options(args: &Args) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    if let Some(path) = &args.manifest_path {
        options.extend(["--manifest-path".into(), path.into()]);
    }
    for features in &args.features {
        options.extend(["--features".into(), features.into()]);
    }
    let flags = [
        (args.all_features, "--all-features"),
        (args.no_default_features, "--no-default-features"),
        (args.offline, "--offline"),
        (args.locked, "--locked"),
        (args.verbose, "--verbose"),
    ];
    options.extend(flags.into_iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.into()));
    options
}

/// An option `-DNAME` as one of rustc.
fn condition(option: &OsStr) -> Option<OsString> {
    Some(options::condition(option.to_str()?.strip_prefix("-D")?).into())
}

/// The library of the harness for tests, and its module.
fn harness((rustc, form): (&str, Form), directory: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let [source, library, module] = ["test.rs", "libtest.rlib", "libtest.module"].map(|name| directory.join(name));
    let is_same = fs::read_to_string(&source).is_ok_and(|text| text == HARNESS.source);
    if is_same && library.exists() && module.exists() {
        return Ok((library, module));
    }
    fs::write(&source, HARNESS.source).map_err(|error| Error::File { path: source.display().to_string(), error })?;
    let output = Command::new(rustc).args(HARNESS.arguments(form, &source, &library, &module)).output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) => return Err(Error::Harness(String::from_utf8_lossy(&output.stderr).into_owned())),
        Err(error) => return Err(Error::Harness(error.to_string())),
    }
    if form == Form::Assembly {
        rewrite_file(&module).map_err(|error| Error::Harness(error.to_string()))?;
    }
    Ok((library, module))
}

fn make_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::File { path: path.display().to_string(), error })
}

/// The arguments of the checker. The module's path is relative where it can be, as it is in reports.
fn checker_arguments(args: &Args, target: &Target, module: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    if target.kind.has_tests() {
        arguments.push(format!("--test={}", args.filter.as_deref().unwrap_or_default()).into());
    }
    arguments.extend(args.options.iter().cloned());
    let here = std::env::current_dir().unwrap_or_default();
    arguments.push(module.strip_prefix(here).unwrap_or(module).into());
    arguments
}

fn checker() -> PathBuf {
    let beside = std::env::current_exe().ok().map(|this| this.with_file_name(CHECKER));
    beside.filter(|path| path.exists()).unwrap_or_else(|| CHECKER.into())
}
