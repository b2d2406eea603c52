//! The pass, run through `opt-16` as in a build script.
//!
//! Each `tests/pass/NAME.ll` is instrumented, verified and compared with `NAME.expected.ll`; optimisation
//! after the pass must succeed, too. Each `tests/pass/errors/NAME.ll` must be refused with the one line in
//! `NAME.stderr` and no output file. `RMC_BLESS=1` rewrites both kinds of expectation.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::{bless, repository};

fn main() {
    let arguments = Arguments::from_args();
    let plugin = build_plugin();
    let goldens = repository().join("tests/pass");
    let mut trials = Vec::new();
    for input in inputs(&goldens) {
        trials.push(trial("golden", &input, &plugin, golden));
        trials.push(trial("optimised", &input, &plugin, survives_optimisation));
    }
    for input in inputs(&goldens.join("errors")) {
        trials.push(trial("refused", &input, &plugin, refused));
    }
    let scalars = goldens.join("scalars.ll");
    trials.push(trial("after mem2reg", &scalars, &plugin, after_mem2reg));
    trials.push(trial("second run refused", &scalars, &plugin, second_run_refused));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Checks the file of the first path with the plugin of the second.
type Check = fn(&Path, &Path) -> Result<(), Failed>;

fn trial(kind: &str, input: &Path, plugin: &Path, check: Check) -> Trial {
    let (input, plugin) = (input.to_owned(), plugin.to_owned());
    let name = input.file_stem().unwrap_or_default().to_string_lossy();
    Trial::test(format!("{kind} {name}"), move || check(&input, &plugin))
}

/// Builds the plugin into the directory and for the profile of this test. It is a shared library, so it is
/// not built as a dependency of a test.
fn build_plugin() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
    let target = profile.parent().expect("tests are in target/<profile>/deps");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "rmc-pass", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.current_dir(repository()).status().expect("cargo runs");
    assert!(status.success(), "the plugin does not build");
    profile.join("librmc_pass.so")
}

fn inputs(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the goldens are in the repository");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable directory").path()).collect();
    files.retain(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".ll") && !name.ends_with(".expected.ll")
    });
    files.sort();
    files
}

/// Runs `passes` on `input`. The name of the module in the output is that of `input` without its directory.
fn opt(input: &Path, plugin: &Path, passes: &str, output: &str) -> Output {
    let mut plugin_option = std::ffi::OsString::from("-load-pass-plugin=");
    plugin_option.push(plugin);
    Command::new("opt-16")
        .arg(plugin_option)
        .arg(format!("-passes={passes}"))
        .args(["-S", "-o", output])
        .arg(input.file_name().expect("goldens are files"))
        .current_dir(input.parent().expect("goldens are in a directory"))
        .output()
        .expect("opt-16 is installed")
}

fn succeed(input: &Path, plugin: &Path, passes: &str) -> Result<String, Failed> {
    let output = opt(input, plugin, passes, "-");
    if output.status.success() && output.stderr.is_empty() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(format!("{passes}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)).into())
    }
}

fn golden(input: &Path, plugin: &Path) -> Result<(), Failed> {
    let found = succeed(input, plugin, "rmc-instrument,verify")?;
    no_atomics(&found)?;
    compare(&input.with_extension("expected.ll"), &found)
}

fn no_atomics(module: &str) -> Result<(), Failed> {
    let atomic = |line: &&str| {
        let mut words = line.split_whitespace();
        words.any(|word| matches!(word, "atomic" | "atomicrmw" | "cmpxchg" | "fence"))
    };
    match module.lines().filter(|line| !line.contains(" asm ")).find(atomic) {
        Some(line) => Err(format!("an atomic instruction is left: {line}").into()),
        None => Ok(()),
    }
}

fn survives_optimisation(input: &Path, plugin: &Path) -> Result<(), Failed> {
    succeed(input, plugin, "rmc-instrument,default<O2>,verify").map(drop)
}

fn after_mem2reg(input: &Path, plugin: &Path) -> Result<(), Failed> {
    let alone = succeed(input, plugin, "rmc-instrument")?;
    let found = succeed(input, plugin, "function(mem2reg),rmc-instrument,verify")?;
    if alone == found { Ok(()) } else { Err("mem2reg has nothing to promote here".into()) }
}

fn second_run_refused(input: &Path, plugin: &Path) -> Result<(), Failed> {
    let message = refuse(input, plugin, "rmc-instrument,rmc-instrument")?;
    if message.contains("already instrumented") { Ok(()) } else { Err(message.into()) }
}

fn refused(input: &Path, plugin: &Path) -> Result<(), Failed> {
    let message = refuse(input, plugin, "rmc-instrument")?;
    compare(&input.with_extension("stderr"), &message)
}

/// The one line with which the pass refuses `input`.
fn refuse(input: &Path, plugin: &Path, passes: &str) -> Result<String, Failed> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("out.ll");
    let output = opt(input, plugin, passes, &file.to_string_lossy());
    let message = String::from_utf8(output.stderr)?;
    if output.status.code() != Some(1) {
        return Err(format!("{}, expected exit status 1\n{message}", output.status).into());
    }
    if file.exists() {
        return Err("an output file is left".into());
    }
    if message.lines().count() != 1 {
        return Err(format!("expected one line:\n{message}").into());
    }
    Ok(message)
}

fn compare(expectation: &Path, found: &str) -> Result<(), Failed> {
    if bless::wanted() {
        return Ok(fs::write(expectation, found)?);
    }
    let expected = fs::read_to_string(expectation).map_err(|error| format!("{}: {error}", expectation.display()))?;
    let difference = expected
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(found.lines().map(Some).chain([None]))
        .zip(1..)
        .find(|((expected, found), _)| expected != found);
    match difference {
        Some(((expected, found), line)) => {
            let name = expectation.display();
            Err(format!("{name}:{line}\nexpected {expected:?}\nfound    {found:?}\n(RMC_BLESS=1 rewrites it)").into())
        }
        None => Ok(()),
    }
}
