//! Tests of the section "What is not there" of ARCHITECTURE.md.
//!
//! Each test checks one statement of that section by the names that sources use.

use std::fs;

use rmc_tests::harness::repository;
use rmc_tests::sources::sources;

/// The files below `directory` that contain one of the words outside of comments, without those below
/// `allowed`.
#[track_caller]
fn check_absent(directory: &str, words: &[&str], allowed: &[&str]) {
    let mut found = Vec::new();
    for file in sources(&repository().join(directory)) {
        let is_allowed = allowed.iter().any(|place| file.path.starts_with(place));
        let mut code = file.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if !is_allowed && code.any(|line| words.iter().any(|word| line.contains(word))) {
            found.push(file.path);
        }
    }
    assert_eq!(found, [""; 0], "{words:?} below {directory}");
}

/// The dependencies of a package, without those of its tests.
fn dependencies(package: &str) -> Vec<String> {
    let manifest = fs::read_to_string(repository().join(package).join("Cargo.toml")).expect("a manifest");
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split(['.', ' ']).next()).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_runtime_knows_the_abi_and_nothing_else() {
    assert_eq!(dependencies("runtime"), ["backtrace", "rmc-abi", "serde_json", "smallvec"]);
    // A native run that watches itself names places in its reports. The memory model needs nothing.
    check_absent("runtime/src", &["backtrace", "serde_json"], &["native/watch"]);
    check_absent("runtime/src", &["smallvec"], &["monitor"]);
    assert_eq!(dependencies("abi"), [""; 0]);
}

#[test]
fn assembly_is_read_without_llvm() {
    assert_eq!(dependencies("asm"), ["rmc-abi"]);
}

#[test]
fn formulas_know_no_programs() {
    assert_eq!(dependencies("formula"), ["cadical", "rustc-hash"]);
}

#[test]
fn histories_are_decided_without_programs() {
    assert_eq!(dependencies("consistency"), ["rmc-runtime", "rustc-hash", "smallvec", "thiserror"]);
    let packages = ["clap", "rmc-consistency", "rmc-runtime", "serde", "serde_json", "thiserror"];
    assert_eq!(dependencies("history"), packages);
}

#[test]
fn the_interpreter_never_sees_a_buffer_or_a_schedule() {
    check_absent("checker/src/interp", &["Buffers", "Schedule", "crate::system", "crate::store"], &[]);
}

#[test]
fn llvm_is_used_by_the_pass_and_the_loader_only() {
    check_absent("checker/src", &["rmc_llvm"], &["ir/load"]);
    check_absent("checker/src", &["inkwell", "llvm_sys"], &[]);
    check_absent("pass/src", &["llvm_sys"], &[]);
    assert!(!dependencies("tests").iter().any(|name| name.contains("llvm")));
}

#[test]
fn unsafe_code_is_where_architecture_says() {
    // The workspace's lints deny unsafe code wherever a file does not allow it.
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("unsafe_code = \"deny\""));
    let word = ["allow(unsafe_code)"];
    check_absent("checker/src", &word, &["allocator.rs", "store/mapped.rs", "ir/load/resident.rs"]);
    check_absent("pass/src", &word, &["lib.rs"]);
    check_absent("runtime/src", &word, &["native/", "monitor/biased.rs", "monitor/barrier.rs"]);
    for package in ["abi", "asm", "consistency", "formula", "history", "tests", "benches"] {
        check_absent(package, &["allow(unsafe_code"], &["tests/absences.rs"]);
    }
}

#[test]
fn engines_print_nothing_and_open_checkpoints_only() {
    let words = ["println!", "print!", "stderr", "stdout", "std::fs", "File::"];
    check_absent("checker/src/engine", &words, &["explicit/checkpoint.rs", "explicit/saving.rs"]);
    check_absent("checker/src/system", &words, &[]);
}

#[test]
fn reports_run_nothing() {
    check_absent("checker/src/report", &["crate::interp", "crate::store", "Machine", ".explore("], &[]);
}

#[test]
fn the_oracle_shares_no_code_with_the_runtime() {
    check_absent("tests/src/oracle", &["rmc_runtime", "rmc_checker"], &[]);
    assert!(!dependencies("tests").contains(&"rmc-checker".to_owned()), "the tests use the command line");
}
