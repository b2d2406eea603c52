//! Native builds: programs of `tests/native`, instrumented and linked with `librmc_runtime.a`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::harness::repository;

/// The directory of this test's profile (`target/debug`), with the plugin and the static library in it:
/// neither is a dependency of a test, so cargo does not bring them.
///
/// # Panics
/// If they cannot be built.
pub fn artifacts() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
    let target = profile.parent().expect("tests are in target/<profile>/deps");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "rmc-pass", "-p", "rmc-runtime", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    run(cargo.current_dir(repository()));
    profile.to_owned()
}

/// Runs a command that must succeed.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// Compiles, instruments and links `tests/native/SOURCE`, a C program or, with the ending `cpp`, a C++ program.
///
/// # Panics
/// If that fails.
pub fn build(directory: &Path, source: &str, flags: &[&str]) -> PathBuf {
    let artifacts = artifacts();
    let source = repository().join("tests/native").join(source);
    let name = source.file_stem().expect("a file").to_string_lossy().into_owned();
    let compiler = if source.extension().is_some_and(|ending| ending == "cpp") { "clang++-16" } else { "clang-16" };
    let file = |ending: &str| directory.join(format!("{name}{ending}"));
    run(Command::new(compiler).args(["-g", "-emit-llvm", "-c"]).args(flags).arg(source).arg("-o").arg(file(".bc")));
    let plugin = format!("-load-pass-plugin={}", artifacts.join("librmc_pass.so").display());
    run(Command::new("opt-16")
        .args([&plugin, "-passes=rmc-instrument"])
        .arg(file(".bc"))
        .arg("-o")
        .arg(file(".rmc.bc")));
    run(Command::new(compiler)
        .arg(file(".rmc.bc"))
        .arg(artifacts.join("librmc_runtime.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(file("")));
    file("")
}
